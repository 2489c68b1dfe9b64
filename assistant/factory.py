"""Puts the assistant together from settings. The page, the commands and the runner all begin here.

Everything heavy is imported and loaded here, when asked for; importing this module costs nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from assistant.core.errors import NotReady
from assistant.settings import Profile, Settings

if TYPE_CHECKING:
    from assistant.agent import Assistant
    from assistant.index.manifest import Manifest
    from assistant.index.raw_search import SearchPipeline
    from assistant.models.chat.client import ReplyStore
    from assistant.models.local.model import LocalModel
    from assistant.models.protocol import VisionLanguageModel
    from assistant.pipelines.base import Tools

#: How long a second process waits for the one that is building the same index: ten times what two idle cores take.
BUILD_PATIENCE_S = 1200.0
#: What the stages before the answer may take, beside the endpoint's own time.
CHAT_LEAD_S = 10.0
#: What a turn may take where a model on this machine writes: without a GPU one of two billion weights needs a minute.
LOCAL_TURN_S = 120.0
#: Nobody waits for a turn of a run, and how fast this machine is must not change what an agent scores: a turn that was
#: out of time on the page for a user's sake is made here. This many times the page's limit only ends what goes astray.
RUN_DEADLINE_S = 600.0

#: Called with the share done (0..1) and what is being done.
Progress = Callable[[float, str], None]


def open_assistant(
    settings: Settings,
    progress: Progress | None = None,
    *,
    for_run: bool = False,
    replies: ReplyStore | None = None,
) -> Assistant:
    """The assistant over the configured index; builds the bundled world's index first when it is missing or stale.

    Args:
        settings: which profile, over which index.
        progress: told how far the building is.
        for_run: a turn may take `RUN_DEADLINE_S`; the chat profile tries each call once and lets `EndpointBusy` out of
            `Assistant.answer`, because whoever runs a benchmark waits and asks again for all turns together.
        replies: where the chat and local profiles keep and find replies by the digest of their whole request.

    Raises:
        VitrineError: the index that the user named cannot be used, or the bundled world is missing.
    """
    ensure_index(settings, progress)
    return open_index(settings.index_dir, settings, for_run=for_run, replies=replies)


def open_index(
    index_dir: Path, settings: Settings, *, for_run: bool = False, replies: ReplyStore | None = None
) -> Assistant:
    """The assistant over one index folder; arguments as for `open_assistant`."""
    from assistant.agent import Assistant
    from assistant.core.threads import workers
    from assistant.index.knowledge import Knowledge
    from assistant.index.raw_search import SearchPipeline
    from assistant.pipelines.base import Tools
    from assistant.pipelines.registry import pipeline_of
    from assistant.recognition.recogniser import Recogniser
    from assistant.recognition.taught_images import NONE
    from assistant.teaching.store import TaughtStore
    from assistant.teaching.teacher import Teacher
    from assistant.vision.encoders import picture_encoder
    from assistant.vision.local_features import FeatureStore
    from assistant.vision.ocr import TextReader
    from assistant.vision.open_clip_encoder import OpenClipEncoder

    # Text is read while things are recognised: of two cores, each has one.
    encoder, reader = picture_encoder(settings.clip_dir), TextReader(threads=max(1, workers() // 2))
    pipeline = SearchPipeline.open(index_dir, allow_network=settings.allow_network, encoder=encoder)
    # What visitors taught is opened only where it was asked for: benchmark runs never are.
    taught = TaughtStore(settings.taught_dir, encoder) if settings.use_taught else None
    known = taught.rows if taught is not None else lambda: NONE
    namer = encoder if isinstance(encoder, OpenClipEncoder) else None
    recogniser = Recogniser(encoder, pipeline, FeatureStore(index_dir / "features"), known)
    knowledge = Knowledge.open(index_dir, taught)
    if not settings.web:
        knowledge = knowledge.among(())
    return Assistant(
        tools=with_model(Tools(knowledge, pipeline, namer=namer), settings, for_run=for_run, replies=replies),
        recogniser=recogniser,
        text_reader=reader,
        pipeline=pipeline_of(settings.effective_pipeline),
        profile=settings.effective_profile,
        deadline_s=_deadline_s(settings, for_run),
        teacher=Teacher(taught, encoder, reader, recogniser, knowledge) if taught is not None else None,
    )


def open_search(settings: Settings) -> SearchPipeline:
    """The raw search over the configured index, which must be there.

    Raises:
        VitrineError: there is no index that can be used.
    """
    from assistant.index.raw_search import SearchPipeline
    from assistant.vision.encoders import picture_encoder

    encoder = picture_encoder(settings.clip_dir)
    return SearchPipeline.open(settings.index_dir, allow_network=settings.allow_network, encoder=encoder)


def under_profile(
    assistant: Assistant,
    settings: Settings,
    profile: Profile,
    *,
    replies: ReplyStore | None = None,
    deadline_s: float | None = None,
) -> Assistant:
    """`assistant` as it would answer under another profile; the index is not opened again, and nothing is sent yet.

    `deadline_s` is what a turn may take, None for as long as a user is let wait.

    Raises:
        NotReady: the profile lacks what it needs.
    """
    from assistant.pipelines.registry import pipeline_of

    other = replace(settings, profile=profile)
    limit_s = _deadline_s(other, for_run=False) if deadline_s is None else deadline_s
    tools = partial(with_model, settings=other, replies=replies)
    return assistant.under(other.effective_profile, pipeline_of(other.effective_pipeline), tools, limit_s)


def _deadline_s(settings: Settings, for_run: bool) -> float:
    """How long a turn may take: where a user waits, a slow model gets its time beside what comes before it.

    A budget is a budget in runs as well: what it leaves out is what is measured.
    """
    from assistant.agent import DEADLINE_S

    if settings.effective_budget_s is not None:
        return settings.effective_budget_s
    if for_run:
        return RUN_DEADLINE_S
    longest = {"chat": settings.chat_timeout_s + CHAT_LEAD_S, "local": LOCAL_TURN_S}
    return max(DEADLINE_S, longest.get(settings.effective_profile, 0.0))


def with_model(tools: Tools, settings: Settings, *, for_run: bool = False, replies: ReplyStore | None = None) -> Tools:
    """`tools` with the model of the settings and how it is told and held back; nothing is sent before it is asked.

    Raises:
        NotReady: the profile lacks what it needs.
        BadInput: the prompts or the risk model cannot be used.
    """
    from assistant.pipelines.prompts import Prompts
    from assistant.pipelines.risk import RiskModel

    # The bundled world is made up: what is before a real camera cannot be looked up in it, whatever it is called.
    made_up = settings.index is None and not for_run
    return replace(
        tools,
        without=settings.without | ({"naming"} if made_up else frozenset()),
        model=open_model(settings, for_run=for_run, replies=replies),
        prompts=Prompts.load(settings.prompts_dir),
        strictness=settings.strictness,
        risk_model=RiskModel.load(settings.risk_model) if settings.risk_model is not None else RiskModel(),
        risk_limit=settings.risk_limit,
        for_run=for_run,
    )


def open_model(
    settings: Settings, *, for_run: bool = False, replies: ReplyStore | None = None
) -> VisionLanguageModel | None:
    """The model that writes the answers, None under the embedded profile.

    Raises:
        NotReady: neither a base URL nor a key is configured, or the local model is not on this machine.
    """
    if settings.effective_profile == "local":
        from assistant.models.local.batching import BatchedModel

        found = settings.local_choice()
        px = found.known.picture_px if found.known is not None else None
        model = _local_model(found.path, found.name, settings.local_device, px).with_replies(replies)
        return BatchedModel(model) if for_run else model
    if settings.effective_profile != "chat":
        return None
    from assistant.models.chat.client import ChatClient

    options = settings.chat_options()
    return ChatClient(replace(options, max_tries=1) if for_run else options, replies=replies)


#: Models on this machine, each in memory once and for as long as somebody holds it.
_LOCAL: WeakValueDictionary[tuple[Path, str | None, int | None], LocalModel] = WeakValueDictionary()
_LOCAL_LOCK = threading.Lock()


def _local_model(path: Path, name: str, device: str | None, picture_px: int | None) -> LocalModel:
    """One for all that ask it; loaded by `Assistant.warm` or its first question."""
    from assistant.models.local.model import PICTURE_PX, LocalModel

    with _LOCAL_LOCK:
        held = _LOCAL.get((path, device, picture_px))
        if held is None:
            held = LocalModel(path, name=name, device=device, picture_px=picture_px or PICTURE_PX)
            _LOCAL[path, device, picture_px] = held
        return held


def ensure_index(settings: Settings, progress: Progress | None = None) -> Manifest:
    """The manifest of the configured index. Only the bundled index is ever built here, never one the user named."""
    from assistant.index.build import build_index, usable_index
    from assistant.index.manifest import check_manifest
    from assistant.vision.encoders import picture_encoder

    encoder = picture_encoder(settings.clip_dir)
    if settings.index is not None:
        return check_manifest(settings.index_dir, encoder)
    if not (settings.world_dir / "world.json").is_file():
        raise NotReady(
            "the bundled world is missing from assets/world: make one with `python -m eval world --seed 42 "
            "--entities 60 --out DIR` and `python -m assistant index build DIR --out INDEX`, then pass --index INDEX"
        )
    if (current := usable_index(settings.world_dir, settings.index_dir, encoder)) is not None:
        return current
    # Two that start together share one build: the second waits for the first and uses its index.
    return build_index(
        settings.world_dir,
        settings.index_dir,
        progress=progress,
        encoder=encoder,
        wait_s=BUILD_PATIENCE_S,
        keep_current=True,
    )
