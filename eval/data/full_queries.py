"""`--full-queries FILE`: standalone questions to search with, as the released kit takes them.

The kit's file is the turn data of an earlier run of a rewriting agent, JSONL: `agent_response` holds a JSON object
whose `updated_question` is the standalone question. As there, a line whose `agent_response` cannot be read so falls
back to its `query`. Agents of the kit get them through `rag_context_list`; ours as the question that they plan with.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.whole_text import load_json
from eval.data.samples import id_text


def read_full_queries(path: Path) -> dict[str, str]:
    """Interaction id → standalone question.

    Raises:
        BadInput: no file, a line that is not a JSON object, or no question in the whole file.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as problem:
        why = getattr(problem, "strerror", None) or problem
        raise BadInput(f"{str(path)!r} cannot be read as --full-queries ({why})") from None
    found: dict[str, str] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = load_json(line)
        except ValueError:
            raise BadInput(f"line {number} of {str(path)!r} is not JSON: {line[:60]!r}") from None
        if not isinstance(row, dict):
            raise BadInput(f"line {number} of {str(path)!r} is {type(row).__name__}, not an object")
        interaction, query = id_text(row.get("interaction_id")), _question(row)
        if interaction is not None and query:
            found[interaction] = query
    if not found:
        raise BadInput(f"{str(path)!r} holds no question: its lines need interaction_id and agent_response")
    return found


def _question(row: dict[str, Any]) -> str | None:
    if row.get("agent_response") is None:
        return None
    try:
        query = load_json(row["agent_response"])["updated_question"]
    except (ValueError, TypeError, KeyError):
        query = row.get("query")
    return query.strip() or None if isinstance(query, str) else None
