"""CRAG-MM (arXiv 2510.26160): questions about what the wearer of smart glasses sees, alone or in conversations.

The figures are the paper's reading of a run's scores; generated worlds and rows of one's own are scored by them too.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.core.paths import ASSETS_DIR
from eval.benchmarks.base import Benchmark, Figure, PublishedRow, read_published

PUBLISHED = ASSETS_DIR / "published" / "crag_mm.csv"
PAPER = "arXiv 2510.26160"
#: A column of the published table → the key of the figure in a run's scores.
_KEYS = {
    "truthfulness": "paper.truthfulness",
    "accuracy": "paper.accuracy",
    "missing": "paper.missing",
    "hallucination": "paper.hallucination_rate",
    "early_stop": "paper.early_stop",
}


def published() -> list[PublishedRow]:
    """Tables 5, 8 and 9, in percent there and as shares here.

    Raises:
        BadInput: the table is missing or has a line that cannot be read.
    """
    return read_published(PUBLISHED, _published)


def _published(line: Mapping[str, str]) -> PublishedRow:
    private = line["setting"] == "winning team"
    return PublishedRow(
        part=line["set"],
        system=line["system"],
        setting=line["setting"],
        data=f"CRAG-MM, {'private' if private else 'public'} test",
        judge="GPT-4o",
        where=f"{PAPER}, Table {line['table']}",
        figures={key: float(line[name]) / 100 for name, key in _KEYS.items() if line[name]},
    )


CRAGMM = Benchmark(
    name="cragmm",
    title="CRAG-MM",
    paper=PAPER,
    asks="Questions about a picture, most of them taken with smart glasses: alone, or two to six in a conversation. Is "
    "the answer right, is nothing said where nothing is known, and how often is something wrong said instead?",
    needs="An agent that sees. It may search: an index of pictures with facts, and one of web pages.",
    get="python -m eval data --data crag-mm --allow-network fetches both sets from the hub; python -m eval world makes "
    "a generated world of the same shape.",
    licence="CC BY-NC 4.0",
    judges=("llm", "lexical+llm", "lexical", "exact"),
    figures=(
        Figure(
            "paper.truthfulness",
            "Truthfulness",
            "Right answers less wrong ones, over the turns of a conversation up to where it was given up.",
            signed=True,
        ),
        Figure("paper.accuracy", "Accuracy", "The share of turns that were answered rightly."),
        Figure("paper.missing", "Missing", "The share of turns in which no answer was given.", better="low"),
        Figure(
            "paper.hallucination_rate",
            "Hallucination",
            "The share of turns that were answered wrongly.",
            better="low",
        ),
        Figure(
            "paper.early_stop",
            "Early stop",
            "The share of conversations given up after two turns in a row that were not right.",
            better="low",
        ),
    ),
    published=published,
)
