"""The models of this machine in the panel "Model", as HTML: pure functions of values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.ui.html.escape import isolated, text
from assistant.ui.state.model_shelf import Job, Shelved, size_of, slow_words
from assistant.ui.state.model_switch import LocalLoad


@dataclass(frozen=True)
class Standing:
    """What is so for the whole list: names of the models that are in use, loaded, fetched, and asked about (`sure`)."""

    used: str = ""
    loading: str = ""
    fetching: str = ""
    sure: str = ""


def render_looking() -> str:
    """What stands there while the machine is looked at for the first time."""
    return '<p class="v-quiet">Looking at what fits this machine and what was fetched …</p>'


def render_shelf(rows: Sequence[Shelved], standing: Standing) -> str:
    """The list, then what else lies in the hub's cache, each with what can be done with it."""
    listed = [row for row in rows if row.known is not None]
    others = [row for row in rows if row.known is None]
    parts = [_group("Models for this machine", listed, standing)]
    if others:
        parts.append(_group("Also in the hub's cache on this machine", others, standing))
    return "".join(parts)


def render_jobs(load: LocalLoad | None, fetch: Job | None, test: Job | None) -> str:
    """What is under way, with a bar, and what came of the last of each; "" where there was nothing."""
    said = []
    if fetch is not None:
        said.append(_fetch(fetch))
    if test is not None:
        said.append(_test(test))
    if load is not None:
        said.append(_load(load))
    return f'<div class="v-local-jobs">{"".join(said)}</div>' if said else ""


def news_of(load: LocalLoad | None, fetch: Job | None, test: Job | None) -> tuple[str, ...]:
    """What ended jobs have to say, for those who hear the page."""
    words = (one.words for one in (fetch, test, load) if one is not None)
    return tuple(said for said in words if said)


def render_about(words: str) -> str:
    """What is known of the model that was typed."""
    return f'<p class="v-quiet">{isolated(words, 400)}</p>' if words else ""


def _group(title: str, rows: Sequence[Shelved], standing: Standing) -> str:
    cards = "".join(_card(row, standing) for row in rows)
    return f'<section class="v-shelf"><h3>{text(title)}</h3><ul>{cards}</ul></section>'


def _card(row: Shelved, standing: Standing) -> str:
    one, kind = row.known, "here" if row.state == "here" else row.state
    good = f"<p>{isolated(_sentence(one.good_for), 200)}.</p>" if one is not None else ""
    facts = [_size(row), *_need(row), *([one.licence] if one is not None else [])]
    listed = "".join(f"<li>{isolated(fact, 200)}</li>" for fact in facts)
    long = " v-model-fit--long" if row.slow or (row.fit is not None and not row.fit.fits) else ""
    slow = f'<p class="v-model-fit{long}">{isolated(_fit(row), 300)}</p>' if row.fit is not None else ""
    return (
        f'<li class="v-model v-model--{kind}"><div class="v-model-name"><h4>{isolated(row.name, 120)}</h4>'
        f'{_chip(row, standing)}</div>{good}<ul class="v-model-facts">{listed}</ul><div class="v-model-foot">{slow}'
        f"{_acts(row, standing)}</div></li>"
    )


def _size(row: Shelved) -> str:
    whole = f"{row.known.fetch_bytes / 1e9:.1f} GB" if row.known is not None else ""
    if row.state == "partly":
        return f"{size_of(row.bytes_here)} of {f'about {whole}' if whole else 'it'} fetched"
    return f"{size_of(row.bytes_here)} on the disk" if row.state == "here" else f"about {whole} to fetch"


def _need(row: Shelved) -> list[str]:
    """The memory that it takes; what there is too little of is said by `_fit`."""
    if row.fit is None or not row.fit.fits:
        return []
    return [row.fit.words.removeprefix("fits: ").partition(";")[0]]


def _fit(row: Shelved) -> str:
    """Whether it fits this machine, and how long an answer takes; with a warning where that is long."""
    if row.fit is None:
        return ""
    if not row.fit.fits:
        return f"Does not fit: it {row.fit.words}."
    if row.measured_s is not None:
        words = slow_words(row.measured_s, measured=True)
    elif row.fit.answer_s is None:
        return "Fits this machine, on the GPU."
    else:
        words = slow_words(row.fit.answer_s, measured=False)
    return f"Fits, but slow: {words[:1].lower()}{words[1:]}" if row.slow else f"Fits. {words}"


