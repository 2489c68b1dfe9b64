"""The routes of the mock KG as values: path, parameters, what they say of themselves; all else is made from them.

A route is a typed function of a `View` and its parameters. Parameters are checked as the released server checks them
(pydantic, lax: the text "100" is a whole number), so wrong types are refused before a function runs.
"""

from __future__ import annotations

import inspect
import sqlite3
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, get_type_hints

from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from assistant.core.errors import BadInput, NotReady
from assistant.core.whole_text import whole_text
from eval.benchmarks.crag_kg.moments import Moment
from eval.benchmarks.crag_kg.store import Part, Store


def said(description: str) -> Any:
    """What a parameter says of itself to a model, for `Annotated`."""
    return Field(description=description)


Name = Annotated[str, said("the name, letter by letter as a search gives it")]
Words = Annotated[str, said("words of the name")]


#: What comes of a store that is no longer as `build` wrote it.
_BROKEN = (sqlite3.Error, zlib.error, ValueError, TypeError, LookupError)


@dataclass(frozen=True)
class View:
    """A store as it is looked at: as a whole, or as of a moment."""

    store: Store
    moment: Moment | None = None


@dataclass(frozen=True)
class Route:
    """One route: its path, its function, the parts of the store that it reads, and what `as_of` does to it.

    `limited` says in words what is left out as of a moment, "" where nothing is. `dated` is true where the result is
    a dictionary in the order of time, whose end matters most.
    """

    path: str
    function: Callable[..., Any]
    parts: tuple[Part, ...]
    limited: str = ""
    dated: bool = False

    @property
    def name(self) -> str:
        """What models and programs call it: the path with underscores."""
        return self.path.strip("/").replace("/", "_")

    @property
    def description(self) -> str:
        """The docstring of its function, without the line breaks."""
        return " ".join((inspect.getdoc(self.function) or "").split())

    @cached_property
    def parameters(self) -> type[BaseModel]:
        """The shape of its parameters."""
        hints = get_type_hints(self.function, include_extras=True)
        given = list(inspect.signature(self.function).parameters.values())[1:]
        fields: dict[str, Any] = {
            p.name: (hints[p.name], ... if p.default is inspect.Parameter.empty else p.default) for p in given
        }
        return create_model(self.name, __config__=ConfigDict(extra="ignore"), **fields)

    def call(self, view: View, parameters: Mapping[str, Any]) -> Any:
        """What the route answers, as JSON can hold it.

        Raises:
            BadInput: a parameter is missing or of another type.
            NotReady: the store was built without a part that it reads, or is broken.
        """
        try:
            checked = self.parameters.model_validate(_whole(dict(parameters))).model_dump()
        except ValidationError as problem:
            first = problem.errors(include_url=False, include_context=False)[0]
            place = ".".join(str(step) for step in first["loc"])
            given = "" if first["type"] == "missing" else f", not {_short(first['input'])}"
            said = first["msg"][0].lower() + first["msg"][1:]
            raise BadInput(f"{self.path}: {place}: {said}{given}") from None
        for part in self.parts:
            view.store.need(part)
        try:
            return self.function(view, **checked)
        except _BROKEN as problem:
            raise NotReady(f"{str(view.store.path)!r} cannot be read ({problem}): build it again") from None


def _whole(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _whole(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_whole(item) for item in value]
    return whole_text(value) if isinstance(value, str) else value


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:60] + "…"
