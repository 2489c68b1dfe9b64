"""The file of a turn: what goes in comes out, nothing else goes in, what is broken or hostile is one sentence."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from assistant.capsule import FORMAT_VERSION, Capsule, Record, Sighting, StageTime, pack, unpack
from assistant.core.errors import BadInput, UnknownFormat, VitrineError
from assistant.core.options import Conditions
from assistant.core.types import (
    Answer,
    Candidate,
    Code,
    Evidence,
    Frame,
    Quality,
    Recognition,
    Sentence,
    TextLine,
    Turn,
    Usage,
)
from assistant.vision.degrade import Degradation

BOX = ((1.0, 2.0), (30.5, 2.0), (30.5, 40.0), (1.0, 40.0))


def a_capsule(size: tuple[int, int] = (48, 64), **changes: Any) -> Capsule:
    """A turn in which every field of the record is filled."""
    g = np.random.default_rng(3)
    frame = Frame(g.integers(0, 256, (size[1], size[0], 3), dtype=np.uint8))
    entity = Candidate(
        "Halden Tin", 0.94, BOX, {"maker": "Halden", "year": 1954, "tags": ["a", None]}, 7, "https://x.invalid/1"
    )
    evidence = (
        Evidence("a1", "attribute", "Halden Tin", "maker: Halden", 0.9, "Halden Tin", "maker", "Halden"),
        Evidence("t1", "text", "frame", "HALDEN", 0.98, outline_px=BOX),
        Evidence("p1", "passage", "https://shop.invalid", "It costs 3 euros.", 0.7, title="Shop", written="2024-05-06"),
    )
    answer = Answer(
        "It is made by Halden.",
        "answered",
        "",
        (Sentence("It is made by Halden.", ("a1",)),),
        entity,
        evidence,
        Usage("small-model", 10, 5, 0.001),
    )
    turn = Turn("Who makes it?", answer, frame.digest, ("Halden Tin",), {"look": 12.5})
    record = Record(
        turn,
        before=(Turn("What is it?", Answer("A tin.", "answered"), None, ("Halden Tin",)),),
        conditions=Conditions(region_px=(1.0, 2.0, 30.0, 40.0), check=False, evidence=evidence[:1]),
        degradations=(Degradation("low light", 0.6, 3), Degradation("rotated", 0.2, 3)),
        stages=(StageTime("look", 12.5, "contrast", 0.0, 12.5),),
        sighting=Sighting(
            Quality(0.5, 0.2, 300.0), ("contrast",), (TextLine("HALDEN", 0.98, BOX),), (Code("EAN13", "1", BOX),)
        ),
        recognition=Recognition((entity,), entity),
        queries=("Halden Tin maker",),
        evidence=evidence,
        wall_ms=99.5,
        contexts={"p1": ("Before.", "After.")},
        changes=("answer not checked",),
        profile="embedded",
        versions={"vitrine": "0.1.0", "packages": {"numpy": "2"}},
        saved="2026-11-21T10:00:00+00:00",
    )
    return Capsule(replace(record, **changes), frame, Frame(np.full((20, 30, 3), 90, np.uint8)))


def a_zip(members: dict[str, bytes | str], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def members_of(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def test_what_goes_in_comes_out():
    capsule = a_capsule()
    back = unpack(pack(capsule))
    assert back.record == capsule.record
    assert np.array_equal(back.frame.pixels, capsule.frame.pixels)
    assert (back.indexed.width_px, back.indexed.height_px) == (30, 20)


def test_a_turn_without_a_picture():
    turn = Turn("Hello?", Answer("I don't know.", "abstained", "there is no picture yet"))
    back = unpack(pack(Capsule(Record(turn))))
    assert (back.frame, back.indexed, back.record.turn) == (None, None, turn)


def test_a_picture_too_large_for_png_is_kept_as_jpeg_and_says_so(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("assistant.capsule._LARGEST_PNG", 6_000)
    capsule = a_capsule()
    back = unpack(pack(capsule))
    assert not back.record.exact
    assert back.frame.pixels.shape == capsule.frame.pixels.shape
    assert back.record.turn.frame_digest == back.frame.digest != capsule.frame.digest


def test_no_key_and_no_path_of_this_machine_is_in_it():
    key, home = "s3cret-of-mine-42", "/home/presenter"
    capsule = a_capsule(
        turn=Turn(f"What lies in {home}/index?", Answer("", "error", f"{home}/index/x lacks key {key}")),
        versions={"index": f"{home}/index", "sk-abcdefghijklmnopqrstuvwx": "1", home: {"deep": [key]}},
        changes=("bearer sk-proj-abcdefghijklmnop1234",),
    )
    data = pack(capsule, withhold=(key, home, f"{home}/index", "", "a"))
    everything = b"".join(members_of(data).values()) + data
    for secret in (key, home, "presenter", "abcdefghijklmnop"):
        assert secret.encode() not in everything
    said = json.loads(members_of(data)["capsule.json"])
    assert said["turn"]["question"] == "What lies in (withheld)?"
    assert said["turn"]["answer"]["text"] == ""


def test_earlier_turns_leave_their_evidence_behind():
    long = a_capsule().record.turn
    said = json.loads(members_of(pack(a_capsule(before=(long,))))["capsule.json"])
    assert said["before"][0]["answer"]["text"] == long.answer.text
    assert said["before"][0]["answer"]["evidence"] == []


def _changed(change: Callable[[dict[str, Any]], Any]) -> Callable[[], bytes]:
    def make() -> bytes:
        members = members_of(pack(a_capsule()))
        said = json.loads(members["capsule.json"])
        change(said)
        return a_zip({**members, "capsule.json": json.dumps(said)})

    return make


def _with(**members: bytes | str) -> Callable[[], bytes]:
    return lambda: a_zip({**members_of(pack(a_capsule())), **{k.replace("__", "."): v for k, v in members.items()}})


def _named(name: str) -> Callable[[], bytes]:
    return lambda: a_zip({**members_of(pack(a_capsule())), name: b"x"})


def _cut(share: float) -> Callable[[], bytes]:
    def make() -> bytes:
        data = pack(a_capsule())
        return data[: int(share * len(data))]

    return make


def _flipped() -> bytes:
    data = bytearray(pack(a_capsule()))
    at = data.index(b"IDAT") + 40
    data[at] ^= 0xFF
    return bytes(data)


BROKEN = {
    "empty": lambda: b"",
    "not a zip": lambda: b"GIF89a" + bytes(500),
    "cut in the middle": _cut(0.5),
    "cut near the end": _cut(0.98),
    "a flipped bit": _flipped,
    "no json": lambda: a_zip({"frame.png": b"x"}),
    "json is not json": _with(capsule__json="{"),
    "json is a list": _with(capsule__json="[]"),
    "json without version": _with(capsule__json="{}"),
    "deep json": _with(capsule__json="[" * 200_000),
    "deep valid json": _changed(lambda said: said.update(versions=json.loads("[" * 60 + "]" * 60))),
    "nan": _with(capsule__json='{"format_version": 1, "wall_ms": NaN, "turn": 1}'),
    "infinity": _changed(lambda said: said.update(wall_ms=1e308 * 10)),
    "unknown status": _changed(lambda said: said["turn"]["answer"].update(status="<b>")),
    "unknown kind": _changed(lambda said: said["evidence"][0].update(kind="script")),
    "severity beyond": _changed(lambda said: said["degradations"][0].update(severity=7)),
    "an enormous string": _changed(lambda said: said["turn"].update(question="x" * 300_000)),
    "an enormous number": _changed(lambda said: said["degradations"][0].update(seed=10**30)),
    "a number for a list": _changed(lambda said: said.update(evidence=5)),
    "picture gone": lambda: a_zip({"capsule.json": members_of(pack(a_capsule()))["capsule.json"]}),
    "picture is none": _with(frame__png=b"<svg onload=alert(1)>"),
    "a path that leaves": _named("../../etc/cron.d/x"),
    "an absolute path": _named("/etc/passwd"),
    "a windows path": _named("..\\..\\x"),
    "a script as a name": _named("<script>alert(1)</script>"),
    "a folder": _named("capsule.json/"),
    "many members": lambda: a_zip({f"{n}": b"" for n in range(500)}),
    "another compression": lambda: a_zip(members_of(pack(a_capsule())), zipfile.ZIP_LZMA),
}


@pytest.mark.parametrize("name", BROKEN)
def test_whatever_is_broken_or_hostile_is_one_sentence(name: str):
    with pytest.raises(BadInput) as caught:
        unpack(BROKEN[name]())
    words = str(caught.value)
    assert 20 < len(words) < 200
    assert "\n" not in words


def test_a_bomb_and_a_giant_are_refused_before_they_unpack():
    bomb = a_zip({"capsule.json": b" " * 50_000_000})
    assert len(bomb) < 100_000
    with pytest.raises(BadInput, match="more than 4 MB"):
        unpack(bomb)
    with pytest.raises(BadInput, match="26 MB"):
        unpack(bytes(26_000_000))
    pixels = a_zip({**members_of(pack(a_capsule())), "frame.png": _many_pixels()})
    with pytest.raises(VitrineError, match="too many pixels"):
        unpack(pixels)


def _many_pixels() -> bytes:
    """A PNG whose header speaks of 900 million pixels."""
    import struct
    import zlib

    head = struct.pack(">IIBBBBB", 30_000, 30_000, 8, 2, 0, 0, 0)
    chunk = b"IHDR" + head
    size = struct.pack(">I", 13)
    data = struct.pack(">I", 4) + b"IDAT" + bytes(4) + struct.pack(">I", zlib.crc32(b"IDAT" + bytes(4)))
    return b"\x89PNG\r\n\x1a\n" + size + chunk + struct.pack(">I", zlib.crc32(chunk)) + data


@pytest.mark.parametrize("version", [0, FORMAT_VERSION + 1, "1", None, True, "<b>" * 1000])
def test_another_version_is_named(version: object):
    data = _changed(lambda said: said.update(format_version=version))()
    with pytest.raises(UnknownFormat, match="format_version") as caught:
        unpack(data)
    assert len(str(caught.value)) < 200


def test_what_the_settings_name_is_withheld(tmp_path):
    from assistant.core.paths import PROJECT_DIR
    from assistant.settings import Settings

    settings = Settings(data_dir=tmp_path / "data", api_key="my-own-key", base_url="http://10.1.2.3:8000/v1")
    said = " ".join([*settings.withheld, str(settings.index_dir / "x"), f"{PROJECT_DIR}/app.py", f"{tmp_path}"])
    data = members_of(pack(a_capsule(profile=said), settings.withheld))["capsule.json"].decode()
    for secret in ("my-own-key", "10.1.2.3", str(tmp_path), str(PROJECT_DIR)):
        assert secret not in data
