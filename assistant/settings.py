"""One frozen `Settings`, read once. Nothing else in the project reads `os.environ`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

import platformdirs

from assistant.errors import BadInput, NotReady

Profile = Literal["auto", "embedded", "chat", "local"]

PROJECT_DIR = Path(__file__).resolve().parent.parent
ASSETS_DIR = PROJECT_DIR / "assets"


@dataclass(frozen=True)
class Settings:
    """What the user configured.

    `index` is None for the bundled world's index under `data_dir`. `allow_network` permits fetching image URLs;
    it is off unless the user turns it on. `api_key` never appears in a repr. `whisper_model` is a folder or the
    name of a speech model that is on this machine already; None for any that is found.
    """

    data_dir: Path
    profile: Profile = "auto"
    index: Path | None = None
    world_dir: Path = ASSETS_DIR / "world"
    allow_network: bool = False
    api_key: str | None = field(default=None, repr=False)
    base_url: str | None = None
    whisper_model: str | None = None

    @property
    def index_dir(self) -> Path:
        return self.index if self.index is not None else self.data_dir / "indexes" / "bundled"

    @property
    def effective_profile(self) -> Profile:
        """`auto` is embedded: a stray key in the environment must never send a frame away."""
        return "embedded" if self.profile == "auto" else self.profile


def read_settings(
    *,
    profile: str | None = None,
    data_dir: str | Path | None = None,
    index: str | Path | None = None,
    allow_network: bool = False,
    environ: Mapping[str, str] | None = None,
) -> Settings:
    """Arguments win over the environment, the environment over the defaults.

    Raises:
        BadInput: a profile that does not exist.
        NotReady: a profile that is not built yet.
    """
    env = os.environ if environ is None else environ
    name = profile or env.get("VITRINE_PROFILE") or "auto"
    if name not in get_args(Profile):
        raise BadInput(f"there is no profile {name!r}: choose one of {', '.join(get_args(Profile))}")
    if name in ("chat", "local"):
        raise NotReady(f"profile {name!r} is not built yet: use --profile embedded, which needs no key and no download")
    folder = data_dir or env.get("VITRINE_DATA_DIR") or platformdirs.user_data_dir("vitrine", appauthor=False)
    return Settings(
        data_dir=Path(folder).expanduser().resolve(),
        profile=name,  # type: ignore[arg-type]  # checked against the Literal above
        index=Path(index).expanduser().resolve() if index else None,
        allow_network=allow_network,
        api_key=env.get("OPENAI_API_KEY") or None,
        base_url=env.get("OPENAI_BASE_URL") or None,
        whisper_model=env.get("VITRINE_WHISPER_MODEL") or None,
    )
