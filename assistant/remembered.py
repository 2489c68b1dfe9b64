"""What the page's panel Model keeps on this machine, where somebody asked it to: whom to ask, and the key.

The settings stand in `model.json` in the data folder, never with a key in it. The key goes to the platform's keyring
where the `keyring` package is installed and works, else to a file beside it that only its owner may read. A key belongs
to the address that it was given for and is used for no other. Flags and the environment win over all of this
(`settings.set_by`); benchmark runs and the other commands never read it.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar, get_args

from assistant.core.errors import BadInput, VitrineError
from assistant.core.storage import write_json, write_secret
from assistant.core.types import PipelineName, Strictness
from assistant.models.chat.request import Prices, check_base_url, origin
from assistant.settings import Profile, Settings

log = logging.getLogger(__name__)

#: The settings that are kept, by their names in `Settings`; the key is kept apart.
FIELDS = (
    "profile",
    "base_url",
    "local_model",
    "chat_model",
    "chat_pictures",
    "chat_timeout_s",
    "chat_prices",
    "pipeline",
    "strictness",
)
SERVICE = "vitrine"
FORMAT = 1
#: A keyring that asks somebody who is not there is not waited for.
KEYRING_PATIENCE_S = 8.0
Answer = TypeVar("Answer")


@dataclass(frozen=True)
class Kept:
    """What was found: settings by name, the key with the address it is for, and one sentence where it is unusable."""

    values: Mapping[str, Any] = field(default_factory=dict)
    key: str | None = field(default=None, repr=False)
    problem: str = ""


class Memory:
    """The remembered settings of one data folder."""

    def __init__(self, folder: Path, load_keyring: Callable[[], Any] | None = None) -> None:
        """`load_keyring` gives the `keyring` module, or None where there is none; tests hand in their own."""
        self.path = folder / "model.json"
        self.key_path = folder / "model.key"
        self._load_keyring = load_keyring or _keyring

    @property
    def there(self) -> bool:
        """Whether anything is remembered."""
        return self.path.is_file() or self.key_path.is_file()

    def load(self) -> Kept:
        """What is remembered; a file that cannot be used is one sentence and nothing else."""
        if not self.path.is_file():
            return Kept()
        try:
            found = json.loads(self.path.read_text(encoding="utf-8"))
            values = _checked(found)
        except (OSError, ValueError, VitrineError) as problem:
            why = str(problem) if isinstance(problem, VitrineError) else "it cannot be read"
            return Kept(problem=f"the remembered model {str(self.path)!r} is not used: {why}; remember one anew")
        where = found.get("key")
        if where is None:
            return Kept(values)
        key = self._key(str(where), origin(values.get("base_url")))
        return Kept(values, key, "" if key else "the remembered key is not there any more: type it again")

    def save(self, settings: Settings) -> str:
        """Keep the settings, and the key if there is one; returns where the key is kept, "" for none.

        Raises:
            BadInput: the folder cannot be written to.
        """
        self.forget_key()
        where, address = "", origin(settings.base_url)
        if settings.api_key:
            where = "keyring" if self._to_keyring(address, settings.api_key) else "file"
            if where == "file":
                write_secret(self.key_path, json.dumps({"for": address, "key": settings.api_key}))
        values = {name: getattr(settings, name) for name in FIELDS}
        if settings.chat_prices is not None:
            values["chat_prices"] = [
                settings.chat_prices.prompt_per_million,
                settings.chat_prices.completion_per_million,
            ]
        write_json(self.path, {"format": FORMAT, **values, **({"key": where} if where else {})})
        return {
            "": "",
            "keyring": "the keyring of this machine",
            "file": f"a file only you can read ({self.key_path})",
        }[where]

    def forget(self) -> None:
        """Nothing is remembered any more.

        Raises:
            BadInput: a file cannot be removed.
        """
        self.forget_key()
        _remove(self.path)

    def forget_key(self) -> None:
        """The key is remembered no more, wherever it was kept; the settings are. Raises as `forget`."""
        with contextlib.suppress(OSError, ValueError, AttributeError):
            found = json.loads(self.path.read_text(encoding="utf-8"))
            if found.pop("key", None) is not None:
                if (ring := self._load_keyring()) is not None:
                    address = origin(found.get("base_url"))
                    _patiently(lambda: ring.delete_password(SERVICE, address), None)
                write_json(self.path, found)
        _remove(self.key_path)

    def _key(self, where: str, address: str) -> str | None:
        if where == "keyring":
            ring = self._load_keyring()
            return None if ring is None else _patiently(lambda: ring.get_password(SERVICE, address), None)
        with contextlib.suppress(OSError, ValueError, AttributeError):
            self.key_path.chmod(0o600)
            kept = json.loads(self.key_path.read_text(encoding="utf-8"))
            if kept.get("for") == address and isinstance(kept.get("key"), str):
                return kept["key"] or None
        return None

    def _to_keyring(self, address: str, key: str) -> bool:
        if (ring := self._load_keyring()) is None:
            return False

        def put() -> bool:
            ring.set_password(SERVICE, address, key)
            return ring.get_password(SERVICE, address) == key

        return _patiently(put, False)


def with_remembered(settings: Settings, kept: Kept, set_by: Mapping[str, str]) -> Settings:
    """The settings with what is remembered, wherever neither a flag nor the environment says otherwise.

    Args:
        settings: as flags and environment have them.
        kept: what is remembered.
        set_by: the fields that they set (see `settings.set_by`).
    """
    if not kept.values:
        return settings
    values = {name: value for name, value in kept.values.items() if name not in set_by}
    merged = replace(settings, **values)
    if "api_key" in set_by:  # it was set for that address, and goes nowhere else
        key = settings.api_key if origin(merged.base_url) == origin(settings.base_url) else None
    else:
        key = kept.key if origin(merged.base_url) == origin(kept.values.get("base_url")) else None
    merged = replace(merged, api_key=key)
    if merged.effective_profile == "chat":
        try:
            merged.chat_options()
        except VitrineError:  # an endpoint without its key, say: nobody to ask
            if "profile" not in set_by:
                merged = replace(merged, profile="embedded")
    if merged.pipeline == "reader" and merged.effective_profile != "embedded":
        merged = replace(merged, pipeline=None)
    return merged


def _checked(found: Any) -> dict[str, Any]:
    """The values of a file, as `Settings` has them.

    Raises:
        BadInput: one of them cannot be used.
    """
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise BadInput("it is of another format")
    values = {name: found[name] for name in FIELDS if name in found}
    rules: dict[str, Callable[[Any], bool]] = {
        "profile": lambda v: v in get_args(Profile),
        "base_url": lambda v: v is None or isinstance(v, str),
        "local_model": lambda v: v is None or (isinstance(v, str) and bool(v.strip())),
        "chat_model": lambda v: isinstance(v, str) and bool(v.strip()),
        "chat_pictures": lambda v: isinstance(v, bool),
        "chat_timeout_s": lambda v: isinstance(v, int | float) and not isinstance(v, bool) and 0 < v <= 3600,
        "chat_prices": lambda v: v is None or _are_prices(v),
        "pipeline": lambda v: v is None or v in get_args(PipelineName),
        "strictness": lambda v: v in get_args(Strictness),
    }
    for name, value in values.items():
        if not rules[name](value):
            raise BadInput(f"{name!r} cannot be {value!r}"[:160])
    if values.get("base_url"):
        check_base_url(values["base_url"])
    if values.get("chat_prices"):
        values["chat_prices"] = Prices(*map(float, values["chat_prices"]))
    return values


def _are_prices(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) == 2
        and all(isinstance(v, int | float) and not isinstance(v, bool) and 0 <= v < 1e6 for v in value)
    )


def _remove(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except NotADirectoryError:  # nothing can be there
        return
    except OSError as problem:
        raise BadInput(f"{str(path)!r} cannot be removed ({problem.strerror or problem})") from None


def _keyring() -> Any:
    """The `keyring` module where it is installed; it is not among what Vitrine requires."""
    try:
        return importlib.import_module("keyring")
    except Exception:  # a broken backend may fail with anything
        return None


def _patiently(call: Callable[[], Answer], otherwise: Answer) -> Answer:
    """What a call to the keyring gives; `otherwise` when it fails or does not come back."""
    given: list[Answer] = []

    def run() -> None:
        try:
            given.append(call())
        except Exception as problem:  # of any backend; the message could hold anything
            log.info("the keyring was not used (%s)", type(problem).__name__)

    thread = threading.Thread(target=run, name="keyring", daemon=True)
    thread.start()
    thread.join(KEYRING_PATIENCE_S)
    return given[0] if given else otherwise
