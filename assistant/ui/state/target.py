"""Whom a question goes to, as a visitor is told before it is asked."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from assistant.core.errors import VitrineError
from assistant.core.proxies import is_loopback
from assistant.models.local.store import is_path
from assistant.settings import Settings


@dataclass(frozen=True)
class Target:
    """`host` is "" where nothing is sent. `sent` says what goes there, "question and picture".

    `model` is "" for the embedded reader.
    """

    profile: str = "embedded"
    host: str = ""
    model: str = ""
    sent: str = ""

    @property
    def place(self) -> str:
        """The host, and that it is this machine where it is."""
        host = urlsplit(f"//{self.host}").hostname or ""
        return f"{self.host}, on this machine" if is_loopback(host) else self.host

    @property
    def badge(self) -> str:
        if not self.host and self.model:
            return f"{self.model}, nothing is sent"
        return self.host or "nothing is sent"

    @property
    def words(self) -> str:
        """What asking does, in one sentence."""
        if not self.host and self.model:
            return f"Nothing is sent: {self.model} answers on this machine."
        if not self.host:
            return "Nothing is sent: the answer is made here."
        return f"Asking sends {self.sent} to {self.place}."


def local_name(model: str | None) -> str:
    """A model on this machine as people call it: of a path its last part alone."""
    if not model:
        return "a model of this machine"
    return Path(model).name if is_path(model) else model


def target_of(settings: Settings) -> Target:
    """Whom the profile in use asks."""
    profile = settings.effective_profile
    if profile == "local":
        return Target(profile, model=local_name(settings.local_model))
    if profile != "chat":
        return Target(profile)
    try:
        host = urlsplit(settings.chat_options().endpoint).netloc.rpartition("@")[2]
    except VitrineError:
        host = "the chat endpoint"
    sent = ["question", "picture"] if settings.chat_pictures else ["question"]
    sent += ["last turns"] if settings.effective_pipeline == "mm-llm" else ["last turns", "evidence"]
    return Target(profile, host, settings.chat_model, f"{', '.join(sent[:-1])} and {sent[-1]}")
