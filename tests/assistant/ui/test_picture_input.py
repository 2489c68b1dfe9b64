"""Uploads reach us as untouched bytes, and nothing but an upload is ever read or deleted."""

from __future__ import annotations

import base64
import time
from pathlib import Path

import gradio as gr
import pytest
from gradio.data_classes import ImageData

from assistant.ui.tab import picture_input
from assistant.ui.tab.picture_input import PictureInput, read_upload


@pytest.fixture
def uploads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "uploads"
    folder.mkdir()
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(folder))
    monkeypatch.setattr(picture_input, "KEPT_S", 0.0)
    return folder


def test_an_upload_is_read_untouched_and_then_deleted(uploads: Path):
    (uploads / "abc").mkdir()
    file = uploads / "abc" / "notes.png"
    file.write_bytes(b"no picture at all")
    assert read_upload(ImageData(path=str(file))) == b"no picture at all"
    time.sleep(0.1)
    assert not file.exists()


def test_the_same_picture_sent_again_outlives_the_first(uploads: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(picture_input, "KEPT_S", 0.3)
    file = uploads / "notes.png"
    file.write_bytes(b"pixels")
    assert read_upload(ImageData(path=str(file))) == b"pixels"
    (uploads / "sent").write_bytes(b"pixels")
    (uploads / "sent").rename(file)  # as gradio puts an upload in its place
    time.sleep(0.5)
    assert read_upload(ImageData(path=str(file))) == b"pixels"
    time.sleep(0.5)
    assert not file.exists()


def test_files_elsewhere_are_neither_read_nor_deleted(uploads: Path, tmp_path: Path):
    outside = tmp_path / "outside.txt"
    outside.write_text("keep me")
    (uploads / "link").symlink_to(outside)
    beside = tmp_path / "uploads-of-others"
    beside.mkdir()
    (beside / "x.jpg").write_text("keep me too")
    for name in (outside, uploads / ".." / "outside.txt", uploads / "link", beside / "x.jpg", uploads, "outside.txt"):
        with pytest.raises(gr.Error, match="not uploaded"):
            read_upload(ImageData(path=str(name)))
    time.sleep(0.1)
    assert outside.read_text() == "keep me"
    assert (beside / "x.jpg").exists()


def test_inline_pictures(uploads: Path, monkeypatch: pytest.MonkeyPatch):
    inline = "data:image/png;base64," + base64.b64encode(b"pixels").decode()
    assert read_upload(ImageData(url=inline)) == b"pixels"
    assert read_upload(ImageData(url="data:image/png;base64,%%%")) == b"?"
    assert read_upload(ImageData()) is None
    assert read_upload(None) is None
    monkeypatch.setattr(picture_input, "MAX_DATA_URL_CHARS", 10)
    with pytest.raises(gr.Error, match="too large"):
        read_upload(ImageData(url=inline))


@pytest.mark.slow
@pytest.mark.parametrize(
    "address", ["http://a.invalid/x.png", "HTTPS://a.invalid/x.png", "//a.invalid/x", " ftp://a/x"]
)
def test_addresses_are_not_fetched(address: str):
    with gr.Blocks(), pytest.raises(gr.Error, match="not fetched"):
        PictureInput().move_resource_to_block_cache(address)


def test_making_the_class_leaves_no_stub_beside_the_source():
    assert not Path(picture_input.__file__).with_suffix(".pyi").exists()
