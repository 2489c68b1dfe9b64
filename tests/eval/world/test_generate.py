"""A generated world keeps its format and its honesty rules, and is the same for a seed."""

import hashlib
import io
import json
from collections import Counter
from pathlib import Path
from urllib.parse import urlsplit

import pyarrow.parquet as pq
import pytest
from PIL import Image

from assistant.core.paths import ASSETS_DIR
from eval.world.audit.checks import audit
from eval.world.rows import label_names
from tests.eval.world.world_texts import write_texts

pytestmark = pytest.mark.slow

SETS = ("single_turn", "multi_turn")
SPLITS = ("validation", "public_test")


@pytest.fixture(scope="module")
def world(small_world) -> Path:
    return small_world


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def rows(world: Path) -> list[tuple[str, str, dict]]:
    return [
        (name, split, row)
        for name in SETS
        for split in SPLITS
        for row in pq.read_table(world / name / f"{split}.parquet").to_pylist()
    ]


def frame_bytes(world: Path, row: dict) -> bytes:
    if row["image"] is not None:
        return row["image"]["bytes"]
    return (world / "urlcache" / hashlib.sha256(row["image_url"].encode()).hexdigest()).read_bytes()


def test_texts_are_the_same_bytes_for_a_seed(tmp_path) -> None:
    """Pictures too: `test_image_prefetch` compares whole worlds."""
    one, again = tmp_path / "one", tmp_path / "again"
    for out in (one, again):
        write_texts(out, seed=11, entities=18, questions=24, conversations=4)
    files = sorted(p.relative_to(one) for p in one.rglob("*") if p.is_file())
    assert files == sorted(p.relative_to(again) for p in again.rglob("*") if p.is_file())
    for file in files:
        if file.suffix != ".parquet":  # their rows are compared below: a writer's footer is its own affair
            assert (one / file).read_bytes() == (again / file).read_bytes(), file
    assert rows(one) == rows(again)


def test_another_seed_is_another_world(tmp_path) -> None:
    names = []
    for seed in (11, 12):
        write_texts(tmp_path / str(seed), seed=seed, entities=18, questions=2, conversations=1)
        names.append({e["name"] for e in lines(tmp_path / str(seed) / "kg" / "entities.jsonl")})
    assert len(names[0]) > 12
    assert len(names[0] & names[1]) <= 1


def test_rows_have_the_shape_of_the_benchmark(world) -> None:
    for name in SETS:
        schema = pq.read_schema(world / name / "validation.parquet")
        assert schema.names == ["session_id", "image", "image_url", "turns", "answers"]
        labels = label_names(world / name / "validation.parquet")
        assert set(labels) == {"domain", "query_category", "dynamism", "image_quality"}
        assert len(labels["domain"]) == 13
    for name, split, row in rows(world):
        turns, answers = row["turns"], row["answers"]
        n = len(turns["query"])
        assert all(len(v) == n for v in turns.values())
        assert answers["interaction_id"] == turns["interaction_id"]
        assert all(text.strip() for text in answers["ans_full"])
        assert (n == 1) if name == "single_turn" else (1 < n <= 6)
        assert (row["image"] is None) == bool(row["image_url"])
        labels = label_names(world / name / f"{split}.parquet")
        for column, names in labels.items():
            assert all(0 <= i < len(names) for i in turns[column])


def test_label_order_differs_between_the_sets(world) -> None:
    single, multi = (label_names(world / s / "validation.parquet") for s in SETS)
    for column in single:
        assert sorted(single[column]) == sorted(multi[column])
        assert single[column] != multi[column]


def test_egocentric_frames_have_their_size_and_no_metadata(world) -> None:
    for _, _, row in rows(world):
        with Image.open(io.BytesIO(frame_bytes(world, row))) as picture:
            assert picture.format == "JPEG"
            assert not picture.getexif()
            if row["image"] is not None:
                assert picture.size == (960, 1280)


