"""The list of runs and the head of one run, as HTML. Pure functions; every text of a run passes through `text`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from assistant.ui.html.escape import isolated, text
from eval.reports.headline import all_figures
from eval.reports.leaderboard import MOST_FAILED, too_many_failed
from eval.runs.trash import Deleted
from eval.ui.html.headline import between, render_all_figures, written
from eval.ui.html.imported import render_imported
from eval.ui.state.figures import bar, dot, duration, points, rate, share, span, stack
from eval.ui.state.rights import Rights
from eval.ui.state.run_state import Act, RunState
from eval.ui.state.running import SoFar

ACT_WORDS: dict[Act, str] = {
    "pause": "Pause",
    "run": "Go on",
    "cancel": "Cancel",
    "resume": "Resume",
    "stop": "Stop",
    "retry": "Try failed turns again",
    "delete": "Delete",
}
#: A deletion is told above the list for so long.
_MOMENT_S = 30.0
_LOUD = ("running", "preparing", "starting", "judging")


def render_list(runs: Sequence[RunState], rights: Rights, deleted: Sequence[Deleted] = (), now: float = 0.0) -> str:
    """All runs, latest first; each a button that opens it, with what can be done now beside it.

    Args:
        runs: what there is.
        rights: of the visitor.
        deleted: what can be put back, latest first.
        now: seconds since 1970; the deletion of a moment ago is told above the list.
    """
    note = f'<p class="v-notice" role="status">{text(rights.why)}</p>' if not rights.start else ""
    if rights.start and deleted and now - deleted[0].at < _MOMENT_S:
        told = f"<p>{isolated(deleted[0].name, 120)} was deleted.</p>{_put_back(deleted[0], 'Undo')}"
        note += f'<div class="v-notice b-undo" role="status">{told}</div>'
    below = _trash(deleted) if rights.start else ""
    if not runs:
        how = "Choose data, an agent and a judge under “New run”. " if rights.start else ""
        return (
            f'{note}<div class="v-empty b-empty"><p class="v-empty-lead">No runs yet.</p><p>{how}Runs work in '
            "processes of their own: this page can be closed while they go on. Runs from the command line stand here "
            f"too, when they lie under <code>runs/</code> in the data folder.</p></div>{below}"
        )
    items = "".join(_item(run, rights) for run in runs)
    working = sum(run.at_work for run in runs)
    count = f"{len(runs)} runs" if len(runs) != 1 else "1 run"
    told = f"{count}, {working} at work" if working else count
    return f'{note}<p class="b-count v-quiet">{told}</p><ul class="b-runs" aria-label="Runs">{items}</ul>{below}'


def _trash(deleted: Sequence[Deleted]) -> str:
    if not deleted:
        return ""
    items = "".join(f"<li><span>{isolated(one.name, 120)}</span>{_put_back(one, 'Put back')}</li>" for one in deleted)
    return (
        f'<details class="b-trash" data-key="trash"><summary>Deleted runs ({len(deleted)})</summary><p class="v-quiet">'
        f"Each can be put back for a day; then it goes for good.</p><ul>{items}</ul></details>"
    )


def _put_back(one: Deleted, words: str) -> str:
    entry = text(one.entry)
    return (
        f'<button type="button" class="b-act" data-act="put back" data-value="{entry}" data-key="{words}-{entry}" '
        f'aria-label="{words} {text(one.name)}">{words}</button>'
    )


def _item(run: RunState, rights: Rights) -> str:
    value = text(run.name)
    answers = run.options.get("answers") or {}
    agent = f"answers of {answers['file']}" if answers.get("file") else run.options.get("agent")
    what = " · ".join(str(part) for part in (agent, run.summary.info.get("judge")) if part)
    over = f"{run.data_name} · " if run.about.name and run.data_name else ""
    tags = "".join(f'<span class="b-label">{isolated(tag, 40)}</span>' for tag in run.about.tags)
    return (
        f'<li class="b-run b-run--{text(run.state)}"><button type="button" class="b-open" data-act="open" '
        f'data-value="{value}" data-key="open-{value}"><span class="b-title">{isolated(run.title, 120)}'
        f'<span class="b-what">{isolated(over + what, 160)}</span>{tags}</span>'
        f'<span class="b-name">{isolated(run.name, 120)}</span></button>'
        f'<div class="b-state">{_state(run)}</div><div class="b-figure">{_figure(run)}</div>'
        f'<div class="b-acts">{render_acts(run, rights)}</div></li>'
    )


def _state(run: RunState, role: str = "") -> str:
    tone = "loud" if run.state in _LOUD else "bad" if run.state in ("failed", "interrupted", "refused") else "calm"
    problem = f'<span class="b-problem">{isolated(run.problem, 300)}</span>' if run.problem else ""
    return f'<span class="b-tag b-tag--{tone}"{role}>{text(run.words)}</span>{problem}'


def _figure(run: RunState) -> str:
    done, total = run.summary.done, run.summary.total
    if run.at_work:
        if not total:
            return '<span class="v-quiet">reading data, opening the agent …</span>'
        progress = run.summary.progress or {}
        told = f"{done:,} of {total:,}"
        if run.state == "running":
            told += f" · {rate(progress.get('rate_per_s'))} · {duration(progress.get('eta_s'))} left"
        return f'{bar(done / max(1, total), "Turns answered")}<span class="v-quiet">{told}</span>'
    broken = _failed(run)
    if run.has_scores:
        figures = all_figures(run.summary.scores, run.summary.info)
        main = figures[0]
        drawn = dot(main.value, main.interval, main.name) if main.kind == "points" else ""
        name = ", ".join(filter(None, (text(main.name), between(main))))
        untold = int(run.summary.scores.get("n_without_truth") or 0)
        rest = f" · {untold:,} without a ground truth" if untold else ""
        return (
            f'{drawn}<span><b class="b-head-figure" title="{text(main.explanation)}">{written(main)}</b> '
            f'<span class="v-quiet">{name} · {_so_many(done, total)}{rest}</span></span>'
            f"{broken}{render_all_figures(figures, run.name)}"
        )
    return f'<span class="v-quiet">{_so_many(done, total)}, not scored</span>{broken}' if done or total else ""


def _so_many(done: int, total: int | None) -> str:
    return f"{done:,} of {total:,} turns" if total and done < total else f"{done:,} turns"


def _failed(run: RunState) -> str:
    """How many turns failed, loudly where the figures say more about that than about the agent."""
    failed = int(run.summary.scores.get("n_failed") or 0)
    if not failed:
        return ""
    loud = "b-problem" if too_many_failed(failed, run.summary.done) else "v-quiet"
    return f'<span class="{loud}">{failed:,} failed</span>'


def render_acts(run: RunState, rights: Rights) -> str:
    """The buttons for what can be done with a run now."""
    if not rights.start:
        return ""
    value = text(run.name)
    return "".join(
        f'<button type="button" class="b-act b-act--{act}" data-act="{act}" data-value="{value}" '
        f'data-key="{act}-{value}" aria-label="{ACT_WORDS[act]} {value}">{ACT_WORDS[act]}</button>'
        for act in run.acts
    )


def render_run_head(run: RunState, rights: Rights) -> str:
    """Which run it is, what was run, what it is doing, and the way back."""
    options, info = run.options, run.summary.info
    facts = {
        "data": run.data_name,
        "split": options.get("split"),
        "set": options.get("set"),
        "filters": _filters(options),
        "agent": options.get("agent"),
        "answers": (options.get("answers") or {}).get("file"),
        "pipeline": options.get("pipeline"),
        "model": (options.get("chat") or {}).get("model"),
        "strictness": options.get("strictness"),
        "risk allowed": options.get("risk"),
        "time limit per turn": f"{options['budget']:g} s" if options.get("budget") else None,
        "without": ", ".join(options.get("without") or ()) or None,
        "given the answer key’s": options.get("give"),
        "scenarios": _scenarios(options.get("handing")),
        "window": options.get("window"),
        "knowledge graph": options.get("kg"),
        "judge": info.get("judge"),
        "turns": f"{run.summary.total:,}" if run.summary.total else None,
        "rows left out": len(info.get("unusable") or ()) or None,
        "started": str(info.get("started") or "").replace("T", " ").removesuffix("+00:00") + " UTC"
        if info.get("started")
        else None,
    }
    told = "".join(f"<li>{name} <b>{isolated(value, 160)}</b></li>" for name, value in facts.items() if value)
    return (
        f'<div class="b-head" data-hash="run={text(run.name)}"><button type="button" class="v-act b-back" '
        f'data-act="back" data-key="back">← All runs</button><h2>{isolated(run.about.name or run.name, 120)}</h2>'
        f"{_said_of(run)}"
        f'<ul class="b-facts">{told}</ul>{render_imported(info)}</div>'
    )


def _scenarios(handing: Any) -> str | None:
    """Which evidence was handed over, in a few words."""
    if not isinstance(handing, Mapping):
        return None
    told = ", ".join(str(name) for name in handing.get("scenarios") or ())
    counts = ", ".join(str(n) for n in handing.get("distractors") or ())
    kinds = [
        f"{name} {handing[name]}" for name in ("positives", "negatives") if handing.get(name) not in (None, "both")
    ]
    return "; ".join(filter(None, (told, f"distractors {counts}" if counts else "", *kinds)))


def _said_of(run: RunState) -> str:
    """Tags and note, and the folder's name where the run has one of its own."""
    tags = "".join(f'<span class="b-label">{isolated(tag, 40)}</span>' for tag in run.about.tags)
    folder = f'<span class="b-name">{isolated(run.name, 120)}</span>' if run.about.name else ""
    note = f'<p class="b-note">{isolated(run.about.note)}</p>' if run.about.note else ""
    return f'<p class="b-called">{folder}{tags}</p>{note}' if folder or tags or note else ""


