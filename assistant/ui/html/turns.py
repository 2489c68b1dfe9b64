"""Turns of a conversation as HTML: pure functions of values, nothing remembered, nothing fetched.

Every string that this package did not write goes through `assistant.ui.html.escape`. Classes begin with `v-` and are
styled by assets/style/vitrine.css. Buttons carry `data-` attributes; assets/style/live.js hands them to the page.
"""

from __future__ import annotations

from collections.abc import Sequence

from assistant.core.placeholders import PLACEHOLDER
from assistant.core.types import Ground, Sentence, Status
from assistant.text.english import sentence_of
from assistant.ui.html.escape import isolated, text
from assistant.ui.html.evidence import card_id, card_numbers, link, render_evidence, source_of
from assistant.ui.html.frame import render_thumb
from assistant.ui.html.marks import render_marks
from assistant.ui.html.timings import render_times
from assistant.ui.state.pictures import DRAFT_SIDE_PX, PLACED_SIDE_PX, of_evidence
from assistant.ui.state.turn_view import TurnView, follow_ups, what_would_help
from assistant.ui.state.variations import SETTINGS, UNDER_PROFILE

#: What is shown of a question and of an answer; the rest is counted, not hidden silently.
QUESTION_CHARS, ANSWER_CHARS, CAPTION_CHARS = 2000, 2000, 300

#: So many turns before the last are shown, the older ones are folded.
UNFOLDED = 3

#: Where no other profile is set up; the badge in the head says how to get one.
ALONE = "Another profile is not set up here: the badge at the top says how to get one."

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


def render_turn(view: TurnView) -> str:
    """One turn: question, answer or progress, evidence, times."""
    state = view.turn.answer.status if view.turn else "live"
    busy = ' aria-busy="true"' if view.varied is not None and view.varied.busy else ""
    return (
        f'<article class="v-turn v-turn--{state}" id="turn-{view.number}" aria-label="Turn {view.number}"{busy}>'
        f"{_question(view)}{render_marks(view)}{_varied(view)}{_answer(view)}{_found(view)}{render_times(view)}</article>"
    )


def _found(view: TurnView) -> str:
    """The evidence and what else it answers; where there is no answer, first what can be asked instead."""
    evidence, asks = render_evidence(view), _follow_ups(view)
    return evidence + asks if view.turn is None or view.turn.answer.status == "answered" else asks + evidence


def render_turns(views: Sequence[TurnView]) -> str:
    """Earlier turns; of a long conversation the older ones folded."""
    older, newer = views[:-UNFOLDED], views[-UNFOLDED:]
    shown = "".join(render_turn(view) for view in newer)
    if not older:
        return shown
    count = f"{len(older)} earlier question{'s' if len(older) > 1 else ''}"
    folded = "".join(render_turn(view) for view in older)
    return f'<details class="v-earlier" data-key="earlier"><summary>{count}</summary>{folded}</details>{shown}'


def _question(view: TurnView) -> str:
    words = f'<h2 dir="auto">{isolated(view.question, QUESTION_CHARS)}</h2>{_receipt(view)}'
    return f'<header class="v-question">{render_thumb(view)}<div>{words}</div></header>'


def _receipt(view: TurnView) -> str:
    """Which frame of the camera the question is about: when it was taken, and the beginning of its hash."""
    if view.age_s is None:
        return ""
    age = f"{view.age_s:.1f} s before the question ended"
    return f'<p class="v-receipt">Frame <code>{text(view.digest[:8])}</code>, {age}</p>'


def _varied(view: TurnView) -> str:
    """What the visitor changed, what was answered before, and the way back."""
    if view.varied is None:
        return ""
    if view.varied.busy:
        return '<p class="v-varied"><span class="v-pulse" aria-hidden="true"></span>Answering again …</p>'
    changes = "".join(f"<li>{isolated(words, 160)}</li>" for words in view.varied.changes)
    listed = f'<ul class="v-changes" aria-label="Changed">{changes}</ul>'
    buttons = _button("undo", view.number, "Undo", "v-act")
    if len(view.varied.changes) > 1:
        buttons += _button("restore", view.number, "Back to the first answer", "v-act")
    first = f'<p class="v-first"><span class="v-quiet">At first:</span> {isolated(view.varied.first, 300)}</p>'
    return (
        f'<div class="v-varied" role="group" aria-label="Answered with a change">{listed}{first}'
        f'<div class="v-acts">{buttons}</div></div>'
    )


