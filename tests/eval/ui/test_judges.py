"""Judges on trial on the page: one at a time, in a thread; what is drawn is inert; runs corrected by a trial."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr
import pytest

from assistant.core.errors import BadInput
from assistant.settings import Settings
from eval.annotate.project_labels import labelled_of
from eval.annotate.store import FOLDER
from eval.annotate.trial import Trial
from eval.annotate.trial_store import TrialStore
from eval.annotate.values import Label, PictureRef, Project
from eval.judges.judging import JudgeChoice
from eval.ui.html.judges import render_corrected, render_job, render_trial, render_trials
from eval.ui.html.runs import render_trust
from eval.ui.parts.judges import JudgesPart
from eval.ui.state.annotation import AnnotationDesk
from eval.ui.state.rights import ALL_RIGHTS, Rights, rights_for
from eval.ui.state.run_form import Place
from eval.ui.state.trials import Job, Trials, corrected_run, runs_judged, trial_key, world_of, worlds
from tests.eval.annotate.annotator import conversation, empty_store, project_of, uid
from tests.eval.reports.written_run import line, write_run
from tests.eval.ui.test_html import EVIL, assert_inert
from tests.eval.ui.test_projects import Told

WAIT_S = 60.0


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[AnnotationDesk]:
    settings = Settings(data_dir=tmp_path / "data", world_dir=tmp_path / "world")
    empty_store(settings.data_dir / FOLDER).close()
    desk = AnnotationDesk(settings, ALL_RIGHTS)
    yield desk
    desk.store.close()


@pytest.fixture
def project(desk: AnnotationDesk) -> Project:
    """Six answers, of which the judge exact finds none right and people two."""
    made = project_of(desk.store, [1] * 6)
    for number, item in enumerate(desk.store.items(made.id)):
        grade = "perfect" if number < 2 else "incorrect"
        desk.store.label(made.id, "Ann", item.id, Label(grade), uid())  # type: ignore[arg-type]
    return made


@pytest.fixture
def held(desk: AnnotationDesk, project: Project) -> Trial:
    trials = Trials(TrialStore(desk.settings.data_dir))
    trials.start(labelled_of(desk.store, project), JudgeChoice("exact"), None)
    job = trials.wait(WAIT_S)
    assert job is not None
    assert (job.state, job.done, job.total) == ("done", 6, 6)
    return trials.one(job.kept[0])


@pytest.mark.slow
def test_a_trial_is_drawn_with_its_tables(held: Trial, project: Project):
    drawn = render_trial(held)
    for words in (
        "This judge agreed with people in 67&nbsp;% of 6 answers (kappa 0.00).", "Per bucket", "precision",
        "People (rows) and the judge (columns)", "By the four grades, 6 of 6 answers", "2 disagreements", "0 $",
        "unreadable", "What the judge’s errors do",
    ):  # fmt: skip
        assert words in drawn
    assert 'aria-pressed="true"' in render_trials([held], trial_key(held))
    assert "No judge was on trial yet" in render_trials([])
    assert project.name in render_trials([held])


@pytest.mark.slow
def test_what_is_said_is_inert(held: Trial, desk: AnnotationDesk):
    texts = dict.fromkeys(("query", "ground_truth", "answer", "why"), EVIL)
    evil = tuple(replace(one, **texts) for one in held.disagreements)
    found = replace(held, labels=EVIL, identity={"judge": EVIL}, left_out={EVIL: 1}, disagreements=evil)
    assert_inert(render_trial(replace(found, spent={"calls": 2, "cost": 0.5, "ms": 4000.0})))
    assert_inert(render_trials([found]))
    assert_inert(render_job(Job(EVIL, EVIL), True))
    assert_inert(render_job(Job(EVIL, EVIL, "failed", problem=EVIL), True))
    assert_inert(render_trust(EVIL))
    run = write_run(desk.settings.data_dir / "runs" / "r", [(line("s1"), "wrong")])
    assert_inert(render_corrected(EVIL, replace(corrected_run(held, run), why=EVIL)))
    assert render_job(None, True) == ""
    assert render_trust("") == ""
    assert "Cancel" not in render_job(Job("exact", "p"), False)


@pytest.mark.slow
def test_a_run_is_corrected_by_the_very_judge(held: Trial, desk: AnnotationDesk):
    folder = desk.settings.data_dir / "runs"
    run = write_run(folder / "r", [(line(f"s{n}"), "correct" if n % 2 else "wrong") for n in range(4)])
    found = corrected_run(held, run)
    assert found.n == 4
    assert found.why, "a judge that finds nothing right tells nothing apart"
    assert "There is no correction" in render_corrected("r", found)
    other = write_run(folder / "o", [(line("s1"), "wrong")], judge={"judge": "exact", "judge_version": 0})
    with pytest.raises(BadInput, match=r"judged by exact \(version 0\), and on trial was exact \(version 1\)"):
        corrected_run(held, other)
    (folder / "r" / "scores.json").write_text('{"judge": "exact", "judge_version": 1, "paper": {}, "n": 4}')
    (folder / "o" / "scores.json").write_text('{"judge": "lexical", "judge_version": 1, "paper": {}, "n": 1}')
    assert runs_judged(folder, held.identity) == [("r", "r"), ("o · scored by lexical", "o")]


class Slow:
    """A store whose judging waits to be cancelled."""

    def __init__(self) -> None:
        self.begun = threading.Event()

    def judge(self, labels: Any, choice: Any, world: Any, *, progress: Any, cancelled: threading.Event) -> list[Any]:
        progress(1, 6, 0)
        self.begun.set()
        assert cancelled.wait(WAIT_S)
        found = type("Found", (), {"failed": 0, "problem": "", "cancelled": True})()
        return [(found, [])]


def test_one_trial_at_a_time_and_it_can_be_cancelled(desk: AnnotationDesk, project: Project):
    slow = Slow()
    trials = Trials(slow)  # type: ignore[arg-type]
    labels = labelled_of(desk.store, project)
    trials.start(labels, JudgeChoice("exact"), None)
    assert slow.begun.wait(WAIT_S)
    drawn = render_job(trials.job, True)
    assert "1 of 6 judged" in drawn
    assert "Cancel" in drawn
    with pytest.raises(BadInput, match="'exact' is on trial: wait for it, or cancel it"):
        trials.start(labels, JudgeChoice("lexical"), None)
    trials.cancel()
    job = trials.wait(WAIT_S)
    assert job is not None
    assert job.state == "cancelled"
    assert "goes on from there" in render_job(job, True)


def test_what_goes_wrong_is_a_sentence(desk: AnnotationDesk, project: Project):
    class Broken:
        def judge(self, *_: Any, **__: Any) -> Any:
            raise ZeroDivisionError

    trials = Trials(Broken())  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="needs a generated world"):
        trials.start(labelled_of(desk.store, project), JudgeChoice("typed"), None)
    trials.start(labelled_of(desk.store, project), JudgeChoice("exact"), None)
    job = trials.wait(WAIT_S)
    assert job is not None
    assert "the log of the server has the details" in render_job(job, True)
    with pytest.raises(BadInput, match="not there any more"):
        Trials(TrialStore(desk.settings.data_dir)).one("../x")


def test_worlds_are_those_that_may_be_named(desk: AnnotationDesk, tmp_path: Path):
    elsewhere = tmp_path / "elsewhere"
    for world in (elsewhere, desk.settings.world_dir):
        (world / "gold").mkdir(parents=True)
        (world / "gold" / "turns.jsonl").write_text("")
        (world / "world.json").write_text("{}")
    items = [replace(conversation("c", 1)[0], picture=PictureRef(str(elsewhere), "s"))]
    own, bundled = Place(str(elsewhere), "World elsewhere"), Place(str(desk.settings.world_dir), "Bundled world")
    assert worlds(desk.settings, ALL_RIGHTS, items) == [own, bundled]
    assert worlds(desk.settings, Rights(paths=False), items) == [bundled]
    assert world_of(bundled.value, [bundled]) == desk.settings.world_dir
    for value in (None, "", own.value):
        with pytest.raises(BadInput, match="choose the world"):
            world_of(value, [bundled])


def part_of(desk: AnnotationDesk) -> JudgesPart:
    with gr.Blocks(), gr.Tab("Judges") as tab:
        part = JudgesPart(desk)
        part.wire(tab)
    return part


@pytest.mark.slow
def test_from_the_form_to_the_trial(desk: AnnotationDesk, project: Project):
    part = part_of(desk)
    arrived = part._arrive(None, "lexical")
    assert "No judge was on trial yet" in arrived[part.list]
    told = part._start(project.name, "exact", None, "a model of no matter", "crag", False)
    assert told[part.notice] == ""
    part._trials.wait(WAIT_S)
    shown = part._look()
    assert "is done" in shown[part.watch]
    key = shown[part.opened]
    assert "2 disagreements" in part._open(Told("open", key))[part.trial]
    assert "2 disagreements" in part._page(key, Told("page", "40"))[part.trial]
    assert "choose a run first" in part._correct(key, None)[part.notice].lower()
    assert "not there any more" in part._open(Told("open", "gone"))[part.notice]
    for judge, words in (("typed", "choose the world"), ("llm", "endpoint"), ("", "choose a judge"), ("x", "no judge")):
        assert words in part._start(project.name, judge, None, "", "crag", False)[part.notice].lower().replace(
            "openai_base_url", "endpoint"
        )


@pytest.mark.slow
def test_a_page_that_only_shows_is_closed(desk: AnnotationDesk, project: Project, held: Trial):
    part = part_of(AnnotationDesk(desk.settings, rights_for("0.0.0.0", has_auth=False)))
    key = trial_key(held)
    for changes in (
        part._arrive(None, "exact"),
        part._rows("exact", project.name),
        part._start(project.name, "exact", None, "", "crag", False),
        part._cancel(Told("cancel")),
        part._page(key, Told("page", "0")),
        part._correct(key, "r"),
    ):
        assert "without --auth" in changes[part.notice]