def render_broken(n_failed: int, n: int) -> str:
    """Before the figures of a run in which much failed; nothing elsewhere."""
    if not too_many_failed(n_failed, n):
        return ""
    return (
        f'<p class="v-notice v-notice--error" role="alert">{n_failed:,} of {n:,} turns failed, more than '
        f"{100 * MOST_FAILED:.0f} %: these figures say more about what broke than about the agent. They count "
        "as missing, and the run stands on no leaderboard.</p>"
    )


def render_trust(sentence: str) -> str:
    """How far the scores' judge is to be trusted, above them; nothing where nobody has put it on trial."""
    return f'<p class="b-trust">{text(sentence).replace(" %", "&nbsp;%")}</p>' if sentence else ""


def _filters(options: Mapping[str, Any]) -> str:
    parts = [*(options.get("where") or ()), *(options.get("degrade") or ())]
    if options.get("ego") is not None:
        parts.append("egocentric" if options["ego"] else "not egocentric")
    if options.get("sample"):
        parts.append(f"{options['sample']} at random, seed {options.get('sample_seed') or 0}")
    if options.get("limit"):
        parts.append(f"first {options['limit']}")
    if options.get("ids"):
        parts.append(str(options["ids"]))
    return ", ".join(str(part) for part in parts)


def render_watch(
    run: RunState, so_far: SoFar | None, failures: Sequence[tuple[int, str]], log: str, rights: Rights
) -> str:
    """What a run is doing: how far, how fast, how well so far, what went wrong, what its process said."""
    progress = run.summary.progress or {}
    done, total = run.summary.done, run.summary.total or 0
    acts = render_acts(run, rights)
    state = _state(run, ' role="status"')
    head = f'<div class="b-watch-head"><div>{state}</div><div class="b-acts">{acts}</div></div>'
    how_far = ""
    if total and (run.at_work or done < total):
        how_far = f"{bar(done / total, 'Turns answered')}"
    cells = [("turns", f"{done:,} of {total:,}" if total else f"{done:,}")]
    if run.at_work and run.state != "starting":
        cells += [("rate", rate(progress.get("rate_per_s"))), ("left", duration(progress.get("eta_s")))]
        if progress.get("waiting"):
            cells.append(("waiting for the endpoint", f"{progress['waiting']:,}"))
        if (progress.get("calls_at_once") or 1) > 1:
            cells.append(("concurrency", f"{progress['calls_at_once']:,}"))
    if run.state == "judging" and progress.get("to_judge"):
        cells.append(("judged", f"{progress.get('judged') or 0:,} of {progress['to_judge']:,}"))
        how_far = bar((progress.get("judged") or 0) / progress["to_judge"], "Turns judged")
    cells.append(("failed", f"{sum(n for n, _ in failures):,}"))
    spent = run.summary.info.get("spent") or {}
    if cached := progress.get("cached") or spent.get("cached"):
        cells.append(("from the cache", f"{cached:,}"))
    if cost := progress.get("cost") or spent.get("cost"):
        cells.append(("cost", f"{cost:.4f} $"))
    if retries := progress.get("retries") or run.summary.info.get("retries"):
        cells.append(("retries", f"{retries:,}"))
    grid = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in cells)
    return (
        f'<section class="b-watch" aria-label="Progress">{head}{how_far}<dl class="b-cells">{grid}</dl>'
        f"{_so_far(run, so_far)}{_failures(failures)}{_log(log)}</section>"
    )


