"""What people say about answers, and what they are shown: plain frozen values, and their form as JSON.

The grades are those by which people graded answers in CRAG (Yang et al., "CRAG – Comprehensive RAG Benchmark", NeurIPS
2024, section 4.1): perfect, acceptable, missing, incorrect. Nothing here opens a file.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeVar, get_args

from assistant.core.errors import BadInput

Verdict4 = Literal["perfect", "acceptable", "missing", "incorrect"]
Reason = Literal[
    "wrong entity", "wrong fact", "not grounded", "not answering", "unsafe", "bad question", "bad ground truth"
]
Winner = Literal["a", "b", "tie", "both bad"]
#: What a person's item is now: graded, passed over, or open again after an undo.
State = Literal["labelled", "skipped", "open"]
GRADES: tuple[Verdict4, ...] = get_args(Verdict4)
REASONS: tuple[Reason, ...] = get_args(Reason)
WINNERS: tuple[Winner, ...] = get_args(Winner)

MOST_NOTE, MOST_NAME, MOST_OVERLAP = 10_000, 80, 1000
#: The folder of annotations, in the data folder.
ANNOTATIONS = "annotations"


@dataclass(frozen=True)
class Label:
    """One person's verdict on one answer.

    active_ms: how long they worked on it, breaks left out. prefilled: the grade that a judge suggested and that was
    shown before the person chose, None where nothing was. saw_truth: whether the ground truth was on the screen.
    left_here: a real user would have left the conversation at this turn.
    """

    grade: Verdict4
    reasons: tuple[Reason, ...] = ()
    corrected_answer: str = ""
    note: str = ""
    guideline_version: int = 0
    active_ms: int = 0
    prefilled: str | None = None
    saw_truth: bool = False
    left_here: bool = False


@dataclass(frozen=True)
class Preference:
    """Which of two answers to one question is better; the fields beside `winner` are as in `Label`."""

    winner: Winner
    note: str = ""
    guideline_version: int = 0
    active_ms: int = 0
    left_here: bool = False


@dataclass(frozen=True)
class ShownEvidence:
    """What an answer rested on, as far as it is shown: kind and source are those of `assistant.core.types.Evidence`."""

    kind: str
    source: str
    text: str
    score: float | None = None


@dataclass(frozen=True)
class Judged:
    """What one judge said of an answer; `verdict` None: it could not tell."""

    judge: str
    verdict: str | None
    why: str = ""


@dataclass(frozen=True)
class PictureRef:
    """Where a frame lies; it is never copied.

    data, split, set, revision, public: as `eval.data.options.DataChoice` has them. digest: of the data when the item
    was made, so that other data are noticed. session_set, session_id: the sample. degrade: as `--degrade` takes it.
    """

    data: str
    session_id: str
    split: str = "validation"
    set: str = "both"
    session_set: str = ""
    revision: str | None = None
    public: bool = False
    degrade: tuple[str, ...] = ()
    digest: str = ""


@dataclass(frozen=True)
class Item:
    """One answer (or a question without one) to be looked at.

    id, project: given by the store, 0 before. conversation: items that share it are turns of one conversation, in the
    order of `turn_idx`. history: the turns before as (question, answer). other_answer: a second answer to be preferred
    or not, "" where there is one only. gold: what is known to be right, for items that check the people; what the queue
    hands out never carries it.
    """

    conversation: str
    turn_idx: int
    question: str
    ground_truth: str = ""
    answer: str = ""
    status: str = ""
    evidence: tuple[ShownEvidence, ...] = ()
    history: tuple[tuple[str, str], ...] = ()
    domain: str | int | None = None
    query_category: str | int | None = None
    dynamism: str | int | None = None
    image_quality: str | int | None = None
    picture: PictureRef | None = None
    run: str = ""
    interaction_id: str = ""
    session_id: str = ""
    judged: tuple[Judged, ...] = ()
    other_answer: str = ""
    other_run: str = ""
    gold: Label | None = None
    id: int = 0
    project: int = 0


@dataclass(frozen=True)
class ProjectSettings:
    """How a project is worked on.

    overlap: how many people label an item. gold_rate: share of items with a known answer among those a person gets,
    0 to 0.5. hide_truth: the ground truth is hidden until it is asked for, which is kept with the label.
    allow_suggestions: a judge's verdict may be shown before. seed: of every person's own order. third_grader: where
    people differ and no grade has more than half of them, one person more is asked.
    """

    overlap: int = 1
    gold_rate: float = 0.0
    hide_truth: bool = False
    allow_suggestions: bool = False
    seed: int = 0
    third_grader: bool = False


@dataclass(frozen=True)
class Project:
    id: int
    name: str
    settings: ProjectSettings
    archived: bool
    created: float


@dataclass(frozen=True)
class Guideline:
    """`version` counts from 1 within the project; `at` is in seconds since 1970."""

    version: int
    markdown: str
    at: float


@dataclass(frozen=True)
class Labelled:
    """What a person says of an item now. Exactly one of `label` and `preference` is there. `third`: asked because the
    others differ. `at` is in seconds since 1970."""

    item: int
    person: str
    at: float
    label: Label | None
    preference: Preference | None = None
    third: bool = False

    @property
    def value(self) -> str:
        """The grade or the winner."""
        return self.label.grade if self.label else self.preference.winner if self.preference else ""


@dataclass(frozen=True)
class Done:
    """One item in a person's history, in the order in which they came to it."""

    item: int
    state: State
    at: float
    label: Label | None = None
    preference: Preference | None = None


