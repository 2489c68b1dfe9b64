"""From the name that `--agent` gives to something that answers: ours by profile, anyone's as module:Class."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.commands.command_line import ShownProgress
from assistant.core.errors import BadInput
from assistant.core.events import Event
from assistant.core.types import Conversation
from assistant.models.reply_cache import AnswerCache
from assistant.pipelines.registry import TASK_OF
from assistant.settings import PIPELINES, Settings, read_settings
from eval.agents.protocol import Agent, AnswerFunction, OneAtATime

if TYPE_CHECKING:
    from assistant.agent import Assistant
    from assistant.index.raw_search import SearchPipeline

OURS = ("embedded", "chat", "local")
#: Of ours those in which a model writes.
MODELS = ("chat", "local")
#: Calls at once unless the user says: an endpoint has its own cores, the kit's agents are not made for threads.
CONCURRENCY = {"embedded": 1, "chat": 8, "local": 1}
#: Of those, so many look and retrieve at a time: that is done on this machine.
SEEING = os.cpu_count() or 1


@dataclass(frozen=True)
class AgentChoice:
    """What the user chose.

    name: one of `OURS` or module:Class.
    options: more arguments for the class of a module:Class.
    full_queries: standalone questions by interaction id.
    model: of the chat endpoint, or on this machine; None for the configured one.
    multi_turn: whether the data hold conversations of several turns.
    folder: where a module is looked for first.
    pipeline, strictness, prompts, budget, risk, risk_model: how a model's answers come about, what it is told, how long
        a turn may take and how sure an answer must be (`assistant.settings`); None for what is configured.
    without: parts of the pipeline that are left out.
    task: the benchmark's task whose sources an agent of ours is limited to; None for all of them, as 3.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    full_queries: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None
    multi_turn: bool = True
    folder: Path = field(default_factory=Path.cwd)
    pipeline: str | None = None
    strictness: str | None = None
    prompts: Path | None = None
    budget: float | None = None
    risk: float | None = None
    risk_model: Path | None = None
    without: tuple[str, ...] = ()
    task: int | None = None

    @property
    def is_ours(self) -> bool:
        return self.name in OURS

    @property
    def uses_model(self) -> bool:
        """Whether it is one of ours whose answers a model writes."""
        return self.is_ours and self.name != "embedded"

    @property
    def takes_evidence(self) -> bool:
        """Whether it can be handed evidence; known once the class can be imported (`check`)."""
        if self.is_ours:
            return True
        from eval.agents.public_kit import load_class, takes_evidence

        return takes_evidence(load_class(self.name, self.folder))

    @property
    def concurrency(self) -> int:
        return CONCURRENCY.get(self.name, 1)

    def check(self) -> None:
        """Refuse what cannot be an agent, before any data are read.

        Raises:
            BadInput: no such agent, a class that cannot be imported, or options for one that takes none.
        """
        if not self.is_ours and ":" not in self.name:
            raise BadInput(f"there is no agent {self.name!r}: choose one of {', '.join(OURS)}, or module:Class")
        if self.is_ours and self.options:
            raise BadInput(f"--agent-option is for agents given as module:Class, not for {self.name!r}")
        if self.model and self.name not in MODELS:
            raise BadInput(f"--model names a model: it goes with --agent chat or --agent local, not {self.name!r}")
        self._check_answering()
        if not self.is_ours:
            from eval.agents.public_kit import load_class

            load_class(self.name, self.folder)

    def _check_answering(self) -> None:
        """Refuse what would change nothing about this agent's answers."""
        if self.pipeline is not None and self.pipeline not in PIPELINES:
            raise BadInput(f"there is no pipeline {self.pipeline!r}: choose one of {', '.join(PIPELINES)}")
        if self.uses_model:
            return
        if self.pipeline is not None and (self.pipeline != "reader" or not self.is_ours):
            raise BadInput(f"--pipeline {self.pipeline} is no choice for {self.name!r}: it goes with --agent chat")
        for name in ("strictness", "prompts", "budget", "risk", "risk_model", "without"):
            if getattr(self, name) not in (None, ()):
                raise BadInput(
                    f"--{name.replace('_', '-')} is about a model's answers: it goes with --agent chat, "
                    f"not {self.name!r}"
                )
        if self.task in (1, 2) and not self.is_ours:
            raise BadInput(f"--task {self.task} limits the sources of agents of ours: {self.name!r} has its own")


