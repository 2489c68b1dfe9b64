"""With a model that errs as stated: `vitrine` against the presets, and what strictness and the limit of risk take away.

Everything is drawn from seeds, so a failure is a change in what the pipelines do. `python -m tests.bench rates` is the
same over more turns and all settings.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from assistant.models.protocol import Prompt
from assistant.pipelines.prompts import Prompts
from tests.assistant.pipelines.erring_model import DECLINES, STATED, ErringModel, kind_of, strictness_of
from tests.assistant.pipelines.erring_world import NOBODY, Known, Need, asked_of
from tests.assistant.pipelines.rates import PRESETS, RISK, Figures, Setting, Stage, write_stage

TRUTH, WRONG = "It weighs 3 kg.", tuple(f"It weighs {n} kg." for n in (4, 5))
EVIDENCE = "[1] about Harrow Kettle: colour: blue\n[2] about Harrow Kettle: weight: 3 kg"
DRAWS = 2_000


def known(n: int, **more: object) -> Known:
    fields = {
        "id": f"q{n}",
        "question": "How heavy is it?",
        "standalone": "How heavy is Harrow Kettle?",
        "thing": "Harrow Kettle",
        "others": NOBODY[:2],
        "truth": TRUTH,
        "wrong": WRONG,
        "needs": ((Need(("about Harrow Kettle: weight: ",)),),),
        "names": False,
        "read": False,
        "is_right": lambda answer: answer == TRUTH,
    }
    return Known(**{**fields, **more})  # type: ignore[arg-type]


def share(prompt: Prompt, holds: Callable[[str], bool], **more: object) -> float:
    """Of so many questions that share of the replies for which something holds."""
    return sum(holds(ErringModel(known(n, **more)).ask(prompt).reply.text) for n in range(DRAWS)) / DRAWS


def asks(text: str, rules: str = "", *, sees: bool = True) -> Prompt:
    messages = [{"role": "system", "content": rules}] if rules else []
    return Prompt([*messages, {"role": "user", "content": text}], (b"picture",) if sees else (), first_token=True)


# the model


def test_a_request_is_told_by_its_own_words():
    texts = Prompts.load().texts
    kinds = {"look-up": "name", "web-query": "query", "kdd-queries": "queries", "kdd-rank": "rank", "verify": "verify"}
    assert {name: kind_of(texts[name]) for name in kinds} == kinds
    assert {kind_of(texts[name]) for name in ("system", "kdd-answer")} == {"answer"}
    stated = ("none", "soft", "moderate", "severe")
    assert tuple(strictness_of(texts[f"strictness-{name}"]) for name in stated) == stated
    assert strictness_of(texts["kdd-answer"]) == "moderate"


def test_the_model_errs_as_often_as_is_stated():
    rules = Prompts.load().texts
    at = {name: rules[f"strictness-{name}"] for name in ("none", "severe")}
    near = pytest.approx
    assert share(asks(EVIDENCE, at["none"]), lambda t: t == "It weighs 3 kg [2].") == near(STATED.reads, abs=0.03)
    wrong = share(asks(EVIDENCE, at["none"]), lambda t: "3 kg" not in t and t != DECLINES)
    assert wrong == near(STATED.misreads + STATED.invents, abs=0.02)
    for name, rule in at.items():
        declined = share(asks("How heavy is it?", rule), DECLINES.__eq__)
        assert declined == near((1 - STATED.recalls) * (1 - STATED.guesses[name]), abs=0.03)  # type: ignore[index]
    marked = share(asks("How heavy is it?", at["none"]), lambda t: t.endswith("[memory]."))
    share_of_memory = STATED.marks[0] / sum(STATED.marks)
    assert marked == near((STATED.recalls + (1 - STATED.recalls) * STATED.guesses["none"]) * share_of_memory, abs=0.03)
    named = share(asks(rules["look-up"]), lambda t: "thing: Harrow Kettle" in t)
    assert named == near(STATED.names, abs=0.03)
    for draft, rate in ((TRUTH, STATED.false_alarms), (WRONG[0], STATED.detects)):
        text = rules["verify"].replace("$answer", draft)
        assert share(asks(text), "no".__eq__) == near(rate, abs=0.03)
    signs = share(
        asks("What is written there?", at["none"]), lambda t: t == "It weighs 3 kg [picture].", read=True, needs=()
    )
    assert signs == near(STATED.reads_picture + 0.35 * STATED.recalls * 0.2, abs=0.04)


def test_the_model_is_the_same_whoever_asks_and_another_with_another_seed():
    prompt = asks("How heavy is it?")
    one = [ErringModel(known(n)).ask(prompt).reply for n in range(50)]
    assert one == [ErringModel(known(n)).ask(prompt).reply for n in range(50)]
    assert one != [ErringModel(known(n), seed=1).ask(prompt).reply for n in range(50)]


# the pipelines


@pytest.fixture(scope="module")
def play(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Setting], Figures]:
    """The figures of a setting over the same turns, each setting played once."""
    world, index = write_stage(tmp_path_factory.mktemp("rates"), seed=21, entities=60)
    stage, asked = Stage(world, index), asked_of(world, questions=8, conversations=2)
    kept: dict[Setting, Figures] = {}

    def figures(setting: Setting) -> Figures:
        if setting not in kept:
            kept[setting] = stage.play(asked, setting, seeds=range(3))
            assert kept[setting].failed == 0
            assert kept[setting].n >= 90
        return kept[setting]

    return figures


@pytest.mark.slow
def test_vitrine_is_worth_more_than_each_preset(play):
    """With what it has and they lack: it looks a second time and holds back what is too risky."""
    ours = play(Setting("vitrine", risk=RISK))
    for preset in PRESETS:
        assert ours.truthfulness > play(Setting(preset)).truthfulness, preset


@pytest.mark.slow
@pytest.mark.parametrize("risk", [None, RISK])
def test_at_severe_at_most_a_quarter_of_the_wrong_answers_are_left(play, risk):
    loose, strict = play(Setting("vitrine", "none")), play(Setting("vitrine", "severe", risk))
    assert loose.count("wrong") >= 20  # else a quarter says little
    assert strict.count("wrong") <= loose.count("wrong") / 4
    assert strict.count("correct") >= loose.count("correct") / 2  # silence alone would keep the promise, too


@pytest.mark.slow
def test_without_the_check_the_promise_is_broken(play):
    """The check keeps the promise, not the model's own restraint."""
    loose, unchecked = (
        play(Setting("vitrine", "none")),
        play(Setting("vitrine", "severe", without=frozenset({"check"}))),
    )
    assert unchecked.count("wrong") > loose.count("wrong") / 4


@pytest.mark.slow
def test_answers_that_are_held_back_first_are_the_wrong_ones(play):
    curve = play(Setting("vitrine", "none")).as_json()["risk_coverage"]
    surest = next(point for point in curve["points"] if point["coverage"] >= 0.3)
    assert surest["risk"] < curve["points"][-1]["risk"] / 2
    assert curve["aurc"] < curve["wrong"]  # what the order of chance would give
