"""Bad and unusual pictures: a right frame or one clear sentence, never another exception."""

import io
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from assistant.core.errors import BadImage
from assistant.vision.frame import MAX_PIXELS, read_frame


def encoded(picture: Image.Image, kind: str = "PNG", **options) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def gradient(width: int = 48, height: int = 32) -> Image.Image:
    ramp = np.linspace(0, 255, width * height * 3).reshape(height, width, 3).astype(np.uint8)
    return Image.fromarray(ramp)


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims a size and carries almost no data: only the header can be believed."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    ihdr = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", ihdr) + chunk(b"IDAT", zlib.compress(b"\0" * 64)) + chunk(b"IEND", b"")


def sentence(problem: pytest.ExceptionInfo[BadImage]) -> str:
    text = str(problem.value)
    assert text
    assert "\n" not in text
    assert "Traceback" not in text
    return text


def test_plain_picture_is_read_as_it_is():
    picture = gradient()
    assert np.array_equal(read_frame(encoded(picture)).pixels, np.asarray(picture))


def test_truncated_jpeg_is_refused_in_a_sentence():
    data = encoded(gradient(640, 480), "JPEG", quality=90)
    with pytest.raises(BadImage) as problem:
        read_frame(data[: len(data) // 2])
    assert "cut off" in sentence(problem)


@pytest.mark.slow
@pytest.mark.parametrize("keep", [1, 2, 3, 10, 20, 100, 300])
def test_any_stub_of_a_file_is_refused_in_a_sentence(keep: int):
    noise = Image.fromarray(np.random.default_rng(0).integers(0, 256, (200, 200, 3), np.uint8))
    for kind in ("JPEG", "PNG", "GIF", "WEBP", "BMP", "TIFF"):
        with pytest.raises(BadImage) as problem:
            read_frame(encoded(noise, kind)[:keep])
        sentence(problem)


def test_empty_and_text_and_missing_and_folder(tmp_path: Path):
    cases = {
        "empty": tmp_path / "a.jpg",
        "not a picture": tmp_path / "b.png",
        "no file": tmp_path / "c.png",
        "folder": tmp_path,
    }
    cases["empty"].write_bytes(b"")
    cases["not a picture"].write_text("this is text, renamed")
    for word, path in cases.items():
        with pytest.raises(BadImage) as problem:
            read_frame(path)
        assert word in sentence(problem)
    with pytest.raises(BadImage):
        read_frame(b"")


def test_path_with_a_nul_byte_is_refused():
    with pytest.raises(BadImage):
        read_frame(Path("a\0b.png"))


@pytest.mark.parametrize("size", [(20_000, 20_000), (10_000, 9_500), (9_000, 8_000)])
def test_bomb_is_refused_from_the_header(size: tuple[int, int], monkeypatch: pytest.MonkeyPatch):
    assert size[0] * size[1] > MAX_PIXELS

    def never(self):
        raise AssertionError("decoded before the check")

    monkeypatch.setattr("PIL.ImageFile.ImageFile.load", never)
    with pytest.raises(BadImage) as problem:
        read_frame(png_header(*size))
    assert "too many pixels" in sentence(problem)


def test_pillow_guard_stays_on():
    assert Image.MAX_IMAGE_PIXELS == 89_478_485


def test_animated_gif_gives_its_first_picture():
    frames = [Image.new("RGB", (20, 10), colour) for colour in ("red", "blue", "green")]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:])
    assert tuple(read_frame(data).pixels[5, 5]) == (255, 0, 0)


def test_sixteen_bits_are_scaled_not_clipped():
    ramp = np.linspace(0, 65535, 256).astype(np.uint16).reshape(1, 256).repeat(4, axis=0)
    pixels = read_frame(encoded(Image.fromarray(ramp))).pixels
    assert np.array_equal(pixels[0, :, 0], np.arange(256))
    assert read_frame(encoded(Image.fromarray(ramp), "TIFF")).pixels[0, 128, 1] == 128


def test_float_tiff_is_scaled():
    data = encoded(Image.fromarray(np.full((4, 4), 0.5, np.float32)), "TIFF")
    assert abs(int(read_frame(data).pixels[0, 0, 0]) - 128) <= 1


