"""Every check of the audit passes on a world as it is generated, and fails on one with the fault it is for."""

from __future__ import annotations

import dataclasses
import io
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from eval.world.audit import blind as audit_blind
from eval.world.audit import leaks as audit_leaks
from eval.world.audit import shares as audit_shares
from eval.world.audit.reading import Folder, Turn, near
from tests.eval.world.world_texts import write_texts

ENTITIES = 300
CHECKS = (*audit_leaks.CHECKS, *audit_blind.CHECKS, *audit_shares.CHECKS)
#: The stand-ins for pictures are no JPEGs: these checks have tests of their own.
OF_PICTURES = (audit_leaks.metadata, audit_leaks.rasters)


@pytest.fixture(scope="module")
def world(tmp_path_factory) -> Folder:
    root = tmp_path_factory.mktemp("audit") / "w"
    write_texts(root, seed=23, entities=ENTITIES)
    return Folder.read(root)


def changed(w: Folder, change: Callable[[int, Turn], Turn]) -> Folder:
    return dataclasses.replace(w, turns=[change(i, t) for i, t in enumerate(w.turns)])


def with_gold(t: Turn, **fields: object) -> Turn:
    return dataclasses.replace(t, gold=t.gold | fields)


def labelled(t: Turn, **fields: str) -> Turn:
    return dataclasses.replace(t, labels=t.labels | fields)


@pytest.mark.slow
@pytest.mark.parametrize("check", [c for c in CHECKS if c not in OF_PICTURES], ids=lambda c: c.__name__)
def test_a_generated_world_passes(world, check) -> None:
    found = check(world)
    assert not found.failed, found


def failing_opaque(w: Folder) -> Folder:
    name = re.sub(r"[^a-z]", "", w.kg[0]["name"].lower())
    images = [{"file": f"kg/images/{name}.jpg", "url": f"https://a.invalid/{name}.jpg"}]
    return dataclasses.replace(w, kg=[{**w.kg[0], "images": images, "name": name}, *w.kg[1:]])


def failing_host(w: Folder) -> Folder:
    page = w.pages[0] | {"url": "https://example.org/page"}
    return dataclasses.replace(w, pages=[page, *w.pages[1:]])


def failing_unindexed(w: Folder) -> Folder:
    unknown = next(t.gold["entity"] for t in w.turns if not t.gold["indexed"])
    page = w.pages[0] | {"text": f"Here is {unknown} at last."}
    return dataclasses.replace(w, pages=[page, *w.pages[1:]])


def failing_rules(w: Folder) -> Folder:
    """Each contradicting page now claims to be as new as any."""
    old = {u for t in w.turns for u in t.gold["contradicting"]}
    assert old
    pages = [p | {"text": "Certainly 12. Checked on 1 June 2029."} if p["url"] in old else p for p in w.pages]
    return dataclasses.replace(w, pages=pages)


def failing_best_sentence(w: Folder) -> Folder:
    """A page answers every question in the question's own words."""

    def text(t: Turn) -> str:
        return f"{re.sub('[?.!]', ' ', t.query)} The answer {t.answer_text}"

    told = [{"url": f"https://a.invalid/{i}", "text": text(t).replace(". ", " ").replace("The ", "the ")}
            for i, t in enumerate(w.turns)]  # fmt: skip
    return dataclasses.replace(w, pages=told)


def failing_alike(w: Folder) -> Folder:
    return changed(w, lambda i, t: with_gold(t, siblings=[]))


def failing_others(w: Folder) -> Folder:
    return dataclasses.replace(w, kg=w.kg[:12])


def failing_domains(w: Folder) -> Folder:
    domain = next(t.labels["domain"] for t in w.turns if t.split == "validation")
    options = w.about["options"] | {"hold_out": [domain]}
    return dataclasses.replace(w, about=w.about | {"options": options})


def failing_nearest(w: Folder) -> Folder:
    """What is asked of a relation has one answer, whoever it is about."""

    def change(i: int, t: Turn) -> Turn:
        value = float(sum(map(ord, t.gold["wording"].partition("#")[0])))
        return with_gold(t, answer=t.gold["answer"] | {"kind": "number", "value": value, "unit": "g"})

    return changed(w, change)


