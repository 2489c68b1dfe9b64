"""A conversation on disk, so that `ask --conversation FILE` can go on where the last call ended.

Keeps what later turns need (questions, answers, subjects, the picture's path), never pixels or evidence.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import get_args

from pydantic import BaseModel, field_validator

from assistant.core.errors import BadInput, UnknownFormat
from assistant.core.types import Answer, Conversation, Status, Turn
from assistant.core.whole_text import load_json

FORMAT_VERSION = 1


class StoredTurn(BaseModel):
    question: str
    answer: str
    status: str
    reason: str = ""
    subjects: list[str] = []
    image: str | None = None
    frame_digest: str | None = None

    @field_validator("status")
    @classmethod
    def _known(cls, status: str) -> str:
        if status not in get_args(Status):
            raise ValueError(f"unknown status {status!r}")
        return status


class StoredConversation(BaseModel):
    format_version: int
    turns: list[StoredTurn] = []


def load_conversation(path: Path) -> tuple[Conversation, Path | None]:
    """The conversation in `path` (empty when there is no such file yet) and the picture it was about last.

    Raises:
        BadInput: the file is not a conversation.
        UnknownFormat: it was written by another version.
    """
    if not path.exists():
        return Conversation(id=path.stem), None
    try:
        stored = StoredConversation.model_validate(load_json(path.read_bytes()))
    except (ValueError, OSError) as problem:  # pydantic's own error is a ValueError, too
        raise BadInput(f"{str(path)!r} is not a conversation file of Vitrine: remove it or name another") from problem
    if stored.format_version != FORMAT_VERSION:
        raise UnknownFormat(
            f"{str(path)!r} has format_version {stored.format_version!r}, this Vitrine reads {FORMAT_VERSION}"
        )
    turns = tuple(
        Turn(
            question=t.question,
            answer=Answer(t.answer, t.status, t.reason),  # type: ignore[arg-type]  # validated above
            frame_digest=t.frame_digest,
            subjects=tuple(t.subjects),
        )
        for t in stored.turns
    )
    image = next((t.image for t in reversed(stored.turns) if t.image), None)
    return Conversation(id=path.stem, turns=turns), Path(image) if image else None


def append_turn(path: Path, turn: Turn, image: Path | None) -> None:
    """Add one turn to the file; written to a temporary name and renamed, so a kill leaves the old file whole."""
    stored = (
        StoredConversation.model_validate(load_json(path.read_bytes()))
        if path.exists()
        else StoredConversation(format_version=FORMAT_VERSION)
    )
    stored.turns.append(
        StoredTurn(
            question=turn.question,
            answer=turn.answer.words,
            status=turn.answer.status,
            reason=turn.answer.reason,
            subjects=list(turn.subjects),
            image=str(image.resolve()) if image else None,
            frame_digest=turn.frame_digest,
        )
    )
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.write_text(stored.model_dump_json(indent=1), encoding="utf-8")
    os.replace(temporary, path)
