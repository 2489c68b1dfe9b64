"""The rows of CRAG's tasks (`crag_task_1_and_2_dev_v4.jsonl.bz2`, `crag_task_3_dev_v4.jsonl.bz2`, also unpacked).

    {"interaction_id", "query_time", "domain", "question_type", "static_or_dynamic", "popularity" (not always), "query",
     "answer", "alternative_answers", "split": 0 (validation) or 1 (public test),
     "search_results": [{"page_name", "page_url", "page_snippet", "page_result" (HTML), "page_last_modified"}, …]}

Files of gigabytes are read once, row by row; what is kept of the pages then lies in a prepared file
(`eval.data.crag_text.store`). The answer "nan" of some rows is a text like any other, as in the benchmark.
"""

from __future__ import annotations

import ast
import bz2
import datetime
import email.utils
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from assistant.commands.command_line import ShownProgress
from assistant.core.errors import BadInput
from assistant.core.whole_text import load_json
from eval.data.chunks import passages
from eval.data.crag_rows import Source
from eval.data.crag_text.html_text import html_text, one_line
from eval.data.crag_text.store import FORMAT_VERSION, InMemory, Kept, Page, Prepared, Rows, pack, prepare
from eval.data.digest import digest_of
from eval.data.pieces import Piece
from eval.data.row_format import RowFormat, is_packed
from eval.data.samples import Sample, SampleTurn, id_text

SPLITS = {0: "validation", 1: "public_test"}
FALSE_PREMISE = "false_premise"
#: A larger file is prepared on the disk; compressed, it is some seven times as long once unpacked.
SMALL_BYTES, SMALL_PACKED_BYTES = 20_000_000, 3_000_000
_SNIPPET = "snippet-"
_PAGE_TEXTS = ("page_name", "page_url", "page_snippet", "page_result", "page_last_modified")
#: Share read of all, and of how many rows.
Progress = Callable[[float, int], None]


def is_snippet(piece: Piece) -> bool:
    """Whether a piece is a search result's snippet rather than a passage of its page."""
    return piece.id.startswith(_SNIPPET)


def read_crag_text(path: Path, source: Source) -> Iterator[Sample]:
    """The samples of a file, of the split that is asked for.

    Raises:
        BadInput: a row that is not of this shape, named by line and key; no row of the split; no room for the pages.
    """
    rows = _rows_of(path, source)
    heads = list(rows.heads())
    there = {str(head["split"]) for _, head in heads}
    wanted = source.wanted
    if wanted == SPLITS[0] and len(there) == 1:  # asked for by no name: the only one that there is
        (wanted,) = there
    if wanted != "all" and wanted not in there:
        raise BadInput(f"{source.name!r} has no rows for --split {wanted}: it has {', '.join(sorted(there))}")
    for number, head in heads:
        if wanted in ("all", head["split"]):
            yield _sample(number, head, rows, source)


def _rows_of(path: Path, source: Source) -> Rows:
    packed = is_packed(path)
    small = path.stat().st_size <= (SMALL_PACKED_BYTES if packed else SMALL_BYTES)
    if small or source.cache is None:
        return InMemory(read_rows_of(path, source))
    store = source.cache / "prepared" / f"crag-{digest_of([path])[:40]}.v{FORMAT_VERSION}.sqlite"
    if (found := Prepared(store)).whole():
        return found
    shown = ShownProgress(f"reading the pages of {path.name}")
    return prepare(store, read_rows_of(path, source, lambda share, n: shown(share, f"{n:,} questions")))


def read_rows_of(path: Path, source: Source, progress: Progress = lambda share, n: None) -> Iterator[Kept]:
    """Every row of a file, one by one; `progress` is told after each, and what it raises ends it."""
    size = max(1, path.stat().st_size)
    n = 0
    try:
        with path.open("rb") as file:
            lines = _texts(path, file)
            for number, line in enumerate(lines, 1):
                if n == 0 and line.lstrip()[:1] == "[":
                    raise BadInput(f"{source.name!r} is a JSON list: CRAG's rows are wanted as released, one a line")
                if line.strip():
                    n += 1
                    yield _kept(number, line, source.place(number))
                    progress(min(1.0, file.tell() / size) * 0.999, n)
        progress(1.0, n)
    except (OSError, EOFError, UnicodeDecodeError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise BadInput(f"{source.name!r} breaks off after {n} rows ({why}): fetch it again") from None


def _texts(path: Path, file: Any) -> TextIO:
    return io.TextIOWrapper(bz2.BZ2File(file) if is_packed(path) else file, encoding="utf-8-sig", newline="\n")


def _kept(number: int, line: str, place: str) -> Kept:
    try:
        row = load_json(line)
    except (ValueError, RecursionError):
        raise BadInput(f"{place} is not JSON: {line[:60]!r}") from None
    if not isinstance(row, dict):
        raise BadInput(f"{place} is {type(row).__name__}, not an object")
    head = {
        "id": _id(row, place),
        "query": _wanted(row, "query", place),
        "truths": _truths(_answer(row.get("answer"), "answer", place), _alternatives(row, place)),
        "split": _split(row, place),
        "query_time": _text(row, "query_time", place),
        "domain": row.get("domain"),
        "type": row.get("question_type"),
        "dynamism": row.get("static_or_dynamic"),
        "popularity": _text(row, "popularity", place),
    }
    for key in ("domain", "question_type", "static_or_dynamic"):
        _text(row, key, place)
    results = row.get("search_results")
    if not isinstance(results, list):
        raise BadInput(f"{place} has {_short(results)} as 'search_results': a list of pages is wanted")
    return Kept(number, head, pack([_page(result, f"{place}, page {n}") for n, result in enumerate(results)]))


def _truths(answer: str, alternatives: list[str]) -> list[str]:
    """Every right answer once; an empty one is none where there are others."""
    return list(dict.fromkeys([*([answer] if answer.strip() or not alternatives else []), *alternatives]))


def _id(row: Mapping[str, Any], place: str) -> str:
    found = id_text(row.get("interaction_id"))
    if found is None:
        raise BadInput(f"{place} has {_short(row.get('interaction_id'))} as 'interaction_id': an id is wanted")
    return found


def _wanted(row: Mapping[str, Any], key: str, place: str) -> str:
    found = _text(row, key, place)
    if found is None or not found.strip():
        raise BadInput(f"{place} has {_short(row.get(key))} as {key!r}: a text is wanted")
    return found


def _text(row: Mapping[str, Any], key: str, place: str) -> str | None:
    value = row.get(key)
    if value is not None and not isinstance(value, str):
        raise BadInput(f"{place} has {_short(value)} as {key!r}: a text is wanted")
    return value


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:60]}…"


