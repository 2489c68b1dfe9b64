"""What a visitor chose for a run: checked, turned into the arguments of `python -m eval run`, and read back from a run.

The form knows no rules of its own: data, agents and judges are checked by the same functions that the command uses, so
that a mistake is told on the form instead of in the log of a process.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assistant.core.errors import BadInput
from assistant.pipelines.prompts import Prompts
from assistant.settings import Settings
from eval.agents.factory import MODELS, OURS, AgentChoice, preset_of, settings_for
from eval.annotate.rows import ALL
from eval.annotate.values import ANNOTATIONS
from eval.benchmarks.handing import (
    answering_for,
    default_judge,
    handing,
    handing_again,
    handing_flags,
    prepared,
)
from eval.benchmarks.registry import BENCHMARKS
from eval.benchmarks.scenarios import DISTRACTORS, Handing
from eval.data import hub
from eval.data.filters import parse_degradation
from eval.data.full_queries import read_full_queries
from eval.data.gold import has_gold
from eval.data.options import DataChoice
from eval.data.samples import Data
from eval.judges.prompts import PromptLabels
from eval.judges.registry import MODEL_JUDGES
from eval.ui.state.judge_form import ChosenJudge, read_judge
from eval.ui.state.rights import Rights


@dataclass(frozen=True)
class RunChoice:
    """Everything that can be chosen. Texts as a flag takes them; None and "" are "not chosen"."""

    data: DataChoice
    agent: str = "embedded"
    agent_options: tuple[str, ...] = ()
    model: str = ""
    full_queries: str = ""
    pipeline: str = ""
    strictness: str = ""
    budget: float | None = None
    risk: float | None = None
    without: tuple[str, ...] = ()
    task: int | None = None
    judge: str = ""
    judge_models: tuple[str, ...] = ()
    judge_labels: PromptLabels | None = None
    concurrency: int | None = None
    tries: int | None = None
    fresh: bool = False
    give: str = ""
    handing: Handing | None = None
    window: str = ""
    kg: str = ""
    index: str = ""

    def arguments(self) -> list[str]:
        """The arguments of `python -m eval run`, all but the folder. A value never stands alone, to be no flag; a comma
        behind the ids says that they are none of a file's name."""
        data = self.data
        wanted: list[tuple[str, object]] = [
            ("data", data.data),
            ("split", data.split),
            ("set", data.set),
            ("revision", data.revision),
            ("labels", data.labels),
            *(("where", text) for text in data.where),
            ("ego", None if data.ego is None else "yes" if data.ego else "no"),
            ("ids", ",".join((*data.ids, "")) or None),
            ("sample", data.sample),
            ("sample-seed", data.sample_seed if data.sample is not None else None),
            ("limit", data.limit),
            *(("degrade", text) for text in data.degrade),
            ("data-dir", data.data_dir),
            ("agent", self.agent),
            *(("agent-option", text) for text in self.agent_options),
            ("model", self.model),
            ("full-queries", self.full_queries),
            ("pipeline", self.pipeline),
            ("strictness", self.strictness),
            ("budget", self.budget),
            ("risk", self.risk),
            ("task", self.task),
            ("concurrency", self.concurrency),
            ("tries", self.tries),
            ("give", self.give),
            *handing_flags(self.handing),
            ("window", self.window),
            ("kg", self.kg),
            ("index", self.index),
        ]
        switches = [("public", data.public), ("allow-network", data.allow_network), ("no-pictures", not data.pictures),
                    ("no-cache", self.fresh)]  # fmt: skip
        return [
            *(f"--{flag}={value}" for flag, value in wanted if value not in (None, "")),
            *(f"--{flag}" for flag, on in switches if on),
            *(["--without", *self.without] if self.without else []),
            *self.chosen_judge(self.judge).arguments(),
        ]

    def chosen_judge(self, name: str) -> ChosenJudge:
        """The judge with what belongs to it, under this name: "" may stand for the data's own."""
        return ChosenJudge(name, self.judge_models, self.judge_labels, self.fresh)

    def judge_for(self, data: Data) -> str:
        """The judge by name: the one chosen, else the command's default for these data."""
        return self.judge or default_judge(data, BENCHMARKS[data.benchmark])

    def words(self, data: Data) -> str:
        """What the run's folder is called after."""
        return f"{data.name}-{self.agent.rpartition(':')[2] or self.agent}"


