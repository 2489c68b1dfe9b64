"""An agent in the public kit's form that says what its evidence says, for tests of evidence from outside."""

from __future__ import annotations

from typing import Any


class FromEvidence:
    """The first weight that its pieces of text tell of; else it does not know."""

    def __init__(self, **_: Any):
        pass

    def get_batch_size(self) -> int:
        return 4

    def batch_generate_response(
        self,
        queries: list[str],
        images: list[Any],
        message_histories: list[list[dict[str, Any]]],
        evidence_list: list[list[dict[str, Any]]],
    ) -> list[str]:
        told = [" ".join(piece["text"] for piece in pieces) for pieces in evidence_list]
        return ["It weighs 340 g." if "340 g" in text else "I don't know." for text in told]
