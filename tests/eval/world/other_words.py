"""Further sets of phrasings and attribute names: every question, every key in other words than the bundled ones.

`python -m tests.eval.world.other_words --set second --out FILE` writes a whole file for `eval world --phrasings`: the
bundled structure with the wordings of `world_data/second_phrasings.json` in place of its own. Comparison words
("heavier") and answers stay; relations that a set does not know get wordings made of their label. `--keys second --out
FILE` writes the bundled attributes with the keys of `world_data/second_keys.json`, for `eval world --attributes`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from eval.world.vocabulary import bundled

DATA_DIR = Path(__file__).parent / "world_data"
#: Each written by a hand of its own that saw neither the bundled wordings nor the reader. The failures of worlds asked
#: in "eleventh", "twelfth" and "fourteenth" to "sixteenth" are never read: they are what is measured. The others are
#: there to be read.
#: How a conversation comes back to a thing or goes on to the next in view ("back") was misunderstood in "ninth" to
#: "fourteenth" ("the first thing we talked about") and written anew for these six by one later hand. One wording of
#: "fifteenth" that said so too was put otherwise after its world had been run.
SETS = (
    *("second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"),
    *("eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth"),
)
#: Keys of knowledge graphs by five more such hands; worlds with those of "fifth" and "sixth" are not read.
KEYS = ("second", "third", "fourth", "fifth", "sixth")
#: For relations that came later than the second set.
FRAMES = (
    "{what} of {this}?",
    "Any clue about {this}: {what}?",
    "I'd like to have one thing for {this}: {what}.",
    "Give me this of {this}: {what}.",
    "{this}, {what}, what can you tell me?",
    "Under {what}, what stands there for {this}?",
)


def written(name: str) -> dict[str, Any]:
    """What the hand of this set wrote.

    Raises:
        ValueError: there is no such set.
    """
    if name not in SETS:
        raise ValueError(f"no set of phrasings is called {name!r}")
    data: dict[str, Any] = json.loads((DATA_DIR / f"{name}_phrasings.json").read_text(encoding="utf-8"))
    return data


def together(sets: Sequence[Any]) -> Any:
    """Sets laid over each other: lists end to end."""
    if isinstance(sets[0], dict):
        return {key: together([s[key] for s in sets if key in s]) for key in dict.fromkeys(k for s in sets for k in s)}
    return [text for s in sets for text in s]  # an opener that comes twice comes twice as often


def compose(*names: str) -> dict[str, Any]:
    """A whole set of phrasings in the words of these sets."""
    other, phrasings = together([written(n) for n in names]), bundled("phrasings")
    labels = {n: tell["label"][:1].lower() + tell["label"][1:] for n, tell in bundled("voices")["tell"].items()}
    for relation, wording in phrasings["relations"].items():
        what = labels.get(relation, relation.replace("_", " "))
        wording["ask"] = other["relations"].get(relation) or [f.replace("{what}", what) for f in FRAMES]
        wording.pop("compare", None)
        for form in ("count", "sum"):
            if form in wording:
                wording[form] = [t.replace("{what}", what) for t in other[form]]
    for section in ("notice", "reason"):
        for key, wording in phrasings[section].items():
            wording["ask"] = other[section].get(key, wording["ask"])
    for key, wording in phrasings["recognise"].items():
        if key != "answer":
            wording["ask"] = other["recognise"]
    for section in ("compare", "aggregate", "roles", "others", "back"):
        phrasings[section] |= other[section]
    phrasings["openers"], phrasings["follow_openers"] = other["openers"], other["follow_openers"]
    places = phrasings["places"]
    for key in places:
        if isinstance(places[key], list):
            places[key] = other["places"]
    places |= {"follow": other["follow"], "one_of_two": other["one_of_two"], "other_here": other["other_here"]}
    return phrasings


def other_keys(name: str) -> dict[str, Any]:
    """The bundled attributes under other keys, three to a fact."""
    keys = json.loads((DATA_DIR / f"{name}_keys.json").read_text(encoding="utf-8"))
    attributes = bundled("attributes")
    for group, facts in attributes["facts"].items():
        for fact, spec in facts.items():
            if "keys" in spec:  # others are told on pages alone
                spec["keys"] = keys[group][fact]
    return attributes


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Write further phrasings or attributes as a file for eval world.")
    which = parser.add_mutually_exclusive_group(required=True)
    which.add_argument("--set", choices=SETS, nargs="+", dest="names", help="phrasings; several are laid together")
    which.add_argument("--keys", choices=KEYS, help="attributes")
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args(arguments)
    words = other_keys(given.keys) if given.keys else compose(*given.names)
    given.out.write_text(json.dumps(words, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
