"""CRAG's rows as samples: labels, right answers, splits, pages; small files and prepared ones; rows that are wrong."""

from __future__ import annotations

import bz2
import json
import signal
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from assistant.core.errors import BadInput
from eval.data import datasets
from eval.data.crag_text import rows as reading
from eval.data.crag_text.rows import is_snippet
from eval.data.crag_text.store import Kept, pack, prepare
from eval.data.datasets import Reading
from tests.eval.data.crag_text.ten_rows import LANTERN, ROWS, row, write

ROOT = Path(__file__).parents[4]


def load(path, split="all", **more):
    return datasets.load(str(path), split, reading=Reading(picture_cache=path.parent / "data" / "urlcache", **more))


def turns(data):
    return [sample.turns[0] for sample in data.samples]


@pytest.mark.parametrize("name", ["crag_task_1_and_2_dev_v4.jsonl.bz2", "crag_task_3_dev_v4.jsonl"])
def test_the_ten_rows(tmp_path, name):
    data = load(write(tmp_path / name))
    assert (data.benchmark, len(data.samples), data.unusable) == ("crag", 10, ())
    assert not any(sample.picture or sample.is_ego for sample in data.samples)
    found = turns(data)
    assert [turn.ground_truth for turn in found] == [one["answer"] for one in ROWS]
    assert [turn.truths for turn in found] == [
        ("Ira H. Vold",), (), ("48200", "about 48 thousand"), (), (), ("Northing, Salt Roads",), (), (), (), (),
    ]  # fmt: skip
    first, last = found[0], found[9]
    assert (first.domain, first.query_category, first.dynamism) == ("movie", "simple", "static")
    assert first.more == {"popularity": "head", "query_time": "03/13/2024, 10:39:22 PT", "false_premise": "no"}
    assert last.more == {"query_time": "03/13/2024, 10:39:22 PT", "false_premise": "yes"}


def test_pages_are_pieces_in_the_data_s_order_snippet_first(tmp_path):
    data = load(write(tmp_path / "c.jsonl"))
    pieces = turns(data)[0].pieces()
    assert [(piece.id, piece.role) for piece in pieces] == [
        ("snippet-0", "page"), ("page-0.0", "page"), ("snippet-1", "page"), ("page-1.0", "page"), ("snippet-3", "page"),
        ("page-3.0", "page"), ("snippet-4", "page"), ("page-4.0", "page"),
    ]  # fmt: skip
    assert [is_snippet(piece) for piece in pieces[:2]] == [True, False]
    snippet, text, cut = pieces[0], pieces[1], pieces[5]
    assert snippet.text == "The Grand Lantern is a 2019 drama film directed by Ira Vold."
    assert (snippet.title, snippet.source, snippet.written) == (
        "The Grand Lantern - Filmpedia", "https://filmpedia.invalid/lantern", "2024-03-13",
    )  # fmt: skip
    assert text.text == (
        "The Grand Lantern The Grand Lantern is a drama film. The director of The Grand Lantern is Ira Vold. "
        "Running time 112 minutes"
    )
    assert cut.text.startswith("It ends in the mid")
    assert cut.written is None


@pytest.mark.parametrize(
    ("modified", "written"),
    [
        ("Sun, 10 Mar 2024 17:10:22 GMT", "2024-03-10"),
        ("2024-03-10T17:10:22+00:00", "2024-03-10"),
        ("2024-03-10", "2024-03-10"),
        ("yesterday", None),
        ("Sun, 99 Mar 2024 17:10:22 GMT", None),
        ("", None),
    ],
)
def test_when_a_page_was_written(tmp_path, modified, written):
    one = row(0, query="q", answer="a", search_results=[{**LANTERN, "page_last_modified": modified}])
    assert turns(load(write(tmp_path / "c.jsonl", [one])))[0].pieces()[0].written == written


