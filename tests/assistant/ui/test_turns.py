"""What the page draws: pure functions of events and values, with everything foreign made inert."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from assistant.core.errors import BadInput
from assistant.core.events import EvidenceFound, Finished, SentenceReady, StageFinished, StageStarted
from assistant.core.options import USUAL
from assistant.core.types import Answer, Candidate, Conversation, Evidence, Recognition, Sentence, Turn, Usage
from assistant.doctor import Part
from assistant.models.chat.probe import Probed, Step
from assistant.ui.html import escape as inert
from assistant.ui.html.evidence import render_evidence, render_meter
from assistant.ui.html.frame import render_frame
from assistant.ui.html.model import render_probe, render_state
from assistant.ui.html.page import (
    Example,
    render_announcement,
    render_empty,
    render_example_questions,
    render_examples,
    render_head,
    render_notice,
    render_target,
)
from assistant.ui.html.timings import render_times
from assistant.ui.html.turns import render_turn, render_turns, settings_for
from assistant.ui.state.target import Target
from assistant.ui.state.turn_view import TurnView, announcement, ended, follow_ups, project, what_would_help
from assistant.ui.state.variations import ENTITY, Variation, first_of, offers_for, step, varied
from tests.e2e.scripted import HOSTILE, NAME, RELATIVES, ScriptedAssistant, a_frame

ALLOWED_TAGS = {
    *(
        "article",
        "header",
        "footer",
        "section",
        "div",
        "p",
        "h1",
        "h2",
        "h3",
        "span",
        "bdi",
        "button",
        "ol",
        "ul",
        "li",
    ),
    *(
        "kbd",
        "mark",
        "h2",
        "details",
        "summary",
        "figure",
        "figcaption",
        "img",
        "svg",
        "polygon",
        "blockquote",
        "dl",
        "dt",
        "dd",
        "code",
    ),
}
VOID = {"img"}


class Auditor(HTMLParser):
    """Fails on any tag, attribute or address that the page itself would not write, and on unbalanced tags."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALLOWED_TAGS, f"<{tag}> came from outside"
        for name, value in attrs:
            assert not name.startswith("on"), f"{name}={value!r}"
            if name in ("src", "href"):
                assert (value or "").startswith("data:image/"), f"{name}={value!r}"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"stray </{tag}>"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def audited(html: str) -> str:
    """The words in `html`, after checking that nothing in it is alive."""
    auditor = Auditor()
    auditor.feed(html)
    auditor.close()
    assert not auditor.open
    return " ".join(" ".join(auditor.words).split())


def played(question: str, *, hostile: bool = False, frame: bool = True, upto: int | None = None) -> TurnView:
    """A turn of the scripted assistant, as the page sees it after its first `upto` events."""
    script = ScriptedAssistant(hostile=hostile)
    events = list(script.answer(Conversation("c"), question, a_frame() if frame else None))
    return project(1, question, [(10.0 * n, e) for n, e in enumerate(events[:upto])])


def test_an_answer_shows_its_sentences_with_the_numbers_of_the_cards_that_carry_them():
    html = render_turn(played("What is the price?"))
    words = audited(html)
    assert "Halden Oat Biscuits cost 3.40 euros. 1 2 The shop's page names the same price. 3" in words
    assert "Answered" in words
    for number in (1, 2, 3):
        assert f'data-goto="turn-1-card-{number}"' in html
        assert f'id="turn-1-card-{number}"' in html


def test_used_evidence_stands_first_and_the_rest_is_folded():
    html = render_evidence(played("What is the price?"))
    shown, folded = html.split('<details class="v-others"')
    line = shown.split("</summary>")[0]
    assert "Sources" in line
    assert "price" in line
    assert "3.40 EUR" in shown
    assert "https://shop.invalid/halden" in shown
    assert "https://shop.invalid/halden" not in folded
    assert "250 g" not in shown
    assert "250 g" in folded
    assert "94 % sure" in shown


def test_an_abstention_says_why_and_what_would_help():
    view = played("Who founded the mill?")
    words = audited(render_turn(view))
    assert "I don't know: Halden Oat Biscuits is recognised, but nothing about that was found." in words
    assert "Does not know" in words
    assert "can be taught" in words
    assert "Evidence" not in words
    assert "What was recognised" in words


