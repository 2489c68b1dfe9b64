"""Fits the model of `search.pointed_at`: `python -m assistant.answering.pointing_training` (half an hour on one core).

On questions of the matcher's practice, in which "it" is put in the words of `data/pointing`: how several hands that saw
neither this program nor any generated world point at a thing, open a question, end it and wrap it. What a word is, is
known by how the question was put together; what `data/reckoned` asks about whole groups stays.
MiniLM is changed narrowly (`narrow`).
`--leave FILE` fits without one hand's file and prints how many of its phrases are told instead of writing anything.
"""

from __future__ import annotations

import argparse
import json
import random
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from assistant.answering import narrow
from assistant.answering.practice import DATA_DIR as PRACTICE_DIR
from assistant.answering.practice import read_things
from assistant.answering.reckoned_training import examples
from assistant.search.colours import WORDS as COLOURS
from assistant.search.kind_words import KINDS
from assistant.search.pointed_at import (
    FILE_NAME,
    LABELS,
    MAX_TOKENS,
    OTHERS,
    PLAINLY,
    said_plainly,
    word_chances,
    words_in,
)
from assistant.search.text_encoder import VERSION
from assistant.settings import ASSETS_DIR

DATA_DIR = Path(__file__).resolve().parent / "data" / "pointing"
FIRST_LAYER = 1
STEPS, QUESTIONS, LEARNING_RATE = 1700, 40, 8e-4
#: How often a thing is pointed at in which way.
_SHARE = {"place": 12, "same": 5, "first": 4, "second": 4, "third": 3, "left": 3, "right": 3, "middle": 2, "bigger": 2}
#: What the thing of a question is called there.
_IT = re.compile(r"\b(?:it|this one|that one|this thing|that thing|this|that)\b(?! (?:one|thing|is|was|\w+s\b))")
_SIMPLE = ("it", "this", "that", "this one", "that one", "this {noun}", "that {noun}", "the {noun}", "this {noun} here")
_ADJECTIVES = (
    *("heavier", "older", "cheaper", "taller", "longer", "wider", "newer"),
    *("bigger", "lighter", "stronger", "faster", "smaller", "slower"),
)
_COMPARED = (
    *("is {x} {a} than {y}?", "which is {a}, {x} or {y}?", "{x} or {y}, which one is {a}?", "is {y} {a} than {x}"),
    *(
        "between {x} and {y}, which is the {a} one",
        "how much {a} is {x} than {y}?",
        "what do {x} and {y} cost together",
    ),
    *("would you say {x} is {a} compared to {y}?", "compared with {y}, is {x} {a}?", "does {x} cost more than {y}?"),
    *("which of the two is {a}: {x} or {y}", "say I have {x} and {y}, which weighs more?"),
    *("if I want the one that is {a}, is it {x} or {y}?", "I need the {a} one, so {x} or {y}?"),
    *("which is the one that's {a}: {x} or {y}?", "do I take {x} or {y} if it has to be the {a} one?"),
)
#: Of the reckoned questions, those about a whole group, in which "this series" and "all of them" are to stay.
_OF_GROUPS = ("sum_group", "members", "count_members", "extreme")
#: Orders: what is asked begins with the verb.
_ORDERS = (
    "name",
    "list",
    "state",
    "give me",
    "identify",
    "count",
    "calculate",
    "add up",
    "describe",
    "tell me",
    "",
    "what's",
)
_PROPERTIES = (
    *(
        "the maker",
        "the price",
        "all the parts",
        "the person behind the look",
        "the weight",
        "the town",
        "the number",
        "the age",
    ),
    *(
        "the uses",
        "the materials",
        "the year",
        "the opening hours",
        "the sum of the lengths",
        "both colours",
        "the height",
    ),
)
_OF = ("of", "of", "for", "behind", "that goes with", "written on", "inside")
#: How siblings are called; made up here.
_VARIANTS = (
    *("Bolm", "Larkspur", "Old Mill", "Pico", "QX-12", "Nomad"),
    *("Sable", "Tern", "4000", "Marigold", "Grand Tour", "B 7"),
)
_GROUPS = (
    "series",
    "range",
    "collection",
    "family",
    "model line",
    "set",
    "line",
    "group",
    "menu",
    "fleet",
    "brand",
    "edition",
)
Row = tuple[str, list[tuple[int, int, str]]]


