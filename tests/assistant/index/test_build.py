"""Building: complete or not at all, one builder at a time, one sentence a mistake, nothing of gold unless asked."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from assistant.core.errors import BadInput, NotReady, UnknownFormat
from assistant.core.folders import builder_lock
from assistant.core.types import TextLine
from assistant.index import build
from assistant.index.check import check_index
from assistant.index.collections import Collections, CollectionWriter
from assistant.index.knowledge import Knowledge
from assistant.index.manifest import EncoderInfo, Manifest, check_manifest, lasting_files, read_manifest
from assistant.text.encoder import text_encoder
from assistant.vision.local_features import FeatureStore
from tests.assistant.tiny_world import ENTITIES, PAGES, make_world, write_lines

pytestmark = pytest.mark.slow

#: The pictures of the tiny world carry no text.
build_index = partial(build.build_index, read_pictures=False)


@pytest.fixture
def world(tmp_path) -> Path:
    return make_world(tmp_path / "world")


@pytest.fixture
def index_copy(tiny_index, tmp_path) -> Path:
    return Path(shutil.copytree(tiny_index, tmp_path / "copy"))


def test_what_is_built(tiny_index):
    manifest = check_manifest(tiny_index)
    assert manifest.counts == {"images": 5, "entities": 5, "pages": 5, "skipped": 0} | {
        "chunks": manifest.counts["chunks"]
    }
    assert manifest.counts["chunks"] >= 6
    assert manifest.world["seed"] == 7
    assert manifest.text_encoder.version == text_encoder().version
    assert len(FeatureStore(tiny_index / "features")) == 5
    assert check_index(tiny_index) == (manifest, [])
    assert "5 entities, 5 pictures, 5 pages" in manifest.describe()


def test_the_collections_have_the_benchmarks_layout(tiny_index):
    collections = Collections.open(tiny_index)
    images = collections.images.get(include=["metadatas", "embeddings"])
    assert sorted(images["ids"]) == ["0", "1", "2", "3", "4"]
    row = images["metadatas"][images["ids"].index("0")]
    assert row == {
        "image_url": "https://pictures.invalid/0",
        "entities": json.dumps(["Harrow Kettle"]),
        "info": json.dumps({"Harrow Kettle": ENTITIES[0]["attributes"]}),
    }
    web = collections.web.get(include=["metadatas"])
    assert "https://food.invalid/pesto_chunk_0" in web["ids"]
    assert {frozenset(m) for m in web["metadatas"]} == {frozenset({"page_name", "page_snippet", "page_url"})}
    for collection in (collections.images, collections.web):
        hnsw = collection.configuration["hnsw"]
        assert hnsw["space"] == "cosine"
        assert hnsw["ef_search"] == 400
    collections.close()


def test_everything_that_is_embedded_fits_the_encoder(tiny_world):
    from assistant.index.chunking import chunk_page

    for page in PAGES:
        for chunk in chunk_page(page["name"], page["text"], text_encoder()):
            assert text_encoder().count_tokens(chunk.embedded) <= 256


@pytest.mark.slow
def test_progress_rises_to_one(world, tmp_path):
    seen: list[float] = []
    build_index(world, tmp_path / "index", progress=lambda share, _: seen.append(share))
    assert seen == sorted(seen)
    assert seen[-1] == 1.0


@pytest.mark.slow
def test_the_text_on_pictures_is_kept(world, tmp_path):
    class Reader:
        def read(self, frame):
            return (TextLine(f"width {frame.width_px}", 0.9, ((0, 0), (5, 0), (5, 5), (0, 5))),)

    build.build_index(world, tmp_path / "index", reader=Reader())
    assert FeatureStore(tmp_path / "index" / "features").texts(4)[0].text == "width 640"


@pytest.mark.slow
def test_gold_is_not_opened_unless_asked(world, tmp_path):
    (world / "gold" / "turns.jsonl").write_text("this is no JSON")
    build_index(world, tmp_path / "index")
    with pytest.raises(BadInput, match=r"gold/turns.jsonl line 1 is not JSON"):
        build_index(world, tmp_path / "other", without_gold=True)
    assert not (tmp_path / "other").exists()


@pytest.mark.slow
def test_without_gold_leaves_out_what_gold_names(world, tmp_path):
    manifest = build_index(world, tmp_path / "index", without_gold=True)
    assert manifest.without_gold
    knowledge = Knowledge.open(tmp_path / "index")
    assert dict(knowledge.entity("Harrow").attributes) == {"published": 1987}
    assert knowledge.entity("It").attributes["author"] == "Bo Lind"
    assert knowledge.page("https://food.invalid/pesto") == ()
    assert knowledge.page("https://books.invalid/harrow") != ()
    knowledge.close()


@pytest.mark.slow
def test_bad_pictures_are_left_out_and_listed(world, tmp_path):
    (world / "kg" / "images" / "p1.jpg").unlink()
    (world / "kg" / "images" / "p2.jpg").write_bytes(b"no picture at all")
    manifest = build_index(world, tmp_path / "index")
    assert (manifest.counts["images"], manifest.counts["entities"], manifest.counts["skipped"]) == (3, 5, 2)
    assert "'p1.jpg' of 'Harrow' is missing" in manifest.skipped[0]
    assert "'p2.jpg'" in manifest.skipped[1]
    assert "\n" not in "".join(manifest.skipped)
    knowledge = Knowledge.open(tmp_path / "index")
    assert knowledge.entity("harrow").indexes == ()
    assert knowledge.entity("It").indexes == (1,)  # rows close up, and everything beside them follows
    assert knowledge.picture(1) is not None
    assert knowledge.picture(3) is None
    knowledge.close()
    assert check_index(tmp_path / "index")[1] == []


@pytest.mark.slow
def test_a_page_given_twice_counts_once(world, tmp_path):
    write_lines(world / "web" / "pages.jsonl", [PAGES[1], PAGES[1], PAGES[2]])
    manifest = build_index(world, tmp_path / "index")
    assert (manifest.counts["pages"], manifest.counts["skipped"]) == (2, 1)


def test_a_world_without_pages_or_pictures(world, tmp_path):
    shutil.rmtree(world / "web")
    write_lines(world / "kg" / "entities.jsonl", [{"name": "A B", "attributes": {"x": 1}, "images": []}])
    build_index(world, tmp_path / "index")
    knowledge = Knowledge.open(tmp_path / "index")
    assert not knowledge.has_pages
    assert knowledge.search("anything") == ()
    assert knowledge.entity("a b").attributes == {"x": 1}
    knowledge.close()
    assert check_index(tmp_path / "index")[1] == []


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("kg/entities.jsonl", None, r"kg/entities\.jsonl is missing"),
        ("kg/entities.jsonl", '{"name": "A", "images": []}\n{broken', r"kg/entities\.jsonl line 2 is not JSON"),
        ("kg/entities.jsonl", "[1]", r"kg/entities\.jsonl line 1 is no JSON object"),
        ("kg/entities.jsonl", '{"images": []}', r"line 1: an entity needs a name"),
        ("kg/entities.jsonl", '{"name": "A", "attributes": [1], "images": []}', r"attributes of 'A' are no object"),
        ("kg/entities.jsonl", '{"name": "A", "images": ["x.jpg"]}', r"images of 'A' are no list of objects"),
        ("kg/entities.jsonl", '{"name": "A", "images": [{"file": "../../secret.jpg"}]}', r"lies outside the world"),
        ("kg/entities.jsonl", b"\xff\xfe", r"line 1 is not JSON"),
        ("web/pages.jsonl", '{"name": "no url"}', r"web/pages\.jsonl line 1: a page needs a url"),
        ("web/pages.jsonl", '{"url": "https://a.invalid", "text": 5}', r"are to be strings"),
        ("world.json", "{", r"world\.json' is not JSON"),
        ("world.json", '{"format_version": 99}', r"format 99"),
    ],
)
def test_each_mistake_has_its_sentence(world, tmp_path, name, content, sentence):
    if content is None:
        (world / name).unlink()
    elif isinstance(content, bytes):
        (world / name).write_bytes(content)
    else:
        (world / name).write_text(content)
    with pytest.raises((BadInput, UnknownFormat), match=sentence) as caught:
        build_index(world, tmp_path / "index")
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "index").exists()


def test_a_folder_with_other_things_is_not_touched(world, tmp_path):
    mine = tmp_path / "documents"
    mine.mkdir()
    (mine / "letter.txt").write_text("dear")
    with pytest.raises(BadInput, match="holds something else"):
        build_index(world, mine)
    assert (mine / "letter.txt").read_text() == "dear"


@pytest.mark.slow
def test_an_index_is_replaced_whole_even_while_it_is_open(world, tmp_path):
    out = tmp_path / "index"
    build_index(world, out)
    old = Knowledge.open(out)
    write_lines(world / "web" / "pages.jsonl", [PAGES[2]])
    build_index(world, out)
    old.close()
    new = Knowledge.open(out)
    assert new.page("https://food.invalid/pesto") != ()
    assert new.page("https://books.invalid/harrow") == ()
    new.close()
    assert [p.name for p in tmp_path.glob(".index*")] == [".index.lock"]


@pytest.mark.slow
def test_killed_half_way_nothing_half_is_left(world, tmp_path):
    script = (
        "import os, signal, sys; from pathlib import Path; from assistant.index.build import build_index\n"
        "def die(share, what):\n"
        "    if share > 0.3: os.kill(os.getpid(), signal.SIGKILL)\n"
        "build_index(Path(sys.argv[1]), Path(sys.argv[2]), progress=die, read_pictures=False)\n"
    )
    out = tmp_path / "index"
    done = subprocess.run([sys.executable, "-c", script, str(world), str(out)], timeout=120, check=False)
    assert done.returncode == -signal.SIGKILL
    assert not out.exists()
    assert list(tmp_path.glob(".index.*-tmp"))
    build_index(world, out)  # neither the lock nor the leftovers are in the way
    assert not list(tmp_path.glob(".index.*-tmp"))
    assert check_index(out)[1] == []


def test_one_builder_at_a_time(world, tmp_path):
    out = tmp_path / "index"
    with builder_lock(out), pytest.raises(NotReady, match="being built by another process"):
        build_index(world, out)


@pytest.mark.slow
def test_waiting_for_the_other_builder_keeps_its_index(world, tmp_path):
    out = tmp_path / "index"
    first = build_index(world, out)
    before = (out / "manifest.json").stat().st_mtime_ns
    done = []
    with builder_lock(out):
        waiting = threading.Thread(
            target=lambda: done.append(build_index(world, out, wait_s=30, keep_current=True)), daemon=True
        )
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
    waiting.join(30)
    assert done == [first]
    assert (out / "manifest.json").stat().st_mtime_ns == before


def test_opening_never_creates(tmp_path):
    missing = tmp_path / "nothing"
    with pytest.raises(NotReady, match=r"there is no index at .*index build"):
        Collections.open(missing)
    assert not missing.exists()
    missing.mkdir()
    with pytest.raises(NotReady, match="is no index"):
        Collections.open(missing)
    assert list(missing.iterdir()) == []


@pytest.mark.parametrize(
    ("change", "error", "sentence"),
    [
        (lambda m: m | {"format_version": 99}, UnknownFormat, "format 99 and this Vitrine reads 2"),
        (lambda m: m | {"text_encoder": {"name": "other", "version": "1", "dim": 384}}, NotReady, "text encoder other"),
        (lambda m: m | {"counts": m["counts"] | {"images": 6}}, NotReady, "holds 5 images and its manifest says 6"),
        (lambda m: {"format_version": 2}, UnknownFormat, "not complete"),
        (lambda m: [], UnknownFormat, "no index manifest"),
    ],
)
def test_a_manifest_that_does_not_fit_is_refused(index_copy, change, error, sentence):
    path = index_copy / "manifest.json"
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    with pytest.raises(error, match=sentence) as caught:
        Collections.open(index_copy)
    assert "build" in str(caught.value)


def test_another_image_encoder_is_noticed(index_copy):
    path = index_copy / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["image_encoder"]["version"] = "somethingelse"
    path.write_text(json.dumps(manifest))
    with pytest.raises(NotReady, match=r"image encoder .* build it again"):
        check_manifest(index_copy)


@pytest.mark.parametrize("lost", ["chroma", "chroma/chroma.sqlite3", "bm25", "catalogue.sqlite", "features"])
def test_a_lost_part_is_named(index_copy, lost):
    path = index_copy / lost
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    with pytest.raises(NotReady, match=f"has lost.*{lost.split('/')[0].split('.')[0]}.*build it again"):
        Knowledge.open(index_copy)


@pytest.mark.parametrize("damaged", ["chroma/chroma.sqlite3", "catalogue.sqlite", "bm25/data.csc.index.npy"])
def test_a_damaged_part_is_one_sentence(index_copy, damaged):
    (index_copy / damaged).write_bytes(b"garbage" * 100)
    try:
        problems = check_index(index_copy)[1]
    except NotReady as problem:
        problems = [str(problem)]
    assert len(problems) == 1
    assert "build" in problems[0]
    assert "\n" not in problems[0]


@pytest.mark.parametrize("part", ["thumbnails.bin", "keypoints.npy", "vocab.index.json"])
def test_a_part_that_was_cut_off_is_noticed_at_opening(index_copy, part):
    [path, *_] = sorted(index_copy.rglob(part))
    os.truncate(path, path.stat().st_size // 2)
    with pytest.raises(NotReady, match=rf"damaged .*{part} has \d+ of \d+ bytes"):
        Knowledge.open(index_copy)


def test_a_collection_with_segment_files_is_watched_and_stays_as_it_was(tmp_path):
    rows = 1_100  # above Chroma's sync threshold
    vectors = np.random.default_rng(0).normal(size=(rows, 384)).astype(np.float32)
    writer = CollectionWriter(tmp_path / "chroma")
    pages = [{"page_name": "n", "page_snippet": f"s {i}", "page_url": f"u{i}"} for i in range(rows)]
    writer.add_chunks([f"u{i}_chunk_0" for i in range(rows)], vectors, pages)
    writer.close()
    (tmp_path / "catalogue.sqlite").write_bytes(b"")
    texts = EncoderInfo(text_encoder().name, text_encoder().version, 384)
    counts = {"images": 0, "chunks": rows}
    Manifest(EncoderInfo("x", "1", 16), texts, counts, files=lasting_files(tmp_path)).write(tmp_path)
    for _ in range(2):
        collections = Collections.open(tmp_path)
        assert collections.nearest_chunks(vectors[7], 3)[0].id == "u7_chunk_0"
        collections.close()
    [segment] = tmp_path.rglob("data_level0.bin")
    assert segment.relative_to(tmp_path).as_posix() in read_manifest(tmp_path).files
    os.truncate(segment, segment.stat().st_size // 2)
    with pytest.raises(NotReady, match=r"damaged .*data_level0\.bin"):
        Collections.open(tmp_path)


def test_check_notices_lost_pictures(index_copy):
    (index_copy / "pictures" / "2.jpg").unlink()
    [problem] = check_index(index_copy)[1]
    assert "row 2" in problem


def test_a_read_only_index_says_what_to_do(index_copy, monkeypatch):
    monkeypatch.setattr("assistant.index.collections.os.access", lambda path, mode: False)
    with pytest.raises(NotReady, match=r"read-only.*copy the folder"):
        Collections.open(index_copy)


def test_an_index_can_be_copied_and_moved(index_copy, tmp_path):
    moved = tmp_path / "elsewhere"
    os.rename(index_copy, moved)
    knowledge = Knowledge.open(moved)
    assert knowledge.search("enamel fired at how many degrees", 1)[0].url == "https://kettles.invalid/harrow"
    knowledge.close()
    assert read_manifest(moved).counts["images"] == 5
