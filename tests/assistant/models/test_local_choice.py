"""Which model fits which machine, and which is chosen."""

from __future__ import annotations

import pytest

from assistant.models.local.curated import CURATED, best_of, fits, fits_unlisted, known_as
from assistant.models.local.fetch import wanted
from assistant.models.local.machine import Machine, main_memory

GB = 1_000_000_000
LAPTOP = Machine(16 * GB, 10 * GB, 4, True)
OLD = Machine(8 * GB, 5 * GB, 2, False)


def test_the_list_is_whole():
    assert len({one.name for one in CURATED}) == len(CURATED) == 6
    for one in CURATED:
        assert known_as(one.hub_id.upper()) is known_as(one.name) is one
        assert one.fetch_bytes >= one.weights * 1.9
    assert known_as("another") is None


def test_what_fits_depends_on_memory_and_number_format():
    large, small = CURATED[0], CURATED[-1]
    assert fits(large, LAPTOP).fits
    assert not fits(large, OLD).fits
    assert "GB are there" in fits(large, OLD).words
    assert fits(small, OLD).fits
    assert (fits(small, OLD).answer_s or 0) > (fits(small, LAPTOP).answer_s or 0) > 0
    on_gpu = fits(large, Machine(16 * GB, 10 * GB, 4, False, "cuda", 8 * GB))
    assert on_gpu.fits
    assert on_gpu.answer_s is None
    assert not fits(large, Machine(64 * GB, 60 * GB, 4, True, "cuda", 4 * GB)).fits


def test_an_unlisted_model_is_estimated_from_its_weights():
    for one in CURATED:
        listed, guessed = fits(one, LAPTOP), fits_unlisted(one.weights, LAPTOP)
        assert (listed.fits, listed.slow) == (guessed.fits, guessed.slow)
        assert guessed.answer_s == pytest.approx(listed.answer_s, rel=0.45)
    large = fits_unlisted(7_000_000_000, LAPTOP)
    assert (large.fits, "are there" in large.words) == (True, False)
    assert large.slow
    assert not fits_unlisted(30_000_000_000, LAPTOP).fits


@pytest.mark.parametrize(
    ("machine", "best"),
    [
        (LAPTOP, "qwen3.5-2b"),
        (OLD, "qwen3.5-0.8b"),
        (Machine(2 * GB, GB, 1, False), "smolvlm2-256m"),
        (Machine(GB // 2, GB // 4, 1, False), None),
    ],
)
def test_the_most_capable_that_fits_is_chosen(machine, best):
    chosen = best_of(list(reversed(CURATED)), machine)
    assert (chosen.name if chosen else None) == best


def test_this_machine_has_memory():
    total, free = main_memory()
    assert total
    assert free
    assert 0 < free <= total


def test_only_what_loading_takes_is_fetched():
    files = ["config.json", "model.safetensors", "onnx/model.onnx", "pytorch_model.bin", "consolidated.safetensors",
             "chat_template.jinja", "README.md", "merges.txt", "video/demo.mp4", "sub/config.json"]  # fmt: skip
    kept = [name for name, _ in wanted((name, 1) for name in files)]
    assert kept == ["config.json", "model.safetensors", "chat_template.jinja", "merges.txt"]
