"""From the name that `--agent` gives to something that answers: ours by profile, anyone's as module:Class."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.models.chat.reply_cache import AnswerCache
from assistant.settings import Settings, read_settings
from eval.agents.protocol import Agent, OneAtATime

OURS = ("embedded", "chat", "local")
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
    model: of the chat endpoint; None for the configured one.
    multi_turn: whether the data hold conversations of several turns.
    folder: where a module is looked for first.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)
    full_queries: Mapping[str, str] = field(default_factory=dict)
    model: str | None = None
    multi_turn: bool = True
    folder: Path = field(default_factory=Path.cwd)

    @property
    def is_ours(self) -> bool:
        return self.name in OURS

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
        if self.model and self.name != "chat":
            raise BadInput(f"--model names the model of a chat endpoint: it goes with --agent chat, not {self.name!r}")
        if not self.is_ours:
            from eval.agents.public_kit import load_class

            load_class(self.name, self.folder)


def settings_for(choice: AgentChoice, *, data_dir: Path | None, index: Path | None) -> Settings:
    """The settings that the agent runs under; a key in the environment is used by `chat` alone.

    Raises:
        NotReady: a profile that is not built, or that lacks what it needs.
    """
    profile = choice.name if choice.is_ours else "embedded"
    return read_settings(profile=profile, data_dir=data_dir, index=index, model=choice.model)


def asked_where(choice: AgentChoice, settings: Settings) -> dict[str, str] | None:
    """The endpoint and model behind `chat`, without the key; None for agents that ask nobody."""
    if choice.name != "chat":
        return None
    options = settings.chat_options()
    return {"endpoint": options.endpoint, "model": options.model}


def open_agent(choice: AgentChoice, settings: Settings, world: Path | None, cache: AnswerCache | None) -> Agent:
    """The agent, ready to answer; builds the world's index first where one is needed and missing.

    Raises:
        VitrineError: the index or the agent cannot be used.
    """
    from eval.agents.index_cache import with_world_index

    if choice.is_ours:
        from assistant.factory import open_assistant

        settings = with_world_index(world, settings)
        if choice.name != "chat":
            return OneAtATime(open_assistant(settings).answer)
        return OneAtATime(open_assistant(settings, for_run=True, replies=cache).answer, seeing=SEEING)
    return _open_public(choice, settings, world)


def _open_public(choice: AgentChoice, settings: Settings, world: Path | None) -> Agent:
    from assistant.factory import ensure_index
    from assistant.index.raw_search import SearchPipeline
    from eval.agents.index_cache import with_world_index
    from eval.agents.kit_context import KitContext
    from eval.agents.public_kit import PublicAgent, load_class, wants

    agent = load_class(choice.name, choice.folder)
    pipeline = context = None
    if wanted := wants(agent):
        settings = with_world_index(world, settings)
        ensure_index(settings)
        pipeline = SearchPipeline.open(settings.index_dir, allow_network=settings.allow_network)
        if "rag_context_list" in wanted:
            context = KitContext(pipeline, choice.full_queries)
    return PublicAgent(
        choice.name,
        agent,
        pipeline=pipeline,
        context=context,
        multi_turn=choice.multi_turn,
        options=choice.options,
    )
