"""From the name that `--agent` gives to something that answers: ours by profile, anyone's as module:Class."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant.commands.command_line import ShownProgress
from assistant.core.errors import BadInput
from assistant.models.reply_cache import AnswerCache
from assistant.settings import Settings, read_settings
from eval.agents.protocol import Agent, OneAtATime

if TYPE_CHECKING:
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
        if self.model and self.name not in MODELS:
            raise BadInput(f"--model names a model: it goes with --agent chat or --agent local, not {self.name!r}")
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
    """The endpoint and model behind `chat`, without the key, or the model behind `local`; None for agents without."""
    if choice.name == "local":
        return {"endpoint": "this machine", "model": settings.local_choice().name}
    if choice.name != "chat":
        return None
    options = settings.chat_options()
    return {"endpoint": options.endpoint, "model": options.model}


def open_agent(choice: AgentChoice, settings: Settings, world: Path | None, cache: AnswerCache | None) -> Agent:
    """The agent, ready to answer; builds the world's index first where it is missing and surely needed.

    Raises:
        VitrineError: the index or the agent cannot be used.
    """
    from eval.agents.index_cache import with_world_index

    if choice.is_ours:
        from assistant.factory import open_assistant

        shown = ShownProgress("building the index")  # of the bundled world, where the data are no world
        settings = with_world_index(world, settings)
        if choice.name not in MODELS:
            return OneAtATime(open_assistant(settings, shown, for_run=True).answer)
        return OneAtATime(open_assistant(settings, shown, for_run=True, replies=cache).answer, seeing=SEEING)
    return _open_public(choice, settings, world)


def _open_public(choice: AgentChoice, settings: Settings, world: Path | None) -> Agent:
    from assistant.index.manifest import check_manifest
    from eval.agents.kit_context import KitContext
    from eval.agents.lazy_search import LazySearch
    from eval.agents.public_kit import PublicAgent, load_class, takes_context

    agent = load_class(choice.name, choice.folder)
    if settings.index is not None:
        check_manifest(settings.index_dir)
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
    from assistant.factory import ensure_index
    from assistant.index.raw_search import SearchPipeline
    from eval.agents.index_cache import with_world_index

    settings = with_world_index(world, settings)
    ensure_index(settings, ShownProgress("building the index"))
    return SearchPipeline.open(settings.index_dir, allow_network=settings.allow_network)
