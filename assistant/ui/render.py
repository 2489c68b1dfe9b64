"""Turns of a conversation as HTML: pure functions of values, nothing remembered, nothing fetched.

Every string that this package did not write goes through `assistant.ui.inert`. Classes begin with `v-` and are
styled by assets/style/vitrine.css. Buttons carry `data-` attributes; `assistant.ui.live` listens for them.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.conversation import Candidate, Evidence, EvidenceKind, Status
from assistant.ui.inert import isolated, text
from assistant.ui.turn_view import StageView, TurnView, follow_ups, what_would_help

#: What is shown of a question, an answer, a piece of evidence, a name; the rest is counted, not hidden silently.
QUESTION_CHARS, ANSWER_CHARS, EVIDENCE_CHARS, NAME_CHARS = 2000, 2000, 700, 120

#: A page of small print is not a list of cards.
MAX_CARDS = 40

STATUS_WORDS: dict[Status, str] = {
    "answered": "Answered",
    "abstained": "Does not know",
    "retake": "Needs another picture",
    "refused": "Refused",
    "timeout": "Took too long",
    "cancelled": "Stopped",
    "error": "Failed",
}
STAGE_WORDS = {
    "look": "Looking",
    "recognise": "Recognising",
    "plan": "Planning",
    "retrieve": "Searching",
    "answer": "Answering",
    "check": "Checking",
    "speak": "Speaking",
}
KIND_WORDS = {
    "entity": "Recognised",
    "attribute": "Known fact",
    "passage": "Page",
    "text": "Read on the picture",
    "code": "Code on the picture",
    "taught": "Taught",
}


def render_turn(view: TurnView) -> str:
    """One turn: question, answer or progress, evidence, times."""
    state = view.turn.answer.status if view.turn else "live"
    return (
        f'<article class="v-turn v-turn--{state}" id="turn-{view.number}" aria-label="Turn {view.number}">'
        f"{_question(view)}{_answer(view)}{_follow_ups(view)}{render_evidence(view)}{render_times(view)}</article>"
    )


def render_turns(views: Sequence[TurnView]) -> str:
    return "".join(render_turn(view) for view in views)


def _question(view: TurnView) -> str:
    thumb = ""
    if "frame" in view.pictures:
        thumb = f'<img class="v-thumb" src="{text(view.pictures["frame"])}" alt="The picture this was asked about">'
    return f'<header class="v-question">{thumb}<h2 dir="auto">{isolated(view.question, QUESTION_CHARS)}</h2></header>'


def _answer(view: TurnView) -> str:
    if view.turn is None:
        said = f'<p class="v-answer" dir="auto">{_sentences(view)}</p>' if view.sentences else ""
        return f'<div class="v-said">{said}{_progress(view)}</div>'
    answer = view.turn.answer
    if answer.status == "answered" and view.sentences:
        said = f'<p class="v-answer" dir="auto">{_sentences(view)}</p>'
    else:
        words = answer.text or (answer.reason[:1].upper() + answer.reason[1:])
        words = words if words.endswith((".", "!", "?")) or not words else f"{words}."
        said = f'<p class="v-answer" dir="auto">{isolated(words, ANSWER_CHARS)}</p>'
    help_line = what_would_help(view)
    helped = f'<p class="v-help">{isolated(help_line)}</p>' if help_line else ""
    tag = f'<span class="v-tag">{STATUS_WORDS[answer.status]}</span>'
    speak = ""
    if answer.text:
        speak = f'<button type="button" class="v-speak" data-speak="{view.number}">Read aloud</button>'
    return f'<div class="v-said">{said}{helped}<p class="v-verdict">{tag}{speak}</p></div>'


def _sentences(view: TurnView) -> str:
    """The sentences, each followed by the numbers of the cards that carry it."""
    numbers = {evidence_id: n for n, evidence_id in enumerate(view.used_ids, 1)}
    parts = []
    for sentence in view.sentences:
        marks = "".join(
            f'<button type="button" class="v-cite" data-goto="{_card_id(view, numbers[i])}" '
            f'aria-label="Evidence {numbers[i]}">{numbers[i]}</button>'
            for i in dict.fromkeys(sentence.evidence_ids)
        )
        parts.append(f'<span class="v-sentence">{isolated(sentence.text, ANSWER_CHARS)}{marks}</span>')
    return " ".join(parts)


def _card_id(view: TurnView, number: int) -> str:
    return f"turn-{view.number}-card-{number}"


def _progress(view: TurnView) -> str:
    """The stages as a row of steps, the running ones marked."""
    if view.waiting:
        return f'<p class="v-waiting"><span class="v-pulse" aria-hidden="true"></span>{isolated(view.waiting)}</p>'
    steps = "".join(f'<li class="v-step v-step--{s.state}">{STAGE_WORDS[s.stage]}</li>' for s in view.stages)
    return f'<ol class="v-steps" aria-label="Progress">{steps}</ol>'


def _follow_ups(view: TurnView) -> str:
    asks = follow_ups(view)
    if not asks:
        return ""
    chips = "".join(f'<button type="button" class="v-chip" data-ask="{text(q)}">{isolated(q)}</button>' for q in asks)
    return f'<div class="v-followups" role="group" aria-label="Questions the evidence can answer">{chips}</div>'


# evidence


def render_evidence(view: TurnView) -> str:
    """The cards the answer rests on, open, what was recognised among them; everything else that was found, folded."""
    if view.turn is None:
        return ""
    order = {evidence_id: n for n, evidence_id in enumerate(view.used_ids, 1)}
    used = sorted((e for e in view.evidence if e.id in order), key=lambda e: order[e.id])
    entity = _recognised(view, used)
    others = [e for e in view.evidence if e.id not in order and not (entity and _is_of(e, entity))]
    cards = _entity_card(view, entity, None, None) if entity else ""
    cards += "".join(_card(view, e, order[e.id]) for e in used)
    parts = []
    if cards:
        title = "What this rests on" if used else "What was recognised"
        parts.append(f'<h3>{title}</h3><ul class="v-cards">{cards}</ul>')
    if others:
        title = "Also looked at" if cards else "What was looked at"
        cards = "".join(_card(view, e, None) for e in others[:MAX_CARDS])
        more = f'<li class="v-more">and {len(others) - MAX_CARDS} more</li>' if len(others) > MAX_CARDS else ""
        parts.append(
            f'<details class="v-others"><summary>{title} <span class="v-count">{len(others)}</span></summary>'
            f'<ul class="v-cards">{cards}{more}</ul></details>'
        )
    return f'<section class="v-evidence" aria-label="Evidence">{"".join(parts)}</section>' if parts else ""


def _recognised(view: TurnView, used: Sequence[Evidence]) -> Candidate | None:
    """The recognised entity, when the turn was about it and no sentence names its card anyway."""
    entity = view.recognition.entity
    if entity is None or view.turn is None or any(_is_of(e, entity) for e in used):
        return None
    return entity if not view.turn.subjects or entity.name in view.turn.subjects else None


def _is_of(evidence: Evidence, entity: Candidate) -> bool:
    return evidence.kind == "entity" and (evidence.subject or evidence.text) == entity.name


def _card(view: TurnView, evidence: Evidence, number: int | None) -> str:
    entity = view.recognition.entity
    if evidence.kind == "entity":
        about = entity if entity is not None and _is_of(evidence, entity) else None
        return _entity_card(view, about, evidence, number)
    body = {"attribute": _attribute_body, "passage": _passage_body}.get(evidence.kind, _text_body)
    return _frame_card(view, evidence.kind, number, body(evidence))


def _frame_card(view: TurnView, kind: EvidenceKind, number: int | None, body: str, *, used: bool = False) -> str:
    mark = f'<span class="v-number" aria-label="Evidence {number}">{number}</span>' if number else ""
    anchor = f' id="{_card_id(view, number)}" tabindex="-1"' if number else ""
    shade = " v-card--used" if number or used else ""
    head = f'<p class="v-kind">{mark}{KIND_WORDS[kind]}</p>'
    return f'<li class="v-card v-card--{kind}{shade}"{anchor}>{head}{body}</li>'


def _entity_card(view: TurnView, entity: Candidate | None, evidence: Evidence | None, number: int | None) -> str:
    """What was recognised on this picture, with both pictures; or another entity that stands in the evidence."""
    if entity is not None:
        name, confidence = entity.name, entity.confidence
    else:
        assert evidence is not None  # callers have one or the other
        name, confidence = evidence.subject or evidence.text, evidence.score
    pictures = ""
    if entity is not None:
        pair = (("seen", "On your picture"), ("indexed", "In the index"))
        pictures = "".join(
            f'<figure><img src="{text(view.pictures[key])}" alt=""><figcaption>{caption}</figcaption></figure>'
            for key, caption in pair
            if key in view.pictures
        )
        pictures = f'<div class="v-pair">{pictures}</div>' if pictures else ""
    sure = f'<p class="v-sure">{render_meter(confidence)}</p>'
    body = f'<p class="v-name">{isolated(name, NAME_CHARS)}</p>{sure}{pictures}'
    return _frame_card(view, "entity", number, body, used=entity is not None)


def render_meter(confidence: float) -> str:
    """A small bar and the words; never 100 % for anything below certainty."""
    percent = round(100 * min(max(confidence, 0.0), 1.0))
    percent = min(percent, 99) if confidence < 1 else percent
    return f'<span class="v-meter" aria-hidden="true"><span style="width:{percent}%"></span></span>{percent} % sure'


def _attribute_body(evidence: Evidence) -> str:
    if evidence.key is None:
        return _text_body(evidence)
    of = f'<p class="v-source">{isolated(evidence.subject, NAME_CHARS)}</p>' if evidence.subject else ""
    key = evidence.key.replace("_", " ")
    value = evidence.text if evidence.value is None else _value(evidence.value)
    return f'<dl class="v-fact"><dt>{isolated(key, NAME_CHARS)}</dt><dd>{isolated(value, EVIDENCE_CHARS)}</dd></dl>{of}'


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(str(v) for v in value)
    return str(value)


def _passage_body(evidence: Evidence) -> str:
    title = f'<p class="v-name">{isolated(evidence.title, NAME_CHARS)}</p>' if evidence.title else ""
    quote = f'<blockquote dir="auto">{isolated(evidence.text, EVIDENCE_CHARS)}</blockquote>'
    return f'{title}{quote}<p class="v-source v-url">{isolated(evidence.source, 300)}</p>'


def _text_body(evidence: Evidence) -> str:
    return f'<blockquote dir="auto">{isolated(evidence.text, EVIDENCE_CHARS)}</blockquote>'


# times


def render_times(view: TurnView) -> str:
    """A strip with each stage's own time, their sum, and the time the visitor waited."""
    if view.turn is None:
        return ""
    done = [s for s in view.stages if s.state == "done"]
    total = sum(s.ms for s in done)
    if not done:
        return ""
    bar = "".join(
        f'<span class="v-seg v-seg--{s.stage}" style="flex-grow:{max(s.ms, total * 0.004):.2f}"></span>' for s in done
    )
    rows = "".join(f"<li>{_time(s)}</li>" for s in done)
    wall = f" · you waited {_ms(view.wall_ms)}" if view.wall_ms else ""
    return (
        f'<footer class="v-times" aria-label="Times"><div class="v-bar" aria-hidden="true">{bar}</div>'
        f'<ul>{rows}<li class="v-sum">sum {_ms(total)}{wall}</li></ul></footer>'
    )


def _time(stage: StageView) -> str:
    note = f' title="{text(stage.note, 200)}"' if stage.note else ""
    dot = f'<span class="v-dot v-seg--{stage.stage}" aria-hidden="true"></span>'
    return f"{dot}<span{note}>{stage.stage}</span> {_ms(stage.ms)}"


def _ms(ms: float) -> str:
    if ms < 0.5:
        return "0 ms"
    return f"{ms:.0f} ms" if ms < 1000 else f"{ms / 1000:.2f} s"
