"""The raw search: documented dictionaries, every kind of query, pages once each, a string is never a path."""

import io
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from PIL import Image

from assistant.core.errors import BadImage, BadInput, NotReady
from assistant.core.types import Frame
from assistant.index import fetch as fetching
from assistant.index.build import build_index
from assistant.index.raw_search import SearchPipeline
from assistant.text.encoder import text_encoder
from assistant.vision.encoders import picture_encoder
from assistant.vision.picture_encoder import unit
from assistant.vision.pretrained import WHOLE


@pytest.fixture(scope="module")
def pipeline(tiny_index):
    opened = SearchPipeline.open(tiny_index)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def picture(tiny_world) -> Path:
    return tiny_world / "kg" / "images" / "p2.jpg"


def test_an_image_result_is_the_documented_dictionary(pipeline, picture):
    results = pipeline(picture, k=3)
    assert len(results) == 3
    best = results[0]
    assert list(best) == ["index", "score", "url", "entities"]
    assert best["index"] == 2
    assert best["score"] == pytest.approx(1.0, abs=0.1)  # the ground around the thing counts on the frame alone
    assert best["url"] == "https://pictures.invalid/2"
    assert best["entities"] == [
        {
            "entity_name": "Pesto alla Vèrde",
            "entity_attributes": {"net_weight": "190 g", "ingredients": ["basil", "oil"]},
        }
    ]
    assert [r["score"] for r in results] == sorted((r["score"] for r in results), reverse=True)


def test_several_vectors_at_once_are_as_one_by_one(pipeline, picture):
    rng = np.random.default_rng(5)
    vectors = list(rng.normal(size=(4, pipeline.manifest.image_encoder.dim)).astype(np.float32))
    vectors.insert(2, np.full_like(vectors[0], np.nan))
    found = pipeline.images_each(vectors, 3)
    assert found == [pipeline.images(vector, 3) for vector in vectors]
    assert [len(hits) for hits in found] == [3, 3, 0, 3, 3]
    assert pipeline.images_each([], 3) == []


def test_a_web_result_is_the_documented_dictionary(pipeline):
    best = pipeline("a sauce made of basil", k=1)[0]
    assert list(best) == ["index", "score", "page_name", "page_snippet", "page_url"]
    assert best["index"] == "https://food.invalid/pesto_chunk_0"
    assert best["page_name"] == "Pesto"
    assert best["page_snippet"].startswith("A sauce of basil")
    assert 0.3 < best["score"] < 1.0


def test_score_is_one_minus_the_cosine_distance(pipeline):
    vectors = text_encoder().encode(
        ["a sauce made of basil", "Pesto\nA sauce of basil, oil and cheese.\n\nGluten is absent."]
    )
    assert pipeline("a sauce made of basil", k=1)[0]["score"] == pytest.approx(float(vectors[0] @ vectors[1]), abs=1e-4)


@pytest.mark.parametrize("form", ["path", "frame", "array", "pil", "rgba", "bytes"])
def test_a_picture_in_any_form(pipeline, picture, form):
    image = Image.open(picture)
    query = {
        "path": picture,
        "frame": Frame(np.asarray(image.convert("RGB")).copy()),
        "array": np.asarray(image.convert("RGB")),
        "pil": image,
        "rgba": image.convert("RGBA"),
        "bytes": picture.read_bytes(),
    }[form]
    assert pipeline(query, k=1)[0]["index"] == 2


def test_a_vector_goes_where_it_belongs(pipeline, picture):
    vector = picture_encoder().see(Frame(np.asarray(Image.open(picture)).copy())).vectors([WHOLE])[0]
    assert pipeline(vector, k=1)[0]["index"] == 2
    text_vector = text_encoder().encode(["basil sauce"])[0]
    assert pipeline.web(text_vector, k=1) == pipeline.web("basil sauce", k=1)
    with pytest.raises(BadInput, match="7 numbers"):
        pipeline(np.zeros(7, np.float32))


class SmallEncoder:
    """The shipped encoder's last 16 numbers: a dimension that no text has."""

    name, version, dim = "small", "1", 16

    def __init__(self) -> None:
        self._inner = picture_encoder()

    def see(self, frame):
        seen = self._inner.see(frame)
        return SimpleNamespace(vectors=lambda windows: unit(seen.vectors(windows)[:, -self.dim :]))


