"""Whose turn it is: the rules of the queue, as properties of whatever people do."""

from __future__ import annotations

import itertools
import sqlite3
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from assistant.core.errors import BadInput
from eval.annotate import ledger
from eval.annotate.catalogue import FILE
from eval.annotate.queue import LEASE_S, gold_due, shuffled
from eval.annotate.store import Store
from eval.annotate.values import GRADES, Label, ProjectSettings
from tests.eval.annotate.annotator import Clock, conversation, empty_store, project_of, uid

QUICK = settings(max_examples=6, deadline=None, suppress_health_check=list(HealthCheck))
PEOPLE = ("Ida", "Bo", "Cy", "Di")


@pytest.fixture
def store(tmp_path):
    with empty_store(tmp_path / "annotations") as opened:
        yield opened


def rows(store: Store, question: str, *values: object) -> list[tuple]:
    with sqlite3.connect(store.folder / FILE) as connection:
        return connection.execute(question, values).fetchall()


def most_people(store: Store, now: float) -> list[tuple]:
    """Of each item without gold: how many people have labelled or hold it, and how many third graders there are."""
    return rows(
        store,
        """SELECT i.id, count(DISTINCT h.person), max(h.third) FROM items i JOIN (
             SELECT item, person, third FROM standings WHERE state = 'labelled'
             UNION SELECT item, person, third FROM leases WHERE until > ?) h ON h.item = i.id
           WHERE i.gold IS NULL GROUP BY i.id""",
        now,
    )


def work(store: Store, project: int, person: str, most: int = 10_000, grade: str = "perfect") -> list[int]:
    """Label until nothing comes any more; the items in their order."""
    found = []
    while len(found) < most and (item := store.next_item(project, person)) is not None:
        store.label(project, person, item.id, Label(grade), uid())  # type: ignore[arg-type]
        found.append(item.id)
    return found


DEEDS = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.sampled_from(("label", "label", "label", "skip", "undo", "redo", "again", "wait", "leave")),
        st.sampled_from(GRADES[:2]),
    ),
    min_size=10,
    max_size=45,
)


@given(
    st.lists(st.integers(1, 3), min_size=1, max_size=4), st.integers(1, 2), st.sampled_from((0.0, 0.5)),
    st.booleans(), DEEDS,
)  # fmt: skip
@QUICK
def test_whatever_people_do_the_overlap_holds_and_what_is_kept_follows_from_the_events(
    turns, overlap, rate, third, deeds
):
    clock = Clock()
    with tempfile.TemporaryDirectory() as folder, empty_store(Path(folder) / "a", clock) as store:
        made = project_of(store, turns, 2, overlap=overlap, gold_rate=rate, third_grader=third)
        for number, deed, grade in deeds:
            person = PEOPLE[number]
            clock.now += 5
            if deed in ("undo", "redo"):
                try:
                    getattr(store, deed)(made.id, person, uid())
                except BadInput as problem:
                    assert "given to others" in str(problem)  # noqa: PT017
            elif deed == "wait":
                clock.now += LEASE_S + 1
            elif deed == "again" and (history := store.history(made.id, person)):
                try:
                    store.label(made.id, person, history[0].item, Label(grade), uid())
                except BadInput as problem:
                    assert "given to others" in str(problem)  # noqa: PT017
            elif (item := store.next_item(made.id, person)) is not None and deed != "leave":
                assert store.next_item(made.id, person) == item
                assert item.gold is None
                if deed == "skip":
                    store.skip(made.id, person, item.id, uid())
                else:
                    store.label(made.id, person, item.id, Label(grade), uid())
            for _, people, asked in most_people(store, clock.now):
                assert people <= overlap + (third and bool(asked))
        kept = "SELECT item, person, state, value, skips, third FROM standings ORDER BY 1, 2"
        tallies = "SELECT item, labels, top, thirds FROM tallies ORDER BY 1"
        before = rows(store, kept), rows(store, tallies)
        with store._database.writing() as c:
            ledger.rebuild(c)
        assert (rows(store, kept), rows(store, tallies)) == before