def _answer(value: Any, key: str, place: str) -> str:
    """An answer as text; numbers are taken as they are written."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "nan" if value != value else json.dumps(value)
    raise BadInput(f"{place} has {_short(value)} as {key!r}: a text is wanted")


def _alternatives(row: Mapping[str, Any], place: str) -> list[str]:
    """Further right answers: a list, or one written as text, in JSON's way or Python's."""
    found = row.get("alternative_answers")
    if isinstance(found, str) and found.strip():
        found = _listed(found)
    if found in (None, "") or (isinstance(found, str) and not found.strip()):
        return []
    if not isinstance(found, list | tuple):
        given = _short(row.get("alternative_answers"))
        raise BadInput(f"{place} has {given} as 'alternative_answers': a list of texts is wanted")
    return [text for value in found if (text := _answer(value, "alternative_answers", place)).strip()]


def _listed(text: str) -> Any:
    try:
        return load_json(text)
    except ValueError:
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return object()


def _split(row: Mapping[str, Any], place: str) -> str:
    value = row.get("split")
    if not isinstance(value, int) or isinstance(value, bool) or value not in SPLITS:
        raise BadInput(f"{place} has {_short(value)} as 'split': 0 (validation) or 1 (public test) is wanted")
    return SPLITS[value]


def _page(result: Any, place: str) -> Page:
    if not isinstance(result, dict):
        raise BadInput(f"{place} is {type(result).__name__}, not an object")
    name, url, snippet, html, modified = ((_text(result, key, place) or "") for key in _PAGE_TEXTS)
    return Page(one_line(name), url.strip(), one_line(snippet), _day(modified), tuple(passages(html_text(html))))


def _day(text: str) -> str:
    """The day of a header such as "Wed, 13 Mar 2024 14:08:43 GMT" or of an ISO date, "" for anything else."""
    text = text.strip()
    try:
        return datetime.datetime.fromisoformat(text).date().isoformat()
    except ValueError:
        pass
    try:
        return email.utils.parsedate_to_datetime(text).date().isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""


def _sample(number: int, head: Mapping[str, Any], rows: Rows, source: Source) -> Sample:
    place = source.place(number)
    kind = head["type"]
    more = {
        **({"popularity": head["popularity"]} if head["popularity"] else {}),
        "query_time": head["query_time"],
        "false_premise": "yes" if kind == FALSE_PREMISE else "no",
    }
    turn = SampleTurn(
        head["id"],
        0,
        head["query"],
        head["truths"][0],
        domain=source.labels.read("domain", head["domain"], place),
        query_category=source.labels.read("query_category", kind, place),
        dynamism=source.labels.read("dynamism", head["dynamism"], place),
        more=more,
        truths=tuple(head["truths"][1:]),
        pieces=partial(_pieces, rows, number),
    )
    return Sample(head["id"], (turn,), source.set, head["split"], False, source=source.name, row=number)


def _pieces(rows: Rows, number: int) -> list[Piece]:
    return list(pieces_of(rows.pages(number)))


def pieces_of(pages: Iterable[Page]) -> Iterator[Piece]:
    """Pages as evidence, in their order: of each its snippet, then the passages of its text."""
    for n, page in enumerate(pages):
        about: dict[str, Any] = {"title": page.title, "written": page.written or None}
        if page.snippet:
            yield Piece(f"{_SNIPPET}{n}", "page", "passage", page.url, page.snippet, **about)
        for k, text in enumerate(page.passages):
            yield Piece(f"page-{n}.{k}", "page", "passage", page.url, text, **about)


def _recognises(row: Mapping[str, Any]) -> bool:
    return all(key in row for key in ("interaction_id", "query", "answer", "search_results"))


CRAG_TEXT_ROWS = RowFormat("crag", _recognises, read_crag_text)