@dataclass(frozen=True)
class Place:
    """Something to choose as data: what the command takes, and how it is shown."""

    value: str
    title: str


def places(settings: Settings) -> list[Place]:
    """What can be chosen without typing: the bundled world, worlds in the data folder, the benchmark itself."""
    found = []
    if (settings.world_dir / "world.json").is_file():
        found.append(Place(str(settings.world_dir), "Bundled world"))
    for folder in (settings.data_dir / "worlds", settings.data_dir):
        for world in sorted(folder.glob("*/world.json")):
            found.append(Place(str(world.parent), f"World {world.parent.name}"))
    rows = settings.data_dir / ANNOTATIONS / ALL
    if rows.is_file():
        found.append(Place(str(rows), "Test rows written here"))
    return [*found, Place("crag-mm", "CRAG-MM (from the hub, or as fetched before)")]


def allowed(choice: RunChoice, settings: Settings, rights: Rights) -> None:
    """Refuse what this visitor may not name.

    Raises:
        BadInput: one sentence about the first such thing.
    """
    if not rights.start:
        raise BadInput(rights.why)
    if rights.paths:
        return
    data = choice.data.data
    known = {place.value for place in places(settings)}
    if data not in known and (not hub.is_hub_id(data) or Path(data).exists()):
        raise BadInput(f"the data {data!r} are neither in the list nor a hub id: {rights.why}")
    if choice.agent not in OURS:
        raise BadInput(f"the agent {choice.agent!r} cannot be chosen here: {rights.why}")
    if choice.data.labels or choice.full_queries:
        raise BadInput(f"files of labels and of questions cannot be chosen here: {rights.why}")
    if choice.kg:
        raise BadInput(f"a knowledge graph cannot be chosen here: {rights.why}")
    if choice.index not in ("", str(settings.index)):
        raise BadInput(f"an index cannot be chosen here: {rights.why}")


def check(choice: RunChoice) -> Data:
    """Everything that the command would check before it begins; returns the data.

    Raises:
        BadInput: what cannot be used, in one sentence.
        NotReady: a profile or an endpoint that is missing.
    """
    queries = read_full_queries(Path(choice.full_queries)) if choice.full_queries else {}
    options = {text.partition("=")[0]: text.partition("=")[2] for text in choice.agent_options}
    for text in choice.agent_options:
        if "=" not in text or not text.partition("=")[0].isidentifier():
            raise BadInput(f"the agent option {text!r} is no NAME=VALUE")
    agent = AgentChoice(
        choice.agent,
        options,
        queries,
        choice.model or None,
        choice.data.set != "single",
        pipeline=choice.pipeline or None,
        strictness=choice.strictness or None,
        budget=choice.budget,
        risk=choice.risk,
        without=choice.without,
        task=choice.task,
    )
    agent.check()
    index = Path(choice.index) if choice.index else None
    preset = preset_of(settings_for(agent, data_dir=choice.data.data_dir, index=index))
    if preset is not None and choice.give == "entity":
        raise BadInput(
            f"the answer key's {choice.give} cannot be handed to the pipeline {preset}, which fixes where it looks"
        )
    for name in ("concurrency", "tries"):
        number = getattr(choice, name)
        if number is not None and number < 1:
            raise BadInput(f"{name} is {number!r}: give a number above 0")
    data = choice.data.load()
    choice.chosen_judge(choice.judge_for(data)).check(data.world, choice.data.data_dir)
    if choice.give and not (agent.is_ours and has_gold(data.world)):
        raise BadInput(f"the answer key's {choice.give} can be handed in only to an agent of ours on a generated world")
    if not data.samples:
        first = data.unusable[0]
        raise BadInput(f"none of the rows of {data.name!r} can be used; row {first.row}: {first.why}")
    kg = Path(choice.kg) if choice.kg else None
    answering_for(
        BENCHMARKS[data.benchmark],
        model=agent.uses_model,
        pipeline=choice.pipeline or None,
        kg=kg,
        window=choice.window or None,
    )
    if kg is not None and not kg.is_file():
        raise BadInput(f"there is no file {choice.kg!r}: python -m eval crag-kg build makes it")
    if choice.handing is None:
        return data
    if not agent.takes_evidence:
        raise BadInput(f"the agent {choice.agent!r} has no way to take the evidence of a scenario")
    if choice.give:
        raise BadInput("a scenario and the answer key both hand gold over: choose one")
    return prepared(data, None, choice.handing)[0]


