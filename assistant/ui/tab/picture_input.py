"""The page's picture input: gradio's, except that a file reaches us as its untouched bytes.

Gradio would open and convert the file first, losing EXIF and depth, and answer a file that is no picture with a
traceback of its own; and it would fetch a picture's address from the network on anybody's behalf. Decoding and the
one sentence about a bad picture belong to `assistant.vision.frame`.
"""

from __future__ import annotations

import base64
import binascii
import threading
from abc import ABCMeta
from pathlib import Path
from typing import Any

import gradio as gr
from gradio.data_classes import FileData, ImageData
from gradio.utils import get_upload_folder

#: The browser may still be loading its preview of an upload; a file cut short meanwhile is an error in its console.
KEPT_S = 20.0

#: 25 MB in base 64.
MAX_DATA_URL_CHARS = 35_000_000

_FAR = ("http:", "https:", "ftp:", "//")


class Plain(type(gr.Image)):  # type: ignore[misc]  # gradio's own metaclass, which has no public name
    """Makes a component class without gradio's habit of writing a stub file beside its source."""

    def __new__(mcs, name: str, bases: tuple[type, ...], attributes: dict[str, Any]) -> Any:
        return ABCMeta.__new__(mcs, name, bases, attributes)


class PictureData(ImageData):
    """What a program sends as a picture; anything else is told what to send, which gradio would keep to itself."""

    @classmethod
    def model_validate(cls, obj: Any, **options: Any) -> PictureData:
        if not isinstance(obj, dict | ImageData):
            words = f'a picture is sent as a file, handle_file("p.jpg") with gradio_client, not as {str(obj)[:60]!r}'
            raise gr.Error(words, print_exception=False)
        return super().model_validate(obj, **options)


class PictureInput(gr.Image, metaclass=Plain):
    """A `gr.Image` whose handlers receive `bytes` (or None); an upload is deleted soon after."""

    data_model = PictureData

    def get_block_name(self) -> str:
        """The part of the frontend that draws it."""
        return "image"

    def preprocess(self, payload: ImageData | None) -> bytes | None:  # type: ignore[override]
        return read_upload(payload)

    def move_resource_to_block_cache(self, url_or_file_path: Any) -> str | None:
        refuse_addresses(url_or_file_path)
        return super().move_resource_to_block_cache(url_or_file_path)

    async def async_move_resource_to_block_cache(self, url_or_file_path: Any) -> str | None:
        refuse_addresses(url_or_file_path)
        return await super().async_move_resource_to_block_cache(url_or_file_path)


def read_upload(payload: FileData | ImageData | None) -> bytes | None:
    """The bytes of an uploaded file, which is deleted after `KEPT_S` seconds; None when there is none.

    Raises:
        gr.Error: the path is not one of an upload. Gradio itself checks only payloads that carry its mark, and a caller
            may leave the mark out: without this check, any file of the machine could be named, read and deleted.
    """
    if payload is None:
        return None
    if payload.url and payload.url.startswith("data:"):
        if len(payload.url) > MAX_DATA_URL_CHARS:
            raise gr.Error("that picture is too large: 25 MB are the most", print_exception=False)
        try:
            return base64.b64decode(payload.url.partition(",")[2], validate=True)
        except binascii.Error:
            return b"?"  # not a picture, and the reader will say so
    if not payload.path:
        return None
    path = _inside_uploads(payload.path)
    data = path.read_bytes()
    later = threading.Timer(KEPT_S, _delete, (path, _written(path)))
    later.daemon = True
    later.start()
    return data


def _delete(path: Path, written: tuple[int, int] | None) -> None:
    """Deletes what was read, unless the same picture has been uploaded once more: gradio names a file by its content,
    so that one lies in the same place, and whoever sent it has yet to be answered."""
    if _written(path) == written:
        path.unlink(missing_ok=True)


def _written(path: Path) -> tuple[int, int] | None:
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_ino, found.st_mtime_ns


def _inside_uploads(name: str) -> Path:
    """The real path of an upload, links followed."""
    folder, path = Path(get_upload_folder()).resolve(), Path(name).resolve()
    if folder not in path.parents or not path.is_file():
        raise gr.Error("that file was not uploaded here: send the file itself", print_exception=False)
    return path


def refuse_addresses(source: Any) -> None:
    """Nothing is fetched from the network on anybody's behalf."""
    if str(source).strip().lower().startswith(_FAR):
        raise gr.Error("pictures are not fetched from addresses here: send the file itself", print_exception=False)