def hands(leave: str | None = None) -> dict[str, list[str]]:
    """What all hands wrote, by what it is."""
    out: dict[str, list[str]] = {}
    for path in sorted(DATA_DIR.glob("*.json")):
        if path.name != leave:
            for key, texts in json.loads(path.read_text(encoding="utf-8")).items():
                out.setdefault(key, []).extend(texts)
    return out


def _nouns() -> list[str]:
    words = [w for kind in KINDS.values() for group in (kind.general, *kind.sorts) for w in group]
    return sorted({*words, "coat of arms", "t-shirt", "board game", "table lamp", "dining chair"})


def filled(kind: str, text: str, noun: str, chance: random.Random) -> list[tuple[str, str]]:
    """Pieces of a phrase that points, its slots filled, with what they are."""
    words = {"colour": chance.choice(sorted(COLOURS)), "n": str(chance.randint(1, 9))}
    words |= {"variant": chance.choice(_VARIANTS), "group": chance.choice(_GROUPS)}
    for name, value in words.items():
        text = text.replace(f"{{{name}}}", value)
    before, *rest = text.split("{noun}")
    return [(before, kind), *[piece for part in rest for piece in ((noun, "noun"), (part, kind))]]


class Composer:
    """Questions put together from practice and phrases, each with what its stretches are."""

    def __init__(self, phrases: dict[str, list[str]], seed: int) -> None:
        self.chance = random.Random(seed)
        self.phrases = phrases
        things = read_things(sorted(PRACTICE_DIR.glob("*.jsonl")))
        self.names = [str(t["name"]) for t in things]
        self.names += [str(o["name"]) for t in things for o in t["others"]]
        pairs = [(q["q"], str(t["kind"])) for t in things for q in t["questions"]]
        self.asked = [(q, k) for q, k in pairs if _IT.search(q)]
        self.bare = [q for q, _ in pairs if not _IT.search(q)]
        self.grouped = [q for q, kind in examples() if kind in _OF_GROUPS]
        self.nouns = _nouns()

    def phrase(self, kind: str | None = None, noun: str | None = None) -> list[tuple[str, str]]:
        """Pieces of one phrase that points, with what they are."""
        kinds = [k for k in (*PLAINLY, *OTHERS) if k in self.phrases]
        if kind is None:
            kind = self.chance.choices(kinds, [_SHARE.get(k, 1.5) for k in kinds])[0]
        return filled(kind, self.chance.choice(self.phrases[kind]), noun or self.chance.choice(self.nouns), self.chance)

    def _simple(self, noun: str) -> list[tuple[str, str]]:
        text = self.chance.choice(_SIMPLE)
        kind = "same" if text in ("it", "that", "that one", "that {noun}", "the {noun}") else "place"
        return filled(kind, text, noun, self.chance)

    def draw(self) -> Row:
        """A question, and (start, end, label) of what is not "none" in it."""
        c = self.chance
        noun = c.choice(self.nouns)
        drawn = c.random()
        if drawn < 0.12:
            pieces = self._compared(noun)
        elif drawn < 0.2:
            pieces = [(c.choice(self.bare), "none")]
        elif drawn < 0.26:
            asked = f"{c.choice(_ORDERS)} {c.choice(_PROPERTIES)} {c.choice(_OF)} "
            pieces = [(asked, "none"), *(self._simple(noun) if c.random() < 0.3 else self.phrase(noun=noun))]
        elif drawn < 0.36:
            question = c.choice(self.grouped)
            its = re.search(r"\bit\b", question)
            pieces = self._with(question, its, noun) if its and c.random() < 0.6 else [(question, "none")]
        else:
            question, kind = c.choice(self.asked)
            found = c.choice(list(_IT.finditer(question)))
            pieces = self._with(question, found, kind.split()[-1].lower() if c.random() < 0.4 else noun)
        return self._typed(self._around(pieces))

    def _with(self, question: str, it: re.Match[str], noun: str) -> list[tuple[str, str]]:
        """The question with a name, or what points, in place of "it"."""
        how, name = self.chance.random(), self.chance.choice(self.names)
        named = [(name.lower() if self.chance.random() < 0.2 else name, "none")]
        pointed = named if how < 0.12 else self._simple(noun) if how < 0.24 else self.phrase(noun=noun)
        return [(question[: it.start()], "none"), *pointed, (question[it.end() :], "none")]

    def _compared(self, noun: str) -> list[tuple[str, str]]:
        c = self.chance
        text = c.choice(_COMPARED).replace("{a}", c.choice(_ADJECTIVES))
        one = (
            self._simple(noun) if c.random() < 0.3 else self.phrase(c.choice(("place", "same", "first", "left")), noun)
        )
        other = c.choice(
            ("second", "third", "left", "right", *OTHERS, *OTHERS, "beside_it", "left_of_it", "right_of_it")
        )
        two = self.phrase(other if other in self.phrases else "second")
        if c.random() < 0.25:
            two = [(c.choice(self.names), "none")]
        out: list[tuple[str, str]] = []
        for part in re.split(r"(\{x\}|\{y\})", text):
            out += one if part == "{x}" else two if part == "{y}" else [(part, "none")]
        return out

    def _around(self, pieces: list[tuple[str, str]]) -> list[tuple[str, str]]:
        c = self.chance
        if c.random() < 0.12 and "wraps" in self.phrases:
            before, _, behind = c.choice(self.phrases["wraps"]).partition("{q}")
            text, label = pieces[-1]
            pieces = [(before, "wrap"), *pieces[:-1], (text.rstrip(" ?.!"), label), (behind, "wrap")]
        elif c.random() < 0.25 and "tails" in self.phrases:
            text, label = pieces[-1]
            pieces = [*pieces[:-1], (text.rstrip(" ?.!"), label), (c.choice(self.phrases["tails"]), "tail")]
        if c.random() < 0.45:
            pieces = [(c.choice(self.phrases[c.choice(("openers", "follow_openers"))]), "open"), *pieces]
        return pieces

    def _typed(self, pieces: list[tuple[str, str]]) -> Row:
        c = self.chance
        if pieces[0][1] in ("open", "wrap") and len(pieces) > 1:  # "and How heavy is it" is not how people write
            text, label = pieces[1]
            pieces = [pieces[0], (text[:1].lower() + text[1:] if text[1:2].islower() else text, label), *pieces[2:]]
        text, spans = "", []
        for piece, label in pieces:
            if label != "none" and piece.strip():
                spans.append((len(text), len(text) + len(piece), label))
            text += piece
        if c.random() < 0.15:
            text = text.rstrip("?.! ")
        if c.random() < 0.5:
            text = text[:1].upper() + text[1:]
        return text, spans