def test_what_nobody_knows_can_be_taught_or_asked_of_a_model():
    view = played("Who founded the mill?")
    unknown = replace(
        view, recognition=Recognition(reason="nothing on this picture is among the things I can recognise")
    )
    html = render_turn(unknown)
    audited(html)
    assert 'data-open="teach"' in html
    assert 'data-open="model"' in html
    assert 'data-open="teach"' not in render_turn(view)  # what is recognised needs no teaching
    away = "With the chat profile: question, picture and evidence go to models.example"
    html = render_turn(replace(unknown, others=(("chat", away),)))
    audited(html)
    assert "Ask a model" in html
    assert "go to models.example" in html
    assert 'data-open="model"' not in html
    assert "v-way" not in render_turn(played("What is the price?"))
    assert "v-way" not in render_turn(played("What is the price?", frame=False))


def test_what_was_recognised_is_shown_even_when_no_sentence_names_it():
    view = played("Who makes it?")
    html = render_evidence(view)
    shown = html.split('<details class="v-others"')[0]
    assert shown.index("v-card--entity") < shown.index("v-card--attribute")
    assert html.count("v-card--entity") == 1
    refused = render_evidence(played("Who founded the mill?"))
    assert "What was recognised" in refused.split('<details class="v-others"')[0]


def test_what_was_recognised_stays_folded_when_the_turn_was_about_something_else():
    view = played("Who makes it?")
    turn = Turn("q", view.turn.answer, subjects=("Something Else",))
    html = render_evidence(replace(view, turn=turn))
    assert "v-card--entity" not in html.split('<details class="v-others"')[0]
    assert "v-card--entity" in html


@pytest.mark.parametrize(("confidence", "words"), [(0.999, "99 % sure"), (1.0, "100 % sure"), (-0.1, "0 % sure")])
def test_nothing_below_certainty_is_called_certain(confidence, words):
    assert words in render_meter(confidence)


def test_follow_ups_are_sentences():
    facts = [
        ("designed_by", "Ann"),
        ("items", "a, b"),
        ("label", "Thing"),
        ("x" * 40, "1"),
        ("mass", None),
        ("first_published", "1987"),
        ("site", "8928fdc8.invalid/x"),
        ("position", "52.880, 10.192"),
    ]
    evidence = tuple(
        Evidence(f"a{n}", "attribute", "Thing", "", 1.0, subject="Thing", key=key, value=value)
        for n, (key, value) in enumerate([*facts, ("net_mass", "3 kg"), ("address", "Here")])
    )
    entity = Candidate("Thing", 0.9, (), {}, 0, "")
    turn = Turn("q", Answer("Yes.", "answered", evidence=evidence))
    view = TurnView(1, "q", recognition=Recognition((entity,), entity), evidence=evidence, turn=turn)
    assert follow_ups(view) == ("What is its net mass?", "What is its address?")


def test_without_a_picture_it_asks_for_one():
    assert "picture first" in what_would_help(played("What is it?", frame=False))


@pytest.mark.parametrize("status", ["refused", "timeout", "cancelled", "error"])
def test_a_failed_turn_is_told_apart_and_never_looks_like_an_answer(status):
    turn = Turn("q", Answer("", status, "the reason"))
    html = render_turn(project(3, "q", [(5.0, Finished(turn))]))
    assert f"v-turn--{status}" in html
    assert "The reason." in audited(html)
    assert "Answered" not in audited(html)


def test_progress_shows_the_stages_that_are_done_running_and_waiting():
    events = [(0.0, StageStarted("look")), (1.0, StageStarted("recognise")), (2.0, StageFinished("look", 2.0))]
    html = render_turn(project(1, "q", events))
    assert re.search(r"v-step--done[^>]*>Looking", html)
    assert re.search(r"v-step--running[^>]*>Recognising", html)
    assert re.search(r"v-step--waiting[^>]*>Planning", html)


def test_streamed_sentences_appear_before_the_turn_is_finished():
    html = render_turn(project(1, "q", [(0.0, SentenceReady(Sentence("First one.", ())))]))
    assert "First one." in audited(html)
    assert "v-turn--live" in html


def test_waiting_for_the_index_is_said():
    assert "Building the index" in audited(render_turn(project(1, "q", [], waiting="Building the index (40 %)")))