@pytest.mark.slow
def test_the_dimension_decides_the_collection(tiny_world, tmp_path, picture):
    encoder = SmallEncoder()
    build_index(tiny_world, tmp_path / "index", encoder=encoder, read_pictures=False)
    with pytest.raises(NotReady, match="image encoder small"):
        SearchPipeline.open(tmp_path / "index", encoder=picture_encoder())
    pipeline = SearchPipeline.open(tmp_path / "index", encoder=encoder)
    assert (
        pipeline(encoder.see(Frame(np.asarray(Image.open(picture)).copy())).vectors([WHOLE])[0], k=1)[0]["index"] == 2
    )
    assert pipeline(text_encoder().encode(["basil sauce"])[0], k=1)[0]["page_name"] == "Pesto"
    pipeline.close()


def test_known_rows_in_the_order_asked_for_without_a_search(pipeline, picture):
    third, first = pipeline.pictures([2, 0])
    assert (third["index"], first["index"]) == (2, 0)
    assert third == {**pipeline(picture, k=1)[0], "score": 0.0}
    assert [result["index"] for result in pipeline.pictures([1, 10_000])] == [1]
    assert pipeline.pictures([]) == []


def test_a_string_is_never_a_path(pipeline, picture):
    assert "page_url" in pipeline(str(picture), k=1)[0]
    assert "page_url" in pipeline("https://pictures.invalid/2", k=1)[0]  # the network is not allowed: a text


def test_k_pages_come_back_each_once(pipeline):
    results = pipeline("The Harrow Kettle boils a litre in three minutes", k=5)
    urls = [r["page_url"] for r in results]
    assert len(urls) == len(set(urls)) == 5
    assert urls[0] == "https://kettles.invalid/harrow"
    assert len(pipeline("kettle", k=1000)) == 5


@pytest.mark.parametrize("k", [0, -1, 100_000])
def test_a_useless_k(pipeline, k):
    with pytest.raises(BadInput, match=f"k is {k}"):
        pipeline("kettle", k=k)


@pytest.mark.parametrize("query", ["", "   ", "x" * 10_000, "🙂🙂", "'; DROP TABLE embeddings; --", "\x00\u202e"])
def test_odd_texts_are_only_texts(pipeline, query):
    assert len(pipeline(query, k=2)) == 2


def test_bad_pictures_have_a_sentence(pipeline, tmp_path):
    (tmp_path / "text.png").write_text("not a picture")
    with pytest.raises(BadImage):
        pipeline(tmp_path / "text.png")
    with pytest.raises(BadInput):
        pipeline(tmp_path / "missing.jpg")
    with pytest.raises(BadInput, match="cannot search by 'int'"):
        pipeline(5)
    with pytest.raises(BadInput, match="neither a vector nor a picture"):
        pipeline(np.zeros((3, 3), np.float32))


def test_an_image_url_only_with_the_networks_permission(tiny_index, picture, monkeypatch):
    asked = []
    monkeypatch.setattr(fetching, "fetch", lambda url: asked.append(url) or picture.read_bytes())
    allowed = SearchPipeline.open(tiny_index, allow_network=True)
    assert allowed("https://pictures.invalid/2", k=1)[0]["index"] == 2
    assert asked == ["https://pictures.invalid/2"]
    assert "page_url" in allowed("ftp://pictures.invalid/2", k=1)[0]
    allowed.close()


def test_damaged_metadata_is_survived():
    from assistant.index.collections import Hit
    from assistant.index.raw_search import _image_result

    for entities, info in (("nonsense", "{"), (None, None), ('"x"', "[]")):
        result = _image_result(Hit("3", 0.5, {"image_url": None, "entities": entities, "info": info}))
        assert result == {"index": 3, "score": 0.5, "url": None, "entities": []}
    result = _image_result(Hit("3", 0.5, {"entities": '["A"]', "info": '{"A": null}'}))
    assert result["entities"] == [{"entity_name": "A", "entity_attributes": None}]


def test_a_png_with_exif_rotation_given_as_pil(pipeline, picture):
    image = Image.open(picture)
    exif = Image.Exif()
    exif[0x0112] = 3
    stream = io.BytesIO()
    image.rotate(180).save(stream, "JPEG", exif=exif, quality=95)
    assert pipeline(Image.open(stream), k=1)[0]["index"] == 2
