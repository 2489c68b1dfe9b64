"""The public evaluator's files: turns as JSONL, its two CSVs and `scores_dictionary.json`, read and written.

Reads and writes only; what the figures mean stands in `eval.metrics.public`. Verdicts come as one JSON object,
interaction id → true, false or null (the judge failed or was not asked), or from the flags of a CSV. Columns that
evaluator did not have when the format was fixed (`api_response`) are carried along. Not covered: its folders named by
the clock.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import os
from collections.abc import Mapping, Sequence, Set
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.whole_text import load_json
from eval.metrics.public import PublicTurn, public_flags, public_scores

_TEXTS = ("session_id", "interaction_id", "query", "ground_truth", "agent_response")
FLAGS = ("is_exact_match", "is_correct", "is_miss", "is_semantically_correct")


def read_turns(path: Path) -> list[dict[str, Any]]:
    """The turns of a public turn file, in the file's order.

    Raises:
        BadInput: no such file, no turns, a line that is not a turn, an interaction id that comes twice.
    """
    turns: list[dict[str, Any]] = []
    seen: dict[str, int] = {}
    for number, line in enumerate(_text(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            turn = load_json(line)
        except ValueError:
            raise BadInput(f"line {number} of {str(path)!r} is not JSON: {line[:60]!r}") from None
        _check(turn, f"line {number} of {str(path)!r}")
        if turn["interaction_id"] in seen:
            first = seen[turn["interaction_id"]]
            raise BadInput(
                f"line {number} of {str(path)!r} repeats the interaction id {turn['interaction_id']!r} of line {first}"
            )
        seen[turn["interaction_id"]] = number
        turns.append(turn)
    if not turns:
        raise BadInput(f"{str(path)!r} holds no turns")
    return turns


def _check(turn: Any, where: str) -> None:
    if not isinstance(turn, dict):
        raise BadInput(f"{where} is not a turn: an object with {', '.join(_TEXTS)}, turn_idx and is_ego is wanted")
    for key in (*_TEXTS, "turn_idx", "is_ego"):
        if key not in turn:
            raise BadInput(f"{where} has no {key!r}")
    for key in _TEXTS:
        if not isinstance(turn[key], str):
            raise BadInput(f"{where} has {turn[key]!r} as {key!r}: a text is wanted")
    if not isinstance(turn["turn_idx"], int) or isinstance(turn["turn_idx"], bool):
        raise BadInput(f"{where} has {turn['turn_idx']!r} as 'turn_idx': a whole number is wanted")


def read_verdicts(path: Path, turns: Sequence[Mapping[str, Any]]) -> dict[str, bool | None]:
    """The judge's verdicts by interaction id; a turn the file does not name has no verdict (None).

    Raises:
        BadInput: not a JSON object of true, false and null, or verdicts on interactions that `turns` does not hold.
    """
    try:
        verdicts = load_json(_text(path))
    except ValueError as problem:
        raise BadInput(f"{str(path)!r} is not JSON ({problem})") from None
    if not isinstance(verdicts, dict):
        raise BadInput(f"{str(path)!r} is not an object of interaction ids and verdicts")
    for key, value in verdicts.items():
        if value is not None and not isinstance(value, bool):
            raise BadInput(f"{str(path)!r} has {value!r} as the verdict on {key!r}: true, false or null is wanted")
    known = {turn["interaction_id"] for turn in turns}
    unknown = [key for key in verdicts if key not in known]
    if unknown:
        raise BadInput(
            f"{str(path)!r} has verdicts on {len(unknown)} interactions that are not among the turns: {unknown[0]!r}"
        )
    return verdicts


def read_results(path: Path) -> tuple[list[dict[str, Any]], dict[str, bool | None]]:
    """Turns and verdicts from a `turn_evaluation_results_*.csv`; the flags are taken as the judge's word.

    A turn that was an exact match or a refusal has no verdict there: the judge was not asked.

    Raises:
        BadInput: no such file, a column missing, a cell that is not what its column holds.
    """
    try:
        lines = list(csv.DictReader(io.StringIO(_text(path, newline=""))))
    except csv.Error as problem:
        raise BadInput(f"{str(path)!r} is not a CSV ({problem})") from None
    if not lines:
        raise BadInput(f"{str(path)!r} holds no turns")
    for column in (*_TEXTS, "turn_idx", "is_ego", *FLAGS):
        if column not in lines[0]:
            raise BadInput(f"{str(path)!r} has no column {column!r}: a turn_evaluation_results CSV is wanted")
    turns, verdicts = [], {}
    for number, line in enumerate(lines, 2):
        where = f"row {number} of {str(path)!r}"
        if None in line or None in line.values():
            raise BadInput(f"{where} has not as many cells as there are columns")
        flags = {name: _flag(line[name], name, where) for name in FLAGS}
        turn = {key: _cell(key, value, where) for key, value in line.items() if key not in FLAGS}
        _check(turn, where)
        if turn["interaction_id"] in verdicts:
            raise BadInput(f"{where} repeats the interaction id {turn['interaction_id']!r}")
        turns.append(turn)
        asked = not flags["is_exact_match"] and not flags["is_miss"]
        verdicts[turn["interaction_id"]] = flags["is_correct"] if asked else None
    return turns, verdicts


def _flag(text: str, name: str, where: str) -> bool:
    if text not in ("True", "False", ""):
        raise BadInput(f"{where} has {text!r} as {name!r}: True or False is wanted")
    return text == "True"


def _cell(key: str, text: str, where: str) -> Any:
    """A cell as the turn has it: pandas writes None as nothing, whole numbers beside one with ".0"."""
    if key in _TEXTS:
        return text
    if key == "is_ego":
        return _flag(text, key, where)
    if key == "interaction_id_history":
        try:
            return ast.literal_eval(text) if text else []
        except (ValueError, SyntaxError):
            raise BadInput(f"{where} has {text!r} as {key!r}: a list of ids is wanted") from None
    if text == "":
        return None
    number = text.removesuffix(".0")
    return int(number) if number.lstrip("-").isdigit() else text


def _text(path: Path, newline: str | None = None) -> str:
    try:
        with path.open(encoding="utf-8", newline=newline) as file:
            return file.read()
    except FileNotFoundError:
        raise BadInput(f"there is no file {str(path)!r}") from None
    except (OSError, UnicodeDecodeError) as problem:
        raise BadInput(f"{str(path)!r} cannot be read as text ({problem})") from None


def evaluate(turns: Sequence[Mapping[str, Any]], verdicts: Mapping[str, bool | None]) -> list[dict[str, Any]]:
    """The turns with the four flags, sorted by session id and turn number as the public evaluator sorts them.

    All rows have the same columns, in the order in which they first come in `turns`: pandas takes them before it sorts.
    """
    rows = []
    for turn in turns:
        flags = public_flags(turn["agent_response"], turn["ground_truth"], verdicts.get(turn["interaction_id"]))
        rows.append({**turn, **{name: getattr(flags, name) for name in FLAGS}})
    columns = list(dict.fromkeys(key for row in rows for key in row))
    whole = ({column: row.get(column) for column in columns} for row in rows)
    return sorted(whole, key=lambda row: (row["session_id"], row["turn_idx"]))


def ego_rows(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The egocentric rows: `is_ego` equals true, as the public evaluator filters (null is not)."""
    return [row for row in rows if row["is_ego"] == True]  # noqa: E712  # 1 counts, None and "yes" do not


