"""What a generated world knows about its own turns: `gold/turns.jsonl`, and the facts a verdict may lean on.

Only judging, slicing and `--give` open these files, never an agent: whoever calls `read_gold` must come after the
answers are made, or be the runner handing something in on purpose.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.whole_text import load_json


@dataclass(frozen=True)
class GoldAnswer:
    """The typed answer: `kind` is number, date, name, list, yesno, choice or text; `value` is of that kind."""

    kind: str
    value: Any
    unit: str | None = None
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class GoldTurn:
    """What is known of one turn. `attributes` are the (entity, key) pairs that its answer rests on."""

    interaction_id: str
    entity: str | None
    entities: tuple[str, ...]
    answer: GoldAnswer | None
    answerable: bool
    standalone_query: str = ""
    passages: tuple[str, ...] = ()
    attributes: tuple[tuple[str, str], ...] = ()
    labels: Mapping[str, Any] = field(default_factory=dict)


_LABELS = ("popularity", "indexed", "answerable", "needs_history", "needs_image", "text_clue", "flat")


def has_gold(world: Path | None) -> bool:
    """Whether there is a gold file to read; looks at the folder only, opens nothing."""
    try:
        return world is not None and (world / "gold" / "turns.jsonl").is_file()
    except OSError:  # a folder that may not be entered
        return False


def read_gold(world: Path) -> dict[str, GoldTurn]:
    """All gold turns of a world by interaction id.

    Raises:
        BadInput: the world has no gold, or a line of it is not a gold turn.
    """
    gold = {}
    for number, row in world_lines(world / "gold" / "turns.jsonl"):
        try:
            turn = _gold_turn(row)
        except (KeyError, TypeError, AttributeError) as problem:
            raise BadInput(f"line {number} of {str(world / 'gold')!r} is not a gold turn ({problem!r})") from None
        gold[turn.interaction_id] = turn
    return gold


def read_example_gold(world: Path) -> Iterator[tuple[str, str, GoldTurn]]:
    """(session of the row, question, what is known) for the questions that the page asks of its example frames."""
    path = world / "gold" / "examples.jsonl"
    for number, row in world_lines(path) if path.is_file() else ():
        try:
            yield row["session_id"], row["query"], _gold_turn(row)
        except (KeyError, TypeError, AttributeError) as problem:
            raise BadInput(f"line {number} of {str(path)!r} is not a gold turn ({problem!r})") from None


def _gold_turn(row: Mapping[str, Any]) -> GoldTurn:
    answer = row.get("answer")
    return GoldTurn(
        interaction_id=row["interaction_id"],
        entity=row.get("entity"),
        entities=tuple(row.get("entities") or ()),
        answer=None
        if answer is None
        else GoldAnswer(answer["kind"], answer["value"], answer.get("unit"), tuple(answer.get("aliases") or ())),
        answerable=bool(row.get("answerable", True)),
        standalone_query=row.get("standalone_query") or "",
        passages=tuple(row.get("passages") or ()),
        attributes=tuple((pair["entity"], pair["key"]) for pair in row.get("attributes") or ()),
        labels={name: row.get(name) for name in _LABELS},
    )


def of_lines(gold: Mapping[str, GoldTurn], lines: Iterable[Mapping[str, Any]]) -> Mapping[str, GoldTurn]:
    """The gold by the ids of a run's lines: what is asked by scenario ends in an "@" and what it was asked under."""
    asked = [line["interaction_id"] for line in lines if (line.get("labels") or {}).get("scenario") is not None]
    return {**gold, **{key: gold[base] for key in asked if (base := key.rpartition("@")[0]) in gold}}


def read_facts(world: Path) -> dict[str, Mapping[str, Any]]:
    """Attributes of the indexed entities by name, as `kg/entities.jsonl` has them; {} where the world has none."""
    path = world / "kg" / "entities.jsonl"
    if not path.is_file():
        return {}
    return {row["name"]: row.get("attributes") or {} for _, row in world_lines(path)}


def world_lines(path: Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of one of a world's files of JSON lines, with their numbers from 1.

    Raises:
        BadInput: it cannot be read, or a line is no JSON.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise BadInput(f"{str(path)!r} cannot be read: the world is not whole") from None
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield number, load_json(line)
            except ValueError:
                raise BadInput(f"line {number} of {str(path)!r} is not JSON: {line[:60]!r}") from None


def given(turn: GoldTurn | None, what: str | None) -> dict[str, Any] | None:
    """The gold entity or the gold query, as `--give` hands them to the agent for one turn.

    None when nothing is given or the turn has no such gold (a sign without an entity).
    """
    if turn is None or what is None:
        return None
    if what == "entity":
        return {"entity": turn.entity} if turn.entity else None
    return {"query": turn.standalone_query} if turn.standalone_query else None
