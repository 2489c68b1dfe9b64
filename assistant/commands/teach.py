"""Teach an object from a picture: from then on it is recognised, and questions about it are answered from its facts.

teach --image F --name N --fact "key: value" --fact "A sentence." [--box X0,Y0,X1,Y1] [--add]
teach --list
teach --forget NAME
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.core.errors import BadInput

if TYPE_CHECKING:
    from assistant.core.types import Frame
    from assistant.settings import Settings
    from assistant.teaching.taught_object import TaughtObject
    from assistant.teaching.teacher import Draft
    from assistant.teaching.view_quality import Meter


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("--image", type=Path, action="append", default=[], help="a picture of the object; twice for a second view")
    add("--name", help="what it is called")
    add("--fact", action="append", default=[], metavar='"key: value"', help="a fact or a sentence; as many as needed")
    add("--box", metavar="X0,Y0,X1,Y1", help="where it is on the picture, in its pixels (default: the whole picture)")
    add("--outline", metavar="JSON", help="the same as a polygon: [[x, y], ...]")
    add("--add", action="store_true", help="add views and facts to an object of that name")
    add("--list", action="store_true", help="what is taught")
    add("--forget", metavar="NAME", help="forget the object of that name, its pictures too")
    add("--index", help="index folder (default: the bundled world's, built when missing)")
    add("--data-dir", help="the folder whose taught objects these are")
    add("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    from assistant.settings import read_settings

    wanted = [bool(args.list), args.forget is not None, bool(args.image) or args.name is not None]
    if sum(wanted) != 1:
        raise BadInput("teach wants one thing at a time: --image and --name, or --list, or --forget NAME")
    settings = read_settings(profile="embedded", data_dir=args.data_dir, index=args.index, use_taught=True)
    if args.list:
        return _list(settings, args.json)
    return _forget(settings, args.forget, args.json) if args.forget is not None else _teach(settings, args)


def _teach(settings: Settings, args: argparse.Namespace) -> int:
    from assistant.commands.command_line import ShownProgress
    from assistant.factory import open_assistant
    from assistant.teaching.taught_object import clean_name, parse_notes
    from assistant.vision.frame import read_frame

    if not args.image or args.name is None:
        raise BadInput("teach needs both --image and --name")
    if args.box and args.outline:
        raise BadInput("give --box or --outline, not both")
    if (args.box or args.outline) and len(args.image) > 1:
        raise BadInput("with --box or --outline give one --image at a time; --add adds a second view later")
    clean_name(args.name), parse_notes(args.fact)  # before anything slow
    frames = [read_frame(path) for path in args.image]
    outlines = [_outline(args, frame) for frame in frames]
    teacher = open_assistant(settings, ShownProgress()).teacher
    assert teacher is not None  # the settings ask for it
    drafts = [teacher.look(frame, outline) for frame, outline in zip(frames, outlines, strict=True)]
    saved = teacher.save(args.name, args.fact, drafts, add=args.add)
    for sentence in saved.warnings:
        print(sentence, file=sys.stderr)
    best = max(drafts, key=lambda draft: draft.meter.score)
    if args.json:
        print(json.dumps(as_json(saved.object, drafts, saved.warnings), ensure_ascii=False, indent=1))
        return 0
    print(f"{saved.object.name!r} is {'known' if saved.is_new else 'known better'} now. {best.meter.words}")
    for sentence in best.meter.advice if len(saved.object.pictures) < 2 else ():
        print(f"  {sentence}", file=sys.stderr)
    return 0


def _outline(args: argparse.Namespace, frame: Frame) -> Any:
    from assistant.teaching.enrol import box_of, checked_outline, whole_of

    if args.outline:
        try:
            return checked_outline(json.loads(args.outline), frame)
        except ValueError as problem:
            raise BadInput(f"--outline {args.outline[:60]!r} is not JSON: give [[x, y], [x, y], [x, y]]") from problem
    if not args.box:
        return whole_of(frame)
    try:
        left, top, right, bottom = (float(v) for v in args.box.split(","))
    except ValueError as problem:
        raise BadInput(f"--box {args.box[:60]!r} is not four numbers X0,Y0,X1,Y1") from problem
    return checked_outline(box_of(left, top, right, bottom), frame)


def as_json(thing: TaughtObject, drafts: list[Draft], warnings: tuple[str, ...]) -> dict[str, Any]:
    """What `teach --json` and the endpoint `/teach` return."""
    return {
        **described(thing),
        "views": [_view(draft.meter) for draft in drafts],
        "second_view_wanted": all(d.meter.level != "good" for d in drafts) and len(thing.pictures) < 2,
        "warnings": list(warnings),
    }


def described(thing: TaughtObject) -> dict[str, Any]:
    """One taught object without its pictures."""
    return {
        "id": thing.id,
        "name": thing.name,
        "facts": dict(thing.facts),
        "sentences": list(thing.sentences),
        "pictures": len(thing.pictures),
        "created": thing.created,
        "changed": thing.changed,
    }


def _view(meter: Meter) -> dict[str, Any]:
    return {
        "distinctive": round(meter.score, 3),
        "level": meter.level,
        "says": meter.words,
        "advice": list(meter.advice),
    }


def _list(settings: Settings, as_data: bool) -> int:
    from assistant.teaching.store import TaughtStore

    objects = TaughtStore(settings.taught_dir).objects()
    if as_data:
        print(json.dumps([described(thing) for thing in objects], ensure_ascii=False, indent=1))
    elif not objects:
        print("nothing is taught yet", file=sys.stderr)
    for thing in () if as_data else objects:
        print(f"{thing.name} ({len(thing.pictures)} views, {thing.created[:10]})")
        for line in thing.notes.splitlines():
            print(f"  {line}")
    return 0


def _forget(settings: Settings, name: str, as_data: bool) -> int:
    from assistant.teaching.store import TaughtStore

    store = TaughtStore(settings.taught_dir)
    thing = store.find(name)
    if thing is None:
        known = ", ".join(repr(o.name) for o in store.objects()[:8]) or "nothing"
        raise BadInput(f"nothing called {name[:80]!r} is taught; taught is: {known}")
    store.forget(thing.id)
    if as_data:
        print(json.dumps({"forgotten": described(thing)}, ensure_ascii=False, indent=1))
    else:
        print(f"{thing.name!r} is forgotten, its pictures too")
    return 0