def settings_for(choice: AgentChoice, *, data_dir: Path | None, index: Path | None) -> Settings:
    """The settings that the agent runs under; a key in the environment is used by `chat` alone.

    Raises:
        NotReady: a profile that is not built, or that lacks what it needs.
        BadInput: a value that cannot be used, or a pipeline whose sources are those of another task.
    """
    settings = read_settings(
        profile=choice.name if choice.is_ours else "embedded",
        data_dir=data_dir,
        index=index,
        model=choice.model,
        pipeline=choice.pipeline,
        strictness=choice.strictness,
        prompts=choice.prompts,
        budget=choice.budget,
        risk=choice.risk,
        risk_model=choice.risk_model,
        without=choice.without,
        web=choice.task != 1,
    )
    if choice.task is not None and (name := preset_of(settings)) is not None and TASK_OF[name] != choice.task:
        has = f"has the sources of task {TASK_OF[name]}" if TASK_OF[name] else "searches nothing"
        raise BadInput(f"--task {choice.task} does not go with --pipeline {name}, which {has}: leave --task out")
    return settings


def preset_of(settings: Settings) -> str | None:
    """The pipeline's name where it fixes its own sources, None where it takes those that it is given."""
    return settings.effective_pipeline if settings.effective_pipeline in TASK_OF else None


def answering(choice: AgentChoice, settings: Settings) -> dict[str, Any]:
    """What `run.json` keeps of how the answers come about; None for what the agent does not have.

    Raises:
        BadInput: the prompts or the risk model cannot be used.
    """
    from assistant.pipelines.prompts import Prompts
    from assistant.pipelines.risk import RiskModel

    model = choice.uses_model
    return {
        "pipeline": settings.effective_pipeline if choice.is_ours else None,
        "strictness": settings.strictness if model else None,
        "budget": settings.effective_budget_s if model else None,
        "prompts": Prompts.load(settings.prompts_dir).digest if model else None,
        "risk": settings.risk_limit if model else None,
        "risk_model": RiskModel.load(settings.risk_model).fitted_on if model and settings.risk_model else None,
        "without": sorted(settings.without) or None,
    }


def asked_where(choice: AgentChoice, settings: Settings) -> dict[str, str] | None:
    """The endpoint and model behind `chat`, without the key, or the model behind `local`; None for agents without."""
    if choice.name == "local":
        return {"endpoint": "this machine", "model": settings.local_choice().name}
    if choice.name != "chat":
        return None
    options = settings.chat_options()
    return {"endpoint": options.endpoint, "model": options.model}


def open_agent(
    choice: AgentChoice,
    settings: Settings,
    world: Path | None,
    cache: AnswerCache | None,
    answers: Callable[[Assistant], AnswerFunction] | None = None,
) -> Agent:
    """The agent, ready to answer; builds the world's index first where it is missing and surely needed.

    `answers` says how an assistant of ours answers, where a benchmark has a way of its own.

    Raises:
        VitrineError: the index or the agent cannot be used.
    """
    from eval.agents.index_cache import with_world_index

    if choice.is_ours:
        from assistant.factory import open_assistant

        shown = ShownProgress("building the index")  # of the bundled world, where the data are no world
        settings = with_world_index(world, settings)
        replies = cache if choice.name in MODELS else None
        assistant = open_assistant(settings, shown, for_run=True, replies=replies)
        answer = answers(assistant) if answers is not None else assistant.answer
        if choice.task in (1, 2) and preset_of(settings) is None:  # presets leave it out by themselves
            answer = without_history(answer)
        return OneAtATime(answer, seeing=SEEING if choice.name in MODELS else None)
    return _open_public(choice, settings, world)


def without_history(answer: AnswerFunction) -> AnswerFunction:
    """The same, asked each question as if it were a conversation's first, as in tasks 1 and 2."""

    @functools.wraps(answer)
    def alone(conversation: Conversation, *question: Any, **options: Any) -> Iterator[Event]:
        return answer(Conversation(conversation.id), *question, **options)

    return alone


def _open_public(choice: AgentChoice, settings: Settings, world: Path | None) -> Agent:
    from assistant.index.manifest import check_manifest
    from assistant.vision.encoders import picture_encoder
    from eval.agents.kit_context import KitContext
    from eval.agents.lazy_search import LazySearch
    from eval.agents.public_kit import PublicAgent, load_class, takes_context

    agent = load_class(choice.name, choice.folder)
    if settings.index is not None:
        check_manifest(settings.index_dir, picture_encoder(settings.clip_dir))
    search = LazySearch(lambda: _search(settings, world))
    # An agent that is handed what was found searches in any case: what is wrong with the index is told before it runs.
    context = KitContext(search.opened(), choice.full_queries) if takes_context(agent) else None
    return PublicAgent(
        choice.name,
        agent,
        search=search,
        context=context,
        multi_turn=choice.multi_turn,
        options=choice.options,
    )


def _search(settings: Settings, world: Path | None) -> SearchPipeline:
    """The search over the world's index, or the bundled one's where there is no world."""
    from assistant.factory import ensure_index, open_search
    from eval.agents.index_cache import with_world_index

    settings = with_world_index(world, settings)
    ensure_index(settings, ShownProgress("building the index"))
    return open_search(settings)
