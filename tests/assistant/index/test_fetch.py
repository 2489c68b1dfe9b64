"""Fetching image URLs: only from the public internet, within limits; a real server on this machine plays the web."""

import http.server
import threading
import time

import pytest

from assistant.core.errors import BadInput
from assistant.index.fetch import fetch, is_public


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        if self.path == "/loop":
            self.send_response(302)
            self.send_header("Location", "/loop")
            self.end_headers()
        elif self.path == "/away":
            self.send_response(302)
            self.send_header("Location", "http://169.254.169.254/latest")
            self.end_headers()
        elif self.path == "/moved":
            self.send_response(301)
            self.send_header("Location", "/picture?x=1")
            self.end_headers()
        elif self.path == "/slow":
            self.send_response(200)
            self.end_headers()
            for _ in range(50):
                self.wfile.write(b"x")
                self.wfile.flush()
                time.sleep(0.1)
        elif self.path.startswith("/picture"):
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"picture")
        elif self.path == "/large":
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"x" * 200_000)
        else:
            self.send_error(404)

    def log_message(self, *args):
        pass


@pytest.fixture(scope="module")
def server():
    running = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=running.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()


def local(address: str) -> bool:
    return address == "127.0.0.1"


def test_a_picture_arrives_also_after_a_redirect(server):
    assert fetch(f"{server}/picture", allowed=local) == b"picture"
    assert fetch(f"{server}/moved", allowed=local) == b"picture"


@pytest.mark.parametrize(
    ("path", "sentence"),
    [
        ("/large", "larger than"),
        ("/none", "answered 404"),
        ("/loop", "redirected too often"),
        ("/away", "'169.254.169.254' is not a public one"),
    ],
)
def test_what_is_refused(server, path, sentence):
    with pytest.raises(BadInput, match=sentence):
        fetch(f"{server}{path}", max_bytes=100_000, allowed=local)


def test_a_slow_answer_is_given_up(server):
    start = time.monotonic()
    with pytest.raises(BadInput, match=r"too long|timed out"):
        fetch(f"{server}/slow", timeout_s=0.5, allowed=local)
    assert time.monotonic() - start < 3


def test_this_machine_is_not_the_internet(server):
    with pytest.raises(BadInput, match="not a public one"):
        fetch(f"{server}/picture")


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://a.invalid/x", "http://", "nonsense", "http://[::1]/x"])
def test_other_addresses(url):
    with pytest.raises(BadInput):
        fetch(url)


@pytest.mark.parametrize(
    ("address", "public"),
    [
        ("8.8.8.8", True),
        ("2001:4860:4860::8888", True),
        ("127.0.0.1", False),
        ("10.1.2.3", False),
        ("192.168.1.1", False),
        ("169.254.169.254", False),
        ("100.64.0.1", False),
        ("0.0.0.0", False),
        ("224.0.0.1", False),
        ("::1", False),
        ("fe80::1%eth0", False),
        ("fd00::1", False),
        ("::ffff:127.0.0.1", False),
        ("::ffff:8.8.8.8", True),
    ],
)
def test_which_addresses_are_public(address, public):
    assert is_public(address) is public