def _button(event: str, number: int, words: str, look: str, act: str = "") -> str:
    """A button of a turn, which live.js hands to the page as `event`."""
    acted = f' data-act="{act}"' if act else ""
    key = f"{event}-{number}" + (f"-{act}" if act else "")
    return (
        f'<button type="button" class="{look}" data-event="{event}" data-turn="{number}"{acted} '
        f'data-key="{key}">{words}</button>'
    )


def _answer(view: TurnView) -> str:
    if view.turn is None:
        draft = (
            f'<span class="v-draft" title="{DRAFT_WORDS}">{isolated(view.draft, ANSWER_CHARS)}</span>'
            if view.draft
            else ""
        )
        said = _said(view, draft)
        return f'<div class="v-said">{said}{_progress(view)}</div>'
    answer = view.turn.answer
    if answer.status == "answered" and view.sentences:
        said = _said(view)
    else:
        words = answer.text or sentence_of(answer.reason)
        said = f'<p class="v-answer" dir="auto">{isolated(words, ANSWER_CHARS)}</p>'
    help_line = what_would_help(view)
    helped = f'<p class="v-help">{isolated(help_line)}</p>' if help_line else ""
    tag = f'<span class="v-tag">{STATUS_WORDS[answer.status]}</span>'
    return f'<div class="v-said">{said}{helped}{_ways_on(view)}<div class="v-verdict">{tag}{_acts(view)}</div></div>'


def _ways_on(view: TurnView) -> str:
    """What may help where a picture was seen and the question not answered: teaching the thing, asking a model."""
    if view.turn is None or view.turn.answer.status != "abstained" or view.seen is None:
        return ""
    ways = []
    if view.recognition.entity is None:
        ways.append('<button type="button" class="v-way" data-open="teach">Teach this</button>')
    models = [(act, words) for act, words in _profiles(view) if act != f"{UNDER_PROFILE}embedded"]
    ways += [
        _button("vary", view.number, f"Ask a model <span>{text(words, 160)}</span>", "v-way", act)
        for act, words in models
    ]
    if not view.others:
        ways.append('<button type="button" class="v-way" data-open="model">Get a model</button>')
    return f'<div class="v-ways" role="group" aria-label="What may help">{"".join(ways)}</div>' if ways else ""


def _acts(view: TurnView) -> str:
    """What can be done with an answer: hear it, copy it, ask again otherwise."""
    assert view.turn is not None
    acts = []
    if view.turn.answer.text:
        acts.append(f'<button type="button" class="v-act" data-speak="{view.number}">Read aloud</button>')
        acts.append('<button type="button" class="v-act" data-copy>Copy</button>')
    acts.append(_button("save", view.number, "Save", "v-act"))
    if view.turn.answer.status in ("cancelled", "error", "timeout"):
        asked = text(view.question, QUESTION_CHARS)
        acts.append(f'<button type="button" class="v-act" data-ask="{asked}">Ask again</button>')
        acts += [_button("vary", view.number, text(words, 160), "v-act", act) for act, words in _profiles(view)]
        return "".join(acts)
    choices = [(act, SETTINGS[act][0]) for act in settings_for(view)] + _profiles(view)
    listed = "".join(
        f"<li>{_button('vary', view.number, text(words, 160), 'v-choice', act)}</li>" for act, words in choices
    )
    alone = "" if view.others else f'<li class="v-alone">{ALONE}</li>'
    acts.append(
        f'<details class="v-menu" data-key="again-{view.number}"><summary class="v-act">Ask again …</summary>'
        f"<ul>{listed}{alone}</ul></details>"
    )
    return "".join(acts)


def _profiles(view: TurnView) -> list[tuple[str, str]]:
    """The acts that ask again with another profile, and the words of their buttons."""
    now = view.varied.profile if view.varied is not None else ""
    return [(f"{UNDER_PROFILE}{name}", words) for name, words in view.others if name != now]


def settings_for(view: TurnView) -> tuple[str, ...]:
    """The settings that would make a difference to this turn."""
    found = []
    if view.region_px is not None:
        found.append("whole")
    if view.seen is not None and view.seen.corrections:
        found.append("as-taken")
    if view.seen is not None and (view.seen.texts or view.seen.codes):
        found.append("unread")
    if any(stage.stage == "check" and stage.state == "done" for stage in view.stages):
        found.append("unchecked")
    gone = set() if view.varied is None else set(view.varied.changes)
    return tuple(act for act in found if SETTINGS[act][1] not in gone)


