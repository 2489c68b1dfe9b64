"""What of a model's text is thinking and what is the answer.

Models think aloud in many wrappings: XML-like tags, the brackets and special tokens of single families, the channels of
gpt-oss. Often the opening tag stood in the prompt already, so that only the closing one comes. One rule holds for all
of them: what stands between an opening tag and the next closing one is thinking; at a closing tag that nothing opened,
everything before it was; after an opening tag that nothing closes, everything is.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_NAME = (
    r"(?:\w+[:_-])?(?:ant)?(?:think|thinking|thoughts?|reasoning|analysis|reflection|scratch_?pad|monologue|"
    r"chain[_-]of[_-]thought)(?:[_-]\w+)?"
)
_TAG = re.compile(
    r"<\|?(?P<close>/|end_(?:of_)?)?(?:start_|begin_(?:of_)?)?" + _NAME + r"(?:\s[^<>]{0,120})?\s*\|?>"
    r"|\[(?P<close_square>/)?think(?:ing)?\]|◁(?P<close_moon>/)?think▷"
    r"|(?:<\|start\|>\w+)?<\|channel\|>(?P<close_channel>\s*final)?[^<]{0,80}<\|message\|>"
    r"|(?P<close_bare>assistantfinal)|<unused9(?:4|(?P<close_unused>5))>"
    # Where the answer is wrapped, too, its own opening tag ends the thinking.
    r"|<\|?(?P<answer>/?(?:start_|begin_(?:of_)?|end_(?:of_)?)?(?:final_?)?(?:answer|response|solution))\|?>",
    re.IGNORECASE,
)
#: Special tokens that a server left in.
_TOKEN = re.compile(r"<\|[\w ]{1,40}\|>")


@dataclass(frozen=True)
class Parted:
    """A text, or its beginning, taken apart.

    Attributes:
        answer: all but the thinking.
        thoughts: the thinking.
        closed: at least one stretch of thinking has come to its end.
        unopened: how many closing tags nothing had opened.
    """

    answer: str
    thoughts: str
    closed: bool
    unopened: int


def part(text: str) -> Parted:
    """Take a whole reply, or what has come of it so far, apart."""
    kept: list[str] = []
    thoughts: list[str] = []
    inside, closed, unopened, at = False, False, 0, 0
    for tag in _TAG.finditer(text):
        before, at = text[at : tag.start()], tag.end()
        answer = tag["answer"]
        closes = any(name.startswith("close") and found for name, found in tag.groupdict().items())
        if inside:
            thoughts.append(before)
            inside = not (closes or (answer and not answer.startswith("/")))
            closed |= not inside
        elif closes:
            thoughts += [*kept, before]
            kept.clear()
            closed, unopened = True, unopened + 1
        else:
            kept.append(before)
            inside = not answer
    (thoughts if inside else kept).append(text[at:])
    return Parted(_TOKEN.sub("", "".join(kept)), "".join(thoughts), closed, unopened)