def failing_keys(w: Folder) -> Folder:
    def change(i: int, t: Turn) -> Turn:
        asked = dataclasses.replace(t, query="What is the print run of this?")
        return with_gold(asked, attributes=[{"entity": "x", "key": "print_run"}]) if i % 3 == 0 else t

    return changed(w, change)


def every_ninth_the_same(w: Folder) -> Folder:
    return changed(w, lambda i, t: with_gold(t, answer=SAME) if i % 9 == 0 else t)


SAME = {"kind": "number", "value": 3.0, "unit": None, "aliases": []}
FAULTS = {
    "opaque": (audit_leaks.opaque, failing_opaque),
    "host": (audit_leaks.opaque, failing_host),
    "unindexed": (audit_leaks.unindexed, failing_unindexed),
    "names": (audit_leaks.names, lambda w: changed(w, lambda i, t: dataclasses.replace(
        t, query=f"What about {t.gold['entity']}?") if i % 8 == 0 else t)),
    "keys": (audit_leaks.keys, failing_keys),
    "rules": (audit_leaks.rules, failing_rules),
    "majority": (audit_blind.majority, every_ninth_the_same),
    "opening": (audit_blind.opening, every_ninth_the_same),
    "nearest": (audit_blind.nearest, failing_nearest),
    "best sentence": (audit_blind.best_sentence, failing_best_sentence),
    "orders": (audit_shares.orders, lambda w: changed(w, lambda i, t: labelled(t, domain="other" if i else "book"))),
    "domains": (audit_shares.domains, failing_domains),
    "types": (audit_shares.types, lambda w: changed(w, lambda i, t: labelled(
        t, query_category="reasoning") if i % 6 == 0 else t)),
    "dynamism": (audit_shares.dynamism, lambda w: changed(w, lambda i, t: labelled(t, dynamism="static"))),
    "fame": (audit_shares.dynamism, lambda w: changed(w, lambda i, t: with_gold(t, popularity="head"))),
    "drift": (audit_shares.talks, lambda w: changed(w, lambda i, t: labelled(t, domain="book"))),
    "lengths": (audit_shares.talks, lambda w: dataclasses.replace(w, turns=[
        t for t in w.turns if t.gold["turn_idx"] < 3])),
    "quality": (audit_shares.pictures, lambda w: changed(w, lambda i, t: labelled(t, image_quality="rotated"))),
    "egocentric": (audit_shares.pictures, lambda w: changed(w, lambda i, t: dataclasses.replace(t, url=""))),
    "indexed": (audit_shares.indexed, lambda w: changed(w, lambda i, t: with_gold(t, indexed=True))),
    "answerable": (audit_shares.answerable, lambda w: changed(w, lambda i, t: with_gold(t, answerable=True))),
    "alone": (audit_shares.seconds, lambda w: changed(w, lambda i, t: with_gold(t, on_frame=[t.gold["entity"]]))),
    "which": (audit_shares.seconds, lambda w: changed(w, lambda i, t: with_gold(t, reference="this"))),
    "alike": (audit_shares.alike, failing_alike),
    "others": (audit_shares.alike, failing_others),
    "idle": (audit_shares.idle, lambda w: changed(w, lambda i, t: with_gold(
        t, on_topic=t.gold["on_topic"][:1]) if i == 5 else t)),
    "nameless": (audit_shares.nameless, lambda w: changed(w, lambda i, t: with_gold(t, text_clue=True))),
    "wordings": (audit_shares.wordings, lambda w: changed(w, lambda i, t: with_gold(
        t, wording=t.gold["wording"].partition("#")[0] + "#0"))),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(FAULTS))
def test_a_check_fails_on_its_fault(world, name) -> None:
    check, fault = FAULTS[name]
    found = check(fault(world))
    assert found.failed, found


def test_every_check_has_a_fault() -> None:
    tried = {check for check, _ in FAULTS.values()} | {audit_leaks.cache, *OF_PICTURES}
    assert tried == set(CHECKS)


def test_the_public_test_may_hold_what_is_held_out(tmp_path) -> None:
    write_texts(tmp_path / "w", seed=24, entities=120, hold_out=("book", "food"))
    w = Folder.read(tmp_path / "w")
    assert not audit_shares.domains(w).failed
    splits = {s: {t.labels["domain"] for t in w.turns if t.split == s} for s in ("validation", "public_test")}
    assert not splits["validation"] & {"book", "food"}
    assert splits["public_test"] >= {"book", "food"}


