"""Text reading on pages drawn here: content, order, direction, outlines, and silence where there is no text."""

import socket
import threading

import cv2
import numpy as np
import pytest
from PIL import Image, ImageDraw, ImageFont

from assistant.core.types import Frame
from assistant.vision.ocr import TextReader, believable, restore_spaces

pytestmark = pytest.mark.slow

LINES = ("Harbour Market", "open from seven", "until noon", "closed on Sunday")


@pytest.fixture(scope="module")
def reader() -> TextReader:
    return TextReader()


def page(lines=LINES, size=(900, 640), height=54, left=80) -> np.ndarray:
    picture = Image.new("RGB", size, (236, 232, 220))
    draw = ImageDraw.Draw(picture)
    for i, line in enumerate(lines):
        draw.text((left, 80 + i * 2 * height), line, font=ImageFont.load_default(height), fill=(20, 24, 40))
    return np.asarray(picture)


def joined(lines) -> str:
    return " ".join(line.text for line in lines).casefold()


def test_a_page_is_read_in_order_with_outlines(reader: TextReader):
    lines = reader.read(Frame(page().copy()))
    assert joined(lines) == " ".join(LINES).casefold()
    for i, line in enumerate(lines):
        points = np.array(line.outline_px)
        assert points.shape == (4, 2)
        assert 80 + i * 108 - 25 < points[:, 1].mean() < 80 + i * 108 + 80
        assert points[:, 0].min() == pytest.approx(80, abs=25)
        assert line.confidence > 0.8


@pytest.mark.parametrize("quarter_turns", [1, 2, 3])
def test_turned_pages_are_read_in_their_own_order(reader: TextReader, quarter_turns: int):
    turned = np.ascontiguousarray(np.rot90(page(), quarter_turns))
    lines = reader.read(Frame(turned))
    assert joined(lines) == " ".join(LINES).casefold()
    # The first corner is where reading starts: its way to the second follows the turn of the page.
    x, y = np.array(lines[0].outline_px[1]) - np.array(lines[0].outline_px[0])
    expected = {1: (0, -1), 2: (-1, 0), 3: (0, 1)}[quarter_turns]
    assert np.dot((x, y), expected) > 0.95 * np.hypot(x, y)


def test_perspective_does_not_stop_it(reader: TextReader):
    flat = page()
    h, w = flat.shape[:2]
    warp = cv2.getPerspectiveTransform(
        np.array([[0, 0], [w, 0], [w, h], [0, h]], np.float32),
        np.array([[60, 90], [w - 20, 10], [w - 90, h - 40], [10, h - 10]], np.float32),
    )
    lines = reader.read(Frame(cv2.warpPerspective(flat, warp, (w, h), borderValue=(120, 110, 100))))
    assert joined(lines) == " ".join(LINES).casefold()


def test_large_frames_are_read_with_outlines_in_their_own_pixels(reader: TextReader):
    large = cv2.resize(page(), None, fx=2.5, fy=2.5, interpolation=cv2.INTER_CUBIC)
    lines = reader.read(Frame(large))
    assert joined(lines) == " ".join(LINES).casefold()
    assert np.array(lines[-1].outline_px)[:, 1].mean() > 930


def test_text_is_looked_for_on_a_smaller_picture_and_read_at_full_size(reader: TextReader):
    quick = TextReader(least_px=320, most_px=320)
    lines = quick.read(Frame(page().copy()))
    assert joined(lines) == " ".join(LINES).casefold()
    for line, known in zip(lines, reader.read(Frame(page().copy())), strict=True):
        assert np.array(line.outline_px) == pytest.approx(np.array(known.outline_px), abs=8)
    strip = page(lines=LINES[:1], size=(900, 200), height=40)  # a shorter side below it is enlarged, not reduced
    assert joined(quick.read(Frame(strip.copy()))) == LINES[0].casefold()


def test_what_is_warm_loads_nothing_more():
    warm = TextReader()
    warm.warm()
    with warm._engine() as engine:
        loaded = engine._engine
        assert None not in (loaded.text_det, loaded.text_cls, loaded.text_rec)


def test_prices_follow_their_names(reader: TextReader):
    picture = Image.new("RGB", (900, 460), "white")
    draw = ImageDraw.Draw(picture)
    rows = (("Espresso", "2.40"), ("Lemon cake", "3.80"), ("Apple juice", "2.90"))
    for i, (name, price) in enumerate(rows):
        draw.text((60, 60 + i * 120), name, font=ImageFont.load_default(50), fill="black")
        draw.text((700, 60 + i * 120), price, font=ImageFont.load_default(50), fill="black")
    lines = reader.read(Frame(np.array(picture)))
    assert [line.text for line in lines] == [text for row in rows for text in row]


@pytest.mark.parametrize("kind", ["black", "white", "noise", "blur", "one pixel", "thin"])
def test_nothing_is_read_where_nothing_stands(reader: TextReader, kind: str):
    rng = np.random.default_rng(3)
    pixels = {
        "black": np.zeros((480, 640, 3), np.uint8),
        "white": np.full((480, 640, 3), 255, np.uint8),
        "noise": rng.integers(0, 255, (480, 640, 3), np.uint8),
        "blur": cv2.GaussianBlur(page(), (0, 0), 25),
        "one pixel": np.zeros((1, 1, 3), np.uint8),
        "thin": rng.integers(0, 255, (12, 1200, 3), np.uint8),
    }[kind]
    assert reader.read(Frame(pixels)) == ()


def test_reading_uses_no_network(monkeypatch: pytest.MonkeyPatch):
    def never(*args, **kwargs):
        raise AssertionError("reading opened a socket")

    monkeypatch.setattr(socket, "socket", never)
    monkeypatch.setattr(socket, "create_connection", never)
    assert joined(TextReader().read(Frame(page(LINES[:1], (700, 240))))) == "harbour market"


def test_threads_get_the_same_reading(reader: TextReader):
    frames = [Frame(page((line,), (800, 260))) for line in LINES]
    found: dict[int, str] = {}

    def work(i: int) -> None:
        found[i] = joined(reader.read(frames[i]))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {i: line.casefold() for i, line in enumerate(LINES)}


def test_short_readings_need_more_confidence():
    assert believable("Exit", 0.7)
    assert not believable("ll", 0.7)
    assert believable("2", 0.97)
    assert not believable("--", 0.99)
    assert not believable("Exit", 0.5)


def test_spaces_are_put_where_the_ink_leaves_gaps():
    strip = np.full((40, 400, 3), 255, np.uint8)
    starts = [10, 40, 70, 100, 160, 190, 220, 250]  # eight bars of 24 px, a wide gap after the fourth
    for start in starts:
        strip[8:32, start : start + 24] = 0
    columns = [int((start + 12) / 400 * 50) for start in starts]
    assert restore_spaces("NOSTOPIN", columns, 50.0, strip) == "NOST OPIN"
    assert restore_spaces("NOST OPIN", columns, 50.0, strip) == "NOST OPIN"
    assert restore_spaces("東京駅前広場入口", columns, 50.0, strip) == "東京駅前広場入口"
    assert restore_spaces("NO", [1, 5], 50.0, strip) == "NO"
    assert restore_spaces("a b c d", columns[:4], 50.0, strip) == "a b c d"


def test_engines_side_by_side_read_what_one_reads(reader: TextReader):
    several = TextReader(engines=2, threads=1)
    frame = Frame(page(LINES[:1], size=(700, 240)).copy())
    found: list[tuple] = []
    threads = [threading.Thread(target=lambda: found.append(several.read(frame))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [joined(lines) for lines in found] == [joined(reader.read(frame))] * 3
