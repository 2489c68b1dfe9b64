"""Label Studio's JSON: tasks with annotations (https://labelstud.io/guide/task_format, read in November 2026).

A task's `data` are our item's fields; an annotation's `result` has one entry for each control of `CONFIG`, the
labelling interface to set up there: choices for grade, preference, reasons and yes or no, text for the rest.
`completed_by` is an object with the person's name as `first_name`, as exports with users have it; a number or an email
of another installation is taken as the name of a person.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from eval.annotate.values import GRADES, REASONS, WINNERS

_FLAGS = ("saw_truth", "left_here")
_CHOICES = {"grade": GRADES, "winner": WINNERS, "reasons": REASONS, "flags": _FLAGS}
_TEXTS = ("corrected_answer", "note", "prefilled")


def _config() -> str:
    shown = "\n".join(
        f'  <Header value="{title}"/>\n  <Text name="{name}" value="${name}"/>'
        for name, title in (("query", "Question"), ("ground_truth", "Ground truth"), ("answer", "Answer"))
    )
    choices = "\n".join(
        f'  <Choices name="{name}" toName="answer" choice="{"single" if name in ("grade", "winner") else "multiple"}">'
        + "".join(f'<Choice value="{value}"/>' for value in values)
        + "</Choices>"
        for name, values in _CHOICES.items()
    )
    texts = "\n".join(f'  <TextArea name="{name}" toName="answer"/>' for name in _TEXTS)
    return f'<View>\n{shown}\n{choices}\n{texts}\n  <Number name="guideline_version" toName="answer"/>\n</View>\n'


#: The labelling interface that such tasks are shown with.
CONFIG = _config()


def tasks(lines: Iterable[Mapping[str, Any]], data_keys: Iterable[str]) -> list[dict[str, Any]]:
    """Label lines (see `eval.annotate.exchange`) as tasks, one for each item."""
    made: dict[Any, dict[str, Any]] = {}
    people: dict[str, int] = {}
    keys = tuple(data_keys)
    for line in lines:
        task = made.setdefault(line["digest"], {"data": {key: line[key] for key in keys}, "annotations": []})
        if line["annotator"] is None:
            continue
        number = people.setdefault(line["annotator"], len(people) + 1)
        task["annotations"].append(
            {
                "completed_by": {"id": number, "first_name": line["annotator"], "last_name": "", "email": ""},
                "result": list(_results(line)),
                "was_cancelled": False,
                "ground_truth": False,
                "created_at": line["at"],
                "lead_time": line["active_ms"] / 1000,
            }
        )
    return [{"id": number, **task} for number, task in enumerate(made.values(), 1)]


def _results(line: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    flags = [name for name in _FLAGS if line[name]]
    chosen = {
        "grade": [line["grade"]] if line["grade"] else [],
        "winner": [line["winner"]] if line["winner"] else [],
        "reasons": list(line["reasons"]),
        "flags": flags,
    }
    for name, values in chosen.items():
        if values:
            yield _result(name, "choices", {"choices": values})
    for name in _TEXTS:
        if line[name]:
            yield _result(name, "textarea", {"text": [line[name]]})
    if line["guideline_version"]:
        yield _result("guideline_version", "number", {"number": line["guideline_version"]})


def _result(name: str, kind: str, value: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": name, "from_name": name, "to_name": "answer", "type": kind, "value": dict(value)}


def lines(content: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    """(place, label line) of every annotation in a list of tasks; cancelled ones are passed over.

    Raises:
        ValueError: a task or annotation of another shape; the message begins with its place.
    """
    if not isinstance(content, list):
        raise ValueError("it is no list of tasks")
    for number, task in enumerate(content, 1):
        place = f"task {number}"
        if not isinstance(task, dict) or not isinstance(task.get("data"), dict):
            raise ValueError(f"{place} has no data")
        annotations = task.get("annotations") or []
        if not isinstance(annotations, list):
            raise ValueError(f"{place} has no list of annotations")
        if not annotations:
            yield place, dict(task["data"])
        for which, annotation in enumerate(annotations, 1):
            where = f"{place}, annotation {which}"
            if not isinstance(annotation, dict) or not isinstance(annotation.get("result"), list):
                raise ValueError(f"{where} has no list of results")
            if not annotation.get("was_cancelled"):
                yield where, {**task["data"], **_said(where, annotation)}


def _said(where: str, annotation: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"annotator": _person(annotation.get("completed_by"))}
    for result in annotation["result"]:
        try:
            name, value = result["from_name"], result["value"]
            chosen = value.get("choices") or value.get("text") or []
            chosen = [chosen] if isinstance(chosen, str) else chosen
            if name == "flags":
                found.update(dict.fromkeys(chosen, True))
            elif name == "reasons":
                found["reasons"] = list(chosen)
            elif name == "guideline_version":
                found[name] = value["number"]
            elif name in ("grade", "winner", *_TEXTS):
                found[name] = chosen[0] if chosen else None
        except (TypeError, KeyError, AttributeError, IndexError):
            raise ValueError(f"{where} has {str(result)[:60]!r}, which is no result") from None
    if isinstance(lead := annotation.get("lead_time"), int | float):
        found["active_ms"] = round(lead * 1000)
    if isinstance(at := annotation.get("created_at"), str):
        found["at"] = datetime.fromisoformat(at).isoformat() if _is_time(at) else at
    return found


def _is_time(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return True


def _person(said: Any) -> str | None:
    if isinstance(said, Mapping):
        name = " ".join(str(said.get(key) or "") for key in ("first_name", "last_name")).strip()
        said = name or said.get("email") or said.get("id")
    return None if said is None else f"user {said}" if isinstance(said, int) else str(said)
