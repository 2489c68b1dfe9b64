"""What commands tell beside their results."""

from __future__ import annotations

import sys
from collections.abc import Iterable


def tell(sentences: Iterable[str]) -> None:
    """Sentences for whoever watches; standard output is for results."""
    for said in sentences:
        print(said, file=sys.stderr)
