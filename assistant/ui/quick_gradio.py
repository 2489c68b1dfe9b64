"""A quicker first import of gradio, and quicker arrivals.

Whenever it is imported, gradio parses the source of each of its components to write type stubs beside them, into the
installed package: four tenths of the time of the import, for editors alone. Where it finds no source it goes without.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any


@contextmanager
def without_stubs() -> Iterator[None]:
    """Within this, no source is found of classes of gradio's own."""
    find = inspect.getfile

    def no_source(object: Any) -> str:
        if isinstance(object, type) and object.__module__.startswith("gradio."):
            raise OSError("no stubs are wanted")
        return find(object)

    inspect.getfile = no_source
    try:
        yield
    finally:
        inspect.getfile = find


def remember_signatures() -> None:
    """Have gradio look at the signature of a component's `__init__` once; more calls do no harm.

    It asks for it whenever a component's properties are told: for all of a page when a visitor arrives, and whenever a
    handler changes some.
    """
    from gradio import blocks

    if getattr(blocks.inspect, "remembers", False):
        return
    known: dict[Any, inspect.Signature] = {}

    def signature(function: Any, *args: Any, **options: Any) -> inspect.Signature:
        if args or options or not inspect.isfunction(function) or function.__name__ != "__init__":
            return inspect.signature(function, *args, **options)
        if function not in known:
            known[function] = inspect.signature(function)
        return known[function]

    remembering = SimpleNamespace(**{**vars(inspect), "signature": signature, "remembers": True})
    blocks.inspect = remembering  # type: ignore[assignment]
