"""Models of this machine on a served page: loading in the background, the shelf and its fetch, what is shown."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from assistant.core.errors import BadInput, NotReady
from assistant.models.local.curated import CURATED
from assistant.models.local.machine import Machine
from assistant.models.local.model import Speed
from assistant.remembered import with_remembered
from assistant.settings import Settings
from assistant.ui.html.local_model import Standing, render_jobs, render_shelf
from assistant.ui.state.model_shelf import Job, ModelShelf, Shelved
from assistant.ui.state.model_switch import Choice, LocalChoice, local_choice_of
from tests.assistant.models.hub_server import Hub, hub
from tests.assistant.models.test_local_store import CONFIG, FILES, TINY
from tests.assistant.ui.test_model_switch import KEY, URL, House
from tests.e2e.scripted import ScriptedAssistant, a_frame

MACHINE = Machine(16 * 10**9, 10**10, 4, True)
SPEED = Speed(2.0, 1.5, 10.0, 80)


def until(true: Callable[[], object], seconds: float = 20.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


class Loading(ScriptedAssistant):
    """One whose model is loaded when the test lets it; `problem` is what goes wrong with it."""

    def __init__(self, *how: Any):
        super().__init__(*how)
        self.go_on, self.problem = threading.Event(), None

    def under(self, profile: str, *how: Any) -> ScriptedAssistant:
        other = super().under(profile, *how)
        other.go_on, other.problem = self.go_on, self.problem if profile == "local" else None
        return other

    def warm(self, progress: Callable[[float], None] | None = None) -> None:
        if progress is not None:
            progress(0.4)
            assert self.go_on.wait(10)
            if self.problem is not None:
                raise self.problem


class LocalHouse(House):
    """A house with a folder that holds a model."""

    def __init__(self, folder: Path, **configured: Any):
        super().__init__(folder, **configured)
        self.script = Loading()
        self.engine.replace(self.script)
        self.model = folder / "mine"
        self.model.mkdir()
        (self.model / "config.json").write_bytes(CONFIG)

    def use(self, **how: Any) -> str:
        return self.switch.use_local(LocalChoice(str(self.model)), **{"remember": False, **how})

    def ended(self) -> str:
        until(lambda: not self.switch.loading)
        return self.switch.load.words


@pytest.fixture
def house(tmp_path: Path) -> LocalHouse:
    return LocalHouse(tmp_path)


def test_a_model_takes_over_once_it_is_loaded(house: LocalHouse):
    session = house.store.new()
    session.take_frame(a_frame())
    words = house.use(remember=True)
    assert words == "mine is being loaded; until it is there, the embedded reader goes on answering."
    until(lambda: house.switch.load.share == 0.4)
    assert house.switch.uses_local(str(house.model))
    assert house.switch.target.words == "Nothing is sent: the answer is made here."
    *_, last = house.store.ask(session, "What is the price?").follow()
    assert (last.answered_by, last.turn.answer.status) == ("embedded", "answered")
    assert not house.memory.there
    house.script.go_on.set()
    assert house.ended().startswith("mine answers from now on. Nothing is sent: mine answers on this machine. It is")
    assert house.switch.target.badge == "mine, nothing is sent"
    assert [offer.profile for offer in house.others.offers] == ["embedded"]
    until(lambda: session.run is None)
    *_, last = house.store.ask(session, "What is the price?").follow()  # nothing is sent: no second press
    assert last.answered_by == "local"
    kept = with_remembered(Settings(data_dir=house.model.parent), house.memory.load(), {})
    assert (kept.profile, kept.local_model) == ("local", str(house.model))


@pytest.mark.parametrize("problem", [NotReady("the model 'mine' lacks 3 of its weights"), RuntimeError("secret")])
def test_a_load_that_fails_is_one_sentence_and_nothing_changes(house: LocalHouse, problem: Exception, caplog: Any):
    house.script.problem = problem
    house.script.go_on.set()
    house.use(remember=True)
    words = house.ended()
    assert house.switch.load.state == "failed"
    assert words.endswith("Nothing has changed: the embedded reader goes on answering.")
    assert "lacks 3 of its weights" in words or "the log of the server has the details" in words
    assert "secret" not in words
    assert house.engine.assistant is house.script
    assert (house.switch.target.profile, house.memory.there) == ("embedded", False)
    with pytest.raises(NotReady, match="holds no model"):
        house.switch.use_local(LocalChoice("/nowhere"), remember=False)


def test_a_later_choice_takes_the_place_of_what_is_being_loaded(house: LocalHouse):
    house.use()
    house.switch.use(Choice(URL, "m", KEY), remember=False)
    assert house.switch.load is None
    house.use()
    house.switch.forget_key()
    house.use()  # loads after the one before, which nobody wants any more
    house.script.go_on.set()
    assert "mine answers" in house.ended()
    assert house.switch.settings.api_key is None
    house.script.go_on.clear()
    house.switch.use_embedded(remember=False)
    house.use()
    house.switch.stop_loading()
    house.script.go_on.set()
    assert "was stopped; nothing has changed" in house.ended()
    time.sleep(0.1)
    assert house.switch.target.profile == "embedded"


def test_what_was_chosen_at_the_start_is_loaded_where_nothing_may_be_changed(tmp_path: Path):
    house = LocalHouse(tmp_path, may_change=False, set_by={"profile": "--profile"})
    with pytest.raises(BadInput, match="cannot be changed"):
        house.use()
    house.switch.begin_with(Settings(data_dir=tmp_path, profile="local", local_model=str(house.model)))
    house.script.go_on.set()
    assert "mine answers" in house.ended()
    assert house.switch.set_by == {"profile": "--profile"}
    load = house.switch.load
    house.switch.begin_with(Settings(data_dir=tmp_path))
    assert house.switch.load is load
    house.switch.begin_with(Settings(data_dir=tmp_path, profile="local", local_model="/gone"))
    assert house.switch.load.state == "failed"
    assert "mine goes on answering" in house.switch.load.words


def test_fields_that_cannot_be_used():
    assert local_choice_of(" x ", "mm-llm", "soft") == LocalChoice("x", "mm-llm", "soft")
    for fields, words in ((("", "vitrine", "soft"), "no model"), (("x", "reader", "soft"), "none of those")):
        with pytest.raises(BadInput, match=words):
            local_choice_of(*fields)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.fixture
def shelf(house: LocalHouse, cache: Path) -> ModelShelf:
    return ModelShelf(house.switch, machine=lambda: MACHINE, measure=lambda settings, tell, stop: SPEED)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Any:
    with hub() as served:
        monkeypatch.delenv("HF_HUB_OFFLINE")  # for the process that fetches, and asks the server of this test alone
        monkeypatch.setenv("HF_ENDPOINT", served.url)
        served.models[TINY] = FILES | {"model.safetensors": b"x" * 40 * 65536}
        yield served


@pytest.mark.slow
def test_a_fetch_is_followed_stopped_gone_on_with_and_removed(server: Hub, shelf: ModelShelf, house: LocalHouse):
    def row() -> Shelved:
        return next(row for row in shelf.rows() if row.name == "smolvlm2-256m")

    server.pause_s = 0.05
    assert row().state == "absent"
    assert shelf.about("smolvlm2-256m").startswith("It is not on this machine. Fetch asks the hub")
    assert "goes on when this page is closed" in shelf.fetch(TINY)
    job = shelf.fetching
    with pytest.raises(BadInput, match="smolvlm2-256m is being fetched: one at a time"):
        shelf.fetch("qwen3.5-2b")
    until(lambda: job.done > 5 * 65536)
    assert job.total == 40 * 65536 + 2 + len(CONFIG)
    assert "of 3 MB" in render_jobs(None, job, None)
    with pytest.raises(BadInput, match="is being fetched: stop that first"):
        shelf.remove("smolvlm2-256m")
    before = shelf.version
    shelf.stop_fetch()
    until(lambda: shelf.version > before and not shelf.busy)
    assert "was stopped at" in job.words
    assert (row().state, row().bytes_here > 5 * 65536) == ("partly", True)
    there = row().bytes_here
    with pytest.raises(NotReady, match="is not whole"):
        shelf.test("smolvlm2-256m")
    server.pause_s = 0.0
    shelf.fetch("smolvlm2-256m")
    until(lambda: shelf.fetching.state == "done" and row().state == "here")
    assert [place > there / 2 for name, place in server.begun if name == "model.safetensors"] == [False, True]
    shelf.test("smolvlm2-256m")
    until(lambda: row().measured_s is not None)
    assert "takes about 8 s" in shelf.testing.words
    house.script.go_on.set()
    house.switch.use_local(LocalChoice("smolvlm2-256m"), remember=False)
    house.ended()
    with pytest.raises(BadInput, match="is in use: let another"):
        shelf.remove(TINY)
    house.switch.use_embedded(remember=False)
    assert shelf.remove(TINY) == "smolvlm2-256m is removed; 3 MB were freed."
    assert row().state == "absent"


@pytest.mark.slow
def test_a_fetch_that_fails_says_so_in_one_sentence(server: Hub, shelf: ModelShelf, monkeypatch: pytest.MonkeyPatch):
    server.gated.add("some/gated")
    for name, words in (("some/gated", "licence is accepted"), ("no/such", "has no model 'no/such'")):
        shelf.fetch(name)
        until(lambda: not shelf.busy)
        assert words in shelf.fetching.words
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    shelf.fetch("some/model")
    until(lambda: not shelf.busy)
    assert shelf.fetching.words.startswith("Nothing is fetched while HF_HUB_OFFLINE is set")


def test_who_may_do_what(house: LocalHouse, cache: Path, tmp_path: Path):
    elsewhere = ModelShelf(house.switch, may_name_paths=False, machine=lambda: MACHINE)
    for act in (elsewhere.test, elsewhere.fetch, elsewhere.remove, elsewhere.about):
        with pytest.raises(BadInput, match="folders can be named only"):
            act(str(house.model))
    (tmp_path / "shut").mkdir()
    closed = ModelShelf(LocalHouse(tmp_path / "shut", may_change=False).switch, machine=lambda: MACHINE)
    for act in (closed.test, closed.fetch, closed.remove):
        with pytest.raises(BadInput, match="cannot be changed"):
            act("smolvlm2-256m")


def test_what_is_given_by_hand_is_told_of_before_it_is_used(house: LocalHouse, shelf: ModelShelf):
    (house.model / "config.json").write_text(json.dumps({"model_type": "smolvlm", "dtype": "bfloat16"}))
    with (house.model / "model.safetensors").open("wb") as file:
        file.truncate(10**10)  # five billion weights
    assert shelf.about(str(house.model)).startswith("It fits: about 10.8 GB of memory; an answer takes very roughly")
    assert "It is slow here. An answer takes very roughly 5" in shelf.slowness(str(house.model))
    assert shelf.slowness("smolvlm2-256m") == ""
    assert "says how much" in shelf.about("some/model")
    for name, words in (("nonsense", "there is no model"), (str(house.model / "no"), "holds no model")):
        with pytest.raises((BadInput, NotReady), match=words):
            shelf.about(name)
    with pytest.raises(BadInput, match="nothing to fetch, press Use"):
        shelf.fetch(str(house.model))
    with pytest.raises(BadInput, match="path of your own"):
        shelf.remove(str(house.model))


def test_the_list_says_all_of_each_and_lets_nothing_in():
    from assistant.models.local.curated import fits

    small = Machine(3 * 10**9, 10**9, 2, False)
    rows = [Shelved(one.name, one.hub_id, one, "absent", fit=fits(one, small)) for one in CURATED]
    rows += [Shelved("a/<script>", "a/<script>", None, "here", 10**6)]
    html = render_shelf(rows, Standing(sure="a/<script>"))
    assert "<script>" not in html
    assert "Does not fit: it needs about 9.9 GB of memory, 3.0 GB are there." in html
    assert "LFM Open License 1.0 (not Apache)" in html
    assert html.count('data-act="fetch"') == len(CURATED)
    assert "Remove it, and free" in html
    assert 'data-act="use"' not in html
    job = Job("m")
    for second in range(4):
        job.count(second * 10**6, 10**8, float(second))
    assert "Fetching m: 3 MB of 100 MB, 1 MB a second, about 2 min left" in render_jobs(None, job, None)
