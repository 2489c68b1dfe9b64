"""The panel "Model" in a browser: a server is typed, tested, used and left again, and no key comes back to the page; a
model is fetched from a hub of the test's own, and another is given as a folder, loaded and asked.

The real assistant over a hand-written world, and scripted servers over real HTTP.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from app import build_page, launch
from assistant.factory import open_index
from assistant.settings import Settings
from eval.ui.state.rights import rights_for
from tests import scripted_chat
from tests.assistant.models import hub_server
from tests.assistant.models.test_local_store import FILES, TINY
from tests.assistant.models.tiny_models import make_qwen3_5
from tests.e2e.conftest import DESKTOP, PHONE, Served, free_port
from tests.e2e.scripted import ScriptedAssistant
from tests.e2e.test_page import CONTRAST, NAMELESS, Visit, ask, fits

pytestmark = pytest.mark.slow

KEY = "sk-test-4242424242abcdef"
RULES = [
    {"match": "from one to twenty", "reply": "One, two, three, four, five, six, seven, eight, nine, ten."},
]


@pytest.fixture(scope="module")
def world(written_world: Path) -> Path:
    return written_world


@pytest.fixture(scope="module")
def assistant(written_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    data = tmp_path_factory.mktemp("model")
    return open_index(written_index, Settings(data_dir=data, index=written_index, use_taught=True))


@pytest.fixture
def host(servers: Any) -> Iterator[Callable[..., Served]]:
    """Serve the page over an assistant and a data folder, with the rights of an address."""
    pages: list[Any] = []

    def host(assistant: Any, folder: Path, address: str = "127.0.0.1", **how: Any) -> Served:
        settings = Settings(data_dir=folder, world_dir=servers._world)
        page, services = build_page(settings, lambda progress: assistant, rights_for(address, False), **how)
        url = launch(page, "127.0.0.1", free_port(), [], settings)
        services.engine.start()
        services.engine.wait(30)
        pages.append(page)
        return Served(url.rstrip("/"), assistant, services, page)

    yield host
    for page in pages:
        page.close(verbose=False)


def opened(page: Page) -> Page:
    page.locator("#model > .label-wrap, #model .label-wrap").first.click()
    expect(page.locator("#model-name input, #model-name textarea")).not_to_have_value("")
    return page


def fill(page: Page, address: str, key: str = "", model: str = "echo") -> None:
    page.locator("#model-address :is(input, textarea)").fill(address)
    page.locator("#model-name :is(input, textarea)").fill(model)
    page.locator("#model-key :is(input, textarea)").fill(key)


def test(page: Page) -> str:
    """Press the button and wait for the end; the words of the result."""
    page.evaluate("document.querySelector('#model-result .v-probes')?.setAttribute('data-old', '')")
    page.get_by_role("button", name="Test the connection").click()
    expect(page.locator("#model-result .v-probes:not([data-old]) .v-probe").first).to_be_visible(timeout=20_000)
    expect(page.locator("#model-result .v-probe--busy")).to_have_count(0, timeout=30_000)
    expect(page.get_by_role("button", name="Stop the test")).to_be_hidden()
    return page.locator("#model-result").inner_text()


test.__test__ = False  # type: ignore[attr-defined]


def nowhere(page: Page, secret: str) -> bool:
    """Whether a secret stands neither in the document nor in a field nor in what the browser stores."""
    everything = page.evaluate(
        "() => [document.documentElement.outerHTML, ...[...document.querySelectorAll('input, textarea')].map((e) => "
        "e.value), JSON.stringify({...localStorage}), JSON.stringify({...sessionStorage})].join('\\n')"
    )
    return secret not in everything


def test_a_server_is_tested_used_asked_and_left(
    assistant: Any, world: Path, host: Any, visit: Visit, tmp_path: Path, caplog: Any, capfd: Any
):
    caplog.set_level(logging.DEBUG)
    with scripted_chat.start("--key", KEY, "--pictures", "see", "--logprobs", script=RULES) as server:
        site = host(assistant, tmp_path)
        page = visit(site)
        away = server.base_url.removeprefix("http://").removesuffix("/v1")
        expect(page.locator(".v-badge summary")).to_contain_text("nothing is sent")
        expect(page.locator("#target")).to_contain_text("Nothing is sent")
        opened(page)
        fill(page, server.base_url, KEY)
        said = test(page)
        assert "Sees pictures" in said
        assert "Gives the probabilities of tokens" in said
        expect(page.locator("#model-key :is(input, textarea)")).to_have_value("")
        expect(page.locator("#model-key input")).to_have_attribute(
            "placeholder", "a key is set; type another to replace it"
        )
        assert nowhere(page, KEY)
        expect(page.locator("#target")).to_contain_text("Nothing is sent")  # a test changes nothing
        tested = len(server.requests())
        assert all(one["authorised"] for one in server.requests())

        page.get_by_label("Remember on this machine").check()
        page.get_by_role("button", name="Use this model").click()
        expect(page.locator("#model-notice")).to_contain_text("echo answers from now on")
        expect(page.locator("#model-notice")).to_contain_text("only you can read")
        expect(page.locator(".v-badge summary")).to_contain_text(away)
        expect(page.locator("#target")).to_contain_text(f"evidence to {away}, on this machine")
        assert len(server.requests()) == tested  # nothing is sent before somebody asks
        assert nowhere(page, KEY)

        page.set_input_files("#picture input[type=file]", world / "kg" / "images" / "p0.jpg")
        page.locator("#frame img").wait_for()
        ask(page, "What is the maker?")
        page.locator("#current .v-turn:not(.v-turn--live, .v-turn--asked)").wait_for(
            timeout=60_000
        )  # it loads its eyes
        expect(page.locator("#current .v-answer")).to_contain_text("Lumen Works")
        expect(page.locator("#current .v-answer .v-cite").first).to_be_visible()
        sent = server.requests()[tested:]
        assert [len(one["images"]) for one in sent] == [1]

        page.get_by_role("button", name="Use the embedded reader").click()
        expect(page.locator(".v-badge summary")).to_contain_text("nothing is sent")
        expect(page.locator("#current .v-answer")).to_contain_text("Lumen Works")  # the conversation stays
        ask(page, "What is the weight?")
        ended = page.locator("#current .v-turn:not(.v-turn--live, .v-turn--asked) h2")
        expect(ended).to_have_text("What is the weight?", timeout=60_000)
        assert len(server.requests()) == tested + 1

        page.get_by_role("button", name="Use this model").click()
        expect(page.locator(".v-badge summary")).to_contain_text(away)
        assert nowhere(page, KEY)
        again = visit(host(ScriptedAssistant(), tmp_path))  # the server was started anew
        expect(again.locator(".v-badge summary")).to_contain_text(away)
        opened(again)
        expect(again.locator("#model-address :is(input, textarea)")).to_have_value(server.base_url)
        expect(again.locator("#model-state")).to_contain_text("A key is set")
        assert nowhere(again, KEY)
        again.get_by_role("button", name="Forget the key").click()
        expect(again.locator("#model-state")).to_contain_text("No key is set")
        assert "wants a key (401)" in test(again)
    for path in tmp_path.rglob("*"):
        assert not path.is_file() or KEY not in path.read_text(errors="replace"), path
    assert KEY not in caplog.text + "".join(capfd.readouterr())


def test_what_does_not_work_is_one_sentence(host: Any, visit: Visit, tmp_path: Path):
    page = opened(visit(host(ScriptedAssistant(), tmp_path)))
    with scripted_chat.start("--key", "another", "--pictures", "reject", script=RULES) as server:
        fill(page, server.base_url, KEY)
        assert "does not accept the key it was given (401)" in test(page)
        assert nowhere(page, KEY)
        fill(page, server.base_url.removesuffix("/v1"), KEY)
        assert "knows no such path (404)" in test(page)
        dead = server.base_url
    fill(page, dead)
    assert "cannot be reached" in test(page)
    fill(page, "localhost")
    page.get_by_role("button", name="Test the connection").click()
    expect(page.locator("#model-notice")).to_contain_text("is no address")
    assert list(tmp_path.iterdir()) == []  # nothing is kept unasked


def test_a_server_that_only_reads_is_found_out_and_a_test_can_be_stopped(host: Any, visit: Visit, tmp_path: Path):
    page = opened(visit(host(ScriptedAssistant(), tmp_path)))
    with scripted_chat.start("--pictures", "break", script=RULES) as server:
        fill(page, server.base_url)
        expect(page.get_by_label("Send pictures")).to_be_checked()
        said = test(page)
        assert "Sees nothing:" in said
        assert "pictures will not be sent" in said
        expect(page.get_by_label("Send pictures")).not_to_be_checked()
        page.get_by_role("button", name="Use this model").click()
        expect(page.locator("#target")).to_contain_text("Asking sends question, last turns and evidence to")
    with scripted_chat.start("--always", "hang") as server:
        fill(page, server.base_url)
        page.get_by_role("button", name="Test the connection").click()
        page.get_by_role("button", name="Stop the test").click()
        expect(page.locator("#model-result")).to_contain_text("The test was stopped")


def test_whoever_was_not_told_sends_nothing(host: Any, visit: Visit, tmp_path: Path):
    site = host(ScriptedAssistant(), tmp_path)
    one, other = visit(site), visit(site)
    opened(one)
    fill(one, "http://models.invalid/v1")
    one.get_by_role("button", name="Use this model").click()
    expect(one.locator("#target")).to_contain_text("models.invalid")
    ask(other, "What is the price?")
    expect(other.locator("#ask-notice")).to_contain_text("nothing was sent")
    expect(other.locator("#target")).to_contain_text("to models.invalid")
    expect(other.get_by_label("Question", exact=True)).to_have_value("What is the price?")
    assert site.services.engine.assistant.asked == []
    one.get_by_role("button", name="Use the embedded reader").click()
    expect(other.locator("#target")).to_contain_text("Nothing is sent", timeout=15_000)  # an open page looks by itself


def test_an_unknown_thing_leads_to_the_panels(assistant: Any, world: Path, host: Any, visit: Visit, tmp_path: Path):
    picture = tmp_path / "thing.png"
    pixels = np.full((400, 400, 3), 150, np.uint8)
    pixels[120:280, 120:280] = (30, 60, 170)
    Image.fromarray(pixels).save(picture)
    page = visit(host(assistant, tmp_path))
    page.set_input_files("#picture input[type=file]", picture)
    page.locator("#frame img").wait_for()
    ask(page, "How much does it weigh?")
    turn = page.locator("#current .v-turn--abstained")
    expect(turn.locator(".v-answer")).to_contain_text("I don't know: I see something mostly blue", timeout=60_000)
    turn.get_by_role("button", name="Get a model").click()
    expect(page.locator("#model-address")).to_be_visible()
    page.wait_for_timeout(600)  # the page has scrolled there: what moves under a pointer is not pressed
    turn.get_by_role("button", name="Teach this").click()
    expect(page.locator("#teach .label-wrap.open")).to_be_visible()
    expect(page.locator("#teach .label-wrap")).to_be_focused()


def test_visitors_without_the_right_only_look(host: Any, visit: Visit, tmp_path: Path):
    page = visit(host(ScriptedAssistant(), tmp_path, "0.0.0.0"))
    page.locator("#model .label-wrap").first.click()
    expect(page.locator("#model-state")).to_contain_text("looked at and not changed")
    expect(page.locator("#model-state")).to_contain_text("The embedded reader")
    expect(page.locator("#model :is(input, textarea)")).to_have_count(0)
    expect(page.locator("#model button:not(.label-wrap)")).to_have_count(0)


def models_of_this_machine(page: Page) -> Page:
    page.locator("#model .label-wrap").first.click()
    page.get_by_label("A model on this machine").check()
    expect(page.locator("#local-list .v-model").first).to_be_visible(timeout=20_000)
    return page


def test_a_folder_is_loaded_while_the_page_answers_and_then_asked(
    assistant: Any, world: Path, host: Any, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    from assistant.models.local.model import LocalModel

    folder, go_on, load = make_qwen3_5(tmp_path / "tiny"), threading.Event(), LocalModel.load

    def slowly(self: LocalModel, progress: Any = None) -> Any:
        if progress is not None:
            progress(0.42)
            assert go_on.wait(60)
        return load(self, progress)

    monkeypatch.setattr(LocalModel, "load", slowly)
    site = host(assistant, tmp_path / "data")
    page = models_of_this_machine(visit(site))
    page.set_input_files("#picture input[type=file]", world / "kg" / "images" / "p0.jpg")
    page.locator("#frame img").wait_for()
    other = page.locator("#local-other :is(input, textarea)")
    other.fill(str(folder))
    other.press("Enter")
    expect(page.locator("#local-about")).to_contain_text("It fits: about 0.8 GB of memory")
    page.get_by_label("mm-llm").check()
    page.get_by_label("Remember on this machine").check()
    page.get_by_role("button", name="Use it").click()
    expect(page.locator("#local-jobs")).to_contain_text("Loading tiny: 42%")
    expect(page.locator("#target")).to_contain_text(
        "made here. tiny is being loaded (42%) and answers once it is there"
    )
    expect(page.locator(".v-badge summary")).to_contain_text("loading tiny")
    ask(page, "What is the maker?")
    expect(page.locator("#current .v-answer")).to_contain_text("Lumen Works", timeout=30_000)  # as before
    go_on.set()
    expect(page.locator("#target")).to_have_text("Nothing is sent: tiny answers on this machine.", timeout=15_000)
    expect(page.locator("#local-jobs")).to_contain_text("tiny answers from now on")
    expect(page.locator("#model-state")).to_contain_text("tiny, on this machine")
    ask(page, "What is on it?")
    ended = page.locator("#current .v-turn:not(.v-turn--live, .v-turn--asked)", has_text="What is on it?")
    ended.wait_for(timeout=30_000)
    (session,) = site.services.sessions._sessions.values()
    turn = session.views[-1]
    assert turn.turn.answer.status in ("answered", "abstained"), turn.turn.answer
    assert (turn.answered_by, turn.turn.answer.usage.model) == ("local", "tiny")
    monkeypatch.undo()
    switch = host(ScriptedAssistant(), tmp_path / "data").services.model  # the server was started anew
    while switch.loading:
        time.sleep(0.05)
    assert switch.target.badge == "tiny, nothing is sent"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (DESKTOP, "dark")])
def test_a_model_is_fetched_stopped_and_removed(
    host: Any, visit: Visit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: Any, scheme: str
):
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.delenv("HF_HUB_OFFLINE")
    with hub_server.hub() as server:
        monkeypatch.setenv("HF_ENDPOINT", server.url)
        server.models[TINY] = FILES | {"model.safetensors": b"x" * 60 * 65536}
        server.pause_s = 0.1
        site = host(ScriptedAssistant(), tmp_path / "data")
        page = models_of_this_machine(visit(site, size, color_scheme=scheme))
        assert server.begun == []
        card = page.locator("#local-list .v-model", has_text="smolvlm2-256m")
        expect(card).to_contain_text("about 1.0 GB to fetch")
        card.get_by_role("button", name="Fetch").press("Enter")  # by the keyboard alone
        expect(page.locator("#local-jobs")).to_contain_text("of 4 MB", timeout=15_000)
        server.pause_s = 2.0  # however slow this machine is, it is not over before it is stopped
        expect(page.locator("#local-jobs")).to_be_in_viewport()
        assert fits(page)
        assert page.evaluate(NAMELESS) == []
        assert {name: ratio for name, ratio in page.evaluate(CONTRAST) if ratio < 4.5} == {}
        page.reload()  # it goes on without its tab, and whoever comes later sees it
        page.locator("#model .label-wrap").first.click()
        expect(page.locator("#local-jobs")).to_contain_text("Fetching smolvlm2-256m")
        page.get_by_role("button", name="Stop the fetch").click()
        expect(page.locator("#local-jobs")).to_contain_text("was stopped at")
        expect(card).to_contain_text("fetched in part")
        server.pause_s = 0.0
        card.get_by_role("button", name="Fetch the rest").click()
        expect(page.locator("#local-jobs")).to_contain_text("is on this machine now", timeout=15_000)
        assert [place > 0 for name, place in server.begun if name == "model.safetensors"] == [False, True]
        card.get_by_role("button", name="Use").click()
        expect(page.locator("#target")).to_contain_text("smolvlm2-256m answers on this machine", timeout=15_000)
        remove = card.get_by_role("button", name="Remove smolvlm2-256m", exact=True)
        expect(card).to_contain_text("in use")
        expect(remove).to_have_count(0)
        page.get_by_role("button", name="Use the embedded reader").click()
        remove.click()
        card.get_by_role("button", name="Keep it").click()
        remove.click()
        card.get_by_role("button", name="Yes, remove it").click()
        expect(page.locator("#local-notice")).to_contain_text("smolvlm2-256m is removed; 4 MB were freed.")
        expect(card).to_contain_text("not fetched")
        assert fits(page)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_it_fits_has_names_and_stands_out(host: Any, visit: Visit, tmp_path: Path, scheme: str):
    with scripted_chat.start("--pictures", "detail", script=RULES) as server:
        page = opened(visit(host(ScriptedAssistant(), tmp_path), PHONE, color_scheme=scheme))
        fill(page, server.base_url)
        test(page)
        page.get_by_role("button", name="Use this model").click()
        expect(page.locator("#target")).to_contain_text("Asking sends")
        assert fits(page)
        assert page.evaluate(NAMELESS) == []
        assert {name: ratio for name, ratio in page.evaluate(CONTRAST) if ratio < 4.5} == {}
