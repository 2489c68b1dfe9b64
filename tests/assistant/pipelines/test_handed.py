"""Evidence that a run hands in reaches a model whole, in its order, with its pictures, in every pipeline."""

from __future__ import annotations

import re

import pytest

from assistant.core.types import Evidence
from assistant.index.build import build_index
from assistant.index.knowledge import Knowledge
from tests import scripted_chat
from tests.assistant.pictured_world import encoded, make_pictured_world
from tests.assistant.pipelines.test_pictured import events_of, opened

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory) -> Knowledge:
    world = make_pictured_world(tmp_path_factory.mktemp("handed") / "world")
    build_index(world, world.parent / "index", read_pictures=False)
    return Knowledge.open(world.parent / "index")


def handed() -> list[Evidence]:
    """Forty passages of 3,000 characters, each with its own last word, and two pictures between them."""
    pages = [
        Evidence(f"given:{n}", "passage", f"https://x.invalid/{n}", f"{'word ' * 600}last{n}", 0.0) for n in range(40)
    ]
    pictures = [
        Evidence(
            f"given:p{n}", "picture", f"https://x.invalid/p{n}", "", 0.0, title=f"Page {n}", picture=encoded(colour)
        )
        for n, colour in enumerate(((250, 0, 0), (0, 0, 250)))
    ]
    return [*pages[:10], pictures[0], *pages[10:39], pictures[1], pages[39]]


@pytest.mark.parametrize("name", ["mm-llm", "vitrine", "task1", "task2", "task3", "kdd-2025"])
def test_a_model_is_shown_all_that_it_was_handed(name, knowledge):
    with scripted_chat.start("--logprobs", "--log-bytes", script=[{"match": "", "reply": "I don't know."}]) as server:
        events_of(opened(name, server, knowledge), "What is it?", given={"evidence": tuple(handed())})
        asked = server.requests()[-1]
    text = asked["texts"][-1]
    assert [int(n) for n in re.findall(r"last(\d+)", text)] == list(range(40))
    assert re.findall(r"picture (\d), a picture on the page “Page (\d)”", text) == [("2", "0"), ("3", "1")]
    assert "The first picture is what the wearer sees." in text
    assert len(asked["images"]) == 3
    assert len({picture["sha256"] for picture in asked["images"]}) == 3


def test_what_does_not_fit_is_left_out_by_what_it_takes(knowledge):
    """A model that reads few tokens is asked again with less, and not with much less than it can read."""
    with scripted_chat.start("--context", "20000", script=[{"match": "", "reply": "I don't know."}]) as server:
        events_of(opened("mm-llm", server, knowledge), "What is it?", given={"evidence": tuple(handed())})
        first, *_, last = server.requests()
    shown = [len(re.findall(r"last\d+", row["texts"][-1])) for row in (first, last)]
    assert shown[0] == 40
    assert 20 <= shown[1] < 40
