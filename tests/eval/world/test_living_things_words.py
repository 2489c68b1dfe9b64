"""The language of animals, plants and landmarks: enough wordings, sentences that fill, facts that can be asked for."""

import json
import re

import pytest

from eval.world.vocabulary import DATA_DIR

GROUPS = ("animals", "plants", "local")


def part(section: str, group: str) -> dict:
    return json.loads((DATA_DIR / section / f"{group}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("group", GROUPS)
def test_every_relation_is_asked_for_in_many_ways(group) -> None:
    facts = part("attributes", group)["facts"]
    for name, wording in part("phrasings", group)["relations"].items():
        ask = wording["ask"]
        assert len(set(ask)) >= 12, name
        assert all(text.count("{this}") >= 1 for text in ask), name
        assert ("answer" in wording) or {"answer_yes", "answer_no"} <= set(wording), name
        keys = {key.replace("_", " ") for f in facts.values() if name in f for key in f[name]["keys"]}
        avoiding = [t for t in ask if not any(re.search(rf"\b{key}", t.lower()) for key in keys)]
        assert len(avoiding) >= len(ask) / 3, (name, keys)


@pytest.mark.parametrize("group", GROUPS)
def test_facts_are_many_typed_and_told(group) -> None:
    told, asked = part("voices", group)["tell"], part("phrasings", group)["relations"]
    core_told, core_asked = part("voices", "core")["tell"], part("phrasings", "core")["relations"]
    shared = {name for other in GROUPS for name in part("voices", other)["tell"]}
    for kind, facts in part("attributes", group)["facts"].items():
        assert 12 <= len(facts) <= 18, kind
        types = [f["type"] for f in facts.values()]
        assert types.count("number") >= 4, kind
        assert "list" in types, kind
        assert "yesno" in types, kind
        assert {"person", "town", "maker"} <= set(types), kind
        assert len({f.get("dynamism", "static") for f in facts.values()}) >= 2, kind
        assert any("stale" in f for f in facts.values()), kind
        for name, fact in facts.items():
            assert name in told or name in core_told or name in shared, name
            assert name in asked or name in core_asked or fact, name
            assert 1 <= len(fact["keys"]) <= 4, name


@pytest.mark.parametrize("group", GROUPS)
def test_sentences_hold_the_value_once(group) -> None:
    for name, forms in part("voices", group)["tell"].items():
        if "plain_yes" in forms:
            assert len(forms["plain_yes"]) >= 2, name
            assert len(forms["plain_no"]) >= 2, name
            continue
        assert len(forms["plain"]) >= 3, name
        assert len(forms["chatty"]) >= 2, name
        for text in forms["plain"] + forms["chatty"]:
            assert text.count("{value}") == 1, text
            assert text.endswith((".", "?", "!")), text


@pytest.mark.parametrize("group", GROUPS)
def test_a_thing_leads_to_others_by_words_of_its_own(group) -> None:
    words, facts = part("phrasings", group), part("attributes", group)["facts"]
    leading = {n for f in facts.values() for n, spec in f.items() if spec["type"] in ("person", "town", "maker")}
    assert leading == set(words["roles"]) == set(words["short_roles"])
    assert all(len(forms) >= 3 for forms in words["roles"].values())
    for name, rule in words["reason"].items():
        assert len(rule["ask"]) >= 6, name
        assert any(rule["relation"] in f for f in facts.values()), name
