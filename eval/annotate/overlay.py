"""Corrections of ground truths that people proposed and somebody accepted, and what they do to a run's scores.

The data stay as they are: accepted corrections are an overlay, a file of its own with versions
(`eval.annotate.overlay_files`). A run is judged again on the corrected turns alone; the verdicts in its folder stay, so
that the figures with and without the overlay can stand side by side.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.core.errors import BadInput
from eval.annotate.overlay_files import FOLDER, Correction, read_overlay, versions, write_overlay
from eval.judges.judging import JudgeChoice, Judged, Progress, judge_turns
from eval.judges.registry import check_verdicts
from eval.runs.reading import read_turn_lines
from eval.runs.store import RunFolder

if TYPE_CHECKING:
    from eval.annotate.store import Store


@dataclass(frozen=True)
class Proposal:
    """A corrected answer that people wrote: `people` wrote this one, of `of` who corrected the item."""

    item: int
    interaction_id: str
    old: str
    new: str
    people: tuple[str, ...]
    of: int
    at: float


def proposals(store: Store, project: int) -> list[Proposal]:
    """What people wrote as corrected answers, the most frequent first for each turn.

    A correction that says what the ground truth says already is none.
    """
    items = {item.id: item for item in store.items(project)}
    found: dict[tuple[int, str], list[tuple[str, float]]] = {}
    for said in store.labels(project):
        text = said.label.corrected_answer.strip() if said.label else ""
        if text and text != items[said.item].ground_truth.strip():
            found.setdefault((said.item, text), []).append((said.person, said.at))
    of = Counter(item for (item, _), people in found.items() for _ in people)
    made = [
        Proposal(
            item,
            items[item].interaction_id,
            items[item].ground_truth,
            text,
            tuple(name for name, _ in people),
            of[item],
            max(at for _, at in people),
        )
        for (item, text), people in found.items()
        if items[item].interaction_id
    ]
    return sorted(made, key=lambda one: (one.item, -len(one.people), one.at))


def accept(folder: Path, name: str, accepted: Sequence[Proposal], by: str, now: datetime | None = None) -> Path:
    """Write the next version of an overlay: the last one, and these on top.

    Args:
        folder: that of the annotations.
        name: of the overlay (that of the data, say): letters, digits, `-`, `_`, `.`.
        accepted: one for each turn.
        by: who accepted.
        now: when; None for now.

    Raises:
        BadInput: a name that cannot be used, nothing accepted, or two proposals for one turn.
    """
    if not name or not all(c.isalnum() or c in "-_." for c in name) or name.startswith("."):
        raise BadInput(f"{name!r} is no name for an overlay: letters, digits, -, _ and . are taken")
    if not accepted:
        raise BadInput("nothing was accepted: there is no new version to write")
    twice = [key for key, n in Counter(one.interaction_id for one in accepted).items() if n > 1]
    if twice:
        raise BadInput(f"two corrections of {twice[0]!r} were accepted: choose one")
    with _accepting:
        return _next_version(folder, name, accepted, by, now)


_accepting = threading.Lock()


def _next_version(folder: Path, name: str, accepted: Sequence[Proposal], by: str, now: datetime | None) -> Path:
    there = versions(folder, name)
    kept = {one.interaction_id: one for one in read_overlay(there[max(there)])} if there else {}
    version = max(there, default=0) + 1
    when = (now or datetime.now(UTC)).isoformat(timespec="seconds")
    for one in accepted:
        kept[one.interaction_id] = Correction(one.interaction_id, one.old, one.new, by, when, version)
    path = folder / FOLDER / f"{name}.v{version}.jsonl"
    write_overlay(path, kept.values())
    return path


@dataclass(frozen=True)
class Overlaid:
    """A run's lines with corrected ground truths. `changed` are the turns that were corrected, `stale` those whose
    ground truth is not the one that was corrected any more, `elsewhere` counts corrections of turns of other runs."""

    lines: list[dict[str, Any]]
    changed: tuple[str, ...]
    stale: tuple[str, ...]
    elsewhere: int


def overlaid(lines: Sequence[Mapping[str, Any]], corrections: Sequence[Correction]) -> Overlaid:
    """Put corrections in place of ground truths."""
    by_turn = {one.interaction_id: one for one in corrections}
    out, changed, stale = [], [], []
    for line in lines:
        one = by_turn.pop(line["interaction_id"], None)
        if one is not None and line["ground_truth"].strip() == one.old.strip():
            changed.append(line["interaction_id"])
            # What else was right was so beside the old truth; the correction says what is right now.
            line = {**{key: value for key, value in line.items() if key != "truths"}, "ground_truth": one.new}
        elif one is not None:
            stale.append(line["interaction_id"])
        out.append(dict(line))
    return Overlaid(out, tuple(changed), tuple(stale), len(by_turn))


def check_overlay(run: Path, judge: str, path: Path) -> tuple[Correction, ...]:
    """The corrections of an overlay, before anything is judged.

    Raises:
        BadInput: it cannot be read, is of no turn of this run, or the judge does not read ground truths.
    """
    corrections = read_overlay(path)
    if judge == "typed":
        raise BadInput("the judge 'typed' reads a world's gold and no ground truth: an overlay changes nothing for it")
    check_verdicts(judge)
    found = overlaid(read_turn_lines(run), corrections)
    if not found.changed:
        why = f", {len(found.stale)} are of turns whose ground truth is another one by now" if found.stale else ""
        raise BadInput(f"none of the {len(corrections)} corrections in {str(path)!r} fits a turn of this run{why}")
    return corrections


@dataclass
class _Kept:
    """Verdicts on corrected turns, kept here and not in the run's folder."""

    lines: list[dict[str, Any]] = field(default_factory=list)

    def judgements(self, turns: Container[str] | None = None) -> list[dict[str, Any]]:
        return []

    def add_judgement(self, judgement: Mapping[str, Any]) -> None:
        self.lines.append(dict(judgement))


@dataclass(frozen=True)
class WithOverlay:
    """One judge's verdicts on a run, without the overlay and with it; `judgements` are those on corrected turns."""

    overlaid: Overlaid
    without: Judged
    with_: Judged
    judgements: tuple[Mapping[str, Any], ...]


def judge_overlaid(
    folder: RunFolder,
    choice: JudgeChoice,
    world: Path | None,
    corrections: Sequence[Correction],
    *,
    progress: Progress = lambda done, total, errors: None,
) -> WithOverlay:
    """A run's verdicts with and without an overlay: what is not judged yet is judged, corrected turns once more.

    Of two judging models the first counts, as in the figures.

    Raises:
        BadInput: a judge that cannot be used. What cannot be put on is for `check_overlay` to say.
    """
    choice = replace(choice, endpoints=choice.endpoints[:1])
    lines = folder.turns()
    found = overlaid(lines, corrections)
    (without,) = judge_turns(folder, lines, choice, world, {}, progress=progress)
    changed = set(found.changed)
    kept = _Kept()
    again = [line for line in found.lines if line["interaction_id"] in changed]
    (judged,) = judge_turns(kept, again, choice, world, {}, progress=progress)
    leanings = {key: said for key, said in without.leanings.items() if key not in changed}
    with_ = replace(judged, verdicts={**without.verdicts, **judged.verdicts}, leanings={**leanings, **judged.leanings})
    for key in changed - set(judged.verdicts):  # the judge was not to be had for it: nothing is known
        with_.verdicts.pop(key, None)
    return WithOverlay(found, without, with_, tuple(kept.lines))