def _chip(row: Shelved, standing: Standing) -> str:
    if row.name == standing.used:
        kind, words = "used", "in use"
    elif row.name == standing.loading:
        kind, words = "busy", "being loaded"
    elif row.name == standing.fetching:
        kind, words = "busy", "being fetched"
    else:
        kind, words = (
            row.state,
            {"here": "on this machine", "partly": "fetched in part", "absent": "not fetched"}[row.state],
        )
    return f'<span class="v-chip-state v-chip-state--{kind}">{text(words)}</span>'


def _acts(row: Shelved, standing: Standing) -> str:
    if row.name == standing.sure:
        return (
            f'<div class="v-model-acts" role="group" aria-label="Remove {text(row.name, 120)}?"><p>Remove it, and free '
            f"{text(size_of(row.bytes_here))}?</p>{_button(row, 'removed', 'Yes, remove it')}"
            f"{_button(row, 'keep', 'Keep it')}</div>"
        )
    if row.name == standing.fetching:
        return ""
    acts = []
    if row.state == "here":
        if row.name not in (standing.used, standing.loading):
            acts.append(_button(row, "use", "Use"))
        acts.append(_button(row, "test", "Test"))
    else:
        acts.append(_button(row, "fetch", "Fetch the rest" if row.state == "partly" else "Fetch"))
    if row.state != "absent" and row.name not in (standing.used, standing.loading):
        acts.append(_button(row, "remove", "Remove"))
    return f'<div class="v-model-acts">{"".join(acts)}</div>'


def _button(row: Shelved, act: str, words: str) -> str:
    name = text(row.name, 200)
    kind = " v-model-act--first" if act in ("use", "fetch", "removed") else ""
    return (
        f'<button type="button" class="v-model-act{kind}" data-event="local" data-act="{act}" data-card="{name}" '
        f'data-key="local-{act}-{name}">{text(words)}<span class="v-sr"> {name}</span></button>'
    )


def _fetch(job: Job) -> str:
    if not job.going_on:
        return _ended(job.words, job.state)
    if job.stop.is_set():
        return _under_way(f"Stopping the fetch of {job.name} …", None, "Stopping")
    if not job.total:
        return _under_way(f"Asking the hub for {job.name} …", None, "Asking the hub")
    words = f"Fetching {job.name}: {size_of(job.done)} of {size_of(job.total)}"
    if (rate := job.bytes_per_s) is not None:
        words += f", {size_of(rate)} a second, {_left((job.total - job.done) / rate)}"
    return _under_way(f"{words}. It goes on when this page is closed.", job.done / job.total, f"Fetching {job.name}")


def _test(job: Job) -> str:
    if not job.going_on:
        return _ended(job.words, job.state)
    if job.share is None or job.share >= 0.99:
        return _under_way(f"Testing {job.name} …", None, f"Testing {job.name}")
    return _under_way(f"Testing {job.name}: loading it", job.share, f"Loading {job.name}")


def _load(load: LocalLoad) -> str:
    if load.state != "loading":
        return _ended(load.words, load.state)
    if load.share is None:
        return _under_way(f"Getting ready to load {load.name} …", None, f"Loading {load.name}")
    return _under_way(f"Loading {load.name}: {load.share:.0%}", load.share, f"Loading {load.name}")


def _under_way(words: str, share: float | None, label: str) -> str:
    percent = None if share is None else round(100 * min(max(share, 0.0), 1.0))
    now = "" if percent is None else f' aria-valuenow="{percent}"'
    width = "" if percent is None else f' style="width:{percent}%"'
    kind = " v-bar-track--open" if percent is None else ""
    return (
        f'<div class="v-notice v-notice--progress"><p>{isolated(words, 300)}</p><div class="v-bar-track{kind}" '
        f'role="progressbar" aria-valuemin="0" aria-valuemax="100"{now} aria-label="{text(label, 160)}"><span{width}>'
        "</span></div></div>"
    )


def _ended(words: str, state: str) -> str:
    kind = "error" if state == "failed" else "info"
    return f'<div class="v-notice v-notice--{kind}"><p>{isolated(words, 600)}</p></div>'


def _left(seconds: float) -> str:
    if seconds < 90:
        return f"{max(1, round(seconds))} s left"
    minutes = round(seconds / 60)
    return f"about {minutes} min left" if minutes < 90 else f"about {minutes / 60:.1f} h left"


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
