"""The evidence of a turn as HTML: cards that are linked to the sentences they carry, and can be switched off.

Pure functions, like `assistant.ui.html.turns`. Elements that speak of the same piece carry the same word in
`data-links` ("t3-2": turn 3, card 2); the page's script lights them up together. Buttons name a card by its place in
the evidence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.core.types import Candidate, Evidence, EvidenceKind
from assistant.recognition.taught_images import SCHEME
from assistant.text.attribute_keys import spoken_key
from assistant.ui.html.escape import isolated, text
from assistant.ui.state.turn_view import TurnView, Varied
from assistant.ui.state.variations import ENTITY

#: What is shown of a piece of evidence and of a name; the rest is counted, not hidden silently.
EVIDENCE_CHARS, NAME_CHARS = 700, 120

#: A page of small print is not a list of cards.
MAX_CARDS = 40

KIND_WORDS = {
    "entity": "Recognised",
    "attribute": "Known fact",
    "passage": "Page",
    "text": "Read on the picture",
    "code": "Code on the picture",
    "taught": "Taught",
    "kind": "Looks like",
    "measured": "Measured on the picture",
}


def link(view: TurnView, number: int) -> str:
    """The word that sentence, card and outline number `number` of a turn have in common."""
    return f"t{view.number}-{number}"


def card_id(view: TurnView, number: int) -> str:
    return f"turn-{view.number}-card-{number}"


def card_numbers(view: TurnView) -> Mapping[str, int]:
    """Evidence id to the number under which the answer's sentences name it."""
    return {evidence_id: n for n, evidence_id in enumerate(view.used_ids, 1)}


def render_evidence(view: TurnView) -> str:
    """The cards the answer rests on, open, what was recognised among them; everything else that was found, folded.

    They are there as soon as they are found; they can be switched off once the turn is finished.
    """
    state = view.varied or Varied(cards=view.evidence)
    order = card_numbers(view)
    pieces = state.cards
    used = sorted((e for e in pieces if e.id in order), key=lambda e: order[e.id])
    changed = [e for e in pieces if e.id not in order and (e.id in state.off or e.id in state.swapped)]
    entity = state.set_aside if ENTITY in state.off else _recognised(view, used)
    shown = {e.id for e in (*used, *changed)}
    others = [e for e in pieces if e.id not in shown and not (entity and _is_of(e, entity))]
    others.sort(key=lambda e: e.kind == "passage")  # what is small before what is wide
    deck = _Deck(view, state, {e.id: n for n, e in enumerate(pieces)})
    cards = deck.entity(entity, None, None) if entity is not None else ""
    cards += "".join(deck.card(e, order[e.id]) for e in used) + "".join(deck.card(e, None) for e in changed)
    parts = []
    if cards:
        title = "Evidence" if used or view.turn is None else "What was recognised"
        title = "What was changed" if changed and not used else title
        parts.append(f'<h3>{title}</h3><ul class="v-cards">{cards}</ul>')
    if others:
        title = "Also looked at" if cards else "What was looked at"
        shown_others = others[:MAX_CARDS] if view.turn is not None else []  # not drawn again with every event
        cards = "".join(deck.card(e, None) for e in shown_others)
        more = (
            f'<li class="v-more">and {len(others) - MAX_CARDS} more</li>'
            if len(others) > MAX_CARDS and view.turn is not None
            else ""
        )
        parts.append(
            f'<details class="v-others" data-key="others-{view.number}"><summary>{title} '
            f'<span class="v-count">{len(others)}</span></summary><ul class="v-cards">{cards}{more}</ul></details>'
        )
    return f'<section class="v-evidence" aria-label="Evidence">{"".join(parts)}</section>' if parts else ""


def _recognised(view: TurnView, used: Sequence[Evidence]) -> Candidate | None:
    """The recognised entity, when the turn was about it and no sentence names its card anyway."""
    entity = view.recognition.entity
    if entity is None or any(_is_of(e, entity) for e in used):
        return None
    return entity if view.turn is None or not view.turn.subjects or entity.name in view.turn.subjects else None


def _is_of(evidence: Evidence, entity: Candidate) -> bool:
    return evidence.kind == "entity" and (evidence.subject or evidence.text) == entity.name


