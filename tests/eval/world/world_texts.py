"""A world without drawing: every text is as the generator writes it, pictures are stand-ins of a few bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from eval.world import generate, seeds
from eval.world.frame_sampling import Cast
from eval.world.frames import Shot, Spot
from eval.world.image_prefetch import Equipment, read_shot
from eval.world.model import Thing


class NoStudio:
    """Stands in for `Studio`: things stand side by side, from left to right."""

    def __init__(self, seed: int) -> None:
        self._seed = seed

    def index_pictures(self, jobs: Iterable[tuple[Thing, int, Path]]) -> Iterator[None]:
        for _, _, path in jobs:
            path.write_bytes(path.name.encode())
            yield

    def frames(self, casts: Iterable[Cast]) -> Iterator[tuple[Cast, Shot]]:
        for cast in casts:
            name = seeds.opaque_id(self._seed, "frame", cast.key)
            n = len(cast.things)
            spots = tuple(Spot((i + 0.5) / n, 0.2) for i in range(n))
            yield cast, Shot(name, spots, None, f"https://ab12.invalid/{name[:20]}.jpg" if cast.web else None)

    def jpeg(self, shot: Shot) -> bytes:
        return shot.id.encode()


class Blank(NoStudio):
    """Stands in for `Studio` where pictures do not matter: takes up what lies in its folder, as that one does."""

    def __init__(self, equipment: Equipment, folder: Path, processes: int) -> None:
        super().__init__(equipment.seed)
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def __enter__(self) -> Blank:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def frames(self, casts: Iterable[Cast]) -> Iterator[tuple[Cast, Shot]]:
        for cast, shot in super().frames(casts):
            record = self._folder / f"{cast.key.replace('/', '-')}.json"
            yield cast, read_shot(record) if record.exists() else shot


def write_texts(out: Path, studio: NoStudio | None = None, **options: Any) -> dict[str, int]:
    """Write the world `out`, with the pictures of `studio`; returns its counts."""
    out.mkdir(parents=True)
    world = generate._World(generate.Options(**options), lambda share, text: None)
    return world.write(out, studio or NoStudio(options["seed"]))  # type: ignore[arg-type]
