"""Agreement on the page: figures or why there are none, disagreements one by one, corrections accepted or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import gradio as gr
import pytest

from assistant.settings import Settings
from eval.annotate.overlay import proposals
from eval.annotate.overlay_files import read_overlay, versions
from eval.annotate.store import FOLDER
from eval.annotate.values import Label, Preference, Project
from eval.metrics.figures import Figure
from eval.metrics.intervals import Interval
from eval.ui.html.agreement import (
    card,
    interval_text,
    proposal_key,
    render_agreement,
    render_corrections,
    render_differing,
    render_gold_accuracy,
)
from eval.ui.parts.agreement import ANY, AgreementPart, agreement_of, differing
from eval.ui.state.annotation import AnnotationDesk
from eval.ui.state.rights import ALL_RIGHTS, rights_for
from tests.eval.annotate.annotator import empty_store, project_of, uid
from tests.eval.ui.test_html import EVIL, assert_inert
from tests.eval.ui.test_projects import Told


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[AnnotationDesk]:
    settings = Settings(data_dir=tmp_path / "data", world_dir=tmp_path / "world")
    empty_store(settings.data_dir / FOLDER).close()
    desk = AnnotationDesk(settings, ALL_RIGHTS)
    yield desk
    desk.store.close()


@pytest.fixture
def project(desk: AnnotationDesk) -> Project:
    """Three answers by two people, who differ on the last two and propose other truths there; one known answer."""
    made = project_of(desk.store, [1, 1, 1], golds=1, overlap=2, third_grader=True)
    items = desk.store.items(made.id)
    grades = [("perfect", "perfect"), ("incorrect", "perfect"), ("missing", "acceptable"), ("missing", "perfect")]
    for number, (item, pair) in enumerate(zip(items, grades, strict=True)):
        for person, grade in zip(("Ann", "Ben"), pair, strict=True):
            other = f"{person} {number}" if number in (1, 2) else ""
            reasons = ("wrong fact",) if grade == "incorrect" else ()
            said = Label(grade, reasons, corrected_answer=other, note="the sign says so")  # type: ignore[arg-type]
            desk.store.label(made.id, person, item.id, said, uid())
    return made


def part_of(desk: AnnotationDesk) -> AgreementPart:
    with gr.Blocks(), gr.Tab("Agreement") as tab:
        part = AgreementPart(desk)
        part.wire(tab)
    return part


@pytest.mark.slow
def test_figures_stand_with_their_interval_or_why_not(desk: AnnotationDesk, project: Project):
    drawn = render_agreement(agreement_of(desk.store, project))
    assert "6 labels of 2 people on 3 items, 3 of them by two people or more." in drawn
    for name in ("Raw agreement", "Cohen’s kappa", "Fleiss’ kappa", "alpha, nominal", "alpha, ordinal", "Per person"):
        assert name in drawn
    assert "without this person no item has two labels" in drawn
    alone = project_of(desk.store, [1])
    assert "Nothing was labelled yet" in render_agreement(agreement_of(desk.store, alone))
    desk.store.label(alone.id, "Ann", desk.store.items(alone.id)[0].id, Label("perfect"), uid())
    assert "only one person labelled" in render_agreement(agreement_of(desk.store, alone))


def test_preferences_have_an_order_of_their_own(desk: AnnotationDesk):
    made = project_of(desk.store, [2], overlap=2)
    for item in desk.store.items(made.id):
        for person, winner in (("Ann", "a"), ("Ben", "tie" if item.turn_idx else "a")):
            desk.store.label(made.id, person, item.id, Preference(winner), uid())  # type: ignore[arg-type]
    assert agreement_of(desk.store, made).alpha["ordinal"].value is not None


def test_a_figure_in_words():
    assert interval_text(Figure(0.5, Interval(-0.001, 0.9, "bootstrap"), 3)) == "0.00 to 0.90"
    assert "Not defined: <bdi>nobody &#x27;labelled&#x27;</bdi>" in card("Raw", Figure(None, why="nobody 'labelled'"))
    assert "no interval · 1 item" in card("Raw", Figure(-0.25, None, 1))
    assert "−0.25" in card("Raw", Figure(-0.25, None, 1))


def test_who_said_what_and_how_it_is_to_be_decided(desk: AnnotationDesk, project: Project):
    found = differing(desk.store, project)
    drawn = render_differing(found)
    assert "2 disagreements" in drawn
    assert drawn.count("A third grader is to decide") == 2
    assert "wrong fact" in drawn
    assert "would answer: <bdi>Ann 1</bdi>" in drawn
    assert "“<bdi>the sign says so</bdi>”" in drawn
    third = desk.store.next_item(project.id, "Cleo")
    assert third is not None
    desk.store.label(project.id, "Cleo", third.id, Label("incorrect"), uid())
    again = render_differing(differing(desk.store, project))
    assert "(third grader)" in again or "Decided by the majority: incorrect." in again
    many = render_differing([replace(found[0]) for _ in range(25)], 10)
    assert "11 to 20 of 25" in many
    assert "differ nowhere" in render_differing([])
    assert "Nobody gave that label" in render_differing([], 0, 3)


def test_known_answers_tell_what_was_missed(desk: AnnotationDesk, project: Project):
    items = {item.id: item for item in desk.store.items(project.id)}
    drawn = render_gold_accuracy(desk.store.gold_accuracy(project.id), items)
    assert "What was missed (1)" in drawn
    assert "100.0 %" in drawn
    assert "No item with a known answer" in render_gold_accuracy([], {})


def test_what_people_say_is_inert(desk: AnnotationDesk, project: Project):
    (one, *_) = differing(desk.store, project)
    label = Label("perfect", corrected_answer=EVIL, note=EVIL)
    said = tuple(replace(each, person=EVIL, label=label) for each in one.said)
    item = replace(one.item, question=EVIL, answer=EVIL, ground_truth=EVIL, other_answer=EVIL)
    assert_inert(render_differing([replace(one, item=item, said=said)]))
    (proposal, *_) = proposals(desk.store, project.id)
    proposal = replace(proposal, old=EVIL, new=EVIL, people=(EVIL,), interaction_id=EVIL)
    assert_inert(render_corrections([proposal], {proposal.item: item}, frozenset(), {}))
    found = agreement_of(desk.store, project)
    people = {EVIL: next(iter(found.people.values()))}
    assert_inert(render_agreement(replace(found, people=people, raw=Figure(None, why=EVIL))))
    golds = [replace(each, person=EVIL) for each in desk.store.gold_accuracy(project.id)]
    assert_inert(render_gold_accuracy(golds, {each: item for gold in golds for each, *_ in gold.missed}))


@pytest.mark.slow
def test_corrections_are_chosen_and_become_an_overlay(desk: AnnotationDesk, project: Project):
    part = part_of(desk)
    asked = type("Asked", (), {"username": ""})()
    drawn: dict[Any, Any] = {}
    for changes in part._arrive(None, ANY, asked):
        drawn |= changes
    assert "2 disagreements" in drawn[part.list]
    assert "4 proposals, 0 chosen" in drawn[part.corrections]
    assert "6 labels" in drawn[part.figures]
    one, other, third, _ = proposals(desk.store, project.id)
    name, chosen = project.name, []
    for proposal in (one, third, other):
        chosen = part._choose(name, chosen, Told("choose", proposal_key(proposal)))[part.chosen]
    assert chosen == [proposal_key(third), proposal_key(other)], "of two for one turn the last counts"
    assert "Say who accepts them" in part._accept(name, chosen, "lamps", " ", asked)[part.notice]
    assert "Nothing was accepted" in part._accept(name, [], name, "Ida", asked)[part.notice]
    done = part._accept(name, chosen, name, "Ida", asked)
    assert "2 corrections accepted" in done[part.notice]
    assert "--overlay" in done[part.notice]
    assert done[part.corrections].count("accepted before") == 2
    (path,) = versions(desk.store.folder, name).values()
    assert {line.new for line in read_overlay(path)} == {other.new, third.new}
    gone = part._choose(name, [], Told("choose", "5-x"))
    assert "not there any more" in gone[part.notice]


@pytest.mark.slow
def test_disagreements_are_filtered_by_label(desk: AnnotationDesk, project: Project):
    part = part_of(desk)
    assert "1 disagreement of 2" in part._filter(project.name, "incorrect")[part.list]
    assert "2 disagreements" in part._page(project.name, ANY, Told("page", "90"))[part.list]


@pytest.mark.slow
def test_a_page_that_only_shows_is_closed(desk: AnnotationDesk, project: Project):
    part = part_of(AnnotationDesk(desk.settings, rights_for("0.0.0.0", has_auth=False)))
    asked = type("Asked", (), {"username": ""})()
    for changes in (
        next(part._arrive(None, ANY, asked)),
        next(part._draw(project.name, ANY)),
        part._filter(project.name, ANY),
        part._choose(project.name, [], Told("choose", "1-x")),
        part._accept(project.name, [], "x", "Ida", asked),
    ):
        assert "without --auth" in changes[part.notice]