def arguments_again(info: Mapping[str, Any], data_dir: Path) -> list[str]:
    """The arguments that resume a run from the command line, from its `run.json`.

    Raises:
        BadInput: it was started with something that its folder does not hold.
    """
    options, about = info.get("options") or {}, info.get("data") or {}
    judging = info.get("judging") or {}
    agent, pipeline = str(options.get("agent") or "embedded"), str(options.get("pipeline") or "")
    lost = [name for name in ("ids", "labels", "full_queries") if options.get(name)]
    if info.get("judge") in MODEL_JUDGES and (not judging or judging.get("own_endpoint") or judging.get("prices")):
        lost.append("an endpoint or prices of its own for the judge" if judging else "a judging model")
    if options.get("prompts") not in (None, Prompts.load().digest):
        lost.append("prompts of one's own")
    if options.get("risk_model"):
        lost.append("a risk model of one's own")
    if lost or not about.get("path"):
        what = ", ".join(lost) or "unknown data"
        raise BadInput(
            f"this run was started on the command line with {what}: take it up there, with the same command and "
            "--resume"
        )
    data = DataChoice(
        data=str(about.get("world") or about["path"]),
        split=options.get("split") or "validation",
        set=options.get("set") or "both",
        revision=options.get("revision"),
        public=bool(options.get("public")),
        where=tuple(options.get("where") or ()),
        ego=options.get("ego"),
        sample=options.get("sample"),
        sample_seed=options.get("sample_seed") or 0,
        limit=options.get("limit"),
        degrade=tuple(options.get("degrade") or ()),
        pictures=options.get("pictures") is not False,
        data_dir=data_dir,
    )
    choice = RunChoice(
        data,
        agent=agent,
        agent_options=tuple(
            f"{name}={json.dumps(value)}" for name, value in (options.get("agent_options") or {}).items()
        ),
        model=str((options.get("chat") or {}).get("model") or ""),
        # Runs of agents without a model once said "vitrine", too; a benchmark's own way of answering has its name.
        pipeline="" if (agent != "chat" and pipeline == "vitrine") or pipeline in BENCHMARKS else pipeline,
        strictness=str(options.get("strictness") or ""),
        budget=options.get("budget"),
        risk=options.get("risk"),
        without=tuple(options.get("without") or ()),
        task=options.get("task"),
        judge=str(info.get("judge") or ""),
        judge_models=tuple(judging.get("models") or ()),
        judge_labels=judging.get("labels"),
        concurrency=info.get("concurrency"),
        tries=info.get("tries"),
        fresh=info.get("cache") is False and options.get("agent") == "chat",
        give=str(options.get("give") or ""),
        handing=handing_again(options.get("handing")),
        window=str(options.get("window") or ""),
        kg=str(options.get("kg") or ""),
        index=str(options.get("index") or ""),
    )
    return choice.arguments()


