"""What a judging model's reply says: correct, wrong, missing, or nothing that can be read.

Models asked for `Result: CORRECT` or for a bare JSON object wrap it in prose, markup or a frame, argue without
concluding, or say "INCORRECT" where "CORRECT" stands inside. Only the reply is read, never what was judged, and never
thinking, in whatever wrapping: it weighs verdicts that it does not give. Markup of every kind is made plain lines
first, so that there is one reading for all. A stated verdict ("Result: …", a JSON field, a label alone on its line)
counts before prose; of several the last one, when the text says that it was thought over; two that differ without a
word in between are no verdict.

The public evaluator reads otherwise (`public_reading`): "WRONG" first, then any "CORRECT" in the last line, so that
"INCORRECT" there is correct; no verdict counts as wrong.
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assistant.models.thinking import part
from assistant.text.english import word_set
from eval.metrics.public import Verdict

#: crag: CORRECT or WRONG; simpleqa: its three labels; graded: the scale 1, 0, -1, on which 0 is missing.
Labels = Literal["crag", "simpleqa", "graded"]

_FIELD = (
    r"(?:accuracy|verdict|result|correct|is_correct|iscorrect|label|grade|score|judge?ment|decision|evaluation|"
    r"answer_correct)"
)
_JSON = re.compile(
    rf"[\"']{_FIELD}[\"']\s*:\s*(?:[\"']\s*([\w -]+?)\s*[\"']|(true|false|null)\b|(-?\d+(?:\.\d+)?))",
    re.I,
)
_WORD = (
    r"(?:partially |partly |in)?correct(?:ly)?|wrong|inaccurate|accurate|true|false|right|not[ _-]attempted|"
    r"missing|yes|no"
)
_STATED = re.compile(
    r"(?:^|[\s*_#>\"'(\[{`-])(?:(final)\s+)?(?:result|verdict|judge?ment|label|grade|decision|conclusion|evaluation"
    r"|rating|"
    rf"assessment|accuracy|score)\W{{0,8}}(?:is\W{{1,4}}|would be\W{{1,4}})?((?:not|n't)\s+(?:\w+\s+)?)?"
    rf"({_WORD}|-?[01])(?![\w/|])",
    re.I,
)
_ALONE = re.compile(rf"^\W*((?:not\s+)?(?:{_WORD}))\W*$", re.I)
_TEMPLATE = re.compile(
    r"(?:result|verdict|label)?\W{0,6}\b(?:correct|incorrect|wrong)\b[\"'`\]]*\s*(?:\||/|\bor\b|,)\s*[\"'`\[]*"
    r"(?:(?:result|verdict|label)\W{0,6})?\b(?:correct|incorrect|wrong)\b",
    re.I,
)
_RETHOUGHT = re.compile(
    r"\b(?:wait|actually|on (?:second thought|reflection|closer)|correction|revis\w+|final\w*|reconsider\w*|however|"
    r"therefore|thus|so|overall|in conclusion|hmm|let me|but)\b",
    re.I,
)
_PROSE = re.compile(
    r"\b(?:prediction|answer|response|it|this|model(?:'s answer)?|output)\b[^.\n]{0,60}?\b(?:is|was|are|as|seems"
    r"|considered|deemed|"
    r"judged|marked|be)\b\s*((?:not|n't|never)\s+(?:\w+\s+){0,2}?)?((?:in)?correct|wrong|(?:in)?accurate|right)\b|"
    r"\b(?:prediction|answer|response|it)\b[^.\n]{0,40}?\b(does not|doesn't|do not|fails to|failed to)\s+(?:\w+\s+)?"
    r"(?:match|agree|align|answer|correspond|contain|mention|give|state)|"
    r"\b(?:prediction|answer|response|it)\b[^.\n]{0,30}?\b((?:exactly |fully |correctly |closely )?(?:matches"
    r"|agrees with|aligns "
    r"with|answers the))\b|"
    r"\b(contradicts|conflicts with|differs from|is unrelated)\b",
    re.I,
)
_COMMAND = re.compile(r"\\([A-Za-z]+)\*?\s*\{([^{}]*)\}")
_TAG = re.compile(r"<(/?)([A-Za-z][\w:-]*)(?:\s[^<>]*)?/?>")
#: Tags within a sentence; all others stand round something of its own.
_INLINE = word_set("a b big code em font i kbd mark q s samp small span strike strong sub sup tt u var")
#: A line that holds a verdict, the name of an element, or nothing.
_BARE = re.compile(rf"\W*(?:\w+\s*:)?\W*(?:(?:not\s+)?(?:{_WORD}))?\W*", re.I)


@dataclass(frozen=True)
class Reading:
    """What a reply says; `verdict` None when it cannot be read. `why` is its own reason, or what is amiss."""

    verdict: Verdict | None
    why: str


@dataclass(frozen=True)
class _Said:
    verdict: Verdict
    at: int
    end: int


def read_verdict(reply: str, labels: Labels = "crag") -> Reading:
    """Read a judge's reply.

    Args:
        reply: the text of the reply, whole: what was cut off says nothing, and is not to be read.
        labels: which labels were asked for.
    """
    text = part(reply).answer
    if not text.strip():
        return Reading(None, "the reply is thinking alone" if reply.strip() else "an empty reply")
    found, clash = _conclusion(text, labels)
    if clash:
        return Reading(None, "the reply contradicts itself")
    return Reading(found, _reason(text) if found is not None else "no verdict in the reply")


def public_reading(reply: str) -> bool | None:
    """The public evaluator's own reading of a reply without its thinking, quirks included."""
    reply = part(reply).answer
    last = reply.split("\n")[-1]
    if "Result: WRONG" in reply or "WRONG" in last:
        return False
    return True if "Result: CORRECT" in reply or "CORRECT" in last else None


