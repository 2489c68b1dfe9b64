"""What the matcher practises on: questions, each with a few facts that answer it and many that nearly do.

Sources, written out by hands that saw neither this program nor any generated world: things with their questions
(`data/readings`, see `practice`), most lots asked in a roundabout way and some, `plain_*`, as people mostly ask;
properties as they are asked for and stated (`data/properties`, `data/wordings`); and the parts of questions that go one
relation further (`data/relations`), which are put together here. Names are made up anew each time and most figures
exchanged, so that none of them stands for an answer.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from assistant.answering.concept_training import read_all_wordings
from assistant.answering.language import word_set
from assistant.answering.matcher import attribute_text, chain_text
from assistant.answering.practice import Practice, left_alone, practices, varied
from assistant.answering.rank import mask
from assistant.search.text_encoder import TextEncoder

RELATIONS_DIR = Path(__file__).resolve().parent / "data" / "relations"
#: Of the questions drawn, how many come from each source.
SHARES = {"plain": 0.4, "reading": 0.2, "property": 0.22, "relation": 0.18}
#: Properties asked for in nearly the same words are taken for one and not set against each other.
_SAME = 0.72
_PRESENT = 0.75
#: How many of the properties asked for in the nearest words are set against one more often than the rest.
_NEAREST = 24
#: Of the questions with a relation, how many ask for the name of what it leads to.
_NAME_ASKED = 0.25
#: Of the questions with a relation, how many are what is left of one when the phrase for the other thing is taken out.
_ALONE = 0.35
_WHO = ("who is {}?", "{}, who is that", "what's the name of {}", "do you know who {} is", "name of {}?", "{}?")
_WHAT = ("what is {} called?", "{}, which is it", "what's the name of {}", "do you know the name of {}", "{}?")

Pool = tuple[list[tuple[str, str]], list[int], list[int]]


class Vectors:
    """Plain sentence vectors, each text encoded once."""

    def __init__(self) -> None:
        self._encoder = TextEncoder()
        self._known: dict[str, np.ndarray] = {}

    def __call__(self, texts: Sequence[str]) -> np.ndarray:
        new = [t for t in dict.fromkeys(texts) if t not in self._known]
        if new:
            self._known.update(zip(new, self._encoder.encode(new), strict=True))
        return np.stack([self._known[t] for t in texts])


class Pools:
    """Draws questions; `draw` gives pairs of question and fact, whether each answers, and whether each leads on."""

    def __init__(
        self, things: Sequence[dict[str, Any]], vectors: Vectors, seed: int, plain: Sequence[dict[str, Any]] = ()
    ) -> None:
        """`things` asked about in roundabout ways, and those that are asked about plainly."""
        self.chance = random.Random(seed)
        self._readings = _Readings(things, vectors, self.chance)
        self._plain = _Readings(plain, vectors, self.chance) if plain else self._readings
        self._properties = _Properties(vectors, self.chance)
        self._relations = _Relations(self._properties, self.chance)

    def draw(self) -> Pool:
        kind = self.chance.choices(list(SHARES), list(SHARES.values()))[0]
        if kind in ("plain", "reading"):
            return (self._plain if kind == "plain" else self._readings).draw()
        return self._properties.draw() if kind == "property" else self._relations.draw()


class _Readings:
    """Whole things: a question with what is said of the thing and of what it leads to."""

    def __init__(self, things: Sequence[dict[str, Any]], vectors: Vectors, chance: random.Random) -> None:
        self.vectors, self.chance = vectors, chance
        self.all = [p for t in things for p in practices(t)]
        self._order: list[int] = []
        self._near: dict[int, list[int]] = {}

    def draw(self) -> Pool:
        if not self._order:
            self._order = list(range(len(self.all)))
            self.chance.shuffle(self._order)
        n = self._order.pop()
        alone = left_alone(self.all[n]) if self.chance.random() < _ALONE else None
        return self._alone(*alone) if alone else self._pool(n, self.all[n])

    def _alone(self, asked: str, facts: Sequence[tuple[str, int]]) -> Pool:
        return [(asked, f) for f, _ in facts], [y for _, y in facts], [0] * len(facts)

    def _pool(self, n: int, p: Practice) -> Pool:
        if n not in self._near:
            v = self.vectors([p.question["q"], *(c.text for c in p.candidates)])
            self._near[n] = [int(i) for i in np.argsort(-(v[1:] @ v[0]))]
        chance = self.chance
        right = [i for i, y in enumerate(p.answers) if y == 1]
        links = [i for i, y in enumerate(p.links) if y == 1]
        wrong = [i for i in self._near[n] if p.answers[i] == 0 and p.links[i] == 0]
        chosen = chance.sample(right, min(2, len(right))) + chance.sample(links, min(2, len(links)))
        near = wrong[:12]
        chosen += chance.sample(near, min(5, len(near))) + chance.sample(wrong, min(2, len(wrong)))
        if p.question["type"] == "hop":
            onward = [i for i in wrong if p.candidates[i].onward]
            chosen += chance.sample(onward, min(2, len(onward)))
        chosen = list(dict.fromkeys(chosen))
        asked = varied(p.text, p.thing["kind"], chance)
        pairs = [(asked, p.candidates[i].text) for i in chosen]
        return pairs, [p.answers[i] for i in chosen], [p.links[i] for i in chosen]


class _Properties:
    """One property, asked for and stated, against what stands on the same pages and looks like it."""

    def __init__(self, vectors: Vectors, chance: random.Random) -> None:
        self.chance = chance
        self.all = read_all_wordings()
        asked = np.stack([vectors(c["asks"]).mean(axis=0) for c in self.all])
        asked /= np.linalg.norm(asked, axis=1, keepdims=True)
        alike = asked @ asked.T
        self._others = [[int(j) for j in np.argsort(-row) if j != i and row[j] < _SAME] for i, row in enumerate(alike)]

    def draw(self) -> Pool:
        chance, n = self.chance, self.chance.randrange(len(self.all))
        concept = self.all[n]
        asked = varied(chance.choice(concept["asks"]), chance.choice(concept.get("about") or ["thing"]), chance)
        near = concept.get("near", [])
        facts = [exchanged(as_fact(f), chance) for f in chance.sample(near, min(len(near), 3))]
        facts += [self.fact(j) for j in chance.sample(self._others[n][:_NEAREST], 3 if near else 5)]
        facts.append(self.fact(chance.choice(self._others[n])))
        answers = [0] * len(facts)
        if chance.random() < _PRESENT:
            for _ in range(chance.choice((1, 1, 2))):
                facts.append(self.fact(n))
                answers.append(1)
        return [(asked, f) for f in facts], answers, [0] * len(facts)

    def fact(self, n: int) -> str:
        """The property stated, as an attribute or a sentence."""
        concept, chance = self.all[n], self.chance
        if chance.random() < 0.45:
            values = concept.get("values") or [concept["value"]]
            return exchanged(attribute_text(chance.choice(concept["keys"]), str(chance.choice(values))), chance)
        return exchanged(chance.choice(concept["facts"]), chance)


class _Relations:
    """Questions put together: a phrase that stands for what a relation leads to, in a question about such a thing."""

    def __init__(self, properties: _Properties, chance: random.Random) -> None:
        self.properties, self.chance = properties, chance
        self.relations = _read("relations")
        self.outer = _read("outer")
        self._of = {t: [o for o in self.outer if o["of"] == t] for t in sorted({r["target"] for r in self.relations})}
        self._like = {t: [r for r in self.relations if r["target"] == t] for t in self._of}

    def draw(self) -> Pool:
        chance = self.chance
        if chance.random() < _ALONE:
            return self._alone()
        relation = chance.choice(self.relations)
        target = relation["target"]
        phrase, about = chance.choice(relation["phrases"]), chance.choice(relation["about"])
        names = [made_up_name(target, chance) for _ in range(6)]
        links = [self._said(f, names[0]) for f in chance.sample(relation["facts"], 2)]
        beside = chance.choice([r for r in self._like[target] if r is not relation])
        wrong = [self._said(f, n) for f, n in zip(chance.sample(relation["near"], 3), names[1:], strict=False)]
        wrong.append(self._said(chance.choice(beside["facts"]), names[4]))
        found = [(w, 0, 0) for w in wrong]
        found += [(self.properties.fact(chance.randrange(len(self.properties.all))), 0, 0) for _ in range(2)]
        if chance.random() < _NAME_ASKED:  # who or what it is, instead of something about it
            asked = chance.choice(_WHO if target == "person" else _WHAT).format(phrase)
            found += [(li, 1, 0) for li in links]
        else:
            outer = chance.choice(self._of[target])
            asked = chance.choice(outer["asks"]).replace("{x}", phrase)
            found += [(li, 0, 1) for li in links] + self._behind(outer, target, links, wrong, names)
        asked = varied(asked, about, chance)
        return [(asked, f) for f, _, _ in found], [a for _, a, _ in found], [li for _, _, li in found]

    def _alone(self) -> Pool:
        """ "where was it born?" of a person: the second half of a question that goes one relation further."""
        chance = self.chance
        outer = chance.choice(self.outer)
        name = made_up_name(outer["of"], chance)
        others = chance.sample([o for o in self._of[outer["of"]] if o is not outer], 4)
        right = chance.sample(outer["facts"], chance.choice((0, 1, 1, 2)))
        wrong = [*chance.sample(outer["near"], 4), *(chance.choice(o["facts"]) for o in others)]
        asked = chance.choice(outer["asks"]).replace("{x}", "it")
        facts = [mask(self._said(f, name), [name]) for f in (*right, *wrong)]
        return [(asked, f) for f in facts], [1] * len(right) + [0] * len(wrong), [0] * len(facts)

    def _behind(
        self, outer: dict[str, Any], target: str, links: list[str], wrong: list[str], names: list[str]
    ) -> list[tuple[str, int, int]]:
        """Facts about what the links lead to, those about what other relations lead to, and one that seems to say the
        same of the thing itself.
        """
        chance, name = self.chance, names[0]
        rest = chance.choice([o for o in self._of[target] if o is not outer])
        right = chance.sample(outer["facts"], chance.choice((0, 1, 1, 2)))
        out = [(chain_text(links[0], self._said(f, name, onward=True)), 1, 0) for f in right]
        not_asked = [*chance.sample(outer["near"], 3), chance.choice(rest["facts"])]
        out += [(chain_text(links[1], self._said(f, name, onward=True)), 0, 0) for f in not_asked]
        for i in (0, 3):
            fact = self._said(chance.choice(outer["facts"]), names[i + 1], onward=True)
            out.append((chain_text(wrong[i], fact), 0, 0))
        stated = [f for f in (*outer["facts"], *outer["near"]) if _AS_ATTRIBUTE.match(f) and "{n}" not in f]
        return out + [(self._said(f, name), 0, 0) for f in stated[:1]]

    def _said(self, text: str, name: str, *, onward: bool = False) -> str:
        said = exchanged(as_fact(text), self.chance).replace("{n}", name)
        return f"{name}, {said}" if onward and said != text and _AS_ATTRIBUTE.match(text) else said


def _read(kind: str) -> list[dict[str, Any]]:
    paths = sorted(RELATIONS_DIR.glob(f"{kind}*.jsonl"))
    return [json.loads(line) for p in paths for line in p.read_text(encoding="utf-8").splitlines() if line.strip()]


_AS_ATTRIBUTE = re.compile(r"^([\w .:-]{2,40}?):\s+(.+)$")


def as_fact(text: str) -> str:
    """A line "some_key: value" as the matcher reads attributes; sentences as they are."""
    m = _AS_ATTRIBUTE.match(text)
    return attribute_text(m[1], m[2]) if m and not text.endswith(".") else text


def exchanged(text: str, chance: random.Random) -> str:
    """The text, half the time with other figures in it (a leading figure stays a figure, a year a year)."""
    if chance.random() < 0.5:
        return text

    def other(m: re.Match[str]) -> str:
        digits = m[0]
        if len(digits) == 4 and digits[:2] in ("18", "19", "20"):
            return digits[:2] + str(chance.randint(0, 2)) + str(chance.randint(0, 9))
        return "".join(str(chance.randint(0 if i else 1, 9)) for i in range(len(digits)))

    return re.sub(r"\d+", other, text)


_HEADS = sorted(
    word_set(
        "bar bel cor dan dor el fen gar hal har hol is jor kel lan lor mar mel nor os pel quil ral ros sel tam thor ul "
        "ven wes yar"
    )
)
_TAILS = sorted(
    word_set(
        "a an and ay dale den e ea eth ey ford gate ham ia ick in is lin low mere mont na o ock on or ow rick sen "
        "stead ton vik wick"
    )
)
_FIRST = sorted(
    word_set(
        "Ada Bruno Celia Dario Edith Farid Greta Hollis Ines Jonas Kaja Lorne Mira Nils Odile Petra Quentin Rosa "
        "Silas Tova Ulla Viktor Wanda Yusuf Zelda"
    )
)


def made_up_name(target: str, chance: random.Random) -> str:
    """A name of a person, firm, town or thing that nobody has."""
    word = (chance.choice(_HEADS) + chance.choice(["", "", *_HEADS]) + chance.choice(_TAILS)).capitalize()
    if target == "person":
        given = chance.choice([*_FIRST, (chance.choice(_HEADS) + chance.choice(_TAILS)).capitalize()])
        return f"{given} {word}"
    if target == "firm":
        return chance.choice(("{}", "{}", "{}", "{} & Sons", "{} Works", "{} Press", "House of {}")).format(word)
    if target == "town":
        return chance.choice(("{}", "{}", "{}", "{}", "Upper {}", "{} Bay", "{}-on-Sea")).format(word)
    return chance.choice(("{} Grand", "the {} series", "The {}", "{} Star", "{} Mark II", "Old {}")).format(word)
