"""Web pages: two to six short ones per indexed entity, pages on its family, people, makers and towns, and distractors.

Every statement of a fact is recorded on the fact (`pages`, `outdated`), so that the gold knows each page that gives
an answer away. No page is about an unindexed entity or names it: what is not indexed stands in `gold/` alone.
"""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import Any

from eval.world import seeds
from eval.world.content.wording import article
from eval.world.model import Fact, Page, Region, Thing
from eval.world.verbalise import date_text, say_on_page
from eval.world.vocabulary import Vocabulary

PAGES_BY_POPULARITY = {"head": (5, 6), "torso": (3, 4), "tail": (2, 2)}
#: Pages a family has that are about its members and help with no question.
CHATTER_PAGES = 2
#: Nobody in the world has seen anything later than this day.
TODAY = date(2026, 6, 1)


class PageWriter:
    """Writes all pages of a region, in a fixed order."""

    def __init__(self, seed: int, region: Region, vocabulary: Vocabulary) -> None:
        self._seed = seed
        self._region = region
        self._voices = vocabulary.voices
        self._slug = "".join(ch for ch in region.name.lower() if ch.isalpha())[:12]
        self.pages: list[Page] = []

    def write_all(self) -> list[Page]:
        for thing in self._region.entities:
            if thing.indexed and thing.kind != "notice":
                self._about(thing, PAGES_BY_POPULARITY[thing.popularity])
        for thing in self._region.others.values():
            self._about(thing, (1, 2))
        for family in self._region.families.values():
            self._about_family([self._region.thing(m) for m in family])
            self._chatter([self._region.thing(m) for m in family])
        self._topics()
        order = list(self.pages)
        seeds.rng(self._seed, "page order").shuffle(order)
        return order

    def _about(self, thing: Thing, count: tuple[int, int]) -> None:
        """The pages of one thing: its findable facts are dealt out so that each stands on one or two of them."""
        r = seeds.rng(self._seed, "pages", thing.id)
        n = r.randint(*count)
        names = ["encyclopaedia", "shop", "blog", "forum", "news"]
        if thing.domain is None:
            names = ["encyclopaedia", "official", "blog", "news"]
        first, rest = names[0], names[1:]
        r.shuffle(rest)
        voices = [first, *rest][:n] + [r.choice(rest) for _ in range(n - len(names))]
        if n < len(names) and r.random() < 0.4:
            voices[0] = r.choice([v for v in names if v not in voices] or names)
        dealt: list[list[Fact]] = [[] for _ in voices]
        for fact in thing.facts.values():
            if fact.in_pages:
                for i in r.sample(range(len(voices)), min(len(voices), r.choice([1, 1, 2]))):
                    dealt[i].append(fact)
        for i, (voice, facts) in enumerate(zip(voices, dealt, strict=True)):
            facts.sort(key=lambda f: f.relation not in ("author", "maker", "publisher"))
            day = TODAY - timedelta(days=r.randint(3, 700))
            self._write(thing, voice, facts, day, f"{thing.id}/{i}", r)
        for fact in thing.facts.values():
            if fact.stale is not None and fact.in_pages:
                self._write_stale(thing, fact, r)

    def _write(self, thing: Thing, voice: str, facts: list[Fact], day: date, key: str, r: random.Random) -> None:
        v = self._voices["voices"][voice]
        url = self._url(v, key)
        sentences = []
        for fact in facts:
            sentence = self._tell(thing, fact, v["register"], r)
            if sentence:
                fact.pages.append(url)
                sentences.append(sentence)
        fillers = self._voices["fillers"].get(thing.domain or thing.kind, [])
        for filler in r.sample(fillers, min(len(fillers), r.choice([0, 1, 1, 2]))) if v["register"] != "label" else []:
            sentences.insert(r.randint(0, len(sentences)), filler)
        self._add(url, v, thing, sentences, day, r)

    def _write_stale(self, thing: Thing, fact: Fact, r: random.Random) -> None:
        """A page with an older figure (settled by its date), or with hearsay (settled by its source)."""
        assert fact.stale is not None
        old = Fact(fact.relation, fact.stale, fact.key)
        if fact.rule == "date":
            voice = r.choice(["news", "blog", "encyclopaedia"])
            day = date(r.randint(2009, 2018), r.randint(1, 12), r.randint(1, 28))
            lead = ""
        else:
            voice, day = "forum", TODAY - timedelta(days=r.randint(3, 700))
            lead = r.choice(self._voices["stale"]["source"]["intro"]) + " "
        v = self._voices["voices"][voice]
        url = self._url(v, f"{thing.id}/old/{fact.relation}")
        sentence = self._tell(thing, old, v["register"] if not lead else "plain", r)
        if not sentence:
            return
        fact.outdated.append(url)
        fillers = self._voices["fillers"].get(thing.domain or thing.kind, [])
        self._add(url, v, thing, [lead + sentence, *r.sample(fillers, min(1, len(fillers)))], day, r)

    def _tell(self, thing: Thing, fact: Fact, register: str, r: random.Random) -> str:
        forms = self._voices["tell"].get(fact.relation)
        if forms is None:
            return ""
        if fact.value.kind == "yesno":
            word = "yes" if fact.value.value else "no"
            return f"{forms['label']}: {word}." if register == "label" else r.choice(forms[f"plain_{word}"])
        said = say_on_page(fact.value, r)
        if register == "label":
            return f"{forms['label']}: {said}."
        text = r.choice(forms.get(register) or forms["plain"])
        text = text.format(value=said, name=thing.name, Name=thing.name[:1].upper() + thing.name[1:])
        return text[:1].upper() + text[1:]

    def _add(self, url: str, v: dict[str, Any], thing: Thing, told: list[str], day: date, r: random.Random) -> None:
        noun = "a person of some fame" if thing.kind == "person" else article(thing.noun)
        fields = {
            "name": thing.name,
            "region": self._region.name,
            "site": v["site"].format(region=self._region.name),
            "a_noun": noun,
            "date": date_text(day.isoformat()),
        }
        opening, closing = r.choice(v["open"]), r.choice(v["close"])
        if "{date}" not in opening and "{date}" not in closing:
            closing = next(c for c in [*v["close"], "Dated {date}."] if "{date}" in c)
        text = " ".join([opening.format(**fields), *told, closing.format(**fields)])
        text = text[:1].upper() + text[1:]
        self.pages.append(Page(url, v["title"].format(**fields), text[:160], text))

    def _url(self, v: dict[str, Any], key: str) -> str:
        host = v["host"].format(slug=self._slug)
        return f"https://{host}/{seeds.opaque_id(self._seed, 'page', key, length=12)}"

    def _about_family(self, members: list[Thing]) -> None:
        """One page that lists the (indexed) members of a series or range; its URL settles who belongs to it."""
        members = [m for m in members if m.indexed]
        if len(members) < 2 or not members[0].family_name:
            return
        name = members[0].family_name
        r = seeds.rng(self._seed, "family page", members[0].family)
        v = self._voices["voices"][r.choice(["encyclopaedia", "official", "shop"])]
        url = self._url(v, f"family/{members[0].family}")
        listing = ", ".join(m.name for m in members[:-1]) + " and " + members[-1].name
        day = TODAY - timedelta(days=r.randint(3, 400))
        title = name[:1].upper() + name[1:]
        text = f"{title} has {len(members)} members: {listing}. This list was checked on {date_text(day.isoformat())}."
        for member in members:
            member.content["family_page"] = url
        self.pages.append(Page(url, f"{title}: overview", text[:160], text))

    def _chatter(self, members: list[Thing]) -> None:
        """Two pages that talk about members of a family and state nothing about them."""
        named = [m for m in members if m.indexed and m.kind != "notice"]
        if not named:
            return
        r = seeds.rng(self._seed, "chatter", members[0].family)
        words, urls = self._voices["chatter"], []
        for i in range(CHATTER_PAGES):
            thing = r.choice(named)
            v = self._voices["voices"][r.choice(["blog", "forum"])]
            fields = {"name": thing.name, "noun": thing.noun, "region": self._region.name, "site": v["site"]}
            fillers = self._voices["fillers"].get(thing.domain, [])
            told = r.sample(words["sentences"], 3) + r.sample(fillers, min(2, len(fillers)))
            r.shuffle(told)
            text = " ".join([r.choice(words["open"]), *told, r.choice(words["close"])]).format(**fields)
            text = text[:1].upper() + text[1:]
            url = self._url(v, f"chatter/{members[0].family}/{i}")
            self.pages.append(Page(url, r.choice(words["title"]).format(**fields), text[:160], text))
            urls.append(url)
        for member in members:
            member.content["chatter"] = urls

    def _topics(self) -> None:
        """Pages on topic that help with no question."""
        for subject, topics in self._voices["topics"].items():
            for i, (title, text) in enumerate(topics):
                r = seeds.rng(self._seed, "topic", subject, i)
                v = self._voices["voices"][r.choice(["blog", "news", "encyclopaedia"])]
                name = title.format(region=self._region.name)
                body = text.format(region=self._region.name)
                url = self._url(v, f"topic/{subject}/{i}")
                self.pages.append(Page(url, name, body[:160], body))
                self._region.topics.setdefault(subject, []).append(url)