def test_cmyk_becomes_rgb():
    data = encoded(Image.new("CMYK", (8, 8), (0, 255, 255, 0)), "JPEG", quality=95)
    red, green, blue = (int(v) for v in read_frame(data).pixels[4, 4])
    assert red > 200
    assert max(green, blue) < 60


def test_transparency_is_laid_over_white():
    assert tuple(read_frame(encoded(Image.new("RGBA", (4, 4), (0, 0, 0, 0)))).pixels[0, 0]) == (255, 255, 255)
    half = read_frame(encoded(Image.new("LA", (4, 4), (0, 128)))).pixels[0, 0]
    assert abs(int(half[0]) - 127) <= 1
    palette = Image.new("P", (4, 4), 0)
    palette.putpalette([0, 0, 0, 255, 0, 0])
    palette.putpixel((1, 1), 1)
    pixels = read_frame(encoded(palette, transparency=0)).pixels
    assert tuple(pixels[0, 0]) == (255, 255, 255)
    assert tuple(pixels[1, 1]) == (255, 0, 0)


@pytest.mark.parametrize("mode", ["1", "L", "P"])
def test_other_modes_become_rgb(mode: str):
    assert read_frame(encoded(gradient().convert(mode))).pixels.shape == (32, 48, 3)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_exif_orientation_is_applied(orientation: int):
    upright = np.zeros((32, 48, 3), np.uint8)
    upright[:16, :24] = 255  # white top left corner
    inverse = {2: 2, 3: 3, 4: 4, 5: 5, 6: 8, 7: 7, 8: 6}
    stored = Image.fromarray(upright)
    if orientation > 1:
        turn = {
            2: Image.Transpose.FLIP_LEFT_RIGHT,
            3: Image.Transpose.ROTATE_180,
            4: Image.Transpose.FLIP_TOP_BOTTOM,
            5: Image.Transpose.TRANSPOSE,
            6: Image.Transpose.ROTATE_270,
            7: Image.Transpose.TRANSVERSE,
            8: Image.Transpose.ROTATE_90,
        }[inverse[orientation]]
        stored = stored.transpose(turn)
    exif = Image.Exif()
    exif[0x0112] = orientation
    for kind in ("JPEG", "PNG"):
        pixels = read_frame(encoded(stored, kind, exif=exif)).pixels
        assert pixels.shape == (32, 48, 3)
        assert pixels[4, 4, 0] > 200
        assert pixels[28, 44, 0] < 50


@pytest.mark.parametrize("size", [(1, 1), (60_000, 1), (1, 30_000)])
def test_tiny_and_thin_pictures_are_frames(size: tuple[int, int]):
    frame = read_frame(encoded(Image.new("RGB", size, "navy")))
    assert (frame.width_px, frame.height_px) == size


@pytest.mark.filterwarnings("error")
def test_broken_exif_does_not_cost_the_picture():
    good = encoded(gradient(), "JPEG", quality=95)
    for block in (b"Exif\0\0MM\0*\0\0\0\x08\0\x09", b"Exif\0\0II*\0\xff\xff\xff\xff", b"Exif\0\0garbage"):
        segment = b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block
        assert read_frame(good[:2] + segment + good[2:]).pixels.shape == (32, 48, 3)


def test_heic_is_named():
    with pytest.raises(BadImage) as problem:
        read_frame(b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + b"\0" * 64)
    assert "HEIC" in sentence(problem)


