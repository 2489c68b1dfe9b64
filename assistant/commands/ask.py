"""Answer one question about one picture, with the evidence the answer rests on."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.core.types import Conversation, Turn


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--image", type=Path, help="picture file; a conversation keeps its last one")
    parser.add_argument("--question", required=True)
    parser.add_argument("--index", help="index folder (default: the bundled world's, built when missing)")
    parser.add_argument("--conversation", type=Path, help="file that carries the turns; made when missing")
    parser.add_argument(
        "--profile", help="auto, embedded, chat (an OpenAI-compatible server writes the answer) or local"
    )
    parser.add_argument("--model", help="what chat or local ask (default: VITRINE_CHAT_MODEL, VITRINE_LOCAL_MODEL)")
    parser.add_argument(
        "--pipeline",
        help="how a model's answer comes about: vitrine (default), mm-llm, task1, task2, task3, kdd-2025, or, with "
        "pictures, separate, single-stage or multi-stage",
    )
    parser.add_argument("--budget", type=float, metavar="S", help="what a turn may take; parts are left out for it")
    parser.add_argument("--strictness", help="none, soft, moderate (default) or severe, which forbids a model's memory")
    parser.add_argument("--risk", help="how probably an answer may be wrong, 0 to 1; surer ones alone are given")
    parser.add_argument("--risk-model", metavar="FILE", help="weights of that estimate, from `eval calibrate`")
    parser.add_argument("--prompts", type=Path, metavar="DIR", help="texts that stand in for ours, by the same names")
    parser.add_argument("--data-dir")
    parser.add_argument("--json", action="store_true")


def run(args: argparse.Namespace) -> int:
    from assistant.commands.command_line import ShownProgress
    from assistant.commands.conversation_file import append_turn, load_conversation
    from assistant.factory import open_assistant
    from assistant.settings import read_settings
    from assistant.vision.frame import read_frame

    settings = read_settings(
        profile=args.profile,
        data_dir=args.data_dir,
        index=args.index,
        model=args.model,
        pipeline=args.pipeline,
        strictness=args.strictness,
        prompts=args.prompts,
        risk=args.risk,
        risk_model=args.risk_model,
        budget=args.budget,
        use_taught=True,
    )
    conversation, earlier = load_conversation(args.conversation) if args.conversation else (Conversation("ask"), None)
    path = args.image or earlier
    frame = read_frame(path) if path else None
    if args.conversation and not args.conversation.parent.is_dir():
        raise BadInput(f"the folder of --conversation {str(args.conversation)!r} does not exist")
    assistant = open_assistant(settings, ShownProgress())
    turn = _last_turn(assistant.answer(conversation, args.question, frame))
    if args.conversation:
        append_turn(args.conversation, turn, path)
    if args.json:
        print(json.dumps(as_json(turn, assistant.profile), ensure_ascii=False, indent=1))
    else:
        _print(turn)
    return 1 if turn.answer.status == "error" else 0


def _last_turn(events: Any) -> Turn:
    from assistant.core.events import Finished

    return next(e.turn for e in events if isinstance(e, Finished))


def as_json(turn: Turn, profile: str) -> dict[str, Any]:
    """The contract of `ask --json`; evidence that the answer rests on stands first, marked `used`.

    A sentence names its evidence by place in that list; `ground` says what it rests on (`core.types.Ground`). A picture
    that is shown between sentences stands among them as its placeholder, `picture` is its place in that list; the bytes
    are not in it.
    `usage` is there where a model wrote the answer.
    """
    answer = turn.answer
    used = {i for s in answer.sentences for i in s.evidence_ids}
    evidence = sorted(answer.evidence, key=lambda e: e.id not in used)
    places = {e.id: n for n, e in enumerate(evidence)}
    entity = answer.entity
    return {
        "answer": answer.text,
        "status": answer.status,
        "reason": answer.reason,
        "entity": None
        if entity is None
        else {
            "name": entity.name,
            "confidence": round(float(entity.confidence), 4),
            "outline_px": [[round(float(x), 1), round(float(y), 1)] for x, y in entity.outline_px],
        },
        "sentences": [
            {
                "text": s.text,
                "ground": s.ground,
                "evidence": [n for n, e in enumerate(evidence) if e.id in s.evidence_ids],
                **({"picture": places[s.picture]} if s.picture in places else {}),
            }
            for s in answer.sentences
        ],
        "evidence": [
            {
                "kind": e.kind,
                "source": e.source,
                "text": e.text,
                "score": round(float(e.score), 4),
                "used": e.id in used,
            }
            for e in evidence
        ],
        **({"risk": round(answer.risk, 4)} if answer.risk is not None else {}),
        "timings_ms": dict(turn.timings_ms),
        "profile": profile,
        **({"usage": vars(answer.usage)} if answer.usage is not None else {}),
    }


def _print(turn: Turn) -> None:
    answer = turn.answer
    print(answer.text or answer.reason)
    for sentence in answer.sentences:
        if sentence.picture is None and sentence.ground != "evidence":
            what = "seen in the picture by the model" if sentence.ground == "picture" else "from the model's memory"
            print(f"  {what}, not checked: {sentence.text}", file=sys.stderr)
    used = {i for s in answer.sentences for i in s.evidence_ids}
    for e in answer.evidence:
        if e.id in used:
            print(f"  [{e.kind}] {e.text}  ({e.source})", file=sys.stderr)
    total = ", ".join(f"{stage} {ms:.0f}" for stage, ms in turn.timings_ms.items())
    print(f"  {total} ms", file=sys.stderr)
    if (usage := answer.usage) is not None and usage.prompt_tokens is not None:
        cost = f", {usage.cost:.6f} USD" if usage.cost is not None else ""
        print(f"  {usage.model}: {usage.prompt_tokens} + {usage.completion_tokens} tokens{cost}", file=sys.stderr)
