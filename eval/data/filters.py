"""Which samples of a benchmark are taken: by label, egocentric or not, id, at random, the first so many; and spoiled.

A sample is taken whole or not at all: the turns of a conversation are never parted. The order of the data stays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.core.errors import BadInput
from eval.data.samples import LABELS, Label, Sample

if TYPE_CHECKING:
    from assistant.vision.degrade import Degradation, DegradationKind

#: How `--where` asks for samples that lack a label.
NO_LABEL = "none"


@dataclass(frozen=True)
class Selection:
    """What is taken, in this order: `where`, `ego` and `ids` together, then `sample`, then `limit`.

    where: (label, value) pairs; values of one label are alternatives, different labels must all fit. A domain is a
    conversation's when its first turn has it (as the paper counts), another label when any turn has it.
    ids: session or interaction ids; an interaction brings its whole conversation.
    sample: so many at random; the samples of a smaller number are among those of a larger one with the same seed.
    """

    where: tuple[tuple[str, str], ...] = ()
    ego: bool | None = None
    ids: tuple[str, ...] = ()
    sample: int | None = None
    sample_seed: int = 0
    limit: int | None = None


def select(samples: Sequence[Sample], selection: Selection) -> tuple[Sample, ...]:
    """The samples that a selection takes.

    Raises:
        BadInput: a label value or an id that no sample has, a number below 1, or nothing left.
    """
    for flag, number in (("--sample", selection.sample), ("--limit", selection.limit)):
        if number is not None and number < 1:
            raise BadInput(f"{flag} is {number!r}: give a number above 0")
    kept = _labelled(samples, selection.where)
    if selection.ego is not None:
        kept = [sample for sample in kept if sample.is_ego == selection.ego]
    if selection.ids:
        kept = _named(kept, samples, selection.ids)
    if samples and not kept:
        raise BadInput(f"none of the {len(samples)} samples fits all of the filters: leave one of them out")
    if selection.sample is not None:
        kept = _at_random(kept, selection.sample, selection.sample_seed)
    return tuple(kept[: selection.limit])


def _labelled(samples: Sequence[Sample], where: Sequence[tuple[str, str]]) -> list[Sample]:
    wanted: dict[str, set[str]] = {}
    for label, value in where:
        if label not in LABELS:
            raise BadInput(f"--where knows no label {label!r}: choose one of {', '.join(LABELS)}")
        there = {_word(name) for sample in samples for name in _values(sample, label)}
        if samples and _word(value) not in there:
            raise BadInput(f"no sample has {value!r} as {label}: there are {', '.join(sorted(there))}")
        wanted.setdefault(label, set()).add(_word(value))
    return [
        sample
        for sample in samples
        if all(any(_word(name) in values for name in _values(sample, label)) for label, values in wanted.items())
    ]


def _values(sample: Sample, label: str) -> list[Label]:
    turns = sample.turns[:1] if label == "domain" else sample.turns
    return [getattr(turn, label) for turn in turns]


def _word(value: Label) -> str:
    return NO_LABEL if value is None else " ".join(str(value).replace("_", " ").lower().split())


def _named(kept: Sequence[Sample], samples: Sequence[Sample], ids: Sequence[str]) -> list[Sample]:
    wanted = set(ids)
    known = {name for sample in samples for name in _ids(sample)}
    unknown = [name for name in ids if name not in known]
    if unknown:
        raise BadInput(f"{len(unknown)} of the {len(wanted)} ids are not in the data, {unknown[0]!r} is the first")
    return [sample for sample in kept if wanted & _ids(sample)]


def _ids(sample: Sample) -> set[str]:
    return {sample.session_id, *(turn.interaction_id for turn in sample.turns)}


def _at_random(samples: Sequence[Sample], count: int, seed: int) -> list[Sample]:
    """The `count` samples whose hashes with the seed are least: what is drawn depends on no other sample's place."""

    def rank(sample: Sample) -> str:
        return hashlib.sha256(f"{seed}/{sample.set}/{sample.session_id}".encode()).hexdigest()

    drawn = {id(sample) for sample in sorted(samples, key=rank)[:count]}
    return [sample for sample in samples if id(sample) in drawn]


def spoil(samples: Sequence[Sample], degradations: Sequence[Degradation]) -> tuple[Sample, ...]:
    """The same samples with their frames degraded, each by its own seed, drawn from the degradation's and its id."""
    if not degradations:
        return tuple(samples)
    return tuple(
        replace(sample, degradations=(*sample.degradations, *(_own(d, sample.session_id) for d in degradations)))
        for sample in samples
    )


def _own(degradation: Degradation, session_id: str) -> Degradation:
    drawn = hashlib.sha256(f"{degradation.seed}/{session_id}".encode()).digest()
    return replace(degradation, seed=int.from_bytes(drawn[:4], "big"))


def parse_degradation(text: str) -> Degradation:
    """ "KIND:SEVERITY" or "KIND:SEVERITY:SEED", as in "low-light:0.7" (severity above 0, up to 1; seed 0 unless given).

    Raises:
        BadInput: another shape, kind or severity; the message says which there are.
    """
    from assistant.vision.degrade import KINDS, Degradation  # brings OpenCV

    kind, _, rest = text.partition(":")
    severity, _, seed = rest.partition(":")
    try:
        return Degradation(_kind(kind), float(severity), int(seed or 0))
    except ValueError as problem:
        kinds = ", ".join(name.replace(" ", "-") for name in KINDS)
        raise BadInput(
            f"--degrade {text!r} cannot be used ({problem}): give KIND:SEVERITY[:SEED] with a kind of {kinds} "
            "and a severity above 0 and up to 1"
        ) from None


def _kind(text: str) -> DegradationKind:
    from assistant.vision.degrade import KINDS

    for kind in KINDS:
        if text.strip().lower().replace("-", " ").replace("_", " ") == kind:
            return kind
    raise ValueError(f"there is no degradation {text!r}")


def parse_where(texts: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """ "label=value,label=value" as pairs.

    Raises:
        BadInput: a part without "=" or without a value.
    """
    found = []
    for part in (part for text in texts for part in text.split(",")):
        label, sign, value = part.partition("=")
        if not sign or not label.strip() or not value.strip():
            raise BadInput(f"--where {part!r} cannot be used: give LABEL=VALUE, with a label of {', '.join(LABELS)}")
        found.append((label.strip(), value.strip()))
    return tuple(found)
