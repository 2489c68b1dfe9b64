"""A real Chromium, and pages served to it: with a scripted assistant in this process, or the real app in its own."""

from __future__ import annotations

import io
import shutil
import socket
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import pyarrow as pa
import pyarrow.parquet as parquet
import pytest
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from assistant.index.build import build_index
from assistant.settings import Settings
from tests.assistant.tiny_world import make_world
from tests.e2e.scripted import ScriptedAssistant

FLAGS = [
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage"),
    *("--autoplay-policy=no-user-gesture-required", "--use-fake-ui-for-media-stream"),
    "--use-fake-device-for-media-stream",
]
#: Visitors of the tests have unfolded sources and times before, unless their own script says this.
AS_SHIPPED = "/* as shipped */"
UNFOLDED = """try {
  for (const name of ['sources', 'times'])
    if (localStorage.getItem(`vitrine-${name}-open`) === null) localStorage.setItem(`vitrine-${name}-open`, 'yes');
} catch { /* about:blank */ }
"""
DESKTOP, PHONE = {"width": 1280, "height": 860}, {"width": 390, "height": 844}


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def a_picture_file(path: Path, size: tuple[int, int] = (480, 640), kind: str = "JPEG") -> Path:
    picture = Image.new("RGB", size, (120, 110, 100))
    ImageDraw.Draw(picture).rectangle(
        (size[0] // 4, size[1] // 4, 3 * size[0] // 4, 3 * size[1] // 4), fill=(226, 192, 120)
    )
    picture.save(path, kind)
    return path


@pytest.fixture(scope="session")
def chromium() -> Iterator[Callable[..., Browser]]:
    """Start a browser with further flags. Playwright allows one of its drivers a thread, so that all share this one."""
    path = shutil.which("chromium") or shutil.which("chromium-browser")
    if path is None:
        pytest.fail("the browser tests need Chromium: on Debian `apt-get install chromium`", pytrace=False)
    with sync_playwright() as playwright:
        yield lambda *flags: playwright.chromium.launch(executable_path=path, args=[*FLAGS, *flags])


@pytest.fixture(scope="session")
def browser(chromium: Callable[..., Browser]) -> Iterator[Browser]:
    browser = chromium()
    yield browser
    browser.close()


@dataclass
class Served:
    """A page with its scripted assistant; `far` collects requests to other hosts, `complaints` the console's errors."""

    url: str
    script: ScriptedAssistant
    services: Any
    gradio_page: Any = None
    far: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)

    def forgive_the_page_before(self) -> None:
        """A page that is left complains of its own requests, above all the heartbeat, that the browser cut off."""
        cut_off = ("ERR_ABORTED", "AbortError: signal is aborted", "BodyStreamBuffer was aborted", "errored out")
        self.complaints[:] = [c for c in self.complaints if not any(words in c for words in cut_off)]


@pytest.fixture(scope="session")
def tiny_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Just the two files the gallery reads: seven single questions, five conversations (examples 5 and 6)."""
    folder = tmp_path_factory.mktemp("tiny") / "world"
    rows = {
        "single_turn": [["What is the price?"], ["Who makes it?"], *([["What is it?"]] * 5)],
        "multi_turn": [["What is it?", "Who makes it?"]] * 5,
    }
    for name, questions in rows.items():
        (folder / name).mkdir(parents=True)
        frames = [{"bytes": _jpeg(n), "path": None} for n in range(len(questions))]
        table = [{"image": i, "image_url": None, "turns": {"query": q}} for i, q in zip(frames, questions, strict=True)]
        parquet.write_table(pa.Table.from_pylist(table), folder / name / "validation.parquet")
    return folder


@pytest.fixture(scope="session")
def written_world(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The hand-written world, for tests of the real assistant."""
    return make_world(tmp_path_factory.mktemp("written") / "world")


@pytest.fixture(scope="session")
def written_index(written_world: Path) -> Path:
    """The index of `written_world`; whoever changes it copies it first."""
    out = written_world.parent / "index"
    build_index(written_world, out)
    return out


def _jpeg(n: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (480, 640), (30 * n + 40, 120, 90)).save(buffer, "JPEG")
    return buffer.getvalue()


class Servers:
    """Pages that are served, each around a scripted assistant."""

    def __init__(self, folders: pytest.TempPathFactory, world: Path):
        self._folders, self._world = folders, world
        self._pages: list[Any] = []

    def serve(self, script: ScriptedAssistant, *, opener: Any = None, **configured: Any) -> Served:
        from app import build_page, launch

        configured = {"voice": "espeak-ng", **configured}  # the test that is about natural voices asks for one
        settings = Settings(data_dir=self._folders.mktemp("data"), world_dir=self._world, **configured)
        page, services = build_page(settings, opener or (lambda progress: script))
        url = launch(page, "127.0.0.1", free_port(), [], settings)
        services.engine.start()
        self._pages.append(page)
        return Served(url.rstrip("/"), script, services, page)

    def close_all_but(self, count: int) -> None:
        """Close those that were opened after the first `count`."""
        for page in self._pages[count:]:
            with suppress(Exception):  # a server that does not close in time is no reason to fail a finished run
                page.close(verbose=False)
        del self._pages[count:]

    def __len__(self) -> int:
        return len(self._pages)


