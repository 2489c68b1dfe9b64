"""Agents written for the public CRAG-MM kits, run as they are: `--agent module:Class`, the module found from here.

Both kits are served. The challenge's (KDD Cup 2025) builds the class with `search_pipeline=` and calls
`batch_generate_response(queries, images, message_histories)`; the released one (facebookresearch/CRAG-MM) gives
`model_name=` and `is_multi_turn=` to the class, and to the call also `rag_context_list`, ready evidence as text, and
`domains`. What the class and its method name as parameters decides what they get. As there: pictures are RGB PIL
images (None for a row without one), a history is a list of {"role": "user" | "assistant", "content": text} with the
agent's own answers as they were cut, batches hold 1 to 16 turns of different conversations, one batch at a time.

Where a run hands evidence over, an agent that takes `evidence_list` gets, for each question, its pieces in order as
dictionaries (`kind`, `text`, `source`, `title`, and `image`, an RGB PIL image, for pictures); one that takes
`rag_context_list` gets their texts there instead of what a search would have found.

Other than there, an agent that raises, or returns anything but one text a question, fails only the turns of that
batch, and an empty answer does not end the run. The agent runs in this process, with all its rights.
"""

from __future__ import annotations

import importlib
import inspect
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from assistant.core.errors import BadImage, BadInput, VitrineError
from assistant.core.events import Finished, StageFinished, StageStarted, Trace
from assistant.core.types import Answer, Evidence, Turn
from eval.agents.kit_modules import provided
from eval.agents.lazy_search import LazySearch
from eval.agents.protocol import Asked, Made, Outcome, failed
from eval.metrics.public import is_refusal

#: The kit clips what `get_batch_size` returns to this range.
BATCH_SIZES = (1, 16)

#: (question, asked) → the text that the released kit hands in as `rag_context_list`.
Context = Callable[[Asked], str]


def load_class(name: str, folder: Path) -> type:
    """The class that `module:Class` names, its module looked for in `folder` first.

    Raises:
        BadInput: no such module or class, one that cannot be imported, or one that lacks the kit's methods.
    """
    module_name, _, class_name = name.partition(":")
    if not module_name or not class_name:
        raise BadInput(f"{name!r} names no agent: give module:Class, as in agents.my_agent:MyAgent")
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))
    try:
        with provided():
            module = importlib.import_module(module_name)
    except ModuleNotFoundError as problem:
        if problem.name and (module_name == problem.name or module_name.startswith(f"{problem.name}.")):
            raise BadInput(
                f"there is no module {module_name!r} in {str(folder)!r}: run from the folder it is in"
            ) from None
        raise BadInput(f"the agent's module {module_name!r} needs {problem.name!r}, which is not installed") from None
    except VitrineError:
        raise
    except Exception as problem:  # whatever a module of someone else's does when it is imported
        raise BadInput(f"the agent's module {module_name!r} cannot be imported ({_short(problem)})") from problem
    found = getattr(module, class_name, None)
    if not isinstance(found, type):
        raise BadInput(f"the module {module_name!r} has no class {class_name!r}")
    for method in ("get_batch_size", "batch_generate_response"):
        if not callable(getattr(found, method, None)):
            raise BadInput(f"{name!r} has no method {method!r}: it is no agent of the public kit")
    return found


def takes_context(agent: type) -> bool:
    """Whether an agent class wants to be handed what a search found."""
    return "rag_context_list" in _named(agent.batch_generate_response)  # type: ignore[attr-defined]


def takes_evidence(agent: type) -> bool:
    """Whether an agent class can be handed evidence."""
    method = agent.batch_generate_response  # type: ignore[attr-defined]
    return bool({"evidence_list", "rag_context_list"} & set(_named(method))) or _open_ended(method)


