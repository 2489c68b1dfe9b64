"""The mock KG in process, and as tools that a model may call."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput, NotReady
from assistant.core.whole_text import load_json
from eval.benchmarks.crag_kg import finance_routes, movie_routes, music_routes, open_routes, sports_routes
from eval.benchmarks.crag_kg.moments import parse_query_time
from eval.benchmarks.crag_kg.registry import Route, View
from eval.benchmarks.crag_kg.store import Store

#: All 38 routes by the names that models and programs call them.
ROUTES: dict[str, Route] = {
    route.name: route
    for route in (
        *open_routes.ROUTES,
        *movie_routes.ROUTES,
        *finance_routes.ROUTES,
        *music_routes.ROUTES,
        *sports_routes.ROUTES,
    )
}
_LEFT_OUT = "… (left out here: what follows)"
_EARLIER_LEFT_OUT = "(left out here: what is earlier) …"


@dataclass(frozen=True)
class CragKg:
    """A mock KG that answers: `kg.ask("finance_get_eps", query="META")`, from any number of threads."""

    view: View

    @classmethod
    def open(cls, path: Path) -> CragKg:
        """Open the store that `build` wrote.

        Raises:
            BadInput: there is none, or it is of another format.
        """
        return cls(View(Store(path)))

    @property
    def digest(self) -> str:
        """What tells one KG from another: of which files each of its parts was built (see `Store.digest`)."""
        return self.view.store.digest

    def as_of(self, query_time: str) -> CragKg:
        """The same KG at the moment a question was asked ("02/28/2024, 10:04:54 PT").

        What is left out is told by `Route.limited`: daily prices before their close and minutes that were not over,
        dividends of later days; charts of later days; Grammys of the same year or later; movie years, games and
        play-by-play of days that were not over. All other routes answer as always: entities, movies, people, artists,
        songs and works, and of companies market capitalisation, earnings, ratio and info carry no date to tell by.

        Raises:
            BadInput: it is no such time.
        """
        return CragKg(View(self.view.store, parse_query_time(query_time)))

    def ask(self, name: str, /, **parameters: Any) -> Any:
        """What a route answers, as JSON can hold it.

        Raises:
            BadInput: there is no such route, or a parameter is missing or of another type.
            NotReady: the KG was built without a part that the route reads.
        """
        if name not in ROUTES:
            raise BadInput(f"there is no route {name!r}: choose one of {', '.join(ROUTES)}")
        return ROUTES[name].call(self.view, parameters)

    def tool_definitions(self) -> list[dict[str, Any]]:
        """The routes that this KG has the parts for, as functions of OpenAI's tool calling."""
        return [
            {
                "type": "function",
                "function": {
                    "name": route.name,
                    "description": route.description,
                    "parameters": _schema(route),
                },
            }
            for route in ROUTES.values()
            if self.view.store.parts.issuperset(route.parts)
        ]

    def call(self, name: str, arguments_json: str, limit: int, length: Callable[[str], int] = len) -> str:
        """What a model gets to read for its call of a tool: the answer as JSON, or what was wrong in one sentence.

        An answer that is too long is cut, and says so. Of dated histories the end is kept, of everything else the
        beginning.

        Args:
            name: the tool.
            arguments_json: its arguments, as the model wrote them; nothing stands for none.
            limit: the most that the text may have, above 0.
            length: counts it, in characters unless told otherwise (in tokens, for example); a longer text must not
                count as less.

        Raises:
            BadInput: the limit is not above 0.
        """
        if limit < 1:
            raise BadInput(f"the limit {limit!r} is too small: give a number above 0")
        try:
            answer = self.ask(name, **_arguments(arguments_json))
        except (BadInput, NotReady) as problem:
            return _cut(f"Error: {problem}", limit, length)
        text = json.dumps(answer, ensure_ascii=False)
        if ROUTES[name].dated and isinstance(answer, dict) and not _fits(text, limit, length):
            text = _latest(answer, limit, length)
        return _cut(text, limit, length)


def _schema(route: Route) -> dict[str, Any]:
    schema = _untitled(route.parameters.model_json_schema())
    return {"type": "object", "properties": {}, "required": [], **schema, "additionalProperties": False}


def _untitled(schema: Any) -> Any:
    """A schema without the titles that pydantic makes of names."""
    if isinstance(schema, Mapping):
        return {key: _untitled(value) for key, value in schema.items() if key != "title" or not isinstance(value, str)}
    return [_untitled(item) for item in schema] if isinstance(schema, list) else schema


def _arguments(arguments_json: str) -> dict[str, Any]:
    try:
        arguments = load_json(arguments_json) if arguments_json.strip() else {}
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"the arguments are no JSON ({problem}): write one object") from None
    if not isinstance(arguments, dict):
        raise BadInput(f"the arguments are {type(arguments).__name__}, not an object: write one")
    return arguments


def _latest(history: dict[str, Any], limit: int, length: Callable[[str], int]) -> str:
    """As much of the end of a history as fits."""
    entries = list(history.items())

    def written(kept: int) -> str:
        last = dict(entries[len(entries) - kept :])
        return f"{_EARLIER_LEFT_OUT} {json.dumps(last, ensure_ascii=False)}"

    return written(_most(max(0, len(entries) - 1), lambda kept: length(written(kept)) <= limit))


def _cut(text: str, limit: int, length: Callable[[str], int]) -> str:
    if _fits(text, limit, length):
        return text
    kept = _most(len(text) - 1, lambda kept: length(text[:kept] + _LEFT_OUT) <= limit)
    cut = text[:kept] + _LEFT_OUT
    if length(cut) <= limit:
        return cut
    return _LEFT_OUT[: limit if length is len else 1]


def _fits(text: str, limit: int, length: Callable[[str], int]) -> bool:
    """Whether a text is within the limit; of one that is far too long only the beginning is counted."""
    return _most(len(text), lambda kept: length(text[:kept]) <= limit) == len(text)


def _most(high: int, holds: Callable[[int], bool]) -> int:
    """The largest number from 0 to high for which it holds, given that it holds for all below; 0 where for none.

    Numbers are tried from the small ones on, so that what is counted stays near what is kept: answers of the KG have
    up to millions of characters, of which a few thousand are shown.
    """
    low, step = 0, 1
    while low < high and holds(min(high, step)):
        low, step = min(high, step), step * 2
    high = min(high, step - 1)
    while low < high:
        middle = (low + high + 1) // 2
        if holds(middle):
            low = middle
        else:
            high = middle - 1
    return low