def _smooth(text: str) -> str:
    """A reply as plain lines: one form of each character, nothing that cannot be seen, no emphasis, and what stands in
    a frame or an element of its own on a line of its own, after the element's name.
    """
    text = unicodedata.normalize("NFKC", html.unescape(text)).replace("’", "'")
    text = "".join(c for c in text if unicodedata.category(c) != "Cf")
    while (plainer := _COMMAND.sub(lambda m: f"\n{m[2]}\n" if "box" in m[1] else m[2], text)) != text:
        text = plainer
    text = _TAG.sub(lambda m: "" if m[2].lower() in _INLINE else "\n" if m[1] else f"\n{m[2]}:\n", text)
    return re.sub(r"\*\*|__|`", "", text).replace("n't", " not")


def _conclusion(text: str, labels: Labels) -> tuple[Verdict | None, bool]:
    """(the verdict or None, whether stated verdicts contradict each other)."""
    smooth = _smooth(text)
    masked = _JSON.sub(lambda m: " " * len(m[0]), _TEMPLATE.sub(lambda m: " " * len(m[0]), smooth))
    fields = _json(smooth, labels)
    told = [*_stated(masked, labels), *_alone(masked, labels)]
    if fields:  # beside an object only a verdict that has a line to itself counts: prose may speak of the field
        told = [said for said in told if masked[: said.at].rstrip(" *_`").endswith("\n")]
    stated = sorted([*fields, *told], key=lambda said: said.at)
    if not stated and (letter := _letter(masked, labels)) is not None:
        return letter, False
    if stated:
        return _last_of(stated, masked)
    return _prose(masked), False


def _last_of(stated: Sequence[_Said], text: str) -> tuple[Verdict | None, bool]:
    last = stated[-1]
    other = next((said for said in reversed(stated) if said.verdict != last.verdict), None)
    if other is None or _RETHOUGHT.search(text[other.end : last.at]):
        return last.verdict, False
    return None, True


def _verdict(word: str, denied: bool, labels: Labels) -> Verdict | None:
    if re.fullmatch(r"-?\d+(?:\.\d+)?", word):
        return _number(float(word), labels)
    low = re.sub(r"[\s_-]+", " ", word.lower()).strip()
    if low.startswith("not "):
        denied, low = True, low.removeprefix("not ")
        if low == "attempted":
            return "missing" if labels != "crag" else "wrong"
    if low in ("missing", "not attempted", "notattempted"):
        return "missing" if labels != "crag" else "wrong"
    good = low in ("correct", "correctly", "accurate", "true", "right", "yes", "pass")
    bad = low in ("incorrect", "incorrectly", "wrong", "inaccurate", "false", "no", "fail",
                  "partially correct", "partly correct", "partially incorrect", "partly incorrect")  # fmt: skip
    if not good and not bad:
        return None
    if denied and bad:
        return None
    return "wrong" if bad or denied else "correct"


