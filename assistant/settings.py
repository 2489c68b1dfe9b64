"""One frozen `Settings`, read once. Nothing else in the project reads `os.environ`."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

import platformdirs

from assistant.core.errors import BadInput
from assistant.core.paths import ASSETS_DIR, PROJECT_DIR
from assistant.core.proxies import mend_proxies
from assistant.core.types import PARTS, PipelineName, Strictness
from assistant.models.chat.request import ChatOptions, Prices
from assistant.models.local.store import Located, find

#: A small model with eyes of the public service; servers of one's own are asked by --model or VITRINE_CHAT_MODEL.
DEFAULT_CHAT_MODEL = "gpt-5.4-mini"
DEFAULT_CHAT_TIMEOUT_S = 20.0
Profile = Literal["auto", "embedded", "chat", "local"]
PIPELINES: tuple[str, ...] = get_args(PipelineName)


@dataclass(frozen=True)
class Settings:
    """What the user configured.

    `index` is None for the bundled world's index under `data_dir`. `allow_network` permits fetching image URLs;
    it is off unless the user turns it on. `use_taught` lets what visitors taught take part; it is off unless the page
    or a command that answers a person turns it on, so that no benchmark run ever sees it. `api_key` never appears in
    a repr. `whisper_model` is a folder or the name of a speech model that is on this machine already; None for any
    that is found.

    clip: a folder with an open_clip model (VITRINE_CLIP), `clip` in the data folder where there is one.
    voice: the name of the voice that speaks (VITRINE_VOICE); None for the first natural one that is installed, else
        espeak-ng. Natural voices lie in the folder `voices` of the data folder, or come as packages.
    local_model: the model on this machine (`--model`, VITRINE_LOCAL_MODEL): a name of `python -m assistant model list`,
        a hub id that was fetched, a folder or a GGUF file; None for the best of the list that was fetched.
    local_device: cuda, mps or cpu (VITRINE_LOCAL_DEVICE); None for the best there is.
    chat_model: what the chat endpoint is asked for (`--model`, VITRINE_CHAT_MODEL).
    chat_timeout_s: how long one try may take (VITRINE_CHAT_TIMEOUT_S).
    chat_pictures: whether frames are sent along (VITRINE_CHAT_PICTURES=no for models that only read).
    chat_prices: what a million tokens cost (VITRINE_CHAT_PRICES="prompt,completion", in US dollars).
    pipeline: how an answer comes about where a model writes it (`--pipeline`, VITRINE_PIPELINE); None for the default.
    strictness: how strictly a model is told to hold back (`--strictness`, VITRINE_STRICTNESS); "severe" forbids memory.
    risk_limit: how probably an answer may be wrong, 0..1 (`--risk`, VITRINE_RISK); None speaks without asking.
    risk_model: weights of that estimate, from `eval calibrate` (`--risk-model`, VITRINE_RISK_MODEL); None: the stated.
    prompts_dir: texts that stand in for ours (`--prompts`, VITRINE_PROMPTS; see `assistant.pipelines.prompts`).
    budget_s: what a turn that a model answers may take; parts are left out where it is short (`--budget`,
        VITRINE_BUDGET_S); None for as long as whoever asks is patient. The benchmark's challenge gives 10 s.
    without: parts of the pipeline `vitrine` that are left out (`core.types.PARTS`).
    web: whether the index's pages are looked into; False only for the benchmark's first task.
    """

    data_dir: Path
    profile: Profile = "auto"
    index: Path | None = None
    world_dir: Path = ASSETS_DIR / "world"
    allow_network: bool = False
    use_taught: bool = False
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    whisper_model: str | None = None
    voice: str | None = None
    clip: Path | None = None
    local_model: str | None = None
    local_device: str | None = None
    chat_model: str = DEFAULT_CHAT_MODEL
    chat_timeout_s: float = DEFAULT_CHAT_TIMEOUT_S
    chat_pictures: bool = True
    chat_prices: Prices | None = None
    pipeline: PipelineName | None = None
    strictness: Strictness = "moderate"
    prompts_dir: Path | None = None
    risk_limit: float | None = None
    risk_model: Path | None = None
    budget_s: float | None = None
    web: bool = True
    without: frozenset[str] = frozenset()

    @property
    def effective_budget_s(self) -> float | None:
        """None where no model writes: the embedded reader has no parts that could be left out."""
        return None if self.effective_profile == "embedded" else self.budget_s

    @property
    def effective_pipeline(self) -> PipelineName:
        """`reader` where no model writes, `vitrine` where one does and no other pipeline was named."""
        if self.effective_profile == "embedded":
            return "reader"
        return self.pipeline or "vitrine"

    @property
    def index_dir(self) -> Path:
        return self.index if self.index is not None else self.data_dir / "indexes" / "bundled"

    @property
    def taught_dir(self) -> Path:
        return self.data_dir / "taught"

    @property
    def voices_dir(self) -> Path:
        return self.data_dir / "voices"

    @property
    def clip_dir(self) -> Path | None:
        """The folder of open_clip's weights, by which pictures are found instead of the packaged ones; None: these."""
        kept = self.data_dir / "clip"
        return self.clip or (kept if kept.is_dir() else None)

    @property
    def effective_profile(self) -> Profile:
        """`auto` is embedded: a stray key in the environment must never send a frame away."""
        return "embedded" if self.profile == "auto" else self.profile

    @property
    def withheld(self) -> tuple[str, ...]:
        """Keys and paths of this machine, for whatever leaves it."""
        folders = (self.data_dir, self.index_dir, self.world_dir, PROJECT_DIR, Path.home(), Path(tempfile.gettempdir()))
        named = self.local_model if self.local_model and Path(self.local_model).expanduser().is_absolute() else None
        secrets = (self.api_key, self.base_url, self.whisper_model, str(self.clip) if self.clip else None, named)
        return (*(secret for secret in secrets if secret), *(str(folder) for folder in folders))

    @property
    def chat_configured(self) -> bool:
        """Whether there is somebody to ask; nothing is asked unless the profile is chat."""
        return bool(self.api_key or self.base_url)

    def local_choice(self) -> Located:
        """The model on this machine that the local profile asks; nothing of it is loaded.

        Raises:
            NotReady: it is not on this machine; the message says how to get it.
            BadInput: a name that cannot be one.
        """
        return find(self.local_model)

    def chat_options(self) -> ChatOptions:
        """Whom the chat profile asks.

        Raises:
            NotReady: nobody is configured.
            BadInput: what is configured cannot be used.
        """
        return ChatOptions(
            base_url=self.base_url,
            api_key=self.api_key,
            model=self.chat_model,
            timeout_s=self.chat_timeout_s,
            prices=self.chat_prices,
            sees=self.chat_pictures,
        )