class _Deck:
    """Draws the cards of one turn; `places` maps evidence ids to their places in the evidence."""

    def __init__(self, view: TurnView, state: Varied, places: Mapping[str, int]):
        self._view, self._state, self._places = view, state, places

    def card(self, evidence: Evidence, number: int | None) -> str:
        entity = self._view.recognition.entity
        if evidence.kind == "entity":
            return self.entity(entity if entity is not None and _is_of(evidence, entity) else None, evidence, number)
        if evidence.kind == "passage":
            body = _passage_body(evidence, self._view.contexts.get(evidence.id, ("", "")), number is not None)
        else:
            body = _attribute_body(evidence) if evidence.key is not None else _text_body(evidence)
        return self._frame(evidence.kind, number, body, evidence.id, str(self._places[evidence.id]))

    def entity(self, entity: Candidate | None, evidence: Evidence | None, number: int | None) -> str:
        """What was recognised, with both pictures; or another entity that stands in the evidence."""
        if entity is None:
            assert evidence is not None  # callers have one or the other
            body = f'<p class="v-name">{isolated(evidence.subject or evidence.text, NAME_CHARS)}</p>'
            body += f'<p class="v-sure">{render_meter(evidence.score)}</p>'
            return self._frame("entity", number, body, evidence.id, str(self._places[evidence.id]))
        is_taught = entity.image_url.startswith(SCHEME)
        pair = (("seen", "On your picture"), ("indexed", "As taught" if is_taught else "In the index"))
        figures = "".join(
            f'<figure><img src="{text(self._view.pictures[key])}" alt=""><figcaption>{caption}</figcaption></figure>'
            for key, caption in pair
            if key in self._view.pictures
        )
        pictures = f'<div class="v-pair">{figures}</div>' if figures else ""
        sure = "" if ENTITY in self._state.swapped else f'<p class="v-sure">{render_meter(entity.confidence)}</p>'
        body = f'<p class="v-name">{isolated(entity.name, NAME_CHARS)}</p>{sure}{pictures}'
        return self._frame("entity", number, body, ENTITY, ENTITY, used=True)

    def _frame(
        self, kind: EvidenceKind, number: int | None, body: str, key: str, place: str, *, used: bool = False
    ) -> str:
        off = key in self._state.off
        mark = f'<span class="v-number" aria-label="Evidence {number}">{number}</span>' if number else ""
        anchor = ""
        if number:
            anchor = f' id="{card_id(self._view, number)}" tabindex="-1" data-links="{link(self._view, number)}"'
        shade = (" v-card--used" if number or used else "") + (" v-card--off" if off else "")
        whose = ""
        if key == ENTITY and ENTITY in self._state.swapped and self._state.set_aside is not None:
            whose = f'<p class="v-whose">In place of {isolated(self._state.set_aside.name, NAME_CHARS)}</p>'
        elif key in self._state.swapped:
            whose = f'<p class="v-whose">Swapped for that of {isolated(self._state.swapped[key], NAME_CHARS)}</p>'
        head = f'<p class="v-kind">{mark}{KIND_WORDS[kind]}{" · off" if off else ""}</p>'
        acts = self._acts(kind, place, KIND_WORDS[kind].lower() + (f" {number}" if number else ""), off)
        return f'<li class="v-card v-card--{kind}{shade}"{anchor}>{head}{body}{whose}{acts}</li>'

    def _acts(self, kind: EvidenceKind, place: str, name: str, off: bool) -> str:
        """The card's buttons."""
        if self._view.turn is None:
            return '<div class="v-acts v-acts--later"></div>'

        def button(act: str, words: str, label: str) -> str:
            key = f"{act}-{self._view.number}-{place}"
            return (
                f'<button type="button" class="v-act" data-event="vary" data-turn="{self._view.number}" '
                f'data-act="{act}" data-card="{place}" data-key="{key}" aria-label="{label}">{words}</button>'
            )

        if off:
            return f'<div class="v-acts">{button("on", "Put back", f"Put back: {name}")}</div>'
        acts = button("off", "Switch off", f"Switch off: {name}")
        if kind in ("entity", "attribute", "passage"):
            acts += button("swap", "Swap", f"Swap for a relative's: {name}")
        return f'<div class="v-acts">{acts}</div>'


def render_meter(confidence: float) -> str:
    """A small bar and the words; never 100 % for anything below certainty."""
    percent = round(100 * min(max(confidence, 0.0), 1.0))
    percent = min(percent, 99) if confidence < 1 else percent
    return f'<span class="v-meter" aria-hidden="true"><span style="width:{percent}%"></span></span>{percent} % sure'


def _attribute_body(evidence: Evidence) -> str:
    of = f'<p class="v-source">{isolated(evidence.subject, NAME_CHARS)}</p>' if evidence.subject else ""
    key = spoken_key(str(evidence.key)) or str(evidence.key)
    value = evidence.text if evidence.value is None else _value(evidence.value)
    return f'<dl class="v-fact"><dt>{isolated(key, NAME_CHARS)}</dt><dd>{isolated(value, EVIDENCE_CHARS)}</dd></dl>{of}'


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(v) for v in value)
    return str(value)


def _passage_body(evidence: Evidence, around: tuple[str, str], used: bool) -> str:
    """The passage where it stands on its page, the sentence that was used marked."""
    title = f'<p class="v-name">{isolated(evidence.title, NAME_CHARS)}</p>' if evidence.title else ""
    words = isolated(evidence.text, EVIDENCE_CHARS)
    before, after = (f'<span class="v-around">{isolated(part, 300)}</span>' if part else "" for part in around)
    marked = f"<mark>{words}</mark>" if used else words
    quote = f'<blockquote dir="auto">{before} {marked} {after}</blockquote>'
    return f'{title}{quote}<p class="v-source v-url">{isolated(evidence.source, 300)}</p>'


def _text_body(evidence: Evidence) -> str:
    return f'<blockquote dir="auto">{isolated(evidence.text, EVIDENCE_CHARS)}</blockquote>'
