"""Items from a run folder, from data alone, and from our own JSONL; and the frames that they refer to.

A frame is never copied: an item keeps where its data lie and which sample it is (`PictureRef`), and `FrameSource` loads
it from there, as long as the data are the ones that the item was made of.
"""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter, ValidationError

from assistant.core.errors import BadImage, BadInput
from assistant.core.storage import write_text
from assistant.core.types import Frame
from eval.annotate.values import Item, Judged, PictureRef, ShownEvidence, to_json
from eval.data import datasets
from eval.data.datasets import Reading
from eval.data.filters import NO_LABEL, parse_degradation, spoil
from eval.data.json_rows import read_rows
from eval.data.options import DataChoice
from eval.data.samples import FAILED, LABELS, Data, Sample, session_in_data
from eval.metrics.slices import label_text
from eval.runs.reading import read_info, read_judgements, read_traces, read_turn_lines
from eval.runs.shapes import SkippedLines, sound_trace

#: So much of a piece of evidence is shown; the rest stands in the run.
_EVIDENCE = 2_000
#: Data sets that are kept open for their frames.
_DATA = 2


@dataclass(frozen=True)
class Filters:
    """Which turns of a run become items; what is empty lets everything through.

    statuses: as in `turns.jsonl`. judge, verdicts: what a judge said: correct, wrong, missing, unsure (it gave none) or
    unjudged; without `judge` the one that judged last. where: (label, value) pairs, values of one label are
    alternatives. words: all of them stand in the turn's texts.
    """

    statuses: tuple[str, ...] = ()
    judge: str = ""
    verdicts: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()
    words: str = ""


VERDICTS = ("correct", "wrong", "missing", "unsure", "unjudged")


def run_items(run: Path, filters: Filters | None = None) -> tuple[list[Item], tuple[str, ...]]:
    """The turns of a run that fit, as items.

    Returns:
        The items in the order of the run, and sentences about lines that could not be used.

    Raises:
        BadInput: no run folder, a filter that there is not, or nothing that fits.
        UnknownFormat: the run was written by another version.
    """
    filters = filters or Filters()
    _check(filters)
    info, left_out = read_info(run), SkippedLines()
    lines = {line["interaction_id"]: line for line in read_turn_lines(run, left_out)}
    judged = _judged(run, left_out, set(lines))
    known = {one.judge for said in judged.values() for one in said}
    if filters.judge and not any(_is_judge(name, filters.judge) for name in known):
        names = ", ".join(sorted(known)) or "none"
        raise BadInput(f"no judge {filters.judge!r} has judged {str(run)!r} (there are: {names})")
    wanted = {key: line for key, line in lines.items() if _fits(line, judged.get(key, ()), filters)}
    if not wanted:
        raise BadInput(f"none of the {len(lines)} turns of {str(run)!r} fits: leave a filter out")
    evidence = _evidence(run, wanted)
    name = run.resolve().name
    items = []
    for key, line in wanted.items():
        before = [lines[other] for other in line.get("interaction_id_history") or () if other in lines]
        items.append(
            Item(
                conversation=f"{name}/{line.get('set') or ''}/{line['session_id']}",
                turn_idx=line["turn_idx"],
                question=line["query"],
                ground_truth=line["ground_truth"],
                answer=line["agent_response"],
                status=line["status"],
                evidence=evidence.get(key, ()),
                history=tuple((other["query"], other["agent_response"]) for other in before),
                domain=line.get("domain"),
                query_category=line.get("query_category"),
                dynamism=line.get("dynamism"),
                image_quality=line.get("image_quality"),
                picture=picture_ref(info, line),
                run=name,
                interaction_id=key,
                session_id=line["session_id"],
                judged=judged.get(key, ()),
            )
        )
    return items, left_out.sentences