def test_splits_by_name(tmp_path):
    path = write(tmp_path / "c.jsonl.bz2")
    assert [len(load(path, split).samples) for split in ("validation", "public_test", "all")] == [2, 8, 10]
    assert {sample.split for sample in load(path, "validation").samples} == {"validation"}
    with pytest.raises(BadInput, match="no rows for --split train: it has public_test, validation"):
        load(path, "train")
    only = write(tmp_path / "one.jsonl", [one for one in ROWS if one["split"] == 1])
    assert len(load(only, "validation").samples) == 8  # the usual split, asked for by no name


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"query": None}, "has None as 'query'"),
        ({"query": ["who"]}, r"has \['who'\] as 'query'"),
        ({"answer": None}, "has None as 'answer'"),
        ({"answer": True}, "has True as 'answer'"),
        ({"alternative_answers": "[unclosed"}, r"has '\[unclosed' as 'alternative_answers'"),
        ({"alternative_answers": "__import__('os')"}, "as 'alternative_answers'"),
        ({"alternative_answers": "{[]: 1}"}, "as 'alternative_answers'"),
        ({"alternative_answers": [["a"]]}, r"has \['a'\] as 'alternative_answers'"),
        ({"interaction_id": []}, r"has \[\] as 'interaction_id'"),
        ({"split": 2}, "has 2 as 'split'"),
        ({"split": []}, r"has \[\] as 'split'"),
        ({"domain": {}}, "has {} as 'domain'"),
        ({"search_results": "none"}, "has 'none' as 'search_results'"),
        ({"search_results": [LANTERN, "page"]}, "page 1 is str, not an object"),
        ({"search_results": [{**LANTERN, "page_result": 5}]}, "page 0 has 5 as 'page_result'"),
    ],
)
@pytest.mark.parametrize("small", [True, False])
def test_wrong_rows_are_told_by_line_and_column(tmp_path, monkeypatch, change, why, small):
    if not small:
        monkeypatch.setattr(reading, "SMALL_BYTES", 0)
    path = write(tmp_path / "c.jsonl", [ROWS[0], "", {**ROWS[1], **change}])
    with pytest.raises(BadInput, match=rf"line 3 of 'c.jsonl'.*{why}"):
        load(path)
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [path]  # nothing half done


@pytest.mark.parametrize("text", ["not json", '{"interaction_id": ', "[" * 100_000])
def test_lines_that_are_no_json(tmp_path, text):
    with pytest.raises(BadInput, match=r"line 2 of 'c\.jsonl' is not JSON"):
        load(write(tmp_path / "c.jsonl", [ROWS[0], text]))