DRAFT_WORDS = "Being written; not checked yet"
#: What a sentence without evidence rests on, in words; the first of each turn explains itself on hover.
GROUND_WORDS: dict[Ground, tuple[str, str]] = {
    "picture": ("seen", "The model says that it sees this in the picture. Nothing here could check it."),
    "memory": ("from memory, not checked", "The model knows this from elsewhere. Nothing that was found confirms it."),
}


def _said(view: TurnView, draft: str = "") -> str:
    """The sentences and what is being written; pictures stand between the paragraphs that they part."""
    if all(sentence.picture is None for sentence in view.sentences):
        words = " ".join(filter(None, (*(_sentence(view, n) for n in range(len(view.sentences))), draft)))
        return f'<p class="v-answer" dir="auto">{words}</p>' if words else ""
    paragraphs: list[list[str]] = [[]]
    blocks: list[str] = []
    for n, sentence in enumerate(view.sentences):
        if sentence.picture is None:
            paragraphs[-1].append(_sentence(view, n))
        else:
            blocks += [_paragraph(paragraphs[-1]), _placed(view, n)]
            paragraphs.append([])
    blocks.append(_paragraph([*paragraphs[-1], *filter(None, [draft])]))
    return f'<div class="v-answer v-answer--pictured">{"".join(blocks)}</div>'


def _paragraph(sentences: Sequence[str]) -> str:
    return f'<p dir="auto">{" ".join(sentences)}</p>' if sentences else ""


def _sentence(view: TurnView, place: int) -> str:
    """A sentence, followed by the numbers of the cards that carry it, or by what else it rests on."""
    sentence = view.sentences[place]
    links, marks = _marks(view, sentence)
    words = _with_tail(sentence.text, marks)
    return f'<span class="v-sentence" data-sentence="{place + 1}" data-links="{links}">{words}</span>'


def _marks(view: TurnView, sentence: Sentence) -> tuple[str, str]:
    """The words that link a sentence to its cards, and its marks."""
    numbers = card_numbers(view)
    of = list(dict.fromkeys(numbers[i] for i in sentence.evidence_ids))
    marks = "".join(
        f'<button type="button" class="v-cite" data-goto="{card_id(view, n)}" data-links="{link(view, n)}" '
        f'aria-label="Evidence {n}">{n}</button>'
        for n in of
    )
    if sentence.ground in GROUND_WORDS:
        words, meaning = GROUND_WORDS[sentence.ground]
        marks += f'<span class="v-ground v-ground--{sentence.ground}" title="{text(meaning)}">{words}</span>'
    return " ".join(link(view, n) for n in of), marks


def _placed(view: TurnView, place: int) -> str:
    """A picture between sentences: its bytes come from the evidence, its caption and its source stand under it."""
    sentence = view.sentences[place]
    links, marks = _marks(view, sentence)
    found = PLACEHOLDER.fullmatch(sentence.text)
    caption = found["caption"] if found is not None else ""
    cards = view.varied.cards if view.varied is not None else ()
    piece = next((e for e in (*view.evidence, *cards) if e.id == sentence.picture), None)
    side_px = PLACED_SIDE_PX if view.turn is not None else DRAFT_SIDE_PX
    drawn = of_evidence(piece.picture, side_px) if piece is not None and piece.picture else None
    shown = '<p class="v-quiet">This picture is not at hand.</p>'
    if drawn is not None:
        alt = text(caption or "A picture of the page that is named below", CAPTION_CHARS)
        size = f'width="{drawn.width_px}" height="{drawn.height_px}"'
        shown = f'<img src="{text(drawn.uri)}" {size} alt="{alt}">'
    words = isolated(caption, CAPTION_CHARS) if caption else ""
    source = f'<span class="v-placed-source">{source_of(piece)}</span>' if piece is not None else ""
    return (
        f'<figure class="v-placed" data-sentence="{place + 1}" data-links="{links}">{shown}'
        f'<figcaption dir="auto">{words}{marks}{source}</figcaption></figure>'
    )


def _with_tail(words: str, marks: str) -> str:
    """The sentence with its marks, which never stand alone on a line: they hold on to a short last word."""
    head, space, last = words.rstrip().rpartition(" ")
    if not marks or not head or len(last) > 24 or not words.isascii():  # other scripts may run the other way
        return isolated(words, ANSWER_CHARS) + marks
    return f'{isolated(head, ANSWER_CHARS)}{space}<span class="v-tail">{isolated(last)}{marks}</span>'


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
