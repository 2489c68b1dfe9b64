"""The evidence that a generated world's gold names: its pages as passages, its attributes as they are stated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from assistant.core.types import Evidence
from eval.data.chunks import passages
from eval.data.gold import GoldTurn, given, read_facts, world_lines
from eval.data.pieces import Piece, Role, attribute


class WorldPieces:
    """Pages and attributes of a world, read when first asked for."""

    def __init__(self, world: Path) -> None:
        self._world = world
        self._texts: dict[str, tuple[str, ...]] = {}

    @cached_property
    def _pages(self) -> Mapping[str, Mapping[str, Any]]:
        path = self._world / "web" / "pages.jsonl"
        return {row["url"]: row for _, row in world_lines(path)} if path.is_file() else {}

    @cached_property
    def _facts(self) -> Mapping[str, Mapping[str, Any]]:
        return read_facts(self._world)

    def page(self, url: str, role: Role) -> Iterator[Piece]:
        """The passages of one page; none where the world has no such page."""
        if (row := self._pages.get(url)) is None:
            return
        if url not in self._texts:  # a run by scenario asks for each page several times
            self._texts[url] = tuple(passages(row["text"]))
        for n, text in enumerate(self._texts[url]):
            yield Piece(f"{url}#{n}", role, "passage", url, text, title=row["name"])

    def gold(self, turn: GoldTurn) -> list[Piece]:
        """What the turn's answer rests on, pages first."""
        found = [piece for url in turn.passages for piece in self.page(url, "gold")]
        for entity, key in turn.attributes:
            value = self._facts.get(entity, {}).get(key)
            if value is not None:
                found.append(attribute(f"{entity}:{key}", "gold", entity, key, value))
        return found

    def handed(self, turn: GoldTurn | None, what: str | None) -> dict[str, Any] | None:
        """What `--give` hands to the agent for one turn: the gold entity, the gold query or the gold evidence.

        None when nothing is given or the turn has no such gold (a sign without an entity).
        """
        if turn is None or what != "passage":
            return given(turn, what)
        evidence: tuple[Evidence, ...] = tuple(piece.evidence() for piece in self.gold(turn))
        return {"evidence": evidence, "vouched": True} if evidence else None
