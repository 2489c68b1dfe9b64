"""Evidence that data bring along: pieces of text and pictures that a run may hand to an agent instead of a search.

What a piece is to its question (`role`) is for whoever picks and scores; an agent gets the `Evidence` alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from assistant.core.types import Evidence
from eval.data.pictures import Picture

#: gold: holds the answer; distractor: looks as if it did; page: nobody has said what it holds.
Role = Literal["gold", "distractor", "page"]
PieceKind = Literal["passage", "attribute", "picture"]


@dataclass(frozen=True)
class Piece:
    """One piece of evidence.

    source: its page's URL, or of an attribute the thing's name. text: what it says, of a picture its caption. title: of
    its page. subject, key, value: of an attribute. written: the date of its page, ISO 8601. picture: bytes to be read
    when it is handed over. score: how well its data say that it fits the question, 0 to 1; None where they do not say.
    """

    id: str
    role: Role
    kind: PieceKind
    source: str
    text: str
    title: str = ""
    subject: str | None = None
    key: str | None = None
    value: Any = None
    written: str | None = None
    picture: Picture | None = None
    score: float | None = None

    def evidence(self) -> Evidence:
        """The piece as an agent gets it.

        Raises:
            BadImage: its picture cannot be read.
        """
        return Evidence(
            self.id,
            self.kind,
            self.source,
            self.text,
            self.score or 0.0,
            subject=self.subject,
            key=self.key,
            value=self.value,
            title=self.title or None,
            written=self.written,
            picture=self.picture.read() if self.picture is not None else None,
        )


def attribute(id_: str, role: Role, subject: str, key: str, value: Any) -> Piece:
    """What an index states about one thing; `value` raw, as it stands there."""
    from assistant.text.attribute_keys import stated_value
    from assistant.text.markup import clean_value

    text = f"{key}: {stated_value(key, clean_value(value))}"
    return Piece(id_, role, "attribute", subject, text, "", subject, key, value)


#: All pieces of one turn, read when they are asked for.
Pieces = Callable[[], Sequence[Piece]]