def _check(filters: Filters) -> None:
    if odd := [value for value in filters.verdicts if value not in VERDICTS]:
        raise BadInput(f"there is no verdict {odd[0]!r}: choose from {', '.join(VERDICTS)}")
    statuses = ("answered", "abstained", "retake", *FAILED)
    if odd := [value for value in filters.statuses if value not in statuses]:
        raise BadInput(f"there is no status {odd[0]!r}: choose from {', '.join(statuses)}")
    if odd := [label for label, _ in filters.where if label not in LABELS]:
        raise BadInput(f"there is no label {odd[0]!r}: choose from {', '.join(LABELS)}")


def _judged(run: Path, left_out: SkippedLines, turns: set[str]) -> dict[str, tuple[Judged, ...]]:
    """What every judge said last of each turn, the latest judge last."""
    found: dict[str, dict[str, Judged]] = {}
    for line in read_judgements(run, left_out, turns):
        name = " ".join(str(line[key]) for key in ("judge", "judge_model") if line.get(key))
        said = found.setdefault(line["interaction_id"], {})
        said.pop(name, None)
        said[name] = Judged(name, line["verdict"], str(line.get("why") or ""))
    return {key: tuple(said.values()) for key, said in found.items()}


def _is_judge(name: str, asked: str) -> bool:
    return name == asked or name.split(" ")[0] == asked


def _fits(line: Mapping[str, Any], judged: tuple[Judged, ...], filters: Filters) -> bool:
    if filters.statuses and line["status"] not in filters.statuses:
        return False
    if filters.verdicts:
        said = [one for one in judged if not filters.judge or _is_judge(one.judge, filters.judge)]
        verdict = "unjudged" if not said else said[-1].verdict or "unsure"
        if verdict not in filters.verdicts:
            return False
    wanted: dict[str, set[str]] = {}
    for label, value in filters.where:
        wanted.setdefault(label, set()).add(_word(value))
    if any(_word(line.get(label)) not in values for label, values in wanted.items()):
        return False
    texts = " ".join(line[key] for key in ("query", "ground_truth", "agent_response")).casefold()
    return all(word in texts for word in filters.words.casefold().split())


def _word(value: object) -> str:
    return NO_LABEL if value is None else " ".join(label_text(value).replace("_", " ").lower().split())


def _evidence(run: Path, wanted: Mapping[str, Mapping[str, Any]]) -> dict[str, tuple[ShownEvidence, ...]]:
    """What the answers rest on, from the traces; an answer whose trace is gone rests on nothing that can be shown."""
    offsets = {line["trace"]: key for key, line in wanted.items()}
    found = {}
    for offset, trace in read_traces(run, offsets):
        answer = (sound_trace(trace).get("turn") or {}).get("answer") or {}
        found[offsets[offset]] = tuple(
            ShownEvidence(
                str(one.get("kind") or ""),
                str(one.get("source") or ""),
                str(one.get("text") or "")[:_EVIDENCE],
                one.get("score"),
            )
            for one in answer.get("evidence") or ()
        )
    return found


def picture_ref(info: Mapping[str, Any], line: Mapping[str, Any]) -> PictureRef | None:
    """Where the frame of a run's turn lies; None where the run does not say, or was asked without pictures."""
    options, about = info.get("options") or {}, info.get("data") or {}
    path = str(about.get("world") or about.get("path") or "")
    if not path or options.get("pictures") is False:
        return None
    return PictureRef(
        data=path,
        session_id=session_in_data(line),
        split=str(options.get("split") or "validation"),
        set=str(options.get("set") or "both"),
        session_set=str(line.get("set") or ""),
        revision=options.get("revision"),
        public=bool(options.get("public")),
        degrade=tuple(options.get("degrade") or ()),
        digest=str(options.get("data") or ""),
    )


