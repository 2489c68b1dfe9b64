"""A project's labels handed to trials and to agreement, and what the page says of a judge."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from assistant.core.errors import BadInput
from eval.__main__ import COMMANDS, main
from eval.annotate.project_labels import labelled_of, order_of, project_named, rated_of
from eval.annotate.store import FOLDER, Store
from eval.annotate.trial import trial
from eval.annotate.trial_store import TrialStore, judge_sentence
from eval.annotate.values import Item, Label, Preference, Project, ProjectSettings
from eval.metrics.agreement import ORDERED
from tests.eval.annotate.annotator import empty_store, project_of, uid


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def store(data_dir: Path):
    with empty_store(data_dir / FOLDER) as store:
        yield store


def say(store: Store, project: Project, person: str, item: int, said: Label | Preference) -> None:
    store.label(project.id, person, item, said, uid())


@pytest.fixture
def project(store: Store) -> Project:
    """Four answers by two people who differ on the last two, and one whose answer is known."""
    made = project_of(store, [1, 1, 1, 1], golds=1, overlap=3, third_grader=True)
    grades = [("perfect", "perfect"), ("incorrect", "incorrect"), ("perfect", "acceptable"), ("missing", "incorrect")]
    for item, pair in zip(store.items(made.id), grades, strict=False):
        for person, grade in zip(("Ann", "Ben"), pair, strict=True):
            say(store, made, person, item.id, Label(grade))
    say(store, made, "Ann", store.items(made.id)[4].id, Label("missing"))
    return made


def test_grades_come_to_what_people_have_in_common(store: Store, project: Project):
    found = labelled_of(store, project)
    assert [(item.verdict, item.grade) for item in found.items] == [
        ("correct", "perfect"), ("wrong", "incorrect"), ("correct", None),
    ]  # fmt: skip
    assert found.name == project.name
    assert found.left_out == {"no majority among the people who labelled the answer": 1}
    assert [item.id for item in found.items] == ["c0-0", "c1-0", "c2-0"]


def test_a_third_grader_decides(tmp_path: Path):
    with empty_store(tmp_path) as store:
        made = project_of(store, [1], overlap=2, third_grader=True)
        (item,) = store.items(made.id)
        for person, grade in (("Ann", "missing"), ("Ben", "perfect")):
            say(store, made, person, item.id, Label(grade))
        taken = store.next_item(made.id, "Cleo")
        assert taken is not None
        say(store, made, "Cleo", item.id, Label("incorrect"))
        assert [one.grade for one in labelled_of(store, made).items] == ["incorrect"]


def test_ratings_leave_known_answers_out(store: Store, project: Project):
    found = rated_of(store, project)
    assert len(found.ratings) == 4
    assert found.ratings[str(store.items(project.id)[3].id)] == {"Ann": "missing", "Ben": "incorrect"}
    assert order_of(found.ratings, ORDERED) == ORDERED
    assert order_of({"1": {"Ann": "tie", "Ben": "both bad"}}, ORDERED) == ("a", "tie", "b")
    assert order_of({}, ORDERED) == ORDERED


def test_labels_of_the_benchmark_come_along_to_slice_by(store: Store):
    made = store.create_project("Sliced", ProjectSettings(), uid())
    item = Item("c", 0, "what?", "seven", "seven", "answered", domain="food", dynamism=2, interaction_id="i")
    store.add_items(made.id, [item], uid())
    say(store, made, "Ann", store.items(made.id)[0].id, Label("perfect"))
    assert labelled_of(store, made).items[0].labels == {"domain": "food", "dynamism": 2}
    assert list(rated_of(store, made).labels.values()) == [{"domain": "food", "dynamism": 2}]


def test_nothing_graded_is_said(store: Store):
    with pytest.raises(BadInput, match="nobody has graded"):
        labelled_of(store, project_of(store, [1]))


def test_no_file_and_no_project(data_dir: Path, tmp_path: Path, project: Project):
    with pytest.raises(BadInput, match=rf"no project either \(there are: {project.name}"), \
            project_named(data_dir, "Nowhere"):  # fmt: skip
        pass
    with pytest.raises(BadInput, match="no project either"), project_named(tmp_path / "none", "Nowhere"):
        pass
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
def test_the_commands_take_a_project(data_dir: Path, project: Project, capsys):
    asked = ["--labels", project.name, "--data-dir", str(data_dir), "--json"]
    assert main("python -m eval", COMMANDS, ["agreement", *asked]) == 0
    assert json.loads(capsys.readouterr().out)["raw"]["value"] == 0.5
    assert main("python -m eval", COMMANDS, ["trial", "--judge", "exact", *asked]) == 0
    (found,) = json.loads(capsys.readouterr().out)["trials"]
    assert (found["labels"], found["n"]) == (project.name, 3)
    assert main("python -m eval", COMMANDS, ["agreement", "--labels", "Nowhere", "--data-dir", str(data_dir)]) == 2
    assert "there is no file 'Nowhere', and no project either" in capsys.readouterr().err


@pytest.mark.slow
def test_the_sentence_beside_scores_is_of_the_same_judge(data_dir: Path, store: Store, project: Project):
    labels = labelled_of(store, project)
    identity = {"judge": "exact", "judge_version": 1}
    lines = [{"interaction_id": item.id, **identity, "verdict": "correct"} for item in labels.items]
    TrialStore(data_dir).add(trial(labels, lines, at=datetime(2026, 11, 1, tzinfo=UTC), resamples=50))
    said = judge_sentence(data_dir, {**identity, "n": 100})
    assert said == "This judge agreed with people in 67 % of 3 answers (kappa 0.00)."
    assert judge_sentence(data_dir, {"judge": "exact", "judge_version": 2}) == ""
    assert judge_sentence(data_dir, {"judge": "llm", "judge_version": 1, "judge_model": "m"}) == ""
    assert judge_sentence(data_dir, {}) == ""
