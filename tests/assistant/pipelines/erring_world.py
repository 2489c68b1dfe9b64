"""What a scripted model and scripted eyes know of a generated world: of each question the true answer, what has to be
shown for it, and what somebody who errs would say instead. Read from the world's gold, pages and entities.

An answer's evidence is told from its words alone, as a reader would: a line that states the property of the thing it
is about, or one of a page that speaks of it and holds the answer. Which pipeline shows the line makes no difference.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.text.dates import find_dates
from eval.data.datasets import load
from eval.data.gold import GoldTurn, read_facts, read_gold
from eval.data.samples import Sample, SampleTurn
from eval.judges.phrases import plain_attribute
from eval.judges.registry import make_judge
from tests.scripted_chat.replies import share_of

#: Stands for any figure among the values of a need.
ANY_DIGIT = tuple("0123456789")
#: "Wimpano Red Peppers is lower in sugar (25.5 g against 47 g)."
_WEIGHED = re.compile(r"\(([^()]*\d[^()]*) against ([^()]*\d[^()]*)\)")
#: Names that are in no world.
NOBODY = ("Brandeth", "Olvaster", "Quenholt", "Pirrin Dale", "Sundmark", "Tessaly Vane")


@dataclass(frozen=True)
class Need:
    """One thing that has to be shown: a line that holds all of `words` and, if there are any, one of `values`."""

    words: tuple[str, ...]
    values: tuple[str, ...] = ()

    def met_by(self, line: str) -> bool:
        low = line.casefold()
        if not all(word.casefold() in low for word in self.words):
            return False
        if self.values == ANY_DIGIT:
            return any(map(str.isdigit, low))
        return not self.values or any(_holds(line, value) for value in self.values)


@dataclass(frozen=True)
class Known:
    """One question as the model of the tests knows it.

    Attributes:
        id: of the question, for seeding.
        question: as it is asked, and `standalone` as it would be with the thing's name.
        thing: the name of what it is about, "" for none.
        others: what `thing` could be mistaken for.
        truth: the right answer as a sentence; `wrong` are plausible wrong ones.
        needs: all have to be met by lines of evidence, each of them in one of several ways; none where nothing that
            can be looked up holds the answer.
        names: whether the question asks what the thing is called.
        read: whether the answer stands on the picture itself, to be read by whoever sees it.
        is_right: what the world's own judge says of an answer.
    """

    id: str
    question: str
    standalone: str
    thing: str
    others: tuple[str, ...]
    truth: str
    wrong: tuple[str, ...]
    needs: tuple[tuple[Need, ...], ...]
    names: bool
    read: bool
    is_right: Callable[[str], bool]

    def carried_by(self, lines: Mapping[int, str]) -> tuple[int, ...]:
        """The numbers of lines that together hold the answer; () where they do not."""
        cited = [next((n for n, line in lines.items() for way in ways if way.met_by(line)), 0) for ways in self.needs]
        return tuple(dict.fromkeys(cited)) if cited and all(cited) else ()


@dataclass(frozen=True)
class Asked:
    """One sample of a world with what is known of each of its questions."""

    sample: Sample
    turns: tuple[tuple[SampleTurn, Known], ...]


def asked_of(world: Path, questions: int | None = None, conversations: int | None = None) -> list[Asked]:
    """The samples of a generated world, of each split the first `questions` single ones and so many conversations."""
    gold, facts = read_gold(world), read_facts(world)
    rows = {row["interaction_id"]: row for row in _json_lines(world / "gold" / "turns.jsonl")}
    pages = {row["url"]: row for row in _json_lines(world / "web" / "pages.jsonl")}
    judge = make_judge("typed", world, gold)
    out = []
    for split in ("validation", "public_test"):
        for kind, most in (("single", questions), ("multi", conversations)):
            for sample in load(str(world), split, kind).samples[:most]:
                known = []
                for turn in sample.turns:
                    right = _right(judge, sample, turn)
                    told = gold[turn.interaction_id], rows[turn.interaction_id]
                    known.append((turn, _known(turn, *told, facts, pages, gold, right)))
                out.append(Asked(sample, tuple(known)))
    return out


def line_of(sample: Sample, turn: SampleTurn, answer: str, status: str) -> dict[str, Any]:
    """A turn as the judges and scores of `eval` take it."""
    return {
        "session_id": sample.session_id,
        "interaction_id": turn.interaction_id,
        "turn_idx": turn.turn_idx,
        "query": turn.query,
        "ground_truth": turn.ground_truth,
        "agent_response": answer,
        "status": status,
        "is_ego": sample.is_ego,
    }


def _right(judge: Any, sample: Sample, turn: SampleTurn) -> Callable[[str], bool]:
    return lambda answer: judge(line_of(sample, turn, answer, "answered")).verdict == "correct"


def _known(
    turn: SampleTurn,
    gold: GoldTurn,
    row: Mapping[str, Any],
    facts: Mapping[str, Mapping[str, Any]],
    pages: Mapping[str, Mapping[str, Any]],
    all_gold: Mapping[str, GoldTurn],
    is_right: Callable[[str], bool],
) -> Known:
    names = gold.attributes == ((gold.entity or "", "name"),) or row["question_type"] == "simple-recognition"
    read = not gold.attributes and not gold.passages and not row["indexed"] and gold.answerable
    others = tuple(n for n in (*row["siblings"], *gold.entities) if n != gold.entity) or NOBODY[:2]
    wrong = _wrong(turn, gold, others, all_gold)
    needs = (
        _needs(turn, gold, row["question_type"], facts, pages)
        if not names
        else ((Need((f": {gold.entity}",)), Need(("name: ", gold.entity))),)
    )
    return Known(
        turn.interaction_id,
        turn.query,
        gold.standalone_query or turn.query,
        gold.entity or "",
        tuple(dict.fromkeys(others)),
        turn.ground_truth,
        tuple(text for text in wrong if not is_right(text)) or tuple(f"It is {name}." for name in NOBODY[:2]),
        needs,
        names,
        read,
        is_right,
    )


def _needs(
    turn: SampleTurn,
    gold: GoldTurn,
    question_type: str,
    facts: Mapping[str, Mapping[str, Any]],
    pages: Mapping[str, Mapping[str, Any]],
) -> tuple[tuple[Need, ...], ...]:
    """The answer itself, where pages hold it; else what it follows from: both figures that are weighed against each
    other, each property it is made of, and the pages behind these.
    """
    values = answer_forms(gold)
    there = [pages[url] for url in gold.passages if url in pages]
    stated = {pair: plain_attribute(facts.get(pair[0], {}).get(pair[1], "")) for pair in gold.attributes}
    properties = tuple(
        (Need((f"about {entity}: {key}: ",)), *([Need((entity,), (value,))] if value else []))
        for (entity, key), value in stated.items()
    )
    if weighed := _WEIGHED.search(turn.ground_truth):
        figures = [re.sub(r"[^\d.,]", "", said.split()[0]) for said in weighed.groups()]
        return tuple(
            (*(Need((_page(page),), (f,)) for page in there), *(Need((entity,), (f,)) for entity, _ in gold.attributes))
            for f in figures
        )
    if any(_holds(page["text"], value) for page in there for value in values):
        direct = [
            way for ways in properties for way in ways if any(_holds(v, f) for v in stated.values() for f in values)
        ]
        return ((*(Need((_page(page),), values) for page in there), *direct),)
    behind = tuple(Need((_page(page),), ANY_DIGIT) for page in there)
    if behind and question_type == "multi-hop":
        return (*properties, behind)
    return properties or ((behind,) if behind else ())


def _page(page: Mapping[str, Any]) -> str:
    """How a line of evidence names the page that it is from."""
    return f"page “{page['name']}”"


def answer_forms(gold: GoldTurn) -> tuple[str, ...]:
    """The answer's value as lines of evidence write it."""
    answer = gold.answer
    if answer is None or answer.kind in ("yesno", "choice"):
        return ()
    if answer.kind == "number":
        value = float(answer.value)
        return tuple(dict.fromkeys((f"{value:g}", f"{value:,.0f}" if value.is_integer() else f"{value:.2f}")))
    if answer.kind == "date":
        return (str(answer.value),)
    if answer.kind == "list":
        return tuple(map(str, answer.value[:1]))
    return (str(answer.value), *answer.aliases)


