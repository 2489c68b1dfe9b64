"""The page: `python app.py` parses the arguments, assembles the services, builds the tabs and serves them.

Models and the index are opened behind the first paint, so that the page is up within seconds. Nothing here or on the
page asks anything of the network.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import shutil
import signal
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assistant import https
from assistant.commands.command_line import Parser
from assistant.core.errors import BadInput, VitrineError
from assistant.core.folders import is_there
from assistant.core.paths import ASSETS_DIR, PROJECT_DIR
from assistant.core.ports import DEFAULT_PORT, free_port
from assistant.settings import Settings, read_settings, set_by
from assistant.ui.quick_gradio import remember_signatures, without_stubs
from eval.ui.state.rights import ALL_RIGHTS, Rights, rights_for

if TYPE_CHECKING:
    import gradio as gr

    from assistant.ui.state.engine import Opener

MAX_UPLOAD = "25mb"
#: How often an idle page looks whether somebody asks. Gradio does so every millisecond, which takes a tenth of a core.
QUEUE_POLL_S = 0.01
STYLE = ASSETS_DIR / "style"
SANS = ("system-ui", "-apple-system", "Segoe UI", "Roboto", "Noto Sans", "Liberation Sans", "sans-serif")
MONO = ("ui-monospace", "SF Mono", "Menlo", "Consolas", "Liberation Mono", "monospace")
HEAD = '<meta name="color-scheme" content="light dark"><meta name="referrer" content="no-referrer">'
STYLES = ("vitrine", "camera", "model", "teach", "voice", "lights", "answers", "pages")
#: Scripts of the page itself, beside assets/style/live.js, which gradio runs for each part that listens.
SCRIPTS = ("page.js", "asked.js", "picture.js", "mark.js", "listener.js")


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The arguments, checked.

    Raises:
        BadInput: one sentence about the first that is wrong.
    """
    parser = Parser(prog="app.py", description="Vitrine in the browser.")
    parser.add_argument("--host", help="address to serve on (default: this machine only; with --https its network)")
    parser.add_argument("--https", action="store_true", help="for a phone's camera: with a certificate of its own")
    parser.add_argument("--port", type=int, help=f"port (default: {DEFAULT_PORT}, or the next free one)")
    parser.add_argument("--auth", action="append", default=[], metavar="USER:PASSWORD", help="who may open the page")
    parser.add_argument("--profile", help="auto, embedded, chat or local")
    parser.add_argument("--model", help="what chat or local ask (default: VITRINE_CHAT_MODEL, VITRINE_LOCAL_MODEL)")
    parser.add_argument("--data-dir", help="folder for indexes and everything else that is kept")
    parser.add_argument(
        "--pipeline",
        help="how a model's answer comes about: vitrine (default), mm-llm, task1, task2, task3, kdd-2025, or, with "
        "pictures, separate, single-stage or multi-stage",
    )
    parser.add_argument("--budget", type=float, metavar="S", help="what a turn may take; parts are left out for it")
    parser.add_argument("--strictness", help="none, soft, moderate (default) or severe, which forbids a model's memory")
    parser.add_argument("--risk", help="how probably an answer may be wrong, 0 to 1; surer ones alone are given")
    parser.add_argument("--risk-model", metavar="FILE", help="weights of that estimate, from `eval calibrate`")
    parser.add_argument("--prompts", metavar="DIR", help="texts that stand in for ours, by the same names")
    parser.add_argument("--index", help="index folder (default: the bundled world's, built on first start)")
    args = parser.parse_args(argv)
    if args.port is not None and not 1 <= args.port <= 65535:
        raise BadInput(f"app.py: --port is a number from 1 to 65535, not {args.port!r}")
    args.auth = [_credentials(pair) for pair in args.auth]
    args.chosen, args.host = bool(args.host), args.host or https.default_host(args.https)
    args.port = free_port(args.host, args.port)
    return args


def _credentials(pair: str) -> tuple[str, str]:
    user, colon, password = pair.partition(":")
    if not (user and colon and password):
        raise BadInput("app.py: --auth is USER:PASSWORD, with a colon between two parts that are not empty")
    return user, password


