"""What of a reply is thinking, in the wrappings of many models, and how replies end in many servers' words."""

from __future__ import annotations

import pytest

from assistant.models.endings import ending, looks_whole
from assistant.models.thinking import part

ANSWER = "It is made by Mavbella [1]."


@pytest.mark.parametrize(
    "reply",
    [
        "<think>Perhaps.</think>{}",
        "<think>\n\n</think>\n\n{}",
        "Perhaps. No.\n</think>\n\n{}",
        "<THINKING type='long'>Perhaps.</THINKING>{}",
        "<think>Perhaps.</thinking>{}",
        "<think>One <think> two </think>{}",
        "Perhaps <think>not</think> so.</think>{}",
        "<antThinking>Perhaps.</antThinking>{}",
        "<inner_monologue>Perhaps.</inner_monologue>{}",
        "<|begin_of_thought|>Perhaps.<|end_of_thought|><|begin_of_solution|>{}<|end_of_solution|>",
        "<|START_THINKING|>Perhaps.<|END_THINKING|><|START_RESPONSE|>{}<|END_RESPONSE|>",
        "<think>Perhaps. <answer>{}</answer>",
        "[THINK]Perhaps.[/THINK]{}",
        "◁think▷Perhaps.◁/think▷{}",
        "<unused94>thought\nPerhaps.<unused95>{}",
        "<|channel|>analysis<|message|>Perhaps.<|end|><|start|>assistant<|channel|>final<|message|>{}<|return|>",
        "analysisPerhaps.assistantfinal{}",
        "{}",
        "{}<|im_end|>",
        "{}<think>Was it right?</think>",
        "{}<think>Was it",
    ],
)
def test_only_the_answer_is_left(reply):
    assert part(reply.format(ANSWER)).answer.strip() == ANSWER


@pytest.mark.parametrize("reply", [f"<think>{ANSWER}", f"{ANSWER}</think>", f"<analysis>{ANSWER}</analysis>", ""])
def test_thinking_alone_is_no_answer(reply):
    assert part(reply).answer.strip() == ""


def test_what_only_looks_like_a_tag_is_text():
    for text in ("I think 3 < 4 and 5 > 4.", "The list [analysis below] is long.", "Write <b>bold</b>.", "x <thin> y"):
        assert part(text).answer == text


def test_ends_in_the_words_of_many_servers():
    for reason in ("stop", "eos", "eos_token", "end_turn", "stop_sequence", "COMPLETE", "STOP", "completed"):
        assert ending(reason) == "stop", reason
    for reason in ("length", "max_tokens", "MAX_TOKENS", "model_length", "max_output_tokens", "incomplete"):
        assert ending(reason) == "length", reason
    for reason in ("content_filter", "SAFETY", "refusal", "RECITATION"):
        assert ending(reason) == "content_filter", reason
    for reason in ("error", "abort", "insufficient_system_resource"):
        assert ending(reason) == "broken", reason
    for reason in (None, "", " ", "null"):
        assert ending(reason) is None, reason
    assert ending("tool_calls") == ending("function_call") == "calls"


def test_texts_that_come_to_their_end():
    for text in (ANSWER, "It is so.", "It is so. [1][2]\n", "He said “yes!”", "It is so [1]. 🎉"):
        assert looks_whole(text), text
    for text in ("It is made by", "It weighs 3", "", "1. First"):
        assert not looks_whole(text), text
