"""Which attempt fails, and how: by a hash of seed, request and attempt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.scripted_chat.replies import share_of

KINDS = ("429", "500", "503", "hang", "drop", "half", "malformed")


@dataclass(frozen=True)
class Faults:
    """`shares`: kind → share of attempts. Attempts count from 1; those above `attempts` go well. `always` wins."""

    shares: Mapping[str, float] = field(default_factory=dict)
    seed: int = 0
    attempts: int = 3
    always: str = ""

    def of(self, digest: str, attempt: int) -> str:
        """The kind of fault, "" for none."""
        if self.always:
            return self.always
        if attempt > self.attempts:
            return ""
        point = share_of("fault", self.seed, digest, attempt)
        for kind, share in self.shares.items():
            if point < share:
                return kind
            point -= share
        return ""


def parse_shares(text: str) -> dict[str, float]:
    """`429=0.1,half=0.05` as a dictionary.

    Raises:
        ValueError: an unknown kind, or shares that add up to more than 1.
    """
    shares: dict[str, float] = {}
    for part in filter(None, text.split(",")):
        kind, _, share = part.partition("=")
        if kind not in KINDS:
            raise ValueError(f"there is no fault {kind!r}: choose from {', '.join(KINDS)}")
        shares[kind] = float(share)
    if sum(shares.values()) > 1:
        raise ValueError(f"the shares of {text!r} add up to more than 1")
    return shares
