"""What can be said of a picture from the picture alone: no index, no model.

Kinds are said as "looks like", words as read, colours as measured. Who asks what a thing is and gets its kind alone is
told that it is not known which one it is, in the words that the benchmark's rule for abstentions looks for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from assistant.core.types import REFUSAL, Candidate, Evidence, Frame, Look, Polygon, Quality, Sentence
from assistant.reading.signs.frame_text import whole_text
from assistant.recognition.look_stage import shows_nothing
from assistant.scene.blocks import Block
from assistant.scene.cover import person, title
from assistant.scene.question import Wants, is_all, wanted
from assistant.scene.target import Target
from assistant.scene.view import View
from assistant.text.english import content_stems, stem, with_article, words_of
from assistant.text.kinds import is_kind_word
from assistant.understanding.plan import Plan
from assistant.understanding.reference.focus import is_called

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge

#: Words of questions for looks that name nothing.
_OF_LOOKS = content_stems("colour color colours colors see describe look picture front hand thing")
#: What is around things and never one: nothing here tells where on the picture it is (of the "stuff" of COCO-Stuff,
#: Caesar et al. 2018).
_SURROUNDINGS = content_stems(
    "sky cloud clouds wall walls floor ceiling ground grass road street water sea river snow sand background mountain "
    "hill fog pavement light"
)
#: A colour with such a share is one of the main ones, of which there are at most so many; and it is mostly these where
#: they make up so much of it together.
_MUCH, _MOST_MAIN, _MOSTLY = 0.14, 3, 0.55
#: How surely a line must have been read, 0..1, to be quoted as it stands, and to be quoted at all beside others.
_SURELY_READ, _HARDLY_READ = 0.78, 0.7
#: So many characters of what is read are quoted in passing.
_IN_PASSING = 160
#: Ids of what was measured on a picture: its colours, and its light and whether there is text.
_COLOURS, _STATE = "measured:0", "measured:1"
_GREETING = "Hello. Show me something and ask me about it."
_WELCOME = "You’re welcome."
_ABILITIES = (
    "I look at a picture and answer questions about it: what it is, where I recognise it or can tell its kind, what is "
    "written on it, its colours, and what the collection knows about it. You can teach me things of your own. With a "
    "model, from the panel Model, I answer about anything else."
)
_SMALL_TALK: dict[Wants, str] = {"hello": _GREETING, "thanks": _WELCOME, "abilities": _ABILITIES}
_LIGHT = {
    "dark": "The picture is dark: more light would help.",
    "bright": "The picture is very bright: parts of it are overexposed.",
    "blurred": "The picture is blurred: hold still or come closer.",
    "": "The picture is bright and sharp enough.",
}


@dataclass(frozen=True)
class Said:
    """Sentences and the evidence they rest on beside what is there already; no sentences where `reason` tells why."""

    sentences: tuple[Sentence, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    reason: str = ""


def warm() -> None:
    """Loads what the first answer from a picture would wait for."""
    wanted("warm up")
    blank = Frame(np.full((64, 64, 3), 128, np.uint8))
    view = View(blank, Look(Quality(0.5, 0.3, 100.0), blank), [])
    _ = view.thing, view.kind


def small_talk(question: str) -> str:
    """What is answered to a greeting, to thanks, to "what can you do"; "" where the question asks something."""
    return _SMALL_TALK.get(wanted(question), "")


def from_picture(plan: Plan, view: View) -> Said | None:
    """The answer to a question for the picture itself, None to any other and where the picture tells nothing."""
    core = plan.asked.core or plan.question
    want = wanted(core)
    if want == "colour":
        if plan.asked.expected.kind != "colour" or content_stems(plan.asked.core) & _SURROUNDINGS:
            return None
    elif plan.intent == "read" or (want in _NAMED and not (plan.asked.expected.kind in _NAMES and is_all(want, core))):
        return None
    answer = _ANSWERS.get(want)
    return answer(view) if answer is not None else None


def the_thing_itself(plan: Plan, view: View, knowledge: Knowledge) -> bool:
    """Whether the question is for how the recognised thing itself looks, and not for a part of it or what is known."""
    if view.entity is None or plan.subjects != (view.entity.name,) or plan.mentioned:
        return False
    if wanted(plan.asked.core) not in ("colour", "describe"):
        return False
    nouns = [word for word in words_of(plan.asked.core) if is_kind_word(word.lower())]
    parts = content_stems(plan.asked.core) - _OF_LOOKS - frozenset(map(stem, nouns))
    return not parts and all(is_called(view.entity.name, noun.lower(), knowledge) for noun in nouns)


def quoted(plan: Plan, view: View, target: Target) -> Said | None:
    """The words on the picture that speak of what is asked, whole, or that stand where it says to read; None where none
    clearly do. Who asks what a thing is is not answered by them, only told.
    """
    want = wanted(plan.asked.core)
    block = target.speaks or (target.pointed if want in ("read", "identify") else None)
    if block is None:
        return None
    if want == "identify":
        return Said(reason=f"I cannot tell what it is, but I read “{block.text}”")
    return _says([block])


def seen_in_words(view: View) -> str:
    """What can be seen, for whoever cannot be told what was asked: a clause with no capital; "" for nothing."""
    told = []
    if view.kind is not None:
        told.append(f"it looks like {with_article(view.kind.name)}")
    elif colours := _colours(view):
        told.append(f"I see something {colours}" if view.thing is not None else f"the picture is {colours}")
    if text := _in_passing(view):
        told.append(f"I read “{text}”")
    return ", and ".join(told)


def _describe(view: View) -> Said:
    if shows_nothing(view.look.quality):
        what = "black" if view.look.quality.brightness < 0.5 else "white"
        return Said(
            (Sentence(f"The picture is {what} all over: nothing can be seen on it.", (_STATE,)),), _measured(what)
        )
    said, evidence = [], list[Evidence]()
    if view.recognised:
        evidence += _recognised(view)
        said.append(Sentence(f"I recognise {_placed(view)}.", tuple(e.id for e in evidence)))
    elif view.kind is not None:
        said.append(Sentence(f"It looks like {with_article(view.kind.name)}.", ("kind:0",)))
        evidence += _kind_evidence(view)
    colours = _colours(view)
    if colours:
        where = "What stands out" if view.thing is not None else "The picture"
        said.append(Sentence(f"{where} is {colours}.", (_COLOURS,)))
        evidence += _colour_evidence(view)
    if view.lines:
        said += _says(view.blocks).sentences
    if view.light:
        said.append(Sentence(_LIGHT[view.light], (_STATE,)))
        evidence += _measured(view.light)
    return Said(tuple(said), tuple(evidence))


def _placed(view: View) -> str:
    """What is recognised, by name, and where, if there are several."""
    if len(view.recognised) == 1:
        return view.recognised[0].name
    across = sorted(view.recognised, key=_middle)
    named = [f"{c.name} {_side(_middle(c) / view.frame.width_px)}" for c in across]
    return f"{len(named)} things: {_listed(named)}"


def _middle(candidate: Candidate) -> float:
    across = [x for x, _ in candidate.outline_px]
    return (min(across) + max(across)) / 2


def _side(share: float) -> str:
    return "on the left" if share < 0.4 else "on the right" if share > 0.6 else "in the middle"


def _recognised(view: View) -> list[Evidence]:
    return [
        Evidence(f"seen:{i}", "entity", c.image_url, c.name, c.confidence, subject=c.name, outline_px=c.outline_px)
        for i, c in enumerate(view.recognised)
    ]


def _identify(view: View) -> Said | None:
    main = _title_of(view)
    if view.kind is not None:
        kind = f"It looks like {with_article(view.kind.name)}"
        words = [Sentence(f"The largest words on it are “{main.text}”.", main.ids)] if main is not None else []
        unknown = "." if words else f"; {REFUSAL} which one."
        return Said((Sentence(kind + unknown, ("kind:0",)), *words), _kind_evidence(view))
    if main is not None:
        return Said(reason=f"I cannot tell what it is, but the largest words on it are “{main.text}”")
    return None


def _colour(view: View) -> Said | None:
    if shows_nothing(view.look.quality):
        return _describe(view)
    colours = _colours(view)
    if not colours:
        return None
    what = view.entity.name if view.entity is not None else "What stands out here" if view.thing else "The picture"
    return Said((Sentence(f"{what} is {colours}.", (_COLOURS,)),), _colour_evidence(view))


def _title(view: View) -> Said | None:
    main, name = _title_of(view), person(view.own_blocks)
    if main is None:
        return None
    by = f", {name.text}" if name is not None else ""
    return Said((Sentence(f"It says “{main.text}”{by}.", (*main.ids, *(name.ids if name is not None else ()))),))


def _author(view: View) -> Said | None:
    name = person(view.own_blocks)
    return Said((Sentence(f"The name on it is {name.text}.", name.ids),)) if name is not None else None


def _brand(view: View) -> Said | None:
    main = _title_of(view)
    return Said((Sentence(f"The largest words on it are “{main.text}”.", main.ids),)) if main is not None else None


def _translate(view: View) -> Said:
    read = f"; I read “{_in_passing(view)}”" if view.lines else "; and I can read no text in the picture"
    return Said(reason=f"translating needs a model, and none is set up{read}")


def _light(view: View) -> Said:
    return Said((Sentence(_LIGHT[view.light], (_STATE,)),), _measured(view.light or "bright and sharp enough"))


def _any_text(view: View) -> Said:
    if not view.lines:
        return Said((Sentence("I can read no text here.", (_STATE,)),), _measured("no lines of text"))
    return _says(view.blocks)


_NAMED = frozenset({"title", "author", "brand"})
_NAMES = frozenset({"any", "name", "person", "place", "kind"})
_ANSWERS: dict[Wants, Callable[[View], Said | None]] = {
    "describe": _describe,
    "identify": _identify,
    "colour": _colour,
    "title": _title,
    "author": _author,
    "brand": _brand,
    "translate": _translate,
    "light": _light,
    "any_text": _any_text,
}


def _says(blocks: Sequence[Block]) -> Said:
    """The words of these blocks; what was hardly read is left out, what was read unsurely is said to be so."""
    lines = [line for block in blocks for line in block.lines]
    surely = [line for line in lines if line.score >= _HARDLY_READ] or lines
    text, ids = whole_text(surely)
    says = "says" if min((line.score for line in surely), default=1.0) >= _SURELY_READ else "seems to say"
    return Said((Sentence(f"It {says}: “{text}”.", ids),)) if ids else Said()


def _title_of(view: View) -> Block | None:
    return title(view.own_blocks, view.frame.width_px)


def _in_passing(view: View) -> str:
    lines = [line for block in view.blocks for line in block.lines if line.score >= _SURELY_READ]
    return whole_text(lines, _IN_PASSING)[0]


def _colours(view: View) -> str:
    """ "mostly blue and white"; "of several colours: …" where these do not make up most of it; "" for none."""
    main = [(name, share) for name, share in view.colours if share >= _MUCH][:_MOST_MAIN]
    if not view.colours:
        return ""
    if sum(share for _, share in main) >= _MOSTLY:
        return f"mostly {_listed([name for name, _ in main])}"
    return f"of several colours: {_listed([name for name, _ in view.colours])}"


def _listed(words: Sequence[str]) -> str:
    return f"{', '.join(words[:-1])} and {words[-1]}" if len(words) > 1 else words[0]


def _kind_evidence(view: View) -> tuple[Evidence, ...]:
    if view.kind is None:
        return ()
    text = f"looks like {with_article(view.kind.name)}"
    return (Evidence("kind:0", "kind", "frame", text, view.kind.probability, outline_px=_outline(view)),)


def _colour_evidence(view: View) -> tuple[Evidence, ...]:
    shares = ", ".join(f"{name} {share:.0%}" for name, share in view.colours)
    about = view.entity.name if view.entity is not None else None
    return (Evidence(_COLOURS, "measured", "frame", shares, 1.0, about, outline_px=_outline(view)),)


def _measured(what: str) -> tuple[Evidence, ...]:
    return (Evidence(_STATE, "measured", "frame", what, 1.0),)


def _outline(view: View) -> Polygon | None:
    if view.thing is None:
        return None
    left, top, right, bottom = view.thing.box
    x0, x1, y0, y1 = (
        *(left * view.frame.width_px, right * view.frame.width_px),
        *(top * view.frame.height_px, bottom * view.frame.height_px),
    )
    return ((x0, y0), (x1, y0), (x1, y1), (x0, y1))
