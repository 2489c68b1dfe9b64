"""What the reader finds on questions by other hands: `python -m tests.bench reader` (five minutes)."""

from __future__ import annotations

import time
from typing import Any

from tests.assistant.answering.held_out import FILE, PLAIN_FILE, figures


def run(_: list[str]) -> dict[str, Any]:
    """Shares of 560 roundabout and 588 plain questions, with the reader's weighing and with plain sentence vectors."""
    started = time.perf_counter()
    out: dict[str, Any] = {}
    for file in (FILE, PLAIN_FILE):
        print(file.name)
        out[file.name] = found = figures(file=file)
        for name, table in found.items():
            print(f"  {name}: {table['right_at_6_percent_wrong']:.3f} right where 6 % are wrong")
            for kind in ("all", "one", "yesno", "hop", "none"):
                row = table[kind]
                print(f"    {kind:<6} n {row['n']:>3}  right {row['right']:.3f}  wrong {row['wrong']:.3f}")
    return out | {"seconds": round(time.perf_counter() - started, 1)}
