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