@dataclass(frozen=True)
class Added:
    """`known` items were there already; `ids` are those of all that were given, in their order."""

    new: int
    known: int
    ids: tuple[int, ...]


def check_settings(settings: ProjectSettings) -> None:
    """Raises:
    BadInput: a setting out of its range.
    """
    if not isinstance(settings.overlap, int) or not 1 <= settings.overlap <= MOST_OVERLAP:
        raise BadInput(
            f"the overlap is {settings.overlap!r:.40}: give how many people label an item, 1 to {MOST_OVERLAP:,}"
        )
    if not 0 <= settings.gold_rate <= 0.5:
        raise BadInput(f"the share of gold items is {settings.gold_rate!r}: give 0 to 0.5")


def check_label(said: Label | Preference) -> None:
    """Raises:
    BadInput: a grade, reason or number that there is not.
    """
    if isinstance(said, Preference):
        if said.winner not in WINNERS:
            raise BadInput(f"there is no preference {said.winner!r}: choose one of {', '.join(WINNERS)}")
    else:
        if said.grade not in GRADES:
            raise BadInput(f"there is no grade {said.grade!r}: choose one of {', '.join(GRADES)}")
        if odd := [reason for reason in said.reasons if reason not in REASONS]:
            raise BadInput(f"there is no reason {odd[0]!r}: choose from {', '.join(REASONS)}")
        if len(said.corrected_answer) > MOST_NOTE:
            raise BadInput(f"the corrected answer has {len(said.corrected_answer)} characters: {MOST_NOTE} are taken")
    if len(said.note) > MOST_NOTE:
        raise BadInput(f"the note has {len(said.note)} characters: at most {MOST_NOTE} are taken")
    if said.active_ms < 0:
        raise BadInput(f"the time spent is {said.active_ms!r} ms: give 0 or more")


def person_name(name: str) -> str:
    """A name as it is kept: whole, without space around it or twice.

    Raises:
        BadInput: none, or far too long.
    """
    kept = " ".join(unicodedata.normalize("NFC", name).split())
    if not kept or len(kept) > MOST_NAME or not kept.isprintable():
        raise BadInput(f"{name[:MOST_NAME]!r} is no name: give 1 to {MOST_NAME} characters")
    return kept


def to_json(value: Any) -> dict[str, Any]:
    """A value of this module as JSON objects and lists."""
    return json.loads(json.dumps(dataclasses.asdict(value), ensure_ascii=False, allow_nan=False))


def label_from(content: Mapping[str, Any]) -> Label:
    return replace(_made(Label, content), reasons=tuple(content.get("reasons") or ()))


def preference_from(content: Mapping[str, Any]) -> Preference:
    return _made(Preference, content)


def settings_from(content: Mapping[str, Any]) -> ProjectSettings:
    return _made(ProjectSettings, content)


def item_from(content: Mapping[str, Any]) -> Item:
    """The item that `to_json` wrote; what it does not know is passed over, what is not there has its default."""
    picture, gold = content.get("picture"), content.get("gold")
    return replace(
        _made(Item, content),
        evidence=tuple(_made(ShownEvidence, one) for one in content.get("evidence") or ()),
        history=tuple((str(q), str(a)) for q, a in content.get("history") or ()),
        picture=replace(_made(PictureRef, picture), degrade=tuple(picture.get("degrade") or ())) if picture else None,
        judged=tuple(_made(Judged, one) for one in content.get("judged") or ()),
        gold=label_from(gold) if gold else None,
    )


_Made = TypeVar("_Made")


def _made(kind: type[_Made], content: Mapping[str, Any]) -> _Made:
    names = {field.name for field in dataclasses.fields(kind)}  # type: ignore[arg-type]
    return kind(**{key: value for key, value in content.items() if key in names})


def digest(item: Item) -> str:
    """What tells an item from others: all that is shown, and nothing that the store or the judges add later."""
    content = to_json(replace(item, id=0, project=0, gold=None, judged=()))
    if item.picture is not None:  # the same frame, wherever its data lie now
        content["picture"] = item.picture.session_id
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


def majority(values: Sequence[str]) -> str | None:
    """What more than half of them are; None where nothing is."""
    return next((value for value in dict.fromkeys(values) if 2 * list(values).count(value) > len(values)), None)