def _holds(text: str, value: str) -> bool:
    """Whether a text says the value, a day in whatever form."""
    if day := re.fullmatch(r"(\d{4})-(\d\d)-(\d\d)", value):
        wanted = tuple(map(int, day.groups()))
        return any((d.year, d.month, d.day) == wanted for d in find_dates(text))
    return re.search(rf"(?<![\w.,]){re.escape(value)}(?!\w)(?![.,]\d)", text, re.IGNORECASE) is not None


def _wrong(turn: SampleTurn, gold: GoldTurn, others: Sequence[str], all_gold: Mapping[str, GoldTurn]) -> list[str]:
    """The right sentence with something else in the value's place."""
    answer, truth = gold.answer, turn.ground_truth
    if answer is None:
        return [f"It is {name}." for name in NOBODY[:2]]
    pick = int(share_of("wrong", gold.interaction_id) * 1000)
    if answer.kind == "number":
        value = float(answer.value)
        made = [value * f for f in (1.3, 0.7, 2.0)] if abs(value) >= 8 else [value + d for d in (2, 3, 5)]
        texts = [f"{v:,.0f}" if value.is_integer() else f"{v:.2f}" for v in made]
    elif answer.kind == "date":
        year = int(str(answer.value)[:4])
        texts = [_exchanged(truth, str(year), str(year + d)) or f"{year + d}" for d in (7, -12, 23)]
        return [text if " " in text else f"It was in {text}." for text in texts]
    elif answer.kind == "yesno":
        return ["No." if answer.value in (True, "yes", "Yes") else "Yes."]
    elif answer.kind == "choice":
        texts = list(others)
    else:
        same = sorted(
            {
                str(g.answer.value)
                for g in all_gold.values()
                if g.answer and g.answer.kind == "name" and g.labels.get("indexed") and g.answer.value != answer.value
            }
        )
        texts = [
            *(others if str(answer.value) == gold.entity else ()),
            *same[pick % (len(same) or 1) :][:2],
            *NOBODY[:2],
        ]
    stated = [str(v) for v in (answer.value if isinstance(answer.value, list) else answer_forms(gold))]
    out = []
    for text in texts[:4]:
        put = next((p for value in stated if (p := _exchanged(truth, value, text))), "")
        out.append(put or (f"It is {text}." if answer.unit is None else f"It is {text} {answer.unit}."))
    return out


def _exchanged(sentence: str, value: str, other: str) -> str:
    found = re.search(rf"(?<![\w.,]){re.escape(value)}(?!\w)(?![.,]\d)", sentence)
    return f"{sentence[: found.start()]}{other}{sentence[found.end() :]}" if found else ""


def says_figures(text: str) -> bool:
    return bool(re.search(r"\d", text)) or bool(find_dates(text))


def _json_lines(path: Path) -> Iterator[dict[str, Any]]:
    return map(json.loads, path.read_text(encoding="utf-8").splitlines())
