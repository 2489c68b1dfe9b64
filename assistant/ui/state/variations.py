"""A turn answered otherwise: a card switched off or exchanged, a stage left out. Pure steps from one variation to the
next; `assistant.ui.state.sessions` answers them and keeps them, so that each can be undone.

Cards are named by their place in `Variation.cards`, never by a string from outside.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from assistant.core.errors import BadInput
from assistant.core.options import Conditions
from assistant.core.types import Candidate, Evidence
from assistant.ui.state.turn_view import TurnView, Varied

Act = Literal["off", "on", "as-taken", "unread", "unchecked", "whole", "here"]

#: An act that begins so asks again with the profile that follows.
UNDER_PROFILE = "profile-"

#: An act that begins so puts the offer of the number that follows in a card's place.
SWAP = "swap-"

#: How many relatives are offered in a card's place.
MOST_OFFERS = 6

#: Stands for the recognition wherever an evidence id stands for a card.
ENTITY = "entity"

#: What a visitor may leave out when asking again, in words for a button and for the list of changes.
SETTINGS: Mapping[str, tuple[str, str]] = {
    "as-taken": ("With the picture as it was taken", "picture not corrected"),
    "unread": ("Without reading text", "text not read"),
    "unchecked": ("Without the check", "answer not checked"),
    "whole": ("With the whole picture", "mark on the picture ignored"),
}

#: An evidence, the question and the relatives tried; gives a relative's name and what it says instead.
Exchange = Callable[[Evidence, str, tuple[str, ...]], "tuple[str, Evidence] | None"]


#: A relative's name, and the piece with what it says.
Offer = tuple[str, Evidence]


@dataclass(frozen=True)
class Variation:
    """One way a turn is answered.

    Attributes:
        conditions: what the assistant is told; `evidence` in it is set once a card was touched.
        cards: the evidence as it stands, what is off included, what is exchanged replaced.
        off: ids of the cards that are off.
        swapped: id to the relative that stands in its place.
        entity: what was recognised at first, while the recognition is off or exchanged.
        profile: the profile that answers, "" for the page's own.
        here: a turn that was opened from a file was asked on this machine.
        view: what was answered; None until it is.
    """

    conditions: Conditions
    cards: tuple[Evidence, ...] = ()
    off: frozenset[str] = frozenset()
    swapped: Mapping[str, str] = field(default_factory=dict)
    entity: Candidate | None = None
    profile: str = ""
    here: bool = False
    view: TurnView | None = None

    def answered(self, view: TurnView) -> Variation:
        """With its answer; evidence that was looked for anew becomes the cards."""
        cards = view.evidence if self.conditions.evidence is None else self.cards
        return replace(self, view=view, cards=cards)

    def told(self) -> Conditions:
        """What the assistant is told: the cards that are on, where any was touched."""
        if self.conditions.evidence is None:
            return self.conditions
        return replace(self.conditions, evidence=tuple(e for e in self.cards if e.id not in self.off))


def first_of(view: TurnView, conditions: Conditions) -> Variation:
    """The turn as it was answered at first."""
    return Variation(conditions, view.evidence, view=view)


def offers_for(before: Variation, card: str, exchange: Exchange) -> tuple[Offer, ...]:
    """What could stand in a card's place: relatives that say something else, at most `MOST_OFFERS`.

    Args:
        before: the variation that is shown now, answered.
        card: as for `step`.
        exchange: finds what a relative would say.

    Raises:
        BadInput: there is no such card, or nothing to exchange it for.
    """
    if card == ENTITY:
        seen = _seen(before)
        piece = Evidence(ENTITY, "entity", seen.image_url, seen.name, seen.confidence, subject=seen.name)
    else:
        piece = _card(before, card)
    found: list[Offer] = []
    now = before.swapped.get(piece.id, "")
    while len(found) < MOST_OFFERS:
        tried = (*([now] if now else []), *(name for name, _ in found))
        if (one := exchange(piece, _question(before), tried)) is None:
            break
        found.append(one)
    if not found:
        raise BadInput("nothing related to it in the index says anything else in its place")
    return tuple(found)


def step(before: Variation, act: str, card: str, offers: Sequence[Offer] = ()) -> Variation:
    """The variation after one act of a visitor.

    Args:
        before: the variation that is shown now, answered.
        act: an `Act`, `UNDER_PROFILE` and the name of a profile, or `SWAP` and the number of an offer.
        card: "entity" for the recognition, else the place of a card in `before.cards`, of several pieces on one card
            their places with commas; not used by settings.
        offers: what was offered for this card.

    Raises:
        BadInput: there is no such card, act or offer.
    """
    if act in SETTINGS:
        return _under(before, act)
    if act.startswith(UNDER_PROFILE):
        return _anew(replace(before, profile=act.removeprefix(UNDER_PROFILE)), before.conditions)
    if act == "here":
        anew = replace(before.conditions, evidence=None, recognised=True, entity="")
        return Variation(anew, here=True)
    if act not in ("off", "on") and not act.startswith(SWAP):
        raise BadInput(f"there is nothing called {act!r} to do with an answer")
    if card == ENTITY:
        return _entity(before, act, offers)
    pieces = [_card(before, place) for place in card.split(",")]
    ids = {piece.id for piece in pieces}
    if act in ("off", "on"):
        return _touched(replace(before, off=before.off | ids if act == "off" else before.off - ids))
    piece = pieces[0]
    name, instead = _offer(act, offers)
    cards = tuple(instead if e.id == piece.id else e for e in before.cards)
    swapped = {**before.swapped, piece.id: name}
    return _touched(replace(before, cards=cards, off=before.off - {piece.id}, swapped=swapped))


def _touched(variation: Variation) -> Variation:
    """From now on the answer rests on these cards; nothing is looked for again."""
    return replace(variation, conditions=replace(variation.conditions, evidence=variation.cards), view=None)


def _under(before: Variation, act: str) -> Variation:
    """Another setting: everything is looked for anew, so cards that were touched are as they were found."""
    c = before.conditions
    changed = {
        "as-taken": replace(c, correct=not c.correct),
        "unread": replace(c, read_text=not c.read_text),
        "unchecked": replace(c, check=not c.check),
        "whole": replace(c, region_px=None),
    }[act]
    return _anew(before, changed)


def _anew(before: Variation, conditions: Conditions) -> Variation:
    return replace(before, conditions=replace(conditions, evidence=None), off=frozenset(), swapped={}, view=None)


def _entity(before: Variation, act: str, offers: Sequence[Offer]) -> Variation:
    seen = _seen(before)
    c, swapped = replace(before.conditions, evidence=None), {}
    if act.startswith(SWAP):
        name, _ = _offer(act, offers)
        c, swapped = replace(c, recognised=True, entity=name), {ENTITY: name}
    else:
        c = replace(c, recognised=act == "on", entity="")
    kept = seen if act != "on" else None
    return replace(before, conditions=c, off=frozenset(), swapped=swapped, entity=kept, view=None)


def _seen(variation: Variation) -> Candidate:
    view = variation.view
    seen = variation.entity or (view.recognition.entity if view is not None else None)
    if seen is None:
        raise BadInput("nothing was recognised that could be taken away")
    return seen


def _offer(act: str, offers: Sequence[Offer]) -> Offer:
    number = act.removeprefix(SWAP)
    if not (number.isascii() and number.isdecimal() and int(number) < len(offers)):
        raise BadInput("that is no longer offered in its place")
    return offers[int(number)]


def _card(variation: Variation, card: str) -> Evidence:
    if not card.isdecimal() or int(card) >= len(variation.cards):
        raise BadInput("that card is no longer here")
    return variation.cards[int(card)]


def _question(variation: Variation) -> str:
    return variation.view.question if variation.view is not None else ""


def varied(variation: Variation, first: TurnView, usual: Conditions, *, busy: bool = False) -> Varied:
    """What the page says about a variation; `first` is the turn as it was answered at first, under `usual`."""
    c = variation.conditions
    changes = [
        words
        for act, (_, words) in SETTINGS.items()
        if {
            "as-taken": not c.correct,
            "unread": not c.read_text,
            "unchecked": not c.check,
            "whole": c.region_px is None and usual.region_px is not None,
        }[act]
    ]
    if variation.profile:
        changes.append(f"asked with the {variation.profile} profile")
    if variation.here:
        changes.append("asked on this machine")
    if not c.recognised:
        changes.append("recognition removed")
    if c.entity:
        changes.append(f"taken for {c.entity}")
    off = Counter(_named(piece) for piece in variation.cards if piece.id in variation.off)
    changes += [f"{name} removed" + (f" ({count})" if count > 1 else "") for name, count in off.items()]
    for piece in variation.cards:
        if piece.id in variation.swapped and piece.id not in variation.off:
            changes.append(f"{_named(piece)}: that of {variation.swapped[piece.id]}")
    said = first.turn.answer.words or first.turn.answer.reason if first.turn is not None else ""
    return Varied(
        tuple(changes),
        said,
        variation.cards,
        variation.off | ({ENTITY} if not c.recognised else frozenset()),
        variation.swapped,
        variation.entity,
        busy,
        variation.profile,
    )


def _named(piece: Evidence) -> str:
    if piece.kind == "attribute" and piece.key:
        return piece.key.replace("_", " ")
    return {
        "passage": "a page",
        "text": "a line of text",
        "code": "a code",
        "taught": "a taught fact",
        "picture": "a picture",
    }.get(piece.kind, "a card")