def _so_far(run: RunState, so_far: SoFar | None) -> str:
    if so_far is None or so_far.figures is None or (run.has_scores and not run.at_work):
        return ""
    figures = so_far.figures
    parts = {"right": figures["accuracy"], "missing": figures["missing"], "wrong": figures["hallucination_rate"]}
    found = figures["intervals"]["truthfulness"]
    few = " b-few" if figures["few"] else ""
    turns = "1 turn" if so_far.n == 1 else f"{so_far.n:,} turns"
    behind = f", {so_far.of - so_far.n:,} still to be looked at" if so_far.n < so_far.of else ""
    return (
        f'<div class="b-so-far{few}"><h3>Truthfulness so far</h3><div class="b-big">{points(figures["truthfulness"])}'
        f'<span class="b-range">{span(found)}</span></div>{dot(figures["truthfulness"], found)}{stack(parts)}'
        f'<p class="v-quiet">An estimate by the {text(so_far.judge)} judge over {turns}{behind}: right '
        f"{share(parts['right'])}, “I don’t know” {share(parts['missing'])}, wrong {share(parts['wrong'])}; each turn "
        "counts alone. The run’s own judge comes last.</p></div>"
    )


def _failures(failures: Sequence[tuple[int, str]]) -> str:
    if not failures:
        return ""
    items = "".join(f"<li><b>{n:,} ×</b> {isolated(sentence, 300)}</li>" for n, sentence in failures)
    return f'<div class="b-failures"><h3>Failed turns</h3><ul>{items}</ul></div>'


def _log(log: str) -> str:
    if not log:
        return ""
    return (
        '<details class="b-log" data-key="log"><summary>Log</summary>'
        f'<pre tabindex="0">{text(log, 8000)}</pre></details>'
    )
