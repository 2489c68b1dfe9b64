"""Make the shipped image encoder again: codebook, projections and the calibration of verification.

Worlds are generated where they are missing: training seeds for the encoder (0-9), calibration seeds (100 and up) for
verification. Seeds kept for reporting are refused.
"""

from __future__ import annotations

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from assistant.errors import BadInput

#: Who may be used for what; the rest is for reporting and never seen here.
TRAINING_SEEDS = range(0, 10)
CALIBRATION_SEEDS = range(100, 150)
#: Photographs behind the things of one world: few, so that things share their ground, as they do on a shelf.
PHOTOGRAPHS = 4


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", required=True, help="folder for encoder.npz and verification.json")
    parser.add_argument("--worlds", default="", help="folder that keeps the generated worlds (default: beside --out)")
    parser.add_argument("--training-seeds", default="0-9", help="seeds within 0-9")
    parser.add_argument("--calibration-seeds", default="100-103", help="seeds within 100-149")
    parser.add_argument(
        "--photo-seeds", default="", help="those of the calibration seeds whose worlds stand before photographs"
    )
    parser.add_argument("--backgrounds", default="", help="folder of photographs; each such world takes four of them")
    parser.add_argument("--entities", type=int, default=84, help="entities of each generated world")
    parser.add_argument("--limit", type=int, default=None, help="frames taken from each world (default: all)")
    parser.add_argument("--keep-encoder", action="store_true", help="calibrate the encoder that stands in --out")
    parser.add_argument(
        "--keep-logistic",
        action="store_true",
        help="keep the logistic part that stands in --out, fit only the networks",
    )


def run(args: argparse.Namespace) -> int:
    from assistant.search.image_encoder import ImageEncoder

    training = _seeds(args.training_seeds, TRAINING_SEEDS, "--training-seeds")
    calibration = _seeds(args.calibration_seeds, CALIBRATION_SEEDS, "--calibration-seeds")
    if args.entities < 12 or (args.limit is not None and args.limit < 1):
        raise BadInput("--entities needs at least 12 and --limit at least 1")
    if len(calibration) < 2:
        raise BadInput(f"--calibration-seeds is {args.calibration_seeds!r}: two worlds at least, each judges the other")
    photographed = _seeds(args.photo_seeds, CALIBRATION_SEEDS, "--photo-seeds") if args.photo_seeds else []
    if not set(photographed) <= set(calibration):
        raise BadInput(f"--photo-seeds is {args.photo_seeds!r}: only calibration seeds ({args.calibration_seeds})")
    if photographed and not args.backgrounds:
        raise BadInput("--photo-seeds needs --backgrounds, a folder of photographs")
    photographs = _photographs(Path(args.backgrounds)) if photographed else []
    out = Path(args.out)
    if args.keep_logistic and not (args.keep_encoder and (out / "verification.json").is_file()):
        raise BadInput(f"--keep-logistic needs --keep-encoder and a verification.json in {args.out!r}")
    if args.keep_encoder:
        ImageEncoder.load(out)  # says at once that there is none, not after the worlds are made
    worlds = Path(args.worlds) if args.worlds else out.parent / f"{out.name}-worlds"
    if not args.keep_encoder:
        _train([_world(worlds, seed, args.entities) for seed in training], out, args.training_seeds, args.limit)
    behind = {seed: random.Random(seed).sample(photographs, PHOTOGRAPHS) for seed in photographed}
    _calibrate([_world(worlds, seed, args.entities, behind.get(seed, ())) for seed in calibration], out, args)
    return 0


def _photographs(folder: Path) -> list[Path]:
    found = sorted(p for p in folder.glob("*") if p.suffix.lower() in (".jpg", ".jpeg", ".png", ".webp"))
    if len(found) < PHOTOGRAPHS:
        raise BadInput(f"--backgrounds {str(folder)!r} holds {len(found)} pictures: {PHOTOGRAPHS} at least are needed")
    return found