def labels_of(row: Row, starts: Sequence[int]) -> list[int]:
    """What stands at each of these places of the text."""
    _, spans = row
    return [next((LABELS.index(k) for a, b, k in spans if a <= s < b), 0) for s in starts]


class WordReader(nn.Module):
    """MiniLM with changes in its upper layers, and one linear map of each token's vector to the labels."""

    def __init__(self, phrases: dict[str, list[str]]) -> None:
        super().__init__()
        said = " ".join(t for kind in ("openers", "follow_openers", "tails", "wraps") for t in phrases.get(kind, ()))
        self.around = sorted({w for w in re.findall(r"[a-z]+", said.lower()) if len(w) > 3})
        self.bert, self.changed = narrow.changed_bert(FIRST_LAYER)
        self.head = nn.Linear(self.bert.config.hidden_size, len(LABELS))
        self.drop = nn.Dropout(0.1)
        self._tokenizer = narrow.tokenizer(MAX_TOKENS)

    def read(self, texts: Sequence[str]) -> tuple[torch.Tensor, list[Any]]:
        """(texts, tokens, labels) logits, and what the tokenizer read."""
        read = self._tokenizer.encode_batch(list(texts))
        there = torch.tensor([r.attention_mask for r in read])
        hidden = self.bert(input_ids=torch.tensor([r.ids for r in read]), attention_mask=there).last_hidden_state
        return self.head(self.drop(hidden)), read

    def word_chances(self, text: str) -> np.ndarray:
        """(words, labels) probabilities, as `pointed_at.chances` has them."""
        self.eval()
        with torch.no_grad():
            logits, read = self.read([text])
        shares = torch.softmax(logits[0], 1).numpy()[1:-1]
        return word_chances(shares, list(read[0].offsets)[1:-1], words_in(text))

    def plainly(self, text: str) -> str:
        """As `pointed_at.plainly_pointed`."""
        return said_plainly(text, words_in(text), self.word_chances(text))

    def arrays(self) -> dict[str, np.ndarray]:
        """What `pointed_at` reads."""
        out = {"labels": np.array(LABELS), "text_encoder": np.array(VERSION), "around": np.array(self.around)}
        out["weights"] = self.head.weight.detach().numpy().astype(np.float16)
        out["bias"] = self.head.bias.detach().numpy().astype(np.float32)
        return out | narrow.stored(self.changed)


