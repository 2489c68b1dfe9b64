"""What a visitor teaches, as data: a name, facts, sentences and the pictures it is known by; and reading it from text.

A line `key: value` is a fact, any other line a sentence. Everything a visitor typed is made one plain line each
(control characters, direction marks and markup go) and is limited in size; it is shown and quoted, never executed, and
never becomes a path. Keeping it on disk is the business of `assistant.teaching.store`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assistant.core.errors import BadInput
from assistant.core.types import Polygon
from assistant.core.whole_text import whole_text
from assistant.index.catalogue import name_key
from assistant.text.english import plain

MAX_NAME_CHARS = 80
MAX_VALUE_CHARS = 400
MAX_SENTENCE_CHARS = 500
MAX_LINES = 40
#: Longer than all lines together may be: a book pasted into the box is refused before it is read.
MAX_NOTES_CHARS = 8_000
MAX_PICTURES = 6

#: "key: value", but not an address ("https://…") and not a sentence with a colon far in.
_FACT = re.compile(r"^(?P<key>[^:.!?]{1,60}?)\s*:(?!//)\s*(?P<value>\S.*)$")
_KEY_WORDS = 6


@dataclass(frozen=True)
class TaughtPicture:
    """One view of a taught object: `id` names its files, `outline_px` is in the kept picture's pixels."""

    id: str
    outline_px: Polygon
    width_px: int
    height_px: int


@dataclass(frozen=True)
class TaughtObject:
    """`id` is random and made by us; `created` and `changed` are ISO 8601, UTC."""

    id: str
    name: str
    facts: Mapping[str, str] = field(default_factory=dict)
    sentences: tuple[str, ...] = ()
    pictures: tuple[TaughtPicture, ...] = ()
    created: str = ""
    changed: str = ""

    @property
    def notes(self) -> str:
        """Facts and sentences as they would be typed, a line each."""
        return "\n".join([*(f"{key}: {value}" for key, value in self.facts.items()), *self.sentences])


@dataclass(frozen=True)
class Notes:
    """Facts and sentences, checked and plain."""

    facts: Mapping[str, str]
    sentences: tuple[str, ...]


def clean_name(name: str) -> str:
    """The name on one plain line.

    Raises:
        BadInput: nothing left that could be said, or too long.
    """
    if len(name) > MAX_NOTES_CHARS:
        raise BadInput(f"the name has {len(name):,} characters: {MAX_NAME_CHARS} are the most")
    words = plain(whole_text(name), MAX_NOTES_CHARS)
    if not any(c.isalnum() for c in words):
        raise BadInput("the object has no name yet: give it one that can be said aloud")
    if len(words) > MAX_NAME_CHARS:
        raise BadInput(f"the name has {len(words):,} characters: {MAX_NAME_CHARS} are the most")
    return words


def parse_notes(lines: str | Sequence[str]) -> Notes:
    """Facts and sentences from lines as typed; of one key several values are joined.

    Raises:
        BadInput: too much text, or a line that is too long.
    """
    total = len(lines) if isinstance(lines, str) else sum(map(len, lines))
    if total > MAX_NOTES_CHARS:
        raise BadInput(f"the facts have {total:,} characters: {MAX_NOTES_CHARS:,} are the most that is kept")
    parts = [part for text in ([lines] if isinstance(lines, str) else lines) for part in whole_text(text).splitlines()]
    said = [line for line in (plain(part, MAX_NOTES_CHARS) for part in parts) if any(c.isalnum() for c in line)]
    if len(said) > MAX_LINES:
        raise BadInput(f"there are {len(said)} lines of facts: {MAX_LINES} are the most that is kept")
    facts: dict[str, str] = {}
    sentences: dict[str, None] = {}
    for line in said:
        fact = _FACT.match(line)
        if fact is None or len(fact["key"].split()) > _KEY_WORDS:
            sentences[_checked(line, MAX_SENTENCE_CHARS, "a sentence")] = None
            continue
        key = next((k for k in facts if name_key(k) == name_key(fact["key"])), fact["key"].strip())
        value = _checked(fact["value"], MAX_VALUE_CHARS, f"the fact {fact['key']!r}")
        if value not in facts.get(key, "").split("; "):
            facts[key] = f"{facts[key]}; {value}" if key in facts else value
    return Notes(facts, tuple(sentences))


def _checked(text: str, most: int, what: str) -> str:
    if len(text) > most:
        raise BadInput(f"{what} has {len(text):,} characters: {most} are the most, say it on several lines")
    return text
