"""What people say about a run: a name, tags and a note, in `about.json` of its folder. Nothing is scored by it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from assistant.core.errors import BadInput
from assistant.core.storage import write_json
from assistant.core.whole_text import load_json

FILE = "about.json"
MOST_NAME, MOST_TAG, MOST_TAGS, MOST_NOTE = 120, 40, 20, 4000


@dataclass(frozen=True)
class About:
    name: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""


def about(name: str | None, tags: str | Sequence[str] | None, note: str | None) -> About:
    """As it is kept: one line for the name, each tag once; tags in one text are parted by commas.

    Raises:
        BadInput: something is far too long.
    """
    listed = tags.split(",") if isinstance(tags, str) else list(tags or ())
    kept = tuple(dict.fromkeys(" ".join(tag.split()) for tag in listed if tag.strip()))
    found = About(" ".join((name or "").split()), kept, (note or "").strip())
    if len(found.name) > MOST_NAME:
        raise BadInput(f"the name has {len(found.name)} characters: at most {MOST_NAME} are taken")
    if len(kept) > MOST_TAGS or any(len(tag) > MOST_TAG for tag in kept):
        raise BadInput(f"at most {MOST_TAGS} tags of {MOST_TAG} characters are taken")
    if len(found.note) > MOST_NOTE:
        raise BadInput(f"the note has {len(found.note)} characters: at most {MOST_NOTE} are taken")
    return found


def read_about(run: Path) -> About:
    """What is said of the run; nothing where nobody has, or what stands there cannot be read."""
    try:
        told = load_json((run / FILE).read_text(encoding="utf-8"))
        tags = [str(tag) for tag in told.get("tags") or ()]
        return about(str(told.get("name") or ""), tags, str(told.get("note") or ""))
    except (OSError, ValueError, AttributeError, TypeError, BadInput):
        return About()


def write_about(run: Path, said: About) -> None:
    """Raises:
    BadInput: the folder cannot be written to.
    """
    write_json(run / FILE, asdict(said))