def scores(rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """`scores_dictionary`: the figures of all turns and of the egocentric ones."""
    return {"all": public_scores(map(_public_turn, rows)), "ego": public_scores(map(_public_turn, ego_rows(rows)))}


def _public_turn(row: Mapping[str, Any]) -> PublicTurn:
    flags = public_flags(row["agent_response"], row["ground_truth"], row["is_semantically_correct"])
    return PublicTurn(row["session_id"], row["turn_idx"], flags)


def write_results(folder: Path, rows: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """Write the three files of the public evaluator into `folder` (made if missing) and return the scores.

    Each file is written under another name and then renamed, so that a reader never sees half of one.
    """
    result = scores(rows)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        columns = list(dict.fromkeys(key for row in rows for key in row))
        fractional = {column for column in columns if _is_fractional([row.get(column) for row in rows])}
        _write(folder / "turn_evaluation_results_all.csv", csv_text(rows, columns, fractional))
        _write(folder / "turn_evaluation_results_ego.csv", csv_text(ego_rows(rows), columns, fractional))
        _write(folder / "scores_dictionary.json", json.dumps(result, indent=2))
    except OSError as problem:
        raise BadInput(f"the results cannot be written to {str(folder)!r} ({problem.strerror or problem})") from None
    return result


def _is_fractional(values: Sequence[Any]) -> bool:
    """Whether pandas holds a column of these values as floats: whole numbers beside a None, or beside a number that is
    not whole, gain a ".0" in the CSV."""
    numbers = [value for value in values if value is not None]
    if not numbers or not all(isinstance(value, int | float) and not isinstance(value, bool) for value in numbers):
        return False
    return len(numbers) < len(values) or any(isinstance(value, float) for value in numbers)


def csv_text(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], fractional: Set[str]) -> str:
    """The text that pandas' `to_csv(index=False)` writes: None is empty, columns in `fractional` are floats."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in rows:
        values = ((column, row.get(column)) for column in columns)
        writer.writerow(float(v) if v is not None and column in fractional else v for column, v in values)
    return text.getvalue()


def _write(path: Path, text: str) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("w", encoding="utf-8", errors="replace", newline="") as file:
            file.write(text)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)
