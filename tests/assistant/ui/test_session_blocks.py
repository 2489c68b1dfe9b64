"""Gradio makes anew only what a handler mentions; what it sends, and what a session keeps, stays as it was."""

from __future__ import annotations

import asyncio
import inspect

import gradio as gr
import pytest
from gradio.blocks import Blocks
from gradio.state_holder import SessionState

from assistant.ui.session_blocks import keep_ids, pass_over_the_rest

plain = inspect.unwrap(Blocks.postprocess_data)  # another test may have served a page before


def a_page():
    with gr.Blocks() as page:
        box, button, count, column = gr.Textbox("a"), gr.Button("go"), gr.State(0), gr.Column()
        button.click(lambda: None, None, [box, button, count, column])
    return page, (box, button, count, column), page.default_config.fns[0]


def sent(process, page, fn, predictions):
    return asyncio.run(process(page, fn, predictions, SessionState(page)))


def test_what_is_sent_is_the_same_as_without():
    page, (box, button, count, column), fn = a_page()
    keep_ids()
    pass_over_the_rest()
    pass_over_the_rest()
    ours = Blocks.postprocess_data
    assert ours is not plain
    for predictions in (
        {box: "b"},
        {box: "b", column: gr.Column(visible=False)},
        {button: gr.Button(visible=False), count: 3},
        {count: 3},
        gr.skip(),
        ["b", gr.skip(), 4, gr.skip()],
    ):
        before = dict(predictions) if isinstance(predictions, dict) else list(predictions)
        assert sent(ours, page, fn, predictions) == sent(plain, page, fn, before)


def test_what_is_not_mentioned_is_left_alone():
    page, (box, button, count, column), fn = a_page()
    pass_over_the_rest()
    state = SessionState(page)
    asyncio.run(Blocks.postprocess_data(page, fn, {button: gr.Button(visible=False), count: 3}, state))
    assert state[box._id] is box
    assert state[column._id] is column
    assert state[button._id].visible is False
    assert state[count._id] == 3


def test_what_is_no_output_is_refused_as_ever():
    page, (box, *_), fn = a_page()
    pass_over_the_rest()
    with page:
        stranger = gr.Textbox()
    for wrong in ({stranger: "b"}, {box: "b", stranger: "c"}, {"box": "b", box: "c"}):
        with pytest.raises(ValueError, match=r"not specified as output|some keys as Components"):
            sent(Blocks.postprocess_data, page, fn, wrong)
