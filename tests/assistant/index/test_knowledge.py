"""Entities by name, names in texts, passages by meaning and by words, pages whole."""

import threading
import time

import numpy as np
import pytest

from assistant.core.types import Evidence
from assistant.index.knowledge import Knowledge
from assistant.index.web_search import WordIndex, words, write_word_index
from assistant.text.mentions import Mentions


@pytest.fixture(scope="module")
def knowledge(tiny_index):
    opened = Knowledge.open(tiny_index)
    yield opened
    opened.close()


def test_an_entity_by_its_name(knowledge):
    record = knowledge.entity("  harrow   KETTLE ")
    assert record.name == "Harrow Kettle"
    assert record.attributes["weight"] == "{{convert|940|g|oz}}"  # raw: cleaning is the reader's
    assert (record.indexes, record.image_urls) == ((0,), ("https://pictures.invalid/0",))
    assert knowledge.entity("Kettle") is None
    assert knowledge.entity("") is None
    assert knowledge.entity("x' OR '1'='1") is None


def test_pictures_of_rows(knowledge):
    picture = knowledge.picture(0)
    assert picture is not None
    assert picture.read_bytes()[:2] == b"\xff\xd8"
    assert knowledge.picture(99) is None
    assert knowledge.picture(-1) is None


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("How heavy is the Harrow Kettle?", ("Harrow Kettle",)),
        ("is the harrow kettle's maker older than harrow?", ("Harrow Kettle", "Harrow")),
        ("PESTO ALLA VERDE!", ("Pesto alla Vèrde",)),
        ("harrowing kettles", ()),
        ("how heavy is it?", ()),
        ("Who wrote It?", ("It",)),
        ("Is It by Bo Lind, and is it long?", ("It",)),
        ("the 東京 guide", ("東京 Guide",)),
        ("", ()),
    ],
)
def test_names_in_texts(knowledge, text, names):
    assert knowledge.mentioned(text) == names


@pytest.mark.slow
def test_mentions_is_quick_with_many_names():
    mentions = Mentions(f"Thing {i} of the {i % 7} sort" for i in range(68_000))
    start = time.perf_counter()
    assert mentions.find("where is thing 4711 of the 0 sort?" + " and more" * 500) == ("Thing 4711 of the 0 sort",)
    assert time.perf_counter() - start < 1.0


def test_search_by_meaning(knowledge):
    best = knowledge.search("At what temperature is the coating of the kettle burned in?", 3)
    assert best[0].url == "https://kettles.invalid/harrow"
    assert "820 degrees" in best[0].text
    assert best[0].title == "The Harrow Kettle"


def test_search_by_words_that_mean_nothing_to_the_encoder(knowledge):
    assert knowledge.search("ZX-4417", 1)[0].url == "https://odd.invalid/code"


def test_pages_come_once_and_as_many_as_asked(knowledge):
    for k in (1, 3, 5):
        urls = [p.url for p in knowledge.search("The Harrow Kettle boils a litre", k)]
        assert len(urls) == len(set(urls)) == k


def test_a_search_among_given_pages_finds_nothing_else(knowledge):
    everything = knowledge.search("harrow kettle", k=50)
    urls = [p.url for p in everything]
    assert len(urls) > 2
    few = knowledge.among([urls[-1], urls[0], urls[0], "https://nowhere.invalid/"])
    found = few.search("harrow kettle", k=10)
    assert {p.url for p in found} == {urls[0], urls[-1]}
    assert [p.score for p in found] == sorted((p.score for p in found), reverse=True)
    assert len(few.search("harrow kettle", k=1)) == 1
    assert few.names == knowledge.names
    assert knowledge.among([]).search("harrow kettle") == ()
    assert [p.url for p in knowledge.search("harrow kettle", k=50)] == urls  # itself unchanged


def test_scores_are_cosines(knowledge):
    for passage in knowledge.search("basil sauce", 5):
        assert -1 <= passage.score <= 1
    best = knowledge.search("basil sauce", 1)[0]
    vectors = knowledge.encode(["basil sauce", f"{best.title}\n{best.text}"])
    assert best.score == pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-3)


@pytest.mark.parametrize("query", ["", "  ", "the of and", "🙂", "x " * 5_000])
def test_odd_queries(knowledge, query):
    assert len(knowledge.search(query, 3)) in (0, 3)
    assert knowledge.search("kettle", 0) == ()


def test_a_whole_page_in_order(knowledge):
    chunks = knowledge.page("https://kettles.invalid/harrow")
    assert [c.id for c in chunks] == [f"https://kettles.invalid/harrow_chunk_{i}" for i in range(len(chunks))]
    assert chunks[0].text.startswith("The Harrow Kettle boils")
    assert chunks[-1].text.endswith("Port Alder.")
    assert knowledge.page("https://unknown.invalid/") == ()


def test_encode_gives_unit_vectors(knowledge):
    np.testing.assert_allclose(np.linalg.norm(knowledge.encode(["a", "b"]), axis=1), 1, atol=1e-5)


def test_many_threads_ask_at_once(knowledge):
    expected = [p.id for p in knowledge.search("basil sauce", 3)]
    found: list[list[str]] = []

    def ask() -> None:
        for _ in range(5):
            assert knowledge.entity("harrow") is not None
            found.append([p.id for p in knowledge.search("basil sauce", 3)])

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 40


def test_words_are_compared_without_case_accents_and_plural():
    assert words("The Kettles of Vèrde, glass") == ["kettle", "verde", "glass"]


def test_word_index_of_nothing(tmp_path):
    write_word_index(tmp_path / "empty", ["", "the of"])
    assert WordIndex(tmp_path / "empty").best("kettle", 5) == []


def test_word_index_ranks_and_breaks_ties_by_row(tmp_path):
    write_word_index(tmp_path / "bm25", ["red kettle", "blue kettle", "blue blue mug", "red kettle"])
    index = WordIndex(tmp_path / "bm25")
    assert index.best("red kettle", 10) == [0, 3, 1]
    assert index.best("green", 10) == []
    assert index.best("kettle", 1) == [0]


def test_what_is_handed_in_may_speak_of_what_is_not_indexed(knowledge):
    """A thing that only the evidence knows is found in a question and has what the evidence says of it, no more."""
    tower = Evidence("1", "attribute", "Iron Tower", "height: 330 m", 0.0, "Iron Tower", "height", "330 m")
    kettle = Evidence("2", "attribute", "Harrow Kettle", "lid: blue", 0.0, "harrow kettle", "lid", "blue")
    handed = knowledge.handed([tower, kettle])
    assert handed.mentioned("Is the iron tower taller than the Harrow Kettle?") == ("Harrow Kettle", "Iron Tower")
    assert handed.entity("Iron Tower").attributes == {"height": "330 m"}
    assert handed.entity("Harrow Kettle").attributes == {"lid": "blue"}
    assert handed.names == (*knowledge.names, "Iron Tower")
    # the index itself stays as it is
    assert knowledge.mentioned("the Iron Tower") == ()
    assert "weight" in knowledge.entity("Harrow Kettle").attributes
    assert knowledge.handed(()).entity("Harrow Kettle").attributes == {}
