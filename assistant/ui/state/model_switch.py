"""The model that the page asks, and its change while the page is served.

One choice holds for all visitors. A change makes another assistant over the same eyes and the same index, and hands it
to turns that begin from then on; those under way end as they began. A key belongs to the address that it was given for:
another address is asked without it until its own is typed. A model on this machine is loaded in the background, and
takes over once it is there; until then, and where it cannot be loaded, nothing changes. Nothing here sends anything.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, get_args

from assistant.core.errors import BadInput, NotReady, VitrineError
from assistant.core.types import PipelineName, Strictness
from assistant.models.chat.request import PUBLIC_BASE_URL, ChatOptions, Prices, check_base_url, origin
from assistant.models.local.store import Located
from assistant.remembered import Memory
from assistant.settings import DEFAULT_CHAT_MODEL, DEFAULT_CHAT_TIMEOUT_S, Profile, Settings
from assistant.text.english import sentence_of
from assistant.ui.state.engine import Answering, Engine
from assistant.ui.state.profiles import OtherProfiles, offers_of
from assistant.ui.state.target import Target, local_name, target_of

log = logging.getLogger(__name__)

#: How long a change waits for the models on a server that has just started.
PATIENCE_S = 60.0
MOST_KEY_CHARS = 4000
#: The page's assistant as it would answer with other settings.
Under = Callable[[Answering, Settings, Profile], Answering]


@dataclass(frozen=True)
class Choice:
    """What the panel's fields say. `key` is "" where none was typed; `base_url` None for the public service."""

    base_url: str | None = None
    model: str = DEFAULT_CHAT_MODEL
    key: str = field(default="", repr=False)
    pictures: bool = True
    timeout_s: float = DEFAULT_CHAT_TIMEOUT_S
    prices: Prices | None = None
    pipeline: PipelineName = "vitrine"
    strictness: Strictness = "moderate"


@dataclass(frozen=True)
class LocalChoice:
    """A model on this machine (see `models.local.store.find`), and how it is told to answer."""

    model: str | None
    pipeline: PipelineName | None = "vitrine"
    strictness: Strictness = "moderate"


@dataclass(eq=False)
class LocalLoad:
    """A model of this machine on its way into use.

    Attributes:
        name: as people call it.
        model: as it was named.
        state: nothing changes but with "ready".
        share: how much of it is in memory, 0..1; None before that is known.
        words: once it has ended, what came of it, in sentences.
    """

    name: str
    model: str
    state: Literal["loading", "ready", "failed", "stopped"] = "loading"
    share: float | None = None
    words: str = ""

    def tell(self, share: float) -> None:
        self.share = share


def choice_of(
    base_url: object,
    model: object,
    key: object,
    pictures: object,
    timeout_s: object,
    prices: tuple[object, object],
    pipeline: object,
    strictness: object,
) -> Choice:
    """The fields, checked; nothing that a browser sends is trusted.

    Raises:
        BadInput: one sentence about the first that cannot be used.
    """
    address = str(base_url or "").strip()
    if address:
        check_base_url(address)
    name, secret = str(model or "").strip(), str(key or "").strip()
    if not name:
        raise BadInput("the model has no name: type the one that the server knows it by")
    if len(name) > 300 or len(address) > 2000 or len(secret) > MOST_KEY_CHARS:
        raise BadInput("that address, name or key is longer than any: check what was pasted")
    if not (secret.isascii() and secret.isprintable()):
        raise BadInput("the key holds characters that no key has (a line break?): copy it again")
    if not _is_number(timeout_s) or not 0 < float(timeout_s) <= 3600:  # type: ignore[arg-type]
        raise BadInput("the time-out is a number of seconds above 0, at most 3600")
    check_rules(pipeline, strictness)
    return Choice(
        address or None,
        name,
        secret,
        pictures is not False,
        float(timeout_s),  # type: ignore[arg-type]
        _prices(*prices),
        pipeline,  # type: ignore[arg-type]
        strictness,  # type: ignore[arg-type]
    )


