"""CRAG (arXiv 2406.04744): questions about finance, sports, music, movies and the rest of the world, each of a moment.

Three tasks: five web pages (1), those and a mock knowledge graph (2), fifty pages and the graph (3). Rows are read by
`eval.data.crag_text`, the graph is `eval.benchmarks.crag_kg`, asked by `eval.benchmarks.crag_agent`. Handed over is
what the paper's straightforward solutions show their models: snippets in the data's order, cut at a number of tokens.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.paths import ASSETS_DIR
from eval.agents.protocol import AnswerFunction
from eval.benchmarks.base import Benchmark, Figure, PublishedRow, read_published
from eval.benchmarks.crag_agent import crag_answer
from eval.benchmarks.crag_scores import crag_differences, crag_own_scores
from eval.benchmarks.crag_window import USUAL_WINDOW, evidence_for, window_of

if TYPE_CHECKING:
    from assistant.agent import Assistant

PUBLISHED = ASSETS_DIR / "published" / "crag.csv"
PAPER = "arXiv 2406.04744"


#: A column of the published tables → the key of its figure, by models and by people.
_BY_MODELS = {
    "truthfulness": "crag.macro.truthfulness",
    "accuracy": "crag.macro.accuracy",
    "missing": "crag.macro.missing",
    "hallucination": "crag.macro.incorrect",
}
_BY_PEOPLE = {
    "truthfulness": "score",
    "perfect": "perfect",
    "acceptable": "acceptable",
    "missing": "missing",
    "hallucination": "incorrect",
}
_TRAFFIC = "traffic"


def published() -> list[PublishedRow]:
    """The straightforward solutions (Table 11, of which Table 5 is a part) and the industry's systems (Table 6).

    Raises:
        BadInput: the table is missing or has a line that cannot be read.
    """
    return read_published(PUBLISHED, _published)


def _published(line: Mapping[str, str]) -> PublishedRow:
    keys = _BY_MODELS
    if line["judged_by"] == "people":
        group = "weighted" if _TRAFFIC in line["setting"] else "macro"
        keys = {column: f"crag.graded.{group}.{name}" for column, name in _BY_PEOPLE.items()}
    return PublishedRow(
        part=line["setting"],
        system=line["system"],
        setting="",
        data="CRAG, public test",
        judge=line["judged_by"],
        where=f"{PAPER}, Table {line['table']}",
        figures={key: float(line[column]) / 100 for column, key in keys.items() if line[column]},
    )


def _figures() -> tuple[Figure, ...]:
    ways = (("macro", "", "each domain weighs the same"), ("weighted", ", by traffic", "question types by traffic"))
    whats = (
        ("truthfulness", "Truthfulness", "Right answers less wrong ones", "high", True),
        ("accuracy", "Accuracy", "The share of right answers", "high", False),
        ("missing", "Missing", "The share of questions without an answer", "low", False),
        ("incorrect", "Hallucination", "The share of wrong answers", "low", False),
    )
    graded = (
        ("score", "Truthfulness, by people", "Perfect 1, acceptable ½, missing 0, incorrect −1", "high", True),
        ("perfect", "Perfect, by people", "The share of answers graded perfect", "high", False),
        ("acceptable", "Acceptable, by people", "The share of answers with a small flaw", "high", False),
        ("missing", "Missing, by people", "The share of questions graded as not answered", "low", False),
        ("incorrect", "Hallucination, by people", "The share of answers graded as wrong", "low", False),
    )
    return tuple(
        Figure(f"crag.{part}{way}.{key}", f"{name}{ending}", f"{what}; {how}.", better, signed)
        for part, rows in (("", whats), ("graded.", graded))
        for way, ending, how in ways
        for key, name, what, better, signed in rows
    )


def _answers(assistant: Assistant, kg: Path | None, window: str | None) -> AnswerFunction:
    """A model that may call the mock KG, where there is one."""
    from eval.benchmarks.crag_kg.kg import CragKg

    opened = CragKg.open(kg) if kg is not None else None
    return crag_answer(assistant, opened, window_of(window) if window else USUAL_WINDOW)


CRAG = Benchmark(
    name="crag",
    title="CRAG",
    paper=PAPER,
    asks="Questions without pictures, of five domains and eight kinds, about facts that never change and facts that "
    "change by the second, some of them on a false premise. Is the answer that of the moment when it was asked, and is "
    "nothing said where nothing is known?",
    needs="An agent that reads text. Every question is handed web pages; in tasks 2 and 3 a model may ask a mock "
    "knowledge graph as well, which is built once: python -m eval crag-kg build DIR.",
    get="Fetch crag_task_1_and_2_dev_v4.jsonl.bz2, or the file of task 3, from github.com/facebookresearch/CRAG and "
    "give it as --data.",
    licence="CC BY-NC 4.0",
    judges=("llm", "lexical+llm", "lexical", "exact"),
    offline_judge="lexical",
    figures=_figures(),
    slices=("popularity", "false_premise"),
    evidence=lambda turn, window: evidence_for(turn, window_of(window) if window else USUAL_WINDOW),
    answers=_answers,
    own_scores=crag_own_scores,
    differences=crag_differences,
    takes_weights=True,
    averages=True,
    published=published,
)
