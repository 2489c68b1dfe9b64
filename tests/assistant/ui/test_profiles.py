"""Which other profile is offered beside an answer, and what is behind the button."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from assistant.core.errors import BadInput
from assistant.factory import under_profile
from assistant.settings import Settings
from assistant.ui.state.profiles import Offer, OtherProfiles, offers_of
from tests.e2e.scripted import ScriptedAssistant

KEY = "sk-not-to-be-shown"


def settings(**configured: Any) -> Settings:
    return Settings(data_dir=Path("nowhere"), **configured)


def test_nothing_is_offered_where_nothing_is_set_up_or_where_strangers_would_spend_the_owners_money():
    assert offers_of(settings()) == ()
    assert offers_of(settings(api_key=KEY), may_send=False) == ()
    assert offers_of(settings(base_url="no address")) == ()


def test_a_button_names_whom_the_question_goes_to_and_no_secret():
    (offer,) = offers_of(settings(base_url="http://models.invalid:8000/v1", api_key=KEY, chat_pictures=False))
    assert offer.profile == "chat"
    assert "question and evidence go to models.invalid:8000" in offer.words
    assert KEY not in offer.words
    (offer,) = offers_of(settings(api_key=KEY))
    assert "picture" in offer.words
    assert "api.openai.com" in offer.words
    (offer,) = offers_of(settings(profile="chat", api_key=KEY))
    assert offer.profile == "embedded"
    assert "nothing is sent" in offer.words


def test_the_assistant_behind_a_button_is_made_once_and_only_for_what_is_offered():
    script, made = ScriptedAssistant(), []

    def under(assistant: Any, profile: Any) -> Any:
        made.append(profile)
        return under_profile(assistant, settings(base_url="http://models.invalid/v1"), profile)

    others = OtherProfiles([Offer("chat", "With the chat profile")], under)
    assert others.of(script, "") is script
    assert made == []
    assert others.of(script, "chat") is others.of(script, "chat")
    assert others.of(script, "chat").profile == "chat"
    assert made == ["chat"]
    assert others.of(script, "embedded") is script  # its own
    for name in ("local", "x" * 100):
        with pytest.raises(BadInput, match="not set up"):
            others.of(script, name)
