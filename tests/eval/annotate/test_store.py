"""The store: writes that are made once, undo, history, people who leave, copies."""

from __future__ import annotations

import sqlite3

import pytest

from assistant.core.errors import BadInput
from eval.annotate.catalogue import FILE
from eval.annotate.overlay_files import Correction, read_overlay, write_overlay
from eval.annotate.store import Store
from eval.annotate.values import Item, Judged, Label, PictureRef, Preference, ProjectSettings, ShownEvidence
from tests.eval.annotate.annotator import Clock, conversation, empty_store, project_of, uid

RIGHT = Label("perfect")


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def store(tmp_path, clock):
    with empty_store(tmp_path / "annotations", clock) as opened:
        yield opened


def test_the_same_key_writes_once(store):
    made = store.create_project("Answers", ProjectSettings(overlap=2), "a")
    assert store.create_project("Answers", ProjectSettings(overlap=2), "a") == made
    assert (store.add_guideline(made.id, "# Be fair", "b"), store.add_guideline(made.id, "# Be fair", "b")) == (1, 1)
    added = store.add_items(made.id, conversation("c", 2), "c")
    assert store.add_items(made.id, conversation("c", 2), "c") == added
    item = store.next_item(made.id, "Ida")
    first = store.label(made.id, "Ida", item.id, RIGHT, "d")
    again = store.label(made.id, "Ida", item.id, RIGHT, "d")
    assert (again.event, again.again, first.again) == (first.event, True, False)
    assert store.undo(made.id, "Ida", "e").id == item.id
    assert store.undo(made.id, "Ida", "e").id == item.id
    with sqlite3.connect(store.folder / FILE) as connection:
        kinds = [kind for (kind,) in connection.execute("SELECT kind FROM events ORDER BY seq")]
    assert kinds == ["project", "guideline", "items", "label", "undo"]
    with pytest.raises(BadInput, match="belongs to another write"):
        store.skip(made.id, "Ida", item.id, "d")


def test_the_same_items_are_added_once(store):
    made = project_of(store, [2])
    again = store.add_items(made.id, [*conversation("c0", 2), *conversation("new", 1)], uid())
    assert (again.new, again.known, len(again.ids)) == (1, 2, 3)
    assert store.conversations(made.id) == {"c0": 2, "new": 1}


def test_an_item_comes_back_whole(store):
    made = store.create_project("All", ProjectSettings(), uid())
    item = Item(
        "c", 1, "Which?", "This", "That", "answered", (ShownEvidence("passage", "https://a.invalid", "text", 0.5),),
        (("Who?", "He"),), "food", 3, None, "normal", PictureRef("world", "s1", degrade=("blurred:0.5",)), "run",
        "s1-1", "s1", (Judged("exact", "wrong", "not the same"),), "Other", "run2", Label("incorrect", ("wrong fact",)),
    )  # fmt: skip
    (id_,) = store.add_items(made.id, [item], uid()).ids
    kept = store.item(made.id, id_, with_gold=True)
    assert kept == type(item)(**{**vars(item), "id": id_, "project": made.id})
    assert store.item(made.id, id_).gold is None


def test_events_cannot_be_changed_or_deleted(store):
    made = project_of(store, [1])
    store.label(made.id, "Ida", store.next_item(made.id, "Ida").id, RIGHT, uid())
    with sqlite3.connect(store.folder / FILE) as connection:
        with pytest.raises(sqlite3.IntegrityError, match="never changed"):
            connection.execute("UPDATE events SET at = 0")
        with pytest.raises(sqlite3.IntegrityError, match="only with their person"):
            connection.execute("DELETE FROM events")


def test_undo_goes_further_back_and_redo_brings_back(store):
    made = project_of(store, [3])
    items = []
    for grade in ("perfect", "missing", "incorrect"):
        items.append(store.next_item(made.id, "Ida").id)
        store.label(made.id, "Ida", items[-1], Label(grade), uid())
    assert store.undo(made.id, "Ida", uid()).id == items[2]
    assert store.undo(made.id, "Ida", uid()).id == items[1]
    assert store.next_item(made.id, "Ida").id == items[1]
    assert store.redo(made.id, "Ida", uid()).id == items[1]
    assert [said.value for said in store.labels(made.id)] == ["perfect", "missing"]
    assert store.next_item(made.id, "Ida").id == items[2]
    store.label(made.id, "Ida", items[2], RIGHT, uid())
    assert store.redo(made.id, "Ida", uid()) is None
    assert [said.value for said in store.labels(made.id)] == ["perfect", "missing", "perfect"]
    for _ in range(3):
        store.undo(made.id, "Ida", uid())
    assert store.undo(made.id, "Ida", uid()) is None
    assert store.labels(made.id) == []


def test_undoing_a_second_label_leaves_the_first(store):
    made = project_of(store, [1])
    item = store.next_item(made.id, "Ida").id
    store.label(made.id, "Ida", item, RIGHT, uid())
    store.label(made.id, "Ida", item, Label("incorrect", ("wrong entity",)), uid())
    store.undo(made.id, "Ida", uid())
    assert [said.label for said in store.labels(made.id)] == [RIGHT]
    assert store.next_item(made.id, "Ida") is None


def test_history_is_in_the_order_in_which_one_came(store):
    made = project_of(store, [3])
    items = [item.id for item in store.items(made.id)]
    store.label(made.id, "Ida", items[0], RIGHT, uid())
    store.skip(made.id, "Ida", items[1], uid())
    store.label(made.id, "Ida", items[0], Label("missing"), uid())
    with pytest.raises(BadInput, match="has a label of yours"):
        store.skip(made.id, "Ida", items[0], uid())
    done = store.history(made.id, "Ida")
    assert [(d.item, d.state, d.label and d.label.grade) for d in done] == [
        (items[0], "labelled", "missing"), (items[1], "skipped", None)]  # fmt: skip
    assert store.around(made.id, "Ida", items[1]) == (items[0], None)
    assert store.around(made.id, "Ida", items[0]) == (None, items[1])
    assert store.around(made.id, "Ida", items[2]) == (items[1], None)


