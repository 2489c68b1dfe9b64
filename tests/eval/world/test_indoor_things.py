"""Household, science and heraldry in the generated world: pictures that can be told apart, facts, wordings."""

import functools
import json
import random
from dataclasses import replace

import cv2
import numpy as np
import pytest

from eval.judges.units import is_unit
from eval.world.drawing.indoor_things import DRAWINGS
from eval.world.drawing.kit.canvas import PALETTES, FontBox
from eval.world.drawing.kit.edition import Edition
from eval.world.drawing.kit.prints import as_printed, print_kinds, print_sheet
from eval.world.drawing.kit.solids import Solid, box, ellipse
from eval.world.drawing.printed.molecules import Skeleton
from eval.world.drawing.scenes.rooms import ROOMS
from eval.world.drawing.scenes.scene import FRAME_SIZE, Stage, shoot
from eval.world.model import Fact, Thing, Value
from eval.world.vocabulary import DATA_DIR

GROUPS = ("objects", "science", "other")


def data(section: str, group: str) -> dict:
    return json.loads((DATA_DIR / section / f"{group}.json").read_text(encoding="utf-8"))


def thing_of(kind: str, family: int, own: int, *, variant: int = 0, named: bool = False) -> Thing:
    thing = Thing("e0", kind, "Ostfell Bound", noun=kind, variant="Bound")
    thing.look = {"style": family, "own": own, "variant": variant, "flat": True, "named": named}
    thing.content = {"brand": "Kormera", "home": "Brenossa", "place": "Tammithe", "number": 1, "family": None}
    return thing


def drawn(thing: Thing, seed: int) -> np.ndarray:
    return DRAWINGS[thing.kind](thing, Edition.draw(random.Random(seed)), FontBox.open()).pixels


@functools.cache
def first_copy(kind: str) -> np.ndarray:
    """Drawn once, as drawing costs most."""
    return drawn(thing_of(kind, 7, 70), 1)


def features(pixels: np.ndarray) -> tuple[list, np.ndarray]:
    grey = cv2.cvtColor(np.ascontiguousarray(pixels[..., :3]), cv2.COLOR_RGB2GRAY)
    scale = 420 / max(grey.shape)
    return cv2.SIFT_create(700).detectAndCompute(cv2.resize(grey, None, fx=scale, fy=scale), None)


def matches(a: tuple[list, np.ndarray], b: tuple[list, np.ndarray]) -> int:
    """Points of `a` whose best match in `b` stands out and lies where it should."""
    (points_a, at_a), (points_b, at_b) = a, b
    pairs = cv2.BFMatcher().knnMatch(at_a, at_b, k=2)
    good = [m for m, n in pairs if m.distance < 0.75 * n.distance]
    shift = [np.subtract(points_a[m.queryIdx].pt, points_b[m.trainIdx].pt) for m in good]
    return sum(float(np.linalg.norm(s)) < 25 for s in shift)


def test_every_kind_has_a_drawing() -> None:
    kinds = {k for group in GROUPS for k in data("attributes", group)["kinds"]}
    assert kinds == set(DRAWINGS)


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", sorted(DRAWINGS))
def test_two_copies_share_their_marks_and_siblings_do_not(kind) -> None:
    first, again = first_copy(kind), drawn(thing_of(kind, 7, 70), 1)
    assert np.array_equal(first, again)
    copy, sibling = drawn(thing_of(kind, 7, 70), 2), drawn(thing_of(kind, 7, 71, variant=1), 3)
    assert not np.array_equal(first, copy)
    seen = features(first)
    same, other = matches(seen, features(copy)), matches(seen, features(sibling))
    assert same >= 60
    assert other < 0.6 * same
    assert 0.15 < (first[..., 3] > 128).mean() <= 1


@pytest.mark.slow
@pytest.mark.sampled(3)
@pytest.mark.parametrize("kind", sorted(DRAWINGS))
def test_names_stand_only_on_what_is_named(kind) -> None:
    share = {k: v["named"] for g in GROUPS for k, v in data("attributes", g)["kinds"].items()}[kind]
    plain, named = first_copy(kind), drawn(thing_of(kind, 7, 70, named=True), 1)
    assert np.array_equal(plain, named) == (share == 0)


def test_at_least_four_in_ten_carry_no_name() -> None:
    for group in GROUPS:
        kinds = data("attributes", group)["kinds"].values()
        assert sum(k["share"] * k["named"] for k in kinds) / sum(k["share"] for k in kinds) <= 0.6


def test_a_stamp_shows_its_value_only_where_it_is_printed() -> None:
    pictures = []
    for printed in (False, True):
        thing = thing_of("stamp", 3, 30)
        fact = Fact("face_value", Value("number", 2.4, "EUR"), "denomination")
        fact.on_picture = printed
        thing.facts["face_value"] = fact
        pictures.append(drawn(thing, 5))
    assert (pictures[0] != pictures[1]).any(axis=2).mean() > 0.001


