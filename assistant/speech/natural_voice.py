"""Natural voices: Piper, where `piper-tts` and a voice are installed; in a process of its own, as WAV bytes.

Neither is a requirement: the engine is under the GPL-3.0, each voice under a licence of its own (its MODEL_CARD). A
voice is a file NAME.onnx with NAME.onnx.json beside it, in the folder `voices` of the data folder or in an installed
package whose name ends in `piper_voice`. Run as a module, this is the process: it keeps the last voice loaded. Getting
voices is not covered (`python -m piper.download_voices` does).
"""

from __future__ import annotations

import functools
import importlib.util
import io
import json
import pkgutil
import wave
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assistant.speech.process import Message, Progress, serve

_PACKAGES = "piper_voice"


@dataclass(frozen=True)
class NaturalVoice:
    """A voice of Piper on this machine: `name` as its file is called, the language it reads, the model file."""

    name: str
    language: str
    model: Path

    @property
    def label(self) -> str:
        """ "en_US-joe-medium" → "Joe (en-US)"."""
        parts = self.name.split("-")
        return f"{(parts[1] if len(parts) > 1 else self.name).replace('_', ' ').title()} ({self.language})"


def natural_voices(folder: Path | None) -> tuple[NaturalVoice, ...]:
    """The voices in `folder` and in installed packages; none without the engine."""
    if importlib.util.find_spec("piper") is None:
        return ()
    folders = [*([folder] if folder is not None else []), *_packaged()]
    found = [voice for where in folders for path in sorted(where.rglob("*.onnx")) if (voice := _voice(path))]
    return tuple({voice.name: voice for voice in reversed(found)}.values())[::-1]


@functools.cache
def _packaged() -> tuple[Path, ...]:
    names = [module.name for module in pkgutil.iter_modules() if module.name.endswith(_PACKAGES)]
    specs = [importlib.util.find_spec(name) for name in names]
    return tuple(Path(place) for spec in specs if spec for place in spec.submodule_search_locations or ())


def _voice(path: Path) -> NaturalVoice | None:
    """None where the description beside the file is missing or is none."""
    try:
        described = json.loads(path.with_name(path.name + ".json").read_text(encoding="utf-8"))
        language = str(described["language"]["code"] if "language" in described else described["espeak"]["voice"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return NaturalVoice(path.stem, language.replace("_", "-"), path)


# the process's side


@functools.lru_cache(maxsize=1)
def _loaded(model: str) -> Any:
    from piper import PiperVoice

    return PiperVoice.load(model)


def _answer(request: dict[str, Any], _body: bytes, _progress: Progress) -> Message:
    sound = io.BytesIO()
    with wave.open(sound, "wb") as file:
        _loaded(request["model"]).synthesize_wav(request["text"], file)
    return {}, sound.getvalue()


if __name__ == "__main__":
    serve(_answer)
