"""Projects on the page: what is drawn is inert, what forms say is checked, what is asked for is done."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr
import pytest

from assistant.core.errors import BadInput
from assistant.settings import Settings
from eval.annotate.sources import FrameSource
from eval.annotate.store import FOLDER, Store
from eval.annotate.values import Item, Label, PictureRef, Project, ProjectSettings
from eval.ui.html.projects import (
    render_conversations,
    render_golds,
    render_gone,
    render_left_out,
    render_project_head,
    render_projects,
)
from eval.ui.parts.project_files import EXPORTS, exported, imported
from eval.ui.parts.projects import ProjectsPart
from eval.ui.state.annotation import AnnotationDesk
from eval.ui.state.project_form import (
    ANY_JUDGE,
    chosen_items,
    file_name,
    judges_of,
    numbers,
    read_settings_form,
    runs_of,
)
from eval.ui.state.project_view import gone_with, matching, project_view
from eval.ui.state.rights import ALL_RIGHTS, Rights, rights_for
from tests.eval.annotate.annotator import empty_store, project_of, uid
from tests.eval.reports.written_run import line, write_run
from tests.eval.ui.test_html import EVIL, assert_inert

NO_PATHS = Rights(paths=False, why="no paths here")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", world_dir=tmp_path / "world")


@pytest.fixture
def run(settings: Settings) -> Path:
    turns = [(line("s1"), "correct"), (line("s2", answer="lamp"), "wrong"), (line("s3", status="abstained"), "missing")]
    return write_run(settings.data_dir / "runs" / "first", turns)


@pytest.fixture
def desk(settings: Settings) -> Iterator[AnnotationDesk]:
    empty_store(settings.data_dir / FOLDER).close()
    desk = AnnotationDesk(settings, ALL_RIGHTS)
    yield desk
    desk.store.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with empty_store(tmp_path / "store") as store:
        yield store


@pytest.fixture
def labelled(store: Store) -> Project:
    made = project_of(store, [2, 1], golds=1, overlap=2, gold_rate=0.25, third_grader=True)
    for item in store.items(made.id):
        store.label(made.id, "Ida", item.id, Label("perfect"), uid())
    store.skip(made.id, "Ben", store.items(made.id)[0].id, uid())
    return made


# what is drawn


def test_what_people_and_data_say_is_inert(store: Store):
    made = store.create_project("Evil", ProjectSettings(overlap=2), uid())
    made = replace(made, name=EVIL)
    item = Item(EVIL, 0, EVIL, EVIL, EVIL, EVIL)
    store.add_items(made.id, [replace(item, status="answered")], uid())
    (added,) = store.items(made.id)
    store.label(made.id, "Ida", added.id, Label("perfect"), uid())
    view = project_view(store, store.project(made.id))
    workers = tuple(replace(one, name=EVIL) for one in view.workers)
    view = replace(view, project=made, workers=workers)
    assert_inert(render_projects([view], [made]))
    assert_inert(render_project_head(view))
    assert_inert(render_golds([added, replace(added, gold=Label("missing"))]))
    assert_inert(render_gone(replace(gone_with(store, "Ida"), name=EVIL)))
    assert_inert(render_left_out([EVIL]))
    assert_inert(render_conversations({EVIL: 2}))


def test_the_list_tells_how_far_everybody_is(store: Store, labelled: Project):
    drawn = render_projects([project_view(store, labelled)], [])
    assert "2 people an item · a third where they differ · known answers mixed in at 25 %" in drawn
    assert "<b>0</b> of 3 items done" in drawn
    assert "3 labels" in drawn
    assert "100.0 %" in drawn
    assert drawn.index("Ben") < drawn.index("Ida")


def test_nothing_is_said_in_a_sentence():
    assert "No projects yet" in render_projects([], [])
    assert "has no items yet" in render_golds([])
    assert "No item holds “lamp”" in render_golds([], words="lamp")
    assert render_left_out([]) == ""
    assert "no items yet" in render_conversations({})


def test_what_goes_with_a_person(store: Store, labelled: Project):
    drawn = render_gone(gone_with(store, "Ida"))
    assert "4 labels" in drawn
    assert "1 skipped item" in render_gone(gone_with(store, "Ben"))
    store.person("Cleo")
    assert "has labelled nothing" in render_gone(gone_with(store, "Cleo"))


def test_known_answers_stand_first(store: Store, labelled: Project):
    items = store.items(labelled.id, with_gold=True)
    assert [item.conversation for item in matching(items, "QUESTION c0")] == ["c0", "c0"]
    found = matching(items, "question")
    assert [item.conversation for item in found] == ["g0", "c0", "c0", "c1"]
    drawn = render_golds(found)
    assert drawn.count('aria-pressed="true"') == 1
    assert "4 items, 1 with a known answer" in drawn
    many = [replace(items[0], id=n) for n in range(45)]
    assert "21 to 40 of 45" in render_golds(many, 20)


# what forms say


def test_items_of_a_run(run: Path, settings: Settings):
    form = {"source": "a run", "run": "first", "judge": ANY_JUDGE, "verdicts": ["wrong"]}
    items, told = chosen_items(form, settings, ALL_RIGHTS)
    assert [item.answer for item in items] == ["lamp"]
    assert told == ()
    assert judges_of(run) == ["exact"]
    assert runs_of(settings).choices() == [("first · embedded · 3 turns", "first")]
    statuses = {**form, "verdicts": [], "statuses": ["abstained"], "judge": "exact"}
    assert len(chosen_items(statuses, settings, ALL_RIGHTS)[0]) == 1
    assert len(chosen_items({**form, "verdicts": (), "words": "S2"}, settings, ALL_RIGHTS)[0]) == 1
    every = {**form, "verdicts": ()}
    assert len(chosen_items({**every, "where": "dynamism=static, domain=book"}, settings, ALL_RIGHTS)[0]) == 3
    for where in ("dynamism=real-time", "bogus"):  # nothing fits, nobody knows what it is
        with pytest.raises(BadInput):
            chosen_items({**every, "where": where}, settings, ALL_RIGHTS)
    for name in ("../first", "", None, "gone"):
        with pytest.raises(BadInput):
            chosen_items({**form, "run": name}, settings, ALL_RIGHTS)


def test_a_typed_path_only_where_paths_may_be_named(settings: Settings, tmp_path: Path):
    rows = tmp_path / "rows.jsonl"
    rows.write_text(json.dumps({"image": "none.png", "query": "what?", "ground_truth": "seven"}))
    for form in ({"other": str(rows)}, {"data": str(rows)}):
        with pytest.raises(BadInput, match="no paths here"):
            chosen_items({"source": "data", **form}, settings, NO_PATHS)


def test_a_file_of_items(settings: Settings, tmp_path: Path):
    path = tmp_path / "given" / "items.jsonl"
    path.parent.mkdir()
    path.write_text('{"question": "what?"}\n{"question": 3}\n')
    form = {"source": "a file", "file": str(path)}
    with pytest.raises(BadInput, match=r"line 2 of 'items\.jsonl' is no item"):
        chosen_items(form, settings, NO_PATHS)
    path.write_text('{"question": "what?"}\n')
    assert len(chosen_items(form, settings, NO_PATHS)[0]) == 1
    elsewhere = {"question": "what?", "picture": {"data": "/etc", "session_id": "s"}}
    path.write_text(json.dumps(elsewhere) + "\n")
    with pytest.raises(BadInput, match=r"names pictures in '/etc': no paths here"):
        chosen_items(form, settings, NO_PATHS)
    (item,) = chosen_items(form, settings, ALL_RIGHTS)[0]
    assert item.picture == PictureRef("/etc", "s")
    with pytest.raises(BadInput, match="hand a JSONL file over"):
        chosen_items({"source": "a file"}, settings, ALL_RIGHTS)
    assert chosen_items({"source": "nothing yet"}, settings, ALL_RIGHTS) == ([], ())


def test_settings_are_checked():
    made = read_settings_form({"overlap": 2.0, "gold_rate": 0.1, "hide_truth": True}, ProjectSettings(seed=7))
    assert made == ProjectSettings(overlap=2, gold_rate=0.1, hide_truth=True, seed=7)
    for odd in ({"overlap": None}, {"overlap": 0}, {"overlap": 1.5}, {"overlap": 1, "gold_rate": 0.7}):
        with pytest.raises(BadInput):
            read_settings_form(odd)


def test_numbers_of_conversations():
    assert numbers("1-3, 5 2", 5) == [1, 2, 3, 5]
    for odd in ("0", "3-1", "6", "a", "1-"):
        with pytest.raises(BadInput, match="is no number of a conversation"):
            numbers(odd, 5)
    assert file_name("Lamps / 2") == "Lamps-2"
    assert file_name("…") == "project"


# files out and in


def test_exports_come_in_again(store: Store, labelled: Project, tmp_path: Path):
    frames = FrameSource(tmp_path)
    for what in EXPORTS.values():
        folder = tmp_path / what
        folder.mkdir()
        paths, words = exported(store, labelled, what, folder, frames)
        assert all(path.stat().st_size for path in paths)
        assert words[0].isdigit()
    with pytest.raises(BadInput, match="no export"):
        exported(store, labelled, "../x", tmp_path, frames)
    with empty_store(tmp_path / "other") as other:
        there = other.create_project("There", ProjectSettings(), uid())
        (made,) = (tmp_path / "csv").iterdir()
        by_name = "by the file’s name"
        assert imported(other, there, str(made), by_name).startswith("4 labels and 4 items are new, 0 labels")
        assert imported(other, there, str(made), by_name).startswith("0 labels and 0 items are new, 4 labels")
        wrong = tmp_path / "wrong.csv"
        wrong.write_text("query,annotator,grade\nq,Ida,perfect\nq,Ida,brilliant\n")
        with pytest.raises(BadInput, match=r"line 3 of 'wrong\.csv' is no label"):
            imported(other, there, str(wrong), by_name)
        with pytest.raises(BadInput, match="hand a file over"):
            imported(other, there, None, by_name)


# handlers


class Told:
    """A click, as gradio tells it."""

    def __init__(self, act: str, value: object = ""):
        self._data = {"act": act, "value": str(value)}


def part_of(desk: AnnotationDesk) -> ProjectsPart:
    with gr.Blocks(), gr.Tab("Projects") as tab:
        part = ProjectsPart(desk)
        part.wire(tab)
    return part


def create(part: ProjectsPart, **form: Any) -> list[dict[Any, Any]]:
    usual = {"name": "Lamps", "guideline": "", "overlap": 1, "source": "a run", "run": "first"}
    return list(part._create(*({**usual, **form}.get(name) for name in part._names)))


@pytest.mark.slow
def test_a_project_is_made_steered_and_put_away(desk: AnnotationDesk, run: Path):
    part = part_of(desk)
    last = create(part, guideline="# Fair")[-1]
    chosen, project = last[part.chosen], part.project
    assert "Lamps is made, with 3 items" in last[part.notice]
    assert last[project.guideline] == "# Fair"
    assert "already" in create(part)[-1][part.notice]
    (twice,) = list(project._add(chosen, *({"source": "a run", "run": "first"}.get(n) for n in project._names)))[2:]
    assert "0 items added, 3 were there" in twice[part.notice]
    assert "Version 2 is saved" in project._save(chosen, "# Fairer")[part.notice]
    assert "version 2 already" in project._save(chosen, "# Fairer ")[part.notice]
    assert "settings are changed" in project._change(chosen, 2, 0.1, True, False, True)[part.notice]
    assert desk.store.project(chosen).settings == ProjectSettings(2, 0.1, True, third_grader=True)
    assert "Ida gets 2 conversations and no others" in project._assign(chosen, " Ida", "1-2")[part.notice]
    assert [len(names) for names in desk.store.assignments(chosen).values()] == [2]
    assert "Ida gets all conversations" in project._assign_all(chosen, "Ida")[part.notice]
    assert desk.store.assignments(chosen) == {}
    item = desk.store.items(chosen)[0].id
    for value, known in ((f"{item}:missing", 1), (f"{item}:", 0)):
        drawn = project._gold(chosen, "", 0, Told("gold", value))[project.golds]
        assert f"3 items, {known} with a known answer" in drawn
    assert "names no item" in project._gold(chosen, "", 0, Told("gold", "x:y"))[part.notice]
    assert "put away" in part._head_act(chosen, Told("archive"))[part.notice]
    assert "Put away (1)" in part._list()[part.list]
    part._act(Told("restore", chosen))
    assert not desk.store.project(chosen).archived


@pytest.mark.slow
def test_a_person_is_deleted_when_the_name_was_typed_again(desk: AnnotationDesk, run: Path):
    part = part_of(desk)
    chosen = create(part)[-1][part.chosen]
    desk.store.label(chosen, "Ida", desk.store.items(chosen)[0].id, Label("perfect"), uid())
    assert "1 label" in part._gone("Ida")[part.gone]
    assert "nothing was deleted" in part._delete_person("Ida", "Ida Ida")[part.notice]
    assert desk.store.people() == ["Ida"]
    assert "Deleted for good, with 1 event." in part._delete_person("Ida", " ida ")[part.notice]
    assert desk.store.people() == []


@pytest.mark.slow
def test_a_page_that_only_shows_is_closed(desk: AnnotationDesk, run: Path):
    made = project_of(desk.store, [1])
    closed = AnnotationDesk(desk.settings, rights_for("0.0.0.0", has_auth=False))
    part = part_of(closed)
    project = part.project
    tries: list[Callable[[], Any]] = [
        lambda: part._act(Told("open", made.id)),
        lambda: part._head_act(made.id, Told("archive")),
        lambda: create(part)[-1],
        lambda: part._gone("Ida"),
        lambda: part._delete_person("Ida", "Ida"),
        lambda: list(project._add(made.id))[-1],
        lambda: project._save(made.id, "x"),
        lambda: project._change(made.id),
        lambda: project._assign(made.id, "Ida", "1"),
        lambda: project._assign_all(made.id, "Ida"),
        lambda: project._gold(made.id, "", 0, Told("gold", "1:perfect")),
        lambda: list(project.files._export(made.id, "jsonl", False))[-1],
        lambda: list(project.files._import(made.id, "x", "csv"))[-1],
    ]
    for do in tries:
        assert "without --auth" in str(do()[part.notice])
    assert "without --auth" in str(project._search(made.id, "")[project.golds])
    assert part._arrive(0) == {part.notice: ""}
    assert "without --auth" in part.list.value
