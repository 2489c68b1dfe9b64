"""The evidence of a turn as HTML: cards that are linked to the sentences they carry, and can be switched off.

Pure functions, like `assistant.ui.html.turns`. Elements that speak of the same piece carry the same word in
`data-links` ("t3-2": turn 3, card 2); the page's script lights them up together. Buttons name a card by its place in
the evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from assistant.core.types import Candidate, Evidence, EvidenceKind
from assistant.recognition.taught_images import SCHEME
from assistant.text.attribute_keys import spoken_key
from assistant.ui.html.escape import isolated, text
from assistant.ui.state.pictures import CARD_SIDE_PX, of_evidence
from assistant.ui.state.turn_view import TurnView, Varied
from assistant.ui.state.variations import ENTITY, SWAP

#: What is shown of a piece of evidence and of a name; the rest is counted, not hidden silently.
EVIDENCE_CHARS, NAME_CHARS = 700, 120

#: A page of small print is not a list of cards, nor all to be shown on one.
MAX_CARDS = 40

KIND_WORDS = {
    "entity": "Recognised",
    "attribute": "Known fact",
    "passage": "Page",
    "text": "Read on the picture",
    "picture": "Picture",
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
    """Evidence id to the number of its card: the lines read on the picture share one, and what stands on one page."""
    pieces = {e.id: e for e in (*view.evidence, *(view.varied.cards if view.varied else ()))}
    cards: dict[str, int] = {}
    return {i: cards.setdefault(_place(pieces[i]) if i in pieces else i, len(cards) + 1) for i in view.used_ids}


def _place(piece: Evidence) -> str:
    """Where a piece stands; what stands at one place is one card."""
    if piece.kind == "text":
        return "the picture"
    return f"page {piece.source}" if piece.kind == "passage" else piece.id


def _together(pieces: Iterable[Evidence]) -> list[list[Evidence]]:
    """Pieces by place, in the order of the first of each."""
    groups: dict[str, list[Evidence]] = {}
    for piece in pieces:
        groups.setdefault(_place(piece), []).append(piece)
    return list(groups.values())


def render_evidence(view: TurnView) -> str:
    """One line of sources, and folded in it the cards the answer rests on, what was recognised among them; everything
    else that was found, folded.

    They are there as soon as they are found; they can be switched off once the turn is finished.
    """
    state = view.varied or Varied(cards=view.evidence)
    order, places = card_numbers(view), {e.id: n for n, e in enumerate(state.cards)}
    used = sorted((e for e in state.cards if e.id in order), key=lambda e: (order[e.id], places[e.id]))
    changed = [e for e in state.cards if e.id not in order and (e.id in state.off or e.id in state.swapped)]
    entity = state.set_aside if ENTITY in state.off else _recognised(view, used)
    shown = {e.id for e in (*used, *changed)}
    others = [e for e in state.cards if e.id not in shown and not (entity and _is_of(e, entity))]
    others.sort(key=lambda e: e.kind == "passage")  # what is small before what is wide
    deck = _Deck(view, state, places)
    cards = deck.entity(entity, None, None) if entity is not None else ""
    cards += "".join(deck.card(pieces, order[pieces[0].id]) for pieces in _together(used))
    cards += "".join(deck.card(pieces, None) for pieces in _together(changed))
    parts = []
    if cards:
        line = _sources(used, order) or (isolated(entity.name, NAME_CHARS) if entity is not None else "")
        title = "Sources" if used or view.turn is None else "What was recognised"
        title = "What was changed" if changed and not used else title
        told = f' <span class="v-source-line">{line}</span>' if line else ""
        is_open = " open" if changed else ""
        parts.append(
            f'<details class="v-sources" data-key="sources-{view.number}"{is_open}><summary><span class="v-sources-of">'
            f'{title}</span>{told}</summary><ul class="v-cards">{cards}</ul></details>'
        )
    if others:
        parts.append(_others(view, deck, _together(others), "Also looked at" if cards else "What was looked at"))
    return f'<section class="v-evidence" aria-label="Evidence">{"".join(parts)}</section>' if parts else ""


def _sources(used: Sequence[Evidence], order: Mapping[str, int]) -> str:
    """The sources in a few words each, with their numbers."""
    told = [
        f'<span class="v-source-of"><span class="v-number">{order[group[0].id]}</span> {_in_short(group[0])}</span>'
        for group in _together(used)
    ]
    return " ".join(told)


def _in_short(piece: Evidence) -> str:
    if piece.kind == "attribute" and piece.key:
        return isolated(spoken_key(str(piece.key)) or str(piece.key), NAME_CHARS)
    if piece.kind == "passage":
        return isolated(piece.title or piece.source, NAME_CHARS)
    if piece.kind == "entity":
        return isolated(piece.subject or piece.text, NAME_CHARS)
    if piece.kind == "picture" and piece.text:
        return isolated(piece.text, NAME_CHARS)
    return KIND_WORDS[piece.kind].lower()


def _others(view: TurnView, deck: _Deck, groups: Sequence[Sequence[Evidence]], title: str) -> str:
    """Everything else that was found, folded."""
    shown = groups[:MAX_CARDS] if view.turn is not None else []  # not drawn again with every event
    cards = "".join(deck.card(pieces, None) for pieces in shown)
    more = f'<li class="v-more">and {len(groups) - MAX_CARDS} more</li>' if shown and len(groups) > MAX_CARDS else ""
    return (
        f'<details class="v-others" data-key="others-{view.number}"><summary>{title} '
        f'<span class="v-count">{len(groups)}</span></summary><ul class="v-cards">{cards}{more}</ul></details>'
    )


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

    def card(self, pieces: Sequence[Evidence], number: int | None) -> str:
        """Pieces that stand at one place."""
        entity, first = self._view.recognition.entity, pieces[0]
        if first.kind == "entity":
            return self.entity(entity if entity is not None and _is_of(first, entity) else None, first, number)
        if first.kind == "passage":
            body = _page_body(pieces, self._view.contexts, number is not None)
        elif first.kind == "picture":
            body = _picture_body(first)
        else:
            body = _attribute_body(first) if first.key is not None else _text_body(pieces)
        place = ",".join(str(self._places[piece.id]) for piece in pieces)
        return self._frame(first.kind, number, body, [piece.id for piece in pieces], place)

    def entity(self, entity: Candidate | None, evidence: Evidence | None, number: int | None) -> str:
        """What was recognised, with both pictures; or another entity that stands in the evidence."""
        if entity is None:
            assert evidence is not None  # callers have one or the other
            body = f'<p class="v-name">{isolated(evidence.subject or evidence.text, NAME_CHARS)}</p>'
            body += f'<p class="v-sure">{render_meter(evidence.score)}</p>'
            return self._frame("entity", number, body, [evidence.id], str(self._places[evidence.id]))
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
        return self._frame("entity", number, body, [ENTITY], ENTITY, used=True)

    def _frame(
        self, kind: EvidenceKind, number: int | None, body: str, keys: Sequence[str], place: str, *, used: bool = False
    ) -> str:
        off = all(key in self._state.off for key in keys)
        mark = f'<span class="v-number" aria-label="Evidence {number}">{number}</span>' if number else ""
        anchor = ""
        if number:
            anchor = f' id="{card_id(self._view, number)}" tabindex="-1" data-links="{link(self._view, number)}"'
        shade = (" v-card--used" if number or used else "") + (" v-card--off" if off else "")
        whose, key = "", keys[0]
        if key == ENTITY and ENTITY in self._state.swapped and self._state.set_aside is not None:
            whose = f'<p class="v-whose">In place of {isolated(self._state.set_aside.name, NAME_CHARS)}</p>'
        elif key in self._state.swapped:
            whose = f'<p class="v-whose">Replaced by that of {isolated(self._state.swapped[key], NAME_CHARS)}</p>'
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
        acts = button("off", "Remove", f"Remove: {name}")
        if kind in ("entity", "attribute", "passage") and "," not in place:
            offers = self._view.offers.get(place, ())
            acts += (
                f'<button type="button" class="v-act" data-event="offer" data-turn="{self._view.number}" '
                f'data-card="{place}" data-key="offer-{self._view.number}-{place}" aria-expanded="'
                f'{"true" if offers else "false"}" aria-label="Replace: {name}">Replace with …</button>'
            )
            if offers:
                chosen = "".join(
                    f"<li>{button(f'{SWAP}{n}', _offer_words(*offer), f'Replace with {text(offer[0])}: {name}')}</li>"
                    for n, offer in enumerate(offers)
                )
                return f'<div class="v-acts">{acts}</div><ul class="v-offers" aria-label="Replace with">{chosen}</ul>'
        return f'<div class="v-acts">{acts}</div>'


def _offer_words(name: str, value: str) -> str:
    said = f": {isolated(value, NAME_CHARS)}" if value else ""
    return isolated(name, NAME_CHARS) + said


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


def _page_body(pieces: Sequence[Evidence], contexts: Mapping[str, tuple[str, str]], used: bool) -> str:
    """Passages where they stand on their page, the sentences that were used marked."""
    first, quotes = pieces[0], []
    for piece in pieces:
        words = isolated(piece.text, EVIDENCE_CHARS)
        around = contexts.get(piece.id, ("", ""))
        before, after = (f'<span class="v-around">{isolated(part, 300)}</span>' if part else "" for part in around)
        marked = f"<mark>{words}</mark>" if used else words
        quotes.append(f'<blockquote dir="auto">{before} {marked} {after}</blockquote>')
    title = f'<p class="v-name">{isolated(first.title, NAME_CHARS)}</p>' if first.title else ""
    return f'{title}{"".join(quotes)}<p class="v-source v-url">{isolated(first.source, 300)}</p>'


def source_of(piece: Evidence) -> str:
    """Where a picture is from, in a few words: the name of its page, or its address."""
    return isolated(piece.title or piece.source, NAME_CHARS)


def _picture_body(piece: Evidence) -> str:
    """A picture of a page, what the page says under it, and where it is from."""
    drawn = of_evidence(piece.picture, CARD_SIDE_PX) if piece.picture else None
    shown = f'<img class="v-card-picture" src="{text(drawn.uri)}" alt="">' if drawn is not None else ""
    words = f'<blockquote dir="auto">{isolated(piece.text, EVIDENCE_CHARS)}</blockquote>' if piece.text else ""
    title = f'<p class="v-name">{isolated(piece.title, NAME_CHARS)}</p>' if piece.title else ""
    return f'{shown}{words}{title}<p class="v-source v-url">{isolated(piece.source, 300)}</p>'


def _text_body(pieces: Sequence[Evidence]) -> str:
    """The lines as they stand on the picture."""
    lines = "\n".join(isolated(piece.text, EVIDENCE_CHARS) for piece in pieces[:MAX_CARDS])
    more = f'<p class="v-more">and {len(pieces) - MAX_CARDS} more lines</p>' if len(pieces) > MAX_CARDS else ""
    return f'<blockquote dir="auto">{lines}</blockquote>{more}'
