"""Raw search results of the benchmark's client (`assistant.index.raw_search`) as evidence, cleaned.

What is stored is dirty: wiki markup, HTML, values that are none. What is shown is plain text; strangers' orders are
withheld where evidence is chosen for a prompt (`evidence_lines`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from assistant.core.types import Evidence
from assistant.text.english import plain
from assistant.text.markup import clean_text, clean_value

#: Nothing that is shown of one result is longer; a page's chunk of the published index has a few thousand characters.
PIECE_CHARS = 4_000


def count_tokens(text: str) -> int:
    """Tokens of a text as the project counts them: MiniLM's word pieces, somewhat shorter than a chat model's tokens,
    so that a limit is reached a little early and never passed.
    """
    from assistant.text.encoder import text_encoder

    return max(0, text_encoder().count_tokens(text) - 2)  # the two that stand around every text


def of_images(results: Iterable[Mapping[str, Any]]) -> list[Evidence]:
    """The entities on the pictures found, each with its attributes, in the order of the results."""
    return [piece for result in results for piece in of_image(result)]


def of_image(
    result: Mapping[str, Any], *, most_entities: int | None = None, most_attributes: int | None = None
) -> list[Evidence]:
    """The names and attributes of one picture that was found; limits are those of a preset, None for none."""
    out: list[Evidence] = []
    for n, (name, attributes) in enumerate(islice(_entities(result), most_entities)):
        id = f"image:{result.get('index')}.{n}"
        score = float(result.get("score") or 0.0)
        out.append(Evidence(id, "entity", str(result.get("url") or ""), name, score, subject=name))
        out += [replace(piece, score=score) for piece in islice(_stated(name, attributes, id), most_attributes)]
    return out


def names_of(result: Mapping[str, Any]) -> list[str]:
    """The names of the entities on one picture that was found."""
    return [name for name, _ in _entities(result)]


def of_pages(results: Iterable[Mapping[str, Any]]) -> list[Evidence]:
    """One passage a web result, in their order; results that say nothing are left out."""
    out = []
    for result in results:
        title = clean_value(result.get("page_name")) or ""
        text = plain(clean_text(str(result.get("page_snippet") or "")), PIECE_CHARS)
        if text:
            score = float(result.get("score") or 0.0)
            url = str(result.get("page_url") or "")
            out.append(Evidence(f"web:{result.get('index')}", "passage", url, text, score, title=plain(title, 300)))
    return out


def _entities(result: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any]]]:
    for entity in result.get("entities") or ():
        name = plain(clean_value(entity.get("entity_name")) or "", 200)
        attributes = entity.get("entity_attributes")
        if name:
            yield name, attributes if isinstance(attributes, Mapping) else {}


def _stated(name: str, attributes: Mapping[str, Any], id: str) -> Iterator[Evidence]:
    from assistant.reading.retrieve import stated_about

    return stated_about(name, attributes, f":{id}")
