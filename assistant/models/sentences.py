"""The model's reply as it streams in, taken apart into sentences and the numbers of the evidence they cite.

A sentence says in brackets what it rests on: numbers of evidence, "picture" or "memory" (see `pipelines.prompts`).
Understands the usual habits: citations before or after the full stop, several in one bracket, ranges, other brackets,
thinking aloud in tags (see `thinking`), markdown, bullets. A picture's placeholder is never cut in two; it stands
between sentences, behind the one that it interrupts. What a sentence says is looked at in `pipelines.sentence_check`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from assistant.core.placeholders import BEGUN, PLACEHOLDER
from assistant.models.thinking import part
from assistant.text.english import plain, sentences

_ITEM = r"(?:evidence\s*)?\d{1,3}|(?:the\s+)?(?:picture|image|photo|memory)"
_CITED = re.compile(
    r"\s*[\[【]\s*\^?(?:(?:evidence|sources?|refs?|no\.?)\s*)?(?P<n>(?:" + _ITEM + r")"
    r"(?:\s*(?:,|;|and|-|–|\]\[)\s*(?:" + _ITEM + r"))*)\s*[\]】]",
    re.IGNORECASE,
)
_AFTER_STOP = re.compile(r"([.!?])(?P<all>(?:\s*[\[【][^\[\]【】]{1,24}[\]】])+)")
_BULLET = re.compile(r"^\s*(?:[-*•>]|#{1,6}|\d{1,2}[.)])\s+", re.MULTILINE)
_LABEL = re.compile(r"^[\s*_#]*(?:final )?answer[\s*_]*:[\s*_]*", re.IGNORECASE)
_EMPHASIS = re.compile(r"\*\*|__|`+|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)")
#: The beginning of a mark or of a tag at the end of what has come so far.
_HALF_MARK = re.compile(r"\s*(?:[\[【][^\]】]*|<[^<>]{0,160})$")
#: A placeholder while a reply is taken apart: its number between two marks; one that has only begun. Both are of
#: characters of private use, which no sentence keeps.
_PICTURE = re.compile("\ue000(\\d+)\ue001")
_BEGUN = "\ue002"
_MARKS = re.compile("[\ue000-\ue002]")
#: Those that stand by themselves: where a reply or a line begins, or behind the end of a sentence.
_ALONE = re.compile("(?:^|(?<=[.!?:…\\]】]))(?:[^\\S\\n]*(?:\ue000\\d+\ue001|\ue002))+[^\\S\\n]*", re.MULTILINE)
_CITED_BEHIND = re.compile(f"(\ue001)(?:{_CITED.pattern.replace('?P<n>', '?:')})+", re.IGNORECASE)
MOST_IN_RANGE = 20
#: What the rules ask for (`assistant.pipelines.prompt`).
MOST_SENTENCES = 2


@dataclass(frozen=True)
class Said:
    """One sentence as plain text and the numbers it cites, in the order it cites them.

    `whole`: it came to its end. `ground`: what it says it rests on beside its numbers, the weaker one of two.
    `picture`: it is no sentence but a picture's placeholder, with this URL; `text` is its caption.
    """

    text: str
    numbers: tuple[int, ...]
    whole: bool = True
    ground: Literal["picture", "memory"] | None = None
    picture: str | None = None


class SentenceParser:
    """Fed with pieces, gives each sentence once, as soon as it is certain where it ends.

    Attributes:
        long: whether an answer may have more than `MOST_SENTENCES`; set by whoever asked for such a one.
        withdrawn: set once sentences that were given have turned out to be thinking; whoever acts on it resets it.
    """

    def __init__(self, *, long: bool = False) -> None:
        self._raw = ""
        self._long = long
        self._pictures: list[Said] = []
        self._given = 0
        self._unopened = 0
        self._may_draft = False
        self.withdrawn = False

    @property
    def draft(self) -> str:
        """What has come of the sentence after those that were given; "" while it may be thinking."""
        begun = " ".join(self._split()[self._given :]) if self._may_draft else ""
        return _said(_HALF_MARK.sub("", _PICTURE.sub(" ", begun))).text

    def feed(self, piece: str, *, may_be_thinking: bool = False) -> list[Said]:
        """The sentences that have become certain with this piece.

        With `may_be_thinking` none is before thinking has come to an end, or all has come: what a closing tag at the
        very end makes thinking of could not be taken back once it was spoken.
        """
        self._raw += piece
        found = self._split()
        self._may_draft = not may_be_thinking or self._closed
        if not self._may_draft:
            return []
        last = found[-1].strip() if found else ""
        if _PICTURE.fullmatch(last):  # nothing that follows belongs to it
            return self._give(found)
        begun = last == _BEGUN or (re.match(r"[\[【][^\]】]*$", last) is None and " " in last)
        return self._give(found[: -1 if begun else -2])

    def finish(self, *, cut: bool = False) -> list[Said]:
        """What is left at the end; `cut`: the reply was cut off, so its last sentence may be half.

        A reply that was cut off although it was longer already than any answer may be was thinking.
        """
        found = self._split()
        if cut and not self._long and not self._closed and not self._given and len(found) > MOST_SENTENCES:
            return []
        said = self._give(found)
        if said and cut and said[-1].picture is None and not re.search(r"[.!?]\W*$", said[-1].text):
            said[-1] = replace(said[-1], whole=False)
        return said

    def _split(self) -> list[str]:
        parted = part(self._raw)
        self._closed = parted.closed
        if parted.unopened > self._unopened:
            self._unopened = parted.unopened
            self.withdrawn, self._given = self.withdrawn or self._given > 0, 0
        text = self._with_pictures_apart(_LABEL.sub("", parted.answer.strip()))
        text = _AFTER_STOP.sub(lambda m: f" {m.group('all').strip()}{m.group(1)} ", text)
        text = _ALONE.sub(
            lambda m: "".join(f"\n{mark}\n" for mark in re.findall("\ue000\\d+\ue001|\ue002", m[0])), text
        )
        return [s for s in sentences(_BULLET.sub("", text)) if s.strip()]

    def _with_pictures_apart(self, text: str) -> str:
        """The text with a short mark for each placeholder; no word of a caption can end a sentence then."""
        self._pictures.clear()

        def apart(found: re.Match[str]) -> str:
            self._pictures.append(Said(_said(found["caption"]).text, (), picture=found["url"]))
            return f"\ue000{len(self._pictures) - 1}\ue001"

        text = PLACEHOLDER.sub(apart, _MARKS.sub("", text))
        return _CITED_BEHIND.sub(r"\1", BEGUN.sub(_BEGUN, text))

    def _give(self, found: list[str]) -> list[Said]:
        new, self._given = found[self._given :], max(self._given, len(found))
        return [said for s in new for said in self._parts(s)]

    def _parts(self, found: str) -> list[Said]:
        """A sentence, and behind it the pictures that interrupt it."""
        said = _said(_PICTURE.sub(" ", found))
        return [*([said] if said.text else []), *(self._pictures[int(n)] for n in _PICTURE.findall(found))]


def _said(sentence: str) -> Said:
    numbers: list[int] = []
    grounds: set[str] = set()
    for found in _CITED.finditer(sentence):
        numbers += _numbers(found.group("n"))
        grounds |= {word.lower() for word in re.findall(r"[a-z]{5,}", found.group("n"), re.IGNORECASE)}
    grounds -= {"evidence"}
    ground: Literal["picture", "memory"] | None = "memory" if "memory" in grounds else "picture" if grounds else None
    text = plain(_EMPHASIS.sub("", _CITED.sub("", sentence)))
    return Said(re.sub(r"\s+([.,;:!?])", r"\1", text).strip(), tuple(dict.fromkeys(numbers)), ground=ground)


def _numbers(text: str) -> list[int]:
    out: list[int] = []
    for first, last in re.findall(r"(\d+)(?:\s*[-–]\s*(?:evidence\s*)?(\d+))?", text):
        a, b = int(first), int(last or first)
        out += range(a, b + 1) if a <= b <= a + MOST_IN_RANGE else (a, b)
    return out
