"""What the reader finds on questions by another hand: `python -m tests.bench reader` (a minute or two)."""

from __future__ import annotations

import time
from typing import Any

from tests.assistant.answering.held_out import FILE, figures


def run(_: list[str]) -> dict[str, Any]:
    """Shares of 560 questions about 40 things, with the reader's weighing and with plain sentence vectors."""
    started = time.perf_counter()
    found = figures()
    for name, table in found.items():
        print(f"{name}: {table['right_at_6_percent_wrong']:.3f} right where 6 % are wrong")
        for kind in ("all", "one", "yesno", "hop", "none"):
            row = table[kind]
            print(f"  {kind:<6} n {row['n']:>3}  right {row['right']:.3f}  wrong {row['wrong']:.3f}")
    return found | {"file": FILE.name, "seconds": round(time.perf_counter() - started, 1)}