@pytest.fixture(scope="session")
def servers(tmp_path_factory: pytest.TempPathFactory, tiny_world: Path) -> Iterator[Servers]:
    """For pages that several tests share; they are served until the end."""
    patch = pytest.MonkeyPatch()
    patch.setenv("GRADIO_TEMP_DIR", str(tmp_path_factory.mktemp("uploads")))
    patch.setenv("GRADIO_ANALYTICS_ENABLED", "False")
    servers = Servers(tmp_path_factory, tiny_world)
    yield servers
    servers.close_all_but(0)
    patch.undo()


@pytest.fixture
def serve(servers: Servers) -> Iterator[Callable[..., Served]]:
    """Serve a page around a scripted assistant, for one test."""
    before = len(servers)
    yield servers.serve
    servers.close_all_but(before)


@pytest.fixture(scope="session")
def site(servers: Servers) -> Served:
    """The page most tests share; each opens it as a visitor of its own."""
    return servers.serve(ScriptedAssistant(pause_s=0.03))


class Tabs:
    """Tabs of a browser, each in a context of its own, lent to visitors.

    A new context costs seconds: its renderer starts, and loads and compiles all of Gradio. So a tab that was given back
    is lent again to a visitor who wants the same options, with a new document and nothing stored.
    """

    def __init__(self, browser: Browser):
        self._browser = browser
        self._free: dict[str, list[Page]] = {}
        self._lent: dict[Page, str] = {}

    def lend(
        self,
        viewport: dict[str, int],
        init_script: str = "",
        *,
        permissions: Sequence[str] = (),
        color_scheme: Literal["dark", "light"] = "light",
        reduced_motion: Literal["no-preference", "reduce"] = "no-preference",
        **options: Any,
    ) -> Page:
        wanted = repr((init_script, sorted(options.items())))
        if free := self._free.get(wanted):
            page = free.pop()
            page.set_viewport_size(viewport)
        else:
            page = self._browser.new_context(viewport=viewport, **options).new_page()
            page.add_init_script(f"{'' if AS_SHIPPED in init_script else UNFOLDED}{init_script}")
        page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        if permissions:
            page.context.grant_permissions(permissions)
        self._lent[page] = wanted
        return page

    def give_back(self, page: Page, url: str, watch: Mapping[str, Callable[..., None]]) -> None:
        """Remove what the visitor left: listeners, the document, what is stored for `url`, settings."""
        wanted = self._lent.pop(page)
        with suppress(PlaywrightError):
            page.evaluate("0")  # what was said until now is still heard
        for event, look in watch.items():
            page.remove_listener(event, look)
        try:
            for other in page.context.pages:
                if other is not page:
                    other.close()
            page.context.set_offline(False)
            page.unroute_all(behavior="ignoreErrors")
            empty = f"{url}/empty-for-the-next-visitor"
            page.route(empty, lambda route: route.fulfill(body="<!doctype html>", content_type="text/html"))
            page.goto(empty)
            page.evaluate("localStorage.clear(); sessionStorage.clear()")
            page.context.clear_cookies()
            page.context.clear_permissions()
            page.unroute_all()
            page.mouse.move(0, 0)
            page.set_default_timeout(30_000)
        except PlaywrightError:  # closed by its test, or broken
            with suppress(PlaywrightError):
                page.context.close()
        else:
            self._free.setdefault(wanted, []).append(page)


@pytest.fixture(scope="session")
def tabs(browser: Browser) -> Tabs:
    return Tabs(browser)


@pytest.fixture
def visit(tabs: Tabs, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Page]]:
    """Open a page as a new visitor; afterwards nothing may have complained, broken down or left this machine."""
    broken: list[str] = []  # gradio prints a handler that breaks down, and the page shows nothing of it
    monkeypatch.setattr("gradio.queueing.traceback.print_exc", lambda: broken.append(traceback.format_exc()))
    visits: list[tuple[Page, Served, dict[str, Callable[..., None]]]] = []
    watched: list[Served] = []

    def visit(served: Served, viewport: dict[str, int] = DESKTOP, init_script: str = "", **options: Any) -> Page:
        page = tabs.lend(viewport, init_script, **options)
        if served not in watched:
            served.far.clear()
            served.complaints.clear()
            watched.append(served)
        watch: dict[str, Callable[..., None]] = {
            "request": lambda r: None if _is_near(r.url) else served.far.append(r.url),
            "console": lambda m: served.complaints.append(m.text) if m.type == "error" else None,
            "response": lambda r: served.complaints.append(f"{r.status} {r.url}") if r.status >= 400 else None,
            "pageerror": lambda e: served.complaints.append(str(e)),
            "load": lambda: served.forgive_the_page_before(),
        }
        visits.append((page, served, watch))
        for event, look in watch.items():
            page.on(event, look)
        page.goto(served.url)
        page.get_by_label("Question", exact=True).wait_for()
        page.locator("#gallery button, #gallery .v-no-examples").first.wait_for()
        return page

    yield visit
    for page, served, watch in visits:
        tabs.give_back(page, served.url, watch)
    for served in watched:
        assert served.far == []
        assert served.complaints == []
    assert broken == []


def _is_near(url: str) -> bool:
    return url.startswith(("http://127.0.0.1:", "data:", "blob:", "about:"))
