"""What each rule of the embedded reader is worth: right minus wrong without it, on worlds asked in other words.

`python -m tests.bench ablation [--work DIR] [--rules NAME ...] [--seeds N ...]`. The entity is handed in and no picture
is shown, so this measures understanding and reading alone; what is read off signs is measured by `signs`. First every
turn is asked with all rules, noting which of them did anything; then, for each rule, only the conversations in which it
did are asked again without it. Half the width of the interval comes from resampling conversations (95 %).
"""

from __future__ import annotations

import argparse
import importlib
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from assistant.core.types import Conversation
from assistant.factory import open_index
from assistant.reading.operations import registry
from assistant.reading.scoring import cross_encoder
from assistant.settings import read_settings
from assistant.text import encoder
from eval.data.datasets import load
from eval.data.gold import given, read_gold
from eval.data.samples import FAILED, Sample
from eval.judges.registry import make_judge
from tests.golden.recorder import TODAY, answered, write_world

#: Seed → whose words its questions are asked in; nobody has read what they fail at.
WORLDS = {431: "eleventh", 432: "twelfth", 433: "fourteenth", 434: "fifteenth", 435: "sixteenth"}
ENTITIES = 100
VALUE = {"correct": 1, "wrong": -1}

#: What a function of a rule gives when the rule is off: its first argument, the first two, or a constant.
FIRST, FIRST_TWO = object(), object()
_UNDERSTANDING, _READING = "assistant.understanding", "assistant.reading"
_SCORING = f"{_READING}.scoring"
#: Rules beside the operations: name → the functions that make it up, each with what it gives when off.
RULES: dict[str, dict[str, Any]] = {
    "preamble": {
        f"{_UNDERSTANDING}.preamble.without_tail": FIRST,
        f"{_UNDERSTANDING}.preamble.without_reason": FIRST,
        f"{_UNDERSTANDING}.preamble.unwrapped": FIRST,
        f"{_UNDERSTANDING}.preamble.with_claim": FIRST,
    },
    "compound_question": {f"{_UNDERSTANDING}.compound_question.parts": ()},
    "normalise_pointing": {f"{_UNDERSTANDING}.classifiers.pointing.normalise_pointing": FIRST},
    "pointing_left_out": {f"{_UNDERSTANDING}.pointing.phrases.pointing_left_out": FIRST},
    "conditions": {f"{_UNDERSTANDING}.intent.with_condition": FIRST},
    "multiplied": {f"{_UNDERSTANDING}.plan._multiplied": FIRST},
    "groups": {f"{_UNDERSTANDING}.reference.groups.find_group": None},
    "relatives": {f"{_UNDERSTANDING}.reference.relatives.relatives": ()},
    "first_subject": {f"{_UNDERSTANDING}.reference.focus.first_subject": ""},
    "follow_up": {f"{_UNDERSTANDING}.follow_up.complete_follow_up": FIRST_TWO},
    "follow_up_unit": {f"{_UNDERSTANDING}.follow_up.converts_to": None},
    "substitution": {f"{_UNDERSTANDING}.substitution.replaced": FIRST},
    "implied_choice": {f"{_UNDERSTANDING}.implied_operation.as_choice_of_two": FIRST},
    "implied_one": {f"{_UNDERSTANDING}.implied_operation.of_one": FIRST},
    "naming_patterns": {f"{_UNDERSTANDING}.naming.asks_name": False},
    "naming_classifier": {f"{_UNDERSTANDING}.plan._means_the_name": False},
    "asks_property": {f"{_UNDERSTANDING}.implied_operation.asks_property": False},
    **{
        f"scale_{name}": {f"{_UNDERSTANDING}.degrees.{name}": None}
        for name in ("of_participle", "of_richness", "of_need", "of_content")
    },
    "vetoes": {f"{_SCORING}.vetoes.relevance_factor": 1.0},
    "multi_hop": {f"{_READING}.multi_hop.follow_relations": ()},
    "makers": {f"{_READING}.makers.asks_maker": False},
    "names_in_view": {f"{_READING}.names_in_view.fact_through_frame": None},
    "grounding": {f"{_READING}.grounding.grounding_problem": ""},
}


def _function(path: str) -> Callable[..., Any]:
    module, name = path.rsplit(".", 1)
    found: Callable[..., Any] = getattr(importlib.import_module(module), name)
    return found


@contextmanager
def _in_place(path: str, other: Callable[..., Any]) -> Iterator[None]:
    """`other` stands wherever a module of the assistant holds the function at `path`."""
    function = _function(path)
    held = [
        (module, name)
        for key, module in list(sys.modules.items())
        if key.startswith("assistant.")
        for name, value in list(vars(module).items())
        if value is function
    ]
    for module, name in held:
        setattr(module, name, other)
    try:
        yield
    finally:
        for module, name in held:
            setattr(module, name, function)


def _given_when_off(off: Any, args: Sequence[Any]) -> Any:
    return args[0] if off is FIRST else tuple(args[:2]) if off is FIRST_TWO else off


def _switched_off(off: Any) -> Callable[..., Any]:
    return lambda *args, **named: _given_when_off(off, args)


def _watched(function: Callable[..., Any], off: Any, rule: str, fired: set[str]) -> Callable[..., Any]:
    def watched(*args: Any, **named: Any) -> Any:
        found = function(*args, **named)
        if found != _given_when_off(off, args):
            fired.add(rule)
        return found

    return watched


