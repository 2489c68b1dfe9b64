"""The other profiles that a turn can be asked again with, and what a visitor is told before anything is sent.

The page answers under one profile (see `assistant.ui.state.model_switch`). Another is offered where it is set up, and
used for the one answer that a visitor asks for by its button, which names whom the question goes to; every other
question stays with the page's own profile.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from urllib.parse import urlsplit

from assistant.core.errors import BadInput, VitrineError
from assistant.settings import Profile, Settings
from assistant.ui.state.engine import Answering


@dataclass(frozen=True)
class Offer:
    """Another profile, and the words of its button."""

    profile: Profile
    words: str


#: The page's assistant as it would answer under another profile.
Under = Callable[[Answering, Profile], Answering]


class OtherProfiles:
    """What is offered, and the assistants behind it, each made at its first use; a change of the model changes both."""

    def __init__(self, offers: Sequence[Offer] = (), under: Under | None = None):
        self.offers = tuple(offers)
        self._under = under
        self._made: dict[str, Answering] = {}
        self._lock = threading.Lock()

    def offer(self, offers: Sequence[Offer]) -> None:
        """Offer these from now on."""
        with self._lock:
            self.offers = tuple(offers)
            self._made.clear()

    def of(self, assistant: Answering, profile: str) -> Answering:
        """`assistant` under `profile`; itself for "" and for its own.

        Raises:
            BadInput: that profile is not offered here.
        """
        if profile in ("", assistant.profile):
            return assistant
        offer = next((offer for offer in self.offers if offer.profile == profile), None)
        if offer is None or self._under is None:
            raise BadInput(f"profile {profile[:20]!r} is not set up on this server")
        with self._lock:
            if profile not in self._made:
                self._made[profile] = self._under(assistant, offer.profile)
            return self._made[profile]


def offers_of(settings: Settings, *, may_send: bool = True) -> tuple[Offer, ...]:
    """The profiles that are set up beside the one in use.

    Args:
        settings: what the user configured.
        may_send: whether visitors may be offered a profile that sends questions away, on the owner's account.
    """
    reader: tuple[Offer, ...] = ()
    if settings.effective_profile != "embedded":
        reader = (Offer("embedded", "With the embedded profile: nothing is sent"),)
    if settings.effective_profile == "chat" or not (settings.chat_configured and may_send):
        return reader
    try:
        host = urlsplit(settings.chat_options().endpoint).netloc.rpartition("@")[2]
    except VitrineError:
        return reader
    sent = "question, picture and evidence" if settings.chat_pictures else "question and evidence"
    return (*reader, Offer("chat", f"With the chat profile: {sent} go to {host}"))
