"""What a question rests on, looked up in the record of where each fact was written; and the gold line of a turn."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from eval.world.model import Question, Region, Thing


class Support:
    """Where the facts behind a question stand."""

    def __init__(self, region: Region, rests_on: Iterable[tuple[Thing, str]]) -> None:
        self.attributes: list[dict[str, str]] = []
        self.passages: list[str] = []
        self.contradicting: list[str] = []
        self.missing: list[str] = []
        for thing, relation in rests_on:
            if relation == "name":
                self._name(thing)
            elif relation == "members":
                self._members(region, thing)
            else:
                self._fact(thing, relation)
        self.passages = list(dict.fromkeys(self.passages))
        self.contradicting = list(dict.fromkeys(self.contradicting))

    def _name(self, thing: Thing) -> None:
        if thing.indexed:
            self.attributes.append({"entity": thing.name, "key": "name"})
        elif thing.kind != "notice":
            self.missing.append("the entity is not indexed")

    def _members(self, region: Region, thing: Thing) -> None:
        if "family_page" in thing.content:
            self.passages.append(thing.content["family_page"])
        for member in [thing, *region.siblings(thing)]:
            if member.content.get("series_key") and member.indexed:
                self.attributes.append({"entity": member.name, "key": member.content["series_key"]})

    def _fact(self, thing: Thing, relation: str) -> None:
        fact = thing.facts[relation]
        self.passages += fact.pages
        self.contradicting += fact.outdated
        if fact.in_kg and thing.indexed:
            self.attributes.append({"entity": thing.name, "key": fact.key})
        if not (fact.on_picture or fact.pages or (fact.in_kg and thing.indexed)):
            unknown = thing.domain is not None and not thing.indexed
            self.missing.append("the entity is not indexed" if unknown else "no attribute and no page states it")


def findable(thing: Thing, relation: str) -> bool:
    """Whether the fact stands anywhere an assistant can look."""
    fact = thing.facts.get(relation)
    return fact is not None and (fact.on_picture or bool(fact.pages) or (fact.in_kg and thing.indexed))


def gold_line(region: Region, question: Question, place: dict[str, Any]) -> dict[str, Any]:
    """The object for `gold/turns.jsonl`. `place` has set, split, ids, turn_idx and outline_px.

    Beyond the contract: `contradicting` lists pages with an older or mistaken figure (the newer page, or the one
    that is not hearsay, is right), `on_topic` pages that are near the question and do not help, `siblings` the indexed
    members of the entity's family, `wording` the template of the question, `reference` what it calls the entity,
    `quality` the frame's label. Attributes with the key "name" stand for the entity's own record.
    """
    thing = question.thing
    support = Support(region, question.rests_on)
    about = [t.name for t in question.about]
    idle = [u for t in question.about for u in t.content.get("chatter", [])] + region.topics.get(thing.domain or "", [])
    return {
        **place,
        "entity": thing.name,
        "entities": about,
        "flat": bool(thing.look["flat"]),
        "domain": thing.domain,
        "indexed": thing.indexed,
        "passages": support.passages,
        "contradicting": support.contradicting,
        "attributes": support.attributes,
        "answer": question.answer.gold(),
        "answerable": not support.missing,
        "why_not": support.missing[0] if support.missing else None,
        "popularity": thing.popularity,
        "text_clue": bool(thing.look["named"]),
        "needs_image": question.needs_image,
        "needs_history": question.needs_history,
        "standalone_query": question.standalone,
        "question_type": question.type,
        "wording": question.wording,
        "reference": question.reference,
        "siblings": [t.name for t in region.siblings(thing)],
        "on_topic": [u for u in dict.fromkeys(idle) if u not in support.passages],
    }