@contextmanager
def without(rule: str) -> Iterator[None]:
    """The assistant with one rule off; an operation is left out of the registry."""
    if rule in RULES:
        with ExitStack() as stack:
            for path, off in RULES[rule].items():
                stack.enter_context(_in_place(path, _switched_off(off)))
            yield
        return
    kept = registry.OPERATIONS
    registry.perform.__defaults__ = (tuple(o for o in kept if o.name != rule),)
    try:
        yield
    finally:
        registry.perform.__defaults__ = (kept,)


@contextmanager
def noting(fired: set[str]) -> Iterator[None]:
    """The assistant as it is; `fired` gets the name of each rule that does anything."""
    kept = registry.OPERATIONS

    def noted(operation: registry.Operation) -> registry.Operation:
        def run(plan: Any, finder: Any) -> Any:
            found = operation.run(plan, finder)
            if found is not None:
                fired.add(operation.name)
            return found

        return registry.Operation(operation.name, run, operation.one_subject)

    with ExitStack() as stack:
        for rule, functions in RULES.items():
            for path, off in functions.items():
                stack.enter_context(_in_place(path, _watched(_function(path), off, rule, fired)))
        registry.perform.__defaults__ = (tuple(map(noted, kept)),)
        try:
            yield
        finally:
            registry.perform.__defaults__ = (kept,)


class World:
    """One world with its assistant and judge."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.path, index = write_world(seed, WORLDS[seed], folder, ENTITIES)
        self.gold = read_gold(self.path)
        self.judge = make_judge("typed", self.path, self.gold)
        with tempfile.TemporaryDirectory() as empty:
            settings = read_settings(profile="embedded", data_dir=Path(empty), index=index, environ={})
            self.assistant = open_index(index, settings, for_run=True)
        self.assistant._today = lambda: TODAY
        self.samples: list[Sample] = list(load(str(self.path), split="all", set_="both").samples)

    def ask(self, sample: Sample) -> list[int]:
        """+1, 0 or -1 for each turn of one conversation."""
        conversation, values = Conversation(sample.session_id), []
        for asked in sample.turns:
            handed = given(self.gold.get(asked.interaction_id), "entity")
            turn = answered(self.assistant.answer(conversation, asked.query, None, given=handed))
            conversation = conversation.with_turn(turn)
            if turn.answer.status in FAILED:
                values.append(0)
                continue
            line = {
                "interaction_id": asked.interaction_id,
                "query": asked.query,
                "ground_truth": asked.ground_truth,
                "agent_response": turn.answer.text,
                "status": turn.answer.status,
            }
            values.append(VALUE.get(self.judge(line).verdict or "", 0))
        return values


def half_width(changes: Sequence[int], turns: int, resamples: int = 2000) -> float:
    """Half the 95 % interval of the mean change a turn, conversations drawn anew; `changes` are their sums."""
    values = np.array(changes, float)
    drawn = np.random.default_rng(0).integers(0, len(values), (resamples, len(values)))
    low, high = np.percentile(values[drawn].sum(axis=1) / turns, [2.5, 97.5])
    return float(high - low) / 2


def run(arguments: list[str]) -> dict[str, Any]:
    parser = argparse.ArgumentParser(prog="python -m tests.bench ablation", description=__doc__)
    parser.add_argument("--work", type=Path, help="keep worlds and indexes here, and use those that are there")
    parser.add_argument("--rules", nargs="*", help="only these; all when left out")
    parser.add_argument("--seeds", type=int, nargs="*", default=list(WORLDS))
    args = parser.parse_args(arguments)
    # The same questions are asked again and again: what was read once is not read again.
    encoder._CACHED_TEXTS = cross_encoder._CACHED_PAIRS = 400_000
    with tempfile.TemporaryDirectory() as empty:
        folder = args.work or Path(empty)
        folder.mkdir(parents=True, exist_ok=True)
        return _measured([World(seed, folder) for seed in args.seeds], args.rules)


def _measured(worlds: Sequence[World], rules: Sequence[str] | None) -> dict[str, Any]:
    base: list[list[int]] = []
    conversations: list[tuple[World, Sample]] = []
    did: dict[str, list[int]] = defaultdict(list)
    for world in worlds:
        for sample in world.samples:
            fired: set[str] = set()
            with noting(fired):
                base.append(world.ask(sample))
            if len(base) % 25 == 0:
                print(f"  {len(base)} conversations asked", flush=True)
            for rule in fired:
                did[rule].append(len(conversations))
            conversations.append((world, sample))
    turns = sum(map(len, base))
    right, wrong = (sum(v == value for values in base for v in values) for value in (1, -1))
    print(f"{turns} turns, {right} right, {wrong} wrong")
    names = rules or [*RULES, *(o.name for o in registry.OPERATIONS)]
    found: dict[str, Any] = {}
    for rule in names:
        changes = [0] * len(conversations)
        lost = gained = 0
        with without(rule):
            for at in did.get(rule, []):
                world, sample = conversations[at]
                now = world.ask(sample)
                changes[at] = sum(now) - sum(base[at])
                lost += sum(b == 1 and n != 1 for b, n in zip(base[at], now, strict=True))
                gained += sum(b != -1 and n == -1 for b, n in zip(base[at], now, strict=True))
        found[rule] = {
            "conversations": len(did.get(rule, [])),
            "right_lost": lost,
            "wrong_more": gained,
            "points": round(100 * sum(changes) / turns, 2),
            "half_width": round(100 * half_width(changes, turns), 2),
        }
        print(f"  {rule:<24} {found[rule]}", flush=True)
    return {"turns": turns, "right": right, "wrong": wrong, "rules": found}
