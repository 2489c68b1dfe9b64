"""Finds a faster-whisper model on this machine: in the data folder or in the Hugging Face cache, by looking at folders.

Nothing is asked of the network, not even to find out that there is none: only the path of a complete folder is ever
handed on, since a name (or the path of a folder that is not there) would be looked up on the hub. Loading belongs to
`assistant.speech.hearing`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

SETTING = "VITRINE_WHISPER_MODEL"
#: Good enough for a question and quick without a GPU; English only, as the reader is.
SUGGESTED, SUGGESTED_MB = "Systran/faster-whisper-base.en", 150

#: What a folder must hold; without its tokenizer faster-whisper would ask the hub for one.
_FILES = ("model.bin", "config.json", "tokenizer.json")
_VOCABULARIES = ("vocabulary.json", "vocabulary.txt")
#: Larger models are not chosen unless they are named: without a GPU they answer after the visitor has left.
_MOST_BYTES = 1_000_000_000


@dataclass(frozen=True)
class Found:
    """A model that can be loaded, or why there is none: one sentence, with what to do."""

    path: Path | None
    missing: str = ""

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
    here = [*_under(data_dir / "models"), *_cached(cache)]
    if setting:
        return _named(setting, data_dir, here)
    if not here:
        return Found(None, f"no speech model is on this machine: {_get(SUGGESTED, f'about {SUGGESTED_MB} MB')}")
    sizes = {path: (path / "model.bin").stat().st_size for path in here}
    fitting = [path for path in here if sizes[path] <= _MOST_BYTES]
    return Found(max(fitting, key=lambda p: sizes[p]) if fitting else min(here, key=lambda p: sizes[p]))


def is_model(folder: Path) -> bool:
    """Whether `folder` holds all that loading takes."""
    try:
        whole = all((folder / name).is_file() for name in _FILES)
        return whole and any((folder / name).is_file() for name in _VOCABULARIES)
    except OSError:  # a name too long for the file system, a folder that may not be read
        return False


def _named(setting: str, data_dir: Path, here: list[Path]) -> Found:
    if setting.startswith(("/", "~", ".")) or "\\" in setting or setting.count("/") > 1:
        path = Path(setting).expanduser()
        if is_model(path):
            return Found(path.resolve())
        wanted = ", ".join(_FILES)
        return Found(None, f"{SETTING} is {setting!r}, which is not a folder with a faster-whisper model ({wanted})")
    wanted = setting.split("/")[-1].removeprefix("faster-whisper-")
    for path in here:
        if Found(path).name.removeprefix("faster-whisper-") == wanted:
            return Found(path)
    hub_id = setting if "/" in setting else f"Systran/faster-whisper-{setting}"
    return Found(None, f"the speech model {setting!r} is not on this machine: {_get(hub_id)}")


def _get(hub_id: str, size: str = "") -> str:
    what = f"`hf download {hub_id}`" + (f" ({size})" if size else "")
    return f"{what} gets it, then reload the page"


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
