"""What the public evaluator changes in CRAG-MM's data before it runs anything, applied and listed in public mode.

Source: facebookresearch/CRAG-MM (commit c9268088beeeab475e9aa4d5818a02429c95d81a), `evaluation/config.py`,
`SESSIONS_TO_SKIP` and `SESSIONS_TO_UPDATE`, handed by `evaluation/evaluator.py` to
`utils/crag_batch_iterator.py`: two sessions are skipped in both sets, and one session of the single-turn set gets
another `image_url`. The iterator puts the URL into the row as it stands, so a picture that the row carries itself
stays; and whether the row is egocentric is read after the replacement.

Not covered: the quirks of its scores, which are `eval.metrics.public`.
"""

from __future__ import annotations

from collections.abc import Mapping

SKIPPED_SESSIONS = (
    "04d98259-27af-41b1-a7be-5798fd1b8e95",
    "695b4b5c-7c65-4f7b-8968-50fe10482a16",
)

#: Single-turn session → the URL that its picture is taken from.
REPLACED_URLS: Mapping[str, str] = {
    "0df99a9a-6a5d-4ff4-b8e4-e3ee90209dfe": "https://web.archive.org/web/20250521025904/https://upload.wikimedia.org/"
    "wikipedia/commons/1/13/BMW_5_SERIES_LWB_SEDAN_(G30)_China_(82).jpg"
}


class PublicReading:
    """Applies the two changes to rows one after another and keeps a sentence for each."""

    def __init__(self, *, on: bool):
        self._on = on
        self._said: list[str] = []

    def skips(self, session: object) -> bool:
        """Whether the row of this session is left out."""
        if not self._on or session not in SKIPPED_SESSIONS:
            return False
        self._said.append(f"the session {session!r} is skipped, as the public evaluator does")
        return True

    def url(self, session: object, url: str | None, set_: str) -> str | None:
        """The `image_url` of the row of this session."""
        new = REPLACED_URLS.get(str(session)) if self._on and set_ != "multi" else None
        if new is None:
            return url
        self._said.append(f"the session {session!r} has {new!r} for {url!r}, as the public evaluator does")
        return new

    @property
    def said(self) -> tuple[str, ...]:
        return tuple(self._said)
