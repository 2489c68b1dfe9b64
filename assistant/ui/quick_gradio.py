"""A quicker first import of gradio.

Whenever it is imported, gradio parses the source of each of its components to write type stubs beside them, into the
installed package: four tenths of the time of the import, for editors alone. Where it finds no source it goes without.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
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
