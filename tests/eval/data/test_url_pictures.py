"""Pictures by URL: only with the user's leave, within limits, kept on disk; a server on this machine is the web."""

from __future__ import annotations

import hashlib
import http.server
import threading
import time
from collections import Counter

import pytest

from assistant.core.errors import BadImage
from eval.data import url_pictures
from eval.data.datasets import Reading, load
from eval.data.url_pictures import UrlPictures
from tests.eval.data.crag_sets import SINGLE, crag_row, data_set, photo

PHOTO = photo(5)


@pytest.fixture
def web():
    """A server that gives a picture, an error page, too much, too slowly, or is busy at first; `.seen` counts."""
    seen: Counter = Counter()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            seen[self.path] += 1
            if self.path == "/gone" or (self.path == "/busy" and seen[self.path] < 3):
                self.send_error(404 if self.path == "/gone" else 429)
                return
            self.send_response(200)
            self.end_headers()
            if self.path == "/slow":
                for _ in range(40):
                    self.wfile.write(b"x")
                    time.sleep(0.1)
            self.wfile.write({"/page": b"<html>sorry", "/large": b"x" * 300_000}.get(self.path, PHOTO))

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    server.seen = seen
    server.url = f"http://127.0.0.1:{server.server_port}"
    yield server
    server.shutdown()
    server.server_close()


def here(address: str) -> bool:
    return address == "127.0.0.1"


def source(folder, **more) -> UrlPictures:
    return UrlPictures((folder,), **{"network": True, "allowed": here, "max_bytes": 200_000, "timeout_s": 0.6, **more})


def test_a_picture_is_fetched_once_and_kept(web, tmp_path):
    for _ in range(2):
        picture = source(tmp_path / "cache").picture(f"{web.url}/a.jpg")
        assert picture.exists()
        assert picture.read() == PHOTO
    assert web.seen["/a.jpg"] == 1
    name = hashlib.sha256(f"{web.url}/a.jpg".encode()).hexdigest()
    assert [path.name for path in (tmp_path / "cache").iterdir()] == [name]


def test_without_leave_nothing_is_asked(web, tmp_path):
    pictures = source(tmp_path, network=False)
    assert pictures.picture(f"{web.url}/a.jpg") is None
    assert "--allow-network" in pictures.why_not(f"{web.url}/a.jpg")
    assert "--allow-network" not in pictures.why_not("https://a.invalid/x.jpg")  # leave would not help
    assert source(tmp_path).picture("https://a.invalid/x.jpg") is None
    assert source(tmp_path).picture("file:///etc/passwd") is None
    assert not web.seen


@pytest.mark.parametrize(
    ("path", "said"),
    [("/gone", "404"), ("/page", "is no picture"), ("/large", "larger than"), ("/slow", "took too long")],
)
def test_what_is_not_to_be_had_is_said_and_not_kept(web, tmp_path, path, said):
    start = time.monotonic()
    with pytest.raises(BadImage, match=said):
        source(tmp_path / "cache").picture(f"{web.url}{path}").read()
    assert time.monotonic() - start < 3
    assert web.seen[path] == 1
    assert not (tmp_path / "cache").exists()


def test_a_busy_host_is_asked_again(web, tmp_path, monkeypatch):
    monkeypatch.setattr(url_pictures, "_WAITS_S", (0.01, 0.01))
    assert source(tmp_path).picture(f"{web.url}/busy").read() == PHOTO
    assert web.seen["/busy"] == 3


def test_hosts_on_this_machine_are_not_asked_by_default(web, tmp_path):
    with pytest.raises(BadImage, match="not a public one"):
        UrlPictures((tmp_path,), network=True).picture(f"{web.url}/a.jpg").read()
    assert not web.seen


def test_a_full_disk_costs_the_cache_and_not_the_picture(web, tmp_path):
    (tmp_path / "cache").write_text("in the way")
    assert source(tmp_path / "cache").picture(f"{web.url}/a.jpg").read() == PHOTO


def test_rows_by_url_are_samples_only_with_leave(tmp_path):
    row = crag_row("a", SINGLE, image=None, url="https://example.com/a.jpg")
    data_set([row], SINGLE).to_parquet(tmp_path / "a.parquet")
    closed = load(str(tmp_path / "a.parquet"))
    assert [u.why for u in closed.unusable] == [
        "the picture behind 'https://example.com/a.jpg' is not at hand: --allow-network lets it be fetched"
    ]
    reading = Reading(network=True, picture_cache=tmp_path / "cache")
    (sample,) = load(str(tmp_path / "a.parquet"), reading=reading).samples
    assert not sample.is_ego
    with pytest.raises(BadImage, match="could not be fetched"):  # tests have no network
        sample.frame()
    kept = tmp_path / "cache" / hashlib.sha256(b"https://example.com/a.jpg").hexdigest()
    kept.parent.mkdir()
    kept.write_bytes(PHOTO)
    assert sample.frame().pixels.shape == (64, 48, 3)
    assert load(str(tmp_path / "a.parquet"), reading=Reading(picture_cache=kept.parent)).samples  # kept is kept