def _number(value: float, labels: Labels) -> Verdict | None:
    """1 is correct, what lies below is not: on the graded scale 0 is missing, and half a point is no whole one."""
    if not -1 <= value <= 1:
        return None  # a percentage or a scale of ten: nobody asked for it
    if value == 0 and labels == "graded":
        return "missing"
    return "correct" if value == 1 else "wrong"


def _json(text: str, labels: Labels) -> list[_Said]:
    found = []
    for match in _JSON.finditer(text.rstrip()):
        word = next(group for group in match.groups() if group is not None)
        if labels == "simpleqa" and word.upper() in _LETTERS:
            word = _LETTERS[word.upper()]
        verdict = _verdict(word, False, labels)
        if verdict is not None:
            found.append(_Said(verdict, match.start(), match.end()))
    return found


def _stated(text: str, labels: Labels) -> list[_Said]:
    found = []
    for match in _STATED.finditer(text):
        if re.match(r"[\"']?\s*:", text[match.end() :]):
            continue  # "accuracy": "correct": a field's name, read as JSON
        verdict = _verdict(match[3], bool(match[2]), labels)
        if verdict is not None:
            start = match.start() + re.search(r"[A-Za-z]", match[0]).start()  # type: ignore[union-attr]
            found.append(_Said(verdict, start, match.end()))
    return found


def _alone(text: str, labels: Labels) -> list[_Said]:
    """A label that has a line, or the first or last sentence, to itself."""
    found, at = [], 0
    for line in text.split("\n"):
        spans = [(at, line)]
        pieces = re.split(r"(?<=[.!?])\s+", line)
        if len(pieces) > 1:
            spans = [(at, pieces[0]), (at + len(line) - len(pieces[-1]), pieces[-1])]
        for start, piece in spans:
            match = _ALONE.match(piece)
            if match and (len(text) < 40 or match[1].lower() not in ("yes", "no", "right", "true", "false")):
                verdict = _verdict(match[1], False, labels)
                if verdict is not None:
                    found.append(_Said(verdict, start, start + len(piece)))
        at += len(line) + 1
    return found


_LETTERS = {"A": "correct", "B": "incorrect", "C": "not attempted"}


def _letter(text: str, labels: Labels) -> Verdict | None:
    """SimpleQA's letters: A correct, B incorrect, C not attempted."""
    if labels != "simpleqa":
        return None
    match = re.fullmatch(
        r"\W*(?:(?:answer|grade|label"
        r"|result)\W+)?([ABC])\W*(?:[:.)-].*)?",
        text.strip(),
        re.I | re.S,
    )
    return _verdict(_LETTERS[match[1].upper()], False, labels) if match else None


def _prose(text: str) -> Verdict | None:
    """The verdict of the last sentence that judges; None when the sentences that judge do not agree on how it ends."""
    found: list[Verdict] = []
    for match in _PROSE.finditer(text):
        if match[2]:
            bad = match[2].lower() in ("incorrect", "wrong", "inaccurate")
            if bad and match[1]:
                continue
            found.append("wrong" if bad or match[1] else "correct")
        else:
            found.append("correct" if match[4] else "wrong")
    if not found:
        return None
    return found[-1]


def _reason(text: str) -> str:
    """The reply's own reason in one line of at most 200 characters; the verdict itself where it gives none."""
    lines = re.sub(r"```(?:json)?", " ", text)
    stated = re.search(r"[\"'](?:explanation|reason|rationale|why|reasoning)[\"']\s*:\s*[\"']([^\"]+)", lines)
    plain = stated[1] if stated else _smooth(lines)
    kept = " ".join(line for line in plain.splitlines() if not _BARE.fullmatch(line))
    line = " ".join((kept or plain).split())
    line = re.sub(r"\s*Result:?\s*\w+\.?$", "", line) or line
    line = re.sub(r"^Explanation:?\s*", "", line)
    return line if len(line) <= 200 else line[:199] + "…"