def test_eps_is_not_handed_to_another_program():
    with pytest.raises(BadImage):
        read_frame(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\nshowpage\n")


# cut off with the end mark put back


def lively(width: int = 203, height: int = 157) -> Image.Image:
    noise = np.random.default_rng(5).integers(0, 256, (height, width, 3), np.uint8)
    noise[:, width // 2 :] = np.linspace(0, 255, height).astype(np.uint8)[:, None, None]
    return Image.fromarray(noise)


JPEGS = {
    "baseline": {},
    "progressive": {"progressive": True},
    "all colours at full size": {"subsampling": 0},
    "restarts": {"restart_marker_blocks": 7},
    "a restart a row": {"restart_marker_rows": 1},
    "progressive with restarts": {"progressive": True, "restart_marker_blocks": 7},
    "tables of its own": {"optimize": True, "quality": 20},
}


@pytest.mark.parametrize("keep", [0.3, 0.4, 0.6, 0.8, 0.95])
@pytest.mark.parametrize("options", JPEGS.values(), ids=JPEGS)
def test_a_cut_off_jpeg_is_refused_though_its_end_mark_was_put_back(options: dict, keep: float):
    data = encoded(lively(), "JPEG", **options)
    cut = data[: int(len(data) * keep)].rstrip(b"\xff")
    for end in (b"", b"\xff\xd9", b"\xff\xd9" + data[:500], b"\xff\xff\xd9"):
        with pytest.raises(BadImage) as problem:
            read_frame(cut + end)
        assert "cut off" in sentence(problem)


def test_a_jpeg_cut_off_between_restarts_or_scans_is_refused():
    restarts = encoded(lively(), "JPEG", restart_marker_rows=1)
    at = restarts.index(b"\xff\xd3")
    for end in (at, at + 2):
        with pytest.raises(BadImage, match="cut off"):
            read_frame(restarts[:end] + b"\xff\xd9")
    scans = encoded(lively(), "JPEG", progressive=True)
    for end in [i for i in range(len(scans)) if scans[i : i + 2] == b"\xff\xda"][1:]:
        with pytest.raises(BadImage, match="cut off"):
            read_frame(scans[:end] + b"\xff\xd9")


def test_a_jpeg_with_a_hole_in_its_middle_is_refused():
    data = encoded(lively(), "JPEG", quality=90)
    with pytest.raises(BadImage, match="cut off"):
        read_frame(data[: len(data) // 3].rstrip(b"\xff") + data[len(data) * 2 // 3 :])


@pytest.mark.parametrize("options", JPEGS.values(), ids=JPEGS)
@pytest.mark.parametrize("size", [(1, 1), (8, 8), (17, 33), (640, 3)])
def test_whole_jpegs_are_read_whatever_stands_around_their_data(options: dict, size: tuple[int, int]):
    exif = Image.Exif()
    exif[0x0112] = 6
    thumbnail = encoded(gradient(), "JPEG")
    for picture in (lively(*size), lively(*size).convert("L"), lively(*size).convert("CMYK"), Image.new("RGB", size)):
        data = encoded(picture, "JPEG", comment=thumbnail, **options)
        turned = encoded(picture, "JPEG", exif=exif, **options)
        behind = (b"\0" * 30, b"rubbish", b"\xff" * 9, thumbnail)
        for whole in (data, turned, data[:-2] + b"\0\0\0\xff\xd9", *(data + more for more in behind)):
            read_frame(whole)


def test_two_pictures_in_one_jpeg_file_give_the_first():
    data = encoded(lively(), "MPO", save_all=True, append_images=[gradient()])
    assert read_frame(data).pixels.shape == (157, 203, 3)


def test_other_kinds_that_are_cut_off_are_refused_though_their_ends_were_put_back():
    png = encoded(lively())
    start, length = png.index(b"IDAT"), int.from_bytes(png[png.index(b"IDAT") - 4 : png.index(b"IDAT")], "big")
    body = b"IDAT" + png[start + 4 : start + 4 + length // 2]
    cut_png = png[: start - 4] + struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    cut_png += struct.pack(">I", 0) + b"IEND" + struct.pack(">I", zlib.crc32(b"IEND"))
    gif = encoded(lively().convert("P"), "GIF")
    at = gif.index(b",", 13 + 3 * (2 << (gif[10] & 7))) + 11
    while at < len(gif) // 2:
        at += gif[at] + 1
    cuts = [cut_png, gif[:at] + b"\0;"]
    for options in ({}, {"lossless": True}):
        webp = encoded(lively(), "WEBP", **options)
        short = webp[: len(webp) // 4 * 2]
        lengths = (struct.pack("<I", len(short) - 8), struct.pack("<I", len(short) - 20))
        cuts.append(b"RIFF" + lengths[0] + short[8:16] + lengths[1] + short[20:])
    for cut in cuts:
        with pytest.raises(BadImage) as problem:
            read_frame(cut)
        assert "cut off" in sentence(problem)
