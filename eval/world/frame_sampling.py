"""Which frames are taken: of what, beside what, for which split, egocentric or from the web, of which quality.

All shares are dealt from decks, so that they hold in small worlds too. Nothing here needs a pixel: the frames can be
drawn in any order and by several processes. How they are drawn is in `frames`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from eval.world import seeds
from eval.world.drawing.draw import usual_modes
from eval.world.exact_quotas import Deck
from eval.world.model import Region, Thing

SPLITS = ("validation", "public_test")
#: Table 2 of the CRAG-MM paper (arXiv 2510.26160): egocentric and other pictures by quality.
TABLE_2: dict[str, tuple[int, int]] = {
    "normal": (5143, 1593),
    "low light": (267, 33),
    "blurred": (191, 24),
    "truncated": (370, 31),
    "occluded": (116, 8),
    "rotated": (161, 6),
}
#: Share of the frames that hold a second indexed object, and of those with a sibling of the first.
SECOND_SHARE, SIBLING_SHARE = 0.30, 0.25
#: Share of conversations that move on to another domain, and of those that touch three.
DRIFT_SHARE, THIRD_SHARE = 0.38, 0.15
#: Shares of conversations with 2, 3, 4, 5 and 6 turns: 4.9 turns on average, as published for CRAG-MM.
LENGTHS = {2: 0.04, 3: 0.08, 4: 0.20, 5: 0.30, 6: 0.38}
_INDOORS = {"desk", "shelf", "wall"}


@dataclass(frozen=True)
class Cast:
    """What one frame is to show: the thing asked about, then others. `turns` is 0 outside conversations."""

    key: str
    things: tuple[Thing, ...]
    web: bool
    quality: str
    split: str
    turns: int = 0


class Director:
    """Casts the frames of one set. `hold_out` names domains that appear in the public test alone."""

    def __init__(
        self,
        seed: int,
        set_name: str,
        region: Region,
        degraded: float | None,
        balance: bool,
        hold_out: tuple[str, ...] = (),
    ) -> None:
        self._seed = seed
        self._set = set_name
        self._region = region
        self._held = frozenset(hold_out)
        self._pictures = Deck(picture_shares(degraded, balance), self._rng("pictures"), 200)
        self._lengths = Deck(LENGTHS, self._rng("lengths"), 50)
        single = {"alone": 1 - SECOND_SHARE, "sibling": SECOND_SHARE * SIBLING_SHARE}
        single["other"] = SECOND_SHARE * (1 - SIBLING_SHARE)
        self._seconds = Deck(single, self._rng("seconds"))
        talks = {"alone": 0.62, "drift": DRIFT_SHARE * (1 - THIRD_SHARE), "drift to two": DRIFT_SHARE * THIRD_SHARE}
        self._talks = Deck(talks, self._rng("talks"), 50)
        self._owed: list[str] = []
        self._open = [t for t in region.entities if t.indexed and t.kind != "notice"]

    def _rng(self, *path: object) -> random.Random:
        return seeds.rng(self._seed, "casting", self._set, *path)

    def singles(self) -> Iterator[Cast]:
        """Frames for single questions, without end; every entity comes once before any comes twice."""
        for number, thing in enumerate(self._order()):
            yield self._cast(thing, number, self._seconds, 0)

    def conversations(self) -> Iterator[Cast]:
        """Frames for conversations, without end."""
        for number, thing in enumerate(self._order()):
            yield self._cast(thing, number, self._talks, self._lengths.deal())

    def _order(self) -> Iterator[Thing]:
        r = self._rng("order")
        while True:
            things = list(self._region.entities)
            r.shuffle(things)
            yield from things

    def _cast(self, thing: Thing, number: int, deck: Deck[str], turns: int) -> Cast:
        r = self._rng("cast", number)
        held = thing.domain in self._held
        split = "public_test" if held else SPLITS[number % 2]
        company = self._company(thing, deck.deal(), split, r)
        quality, web = self._pictures.deal()
        return Cast(f"{self._set}/{number}", (thing, *company), web, quality, split, turns)

    def _company(self, thing: Thing, wish: str, split: str, r: random.Random) -> list[Thing]:
        """Who stands beside `thing`. A wish that cannot be met here is kept for the next thing that can meet it."""
        if wish == "alone" and self._owed:
            for owed in self._owed:
                company = self._find(thing, owed, split, r)
                if company:
                    self._owed.remove(owed)
                    return company
        if wish == "alone":
            return []
        company = self._find(thing, wish, split, r)
        if not company and len(self._owed) < 50:
            self._owed.append(wish)
        return company

    def _find(self, thing: Thing, wish: str, split: str, r: random.Random) -> list[Thing]:
        if thing.kind == "notice":
            return []
        if wish == "sibling":
            siblings = self._region.siblings(thing)
            together = bool(set(usual_modes(thing)) - {"hand"})
            return [r.choice(siblings)] if siblings and together else []
        drifts = wish.startswith("drift")
        first = self._beside([thing], split, r, other_domain=drifts)
        if first is None:
            return []
        if wish == "drift to two":
            second = self._beside([thing, first], split, r, other_domain=True, indoors=True)
            return [first] if second is None else [first, second]
        return [first]

    def _beside(
        self, things: list[Thing], split: str, r: random.Random, *, other_domain: bool, indoors: bool = False
    ) -> Thing | None:
        """An indexed thing that would stand or lie where all of `things` do."""
        places = set.intersection(*(set(usual_modes(t)) for t in things)) - {"hand"}
        if indoors:
            places &= _INDOORS
        domains = {t.domain for t in things} if other_domain else set()
        taken = {t.family for t in things}
        fitting = [
            t
            for t in self._open
            if t.family not in taken
            and t.domain not in domains
            and not (split == "validation" and t.domain in self._held)
            and places & set(usual_modes(t))
        ]
        if not fitting:
            return None
        # A domain first, then a thing of it: else large domains would stand beside everything.
        domain = r.choice(sorted({str(t.domain) for t in fitting}))
        return r.choice([t for t in fitting if t.domain == domain])


def picture_shares(degraded: float | None, balance: bool) -> dict[tuple[str, bool], float]:
    """(quality, from the web) → share of the frames: as published, or with the share `degraded` of bad ones, or with
    as many of each quality."""
    whole = sum(sum(v) for v in TABLE_2.values())
    shares = {
        (q, web): n / whole for q, counts in TABLE_2.items() for web, n in zip((False, True), counts, strict=True)
    }
    if balance:
        by_quality = {q: sum(counts) / whole for q, counts in TABLE_2.items()}
        return {(q, web): share / by_quality[q] / len(TABLE_2) for (q, web), share in shares.items()}
    if degraded is None:
        return shares
    bad = sum(share for (q, _), share in shares.items() if q != "normal")
    factor = {True: (1 - degraded) / (1 - bad), False: degraded / bad}
    return {(q, web): share * factor[q == "normal"] for (q, web), share in shares.items()}