class PublicAgent:
    """An agent of the public kit as the runner's `Agent`.

    Args:
        name: as the user gave it, for messages.
        agent: its class.
        search: what it may search with.
        context: renders `rag_context_list` for agents that take it.
        multi_turn: handed to the class as `is_multi_turn` where it takes it.
        options: more arguments for the class.

    Raises:
        BadInput: the class cannot be built, or its batch size is no number.
    """

    def __init__(
        self,
        name: str,
        agent: type,
        *,
        search: LazySearch,
        context: Context | None = None,
        multi_turn: bool = True,
        options: Mapping[str, Any] | None = None,
    ):
        self._name = name
        self._context = context
        self._search = search
        arguments = _accepted(agent, {"search_pipeline": search, "is_multi_turn": multi_turn})
        try:
            with provided(search):
                self._agent = agent(**{**arguments, **(options or {})})
                size = int(self._agent.get_batch_size())
        except VitrineError:
            raise
        except Exception as problem:
            raise BadInput(f"the agent {name!r} cannot be made ({_short(problem)})") from problem
        self.batch_size = min(max(size, BATCH_SIZES[0]), BATCH_SIZES[1])
        offered = {"rag_context_list": 0, "domains": 0, "evidence_list": 0}
        self._extras = _accepted(self._agent.batch_generate_response, offered)
        if "rag_context_list" not in self._extras:
            self._extras.pop("domains", None)
        self._names_evidence = "evidence_list" in _named(self._agent.batch_generate_response)

    @property
    def preparing(self) -> bool:
        """Whether the index is being built or opened now: that is no part of a turn."""
        return self._search.preparing

    def answer(self, asked: Sequence[Asked], stop: threading.Event) -> Sequence[Outcome]:
        """One outcome each.

        Raises:
            VitrineError: the agent searches and the index cannot be had.
        """
        prepared_s = self._search.spent_s
        outcomes = self._answered(asked)
        if self._search.problem is not None:  # told even where the agent made do without
            raise self._search.problem
        waited_ms = (self._search.spent_s - prepared_s) * 1000
        return [replace(one, waited_ms=waited_ms) for one in outcomes]

    def _answered(self, asked: Sequence[Asked]) -> Sequence[Made]:
        """One outcome each; a turn whose evidence cannot be shown fails alone, the others of its batch are asked."""
        evidence: dict[int, list[dict[str, Any]]] = {}
        broken: dict[int, Made] = {}
        for n, one in enumerate(asked):
            try:
                evidence[n] = [_piece(piece) for piece in _handed(one) or ()] if self._shows_evidence else []
            except BadImage as problem:
                broken[n] = failed(one, "error", f"a picture among its evidence cannot be shown: {problem}")
        made = iter(self._asked([asked[n] for n in evidence], list(evidence.values())) if evidence else ())
        return [broken[n] if n in broken else next(made) for n in range(len(asked))]

    def _asked(self, asked: Sequence[Asked], evidence: list[list[dict[str, Any]]]) -> Sequence[Made]:
        start, prepared_s = time.perf_counter(), self._search.spent_s
        try:
            replies = list(
                self._agent.batch_generate_response(
                    [one.turn.query for one in asked],
                    [_picture(one) for one in asked],
                    [_history(one) for one in asked],
                    **self._more(asked, evidence),
                )
            )
        except (Exception, SystemExit) as problem:
            reason = f"the agent failed ({type(problem).__name__})"
            return [failed(one, "error", reason, traceback.format_exc()) for one in asked]
        ms = (time.perf_counter() - start - (self._search.spent_s - prepared_s)) * 1000
        if len(replies) != len(asked):
            reason = f"the agent gave {len(replies)} replies to {len(asked)} questions"
            return [failed(one, "error", reason) for one in asked]
        return [_made(one, reply, ms, len(asked)) for one, reply in zip(asked, replies, strict=True)]

    def _context_of(self, asked: Asked) -> str:
        handed = _handed(asked)
        if handed is not None:
            return "\n\n".join(filter(None, (f"{piece.title or ''}\n{piece.text}".strip() for piece in handed)))
        return self._context(asked) if self._context else ""

    @property
    def _shows_evidence(self) -> bool:
        return "evidence_list" in self._extras

    def _more(self, asked: Sequence[Asked], evidence: list[list[dict[str, Any]]]) -> dict[str, Any]:
        more: dict[str, Any] = {}
        if "rag_context_list" in self._extras:
            more["rag_context_list"] = [self._context_of(one) for one in asked]
        handed = any(_handed(one) is not None for one in asked)
        if self._shows_evidence and (handed or self._names_evidence):
            more["evidence_list"] = evidence
        if "domains" in self._extras:
            more["domains"] = [one.turn.domain for one in asked]
        return more


def _handed(asked: Asked) -> Sequence[Evidence] | None:
    return (asked.given or {}).get("evidence")


def _piece(piece: Evidence) -> dict[str, Any]:
    found = {"kind": piece.kind, "text": piece.text, "source": piece.source, "title": piece.title or ""}
    if piece.picture is None:
        return found
    from PIL import Image

    from assistant.vision.frame import read_frame

    return {**found, "image": Image.fromarray(read_frame(piece.picture).pixels)}


def _made(asked: Asked, reply: Any, ms: float, batch: int) -> Made:
    if not isinstance(reply, str):
        return failed(asked, "error", f"the agent replied with {type(reply).__name__}, not with a text")
    trace = Trace()
    trace.add(0.0, StageStarted("answer"))
    trace.add(ms, StageFinished("answer", ms, f"a batch of {batch}"))
    digest = asked.frame.digest if asked.frame else None
    answer = Answer(reply, "abstained" if is_refusal(reply) else "answered")
    turn = Turn(asked.turn.query, answer, digest, timings_ms={"answer": round(ms, 1)})
    trace.add(ms, Finished(turn))
    return Made(turn, trace)


def _picture(asked: Asked) -> Any:
    if asked.frame is None:
        return None
    from PIL import Image

    return Image.fromarray(asked.frame.pixels)


def _history(asked: Asked) -> list[dict[str, Any]]:
    history: list[dict[str, Any]] = []
    for turn in asked.conversation.turns:
        history.append({"role": "user", "content": turn.question})
        history.append({"role": "assistant", "content": turn.answer.text})
    return history


def _named(function: Any) -> list[str]:
    try:
        return [p.name for p in inspect.signature(function).parameters.values() if p.kind not in (2, 4)]
    except (TypeError, ValueError):
        return []


def _open_ended(function: Any) -> bool:
    try:
        return any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return False


def _accepted(function: Any, offered: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the offered arguments that a function takes by name, all of them if it takes any keyword."""
    if _open_ended(function):
        return dict(offered)
    named = _named(function)
    return {name: value for name, value in offered.items() if name in named}


def _short(problem: BaseException) -> str:
    text = " ".join(str(problem).split())
    return f"{type(problem).__name__}: {text[:160]}" if text else type(problem).__name__