def read_settings(
    *,
    profile: str | None = None,
    data_dir: str | Path | None = None,
    index: str | Path | None = None,
    model: str | None = None,
    pipeline: str | None = None,
    strictness: str | None = None,
    prompts: str | Path | None = None,
    risk: float | str | None = None,
    risk_model: str | Path | None = None,
    budget: float | None = None,
    web: bool = True,
    without: Sequence[str] = (),
    allow_network: bool = False,
    use_taught: bool = False,
    ready: bool = True,
    host: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Arguments win over the environment, the environment over the defaults.

    The proxies that the process's own environment names are mended on the way, once for every library that reads
    them: loopback and `host`, the address that is served on, are asked directly (see `assistant.core.proxies`).
    `ready` False reads the settings of a profile that lacks something, too, for looking at what is missing.

    Raises:
        BadInput: a profile that does not exist, or a value that cannot be used.
        NotReady: a profile that lacks what it needs.
    """
    if environ is None:
        mend_proxies(os.environ, *([host] if host else []))
    env = os.environ if environ is None else environ
    name = profile or env.get("VITRINE_PROFILE") or "auto"
    if name not in get_args(Profile):
        raise BadInput(f"there is no profile {name!r}: choose one of {', '.join(get_args(Profile))}")
    folder = data_dir or env.get("VITRINE_DATA_DIR") or platformdirs.user_data_dir("vitrine", appauthor=False)
    settings = Settings(
        data_dir=Path(folder).expanduser().resolve(),
        profile=name,  # type: ignore[arg-type]  # checked against the Literal above
        index=Path(index).expanduser().resolve() if index else None,
        allow_network=allow_network,
        use_taught=use_taught,
        api_key=env.get("OPENAI_API_KEY", "").strip() or None,
        base_url=env.get("OPENAI_BASE_URL", "").strip() or None,
        whisper_model=env.get("VITRINE_WHISPER_MODEL") or None,
        voice=env.get("VITRINE_VOICE") or None,
        clip=Path(clip).expanduser().resolve() if (clip := env.get("VITRINE_CLIP")) else None,
        local_model=(model if name == "local" else None) or env.get("VITRINE_LOCAL_MODEL") or None,
        local_device=env.get("VITRINE_LOCAL_DEVICE") or None,
        chat_model=(model if name != "local" else None) or env.get("VITRINE_CHAT_MODEL") or DEFAULT_CHAT_MODEL,
        chat_timeout_s=_seconds(env, "VITRINE_CHAT_TIMEOUT_S", DEFAULT_CHAT_TIMEOUT_S),
        chat_pictures=_yes(env, "VITRINE_CHAT_PICTURES"),
        chat_prices=_prices(env, "VITRINE_CHAT_PRICES"),
        pipeline=_one_of("pipeline", pipeline or env.get("VITRINE_PIPELINE"), PIPELINES),  # type: ignore[arg-type]
        strictness=_one_of(  # type: ignore[arg-type]  # checked against the Literal
            "strictness", strictness or env.get("VITRINE_STRICTNESS") or "moderate", get_args(Strictness)
        ),
        risk_limit=_share("risk", risk if risk is not None else env.get("VITRINE_RISK")),
        risk_model=Path(file).expanduser().resolve() if (file := risk_model or env.get("VITRINE_RISK_MODEL")) else None,
        prompts_dir=Path(texts).expanduser().resolve() if (texts := prompts or env.get("VITRINE_PROMPTS")) else None,
        budget_s=_budget_s(env, budget),
        web=web,
        without=frozenset(filter(None, (_one_of("part", part, PARTS) for part in without))),
    )
    _check_pipeline(settings, named=pipeline is not None)
    if ready and settings.effective_profile == "chat":
        settings.chat_options()
    if ready and settings.effective_profile == "local":
        settings.local_choice()
    return settings


#: What the page's panel Model may set as well: the field, and the variable that sets it.
VARIABLES = {
    "profile": "VITRINE_PROFILE",
    "base_url": "OPENAI_BASE_URL",
    "api_key": "OPENAI_API_KEY",
    "local_model": "VITRINE_LOCAL_MODEL",
    "chat_model": "VITRINE_CHAT_MODEL",
    "chat_pictures": "VITRINE_CHAT_PICTURES",
    "chat_timeout_s": "VITRINE_CHAT_TIMEOUT_S",
    "chat_prices": "VITRINE_CHAT_PRICES",
    "pipeline": "VITRINE_PIPELINE",
    "strictness": "VITRINE_STRICTNESS",
}


def set_by(
    *,
    profile: str | None = None,
    model: str | None = None,
    pipeline: str | None = None,
    strictness: str | None = None,
    environ: Mapping[str, str] | None = None,
) -> dict[str, str]:
    """The fields that an argument or the environment sets, each with the name of what sets it ("--model")."""
    env = os.environ if environ is None else environ
    given = {name: variable for name, variable in VARIABLES.items() if env.get(variable, "").strip()}
    asked = "local_model" if (profile or env.get("VITRINE_PROFILE")) == "local" else "chat_model"
    flags = {"profile": profile, asked: model, "pipeline": pipeline, "strictness": strictness}
    flag_of = {asked: "--model"}
    return given | {name: flag_of.get(name, f"--{name}") for name, value in flags.items() if value}


def _one_of(what: str, name: str | None, known: Sequence[str]) -> str | None:
    if name is not None and name not in known:
        raise BadInput(f"there is no {what} {name!r}: choose one of {', '.join(known)}")
    return name


def _share(what: str, value: float | str | None) -> float | None:
    if value is None or value == "":
        return None
    try:
        share = float(value)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise BadInput(f"the {what} is a number from 0 to 1, not {value!r}")
    return share


def _check_pipeline(settings: Settings, *, named: bool) -> None:
    """Refuse a pipeline and a profile that do not go together; one from the environment waits for its profile."""
    writes = settings.effective_profile != "embedded"
    if settings.pipeline == "reader" and writes:
        raise BadInput(f"--pipeline reader uses no model: it goes with --profile embedded, not {settings.profile!r}")
    if named and settings.pipeline not in (None, "reader") and not writes:
        raise BadInput(f"--pipeline {settings.pipeline} needs a model: add --profile chat or --profile local")


def _budget_s(env: Mapping[str, str], given: float | None) -> float | None:
    if given is None:
        return _seconds(env, "VITRINE_BUDGET_S", 1.0) if env.get("VITRINE_BUDGET_S") else None
    if not 0 < given <= 3600:
        raise BadInput(f"--budget is a number of seconds above 0, at most 3600, not {given!r}")
    return float(given)


def _seconds(env: Mapping[str, str], name: str, default: float) -> float:
    value = env.get(name) or default
    try:
        seconds = float(value)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 3600:
        raise BadInput(f"{name} is a number of seconds above 0, at most 3600, not {value!r}")
    return seconds


def _yes(env: Mapping[str, str], name: str) -> bool:
    value = (env.get(name) or "yes").lower()
    if value not in ("yes", "no", "1", "0", "true", "false"):
        raise BadInput(f"{name} is yes or no, not {value!r}")
    return value in ("yes", "1", "true")


def _prices(env: Mapping[str, str], name: str) -> Prices | None:
    value = env.get(name)
    if not value:
        return None
    try:
        prompt, completion = (float(part) for part in value.split(","))
    except ValueError:
        prompt = completion = -1.0
    if not (0 <= prompt < 1e6 and 0 <= completion < 1e6):
        raise BadInput(f"{name} is two prices of a million tokens, such as '0.25,2', not {value!r}")
    return Prices(prompt, completion)
