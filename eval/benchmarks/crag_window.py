"""How much of the web and of the mock KG a model is shown for a question of CRAG (arXiv 2406.04744, section 5)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from assistant.core.errors import BadInput
from assistant.core.types import Evidence
from assistant.pipelines.raw_evidence import count_tokens
from eval.data.crag_text.rows import is_snippet
from eval.data.pieces import Piece
from eval.data.samples import SampleTurn


@dataclass(frozen=True)
class Window:
    """How many tokens of what a model is shown, as `count_tokens` counts them.

    web_tokens: of the web, in the data's order. kg_tokens: of what the mock KG answers, on top of that. pages: what the
    snippets leave room for is filled with the text of the pages, in their order.
    """

    web_tokens: int
    kg_tokens: int
    pages: bool = False

    def __post_init__(self) -> None:
        if self.web_tokens < 0 or self.kg_tokens < 1:
            raise BadInput(f"a window of {self.web_tokens} tokens of the web and {self.kg_tokens} of the KG is none")


#: The paper's straightforward solutions: the small one for Llama 2, the large one for all others; and both with pages.
WINDOWS = {
    "2k": Window(2_000, 1_000),
    "4k": Window(4_000, 2_000),
    "2k+pages": Window(2_000, 1_000, pages=True),
    "4k+pages": Window(4_000, 2_000, pages=True),
}
USUAL_WINDOW = WINDOWS["4k"]


def window_of(name: str) -> Window:
    """A window by its name.

    Raises:
        BadInput: there is none of that name.
    """
    if name not in WINDOWS:
        raise BadInput(f"there is no window {name!r}: choose one of {', '.join(WINDOWS)}")
    return WINDOWS[name]


def evidence_for(
    turn: SampleTurn, window: Window = USUAL_WINDOW, length: Callable[[str], int] = count_tokens
) -> tuple[Evidence, ...]:
    """The web evidence that a turn is handed: as much as fits, in order, the last piece cut between words.

    What stands there twice is handed over once. The task makes no difference here: the data of task 3 bring more pages,
    and what the KG of tasks 2 and 3 says is the model's to ask for.
    """
    pieces = turn.pieces() if turn.pieces is not None else ()
    snippets = [piece for piece in pieces if is_snippet(piece)]
    rest = [piece for piece in pieces if not is_snippet(piece)] if window.pages else []
    found: list[Evidence] = []
    said: set[tuple[str, str]] = set()
    left = window.web_tokens
    for piece in (*snippets, *rest):
        if (piece.source, piece.text) in said:
            continue
        said.add((piece.source, piece.text))
        tokens = length(_shown(piece))
        if tokens > left:
            piece = _cut(piece, left, length)
            if piece.text:
                found.append(_evidence(piece, len(found)))
            break
        left -= tokens
        found.append(_evidence(piece, len(found)))
    return tuple(found)


def _shown(piece: Piece) -> str:
    return f"{piece.title}: {piece.text}" if piece.title else piece.text


def _evidence(piece: Piece, n: int) -> Evidence:
    return replace(piece.evidence(), id=f"web:{n}")


def _cut(piece: Piece, most: int, length: Callable[[str], int]) -> Piece:
    """As many of its words as fit, none perhaps."""
    words = piece.text.split()
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if length(_shown(replace(piece, text=" ".join(words[:middle])))) <= most:
            low = middle
        else:
            high = middle - 1
    return replace(piece, text=" ".join(words[:low]))
