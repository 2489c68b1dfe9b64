"""Projects as HTML: the list, the head of one, its items whose answer is known, what goes with a person.

Pure functions; what people and data say is inert text.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from assistant.ui.html.escape import isolated, text
from eval.annotate.values import GRADES, Item, Project
from eval.ui.state.figures import DASH, bar, share
from eval.ui.state.project_view import Gone, ProjectView, Worker

#: So many items stand on one page of the list to mark them in.
PAGE = 20


def button(
    act: str, value: object, words: str, *, kind: str = "b-act", label: str = "", pressed: bool | None = None
) -> str:
    """A button of ours, by which `act` comes with `value`."""
    marks = f' aria-label="{text(label)}"' if label else ""
    marks += "" if pressed is None else f' aria-pressed="{str(pressed).lower()}"'
    return (
        f'<button type="button" class="{kind}" data-act="{act}" data-value="{text(value)}" '
        f'data-key="{act}-{text(value)}"{marks}>{text(words)}</button>'
    )


def count(number: int, one: str, several: str = "") -> str:
    """`1 label`, `1,200 labels`."""
    return f"{number:,} {one if number == 1 else several or one + 's'}"


def render_projects(views: Sequence[ProjectView], archived: Sequence[Project]) -> str:
    """All projects, newest first, each a button that opens it; below, those that were put away."""
    below = _archived(archived)
    if not views:
        return (
            '<div class="v-empty b-empty"><p class="v-empty-lead">No projects yet.</p><p>A project is a set of answers '
            "and what people say of them. Make one above: from a run, from data, or from a file.</p></div>" + below
        )
    items = "".join(_card(view) for view in reversed(views))
    return (
        f'<p class="b-count v-quiet">{count(len(views), "project")}</p><ul class="p-list" aria-label="Projects">'
        f"{items}</ul>{below}"
    )


def _card(view: ProjectView) -> str:
    project = view.project
    return (
        f'<li class="p-card"><div class="p-top"><button type="button" class="b-open" data-act="open" '
        f'data-value="{project.id}" data-key="open-{project.id}"><span class="b-title">{isolated(project.name, 80)}'
        f'</span><span class="b-name">{_settings(view)}</span></button><div class="p-far">{_far(view)}</div></div>'
        f"{_workers(view.workers)}</li>"
    )


def _far(view: ProjectView) -> str:
    progress = view.progress
    if not progress.total:
        return '<span class="v-quiet">No items yet</span>'
    complete = progress.complete or 0
    pace = f" · {progress.seconds_per_item:.0f} s an item" if progress.seconds_per_item is not None else ""
    return (
        f"{bar(complete / progress.total, 'Items done')}<span><b>{complete:,}</b> of {count(progress.total, 'item')} "
        f'done <span class="v-quiet">· {count(progress.labels, "label")}{pace}</span></span>'
    )


def _settings(view: ProjectView) -> str:
    settings = view.project.settings
    parts = [f"{count(settings.overlap, 'person', 'people')} an item"]
    if settings.third_grader:
        parts.append("a third where they differ")
    if settings.gold_rate:
        parts.append(f"known answers mixed in at {settings.gold_rate:.0%}".replace("%", " %"))
    if settings.hide_truth:
        parts.append("ground truth hidden")
    if settings.allow_suggestions:
        parts.append("a judge suggests")
    return " · ".join(parts)


def _workers(workers: Sequence[Worker]) -> str:
    if not workers:
        return '<p class="v-quiet p-nobody">Nobody has labelled yet.</p>'
    rows = "".join(_worker(one) for one in workers)
    return (
        '<div class="b-scroll p-people" tabindex="0"><table><thead><tr><th>person</th><th>labelled</th>'
        '<th class="b-wide"></th>'
        "<th>skipped</th><th>pace</th><th>known answers</th><th>conversations</th></tr></thead>"
        f"<tbody>{rows}</tbody></table></div>"
    )


def _worker(one: Worker) -> str:
    progress = one.progress
    pace = f"{progress.seconds_per_item:.0f} s" if progress.seconds_per_item is not None else DASH
    gold = f"{share(one.gold.share)} <span class='b-range'>of {one.gold.n:,}</span>" if one.gold else DASH
    far = bar(progress.labelled / progress.total if progress.total else 0.0, "Labelled")
    return (
        f"<tr><th scope='row'>{isolated(one.name, 80)}</th><td>{progress.labelled:,} of {progress.total:,}</td>"
        f"<td class='b-wide'>{far}</td><td>{progress.skipped:,}</td><td>{pace}</td><td>{gold}</td>"
        f"<td>{'all' if one.only is None else f'{one.only:,}'}</td></tr>"
    )


def _archived(archived: Sequence[Project]) -> str:
    if not archived:
        return ""
    items = "".join(
        f"<li><span>{isolated(one.name, 80)}</span>"
        f"{button('restore', one.id, 'Put back', label=f'Put back {one.name}')}</li>"
        for one in archived
    )
    return (
        f'<details class="b-trash" data-key="archive"><summary>Put away ({len(archived)})</summary>'
        f'<p class="v-quiet">Labels stay; nobody gets items of these.</p><ul>{items}</ul></details>'
    )


def render_project_head(view: ProjectView) -> str:
    """One project: the way back, how far it is, who works on it."""
    project = view.project
    golds = f" · {count(view.n_golds, 'item')} with a known answer" if view.n_golds else ""
    guideline = f" · guideline version {view.guideline}" if view.guideline else " · no guideline"
    return (
        f'<section class="p-head"><button type="button" class="v-act b-back" data-act="back" data-key="back">'
        f'← All projects</button><div class="p-title"><h2>{isolated(project.name, 80)}</h2>'
        f"{button('archive', project.id, 'Put away')}</div>"
        f'<p class="v-quiet">{_settings(view)}{golds}{guideline}</p><div class="p-far">{_far(view)}</div>'
        f"{_workers(view.workers)}</section>"
    )


def render_golds(items: Sequence[Item], first: int = 0, words: str = "") -> str:
    """Items with the grade that is known to be right, or buttons to say so; `items` are all that fit."""
    if not items:
        why = f"No item holds “{text(words, 80)}”." if words.strip() else "The project has no items yet."
        return f'<p class="b-none v-quiet">{why}</p>'
    known = sum(item.gold is not None for item in items)
    rows = "".join(_gold(item) for item in items[first : first + PAGE])
    last = min(first + PAGE, len(items))
    steps = ""
    if first:
        steps += button("page", max(0, first - PAGE), "← Before")
    if last < len(items):
        steps += button("page", last, "After →")
    return (
        f'<p class="v-quiet" role="status">{count(len(items), "item")}, {known:,} with a known answer</p>'
        f'<ul class="p-golds">{rows}</ul><div class="b-pages"><span class="v-quiet">{first + 1:,} to {last:,} of '
        f"{len(items):,}</span>{steps}</div>"
    )


def _gold(item: Item) -> str:
    truth = isolated(item.ground_truth, 300) if item.ground_truth else "none given"
    said = isolated(item.answer, 400) if item.answer else f"no answer {text(item.status)}"
    if item.other_answer:
        acts = '<span class="v-quiet">Two answers side by side have no grade.</span>'
    else:
        given = item.gold.grade if item.gold is not None else ""
        acts = "".join(
            button(
                "gold", f"{item.id}:{grade}", grade, kind="b-kind", pressed=grade == given, label=f"Known to be {grade}"
            )
            for grade in GRADES
        )
        if given:
            acts += button("gold", f"{item.id}:", "Not known", label="An ordinary item again")
    return (
        f'<li><p class="b-q">{isolated(item.question, 300)}</p><p>{said}</p><p class="b-l">truth: {truth}</p>'
        f'<div class="b-kinds" role="group" aria-label="Known grade">{acts}</div></li>'
    )


def render_gone(gone: Gone) -> str:
    """What will be gone with a person, before it is."""
    name = isolated(gone.name, 80)
    if not gone.projects:
        what = f"<p>{name} has labelled nothing. Their name and what was assigned to them will be gone.</p>"
    else:
        items = "".join(
            f"<li>{isolated(project, 80)}: {count(labels, 'label')}"
            + (f", {count(skipped, 'skipped item')}" if skipped else "")
            + "</li>"
            for project, labels, skipped in gone.projects
        )
        what = (
            f"<p>All that {name} did will be gone for good, and their name, also from accepted corrections:</p>"
            f"<ul>{items}</ul><p>These items are open to others again. Copies and exports made before are not touched."
            "</p>"
        )
    return f'<div class="v-notice v-notice--error" role="alert">{what}</div>'


def render_left_out(told: Sequence[str], most: int = 20) -> str:
    """Sentences about what could not be used."""
    if not told:
        return ""
    items = "".join(f"<li>{isolated(one, 400)}</li>" for one in told[:most])
    more = f"<li>and {len(told) - most:,} more</li>" if len(told) > most else ""
    return f"<ul class='b-notes'>{items}{more}</ul>"


def render_conversations(conversations: Mapping[str, int], most: int = 400) -> str:
    """The conversations by number, to assign them by."""
    if not conversations:
        return '<p class="v-quiet">The project has no items yet.</p>'
    items = "".join(
        f"<li>{isolated(name, 120)} <span class='v-quiet'>{count(n, 'item')}</span></li>"
        for name, n in list(conversations.items())[:most]
    )
    more = f'<p class="v-quiet">and {len(conversations) - most:,} more</p>' if len(conversations) > most else ""
    return (
        f'<details class="p-conversations" data-key="conversations"><summary>'
        f"{count(len(conversations), 'conversation')}, by number</summary><ol>{items}</ol>{more}</details>"
    )
