"""CRAG-MM rows (v0.1.2 and the older layout) as samples.

`turns` and `answers` are dictionaries of columns, or in the older layout lists of dictionaries. A row that cannot be
used is an `Unusable` with the reason; what is wrong with a whole file (its columns, the types of its labels) is raised.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.data.label_names import LabelReader
from eval.data.pictures import Picture
from eval.data.public_quirks import PublicReading
from eval.data.samples import LABELS, Sample, SampleTurn, Unusable, id_text
from eval.data.url_pictures import UrlPictures

#: What every row must have, and what must stand within it.
COLUMNS = ("session_id", "turns", "answers")
PARTS = {"turns": ("interaction_id", "query"), "answers": ("interaction_id", "ans_full")}


@dataclass(frozen=True)
class Source:
    """Where rows come from and how they are read.

    `unit` is what a row's number counts: "row" or "line". `pictures` False: the questions alone are asked for. `cache`
    is where what is made of large files may be kept; None for nowhere. `wanted` is the split that is asked for, for
    formats whose rows say which they belong to.
    """

    name: str
    set: str
    split: str
    labels: LabelReader
    urls: UrlPictures
    public: PublicReading
    unit: str = "row"
    pictures: bool = True
    cache: Path | None = None
    wanted: str = "all"

    def place(self, number: int) -> str:
        return f"{self.unit} {number} of {self.name!r}"


def crag_sample(
    row: Mapping[str, Any], number: int, picture: Picture | None, source: Source, lost: str = ""
) -> Sample | Unusable:
    """One CRAG-MM row; `picture` is the one that it carries itself, `lost` says why it has none though it names one.

    Raises:
        BadInput: a label that is neither text nor number, or of another type than in the rows before.
    """
    session = id_text(row.get("session_id"))

    def unusable(why: str) -> Unusable:
        return Unusable(source.name, number, session, why)

    turns, answers = _records(row.get("turns")), _records(row.get("answers"))
    if session is None:
        return unusable(_no_id("the row", "session_id", row))
    if isinstance(turns, str):
        return unusable(f"the turns of the row {turns}")
    if isinstance(answers, str):
        return unusable(f"the answers of the row {answers}")
    if not turns:
        return unusable("the row has no turns")
    if any("ans_full" not in answer for answer in answers):
        return unusable("the answers of the row have no 'ans_full'")
    truths = {id_text(answer.get("interaction_id")): answer["ans_full"] for answer in answers}
    made = _turns(turns, truths, row, number, source)
    if isinstance(made, str):
        return unusable(made)
    url = row.get("image_url")
    if url is not None and not isinstance(url, str):
        return unusable(f"the row has {url!r} as image_url, which is no text")
    url = source.public.url(session, url, source.set)
    if not source.pictures:
        picture = None
    elif picture is None or not picture.exists():
        if not url:
            return unusable(lost or "the row has no picture and no image_url")
        picture = source.urls.picture(url)
        if picture is None:
            return unusable(source.urls.why_not(url))
    return Sample(
        session,
        made,
        source.set,
        source.split,
        is_ego=not url,
        image_url=url,
        picture=picture,
        source=source.name,
        row=number,
    )


def _turns(
    turns: Sequence[Mapping[str, Any]],
    truths: Mapping[str | None, Any],
    row: Mapping[str, Any],
    number: int,
    source: Source,
) -> tuple[SampleTurn, ...] | str:
    """The turns, or why they cannot be used."""
    made = []
    for i, turn in enumerate(turns):
        interaction = id_text(turn.get("interaction_id"))
        if interaction is None and turn.get("interaction_id") not in (None, ""):
            return _no_id(f"turn {i}", "interaction_id", turn)
        if interaction is None or not isinstance(turn.get("query"), str):
            return f"turn {i} has no interaction_id or no query"
        if interaction not in truths:
            return f"turn {i} has no answer"
        truth = truths[interaction]
        if truth is not None and not isinstance(truth, str):
            return f"turn {i} has {truth!r} as its answer, which is no text"
        # The older layout has some labels beside the turns instead of in them.
        place = f"turn {i} in {source.place(number)}"
        labels: dict[str, Any] = {key: source.labels.read(key, turn.get(key, row.get(key)), place) for key in LABELS}
        made.append(SampleTurn(interaction, i, turn["query"], truth or "", **labels))
    return tuple(made)


def _no_id(who: str, key: str, holder: Mapping[str, Any]) -> str:
    value = holder.get(key)
    return f"{who} has no {key}" if value is None or value == "" else f"{who} has {value!r} as {key}, which is no id"


def _records(value: Any) -> list[Mapping[str, Any]] | str:
    """A list of dictionaries from either layout, or what is wrong with it."""
    if isinstance(value, Mapping):
        value = {key: column for key, column in value.items() if column is not None}  # a column that the data lack
        lengths = {key: len(column) for key, column in value.items() if isinstance(column, list)}
        if len(lengths) < len(value):
            odd = next(key for key in value if key not in lengths)
            return f"have no list under {odd!r}"
        if len(set(lengths.values())) > 1:
            return f"have columns of different lengths ({', '.join(f'{key} {n}' for key, n in lengths.items())})"
        return [dict(zip(value, items, strict=True)) for items in zip(*value.values(), strict=True)]
    if isinstance(value, list) and all(isinstance(item, Mapping) for item in value):
        return list(value)
    return "are missing" if value is None else "are neither columns nor a list of objects"