@pytest.mark.parametrize("kind", print_kinds())
def test_prints_are_their_owners_alone(kind) -> None:
    def sheet(own: int) -> np.ndarray:
        return print_sheet(kind, PALETTES[1], random.Random(own), (300, 200))

    assert np.array_equal(sheet(1), sheet(1))
    assert (sheet(1) != sheet(2)).any(axis=2).mean() > 0.1


def test_a_tint_keeps_the_drawing() -> None:
    sheet = print_sheet("patchwork", PALETTES[0], random.Random(1), (200, 200))
    edition = Edition.draw(random.Random(1))
    still = as_printed(sheet, replace(edition, hue=0.0, brightness=1.0, saturation=1.0))
    assert np.abs(still.astype(int) - sheet).max() <= 4
    darker = as_printed(sheet, replace(edition, hue=0.0, brightness=0.8, saturation=1.0))
    assert np.allclose(darker.mean(), 0.8 * sheet.mean(), rtol=0.03)


def test_no_atom_has_more_than_three_neighbours_and_chains_end_in_a_group() -> None:
    for seed in range(30):
        s = Skeleton(random.Random(seed))
        degree = [sum(i in e for e in s.edges) for i in range(len(s.points))]
        assert max(degree) <= 3
        assert all(i in s.labels for i, d in enumerate(degree) if d == 1)
        assert len({(round(x, 2), round(y, 2)) for x, y in s.points}) == len(s.points)


def test_parts_cover_what_lies_below_and_are_lit_from_above() -> None:
    solid = Solid(200, 1.0, Edition.draw(random.Random(1)))
    solid.part(box(0.1, 0.1, 0.9, 0.9), (200, 0, 0), bulge=0.1, gloss=0)
    solid.part(ellipse(0.5, 0.5, 0.2, 0.2), (0, 0, 200), bulge=0.2, gloss=0)
    pixels = solid.pixels().astype(int)
    assert pixels[5, 5, 3] == 0
    assert pixels[100, 100, 2] > 100 > pixels[100, 100, 0]
    assert pixels[24, 60, 0] > pixels[176, 60, 0]


def test_furniture_stands_in_a_room() -> None:
    stage = Stage([])
    art = DRAWINGS["chair"](thing_of("chair", 1, 10), Edition.draw(random.Random(1)), FontBox.open())
    assert "room" in ROOMS
    scene = shoot(stage, [art], "room", FRAME_SIZE, random.Random(2))
    assert scene.pixels.shape == (FRAME_SIZE[1], FRAME_SIZE[0], 3)
    x, y = scene.outlines[0].mean(0)
    assert 0 < x < FRAME_SIZE[0]
    assert 0 < y < FRAME_SIZE[1]
    assert scene.pixels[:200].std() > 3


@pytest.mark.parametrize("group", GROUPS)
def test_facts_are_plenty_and_have_words(group) -> None:
    attributes, phrasings, voices = (data(s, group) for s in ("attributes", "phrasings", "voices"))
    known = phrasings["relations"].keys() | data("phrasings", "core")["relations"].keys()
    known |= {r for g in GROUPS for r in data("phrasings", g)["relations"]}
    for name, facts in attributes["facts"].items():
        assert 12 <= len(facts) <= 16, name
        assert facts.keys() <= known, name
        types = [f["type"] for f in facts.values()]
        assert types.count("number") + types.count("date") >= 4, name
        assert "yesno" in types, name
        assert "list" in types, name
        assert sum(t in ("person", "town", "maker") for t in types) >= 2, name
        assert any(f.get("dynamism", "static") != "static" for f in facts.values()), name
        units = {f["unit"] for f in facts.values() if f["type"] == "number" and f["unit"] not in (None, "EUR", "dB")}
        assert all(is_unit(u.lower()) for u in units), (name, units)
    for name, wording in phrasings["relations"].items():
        assert len(set(wording["ask"])) >= 12, name
        assert {"more", "less", "most", "least"} & wording.keys() in (set(), {"more", "less", "most", "least"}), name
        assert name in voices["tell"], name


@pytest.mark.parametrize("group", GROUPS)
def test_a_third_of_the_wordings_avoids_the_word_of_the_key(group) -> None:
    phrasings = data("phrasings", group)["relations"]
    for facts in data("attributes", group)["facts"].values():
        for relation, spec in facts.items():
            if relation in phrasings:
                words = {w for key in spec["keys"] for w in key.lower().split("_") if len(w) > 3}
                asks = [a.lower() for a in phrasings[relation]["ask"]]
                free = [a for a in asks if not any(w in a for w in words)]
                assert len(free) * 3 >= len(asks), (relation, words)