def test_times_list_each_stage_and_their_sum():
    words = audited(render_times(played("What is the price?")))
    for stage in ("look 212 ms", "recognise 148 ms", "plan 3 ms", "retrieve 41 ms", "answer 12 ms", "check 6 ms"):
        assert stage in words
    assert "sum 423 ms" in words


def test_times_over_a_second_and_zero():
    turn = Turn("q", Answer("a", "answered"))
    events = [(0.0, StageFinished("look", 1234.0)), (1.0, StageFinished("recognise", 0.0)), (2.0, Finished(turn))]
    words = audited(render_times(project(1, "q", events)))
    assert "look 1.23 s" in words
    assert "recognise 0 ms" in words


def test_the_outline_is_drawn_in_the_pixels_of_the_frame_as_handed_in():
    view = played("What is the price?")
    html = render_frame("data:image/jpeg;base64,AAAA", 480, 640, view)
    assert 'viewBox="0 0 480 640"' in html
    assert 'class="v-outline" points="120.0,160.0 360.0,160.0 360.0,480.0 120.0,480.0"' in html
    assert f"{NAME} outlined" in html
    assert "1 line of text read" in audited(html)


def test_a_frame_nothing_was_asked_about_has_no_outline():
    assert "polygon" not in render_frame("data:image/jpeg;base64,AAAA", 480, 640)


def test_follow_ups_come_from_evidence_that_was_found_and_not_used():
    assert follow_ups(played("What is the price?")) == ("What is its maker?", "What is its net weight?")
    assert follow_ups(played("What is the price?", upto=6)) == ()
    assert follow_ups(played("What is it?", frame=False)) == ()


def test_announcements_change_only_when_something_happened():
    assert announcement(played("What is the price?", upto=2)) == announcement(played("What is the price?", upto=4))
    assert announcement(played("Who?")).startswith("I don't know")


# answered otherwise


def variation_of(view: TurnView, *acts: tuple[str, str]) -> Variation:
    """What is left after some acts of a visitor on a turn of the scripted assistant, each answered."""
    script = ScriptedAssistant()
    variation = first_of(view, USUAL)
    for act, card in acts:
        offers = offers_for(variation, card, script.exchange) if act.startswith("swap") else ()
        variation = step(variation, act, card, offers)
        events = script.answer(Conversation("c"), view.question, a_frame(), conditions=variation.told())
        variation = variation.answered(project(1, view.question, [(1.0, e) for e in events]))
    return variation


def drawn(view: TurnView, variation: Variation) -> str:
    return render_turn(replace(variation.view, varied=varied(variation, view, USUAL)))


def test_a_switched_off_card_stays_in_sight_and_can_be_put_back():
    view = played("What is the price?")
    html = drawn(view, variation_of(view, ("off", "1")))
    words = audited(html)
    assert "price removed" in words
    assert "At first: Halden Oat Biscuits cost 3.40 euros." in words
    assert "Known fact · off" in words
    assert 'data-act="on" data-card="1"' in html
    back = variation_of(view, ("off", "1"), ("on", "1"))
    assert back.off == frozenset()
    assert back.view.turn.answer.text == view.turn.answer.text


def test_what_was_swapped_is_said_with_its_owner_and_every_relative_comes_once():
    view = played("What is the price?")
    words = audited(drawn(view, variation_of(view, ("swap-0", "1"))))
    assert f"Replaced by that of {RELATIVES[0]}" in words
    assert f"price: that of {RELATIVES[0]}" in words
    assert variation_of(view, ("swap-1", "1")).swapped["a1"] == RELATIVES[1]
    with pytest.raises(BadInput, match="no longer offered"):
        variation_of(view, ("swap-2", "1"))
    html = render_turn(replace(view, offers={"1": (("Almond Biscuits", "2.90 EUR"), ("<b>", ""))}))
    assert "Replace with Almond Biscuits: known fact" in html
    assert "2.90 EUR" in audited(html)


def test_a_swapped_recognition_is_never_called_sure():
    view = played("What is the price?")
    variation = variation_of(view, ("swap-0", ENTITY))
    assert f"In place of {NAME}" in audited(drawn(view, variation))
    frame = render_frame(
        "data:image/png;base64,A", 480, 640, replace(variation.view, varied=varied(variation, view, USUAL))
    )
    assert "% sure" not in audited(frame)
    assert f"{RELATIVES[0]} swapped in" in audited(frame)