def data_items(choice: DataChoice) -> tuple[list[Item], tuple[str, ...]]:
    """The turns of data that nobody answered, as items; rows that cannot be used are told.

    Raises:
        BadInput: the data cannot be used.
    """
    data = choice.load()
    name = Path(choice.data).name if Path(choice.data).exists() else choice.data
    items = []
    for sample in data.samples:
        picture = None
        if sample.picture is not None:
            picture = PictureRef(
                data=str(data.world or (Path(choice.data).resolve() if Path(choice.data).exists() else choice.data)),
                session_id=sample.session_id,
                split=choice.split,
                set=choice.set,
                session_set=sample.set,
                revision=choice.revision,
                public=choice.public,
                degrade=choice.degrade,
                digest=data.digest,
            )
        for turn in sample.turns:
            before = sample.turns[: turn.turn_idx]
            items.append(
                Item(
                    conversation=f"{name}/{sample.set}/{sample.session_id}",
                    turn_idx=turn.turn_idx,
                    question=turn.query,
                    ground_truth=turn.ground_truth,
                    history=tuple((other.query, other.ground_truth) for other in before),
                    domain=turn.domain,
                    query_category=turn.query_category,
                    dynamism=turn.dynamism,
                    image_quality=turn.image_quality,
                    picture=picture,
                    interaction_id=turn.interaction_id,
                    session_id=sample.session_id,
                )
            )
    told = tuple(f"{row.source} row {row.row} ({row.session_id}) left out: {row.why}" for row in data.unusable)
    return items, told


_ITEM = TypeAdapter(Item)


def file_items(path: Path) -> list[Item]:
    """The items of a JSONL that `write_items` made, or one by hand: `question` is all that a line must have.

    Raises:
        BadInput: a line that is no item; the message says which.
    """
    unit, rows = read_rows(path)
    found = []
    for number, row in rows:
        if not isinstance(row, dict):
            raise BadInput(f"{unit} {number} of {str(path)!r} is {type(row).__name__}, not an object")
        whole = {"conversation": f"{path.stem}-{number}", "turn_idx": 0, **row}
        try:
            found.append(replace(_ITEM.validate_python(whole), id=0, project=0))
        except ValidationError as problem:
            first = problem.errors()[0]
            where = ".".join(map(str, first["loc"]))
            raise BadInput(f"{unit} {number} of {str(path)!r} is no item ({where}: {first['msg']})") from None
    return found


def write_items(path: Path, items: Iterable[Item]) -> None:
    """One item a line; ids are those of the store and are given anew where they are read."""
    lines = ({k: v for k, v in to_json(item).items() if k not in ("id", "project")} for item in items)
    write_text(path, "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))


class FrameSource:
    """The frames that items refer to, from their data. Safe between threads."""

    def __init__(self, data_dir: Path):
        self._data_dir = data_dir
        self._lock = threading.Lock()
        self._data: OrderedDict[tuple[Any, ...], dict[tuple[str, str], Sample]] = OrderedDict()

    def sample(self, ref: PictureRef) -> Sample:
        """The sample with its frame's degradations noted.

        Raises:
            BadInput: the data are gone, have changed, or hold this sample no more.
        """
        sample = self._samples(ref).get((ref.session_set, ref.session_id))
        if sample is None:
            raise BadInput(f"{ref.data!r} holds no session {ref.session_id!r} any more")
        return spoil([sample], tuple(parse_degradation(text) for text in ref.degrade))[0]

    def frame(self, ref: PictureRef) -> Frame:
        """The frame.

        Raises:
            BadInput: see `sample`; BadImage: it has none that can be read.
        """
        frame = self.sample(ref).frame()
        if frame is None:
            raise BadImage(f"the sample {ref.session_id!r} has no picture")
        return frame

    def _samples(self, ref: PictureRef) -> dict[tuple[str, str], Sample]:
        key = (ref.data, ref.split, ref.set, ref.revision, ref.public, ref.digest)
        with self._lock:
            if key in self._data:
                self._data.move_to_end(key)
                return self._data[key]
        reading = Reading(revision=ref.revision, public=ref.public, picture_cache=self._data_dir / "urlcache")
        data: Data = datasets.load(ref.data, ref.split, ref.set, reading=reading)
        if ref.digest and data.digest != ref.digest:
            raise BadInput(f"the data in {ref.data!r} have changed since, so the frame is not shown")
        found = {(sample.set, sample.session_id): sample for sample in data.samples}
        with self._lock:
            self._data[key] = found
            while len(self._data) > _DATA:
                self._data.popitem(last=False)
        return found