def test_a_file_that_breaks_off(tmp_path):
    whole = write(tmp_path / "c.jsonl.bz2", [row(n, query="q", answer="a") for n in range(3000)]).read_bytes()
    cut = tmp_path / "cut.jsonl.bz2"
    cut.write_bytes(whole[: len(whole) * 2 // 3])
    with pytest.raises(BadInput, match=r"'cut.jsonl.bz2' breaks off after \d+ rows"):
        load(cut)


@pytest.mark.parametrize("content", [bz2.compress(b'{"query": "q"}\n' * 99)[:-9], bz2.compress(b""), b"BZh91AY&SY\xff"])
def test_compressed_files_without_a_first_row(tmp_path, content):
    path = tmp_path / "c.jsonl.bz2"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=r"is compressed \(bzip2\), and no row of CRAG's"):
        load(path)


def test_numbers_and_odd_answers_stay_what_they_are(tmp_path):
    rows = [
        row(0, query="q", answer=12.5, alternative_answers=[12, "12.5"]),
        row(1, query="q", answer=float("nan")),
        row(2, query="q", answer=" ", alternative_answers=["a", "b", "a"]),
        row(3, query="q", answer="", alternative_answers=[""]),
    ]
    found = turns(load(write(tmp_path / "c.jsonl", rows)))
    assert [(turn.ground_truth, turn.truths) for turn in found] == [
        ("12.5", ("12",)), ("nan", ()), ("a", ("b",)), ("", ()),
    ]  # fmt: skip


def test_a_number_of_hundreds_of_figures_is_an_answer(tmp_path):
    (turn,) = turns(load(write(tmp_path / "c.jsonl", [row(0, query="q", answer=10**400)])))
    assert turn.ground_truth == "1" + "0" * 400


def test_compressed_files_are_known_by_their_content(tmp_path):
    packed = write(tmp_path / "c.jsonl.bz2").rename(tmp_path / "packed.jsonl")
    plain = write(tmp_path / "c.jsonl").rename(tmp_path / "plain.jsonl.bz2")
    assert [len(load(path).samples) for path in (packed, plain)] == [10, 10]


def test_a_large_file_is_prepared_once_and_gives_the_same(tmp_path, monkeypatch, capsys):
    path = write(tmp_path / "c.jsonl.bz2")
    in_memory = load(path)
    monkeypatch.setattr(reading, "SMALL_PACKED_BYTES", 0)
    prepared = load(path)
    assert "reading the pages of c.jsonl.bz2" in capsys.readouterr().err
    (store,) = (tmp_path / "data" / "prepared").iterdir()
    assert turns(prepared) == turns(in_memory)
    assert [turn.pieces() for turn in turns(prepared)] == [turn.pieces() for turn in turns(in_memory)]
    monkeypatch.setattr(reading, "read_rows_of", None)  # not read again
    assert len(load(path, "validation").samples) == 2
    assert capsys.readouterr().err == ""
    store.write_bytes(store.read_bytes()[:3000])
    monkeypatch.undo()
    monkeypatch.setattr(reading, "SMALL_PACKED_BYTES", 0)
    assert turns(load(path)) == turns(in_memory)  # a broken one is made anew


def test_what_is_stopped_leaves_nothing(tmp_path, monkeypatch):
    path = write(tmp_path / "c.jsonl", [json.dumps(one) for one in ROWS])
    monkeypatch.setattr(reading, "SMALL_BYTES", 0)

    class Stop:
        def __init__(self, title):
            pass

        def __call__(self, share, what):
            if what == "4 questions":
                raise KeyboardInterrupt

    with monkeypatch.context() as stopped:
        stopped.setattr(reading, "ShownProgress", Stop)
        with pytest.raises(KeyboardInterrupt):
            load(path)
    assert [p for p in tmp_path.rglob("*") if p.is_file()] == [path]
    assert len(load(path).samples) == 10


def test_what_a_killed_one_left_behind_is_taken_away(tmp_path, monkeypatch):
    code = (
        "import os, signal, sys; from eval.data.crag_text import store; from pathlib import Path\n"
        "def rows():\n"
        "    for n in range(60): yield store.Kept(n, {}, b'')\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "store.prepare(Path(sys.argv[1]), rows())"
    )
    store = tmp_path / "pages.sqlite"
    done = subprocess.run([sys.executable, "-c", code, str(store)], cwd=ROOT)
    assert done.returncode == -signal.SIGKILL
    (left,) = tmp_path.glob(".pages*.part")
    assert left.stat().st_size > 0
    prepare(store, [Kept(0, {}, pack([]))])
    assert sorted(file.name for file in tmp_path.iterdir()) == ["pages.sqlite"]


def test_threads_that_prepare_the_same_do_not_disturb_each_other(tmp_path):
    together = threading.Barrier(3)
    store = tmp_path / "pages.sqlite"

    def rows():
        for n in range(120):
            if n in (1, 60, 119):
                together.wait(10)
            yield Kept(n, {"n": n}, pack([]))

    with ThreadPoolExecutor(3) as pool:
        made = [pool.submit(prepare, store, rows()) for _ in range(3)]
        assert [len(list(one.result().heads())) for one in made] == [120, 120, 120]
    assert [file.name for file in tmp_path.iterdir()] == ["pages.sqlite"]


def test_pages_that_are_gone_are_told(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "SMALL_BYTES", 0)
    data = load(write(tmp_path / "c.jsonl"))
    (store,) = (tmp_path / "data" / "prepared").iterdir()
    store.unlink()
    with pytest.raises(BadInput, match="delete the file"):
        turns(data)[0].pieces()
