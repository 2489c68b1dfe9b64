"""`python app.py --https` as a presenter starts it: served on the network, trusted by who has its certificate."""

from __future__ import annotations

import re
import signal
import ssl
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser

from assistant import https
from assistant.core.paths import PROJECT_DIR
from tests.e2e.conftest import free_port
from tests.e2e.test_app import run_app


@dataclass
class App:
    said: list[str]
    port: int
    certificate: Path

    @property
    def on_network(self) -> list[str]:
        return [url for line in self.said[1:] for url in re.findall(r"https://\S+", line)]


@pytest.fixture(scope="module")
def app(written_index: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    port, data = free_port(), tmp_path_factory.mktemp("data")
    command = ["app.py", "--https", "--port", str(port), "--data-dir", str(data), "--index", str(written_index)]
    process = subprocess.Popen([sys.executable, *command], cwd=PROJECT_DIR, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    try:
        said = [process.stdout.readline()]
        while said[-1] and not said[-1].startswith("The browser will warn"):
            said.append(process.stdout.readline())
        yield App(said, port, data / https.FILE)
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) == 0
    finally:
        process.kill()
        process.wait()


def test_it_is_open_over_tls_under_every_address_it_names(app: App):
    """Tests connect to loopback alone, so that the certificate is checked there against each address."""
    trusting = ssl.create_default_context(cafile=app.certificate)
    assert re.fullmatch(rf"Vitrine is at https://(localhost|127\.0\.0\.1):{app.port}/\n", app.said[0])
    assert set(app.on_network) == {f"https://{address}:{app.port}/" for address in https.lan_addresses()}
    here = f"https://127.0.0.1:{app.port}/"
    names = [httpx.URL(url).host for url in app.on_network]
    with httpx.Client(verify=trusting, trust_env=False) as client:
        for name in ("127.0.0.1", "localhost", *names):
            assert "Vitrine" in client.get(here, extensions={"sni_hostname": name}).text
        assert client.get(f"{here}gradio_api/info").status_code == 200
    for wrong, context in (("192.168.255.254", trusting), ("127.0.0.1", True)):
        with httpx.Client(verify=context, trust_env=False) as client, pytest.raises(httpx.ConnectError, match="certif"):
            client.get(here, extensions={"sni_hostname": wrong})
    assert app.certificate.stat().st_mode & 0o777 == 0o600


def test_programs_can_use_it(app: App):
    from gradio_client import Client

    client = Client(f"https://127.0.0.1:{app.port}", ssl_verify=str(app.certificate), verbose=False)
    reply = client.predict(None, "what does it cost", 2, api_name="/search")
    assert len(reply) == 2
    client.close()


def test_the_browser_gives_a_camera_there(app: App, browser: Browser):
    if not app.on_network:
        pytest.skip("this machine has no network")
    context = browser.new_context(ignore_https_errors=True, permissions=["camera"])
    try:
        page = context.new_page()
        page.goto(app.on_network[0])
        page.get_by_label("Question", exact=True).wait_for()
        assert page.evaluate("window.isSecureContext")
        tracks = "async () => (await navigator.mediaDevices.getUserMedia({video: true})).getTracks().length"
        assert page.evaluate(tracks) == 1
    finally:
        context.close()


def test_a_certificate_that_cannot_be_kept_is_one_sentence(tmp_path: Path):
    (tmp_path / https.FILE).mkdir()
    done = run_app("--https", "--port", str(free_port()), "--data-dir", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot be kept" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
