"""The index of a world, built once under the data folder and found again by what the world holds.

The bundled world has one there already, that of the page and of `ask`: it is used by runs as well.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from assistant.commands.command_line import ShownProgress
from assistant.settings import Settings

#: What an index is made of; gold is not among it.
_SOURCES = ("world.json", "kg/entities.jsonl", "web/pages.jsonl")


def world_key(world: Path) -> str:
    """A short hash of all that an index is built from: seed, options, entities, pages, names and sizes of pictures."""
    digest = hashlib.sha256()
    for name in _SOURCES:
        path = world / name
        digest.update(name.encode() + (path.read_bytes() if path.is_file() else b""))
    for picture in sorted((world / "kg" / "images").glob("*")):
        digest.update(f"{picture.name}:{picture.stat().st_size};".encode())
    return digest.hexdigest()[:16]


def world_index(world: Path, settings: Settings, progress: Callable[[float, str], None] | None = None) -> Path:
    """The folder of the world's index, built now if it is not there or belongs to another encoder.

    Two that need the same one share a build: the second waits for the first.
    """
    from assistant.factory import BUILD_PATIENCE_S, ensure_index
    from assistant.index.build import build_index, usable_index
    from assistant.vision.encoders import picture_encoder

    shown = progress or ShownProgress("building the index")
    key = world_key(world)
    if key == world_key(settings.world_dir):
        ensure_index(settings, shown)
        return settings.index_dir
    folder = settings.data_dir / "indexes" / f"world-{key}"
    encoder = picture_encoder(settings.clip_dir)
    if usable_index(world, folder, encoder) is None:
        folder.parent.mkdir(parents=True, exist_ok=True)
        build_index(world, folder, progress=shown, encoder=encoder, wait_s=BUILD_PATIENCE_S, keep_current=True)
    return folder


def with_world_index(world: Path | None, settings: Settings) -> Settings:
    """The settings with the world's own index, unless the user named one; without a world, as they are."""
    if world is None or settings.index is not None:
        return settings
    return replace(settings, index=world_index(world, settings))
