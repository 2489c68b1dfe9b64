"""A judge as it is chosen on the page: checked as the command does, and turned into the command's arguments.

Used by the form for a new run and by "Judge again". Endpoint and key are those of the settings: neither is typed on the
page, and the key is nowhere shown or stored.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assistant.core.errors import BadInput
from assistant.models.chat.request import PUBLIC_BASE_URL
from assistant.settings import Settings, read_settings
from eval.judges.options import llm_choice
from eval.judges.prompts import PromptLabels
from eval.judges.registry import JUDGES, MODEL_JUDGES, check_judge

#: Which labels a judging model gives, as a form offers them.
LABEL_CHOICES = [("the benchmark’s", ""), ("crag", "crag"), ("simpleqa", "simpleqa")]


@dataclass(frozen=True)
class ChosenJudge:
    """`name` "" is the data's own. `models`, `labels` and `fresh` (ask again what was asked before) are for those of
    `MODEL_JUDGES`; labels None are the benchmark's own.
    """

    name: str
    models: tuple[str, ...] = ()
    labels: PromptLabels | None = None
    fresh: bool = False

    def arguments(self) -> list[str]:
        """As `eval run` and `eval judge` take them."""
        found = [f"--judge={self.name}"] if self.name else []
        found += [f"--judge-model={model}" for model in self.models if self.name in MODEL_JUDGES]
        if self.name in MODEL_JUDGES:
            found += [f"--judge-labels={self.labels}"] if self.labels else []
            found += ["--judge-fresh"] if self.fresh else []
        return found

    def check(self, world: Path | None, data_dir: Path | None) -> None:
        """Refuse what the command would refuse.

        Raises:
            BadInput: a judge that does not fit the data, models for one that asks none.
            NotReady: no endpoint is configured.
        """
        check_judge(self.name, world)
        if self.name in MODEL_JUDGES:
            settings = read_settings(profile="embedded", data_dir=data_dir)
            llm_choice(settings, self.models, labels=self.labels or "crag", name=self.name)
        elif self.models:
            raise BadInput(
                f"the judge {self.name!r} asks no model: leave the judging model out or choose another judge"
            )


def read_judge(name: str, models: str, labels: str, fresh: bool, settings: Settings) -> ChosenJudge:
    """What a form says. A judging model that is left out is the page's own, which the process might not know.

    Raises:
        BadInput: there is no such judge.
    """
    if name and name not in JUDGES:
        raise BadInput(f"there is no judge {name!r}: choose one of {', '.join(JUDGES)}")
    wanted = tuple(model.strip() for model in (models or "").split(",") if model.strip())
    if name in MODEL_JUDGES and not wanted:
        wanted = (settings.chat_model,)
    known: dict[str, PromptLabels] = {"crag": "crag", "simpleqa": "simpleqa"}
    return ChosenJudge(name, wanted, known.get(labels), fresh)


def endpoint_words(settings: Settings, show_address: bool) -> str:
    """Who is asked by the agent `chat` and the judges of `MODEL_JUDGES`: one sentence for the form."""
    if not settings.chat_configured:
        return (
            "The agent chat and the judges llm and lexical+llm have nobody to ask yet: set OPENAI_BASE_URL (any "
            "OpenAI-compatible server) or OPENAI_API_KEY and start the page again."
        )
    address = settings.base_url or PUBLIC_BASE_URL
    where = f"the endpoint at {address}" if show_address else "the endpoint of this page"
    key = "with the key of the environment" if settings.api_key else "without a key"
    who = "The agent chat and the judges llm and lexical+llm"
    return f"{who} ask {where}, {key}; unless you name another model, {settings.chat_model}."