def fit(
    phrases: dict[str, list[str]], steps: int = STEPS, seed: int = 1, progress: Callable[[str], None] = print
) -> WordReader:
    """A reader fitted to questions with these phrases."""
    torch.manual_seed(seed)
    composer, model = Composer(phrases, seed), WordReader(phrases)
    fitting = narrow.Steps(model.bert, model.head, steps, LEARNING_RATE)
    model.train()
    total = 0.0
    for step in range(steps):
        rows = [composer.draw() for _ in range(QUESTIONS)]
        logits, read = model.read([text for text, _ in rows])
        wanted = torch.full(logits.shape[:2], -100)
        for n, (row, r) in enumerate(zip(rows, read, strict=True)):
            inside = [i for i, mark in enumerate(r.special_tokens_mask) if not mark]
            wanted[n, inside] = torch.tensor(labels_of(row, [r.offsets[i][0] for i in inside]))
        loss = nn.functional.cross_entropy(logits.flatten(0, 1), wanted.flatten())
        fitting.step(loss)
        total += loss.item()
        if (step + 1) % 50 == 0:
            progress(f"{step + 1}: loss {total / 50:.3f}")
            total = 0.0
    return model.eval()


def report(model: WordReader, phrases: dict[str, list[str]], progress: Callable[[str], None] = print) -> None:
    """How many phrases of a hand come out as they should, each in one question."""
    composer = Composer(phrases, 7)
    for kind in [k for k in PLAINLY if k in phrases]:
        right, shown = 0, []
        for text in phrases[kind]:
            said = "".join(p for p, _ in filled(kind, text, "kettle", random.Random(3)))
            plain = model.plainly(f"what does {said} weigh?")
            noun = "{noun}" in text
            wanted = {PLAINLY[k][0 if noun else 1].format(noun="kettle", colour="") for k in (kind, "same", "place")}
            ok = plain in {f"what does {w} weigh?" for w in wanted} if kind in ("place", "same") else False
            ok = ok or plain == f"what does {PLAINLY[kind][0 if noun else 1].format(noun='kettle', colour='')} weigh?"
            right += ok or (plain == f"what does {said} weigh?" and len(said.split()) < 4)
            shown += [] if ok else [f"{said} → {plain}"]
        progress(f"{kind:<12} {right} of {len(phrases[kind])}   " + " | ".join(shown[:6]))
    for kind in ("openers", "follow_openers", "tails"):
        right, shown = 0, []
        for text in phrases[kind]:
            asked = f"{text}what does it weigh?" if kind != "tails" else f"what does it weigh{text}"
            plain = model.plainly(asked)
            ok = plain.rstrip(" ?.,") == "what does it weigh"
            right += ok
            shown += [] if ok else [f"{asked} → {plain}"]
        progress(f"{kind:<12} {right} of {len(phrases[kind])}   " + " | ".join(shown[:6]))
    changed = [(q, p) for q in composer.bare[:400] if (p := model.plainly(q)).rstrip(" ?.!") != q.rstrip(" ?.!")]
    progress(f"questions that point at nothing put otherwise: {len(changed)} of 400   {changed[:12]}")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description="Fit the model that tells how a question points at a thing.")
    parser.add_argument("--leave", metavar="FILE", help="a file of data/pointing to judge by instead of fitting on it")
    parser.add_argument("--steps", type=int, default=STEPS)
    args = parser.parse_args(arguments)
    model = fit(hands(args.leave), args.steps)
    if args.leave:
        report(model, json.loads((DATA_DIR / args.leave).read_text(encoding="utf-8")))
        return
    path = ASSETS_DIR / "reader" / FILE_NAME
    np.savez_compressed(path, **model.arrays())  # type: ignore[arg-type]
    print(f"{path}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    main()
