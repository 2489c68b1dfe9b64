"""What the forms about a project say, checked: its settings, and where its items come from. Nothing here draws.

Visitors who may name no path of this machine get items of its runs, of worlds that are listed, and of files that they
hand over themselves, as long as those do not name pictures that lie elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.settings import Settings
from eval.annotate.sources import Filters, data_items, file_items, run_items
from eval.annotate.values import Item, ProjectSettings, check_settings
from eval.data.filters import parse_where
from eval.data.options import DataChoice
from eval.runs.reading import read_judgements, read_turn_lines
from eval.runs.shapes import SkippedLines
from eval.ui.state.processes import Workers
from eval.ui.state.rights import Rights
from eval.ui.state.run_form import places
from eval.ui.state.run_state import RunList

SOURCES = ("a run", "data", "a file", "nothing yet")
ANY_JUDGE = "the judge that judged last"


@dataclass(frozen=True)
class Runs:
    """The runs of a data folder, as a form offers them."""

    folder: Path

    def choices(self) -> list[tuple[str, str]]:
        """Those with answers, latest first: how each is shown, and its name."""
        found = []
        for run in RunList(self.folder).all():
            if run.summary.done:
                turns = f"{run.summary.done:,} turns" if run.summary.done != 1 else "1 turn"
                found.append((f"{run.name} · {run.options.get('agent') or 'agent'} · {turns}", run.name))
        return found

    def path(self, name: str | None) -> Path:
        """Raises:
        BadInput: none is chosen, or it is not there any more.
        """
        if not name:
            raise BadInput("choose a run first: start one on the page of benchmarks where there is none")
        return Workers(self.folder).folder(name)


def runs_of(settings: Settings) -> Runs:
    return Runs(settings.data_dir / "runs")


def judges_of(run: Path) -> list[str]:
    """Who has judged a run, with the model where there is one."""
    turns = {line["interaction_id"] for line in read_turn_lines(run)}
    found = read_judgements(run, SkippedLines(), turns)
    return list(dict.fromkeys(" ".join(str(x[k]) for k in ("judge", "judge_model") if x.get(k)) for x in found))


def read_settings_form(form: Mapping[str, Any], before: ProjectSettings | None = None) -> ProjectSettings:
    """A project's settings; what the form does not have stays as it was.

    Raises:
        BadInput: a number that cannot be used.
    """
    made = replace(
        before or ProjectSettings(),
        overlap=_whole(form.get("overlap"), "the number of people an item"),
        gold_rate=round(float(form.get("gold_rate") or 0), 4),
        hide_truth=bool(form.get("hide_truth")),
        allow_suggestions=bool(form.get("allow_suggestions")),
        third_grader=bool(form.get("third_grader")),
    )
    check_settings(made)
    return made


def chosen_items(form: Mapping[str, Any], settings: Settings, rights: Rights) -> tuple[list[Item], tuple[str, ...]]:
    """The items that a form chooses, and sentences about what was left out. May take long for large data.

    Raises:
        BadInput: nothing is chosen, it cannot be used, or this visitor may not name it.
    """
    source = form.get("source")
    if source == "a run":
        judge = str(form.get("judge") or "")
        filters = Filters(
            statuses=tuple(form.get("statuses") or ()),
            judge="" if judge == ANY_JUDGE else judge,
            verdicts=tuple(form.get("verdicts") or ()),
            where=_where(form),
            words=str(form.get("words") or ""),
        )
        return run_items(runs_of(settings).path(form.get("run")), filters)
    if source == "data":
        return data_items(_data(form, settings, rights))
    if source == "a file":
        path = form.get("file")
        if not path:
            raise BadInput("hand a JSONL file over first: a line an item, question is all that it must have")
        items = in_words(lambda: file_items(Path(path)), Path(path))
        _check_pictures(items, settings, rights)
        return items, ()
    return [], ()


def _data(form: Mapping[str, Any], settings: Settings, rights: Rights) -> DataChoice:
    typed = str(form.get("other") or "").strip()
    if typed and not rights.paths:
        raise BadInput(rights.why)
    data = typed or str(form.get("data") or "")
    if not data:
        raise BadInput("choose the data first")
    if not rights.paths and data not in _listed(settings):
        raise BadInput(f"the data {data!r} are not in the list: {rights.why}")
    limit, sample = str(form.get("limit") or "").strip(), str(form.get("sample") or "").strip()
    return DataChoice(
        data=data,
        split=str(form.get("split") or "validation").strip(),
        set=str(form.get("set") or "both"),
        sample=_whole(sample, "the number of random conversations") if sample else None,
        limit=_whole(limit, "the number of first conversations") if limit else None,
        where=tuple(filter(None, [str(form.get("where") or "").strip()])),
        data_dir=settings.data_dir,
    )


def _where(form: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """The labels that are asked for; none where nothing is written."""
    written = str(form.get("where") or "").strip()
    return parse_where([written]) if written else ()


def _listed(settings: Settings) -> set[str]:
    return {place.value for place in places(settings)}


def _check_pictures(items: Sequence[Item], settings: Settings, rights: Rights) -> None:
    """A file may say where pictures lie: that is naming a path, too."""
    if rights.paths:
        return
    known = _listed(settings)
    for item in items:
        if item.picture is not None and item.picture.data not in known:
            raise BadInput(f"the file names pictures in {item.picture.data!r}: {rights.why}")


def _whole(value: Any, what: str) -> int:
    try:
        number = int(value)
        if number < 1 or number != float(value):
            raise ValueError
    except (TypeError, ValueError):
        raise BadInput(f"{what} is {value!r}: give a whole number, 1 or more") from None
    return number


def in_words(read: Any, path: Path) -> Any:
    """What `read` returns; its sentence names the file as the visitor knows it, not where it was put.

    Raises:
        BadInput: as `read` does.
    """
    try:
        return read()
    except BadInput as problem:
        raise BadInput(str(problem).replace(repr(str(path)), repr(path.name))) from None


def file_name(words: str) -> str:
    """A project's name as part of a file's."""
    return re.sub(r"[^\w.-]+", "-", words).strip("-.")[:60] or "project"


def numbers(text: str, most: int) -> list[int]:
    """Numbers from 1 on as people write them: `1-40, 55`.

    Raises:
        BadInput: what is no number, or beyond `most`.
    """
    found: list[int] = []
    for part in text.replace(",", " ").split():
        match = re.fullmatch(r"(\d{1,9})(?:[-–](\d{1,9}))?", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last <= most:
            raise BadInput(f"{part!r} is no number of a conversation: they go from 1 to {most:,}, as in 1-40, 55")
        found += range(first, last + 1)
    return list(dict.fromkeys(found))