def _train(worlds: Sequence[Path], out: Path, seeds: str, limit: int | None) -> None:
    from assistant.search.features import LocalFeatures
    from assistant.search.image_encoder import extract
    from assistant.search.world_files import read_entities
    from assistant.vision.frame import read_frame
    from eval.encoder_calibration import frames
    from eval.encoder_training import parts, save, train

    features: list[LocalFeatures] = []
    for world in worlds:
        for entity in read_entities(world):
            features.extend(extract(read_frame(path)) for path, _ in entity.images)
        for _, _, frame in frames(world, limit):
            features.extend(parts(extract(frame)))
        _say(f"{world.name}: {len(features)} pictures and parts")
    started = time.monotonic()
    save(train(features), out, trained_on=f"generated worlds, seeds {seeds}")
    _say(f"encoder fitted in {time.monotonic() - started:.0f} s")


def _calibrate(worlds: Sequence[Path], out: Path, args: argparse.Namespace) -> None:
    from assistant.search.image_encoder import ImageEncoder
    from assistant.search.verify import Verifier
    from assistant.vision.reading import TextReader
    from eval.encoder_calibration import collect, fit, neutral, pick_threshold, save

    logistic = None
    if args.keep_logistic:
        stands = Verifier.load(out)
        logistic = {name: getattr(stands, name) for name in ("mean", "scale", "weights", "bias")}
    found = []
    with tempfile.TemporaryDirectory() as scratch:  # what is collected must not depend on an earlier fit
        shutil.copytree(out, scratch, dirs_exist_ok=True)
        save(neutral(), 0.99, Path(scratch), fitted_on="nothing yet")
        encoder = ImageEncoder.load(Path(scratch))
        for world in worlds:
            found.append(collect(world, encoder, TextReader(), args.limit))
            _say(f"{world.name}: {len(found[-1][1])} frames, {len(found[-1][0])} alignments")
    threshold, counts = pick_threshold(found, logistic)
    model = fit([row for rows, _ in found for row in rows], logistic=logistic)
    photographed = f", {args.photo_seeds} of them before photographs" if args.photo_seeds else ""
    save(model, threshold, out, fitted_on=f"generated worlds, seeds {args.calibration_seeds}{photographed}")
    _say(f"threshold {threshold}; each world by the others: {counts}")


def _world(folder: Path, seed: int, entities: int, photographs: Sequence[Path] = ()) -> Path:
    """The generated world of a seed, before these photographs if any are given; made now unless it is there."""
    from assistant.command_line import main
    from eval.__main__ import COMMANDS

    out = folder / f"world-{seed}-{entities}{'-photographs' if photographs else ''}"
    if not (out / "world.json").is_file():
        arguments = [
            "world",
            "--seed",
            str(seed),
            "--entities",
            str(entities),
            "--questions",
            str(2 * entities - entities // 5),
            "--conversations",
            "2",  # conversations show the same kinds of frames, and there are enough of those
            "--unindexed",
            "0.35",
            "--out",
            str(out),
        ]
        if photographs:
            behind = folder / f"photographs-{seed}"
            shutil.rmtree(behind, ignore_errors=True)
            behind.mkdir(parents=True)
            for photograph in photographs:
                shutil.copy(photograph, behind)
            arguments += ["--backgrounds", str(behind)]
        if main("python -m eval", COMMANDS, arguments) != 0:
            raise BadInput(f"the world of seed {seed} could not be made in {str(folder)!r}")
    return out


def _seeds(text: str, allowed: range, option: str) -> list[int]:
    """ "0-9" or "100,103,110-112" as numbers, all of them allowed."""
    found: list[int] = []
    for part in text.split(","):
        ends = part.strip().split("-")
        if not 1 <= len(ends) <= 2 or not all(end.isdigit() for end in ends):
            raise BadInput(f"{option} is {text!r}: give seeds such as {allowed.start}-{allowed.stop - 1}")
        found.extend(range(int(ends[0]), int(ends[-1]) + 1))
    if not found or not all(seed in allowed for seed in found):
        raise BadInput(f"{option} is {text!r}: only seeds {allowed.start} to {allowed.stop - 1} are for this")
    return found


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)
