"""Generate a benchmark world: --seed S --entities N --out DIR; look at one: audit DIR, sheet DIR; write
what goes with it: words phrasings|attributes --out FILE (the language, to change), props --out FILE.pdf (to print).

A world is a fictional region in CRAG-MM's shape: pictures, attributes, web pages, questions, conversations, gold
answers. The same seed gives the same texts everywhere.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from assistant.commands.command_line import ShownProgress
from assistant.core.errors import BadInput
from assistant.core.paths import ASSETS_DIR


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "form",
        nargs="*",
        metavar="audit DIR | sheet DIR | words phrasings|attributes | props",
        help="look at a world, or write the words or printable objects, instead of making one",
    )
    parser.add_argument("--seed", type=int, help="0-99 development, 100-149 calibration, 150-199 reporting")
    parser.add_argument("--entities", type=int, help="how many entities (at least 9)")
    parser.add_argument("--questions", type=int, help="single-turn questions (default: two an entity)")
    parser.add_argument("--conversations", type=int, help="conversations (default: one for three entities)")
    parser.add_argument("--unindexed", type=float, metavar="P", help="share of entities left out of the index")
    parser.add_argument("--degraded", type=float, metavar="P", help="share of bad pictures (default: as published)")
    parser.add_argument("--balance", choices=["quality"], help="as many pictures of every quality")
    parser.add_argument(
        "--hold-out", action="append", default=[], metavar="DOMAIN", help="a domain for public_test alone (repeatable)"
    )
    parser.add_argument("--processes", type=int, default=2, metavar="N", help="how many draw pictures (default: 2)")
    parser.add_argument("--phrasings", type=Path, metavar="FILE", help="other wordings of the questions")
    parser.add_argument("--attributes", type=Path, metavar="FILE", help="other attributes and vocabulary")
    parser.add_argument("--backgrounds", type=Path, metavar="DIR", help="photographs to use as surfaces")
    parser.add_argument("--fonts", type=Path, metavar="DIR", help="fonts to letter with")
    parser.add_argument("--out", type=Path, metavar="DIR", help="the folder to write (sheet: the picture to write)")
    parser.add_argument("--json", action="store_true", help="the result as JSON on standard output")


def run(args: argparse.Namespace) -> int:
    if args.form:
        return _look(args)
    if args.seed is None or args.entities is None or args.out is None:
        raise BadInput("give --seed S, --entities N and --out DIR (or: audit DIR, sheet DIR)")
    _check(args)
    from eval.world.generate import Options, generate

    options = Options(
        seed=args.seed,
        entities=args.entities,
        questions=args.questions,
        conversations=args.conversations,
        unindexed=args.unindexed,
        degraded=args.degraded,
        balance=args.balance == "quality",
        hold_out=tuple(args.hold_out),
        phrasings=args.phrasings,
        attributes=args.attributes,
        backgrounds=args.backgrounds,
        fonts=args.fonts,
    )
    try:
        counts = generate(options, args.out, ShownProgress(), args.processes)
    except OSError as problem:
        raise BadInput(
            f"the world cannot be written to {str(args.out)!r} ({problem.strerror or problem}): make room there or "
            "give another folder as --out"
        ) from problem
    if args.json:
        print(json.dumps(counts))
    else:
        print(", ".join(f"{n} {k.replace('_', ' ')}" for k, n in counts.items()), file=sys.stderr)
    return 0


def _check(args: argparse.Namespace) -> None:
    if args.entities < 9:
        raise BadInput(f"--entities {args.entities!r} is too few: give at least 9, one of each kind")
    if args.seed < 0:
        raise BadInput(f"--seed {args.seed!r} is negative: give 0 or more")
    if args.processes < 1:
        raise BadInput(f"--processes {args.processes!r} is too few: give at least 1")
    for name in ("unindexed", "degraded"):
        value = getattr(args, name)
        if value is not None and not 0 <= value <= 1:
            raise BadInput(f"--{name} {value!r} is no share: give a number from 0 to 1")
    for name in ("questions", "conversations"):
        value = getattr(args, name)
        if value is not None and value < 0:
            raise BadInput(f"--{name} {value!r} is negative: give 0 or more")


def _look(args: argparse.Namespace) -> int:
    """The forms other than making a world."""
    if args.form == ["props"]:
        return _props(args)
    if args.form[0] == "words":
        return _words(args)
    if len(args.form) != 2 or args.form[0] not in ("audit", "sheet"):
        said = " ".join(args.form)
        raise BadInput(
            f"cannot understand {said!r}: say audit DIR, sheet DIR, words phrasings, words attributes or props"
        )
    world = Path(args.form[1])
    if not (world / "world.json").is_file():
        raise BadInput(f"{str(world)!r} is not a world: it has no world.json")
    if args.form[0] == "sheet":
        from eval.world.sheet import contact_sheet

        target = args.out or world.with_name(f"{world.name}-sheet.jpg")
        contact_sheet(world).save(target, quality=88)
        print(f"wrote {target}", file=sys.stderr)
        return 0
    from eval.world.audit.checks import audit

    findings = audit(world)
    if args.json:
        print(json.dumps({"ok": not any(f.failed for f in findings), "checks": [f.as_dict() for f in findings]}))
    else:
        for f in findings:
            print(f"{'FAILED' if f.failed else 'ok    '} {f.check}: {f.detail}")
    return 1 if any(f.failed for f in findings) else 0


def _words(args: argparse.Namespace) -> int:
    if len(args.form) != 2 or args.form[1] not in ("phrasings", "attributes") or args.out is None:
        raise BadInput("say words phrasings --out FILE or words attributes --out FILE")
    if args.out.exists():
        raise BadInput(f"{str(args.out)!r} exists already: give a new file")
    from eval.world.vocabulary import bundled

    args.out.write_text(json.dumps(bundled(args.form[1]), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"wrote {args.out}; change it and give it to --{args.form[1]}", file=sys.stderr)
    return 0


def _props(args: argparse.Namespace) -> int:
    if args.out is None or args.out.suffix.lower() != ".pdf":
        raise BadInput("say props --out FILE.pdf (with --seed S --entities N for another world than the bundled one)")
    from eval.world.props import write_props

    about = json.loads((ASSETS_DIR / "world" / "world.json").read_text(encoding="utf-8"))
    seed = about["seed"] if args.seed is None else args.seed
    entities = args.entities or about["options"]["entities"]
    unindexed = args.unindexed if args.seed is not None else about["options"]["unindexed"]
    sheets = write_props(args.out, seed, entities, unindexed)
    print(f"wrote {args.out}: {sheets} pages", file=sys.stderr)
    return 0