def test_time_is_counted_without_breaks(store, clock):
    made = project_of(store, [4])
    for wait in (10, 20, 121, 30):
        clock.now += wait
        store.label(made.id, "Ida", store.next_item(made.id, "Ida").id, RIGHT, uid())
    found = store.progress(made.id, "Ida")
    assert (found.labelled, found.total, found.seconds_per_item) == (4, 4, 25.0)
    assert store.progress(made.id).seconds_per_item == 25.0


def test_a_preference_is_kept_like_a_label(store):
    made = project_of(store, [1], overlap=2)
    (item,) = (item.id for item in store.items(made.id))
    store.label(made.id, "Ida", item, Preference("a", left_here=True), uid())
    store.label(made.id, "Bo", item, Preference("both bad"), uid())
    (found,) = store.disagreements(made.id)
    assert found.given == {"Ida": "a", "Bo": "both bad"}
    assert store.labels(made.id, "Ida")[0].preference == Preference("a", left_here=True)


def test_an_archived_project_rests(store):
    made = project_of(store, [1])
    item = store.next_item(made.id, "Ida").id
    store.archive(made.id, uid())
    assert store.projects() == []
    assert store.projects(archived=True)[0].archived
    assert store.next_item(made.id, "Ida") is None
    with pytest.raises(BadInput, match="is archived"):
        store.label(made.id, "Ida", item, RIGHT, uid())
    store.archive(made.id, uid(), archived=False)
    store.label(made.id, "Ida", item, RIGHT, uid())


def test_guidelines_have_versions(store):
    made = project_of(store, [1])
    assert store.guideline(made.id) is None
    for text in ("# One", "# Two"):
        store.add_guideline(made.id, text, uid())
    assert store.guideline(made.id).markdown == "# Two"
    assert store.guideline(made.id, 1).markdown == "# One"
    with pytest.raises(BadInput, match="no version 3"):
        store.guideline(made.id, 3)
    with pytest.raises(BadInput, match="no version 3"):
        store.label(made.id, "Ida", store.next_item(made.id, "Ida").id, Label("perfect", guideline_version=3), uid())


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (Label("good"), "no grade 'good'"),  # type: ignore[arg-type]
        (Label("perfect", ("ugly",)), "no reason 'ugly'"),  # type: ignore[arg-type]
        (Label("perfect", active_ms=-1), "-1 ms"),
        (Label("perfect", note="x" * 10_001), "10001 characters"),
        (Preference("c"), "no preference 'c'"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_label_is_refused(store, wrong, said):
    made = project_of(store, [1])
    with pytest.raises(BadInput, match=said):
        store.label(made.id, "Ida", store.next_item(made.id, "Ida").id, wrong, uid())


def test_names_settings_and_projects_that_cannot_be_used(store):
    with pytest.raises(BadInput, match="no name"):
        store.person("  ")
    assert (store.person(" Ida  B "), store.person("ida b")) == ("Ida B", "Ida B")
    with pytest.raises(BadInput, match="overlap is 0"):
        store.create_project("x", ProjectSettings(overlap=0), uid())
    with pytest.raises(BadInput, match=r"0\.6"):
        store.create_project("x", ProjectSettings(gold_rate=0.6), uid())
    store.create_project("x", ProjectSettings(), uid())
    with pytest.raises(BadInput, match="already"):
        store.create_project("x", ProjectSettings(), uid())
    with pytest.raises(BadInput, match=r"no project 'y' \(there are: x\)"):
        store.project("y")


def test_a_person_who_leaves_is_gone_from_everything(store):
    made = project_of(store, [2], overlap=2)
    name = "Wilhelmina Quux"
    for person in (name, "Bo"):
        while (item := store.next_item(made.id, person)) is not None:
            store.label(made.id, person, item.id, RIGHT, uid())
    assert store.next_item(made.id, "Cy") is None
    overlay = store.folder / "overlays" / "data.v1.jsonl"
    write_overlay(overlay, [Correction("s1-0", "a", "b", name, "2026-01-01T00:00:00Z", 1)])
    assert store.delete_person(name.lower(), "gone") == 2
    assert store.delete_person(name, "gone") == 2
    assert store.people() == ["Bo", "Cy"]
    assert {said.person for said in store.labels(made.id)} == {"Bo"}
    assert store.progress(made.id).complete == 0
    assert store.next_item(made.id, "Cy") is not None
    assert read_overlay(overlay)[0].by == ""
    store.close()
    left = b"".join(path.read_bytes() for path in store.folder.rglob("*") if path.is_file())
    assert name.encode() not in left
    assert name.casefold().encode() not in left


def test_a_copy_is_whole_and_can_be_opened(store, tmp_path):
    made = project_of(store, [2])
    store.label(made.id, "Ida", store.next_item(made.id, "Ida").id, RIGHT, uid())
    write_overlay(store.folder / "overlays" / "data.v1.jsonl", [Correction("s", "a", "b", "Ida", "now", 1)])
    out = tmp_path / "copy"
    assert store.backup(out) == ["annotations.sqlite", "overlays/data.v1.jsonl"]
    with Store(out) as copy:
        assert copy.labels(made.id) == store.labels(made.id)
    with pytest.raises(BadInput, match="there already"):
        store.backup(out)
