"""Long texts cut into passages of whole sentences, as evidence is handed over and shown to a model."""

from __future__ import annotations

from collections.abc import Iterator

from assistant.text.english import sentences

#: As much of a piece as a model is shown (`assistant.pipelines.evidence_lines.PIECE_CHARS`).
MOST_CHARS = 700


def passages(text: str, most_chars: int = MOST_CHARS) -> Iterator[str]:
    """Passages of at most `most_chars` characters, cut between sentences; a longer sentence is cut between words."""
    taken = ""
    for sentence in sentences(text):
        for part in _parts(sentence, most_chars):
            if taken and len(taken) + 1 + len(part) > most_chars:
                yield taken
                taken = ""
            taken = f"{taken} {part}" if taken else part
    if taken:
        yield taken


def _parts(sentence: str, most_chars: int) -> Iterator[str]:
    while len(sentence) > most_chars:
        end = sentence.rfind(" ", 1, most_chars + 1)
        end = end if end > 0 else most_chars
        yield sentence[:end].rstrip()
        sentence = sentence[end:].lstrip()
    if sentence:
        yield sentence
