"""What an agent of ours is opened with for a run."""

from __future__ import annotations

import itertools

import pytest

from assistant.core.errors import BadInput
from assistant.core.types import Conversation
from assistant.factory import open_assistant
from assistant.settings import read_settings
from eval.agents.factory import AgentChoice, asked_where, open_agent, settings_for
from eval.data import datasets


@pytest.mark.slow
@pytest.mark.parametrize("for_run", [True, False])
def test_a_slow_machine_changes_no_answer_of_a_run(small_world, small_index, tmp_path, for_run):
    """Where each look at the clock comes 20 s after the last one, the page's user has left; nobody left a run."""
    settings = read_settings(profile="embedded", data_dir=tmp_path, index=small_index, environ={})
    sample = datasets.load(str(small_world), "all", "single").samples[0]
    ticks = itertools.count(step=20.0)
    if for_run:
        answer = open_agent(AgentChoice("embedded"), settings, small_world, None)._answer
    else:
        answer = open_assistant(settings).answer
    answer.__self__._clock = lambda: float(next(ticks))
    *_, finished = answer(Conversation("c"), sample.turns[0].query, sample.frame())
    assert (finished.turn.answer.status == "timeout") is not for_run


def test_a_local_model_is_named_and_recorded(tmp_path):
    (tmp_path / "config.json").write_text('{"model_type": "smolvlm"}')
    choice = AgentChoice("local", model=str(tmp_path))
    choice.check()
    settings = settings_for(choice, data_dir=tmp_path, index=None)
    assert asked_where(choice, settings) == {"endpoint": "this machine", "model": tmp_path.name}
    assert choice.concurrency == 1
    with pytest.raises(BadInput, match="--agent local"):
        AgentChoice("embedded", model="x").check()
