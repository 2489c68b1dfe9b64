"""What a run, or judging one again, would take: prices of the settings, times and tokens of earlier runs.

Nothing is asked of an endpoint for it. Where no earlier run tells, `eval.metrics.power`'s guesses stand, and it is
said.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from assistant.models.chat.request import Prices as ChatPrices
from assistant.settings import Settings
from eval.agents.factory import CONCURRENCY
from eval.data.samples import Data
from eval.judges.registry import MODEL_JUDGES
from eval.metrics.power import Prices, estimate
from eval.ui.state.figures import money
from eval.ui.state.run_form import RunChoice
from eval.ui.state.run_state import RunState


@dataclass(frozen=True)
class Forecast:
    """`figures`: see `eval.metrics.power.estimate`. `why`: where times, tokens and prices come from. `priced`: they are
    set.
    """

    figures: dict[str, Any]
    why: str
    priced: bool


def forecast(choice: RunChoice, data: Data, settings: Settings, runs: Iterable[RunState]) -> Forecast:
    """What the chosen run would be."""
    known = list(runs)
    asks_model = choice.agent == "chat" or ":" in choice.agent
    asks_judge = choice.judge_for(data) in MODEL_JUDGES
    prices = Prices(
        calls_per_turn=1.0 if asks_model else 0.0,
        judge_calls_per_turn=float(max(1, len(choice.judge_models))) if asks_judge else 0.0,
    )
    prices = _asked_at_most(prices, choice.judge_for(data))
    said = []
    if (set_ := settings.chat_prices) is not None:
        prices = _judges_at(set_, prices)
        if choice.agent == "chat":
            prices = replace(prices, per_million_input=set_.prompt_per_million,
                             per_million_output=set_.completion_per_million)  # fmt: skip
        if choice.agent == "chat" or asks_judge:
            said.append(
                f"Prices as set: {set_.prompt_per_million:g} $ a million tokens read, "
                f"{set_.completion_per_million:g} $ written."
            )
    if choice.agent == "chat":
        prices, words = _with_tokens(prices, choice, known)
        said.append(words)
    if asks_judge:
        prices, words = _with_judge_tokens(prices, known)
        said.append(words)
        if choice.judge_for(data) == "lexical+llm":
            said.append(_AT_MOST)
    seconds, words = _seconds(choice.agent, known)
    said.append(words)
    figures = estimate(
        sum(len(sample.turns) for sample in data.samples),
        len(data.samples),
        prices=replace(prices, seconds_per_turn=seconds),
        concurrency=choice.concurrency or CONCURRENCY.get(choice.agent, 1),
    )
    return Forecast(figures, " ".join(said), set_ is not None)


#: What is said where the number of calls is only known once the offline judge has been through.
_AT_MOST = "Fewer in truth: only turns that lexical is not sure of are asked about."


def judging_words(n_turns: int, judge: str, models: int, settings: Settings, runs: Iterable[RunState]) -> str:
    """What judging so many turns by so many models would take, in one line."""
    prices = _asked_at_most(Prices(calls_per_turn=0.0, judge_calls_per_turn=float(models)), judge)
    prices, words = _with_judge_tokens(prices, list(runs))
    if (set_ := settings.chat_prices) is not None:
        prices = _judges_at(set_, prices)
    found = estimate(n_turns, max(1, n_turns), prices=prices)
    cost = money(found["cost"]) if set_ is not None else "cost unknown: no prices are set"
    about, why = ("At most", f" {_AT_MOST}") if judge == "lexical+llm" else ("About", "")
    return f"{about} {found['judge_calls']:,} calls, {cost}. {words}{why} What was asked before is not asked again."


def _asked_at_most(prices: Prices, judge: str) -> Prices:
    """How many turns the offline judge leaves to the model is not known before: all, at most."""
    return replace(prices, judged=1.0) if judge == "lexical+llm" else prices


def _judges_at(set_: ChatPrices, prices: Prices) -> Prices:
    return replace(
        prices,
        judge_per_million_input=set_.prompt_per_million,
        judge_per_million_output=set_.completion_per_million,
    )


def _with_tokens(prices: Prices, choice: RunChoice, runs: Iterable[RunState]) -> tuple[Prices, str]:
    """Tokens a call as in the latest run that asked the same model, else any."""
    asked = [(run, spent) for run in runs if run.options.get("agent") == "chat" and (spent := _spent(run))]
    same = [one for one in asked if (one[0].options.get("chat") or {}).get("model") == choice.model]
    for run, (read, written, turns) in (same or asked)[:1]:
        return replace(prices, input_tokens=round(read / turns), output_tokens=round(written / turns)), (
            f"Tokens a call: {read / turns:,.0f} read, {written / turns:,.0f} written, as in {run.name}."
        )
    return prices, f"Tokens a call: guessed, {prices.input_tokens:,} read and {prices.output_tokens} written."


def _spent(run: RunState) -> tuple[float, float, int] | None:
    """Tokens read, written, and the turns that took them; None where the run does not know."""
    spent = run.summary.info.get("spent") or {}
    turns = run.summary.done - (spent.get("cached") or 0)
    read, written = spent.get("prompt_tokens") or 0, spent.get("completion_tokens") or 0
    return (read, written, turns) if read and turns > 0 else None


def _with_judge_tokens(prices: Prices, runs: Iterable[RunState]) -> tuple[Prices, str]:
    for run in runs:
        for part in run.summary.scores.get("judging") or ():
            spent = part.get("spent") or {}
            calls, read = spent.get("calls") or 0, spent.get("prompt_tokens") or 0
            if calls and read:
                written = spent.get("completion_tokens") or 0
                told = f"{read / calls:,.0f} read, {written / calls:,.0f} written"
                used = replace(
                    prices, judge_input_tokens=round(read / calls), judge_output_tokens=round(written / calls)
                )
                return used, f"Tokens a judging call: {told}, as in {run.name}."
    guessed = f"{prices.judge_input_tokens:,} read and {prices.judge_output_tokens} written"
    return prices, f"Tokens a judging call: guessed, {guessed}."


def _seconds(agent: str, runs: Iterable[RunState]) -> tuple[float | None, str]:
    """Seconds a turn of the latest run with the same agent, and where that comes from."""
    for run in runs:
        ms = run.summary.scores.get("median_ms")
        if run.options.get("agent") == agent and isinstance(ms, int | float):
            return ms / 1000, f"Time: {ms / 1000:.2f} s a turn, as in {run.name}."
    return None, "Time: not known before a first run with this agent."