def local_choice_of(model: object, pipeline: object, strictness: object) -> LocalChoice:
    """What the panel says of a model on this machine, checked. Raises as `choice_of`."""
    name = str(model or "").strip()
    if not name or len(name) > 2000:
        raise BadInput("no model is named: choose one of the list, or type a hub id or a folder")
    check_rules(pipeline, strictness)
    return LocalChoice(name, pipeline, strictness)  # type: ignore[arg-type]  # checked


def check_rules(pipeline: object, strictness: object) -> None:
    """Raises: BadInput: that is no pipeline of a model, or no strictness."""
    if pipeline not in get_args(PipelineName) or pipeline == "reader" or strictness not in get_args(Strictness):
        raise BadInput("that pipeline or strictness is none of those listed")


def meanwhile(settings: Settings) -> Settings:
    """Settings to begin with: the embedded reader answers until a model of this machine is loaded."""
    return replace(settings, profile="embedded") if settings.effective_profile == "local" else settings


class ModelSwitch:
    """The page's settings as they are now; safe to share between visitors."""

    def __init__(
        self,
        settings: Settings,
        engine: Engine,
        others: OtherProfiles,
        under: Under,
        memory: Memory,
        *,
        set_by: Mapping[str, str] | None = None,
        may_change: bool = True,
        note: str = "",
    ):
        """
        Args:
            settings: what the page begins with.
            engine: holds the assistant of all visitors.
            others: the other profiles that are offered beside an answer.
            under: makes an assistant with other settings.
            memory: what is kept on this machine.
            set_by: what flags and the environment set, and by which name; shown, and said to win after a restart.
            may_change: whether visitors may change anything.
            note: one sentence about what was remembered, shown until the first change.
        """
        self._settings, self._engine, self._others, self._under = settings, engine, others, under
        self._memory, self._set_by = memory, dict(set_by or {})
        self.may_change, self.note = may_change, note
        self._changed: set[str] = set()  # fields that were set on the page since the start
        self._lock = threading.Lock()
        self._load: LocalLoad | None = None
        self.one_loads = threading.Lock()  # held while a model is read: that cannot be broken off, nor two fit in
        others.offer(offers_of(settings, may_send=may_change))

    @property
    def settings(self) -> Settings:
        return self._settings

    @property
    def target(self) -> Target:
        """Whom the next question goes to."""
        return target_of(self._settings)

    @property
    def load(self) -> LocalLoad | None:
        """The model of this machine that is being loaded, or what came of the last one."""
        return self._load

    @property
    def loading(self) -> bool:
        return self._load is not None and self._load.state == "loading"

    def uses_local(self, model: str) -> bool:
        """Whether that model of this machine answers now, or is being loaded for it."""
        load, now = self._load, self._settings
        used = now.effective_profile == "local" and now.local_model == model
        return used or (load is not None and load.state == "loading" and load.model == model)

    @property
    def remembers(self) -> bool:
        return self._memory.there

    @property
    def set_by(self) -> dict[str, str]:
        """The fields that hold what a flag or the environment says, each with its name."""
        return {name: by for name, by in self._set_by.items() if name not in self._changed}

    def under(self, assistant: Answering, profile: Profile) -> Answering:
        """`assistant` for one answer under another profile with the settings of now."""
        return self._under(assistant, self._settings, profile)

    def choice(self) -> Choice:
        """What the panel shows: the settings of now, without the key."""
        now = self._settings
        return Choice(
            now.base_url,
            now.chat_model,
            "",
            now.chat_pictures,
            now.chat_timeout_s,
            now.chat_prices,
            now.pipeline if now.pipeline not in (None, "reader") else "vitrine",  # type: ignore[arg-type]
            now.strictness,
        )

    def has_key_for(self, base_url: str | None) -> bool:
        return bool(self._settings.api_key) and origin(base_url) == origin(self._settings.base_url)

    def options(self, choice: Choice) -> ChatOptions:
        """Whom a choice would ask.

        Raises:
            BadInput: there is nobody to ask.
        """
        return self._with(choice).chat_options()

    def in_use(self, choice: Choice) -> bool:
        """Whether questions go to the endpoint and model of this choice now."""
        now = self._settings
        same = origin(choice.base_url) == origin(now.base_url) and choice.model == now.chat_model
        return now.effective_profile == "chat" and same

    def use(self, choice: Choice, *, remember: bool) -> str:
        """Ask this model from now on; returns what is so now, in sentences.

        Raises:
            BadInput: the choice cannot be used, or nothing may be changed here.
            NotReady: the assistant is still loading.
        """
        with self._lock:
            settings = self._with(choice)
            settings.chat_options()
            self._hand_over(settings)
            self._load = None
            return f"{choice.model} answers from now on. {self.target.words}{self._remembered(remember)}"

    def use_embedded(self, *, remember: bool) -> str:
        """The embedded reader answers from now on; whom to ask otherwise stays set. Raises as `use`."""
        with self._lock:
            self._hand_over(replace(self._settings, profile="embedded", pipeline=self._pipeline_kept()))
            self._load = None
            return f"The embedded reader answers from now on. {self.target.words}{self._remembered(remember)}"

    def begin_with(self, settings: Settings) -> None:
        """Load the model of this machine that flags or what was remembered chose, if they did; whether or not visitors
        may change anything."""
        if settings.effective_profile != "local":
            return
        choice = LocalChoice(settings.local_model, settings.pipeline, settings.strictness)
        try:
            self.use_local(choice, remember=False, at_start=True)
        except VitrineError as problem:
            self._load = load = LocalLoad(local_name(choice.model), choice.model or "")
            self._failed(load, str(problem))

    def use_local(self, choice: LocalChoice, *, remember: bool, at_start: bool = False) -> str:
        """Load a model of this machine, and ask it once it is there; a later choice takes its place. At once returns
        what is so now, in sentences.

        Args:
            choice: which model.
            remember: keep the choice on this machine, once the model is there.
            at_start: flags or what was remembered chose it; then it may be named where nothing may be changed.

        Raises:
            BadInput: the choice cannot be used, or nothing may be changed here.
            NotReady: the model is not on this machine.
        """
        if not (self.may_change or at_start):
            raise BadInput("the model cannot be changed on this page")
        found = replace(self._settings, local_model=choice.model).local_choice()
        load = LocalLoad(found.name, named(found))
        with self._lock:
            self._load = load
        about = (load, replace(choice, model=load.model), remember, at_start)
        threading.Thread(target=self._bring, args=about, name="load-model", daemon=True).start()
        return f"{load.name} is being loaded; until it is there, {self._who} goes on answering."

    def put_away(self) -> None:
        """What came of the last load was told; something else is begun now."""
        with self._lock:
            self._load = self._load if self.loading else None

    def stop_loading(self) -> None:
        """Leave everything as it is, whatever is being loaded."""
        with self._lock:
            if self._load is not None and self._load.state == "loading":
                self._load.state = "stopped"
                self._load.words = f"Loading {self._load.name} was stopped; nothing has changed."

    def forget_key(self) -> str:
        """No key is set any more, here and wherever it was remembered. Raises as `use`."""
        with self._lock:
            self._memory.forget_key()
            settings = replace(self._settings, api_key=None)
            words = "The key is forgotten, here and on this machine."
            if settings.effective_profile == "chat" and not settings.base_url:
                settings = replace(settings, profile="embedded")
                words += " Without it nobody can be asked, so the embedded reader answers."
            self._hand_over(settings)
            if by := self._set_by.get("api_key"):
                words += f" {by} is still set and gives it again after a restart."
            return words

    # in the background

    def _bring(self, load: LocalLoad, choice: LocalChoice, remember: bool, at_start: bool) -> None:
        """Load a model, then let it take over; whatever goes wrong is one sentence and nothing changes."""
        try:
            with self.one_loads:
                assistant = None
                while assistant is None and self._wanted(load):
                    assistant = self._engine.wait(1.0)
                if assistant is None or not self._wanted(load):
                    return
                made = self._under(assistant, self._with_local(choice), "local")
                made.warm(load.tell)
                with self._lock:
                    if self._wanted(load):
                        self._take_over(self._with_local(choice), made, by_visitor=not at_start)
                        kept = "" if at_start else self._remembered(remember)
                        load.words = f"{load.name} answers from now on. {self.target.words}{kept}"
                        load.state = "ready"
        except VitrineError as problem:
            self._failed(load, str(problem))
        except Exception:
            log.exception("a local model could not be loaded")
            self._failed(load, f"{load.name} could not be loaded; the log of the server has the details")

    def _wanted(self, load: LocalLoad) -> bool:
        return self._load is load and load.state == "loading"

    def _failed(self, load: LocalLoad, why: str) -> None:
        log.warning("the local model %s is not used: %s", load.name, why)
        with self._lock:
            if self._wanted(load):
                load.words = f"{sentence_of(why)} Nothing has changed: {self._who} goes on answering."
                load.state = "failed"

    @property
    def _who(self) -> str:
        return self.target.model or "the embedded reader"

    # under the lock

    def _pipeline_kept(self) -> PipelineName | None:
        return None if self._settings.pipeline == "reader" else self._settings.pipeline

    def _with(self, choice: Choice) -> Settings:
        key = choice.key or (self._settings.api_key if self.has_key_for(choice.base_url) else None)
        if not choice.base_url and not key:
            raise BadInput(f"nobody to ask: type the address of a server, or a key for {PUBLIC_BASE_URL}")
        return replace(
            self._settings,
            profile="chat",
            base_url=choice.base_url,
            api_key=key or None,
            chat_model=choice.model,
            chat_pictures=choice.pictures,
            chat_timeout_s=choice.timeout_s,
            chat_prices=choice.prices,
            pipeline=choice.pipeline,
            strictness=choice.strictness,
        )

    def _hand_over(self, settings: Settings) -> None:
        if not self.may_change:
            raise BadInput("the model cannot be changed on this page")
        assistant = self._engine.wait(PATIENCE_S)
        if assistant is None:
            raise NotReady("the assistant is still loading: try again in a moment")
        self._take_over(settings, self._under(assistant, settings, settings.effective_profile))

    def _with_local(self, choice: LocalChoice) -> Settings:
        """The settings of now, with a model of this machine."""
        return replace(
            self._settings,
            profile="local",
            local_model=choice.model,
            pipeline=choice.pipeline,
            strictness=choice.strictness,
        )

    def _take_over(self, settings: Settings, made: Answering, *, by_visitor: bool = True) -> None:
        if by_visitor:
            self._changed |= {name for name in self._set_by if getattr(settings, name) != getattr(self._settings, name)}
        # Whom a question goes to is told anew before anything goes there, never after.
        self._settings, self.note = settings, ""
        self._others.offer(offers_of(settings, may_send=self.may_change))
        self._engine.replace(made)

    def _remembered(self, remember: bool) -> str:
        try:
            if remember:
                where = self._memory.save(self._settings)
                return " It is remembered on this machine" + (f"; the key is in {where}." if where else ".")
            if self._memory.there:
                self._memory.forget()
                return " What was remembered is forgotten."
        except (VitrineError, OSError) as problem:
            return f" It could not be remembered: {problem}."
        return ""


def named(found: Located) -> str:
    """What settings call a model by: a name of the list, a hub id, or a whole path."""
    return found.name if found.path.name != found.name else str(found.path)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and value == value


def _prices(prompt: object, completion: object) -> Prices | None:
    if prompt is None and completion is None:
        return None
    if not all(_is_number(price) and 0 <= float(price) < 1e6 for price in (prompt, completion)):  # type: ignore[arg-type]
        raise BadInput("prices are two numbers of dollars for a million tokens, or both empty")
    return Prices(float(prompt), float(completion))  # type: ignore[arg-type]
