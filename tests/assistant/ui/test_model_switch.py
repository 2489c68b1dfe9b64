"""The change of the model on a served page: who may, for whom it holds, and that nobody is surprised by it."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from assistant.core.errors import BadInput
from assistant.models.chat.request import Prices
from assistant.remembered import Memory
from assistant.settings import Settings
from assistant.ui.state.engine import Engine
from assistant.ui.state.model_switch import Choice, ModelSwitch, choice_of
from assistant.ui.state.pictures import IndexedPictures
from assistant.ui.state.profiles import OtherProfiles
from assistant.ui.state.sessions import SessionStore
from assistant.ui.state.target import target_of
from tests.e2e.scripted import ScriptedAssistant, a_frame

KEY, URL = "sk-test-4242424242abcdef", "http://models.invalid:8000/v1"
FIELDS = (URL, "m", "", True, 20, (None, None), "vitrine", "moderate")


class House:
    """A switch over a scripted assistant; `made` are the settings that others were made with."""

    def __init__(self, folder: Path, **configured: Any):
        self.script, self.made = ScriptedAssistant(), []
        set_by, may_change = configured.pop("set_by", {}), configured.pop("may_change", True)
        self.engine = Engine(lambda progress: self.script)
        self.engine.start()
        assert self.engine.wait(5) is self.script
        self.others = OtherProfiles(under=lambda assistant, profile: self.switch.under(assistant, profile))
        settings = Settings(data_dir=folder, **configured)
        self.memory = Memory(folder, load_keyring=lambda: None)
        self.switch = ModelSwitch(
            settings, self.engine, self.others, self._under, self.memory, set_by=set_by, may_change=may_change
        )
        self.store = SessionStore(
            self.engine, IndexedPictures(folder), others=self.others, target=lambda: self.switch.target
        )

    def _under(self, assistant: Any, settings: Settings, profile: Any) -> Any:
        self.made.append(settings)
        return assistant.under(settings.effective_profile, None, None, 30.0)


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def test_a_change_holds_for_new_turns_of_all_and_those_under_way_end_as_they_began(house: House):
    house.script.pause_s = 0.1
    one, other = house.store.new(), house.store.new()
    one.take_frame(a_frame())
    run = house.store.ask(one, "What is the price?")
    words = house.switch.use(Choice(URL, "m"), remember=False)
    assert "models.invalid:8000" in words
    *_, last = run.follow()
    assert (last.turn.answer.status, last.answered_by) == ("answered", "embedded")
    while one.run is not None:
        time.sleep(0.01)

    for count, session in enumerate((one, other)):  # neither had been told
        with pytest.raises(BadInput, match=r"nothing was sent.*models\.invalid:8000"):
            house.store.ask(session, "Who makes it?")
        assert len(house.engine.assistant.asked) == count
        *_, last = house.store.ask(session, "Who makes it?").follow()
        assert last.answered_by == "chat"
        assert last.others == (("embedded", "With the embedded profile: nothing is sent"),)
        while session.run is not None:
            time.sleep(0.01)
    assert [turn.question for turn in one.conversation.turns] == ["What is the price?", "Who makes it?"]  # it stays
    house.switch.use_embedded(remember=False)
    *_, last = house.store.ask(one, "Who makes it?").follow()  # what sends less needs no second press
    assert last.answered_by == "embedded"


def test_a_button_that_named_another_server_sends_nothing(tmp_path: Path):
    house = House(tmp_path, base_url="http://first.invalid/v1")
    session = house.store.new()
    session.take_frame(a_frame())
    list(house.store.ask(session, "What is the price?").follow())
    while session.run is not None:
        time.sleep(0.01)
    house.switch.use(Choice(URL, "m"), remember=False)
    house.switch.use_embedded(remember=False)
    with pytest.raises(BadInput, match="changed meanwhile"):
        house.store.vary(session, 1, "profile-chat", "")
    assert "models.invalid:8000" in session.turns()[0].others[0][1]  # what is drawn from now on names the other


def test_a_question_that_waited_for_the_models_does_not_go_where_nobody_said(tmp_path: Path):
    house = House(tmp_path)
    session = house.store.new()
    told = session.told
    house.switch.use(Choice(URL, "m"), remember=False)
    from assistant.core.options import USUAL
    from assistant.ui.state.runs import Run

    run = Run(session.begin("Who makes it?"), time.monotonic)
    house.store._work(run, session.conversation, None, USUAL, told, None)
    assert "changed while the question waited" in run.view().turn.answer.reason
    assert house.engine.assistant.asked == []


def test_a_key_goes_to_the_address_it_was_given_for_and_to_no_other(tmp_path: Path):
    house = House(tmp_path, api_key=KEY)  # for the public service
    assert house.switch.has_key_for(None)
    assert house.switch.options(Choice(None, "m")).api_key == KEY
    assert house.switch.options(Choice(URL, "m")).api_key is None
    house.switch.use(Choice(URL, "m", key="sk-of-the-other"), remember=False)
    assert house.switch.options(Choice(f"{URL}/deeper", "m")).api_key == "sk-of-the-other"
    assert house.switch.options(Choice("http://models.invalid:8001/v1", "m")).api_key is None
    with pytest.raises(BadInput, match="nobody to ask"):
        house.switch.options(Choice(None, "m"))
    assert KEY not in repr(house.switch.choice()) + repr(Choice(key=KEY)) + repr(house.switch.settings)


def test_forgetting_a_key(tmp_path: Path):
    house = House(tmp_path, set_by={"api_key": "OPENAI_API_KEY"}, api_key=KEY, profile="chat")
    words = house.switch.forget_key()
    assert house.switch.settings.api_key is None
    assert house.switch.target.host == ""  # nobody is left to ask
    assert "embedded reader" in words
    assert "OPENAI_API_KEY" in words


def test_what_was_set_on_the_page_is_no_longer_said_to_be_set_by_the_environment(tmp_path: Path):
    set_by = {"base_url": "OPENAI_BASE_URL", "chat_model": "--model"}
    house = House(tmp_path, set_by=set_by, base_url=URL, chat_model="m")
    assert house.switch.set_by == set_by
    house.switch.use(Choice("http://other.invalid/v1", "m"), remember=False)
    assert house.switch.set_by == {"chat_model": "--model"}


def test_who_may_not_change_it_cannot(tmp_path: Path):
    house = House(tmp_path, may_change=False, base_url=URL)
    for change in (
        lambda: house.switch.use(Choice(URL, "m"), remember=True),
        lambda: house.switch.use_embedded(remember=True),
        house.switch.forget_key,
    ):
        with pytest.raises(BadInput, match="cannot be changed"):
            change()
    assert (house.made, house.memory.there, house.others.offers) == ([], False, ())


def test_remembered_when_asked_and_forgotten_when_no_longer_asked(house: House):
    words = house.switch.use(Choice(URL, "m", KEY, prices=Prices(0.25, 2.0)), remember=True)
    assert str(house.memory.key_path) in words
    assert house.memory.load().values["profile"] == "chat"
    assert "is forgotten" in house.switch.use_embedded(remember=False)
    assert not house.memory.there


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (0, "localhost", "no address"),
        (0, "http://me:secret@h/v1", "user name or password"),
        (1, "  ", "no name"),
        (2, "line\nbreak", "no key has"),
        (2, "k" * 5000, "longer"),
        (4, 0, "time-out"),
        (4, float("nan"), "time-out"),
        (4, "soon", "time-out"),
        (5, (1, None), "prices"),
        (5, (-1, 2), "prices"),
        (6, "reader", "none of those"),
        (7, ["x"], "none of those"),
    ],
)
def test_fields_that_cannot_be_used(place: int, value: object, words: str):
    fields: list[Any] = list(FIELDS)
    fields[place] = value
    with pytest.raises(BadInput, match=words) as problem:
        choice_of(*fields)
    assert "secret@" not in str(problem.value)


def test_what_asking_sends():
    def words(**configured: Any) -> str:
        return target_of(Settings(data_dir=Path("nowhere"), **configured)).words

    assert words(base_url=URL).startswith("Nothing is sent")
    chat = {"profile": "chat", "base_url": URL}
    assert words(**chat) == "Asking sends question, picture, last turns and evidence to models.invalid:8000."
    assert "picture" not in words(**chat, chat_pictures=False)
    assert "evidence" not in words(**chat, pipeline="mm-llm")
    assert "on this machine" in words(profile="chat", base_url="http://127.0.0.1:8000/v1")
