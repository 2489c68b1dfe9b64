"""The error tree. A message says what happened, shows the value with `!r`, and what to do about it.

Every message is safe to show to a user: one sentence, no traceback, no key, no pixels.
"""


class VitrineError(Exception):
    """Anything Vitrine raises on purpose. `exit_code` is what a command ends with."""

    exit_code = 1


class BadInput(VitrineError):
    """What the user gave cannot be used; nothing was changed."""

    exit_code = 2


class BadImage(BadInput):
    """A file or a byte string that is not a picture we can read."""


class UnknownFormat(BadInput):
    """A folder or file written in a format version that this Vitrine does not know."""


class NotReady(VitrineError):
    """A part is missing (an index, a model, a profile); the message says how to get it."""

    exit_code = 2


class EndpointBusy(VitrineError):
    """A model did not answer this time (429, 5xx, a time-out, a connection that broke): worth another try.

    `retry_after_s` is how long the endpoint asked to be left alone, None when it did not say. `timed_out` is True
    when the time ran out, rather than the endpoint having said something; `too_often` when it was asked more often
    than it likes, so that asking less at once helps. `tries` were made in all.
    """

    def __init__(
        self,
        message: str,
        *,
        retry_after_s: float | None = None,
        timed_out: bool = False,
        too_often: bool = False,
        tries: int = 1,
    ):
        super().__init__(message)
        self.retry_after_s = retry_after_s
        self.timed_out = timed_out
        self.too_often = too_often
        self.tries = tries


class EndpointRefused(VitrineError):
    """A chat endpoint will not answer this request, however often it is asked (a wrong key, model or address)."""


class PromptTooLong(VitrineError):
    """A model takes no prompt of this length; a shorter one may do. `excess` is by how many tokens it is too long, None
    where nobody said.
    """

    def __init__(self, message: str, excess: int | None = None):
        super().__init__(message)
        self.excess = excess


class ModelFailed(VitrineError):
    """A model on this machine could not answer this prompt (out of memory, a fault of its own)."""


class Cancelled(VitrineError):
    """Whoever asked no longer wants the answer."""