def test_balanced_qualities(tmp_path) -> None:
    write_texts(tmp_path / "w", seed=25, entities=60, balance=True)
    w = Folder.read(tmp_path / "w")
    frames = {t.frame: t.labels["image_quality"] for t in w.of("single_turn")}
    counts = [list(frames.values()).count(q) for q in set(frames.values())]
    assert len(counts) == 6
    assert min(counts) >= 60
    assert not audit_shares.pictures(w).failed
    one = changed(w, lambda i, t: labelled(t, image_quality="normal") if i % 100 else t)
    assert audit_shares.pictures(one).failed


@pytest.fixture
def tiny(tmp_path) -> Path:
    root = tmp_path / "tiny"
    write_texts(root, seed=26, entities=30, questions=12, conversations=2)
    return root


def test_missing_bytes_are_found(tiny) -> None:
    cached = sorted((tiny / "urlcache").iterdir())
    assert not audit_leaks.cache(Folder.read(tiny)).failed
    cached[0].unlink()
    assert audit_leaks.cache(Folder.read(tiny)).failed


def test_a_frame_in_the_index_is_found(tiny) -> None:
    w = Folder.read(tiny)
    assert not audit_leaks.rasters(w).failed
    frame = next(data for _, _, _, data in w.frames())
    (tiny / "kg" / "images" / "f.jpg").write_bytes(frame)
    assert audit_leaks.rasters(w).failed


def test_a_frame_in_both_splits_is_found(tiny, monkeypatch) -> None:
    w = Folder.read(tiny)
    monkeypatch.setattr(w, "frames", lambda: iter([("validation", "", "a", b"1"), ("public_test", "", "b", b"1")]))
    assert audit_leaks.rasters(w).failed


def test_metadata_and_other_sizes_are_found(tiny, monkeypatch) -> None:
    def jpeg(size: tuple[int, int], *, exif: bool) -> bytes:
        out, picture = io.BytesIO(), Image.new("RGB", size)
        data = Image.Exif()
        data[0x010E] = "The answer is 12."
        picture.save(out, "JPEG", **({"exif": data} if exif else {}))
        return out.getvalue()

    w = Folder.read(tiny)
    for path in (tiny / "kg" / "images").iterdir():
        path.write_bytes(jpeg((60, 60), exif=False))
    for size, exif, failed in (((960, 1280), False, False), ((960, 1280), True, True), ((640, 480), False, True)):
        row = ("validation", "", "a", jpeg(size, exif=exif))
        monkeypatch.setattr(w, "frames", lambda row=row: iter([row]))
        assert audit_leaks.metadata(w).failed == failed


@pytest.mark.parametrize(
    ("sentence", "answer", "right"),
    [
        ("It weighs 1,250 g.", {"kind": "number", "value": 1250.0, "unit": "g"}, True),
        ("It weighs 125 g.", {"kind": "number", "value": 1250.0, "unit": "g"}, False),
        ("Born on 12 May 1987 in a barn.", {"kind": "date", "value": "1987-05-12"}, True),
        ("By Ada Ostfell.", {"kind": "name", "value": "Ada Ostfell", "aliases": ["Ostfell"]}, True),
        ("By Ada Ostfeller.", {"kind": "name", "value": "Ada Ostfell", "aliases": ["Ostfell"]}, False),
        ("Milk and soya.", {"kind": "list", "value": ["soya", "milk"]}, True),
        ("Milk alone.", {"kind": "list", "value": ["soya", "milk"]}, False),
    ],
)
def test_a_sentence_that_holds_the_answer(sentence, answer, right) -> None:
    assert audit_blind.holds(sentence, {"aliases": [], **answer}) == right


def test_shares_of_few_draws_are_judged_mildly() -> None:
    assert not near("x", 0.8, 0.9, 20).failed
    assert near("x", 0.8, 0.9, 2000).failed


def test_findings_can_be_told_as_json(world) -> None:
    text = json.dumps(audit_leaks.names(world).as_dict())
    assert json.loads(text)["ok"] is True
