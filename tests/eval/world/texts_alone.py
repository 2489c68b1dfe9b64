"""A world's texts alone, in a second: `python -m tests.eval.world.texts_alone --seed 174 --out W`.
`--phrasings P` and `--attributes A` are those of `eval world`.

Every text is the generator's; pictures are tiny stand-ins of noise, enough for `index build` and for runs with
`--give entity --no-pictures`, which look at none.
"""

from __future__ import annotations

import argparse
import io
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
from PIL import Image

from eval.world.frames import Shot
from eval.world.model import Thing
from tests.eval.world.world_texts import NoStudio, write_texts


def noise(name: str) -> bytes:
    """A small JPEG that differs from name to name."""
    chance = np.random.default_rng(zlib.crc32(name.encode()))
    spots = chance.integers(0, 255, (3, 3, 3), dtype=np.uint8)
    picture = Image.fromarray(spots).resize((96, 96), Image.Resampling.BICUBIC)
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=80)
    return out.getvalue()


class NoiseStudio(NoStudio):
    """Draws noise."""

    def index_pictures(self, jobs: Iterable[tuple[Thing, int, Path]]) -> Iterator[None]:
        for _, _, path in jobs:
            path.write_bytes(noise(path.name))
            yield

    def jpeg(self, shot: Shot) -> bytes:
        return noise(shot.id)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Write the texts of a generated world, with stand-ins for pictures.")
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--entities", type=int, default=120)
    parser.add_argument("--phrasings", type=Path)
    parser.add_argument("--attributes", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    args = parser.parse_args(arguments)
    if args.out.exists():
        print(f"{str(args.out)!r} is there already", file=sys.stderr)
        return 2
    files = {k: v for k, v in (("phrasings", args.phrasings), ("attributes", args.attributes)) if v is not None}
    counts = write_texts(args.out, NoiseStudio(args.seed), seed=args.seed, entities=args.entities, **files)
    print(", ".join(f"{n} {what.replace('_', ' ')}" for what, n in counts.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