def read_form(form: Mapping[str, Any], settings: Settings) -> RunChoice:
    """The form's values as a choice. Numbers that are empty are not chosen.

    Raises:
        BadInput: a value that cannot be one.
    """
    data = str(form.get("other") or "").strip() or str(form.get("data") or "").strip()
    if not data:
        raise BadInput("choose the data first")
    severity = float(form.get("severity") or 0.5)
    degrade = tuple(f"{kind}:{severity:g}" for kind in form.get("degrade") or ())
    for text in degrade:
        parse_degradation(text)
    ids = tuple(name for name in str(form.get("ids") or "").replace(",", " ").split() if name)
    labels = str(form.get("labels") or "").strip()
    name = str(form.get("judge") or "")
    models = (
        str(form.get("judge_models") or "") if name in MODEL_JUDGES else ""
    )  # hidden for others, and no matter of theirs
    judge = read_judge(name, models, str(form.get("judge_labels") or ""), bool(form.get("fresh")), settings)
    chosen = DataChoice(
        data=data,
        split=str(form.get("split") or "validation").strip(),
        set=str(form.get("set") or "both"),
        revision=str(form.get("revision") or "").strip() or None,
        public=bool(form.get("public")),
        where=_where(form.get("where") or ()),
        ego={"egocentric": True, "others": False}.get(str(form.get("ego"))),
        ids=ids,
        sample=_number(form.get("sample"), "the number of random samples"),
        sample_seed=_number(form.get("seed"), "the seed", least=0) or 0,
        limit=_number(form.get("limit"), "the number of first samples"),
        degrade=degrade,
        pictures=not form.get("no_pictures"),
        labels=Path(labels).expanduser() if labels else None,
        allow_network=bool(form.get("network")),
        data_dir=settings.data_dir,
    )
    agent = str(form.get("agent") or "embedded")
    retries = _number(form.get("retries"), "the number of retries", least=0)
    own_index = settings.index is not None and data == str(settings.world_dir)
    return RunChoice(
        chosen,
        agent=str(form.get("module") or "").strip() if agent == "module" else agent,
        agent_options=tuple(line.strip() for line in str(form.get("agent_options") or "").splitlines() if line.strip()),
        # The page may have been started with another model than its processes would take from the environment.
        model=str(form.get("model") or "").strip() or (settings.chat_model if agent == "chat" else "")
        if agent in MODELS
        else "",
        full_queries=str(form.get("full_queries") or "").strip(),
        pipeline=str(form.get("pipeline") or ""),
        # Hidden for agents without a model, and no matter of theirs.
        strictness=str(form.get("strictness") or "") if agent in MODELS else "",
        budget=_decimal(form.get("budget"), "the time limit per turn") if agent in MODELS else None,
        risk=_decimal(form.get("risk"), "the risk") if agent in MODELS else None,
        judge=judge.name,
        judge_models=judge.models,
        judge_labels=judge.labels,
        concurrency=_number(form.get("concurrency"), "the number of calls at once"),
        tries=None if retries is None else retries + 1,
        fresh=bool(form.get("fresh")),
        give=str(form.get("give") or ""),
        task=_number(form.get("task"), "the task"),
        handing=handing(
            list(form.get("scenarios") or ()),
            str(form.get("distractors") or DISTRACTORS),
            form.get("positives") or "both",
            form.get("negatives") or "both",
            _number(form.get("scenario_seed"), "the seed of the scenarios", least=0) or 0,
        ),
        window=str(form.get("window") or ""),
        kg=str(form.get("kg") or "").strip(),
        # The page's own index was named on its command line, and only the bundled world is known to belong to it.
        index=str(form.get("index") or "").strip() or (str(settings.index) if own_index else ""),
    )


def _decimal(value: Any, what: str) -> float | None:
    if value in (None, ""):
        return None
    try:
        return float(str(value).strip().replace(",", "."))
    except ValueError:
        raise BadInput(f"{what} is {str(value)[:20]!r}: give a number") from None


def _number(value: Any, what: str, least: int = 1) -> int | None:
    if value in (None, ""):
        return None
    try:
        number = int(str(value).strip())
        if number < least:
            raise ValueError
    except ValueError:
        raise BadInput(f"{what} is {value!r}: give a whole number, {least} or more") from None
    return number


def _where(chosen: Any) -> tuple[str, ...]:
    return tuple(str(text) for text in chosen if "=" in str(text))


def without_filters(choice: RunChoice) -> RunChoice:
    """The same data whole, to see which labels there are."""
    data = replace(choice.data, where=(), ego=None, ids=(), sample=None, limit=None, degrade=())
    return replace(choice, data=data)
