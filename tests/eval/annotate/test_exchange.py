"""Labels out and in: every format comes back as it went, twice is once, a wrong line is named."""

from __future__ import annotations

import csv
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.core.errors import BadInput
from eval.annotate.exchange import COLUMNS, FORMATS, export_labels, export_rows, import_labels
from eval.annotate.sources import FrameSource, data_items
from eval.annotate.values import GRADES, REASONS, Item, Label, Preference
from eval.data import datasets
from eval.data.options import DataChoice
from tests.eval.annotate.annotator import Clock, empty_store, project_of, uid
from tests.eval.tiny_world import write_world

TEXT = st.text(st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=30)
LABELS = st.builds(
    Label,
    st.sampled_from(GRADES),
    st.lists(st.sampled_from(REASONS), unique=True, max_size=3).map(tuple),
    TEXT,
    TEXT,
    st.just(0),
    st.integers(0, 10**6),
    st.sampled_from((None, "correct")),
    st.booleans(),
    st.booleans(),
)


@pytest.fixture
def stores(tmp_path):
    with empty_store(tmp_path / "a") as first, empty_store(tmp_path / "b") as second:
        yield first, second


def said(store, project):
    """What everybody says, by things that do not depend on the store."""
    items = {item.id: item for item in store.items(project)}
    return sorted(
        (items[one.item].question, one.person, one.at, str(one.label), str(one.preference), one.third)
        for one in store.labels(project)
    )


@pytest.mark.parametrize("form", FORMATS)
@given(label=LABELS)
@settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
def test_labels_come_back_as_they_went(stores, tmp_path, form, label):
    first, second = stores
    made, other = project_of(first, [2], overlap=3), project_of(second, [2])
    items = first.items(made.id)
    first.label(made.id, "Ida", items[0].id, label, uid())
    first.label(made.id, "Bo Ò", items[0].id, Preference("tie", "ä; \"b\"\n'c'"), uid())
    out = tmp_path / "labels.txt"
    assert export_labels(first, made.id, out, form) == 2
    found = import_labels(second, other.id, out, form)
    assert (found.labels, found.known, found.items) == (2, 0, 0)
    assert said(second, other.id) == said(first, made.id)
    again = import_labels(second, other.id, out, form)
    assert (again.labels, again.known, again.items) == (0, 2, 0)
    assert import_labels(first, made.id, out, form).labels == 0  # where they come from


@pytest.mark.parametrize("form", FORMATS)
def test_an_empty_project_gets_the_items_too(stores, tmp_path, form):
    first, second = stores
    made, other = project_of(first, [2, 1]), project_of(second, [])
    first.label(made.id, "Ida", first.next_item(made.id, "Ida").id, Label("missing"), uid())
    export_labels(first, made.id, tmp_path / "x", form)
    assert import_labels(second, other.id, tmp_path / "x", form).items == 3
    assert said(second, other.id) == said(first, made.id)
    assert {i.conversation: i.turn_idx for i in second.items(other.id)} == {"c0": 1, "c1": 0}
    assert import_labels(second, other.id, tmp_path / "x", form).items == 0


def test_an_import_replaces_nothing_that_was_said_later(stores, tmp_path):
    clock = Clock()
    with empty_store(tmp_path / "c", clock) as store:
        made = project_of(store, [1])
        item = store.next_item(made.id, "Ida").id
        store.label(made.id, "Ida", item, Label("missing"), uid())
        export_labels(store, made.id, tmp_path / "x.jsonl")
        clock.now += 60
        store.label(made.id, "Ida", item, Label("perfect"), uid())
        assert import_labels(store, made.id, tmp_path / "x.jsonl").known == 1
        assert [one.value for one in store.labels(made.id)] == ["perfect"]


def test_imported_labels_are_not_undone(stores, tmp_path):
    store, _ = stores
    made = project_of(store, [1])
    (tmp_path / "x.jsonl").write_text('{"query": "New?", "annotator": "Ida", "grade": "perfect"}\n')
    assert import_labels(store, made.id, tmp_path / "x.jsonl").items == 1
    assert store.undo(made.id, "Ida", uid()) is None
    assert len(store.labels(made.id)) == 1


