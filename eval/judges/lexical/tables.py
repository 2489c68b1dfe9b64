"""Words that mean the same, the opposite, or nothing, for the lexical judge. Everyday English, written by hand.

`word_lists` holds them: `same.txt` a group of one meaning a line, the first word standing for the group; `opposite.txt`
two sides of words a line; `phrases.txt` what a few words together say; `stop.txt` words without a meaning of their own;
`not_doers.txt` words in -er that come from no verb. Words are looked up as they are written and as their stems
(`eval.judges.lexical.words`). Not a thesaurus: only what answers about things seen keep exchanging.
"""

from __future__ import annotations

from pathlib import Path

_WORDS = Path(__file__).parent / "word_lists"


def _lines(name: str) -> list[str]:
    return (_WORDS / name).read_text(encoding="utf-8").splitlines()


def _opposites() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for line in _lines("opposite.txt"):
        one, two = (side.split() for side in line.split("|"))
        for words, others in ((one, two), (two, one)):
            for word in words:
                found.setdefault(word, set()).update(others)
    return {word: frozenset(others) for word, others in found.items()}


#: Words without a meaning of their own.
STOP = frozenset(word for line in _lines("stop.txt") for word in line.split())

#: Words in -er that are not who or what does what stands before it ("keeper" keeps, "flower" does not flow).
NO_DOERS = frozenset(word for line in _lines("not_doers.txt") for word in line.split())

#: Words of place and degree: behind a noun they begin something new.
PLACING = frozenset(
    ("near", "against", "within", "across", "along", "behind", "beside", "above", "below", "towards", "opposite")
) | {"far", "least", "less", "always", "never", "exclusively", "mostly", "often", "together", "without"}

#: What places are called besides their names: it may go without saying.
GENERIC = frozenset(
    ("valley", "region", "city", "town", "river", "lake", "mount", "mountain", "street", "avenue", "province", "county")
) | {"peninsula", "district", "area"}

#: Behind the name of a material or a style: what only looks like it ("walnut-coloured").
LOOKS = frozenset(
    (
        "coloured",
        "colored",
        "effect",
        "look",
        "looking",
        "imitation",
        "stain",
        "veneer",
        "pattern",
        "print",
        "flavoured",
    )
) | {"flavored", "scented", "lookalike", "replica", "inspired", "like", "style"}

#: Places in a row.
PLACES = frozenset(("left", "right", "middle", "center", "centre", "top", "bottom", "front", "back"))

#: What a few words together say in one.
PHRASES = dict(line.split("|") for line in _lines("phrases.txt"))

#: word → the first word of its group.
SAME = {word: line.split()[0] for line in reversed(_lines("same.txt")) for word in line.split()}

#: word → the words that say the opposite.
OPPOSITE = _opposites()
