"""M2RAG (arXiv 2411.16365): long answers out of web pages, with the pages' pictures where they help.

Questions and pages: `eval.data.m2rag`. What a turn is handed of its pages: `eval.benchmarks.m2rag_retrieval`. Figures:
`eval.metrics.m2rag`; its judge: `eval.judges.m2rag`.
"""

from __future__ import annotations

from collections.abc import Mapping

from assistant.core.paths import ASSETS_DIR
from eval.benchmarks.base import Benchmark, Figure, PublishedRow, read_published
from eval.benchmarks.m2rag_retrieval import evidence_for
from eval.metrics.m2rag import METRICS, m2rag_differences, m2rag_scores

PUBLISHED = ASSETS_DIR / "published" / "m2rag.csv"
PAPER = "arXiv 2411.16365"
_FIGURES = ("overall", *METRICS)
#: As the paper calls its three ways to an answer.
_APPROACHES = {"separate": "separate", "single": "single-stage", "multi": "multi-stage"}


def published() -> list[PublishedRow]:
    """Table 2; models that only read get captions, those that see get the pictures.

    Raises:
        BadInput: the table is missing or has a line that cannot be read.
    """
    return read_published(PUBLISHED, _published)


def _published(line: Mapping[str, str]) -> PublishedRow:
    return PublishedRow(
        part=line["type"],
        system=line["model"],
        setting=_APPROACHES[line["approach"]],
        data="M2RAG-Bench, 200 questions",
        judge="GPT-4o",
        where=f"{PAPER}, Table 2",
        figures={f"m2rag.{name}": float(line[name]) for name in _FIGURES},
    )


def _figures() -> tuple[Figure, ...]:
    said = {
        "overall": ("Overall", "The mean of the eight metrics; those of pictures over all pictures."),
        "fluency": ("Fluency", "How well the text reads, its Markdown among it."),
        "relevance": ("Relevance", "How much of the text is about the question."),
        "context_precision": (
            "Context precision",
            "Whether what was handed over and of use stood before what was not.",
        ),
        "faithfulness": ("Faithfulness", "The share of the text's statements that what was handed over supports."),
        "image_coherence": ("Image coherence", "How well pictures go with the words around them."),
        "image_helpfulness": ("Image helpfulness", "How much pictures help to understand these words."),
        "image_reference": ("Image reference", "Whether these words speak of the picture."),
        "image_recall": ("Image recall", "The share of the pictures that should be used that are; needs no judge."),
    }
    figures = [Figure(f"m2rag.{name}", title, what) for name, (title, what) in said.items()]
    script = "The same with 0 for the three metrics of pictures of an answer without pictures."
    seven = (
        "The mean of the seven metrics that a judge scores: of pages whose pictures nobody scored, recall is unknown."
    )
    return (
        *figures,
        Figure("m2rag.script.overall", "Overall, by answer", script),
        Figure("m2rag.without_recall", "Overall without recall", seven),
    )


M2RAG = Benchmark(
    name="m2rag",
    title="M2RAG",
    paper=PAPER,
    asks="Questions of everyday life that web pages answer at length. Is the answer well written, to the point and "
    "carried by the pages, and does it show the pages' pictures where they help, with words that speak of them?",
    needs="An agent that takes evidence and may place pictures: --pipeline separate, single-stage or multi-stage with "
    "a model. Nothing is searched: every turn is handed the parts and pictures of its pages that fit best.",
    get="hf download ylwt/M2RAG-Bench --repo-type dataset --local-dir M2RAG, then unpack M2RAG/dev_set.jsonl.tar.gz "
    "into M2RAG and the archives below M2RAG/images into M2RAG/images; --data M2RAG/dev_set.jsonl. Or a folder of "
    "Markdown pages of one's own with a questions.jsonl.",
    licence="MIT",
    judges=("m2rag",),
    figures=_figures(),
    stand_ins=("m2rag.without_recall", "m2rag.script.overall", "m2rag.image_recall"),
    slices=("level",),
    evidence=evidence_for,
    own_scores=m2rag_scores,
    differences=m2rag_differences,
    reads_handed=True,
    published=published,
)