GOOD = '{"query": "c0 question 0", "answer": "answer 0", "annotator": "Ida", "grade": "perfect"}'


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ('{"query": "x", "annotator": "Ida", "grade": "good"}', "grade"),
        ('{"query": "x", "annotator": "Ida"}', "neither grade nor winner"),
        ('{"query": "x", "grade": "perfect"}', "no annotator"),
        ('{"annotator": "Ida", "grade": "perfect"}', "names no item"),
        ('{"query": "x", "annotator": "Ida", "grade": "perfect", "reasons": ["ugly"]}', "reasons"),
        ('{"query": "x", "annotator": "Ida", "grade": "perfect", "active_ms": -1}', "active_ms"),
        ('{"query": "x", "annotator": "Ida", "grade": "perfect", "at": "soon"}', "at"),
        ('{"interaction_id": "elsewhere", "annotator": "Ida", "grade": "perfect"}', "project lacks"),
        ("[1]", "no label"),
        ("{half", "not JSON"),
    ],
)
def test_a_wrong_line_is_told_by_its_number_and_nothing_is_written(stores, tmp_path, line, why):
    store, _ = stores
    made = project_of(store, [1])
    (tmp_path / "x.jsonl").write_text(f"{GOOD}\n\n{line}\n")
    with pytest.raises(BadInput, match=f"(?s)line 3 .*{why}"):
        import_labels(store, made.id, tmp_path / "x.jsonl")
    assert store.labels(made.id) == []
    assert len(store.items(made.id)) == 1


def test_a_wrong_line_of_csv_counts_lines_and_not_rows(stores, tmp_path):
    store, _ = stores
    made = project_of(store, [1])
    with (tmp_path / "x.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerows([("query", "annotator", "grade"), ("two\nlines", "Ida", "perfect"), ("x", "Ida", "good")])
    with pytest.raises(BadInput, match="line 4 "):
        import_labels(store, made.id, tmp_path / "x.csv", "csv")


@pytest.mark.parametrize(
    ("content", "place"),
    [
        ([{"data": {"query": "x"}, "annotations": [{"result": [{"from_name": "grade"}]}]}], "task 1, annotation 1"),
        ([{"data": {"query": "x"}}, {"annotations": []}], "task 2"),
        ({"data": {}}, "no list of tasks"),
    ],
)
def test_a_wrong_task_of_label_studio(stores, tmp_path, content, place):
    store, _ = stores
    made = project_of(store, [1])
    (tmp_path / "x.json").write_text(json.dumps(content))
    with pytest.raises(BadInput, match=place):
        import_labels(store, made.id, tmp_path / "x.json", "label-studio")


def test_label_studio_has_its_documented_shape(stores, tmp_path):
    store, _ = stores
    made = project_of(store, [1])
    store.label(made.id, "Ida", store.next_item(made.id, "Ida").id, Label("perfect", active_ms=1500), uid())
    export_labels(store, made.id, tmp_path / "x.json", "label-studio")
    (task,) = json.loads((tmp_path / "x.json").read_text())
    (annotation,) = task["annotations"]
    assert task["data"]["query"] == "c0 question 0"
    assert annotation["lead_time"] == 1.5
    assert annotation["result"][0] == {
        "id": "grade", "from_name": "grade", "to_name": "answer", "type": "choices", "value": {"choices": ["perfect"]}
    }  # fmt: skip
    assert 'name="grade" toName="answer"' in (tmp_path / "x.config.xml").read_text()
    task["annotations"][0]["completed_by"] = 10
    (tmp_path / "x.json").write_text(json.dumps([task]))
    import_labels(store, made.id, tmp_path / "x.json", "label-studio")
    assert store.people() == ["Ida", "user 10"]


def test_columns_are_those_that_are_told(stores, tmp_path):
    store, _ = stores
    made = project_of(store, [1])
    export_labels(store, made.id, tmp_path / "x.jsonl")
    assert tuple(json.loads((tmp_path / "x.jsonl").read_text())) == COLUMNS


def test_items_become_benchmark_rows(stores, tmp_path):
    store, _ = stores
    world = write_world(tmp_path / "world")
    made = project_of(store, [])
    store.add_items(made.id, data_items(DataChoice(str(world)))[0], uid())
    wrong = next(item for item in store.items(made.id) if item.interaction_id == "m1-1")
    store.label(made.id, "Ida", wrong.id, Label("incorrect", ("bad ground truth",), "13 parts"), uid())
    for name, corrected in (("a.parquet", False), ("b.jsonl", True)):
        assert export_rows(store, made.id, tmp_path / name, FrameSource(tmp_path), corrected=corrected) == 3
    plain, mended = (datasets.load(str(tmp_path / name)) for name in ("a.parquet", "b.jsonl"))
    truths = [{t.interaction_id: t.ground_truth for s in data.samples for t in s.turns} for data in (plain, mended)]
    assert [t["m1-1"] for t in truths] == ["12 parts", "13 parts"]
    original = {t.interaction_id: t for s in datasets.load(str(world)).samples for t in s.turns}
    assert {t.interaction_id: t for s in plain.samples for t in s.turns} == original
    assert plain.samples[0].frame() is not None
    store.add_items(made.id, [Item("other", 0, "q", interaction_id="m1-1")], uid())
    with pytest.raises(BadInput, match="'m1-1' is there twice"):
        export_rows(store, made.id, tmp_path / "c.jsonl", FrameSource(tmp_path))