@pytest.mark.parametrize(
    ("act", "card"),
    [
        ("off", "99"),
        ("off", "-1"),
        ("off", "a1"),
        ("off", "²"),
        ("fly", "1"),
        ("", ""),
        ("swap-0", "5"),
        ("swap-x", "1"),
        ("swap-99", "1"),
        ("swap-²", "1"),
    ],
)
def test_what_a_browser_makes_up_changes_nothing(act: str, card: str):
    with pytest.raises(BadInput):
        variation_of(played("What is the price?"), (act, card))


def test_settings_are_offered_where_they_make_a_difference():
    view = played("What is the price?")
    assert settings_for(view) == ("as-taken", "unread", "unchecked")
    assert settings_for(replace(view, region_px=(0, 0, 9, 9)))[0] == "whole"
    assert settings_for(played("What is it?", frame=False)) == ("unchecked",)
    changed = variation_of(view, ("off", "1"), ("unchecked", ""))
    assert changed.conditions.check is False
    assert changed.off == frozenset()  # looked for anew, cards are as they are found


def test_tokens_and_cost_of_a_paid_model_are_shown():
    usage = Usage("some-model", 1200, 45, 0.0123, tries=2)
    turn = Turn("q", Answer("a", "answered", usage=usage))
    words = audited(render_times(project(1, "q", [(0.0, StageFinished("answer", 9.0)), (1.0, Finished(turn))])))
    assert "some-model · 1,200 tokens read · 45 written · $0.0123 · 2 tries" in words


def test_stages_that_overlap_stand_in_lanes_of_their_own():
    events = [(0.0, StageStarted("look")), (0.0, StageStarted("recognise")), (50.0, StageFinished("look", 50.0))]
    events += [
        (80.0, StageFinished("recognise", 60.0)),
        (81.0, StageStarted("plan")),
        (100.0, StageFinished("plan", 19.0)),
    ]
    events += [(101.0, Finished(Turn("q", Answer("a", "answered"))))]
    html = render_times(project(1, "q", events))
    lanes = html.split('class="v-lane"')[1:]
    assert len(lanes) == 2
    assert "v-seg--recognise" in lanes[0]
    assert "v-seg--plan" in lanes[0]
    assert "v-seg--look" in lanes[1]
    assert "left:81.00%;width:19.00%" in html


def test_every_part_of_the_house_is_said_with_what_would_be_better():
    parts = (Part("hearing", False, HOSTILE, "pip install -r requirements.txt"), Part("codes", True, "zxing"))
    words = audited(render_head(Target(), parts))
    assert "hearing (off)" in words
    assert "pip install -r requirements.txt" in words


# hostile words, everywhere they can come from


def test_hostile_words_are_inert_in_every_part_of_a_turn():
    view = played(HOSTILE, hostile=True)
    words = audited(render_turn(view))
    assert "<script>window.pwned=1</script>" in words  # shown, as text
    audited(render_frame("data:image/jpeg;base64,AAAA", 480, 640, view))
    for upto in range(1, 14):
        audited(render_turn(played(HOSTILE, hostile=True, upto=upto)))


@pytest.mark.parametrize(
    "html",
    [
        render_notice(HOSTILE, "error"),
        render_notice(HOSTILE, "progress", 0.5),
        render_announcement(HOSTILE),
        render_example_questions([HOSTILE]),
        render_examples([Example("data:image/jpeg;base64,AAAA", (HOSTILE,))]),
        render_head(Target(HOSTILE, HOSTILE, HOSTILE, HOSTILE)),
        render_target(Target(HOSTILE, HOSTILE, HOSTILE, HOSTILE)),
        render_state(
            Target("chat", HOSTILE, HOSTILE, HOSTILE),
            has_key=True,
            remembers=True,
            set_by={"base_url": HOSTILE},
            rules=[(HOSTILE, HOSTILE)],
            note=HOSTILE,
        ),
        render_probe(Probed(HOSTILE, HOSTILE, (Step("text", True, HOSTILE, 1.0),), "stream"), [HOSTILE]),
        render_probe(Probed(HOSTILE, HOSTILE, (Step("text", False, HOSTILE, 1.0),), problem=HOSTILE)),
        render_turn(project(1, HOSTILE, [], waiting=HOSTILE)),
        render_turn(project(1, HOSTILE, [(0.0, Finished(ended(HOSTILE, "error", HOSTILE)))])),
    ],
)
def test_hostile_words_are_inert_outside_turns(html):
    assert "<script" not in html.lower()
    assert audited(html).strip()


