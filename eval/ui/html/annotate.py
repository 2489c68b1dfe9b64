"""One item of annotation as HTML: the frame, the conversation so far, the answer, and where the label is given.

Pure functions. What people, agents and data say is inert text. assets/style/annotate.js keeps what is chosen and not
sent yet, so that drawing anew takes nothing away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.ui.html.escape import inert, isolated, text
from eval.annotate.values import GRADES, REASONS, WINNERS, Item, Label, Preference, Project, ProjectSettings, State
from eval.metrics.slices import label_text
from eval.ui.state.sample_view import FramePicture

if TYPE_CHECKING:
    from eval.annotate.progress import Progress

GRADE_WORDS: Mapping[str, tuple[str, str]] = {
    "perfect": ("P", "Perfect"), "acceptable": ("A", "Acceptable"), "missing": ("M", "Missing"),
    "incorrect": ("X", "Incorrect"),
}  # fmt: skip
WINNER_WORDS: Mapping[str, tuple[str, str]] = {
    "a": ("1", "A is better"), "b": ("2", "B is better"), "tie": ("3", "Tie"), "both bad": ("4", "Both bad"),
}  # fmt: skip
#: The key of each reason: none of those that grade, move or submit.
REASON_KEYS: Mapping[str, str] = {
    "wrong entity": "E", "wrong fact": "F", "not grounded": "G", "not answering": "N", "unsafe": "V",
    "bad question": "Q", "bad ground truth": "B",
}  # fmt: skip
KEYS: tuple[tuple[str, str], ...] = (
    ("P A M X or 1 2 3 4", "perfect, acceptable, missing, incorrect; of two answers: A, B, tie, both bad"),
    ("E F G N V Q B", "reasons: entity, fact, grounds, no answer, unsafe, bad question, bad ground truth"),
    ("Enter", "submit, and on to the next item; in a text field Ctrl + Enter"),
    ("S", "skip: it comes again at the end, once"),
    ("U", "undo the last label or skip; again for the one before"),
    ("← →", "the item before and after, among those that you have done"),
    ("T", "show or hide the ground truth"),
    ("L", "a real user would have left here"),
    ("C, O", "write the corrected answer, a note; Esc leaves the field"),
    ("H", "show or hide the guideline"),
    ("?", "this list"),
)
_LABELS = ("domain", "query_category", "dynamism", "image_quality")


@dataclass(frozen=True)
class Work:
    """What stands before a person: the item, what they said of it, and where they are.

    swapped: of two answers the second is shown as A. suggestion: a judge's verdict, where the guideline allows it.
    """

    item: Item
    project: str
    person: str
    settings: ProjectSettings
    progress: Progress
    state: State = "open"
    said: Label | Preference | None = None
    guideline_version: int = 0
    earlier: bool = False
    later: bool = False
    truth: bool = False
    swapped: bool = False
    suggestion: str = ""


def render_work(work: Work, picture: FramePicture, *, ack: str = "", notice: str = "") -> str:
    """The whole of one item; `ack` names what was written just now, `notice` is one sentence about it."""
    item, pair = work.item, bool(work.item.other_answer)
    data = {
        "project": item.project, "name": work.project, "item": item.id, "person": work.person, "state": work.state,
        "ack": ack,
        "kind": "pair" if pair else "grade", "guideline": work.guideline_version, "truth": int(work.truth),
        "suggestion": work.suggestion, "chosen": _chosen(work), "reasons": ",".join(_reasons(work.said)),
        "corrected": getattr(work.said, "corrected_answer", ""), "note": getattr(work.said, "note", ""),
        "left": int(bool(getattr(work.said, "left_here", False))),
    }  # fmt: skip
    told = " ".join(f'data-{name}="{text(value)}"' for name, value in data.items())
    return (
        f'<section class="a-work" {told} aria-label="Item to label">{_bar(work, notice)}'
        f'<div class="a-two">{_frame(picture)}<div class="a-case">{_history(item)}'
        f'<h2 class="a-question">{isolated(item.question)}</h2>{_answers(work)}{_truth(work)}{_evidence(item)}'
        f"{_facts(item)}</div></div>{_form(work, pair)}</section>"
    )


def _bar(work: Work, notice: str) -> str:
    progress = work.progress
    done, total = progress.labelled, max(progress.total, progress.labelled)
    share = 100 * done / total if total else 0
    pace = f" · {progress.seconds_per_item:.0f} s an item" if (progress.seconds_per_item or 0) >= 1 else ""
    skipped = f" · {progress.skipped} skipped" if progress.skipped else ""
    states = {"labelled": "labelled", "skipped": "skipped", "open": ""}
    return (
        '<header class="a-bar"><button type="button" class="b-act" data-do="back" aria-label="The item before"'
        f'{"" if work.earlier else " disabled"}>←</button><button type="button" class="b-act" data-do="on" '
        f'aria-label="The item after"{"" if work.later else " disabled"}>→</button>'
        f'<span class="a-progress" role="status"><span class="b-bar"><span style="width:{share:.1f}%"></span></span>'
        f"<b>{done:,}</b> of {total:,}{pace}{skipped}</span>"
        f'<button type="button" class="a-who-is" data-do="who" title="Another project or person">'
        f"{isolated(work.project, 60)} · {isolated(work.person, 60)}</button>"
        f'<span class="a-state">{states[work.state]}</span><span class="a-notice" role="alert">{text(notice)}</span>'
        '<span class="a-tools">'
        '<button type="button" class="b-act" data-do="undo">Undo <kbd>U</kbd></button>'
        '<button type="button" class="b-act" data-do="guideline">Guideline <kbd>H</kbd></button>'
        '<button type="button" class="b-act" data-do="keys" aria-label="Keys">?</button></span></header>'
    )


def _frame(picture: FramePicture) -> str:
    if not picture.uri:
        why = f"No frame: {isolated(picture.problem, 300)}." if picture.problem else "This question has no picture."
        return f'<div class="a-frame a-frame--none v-quiet"><p>{why}</p></div>'
    return (
        f'<figure class="a-frame"><img src="{text(picture.uri)}" alt="The frame of this turn" '
        f'width="{picture.width_px}" height="{picture.height_px}"></figure>'
    )


def _history(item: Item) -> str:
    if not item.history:
        return ""
    turns = "".join(
        f'<li><span class="b-q">{isolated(question, 400)}</span>'
        f'<span class="b-a">{isolated(answer or "…", 600)}</span></li>'
        for question, answer in item.history
    )
    return f'<ol class="a-history" aria-label="The conversation so far">{turns}</ol>'


def _answers(work: Work) -> str:
    item = work.item
    if not item.other_answer:
        said = isolated(item.answer) if item.answer else f'<span class="v-quiet">No answer ({text(item.status)})</span>'
        suggestion = (
            f'<p class="a-suggestion v-quiet">A judge says: {text(work.suggestion)}</p>' if work.suggestion else ""
        )
        return f'<p class="a-answer">{said}</p>{suggestion}'
    first, second = (item.other_answer, item.answer) if work.swapped else (item.answer, item.other_answer)
    return "".join(
        f'<div class="a-one"><b class="a-letter">{letter}</b>'
        f'<p class="a-answer">{isolated(said or "No answer")}</p></div>'
        for letter, said in (("A", first), ("B", second))
    )


def _truth(work: Work) -> str:
    """The ground truth, where it may be seen; else the button that shows it."""
    if not work.truth:
        return (
            '<p class="a-truth a-truth--hidden"><button type="button" class="v-act" data-do="truth">'
            "Show the ground truth</button> <kbd>T</kbd></p>"
        )
    truth = isolated(work.item.ground_truth) if work.item.ground_truth else '<span class="v-quiet">none given</span>'
    return f'<p class="a-truth"><span class="a-name">Ground truth</span> {truth}</p>'


def _evidence(item: Item) -> str:
    if not item.evidence:
        return ""
    pieces = "".join(
        f'<li><span class="b-l">{text(e.kind, 20)} · {isolated(e.source, 160)}</span>'
        f"<p>{isolated(e.text, 900)}</p></li>"
        for e in item.evidence[:40]
    )
    return (
        '<details class="b-evidence a-evidence" data-fold="evidence">'
        f"<summary>Evidence ({len(item.evidence)})</summary><ul>{pieces}</ul></details>"
    )


def _facts(item: Item) -> str:
    told = [label_text(value) for key in _LABELS if (value := getattr(item, key)) is not None]
    return f'<p class="v-quiet a-facts">{" · ".join(isolated(word, 80) for word in told)}</p>' if told else ""


def _form(work: Work, pair: bool) -> str:
    words = WINNER_WORDS if pair else GRADE_WORDS
    numbers: dict[str, int] = {value: n for n, value in enumerate(WINNERS if pair else GRADES, 1)}
    grades = "".join(
        f'<button type="button" class="a-grade a-grade--{value.replace(" ", "-")}" data-grade="{value}" '
        f'aria-pressed="false" title="{numbers[value]}"><kbd>{key}</kbd> {name}</button>'
        for value, (key, name) in words.items()
    )
    reasons = "".join(
        f'<button type="button" class="a-reason" data-reason="{reason}" aria-pressed="false"><kbd>{REASON_KEYS[reason]}'
        f"</kbd> {reason}</button>"
        for reason in REASONS
    )
    written = (
        '<label>Corrected answer <kbd>C</kbd><textarea rows="1" data-field="corrected" maxlength="10000">'
        "</textarea></label>"
        if not pair
        else ""
    )
    more = f'<div class="a-reasons" role="group" aria-label="Reasons">{reasons}</div>' if not pair else ""
    return (
        f'<footer class="a-form"><div class="a-grades" role="group" aria-label="Grade">{grades}</div>{more}'
        f'<div class="a-fields">{written}<label>Note <kbd>O</kbd><textarea rows="1" data-field="note" '
        'maxlength="10000"></textarea></label></div>'
        '<div class="a-acts"><button type="button" class="a-reason" data-do="left" aria-pressed="false"><kbd>L</kbd> '
        'a real user would have left here</button><button type="button" class="b-act" data-do="skip">Skip <kbd>S</kbd>'
        '</button><button type="button" class="a-submit" data-do="submit" disabled>Submit <kbd>Enter</kbd></button>'
        "</div>"
        "</footer>"
    )


def _chosen(work: Work) -> str:
    said = work.said
    if isinstance(said, Preference):
        turned = {"a": "b", "b": "a"} if work.swapped else {}
        return turned.get(said.winner, said.winner)
    return said.grade if said is not None else ""


def _reasons(said: Label | Preference | None) -> Sequence[str]:
    return said.reasons if isinstance(said, Label) else ()


def render_finished(project: Project, person: str, progress: Progress, ack: str = "") -> str:
    """Nothing is left for this person, or nothing was ever there."""
    name = isolated(project.name, 80)
    if project.archived:
        lead, words = "Put away", f"The project {name} was put away: nothing is labelled there."
    elif not progress.labelled and not progress.skipped:
        lead = "Nothing to label"
        words = f"{name} has no items for you: none were added yet, or others have them all at the moment."
    else:
        lead, words = "All done", ""
    pace = f", {progress.seconds_per_item:.0f} s an item" if progress.seconds_per_item is not None else ""
    return (
        f'<section class="a-work a-done" data-state="done" data-ack="{text(ack)}" data-project="{project.id}" '
        f'data-name="{text(project.name)}" data-person="{text(person)}"><h2>{lead}</h2><p>'
        + (words or f"You labelled {progress.labelled:,} items of {name}{pace}. Nothing else waits for you here.")
        + "</p>"
        '<p><button type="button" class="b-act" data-do="back">← Look at them again</button> '
        '<button type="button" class="b-act" data-do="undo">Undo <kbd>U</kbd></button></p></section>'
    )


def render_refused(ack: str) -> str:
    """A label that nothing can be done with: it is not said again."""
    return f'<section class="a-work a-none" data-state="refused" data-ack="{text(ack)}"></section>'


def render_waiting() -> str:
    """Until the server has said which projects there are."""
    return '<section class="a-work a-none" data-state="wait"><p class="v-quiet">Looking for projects …</p></section>'


def render_start(projects: int, may: bool, why: str = "") -> str:
    """Before anything can be labelled: what is missing, in one sentence."""
    if not may:
        words = text(why)
    elif projects:
        words = "Choose a project, say who you are, and begin. Labels are kept as they are given."
    else:
        words = "There is no project yet: make one from a run or from data under “Projects”."
    return f'<section class="a-work a-none" data-state="none"><p>{words}</p></section>'


def render_markdown(markdown: str) -> str:
    """Markdown without HTML of its own and without pictures, so that nothing is loaded for it."""
    from markdown_it import MarkdownIt

    return inert(MarkdownIt("commonmark", {"html": False}).enable("table").disable("image").render(markdown or ""))


def render_guideline(markdown: str, version: int) -> str:
    """A guideline and which version it is."""
    return f'{render_markdown(markdown)}<p class="v-quiet">Version {version}</p>'


def render_keys() -> str:
    """What the keyboard does, in a dialog that the script opens."""
    rows = "".join(f"<tr><th><kbd>{text(key)}</kbd></th><td>{text(what)}</td></tr>" for key, what in KEYS)
    return f'<dialog class="a-keys" aria-label="Keys"><h2>Keys</h2><table>{rows}</table></dialog>'
