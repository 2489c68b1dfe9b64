"""What models are told, in our own words, as text files: one folder, which another one can stand in for.

Files are templates in the form of `string.Template` ($name). A folder given by hand may hold some of them only; the
others are ours. `digest` tells two sets of prompts apart, so that a run can say which it used.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from string import Template

from assistant.core.errors import BadInput

FOLDER = Path(__file__).parent / "prompts"
MOST_BYTES = 100_000


@dataclass(frozen=True)
class Prompts:
    """The texts by name. `folder` is where they came from first, None for ours alone."""

    texts: dict[str, str] = field(repr=False)
    folder: Path | None = None

    @classmethod
    def load(cls, folder: Path | None = None) -> Prompts:
        """Ours, with those of `folder` in the place of the ones that have the same name.

        Raises:
            BadInput: no such folder, a file that is none of ours, is no text, or asks for a field there is not.
        """
        texts = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.txt"))}
        if folder is None:
            return cls(texts)
        if not folder.is_dir():
            raise BadInput(f"there is no folder of prompts {str(folder)!r}")
        for path in sorted(folder.glob("*.txt")):
            if path.stem not in texts:
                raise BadInput(f"no prompt is called {path.stem!r}: they are {', '.join(texts)}")
            try:
                text = path.read_bytes()[:MOST_BYTES].decode("utf-8")
                fields = set(Template(text).get_identifiers()) - set(Template(texts[path.stem]).get_identifiers())
                valid = Template(text).is_valid()
            except (OSError, ValueError):
                raise BadInput(f"the prompt {str(path)!r} cannot be read as text (UTF-8)") from None
            if fields or not valid:
                what = f"${sorted(fields)[0]}" if fields else "a $ without a name (write $$ for the sign)"
                raise BadInput(f"the prompt {str(path)!r} holds {what}, which nothing is known for")
            texts[path.stem] = text
        return cls(texts, folder)

    @cached_property
    def digest(self) -> str:
        """SHA-256 over names and texts."""
        return hashlib.sha256(repr(sorted(self.texts.items())).encode()).hexdigest()

    def fill(self, name: str, **fields: str) -> str:
        """The text of that name with its fields; what is filled in is put there as it is: a $ in it names nothing."""
        return Template(self.texts[name]).substitute(fields).strip("\n")
