"""Turn a file or bytes into a `Frame`, or say in one sentence why that cannot be.

Everything that reaches the assistant as a picture passes through here: EXIF orientation applied, transparency laid
over white, every colour mode brought to 8-bit RGB, the first picture of an animation taken. The number of pixels is
checked from the header, before anything is decoded. A picture that is cut off is refused, not half shown, an end mark
put back or not: an answer about the missing half would be a guess.

Not covered: colour profiles (pixels are taken as sRGB), HEIC (Pillow has no decoder for it; the message says so).
"""

from __future__ import annotations

import io
import threading
import warnings
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps, JpegImagePlugin, UnidentifiedImageError

from assistant.core.errors import BadImage
from assistant.core.types import Frame
from assistant.vision.whole_jpeg import is_whole

#: A 50-megapixel phone picture fits. Below Pillow's own bomb guard, which stays on.
MAX_PIXELS = 64_000_000
MAX_BYTES = 128 * 1024 * 1024

#: Only decoders that run inside the process: EPS and the like would start other programs.
_FORMATS = ("JPEG", "PNG", "WEBP", "GIF", "BMP", "TIFF", "PPM", "AVIF", "JPEG2000")
_HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1")
_WARNINGS_LOCK = threading.Lock()


def read_frame(source: Path | bytes) -> Frame:
    """Read a picture.

    Args:
        source: a file, or the bytes of one.

    Returns:
        The frame, (height, width, 3) uint8 RGB, EXIF orientation applied.

    Raises:
        BadImage: nothing there, not a picture, cut off, or too many pixels; the message is one sentence.
    """
    data, name = _bytes_of(source)
    if not data:
        raise BadImage(f"{name} is empty: choose a picture")
    picture = _open(data, name)
    damaged = f"{name} is damaged or cut off and cannot be read as a picture: send it again"
    try:
        picture.load()
        whole = not isinstance(picture, JpegImagePlugin.JpegImageFile) or is_whole(data, picture)
        frame = Frame(_rgb(picture)) if whole else None
    # Decoders raise whatever a malformed stream leads them into; nothing is swallowed, all of it means the same.
    except Exception as problem:
        raise BadImage(damaged) from problem
    if frame is None:
        raise BadImage(damaged)
    return frame


def _bytes_of(source: Path | bytes) -> tuple[bytes, str]:
    if isinstance(source, bytes):
        name, size = "the picture", len(source)
    else:
        name = repr(source.name or str(source))
        try:
            if source.is_dir():
                raise BadImage(f"{name} is a folder, not a picture: choose a file")
            if not source.exists():
                raise BadImage(f"there is no file {name}: choose a picture")
            if not source.is_file():
                raise BadImage(f"{name} is not an ordinary file: choose a picture")
            size = source.stat().st_size
        except (OSError, ValueError) as problem:
            raise BadImage(f"{name} cannot be opened: choose a picture that can be read") from problem
    if size > MAX_BYTES:
        raise BadImage(
            f"{name} has {size / 1e6:.0f} MB, more than the {MAX_BYTES / 1e6:.0f} MB allowed: make it smaller"
        )
    if isinstance(source, bytes):
        return source, name
    try:
        return source.read_bytes(), name
    except OSError as problem:
        raise BadImage(f"{name} cannot be opened: choose a picture that can be read") from problem


def _open(data: bytes, name: str) -> Image.Image:
    """Open lazily (header only) and check the number of pixels."""
    too_many = f"{name} has too many pixels (more than {MAX_PIXELS // 1_000_000} million): make it smaller"
    try:
        # The warning Pillow gives below its hard limit is made an error here, so that nothing is printed beside ours.
        with _WARNINGS_LOCK, warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # broken EXIF; see below
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            picture = Image.open(io.BytesIO(data), formats=_FORMATS)
            _drop_broken_exif(picture)
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as problem:
        raise BadImage(too_many) from problem
    except UnidentifiedImageError as problem:
        if data[4:8] == b"ftyp" and data[8:12] in _HEIC_BRANDS:
            raise BadImage(f"{name} is a HEIC picture, which cannot be read here: save it as JPEG or PNG") from problem
        raise BadImage(f"{name} is not a picture that can be read: use JPEG, PNG or WebP") from problem
    # As above: a malformed header can raise anything, and all of it means the same to the user.
    except Exception as problem:
        raise BadImage(f"{name} is damaged and cannot be read as a picture: send it again") from problem
    width, height = picture.size
    if width * height > MAX_PIXELS:
        raise BadImage(too_many)
    if width < 1 or height < 1:
        raise BadImage(f"{name} has no pixels: choose another picture")
    return picture


def _drop_broken_exif(picture: Image.Image) -> None:
    """A picture whose EXIF cannot be read is taken as upright; Pillow would warn or raise later."""
    try:
        orientation = picture.getexif().get(0x0112, 1)
        readable = isinstance(orientation, int)
    except Exception:  # what a malformed block leads Pillow into; without it the picture is still a picture
        readable = False
    if not readable:
        picture.info.pop("exif", None)
        picture._exif = None  # type: ignore[attr-defined]  # the half-read block that Pillow keeps


def _rgb(picture: Image.Image) -> np.ndarray:
    """The first frame, decoded, as (height, width, 3) uint8 RGB, orientation applied."""
    if picture.mode.startswith(("I", "F")):
        picture = _eight_bits(picture)
    ImageOps.exif_transpose(picture, in_place=True)  # without a copy where nothing is to be turned
    upright = picture
    if upright.mode in ("RGBA", "LA", "PA", "RGBa", "La") or "transparency" in upright.info:
        layer = upright.convert("RGBA")
        white = Image.new("RGBA", layer.size, (255, 255, 255, 255))
        upright = Image.alpha_composite(white, layer)
    return np.array(upright if upright.mode == "RGB" else upright.convert("RGB"), dtype=np.uint8)


def _eight_bits(picture: Image.Image) -> Image.Image:
    """A 16-bit, 32-bit or float greyscale picture as 8-bit greyscale; Pillow itself would clip at 255."""
    values = np.asarray(picture).astype(np.float64)
    values = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
    top = float(values.max(initial=0.0))
    if picture.mode == "F":
        full = 1.0 if top <= 1.0 else 255.0 if top <= 255.0 else top
    elif picture.mode.startswith("I;16") or top > 255.0:
        full = 65535.0 if top <= 65535.0 else top
    else:
        full = 255.0
    grey = Image.fromarray(np.clip(np.rint(values * (255.0 / full)), 0, 255).astype(np.uint8))
    if "exif" in picture.info:  # the orientation must survive
        grey.info["exif"] = picture.info["exif"]
    return grey
