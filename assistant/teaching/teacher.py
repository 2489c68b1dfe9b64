"""Teaching, as the page, the endpoint and the command do it: look at a view, say what speaks against it, keep it.

A draft is a value that its maker holds; nothing of it is kept before `save`. What is kept is known to every visitor of
the folder at once.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.core.errors import BadInput
from assistant.core.types import Frame
from assistant.index.catalogue import name_key
from assistant.recognition.look_stage import shows_nothing
from assistant.recognition.taught_images import SCHEME
from assistant.teaching.enrol import Reads, View, see
from assistant.teaching.taught_object import TaughtObject, clean_name, parse_notes
from assistant.teaching.view_quality import Meter, judge
from assistant.vision.quality import measure

if TYPE_CHECKING:
    from assistant.index.knowledge import Knowledge
    from assistant.recognition.recogniser import Recogniser
    from assistant.teaching.store import TaughtStore
    from assistant.vision.picture_encoder import PictureEncoder

#: Names that are so alike are mistaken for each other when spoken.
ALIKE_NAMES = 0.86


@dataclass(frozen=True, eq=False)
class Draft:
    """A view that was looked at and is not kept yet; `looks_like` is what recognition takes it for already."""

    view: View
    meter: Meter
    looks_like: str = ""


@dataclass(frozen=True, eq=False)
class Saved:
    """What is known now, whether it was there before, and what speaks against it, a sentence each."""

    object: TaughtObject
    is_new: bool
    warnings: tuple[str, ...] = ()


class Teacher:
    """Looks at views and keeps them; safe to share between threads."""

    def __init__(
        self,
        store: TaughtStore,
        encoder: PictureEncoder,
        reader: Reads | None,
        recogniser: Recogniser,
        knowledge: Knowledge,
    ) -> None:
        self.store = store
        self._encoder = encoder
        self._reader = reader
        self._recogniser = recogniser
        self._knowledge = knowledge

    def look(self, frame: Frame, outline: Sequence[Sequence[float]]) -> Draft:
        """Look at the thing inside the outline (polygon in the frame's pixels); nothing is kept.

        Raises:
            BadInput: the outline cannot be used.
        """
        from assistant.vision.enhance import correct

        corrected, _ = correct(frame, measure(frame))
        view = see(corrected, outline, self._encoder, self._reader)
        meter = judge(view, self._encoder, self._recogniser.verifier)
        texts = view.features.texts
        proposal = self._recogniser.propose(view.picture)
        known = self._recogniser.decide(view.picture, proposal, texts)
        return Draft(view, meter, known[0].name if known else "")

    def warnings(self, name: str, drafts: Sequence[Draft], own: str = "") -> tuple[str, ...]:
        """What speaks against teaching these views under that name; `own` is the id of the object they are added to."""
        found = []
        mine = self.store.get(own).name if own else ""
        for other in dict.fromkeys(d.looks_like for d in drafts if d.looks_like):
            if name_key(other) not in (name_key(name), name_key(mine)):
                found.append(
                    f"It looks like {other!r}, which is known already: the two may be mistaken for each other."
                )
        likeness = self._like_name(name, mine)
        if likeness:
            found.append(likeness)
        return tuple(found)

    def save(self, name: str, notes: str | Sequence[str], drafts: Sequence[Draft], *, add: bool = False) -> Saved:
        """Keep the views under that name.

        Args:
            name: what it is called.
            notes: lines, `key: value` or sentences.
            drafts: views that `look` gave.
            add: with a name that is taught already, add views and facts to it; without, that is an error.

        Raises:
            BadInput: nothing to keep, too much text, or the name is taken.
            NotReady: the folder cannot be written.
        """
        name, parsed = clean_name(name), parse_notes(notes)
        if not drafts:
            raise BadInput(f"{name!r} has no picture: draw round it on the frame first")
        if shows_nothing(measure(drafts[0].view.picture)):
            raise BadInput(f"there is nothing to see on this view of {name!r}: take another picture of it")
        views = [draft.view for draft in drafts]
        old = self.store.find(name)
        warnings = self.warnings(name, drafts, old.id if old else "")
        if old is None or not add:
            return Saved(self.store.add(name, parsed, views), True, warnings)
        joined = parse_notes(
            [*old.notes.splitlines(), *parsed.sentences, *(f"{k}: {v}" for k, v in parsed.facts.items())]
        )
        return Saved(self.store.change(old.id, notes=joined, views=views), False, warnings)

    def _like_name(self, name: str, mine: str) -> str:
        key = name_key(name)
        for other in self._knowledge.names:
            known = name_key(other)
            if mine and known == name_key(mine):
                continue
            if known == key:
                return f"{other!r} is in the index already: what you teach is added to what is known of it."
            matcher = difflib.SequenceMatcher(None, key, known)
            if len(key) > 3 and matcher.quick_ratio() >= ALIKE_NAMES and matcher.ratio() >= ALIKE_NAMES:
                return f"The name is close to {other!r}, which is known already: questions by name may mean either."
        return ""


def picture_id(image_url: str) -> str:
    """The id of a taught picture by its `image_url`; "" for any other picture."""
    return image_url.removeprefix(SCHEME) if image_url.startswith(SCHEME) else ""
