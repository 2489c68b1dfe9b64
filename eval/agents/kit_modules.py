"""Stand-ins for the few modules of the public kits that their agents import, where the real ones are not at hand.

An agent's file begins with `from agents.base_agent import BaseAgent` and often
`from cragmm_search.search import UnifiedSearchPipeline`. Run from the kit's own folder it finds the first, and with
the benchmark's client installed the second; whatever is missing is provided here for as long as the agent is imported
and built. A `UnifiedSearchPipeline` that an agent builds itself searches the run's index, whatever it was asked for.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
import types
from collections.abc import Iterator
from typing import Any

from assistant.core.errors import NotReady

_PACKAGES = ("agents", "example_agents")


class BaseAgent:
    """What the kits' agents derive from: keeps the search pipeline, leaves the methods to them."""

    def __init__(self, search_pipeline: Any = None, **kwargs: Any):
        self.search_pipeline = search_pipeline

    def get_batch_size(self) -> int:
        raise NotImplementedError("an agent says how many questions it takes at once")

    def batch_generate_response(
        self, queries: list[str], images: list[Any], message_histories: list[list[dict[str, Any]]], *args: Any
    ) -> list[str]:
        raise NotImplementedError("an agent answers")


class UnifiedSearchPipeline:
    """Takes whatever the benchmark's client takes and searches what the run searches."""

    current: Any = None

    def __init__(self, *args: Any, **kwargs: Any):
        self._pipeline = type(self).current

    def __call__(self, inputs: Any, k: int = 10) -> list[dict[str, Any]]:
        pipeline = self._pipeline if self._pipeline is not None else type(self).current
        if pipeline is None:
            raise NotReady("the agent searches, but this run has no index: pass --index DIR")
        return pipeline(inputs, k=k)


@contextlib.contextmanager
def provided(pipeline: Any = None) -> Iterator[None]:
    """Within this, the kits' modules can be imported; `pipeline` is what a pipeline built by the agent searches."""
    if pipeline is not None:
        UnifiedSearchPipeline.current = pipeline
    added = []
    for package in _PACKAGES:
        if not _there(f"{package}.base_agent"):
            added += _add(f"{package}.base_agent", BaseAgent=BaseAgent)
    if not _there("cragmm_search.search"):
        added += _add("cragmm_search.search", UnifiedSearchPipeline=UnifiedSearchPipeline)
    try:
        yield
    finally:
        for name in added:
            sys.modules.pop(name, None)


def _there(name: str) -> bool:
    if name in sys.modules:
        return True
    try:
        return importlib.util.find_spec(name) is not None
    except (ImportError, AttributeError, ValueError):
        return False


def _add(name: str, **contents: Any) -> list[str]:
    """Put a module into `sys.modules`, with its package unless there is a real one; the names that were added."""
    package, _, own = name.partition(".")
    added = []
    if package not in sys.modules and not _there(package):
        sys.modules[package] = types.ModuleType(package)
        sys.modules[package].__path__ = []  # type: ignore[attr-defined]
        added.append(package)
    module = types.ModuleType(name)
    vars(module).update(contents)
    sys.modules[name] = module
    if package in sys.modules:
        setattr(sys.modules[package], own, module)
    return [*added, name]
