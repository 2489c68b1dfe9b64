"""What tells whether two runs were over the same files."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from assistant.core.errors import BadInput

#: Files up to this size are hashed whole; larger ones by their size, their end and evenly spaced pieces.
_HASHED_WHOLE = 64 * 1024 * 1024
_PIECE = 64 * 1024


def digest_of(files: Sequence[Path]) -> str:
    """A hash over files: equal for equal content; of very large ones pieces stand for the whole.

    Raises:
        BadInput: a file that cannot be read.
    """
    digest = hashlib.sha256()
    try:
        for path in files:
            size = path.stat().st_size
            with path.open("rb") as file:
                if size <= _HASHED_WHOLE:
                    whole = hashlib.file_digest(file, "sha256")
                    if len(files) == 1:
                        return whole.hexdigest()
                    digest.update(whole.digest())
                    continue
                digest.update(str(size).encode())
                for start in [*range(0, size, size // 256), size - _PIECE]:
                    file.seek(start)
                    digest.update(file.read(_PIECE))
    except OSError as problem:
        raise BadInput(f"{str(problem.filename)!r} cannot be read ({problem.strerror})") from None
    return digest.hexdigest()
