"""The further sets of phrasings are whole, are different, and make worlds that keep the rules."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from eval.world.audit import blind as audit_blind
from eval.world.audit import leaks as audit_leaks
from eval.world.audit import shares as audit_shares
from eval.world.audit.reading import Folder
from eval.world.vocabulary import bundled, load_vocabulary
from tests.eval.world import texts_alone
from tests.eval.world.other_words import KEYS, SETS, compose, main, written
from tests.eval.world.world_texts import write_texts


def plain(text: str) -> str:
    return re.sub(r"[^a-z{}]+", " ", text.lower()).strip()


def test_it_can_be_given_to_the_generator(tmp_path) -> None:
    assert main(["--set", "second", "--out", str(tmp_path / "p.json")]) == 0
    assert load_vocabulary(phrasings=tmp_path / "p.json").phrasings == compose("second")


def test_sets_lie_over_each_other() -> None:
    both, second = compose("third", "fourth"), written("third")
    assert both["relations"]["price"]["ask"] == second["relations"]["price"] + written("fourth")["relations"]["price"]
    assert set(both) == set(bundled("phrasings"))


def test_a_set_that_nobody_wrote_is_refused(tmp_path) -> None:
    with pytest.raises(ValueError, match="hundredth"):
        written("hundredth")


@pytest.mark.parametrize("name", SETS)
def test_every_relation_has_several_wordings_that_point_at_the_thing(name: str) -> None:
    for relation, wording in compose(name)["relations"].items():
        assert len(set(wording["ask"])) >= (6 if name == "second" else 4), relation
        assert all("{this}" in text for text in wording["ask"]), relation


@pytest.mark.parametrize("name", SETS)
def test_slots_are_those_of_the_bundled_wordings(name: str) -> None:
    ours, theirs = compose(name), bundled("phrasings")
    for section in ("reason", "notice"):
        for key, wording in ours[section].items():
            slots = set(re.findall(r"\{(\w+)\}", " ".join(wording["ask"])))
            assert slots <= set(re.findall(r"\{(\w+)\}", " ".join(theirs[section][key]["ask"]))) | {"this"}, key


@pytest.mark.parametrize("name", SETS)
def test_hardly_a_wording_is_shared(name: str) -> None:
    theirs = {
        plain(t) for s in ("relations", "notice", "reason") for w in bundled("phrasings")[s].values() for t in w["ask"]
    }
    data = written(name)
    ours = [plain(t) for s in ("relations", "notice", "reason") for texts in data[s].values() for t in texts]
    assert len(ours) > (2000 if name == "second" else 1500)
    assert sum(t in theirs for t in ours) < 0.15 * len(ours)  # "how heavy is it" is what anybody says


@pytest.mark.parametrize("name", SETS)
def test_nothing_was_said_yet_of_what_a_talk_goes_on_to(name: str) -> None:
    """A talk comes back to the thing it is about, whatever came first, and goes on to another that is in view."""
    back = written(name)["back"]
    assert not [t for t in back["thing"] if re.search(r"\b(?:first|began|start)", t)]
    assert not [t for t in back["second"] + back["third"] if re.search(r"\b(?:asked|talked|spoke|before|earlier)\b", t)]


@pytest.mark.parametrize("name", KEYS)
def test_every_fact_has_three_other_keys(name: str, tmp_path) -> None:
    assert main(["--keys", name, "--out", str(tmp_path / "a.json")]) == 0
    ours, theirs = load_vocabulary(attributes=tmp_path / "a.json").attributes["facts"], bundled("attributes")["facts"]
    assert all(len(set(s["keys"])) == 3 for facts in ours.values() for s in facts.values() if "keys" in s)
    pairs = [(s, theirs[g][f]) for g, facts in ours.items() for f, s in facts.items() if "keys" in s]
    same = [set(mine["keys"]) & set(bundled_one["keys"]) for mine, bundled_one in pairs]
    assert sum(map(len, same)) < 0.2 * 3 * len(same)  # what everybody calls so


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [
        ("second", "sixth"),
        ("third", "fourth", "fifth"),
        ("seventh", "eighth"),
        ("ninth", "tenth"),
        ("eleventh", "twelfth"),
    ],
)
def test_a_world_in_these_words_keeps_the_rules(names: tuple[str, ...], tmp_path) -> None:
    main(["--set", *names, "--out", str(tmp_path / "p.json")])
    write_texts(tmp_path / "w", seed=28, entities=300, phrasings=tmp_path / "p.json")
    w = Folder.read(tmp_path / "w")
    assert not [turn.query for turn in w.turns if "{" in turn.query]
    checks = [audit_leaks.names, audit_leaks.keys, *audit_blind.CHECKS, audit_shares.seconds, audit_shares.types]
    assert not [f for f in (check(w) for check in checks) if f.failed]


def test_the_texts_of_a_world_alone_are_enough_for_the_reader(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "w"
    assert texts_alone.main(["--seed", "9", "--entities", "12", "--out", str(out)]) == 0
    assert "12 entities" in capsys.readouterr().out
    pictures = sorted((out / "kg" / "images").iterdir())
    assert len({p.read_bytes() for p in pictures}) == len(pictures) > 12
    assert Image.open(pictures[0]).size == (96, 96)
    assert texts_alone.main(["--seed", "9", "--out", str(out)]) == 2