def test_templates_markdown_and_direction_marks_mean_nothing():
    html = inert.isolated("${1+1} {{x}} `y` [a](javascript:b) \u202eabc\u2066\u200f \x00\x07")
    for mark in ("${", "{{", "`", "\u202e", "\u2066", "\u200f", "\x00", "\x07"):
        assert mark not in html
    assert inert.plain("${1+1} {{x}}") == "${1+1} {{x}}"
    assert inert.plain("שלום") == "שלום"  # letters of right-to-left scripts stay


def test_attribute_values_cannot_leave_their_quotes():
    html = render_example_questions(['" onmouseover="alert(1)'])
    assert 'onmouseover="' not in html
    audited(html)


def test_a_hundred_kilobytes_are_cut_and_counted():
    long = Evidence("p", "passage", "https://x.invalid/" + "y" * 100_000, "z" * 100_000, 0.5, title="t" * 100_000)
    turn = Turn("q" * 100_000, Answer("a" * 100_000, "abstained", "r", evidence=(long,)))
    html = render_turn(project(1, "q" * 100_000, [(0.0, EvidenceFound((long,))), (1.0, Finished(turn))]))
    assert len(html) < 12_000
    assert "99,300 more characters" in audited(html)


def test_hundreds_of_pieces_of_evidence_are_counted():
    many = tuple(Evidence(f"t{n}", "text", "frame", f"line {n}", 0.9) for n in range(500))
    html = render_turn(project(1, "q", [(0.0, Finished(Turn("q", Answer("x", "abstained", evidence=many))))]))
    assert html.count("v-card--text") == 1
    assert "line 39" in html
    assert "and 460 more lines" in audited(html)
    facts = tuple(Evidence(f"a{n}", "attribute", "Mill", f"fact {n}", 0.9, key=f"k{n}") for n in range(500))
    html = render_turn(project(1, "q", [(0.0, Finished(Turn("q", Answer("x", "abstained", evidence=facts))))]))
    assert html.count("v-card--attribute") == 40
    assert "and 460 more" in audited(html)


def test_a_sign_is_one_card_and_a_page_too_and_their_numbers_are_said_once():
    lines = tuple(Evidence(f"text:{n}", "text", "frame", f"line {n}", 0.9) for n in range(3))
    pages = tuple(
        Evidence(f"p{n}", "passage", "https://x.invalid/a", f"words {n}", 0.5, title="Mill") for n in range(2)
    )
    said = (Sentence("It says so.", ("text:0", "text:2", "text:1")), Sentence("So does the page.", ("p0", "p1")))
    turn = Turn("q", Answer("", "answered", "", said, (*lines, *pages)))
    view = project(1, "q", [(0.0, EvidenceFound((*lines, *pages))), (1.0, Finished(turn))])
    html = render_turn(view)
    audited(html)
    assert html.count('class="v-cite"') == 2
    assert html.count("v-card--text") == html.count("v-card--passage") == 1
    assert "line 0</bdi>\n<bdi>line 1" in html
    assert 'data-act="off" data-card="0,1,2"' in html
    assert 'data-event="offer"' not in html


def test_the_older_turns_of_a_long_conversation_are_folded():
    views = [project(n, f"question {n}", []) for n in range(1, 8)]
    shown = render_turns(views).split("</details>")[-1]
    assert "4 earlier questions" in render_turns(views)
    assert "question 4" in render_turns(views).split("question 5")[0]
    assert "question 7" in shown
    assert "v-earlier" not in render_turns(views[:3])


def test_emoji_and_empty_strings_are_shown_as_they_are():
    assert "🍪👩‍🍳" in audited(render_turn(project(1, "🍪👩‍🍳", [])))
    assert render_notice("") == ""
    assert "Give it a picture" in audited(render_empty(False))
    assert "missing from assets/world" in audited(render_examples([]))


def test_recognition_without_an_entity_says_its_reason():
    view = project(1, "q", [(1.0, Finished(Turn("q", Answer("I don't know.", "abstained"))))])
    view = TurnView(1, "q", recognition=Recognition(reason="nothing on it is indexed"), turn=view.turn)
    assert "Nothing on it is indexed." in audited(render_frame("data:image/png;base64,A", 10, 10, view))
