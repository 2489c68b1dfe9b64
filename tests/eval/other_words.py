"""The second set of phrasings: every question in words that nobody who works on the reader has in front of them.

`python -m tests.eval.other_words --out FILE` writes a whole file for `eval world --phrasings`: the bundled structure
with the wordings of `world_data/other_phrasings.json` in place of its own. Comparison words ("heavier") and answers
stay; relations that the second set does not know get wordings made of their label.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from eval.world.vocabulary import bundled

DATA = Path(__file__).parent / "world_data" / "other_phrasings.json"
#: For relations that came later than the set.
FRAMES = (
    "{what} of {this}?",
    "Any clue about {this}: {what}?",
    "I'd like to have one thing for {this}: {what}.",
    "Give me this of {this}: {what}.",
    "{this}, {what}, what can you tell me?",
    "Under {what}, what stands there for {this}?",
)


def compose() -> dict[str, Any]:
    """A whole set of phrasings in other words."""
    other, phrasings = json.loads(DATA.read_text(encoding="utf-8")), bundled("phrasings")
    labels = {n: tell["label"][:1].lower() + tell["label"][1:] for n, tell in bundled("voices")["tell"].items()}
    for name, wording in phrasings["relations"].items():
        what = labels.get(name, name.replace("_", " "))
        wording["ask"] = other["relations"].get(name) or [f.replace("{what}", what) for f in FRAMES]
        wording.pop("compare", None)
        for form in ("count", "sum"):
            if form in wording:
                wording[form] = [t.replace("{what}", what) for t in other[form]]
    for section in ("notice", "reason"):
        for name, wording in phrasings[section].items():
            wording["ask"] = other[section].get(name, wording["ask"])
    for name, wording in phrasings["recognise"].items():
        if name != "answer":
            wording["ask"] = other["recognise"]
    for section in ("compare", "aggregate", "roles", "others", "back"):
        phrasings[section] |= other[section]
    phrasings["openers"], phrasings["follow_openers"] = other["openers"], other["follow_openers"]
    places = phrasings["places"]
    for name in places:
        if isinstance(places[name], list):
            places[name] = other["places"]
    places |= {"follow": other["follow"], "one_of_two": other["one_of_two"], "other_here": other["other_here"]}
    return phrasings


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Write the second set of phrasings as a file for eval world.")
    parser.add_argument("--out", type=Path, required=True)
    out = parser.parse_args(arguments).out
    out.write_text(json.dumps(compose(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