def build_page(
    settings: Settings,
    opener: Opener | None = None,
    rights: Rights = ALL_RIGHTS,
    *,
    set_by: Mapping[str, str] | None = None,
) -> tuple[gr.Blocks, Any]:
    """The page and its services; `opener` replaces the real assistant in tests.

    What visitors had this machine remember of the model is used where they may change it, and neither flags nor the
    environment, named in `set_by`, say otherwise.
    """
    with without_stubs():
        import gradio as gr

    from assistant.doctor import examine
    from assistant.remembered import Memory, with_remembered
    from assistant.speech.hearing import Hearing
    from assistant.speech.speaking import Speaker
    from assistant.ui.api.ask import add_endpoint
    from assistant.ui.api.search import add_search_endpoint
    from assistant.ui.api.teach import add_teach_endpoint
    from assistant.ui.state.engine import Engine
    from assistant.ui.state.model_shelf import ModelShelf
    from assistant.ui.state.model_switch import ModelSwitch, meanwhile
    from assistant.ui.state.pictures import IndexedPictures
    from assistant.ui.state.profiles import OtherProfiles
    from assistant.ui.state.sessions import SessionStore
    from assistant.ui.tab.examples import ExampleFrames
    from assistant.ui.tab.layout import Services
    from assistant.ui.tab.live import LiveTab
    from eval.ui.live_panels import live_panels
    from eval.ui.pages import add_pages
    from eval.ui.state.annotation import AnnotationDesk

    def open_real(progress: Any) -> Any:
        from assistant.factory import open_assistant

        return open_assistant(first, progress)

    def under(assistant: Any, settings: Settings, profile: Any) -> Any:
        from assistant.factory import under_profile

        return under_profile(assistant, settings, profile)

    def open_pipeline() -> Any:
        from assistant.factory import open_search

        return open_search(settings)

    given, desk, memory, note = settings, AnnotationDesk(settings, rights), Memory(settings.data_dir), ""
    if rights.start:
        kept = memory.load()
        settings, note = with_remembered(settings, kept, set_by or {}), kept.problem
    elif memory.there:
        note = "A model is remembered on this machine; it is not used on a page that is open to others without --auth."
    first = meanwhile(settings)
    engine = Engine(opener or open_real)
    others = OtherProfiles(under=lambda assistant, profile: switch.under(assistant, profile))
    switch = ModelSwitch(first, engine, others, under, memory, set_by=set_by, may_change=rights.start, note=note)
    shelf = ModelShelf(switch, may_name_paths=rights.paths)
    switch.begin_with(settings)
    services = Services(
        engine=engine,
        sessions=SessionStore(engine, IndexedPictures(settings.index_dir), others=others, target=lambda: switch.target),
        examples=ExampleFrames(settings.world_dir),
        speaker=Speaker(voice=settings.voice, voices_dir=settings.voices_dir),
        hearing=Hearing.of(settings.whisper_model, settings.data_dir),
        model=switch,
        shelf=shelf,
        examine=lambda: examine(switch.settings),
    )
    with gr.Blocks(title="Vitrine", analytics_enabled=False, fill_width=True, delete_cache=(300, 1800)) as page:
        gr.Navbar(main_page_name="Ask")
        LiveTab(services, page, live_panels(settings, switch, shelf, desk))
        add_endpoint(services.engine, services.sessions)
        add_search_endpoint(services.engine, open_pipeline)
        add_teach_endpoint(services.engine)
    add_pages(page, given, desk)  # runs go by flags and the environment alone
    return page, services


def launch(
    page: gr.Blocks,
    host: str,
    port: int,
    auth: Sequence[tuple[str, str]],
    settings: Settings,
    certificate: Path | None = None,
) -> str:
    """Serve `page` without blocking, over TLS where there is a `certificate`; returns its address."""
    import gradio as gr

    from assistant.ui.session_blocks import keep_ids, pass_over_the_rest

    keep_ids()
    pass_over_the_rest()
    remember_signatures()
    pem = str(certificate) if certificate else None
    # The index and the project are never served; uploads lie in a folder of their own, named by GRADIO_TEMP_DIR.
    _, url, _ = page.launch(
        server_name=f"[{host}]" if ":" in host else host,
        server_port=port,
        auth=list(auth) or None,
        ssl_keyfile=pem,
        ssl_certfile=pem,
        ssl_verify=pem is None,  # gradio asks its own page once
        prevent_thread_lock=True,
        quiet=True,
        share=False,
        footer_links=["api"],
        run_history=False,
        enable_monitoring=False,
        strict_cors=True,
        max_file_size=MAX_UPLOAD,
        blocked_paths=[str(PROJECT_DIR), str(settings.data_dir)],
        ssr_mode=False,
        pwa=False,
        theme=gr.themes.Base(font=SANS, font_mono=MONO, spacing_size="md", radius_size="md"),
        css_paths=[STYLE / f"{name}.css" for name in STYLES],
        favicon_path=STYLE / "vitrine.svg",
        head=HEAD + "".join(f"<script>{(STYLE / name).read_text(encoding='utf-8')}</script>" for name in SCRIPTS),
    )
    page._queue.sleep_when_free = QUEUE_POLL_S
    return url


def main(argv: Sequence[str] | None = None) -> int:
    try:
        args = parse(sys.argv[1:] if argv is None else argv)
        settings = read_settings(
            profile=args.profile,
            data_dir=args.data_dir,
            index=args.index,
            model=args.model,
            pipeline=args.pipeline,
            strictness=args.strictness,
            prompts=args.prompts,
            risk=args.risk,
            risk_model=args.risk_model,
            budget=args.budget,
            use_taught=True,
            host=args.host,
        )
        if settings.index is not None and not is_there(settings.index):
            raise BadInput(f"app.py: --index {str(settings.index)!r} is not a folder: build one with `index build`")
        _make_folder(settings.data_dir)
        certificate = https.own_certificate(settings.data_dir, https.names_for(args.host)) if args.https else None
    except VitrineError as problem:
        print(" ".join(str(problem).split()), file=sys.stderr)
        return problem.exit_code
    uploads = tempfile.mkdtemp(prefix="vitrine-uploads-")
    os.environ["GRADIO_TEMP_DIR"] = uploads  # frames go where only this process looks, and go with it
    end = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: end.set())
    try:
        page, services = build_page(
            settings,
            rights=rights_for(args.host, bool(args.auth)),
            set_by=set_by(profile=args.profile, model=args.model, pipeline=args.pipeline, strictness=args.strictness),
        )
        url = launch(page, args.host, args.port, args.auth, settings, certificate)
        print(f"Vitrine is at {url}", flush=True)
        if certificate:
            https.say(args.host, args.port, bool(args.auth), chosen=args.chosen)
        services.sessions.start_sweeping()
        services.engine.start()
        end.wait()
    finally:
        shutil.rmtree(uploads, ignore_errors=True)
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    os._exit(0)  # model libraries keep threads that would hold up a normal end


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
    except OSError as problem:
        raise BadInput(f"app.py: --data-dir {str(folder)!r} cannot be written to: {problem.strerror}") from problem


if __name__ == "__main__":
    sys.exit(main())