@given(st.lists(st.integers(1, 4), min_size=2, max_size=6), st.integers(1, 3), st.integers(0, 9))
@QUICK
def test_everything_is_labelled_by_as_many_as_wanted_and_turns_stay_together(turns, overlap, seed):
    with tempfile.TemporaryDirectory() as folder, empty_store(Path(folder) / "a") as store:
        made = project_of(store, turns, overlap=overlap, seed=seed)
        items = {item.id: item for item in store.items(made.id)}
        for person in PEOPLE[:3]:
            order = [items[id_] for id_ in work(store, made.id, person)]
            together = [(name, [item.turn_idx for item in group])
                        for name, group in itertools.groupby(order, key=lambda item: item.conversation)]  # fmt: skip
            assert len({name for name, _ in together}) == len(together)
            assert all(numbers == list(range(turns[int(name[1:])])) for name, numbers in together)
        labels = store.labels(made.id)
        assert len(labels) == len(items) * overlap
        assert len({(said.item, said.person) for said in labels}) == len(labels)
        assert store.progress(made.id).complete == len(items)


@given(st.lists(st.sampled_from(("label", "undo", "redo")), max_size=30))
def test_undo_and_redo_are_two_stacks(kinds):
    done: list[int] = []
    undone: list[int] = []
    events = []
    for seq, kind in enumerate(kinds):
        events.append(ledger.Event(seq, kind, seq, 0.0, {}))
        if kind == "label":
            done, undone = [*done, seq], []
        elif kind == "undo" and done:
            undone.append(done.pop())
        elif kind == "redo" and undone:
            done.append(undone.pop())
    found = ledger.fold(events)
    assert ([e.seq for e in found[0]], [e.seq for e in found[1]]) == (done, undone)


@given(st.sampled_from((0.05, 0.1, 0.2, 1 / 3, 0.5)), st.integers(0, 10_000), st.integers(1, 400))
def test_known_answers_come_at_the_rate_and_not_on_the_beat(rate, seed, n):
    asked = ProjectSettings(gold_rate=rate, seed=seed)
    places = []
    for given_ in range(n):
        if gold_due(asked, "Ida", given_, len(places)):
            places.append(given_)
    assert n * rate - 2 <= len(places) <= n * rate + 2
    if len(places) > 15 and rate <= 0.2:
        assert len({b - a for a, b in itertools.pairwise(places)}) > 2


def test_known_answers_are_mixed_in_between_conversations(store):
    made = project_of(store, [2] * 10, 30, gold_rate=0.5, overlap=2)
    items = {item.id: item for item in store.items(made.id, with_gold=True)}
    order = [items[id_] for id_ in work(store, made.id, "Ida")]
    golden = [item.gold is not None for item in order]
    assert 14 <= sum(golden) <= 21
    assert [item.turn_idx for item in order if item.gold is None] == [0, 1] * 10
    plain = [i for i, item in enumerate(order) if item.turn_idx == 1]
    assert all(order[i - 1].conversation == order[i].conversation for i in plain)
    assert len(store.gold_accuracy(made.id)[0].missed) == 0
    work(store, made.id, "Bo", grade="acceptable")
    (ida, bo) = sorted(store.gold_accuracy(made.id), key=lambda found: found.person, reverse=True)
    assert (ida.person, ida.right, bo.right, bo.near) == ("Ida", sum(golden), 0, bo.n)


def test_everybody_has_an_order_of_their_own_and_the_seed_changes_it():
    names = [f"c{i}" for i in range(40)]
    orders = {tuple(shuffled(names, seed, person)) for seed in (0, 1) for person in PEOPLE}
    assert len(orders) == 8
    assert shuffled(names, 0, "Ida") == shuffled(list(reversed(names)), 0, "Ida")


