"""The second set of phrasings is whole, is different, and makes a world that keeps the rules."""

from __future__ import annotations

import json
import re

from eval.world import audit_blind, audit_leaks, audit_shares
from eval.world.audit_reading import Folder
from eval.world.vocabulary import bundled, load_vocabulary
from tests.eval.other_words import DATA, compose, main
from tests.eval.world_texts import write_texts


def plain(text: str) -> str:
    return re.sub(r"[^a-z{}]+", " ", text.lower()).strip()


def test_it_can_be_given_to_the_generator(tmp_path) -> None:
    assert main(["--out", str(tmp_path / "p.json")]) == 0
    assert load_vocabulary(phrasings=tmp_path / "p.json").phrasings == compose()


def test_every_relation_has_six_wordings_that_point_at_the_thing() -> None:
    for name, wording in compose()["relations"].items():
        assert len(set(wording["ask"])) >= 6, name
        assert all("{this}" in text for text in wording["ask"]), name


def test_slots_are_those_of_the_bundled_wordings() -> None:
    ours, theirs = compose(), bundled("phrasings")
    for section in ("reason", "notice"):
        for name, wording in ours[section].items():
            slots = set(re.findall(r"\{(\w+)\}", " ".join(wording["ask"])))
            assert slots <= set(re.findall(r"\{(\w+)\}", " ".join(theirs[section][name]["ask"]))) | {"this"}, name


def test_hardly_a_wording_is_shared() -> None:
    theirs = {
        plain(t) for s in ("relations", "notice", "reason") for w in bundled("phrasings")[s].values() for t in w["ask"]
    }
    data = json.loads(DATA.read_text(encoding="utf-8"))
    ours = [plain(t) for s in ("relations", "notice", "reason") for texts in data[s].values() for t in texts]
    assert len(ours) > 2000
    assert sum(t in theirs for t in ours) < 0.02 * len(ours)


def test_a_world_in_these_words_keeps_the_rules(tmp_path) -> None:
    main(["--out", str(tmp_path / "p.json")])
    write_texts(tmp_path / "w", seed=28, entities=300, phrasings=tmp_path / "p.json")
    w = Folder.read(tmp_path / "w")
    checks = [audit_leaks.names, audit_leaks.keys, *audit_blind.CHECKS, audit_shares.seconds, audit_shares.types]
    assert not [f for f in (check(w) for check in checks) if f.failed]