def test_gold_has_a_line_for_every_turn_with_the_agreed_fields(world) -> None:
    gold = {g["interaction_id"]: g for g in lines(world / "gold" / "turns.jsonl")}
    seen = set()
    for name, split, row in rows(world):
        for i, interaction in enumerate(row["turns"]["interaction_id"]):
            g = gold[interaction]
            seen.add(interaction)
            assert (g["set"], g["split"], g["session_id"], g["turn_idx"]) == (name, split, row["session_id"], i)
            labels = label_names(world / name / f"{split}.parquet")
            assert labels["domain"][row["turns"]["domain"][i]] == g["domain"]
            assert labels["query_category"][row["turns"]["query_category"][i]] == g["question_type"]
            assert labels["image_quality"][row["turns"]["image_quality"][i]] == g["quality"]
    assert seen == set(gold)
    kinds = {"number", "date", "name", "list", "yesno", "choice", "text"}
    pages = {p["url"] for p in lines(world / "web" / "pages.jsonl")}
    known = {e["name"]: e["attributes"] for e in lines(world / "kg" / "entities.jsonl")}
    for g in gold.values():
        assert g["answer"]["kind"] in kinds
        assert set(g["passages"]) <= pages
        assert set(g["contradicting"]) <= pages
        assert not set(g["contradicting"]) & set(g["passages"])
        assert g["answerable"] == (g["why_not"] is None)
        assert g["indexed"] == (g["entity"] in known)
        for a in g["attributes"]:
            assert a["key"] == "name" or a["key"] in known[a["entity"]]
        if g["outline_px"]:
            assert all(0 <= x <= 1024 and 0 <= y <= 1280 for x, y in g["outline_px"])


def test_unindexed_entities_stand_in_gold_alone(world) -> None:
    """Neither their names nor pictures of theirs are in kg/ or web/: no page at all is about them."""
    unknown = {g["entity"] for g in lines(world / "gold" / "turns.jsonl") if not g["indexed"]}
    assert unknown
    text = (world / "kg" / "entities.jsonl").read_text() + (world / "web" / "pages.jsonl").read_text()
    assert not [name for name in unknown if name in text]
    listed = {i["file"] for e in lines(world / "kg" / "entities.jsonl") for i in e["images"]}
    assert listed == {f"kg/images/{p.name}" for p in (world / "kg" / "images").iterdir()}


def test_no_frame_is_an_indexed_picture_or_in_both_splits(world) -> None:
    index = {p.read_bytes() for p in (world / "kg" / "images").iterdir()}
    splits: dict[bytes, set[str]] = {}
    for _, split, row in rows(world):
        data = frame_bytes(world, row)
        assert data not in index
        splits.setdefault(data, set()).add(split)
    assert all(len(s) == 1 for s in splits.values())


def test_every_host_is_invalid(world) -> None:
    urls = [p["url"] for p in lines(world / "web" / "pages.jsonl")]
    urls += [i["url"] for e in lines(world / "kg" / "entities.jsonl") for i in e["images"]]
    urls += [row["image_url"] for _, _, row in rows(world) if row["image_url"]]
    assert all((urlsplit(u).hostname or "").endswith(".invalid") for u in urls)
    assert len(set(urls)) == len(urls) - sum(n - 1 for n in Counter(urls).values())


def test_the_bundled_world_passes_the_audit() -> None:
    failed = [f for f in audit(ASSETS_DIR / "world") if f.failed]
    assert not failed


def test_the_bundled_world_is_the_whole_benchmark_in_small() -> None:
    root = ASSETS_DIR / "world"
    gold = lines(root / "gold" / "turns.jsonl")
    singles = [g for g in gold if g["set"] == "single_turn"]
    assert len({g["domain"] for g in gold}) == 13
    assert len({g["question_type"] for g in singles}) == 6
    unanswerable = sum(not g["answerable"] for g in singles) / len(singles)
    assert 0.05 <= unanswerable <= 0.16
    assert sum(f.stat().st_size for f in root.rglob("*") if f.is_file()) < 40e6
    multi = [row for name, _, row in rows(root) if name == "multi_turn"]
    mean = sum(len(r["turns"]["query"]) for r in multi) / len(multi)
    assert 4.2 <= mean <= 5.4


@pytest.mark.parametrize(("degraded", "expected"), [(0.0, {"normal"}), (1.0, None)])
def test_degraded_sets_the_share_of_bad_frames(tmp_path, degraded, expected) -> None:
    out = tmp_path / "w"
    write_texts(out, seed=3, entities=9, questions=8, conversations=0, degraded=degraded)
    qualities = {g["quality"] for g in lines(out / "gold" / "turns.jsonl")}
    assert qualities == expected if expected else "normal" not in qualities


def test_unindexed_share(tmp_path) -> None:
    out = tmp_path / "w"
    counts = write_texts(out, seed=4, entities=14, questions=2, conversations=0, unindexed=0.5)
    indexed = {e["name"] for e in lines(out / "kg" / "entities.jsonl")}
    assert len(indexed) == counts["indexed"]
    assert counts["indexed"] <= 9