def test_the_store_shuffles_by_person(store):
    made = project_of(store, [1] * 20, overlap=2)
    assert work(store, made.id, "Ida") != work(store, made.id, "Bo")


def test_what_was_skipped_comes_again_at_the_end_once(store):
    made = project_of(store, [1] * 4)
    first = store.next_item(made.id, "Ida")
    store.skip(made.id, "Ida", first.id, uid())
    others = work(store, made.id, "Ida", most=3)
    assert first.id not in others
    assert store.next_item(made.id, "Ida").id == first.id
    store.skip(made.id, "Ida", first.id, uid())
    assert store.next_item(made.id, "Ida") is None
    assert store.next_item(made.id, "Bo").id == first.id
    found = store.progress(made.id, "Ida")
    assert (found.labelled, found.skipped, found.total) == (3, 1, 4)


def test_a_lease_lapses_and_is_taken_up_again_where_nobody_came(tmp_path):
    clock = Clock()
    with empty_store(tmp_path / "a", clock) as store:
        made = project_of(store, [3])
        first = store.next_item(made.id, "Ida")
        assert store.next_item(made.id, "Bo") is None
        clock.now += LEASE_S + 1
        assert store.next_item(made.id, "Ida") == first
        store.label(made.id, "Ida", first.id, Label("missing"), uid())
        clock.now += LEASE_S + 1
        second = store.next_item(made.id, "Bo")
        assert (second.turn_idx, second.conversation) == (1, first.conversation)
        assert store.next_item(made.id, "Ida") is None or store.next_item(made.id, "Ida").turn_idx == 2
        with pytest.raises(BadInput, match="given to others"):
            store.label(made.id, "Ida", second.id, Label("perfect"), uid())


def test_a_third_grader_is_somebody_else_and_decides(store):
    made = project_of(store, [2], overlap=2, third_grader=True)
    (first, second) = work(store, made.id, "Ida", grade="perfect")
    for grade in ("incorrect", "perfect"):
        store.label(made.id, "Bo", store.next_item(made.id, "Bo").id, Label(grade), uid())
    (found,) = store.disagreements(made.id)
    assert (found.item, found.waiting, found.resolution.value) == (first, True, None)
    assert store.next_item(made.id, "Ida") is None
    assert store.next_item(made.id, "Cy").id == first
    assert store.next_item(made.id, "Di") is None
    store.label(made.id, "Cy", first, Label("missing"), uid())
    (found,) = store.disagreements(made.id)
    assert (found.third, found.waiting) == ("Cy", False)
    assert found.resolution.how == "third grader"
    assert {id_: r.value for id_, r in store.resolved(made.id).items()} == {first: "missing", second: "perfect"}


def test_without_a_third_grader_a_disagreement_stays_open(store):
    made = project_of(store, [1], overlap=2)
    (item,) = work(store, made.id, "Ida")
    work(store, made.id, "Bo", grade="incorrect")
    assert store.next_item(made.id, "Cy") is None
    assert store.resolved(made.id)[item].value is None


def test_somebody_who_was_assigned_conversations_gets_no_others(store):
    made = project_of(store, [1, 2, 1])
    store.assign(made.id, "Ida", ["c1"], uid())
    items = {item.id: item for item in store.items(made.id)}
    assert [items[id_].conversation for id_ in work(store, made.id, "Ida")] == ["c1", "c1"]
    store.assign(made.id, "Ida", None, uid())
    assert len(work(store, made.id, "Ida")) == 2
    with pytest.raises(BadInput, match="no conversation 'c9'"):
        store.assign(made.id, "Ida", ["c9"], uid())


def test_items_that_are_added_later_come_too(store):
    made = project_of(store, [1])
    work(store, made.id, "Ida")
    store.add_items(made.id, conversation("later", 2), uid())
    assert len(work(store, made.id, "Ida")) == 2
