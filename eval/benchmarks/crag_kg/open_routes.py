"""Routes of the open domain: entities of an encyclopedia."""

from __future__ import annotations

from typing import Any

from eval.benchmarks.crag_kg.names import RESULTS
from eval.benchmarks.crag_kg.registry import Name, Route, View, Words


def search_entity_by_name(view: View, query: Words) -> list[str]:
    """Find entities of general knowledge by name: up to ten names, the best match first."""
    return [name for names in view.store.find("open", query) for name in names][:RESULTS]


def get_entity(view: View, query: Name) -> Any:
    """Look up an entity of general knowledge by its exact name: summary_text (the lead of its article),
    summary_structured (its infobox) and raw_mediawiki (the article's source), or null where there is none.
    """
    return view.store.entry("open", query)


ROUTES = (
    Route("/open/search_entity_by_name", search_entity_by_name, ("open",)),
    Route("/open/get_entity", get_entity, ("open",)),
)
