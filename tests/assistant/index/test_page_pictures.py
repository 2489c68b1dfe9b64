"""Pictures of pages in an index: kept small, told when they cannot be, found by their page; older indexes have none."""

from __future__ import annotations

import io
import json
import shutil
import sqlite3
from pathlib import Path

import pytest
from PIL import Image

from assistant.core.errors import BadInput
from assistant.core.types import Evidence
from assistant.index.build import build_index
from assistant.index.check import check_index
from assistant.index.knowledge import Knowledge
from assistant.index.manifest import CATALOGUE_FILE, PAGE_PICTURES_DIR, check_manifest, read_manifest
from assistant.index.page_pictures import MOST_A_PAGE, write_page_pictures
from assistant.index.world_files import PageImage, PageRow, read_pages
from tests.assistant.pictured_world import CAPTIONS, RINSED, URL, VINEGAR, encoded, make_pictured_world
from tests.assistant.tiny_world import write_lines

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def index(tmp_path_factory) -> Path:
    world = make_pictured_world(tmp_path_factory.mktemp("pictured") / "world")
    build_index(world, world.parent / "index", read_pictures=False)
    return world.parent / "index"


def test_pictures_are_kept_small_and_in_order_and_what_is_broken_is_told(index):
    manifest = check_manifest(index)
    assert manifest.counts["page_pictures"] == 3
    assert "3 pictures of pages" in manifest.describe()
    broken, missing = manifest.skipped
    assert "'https://pictures.invalid/broken.jpg'" in broken
    assert "cannot be used" in broken
    assert "missing.jpg" in missing
    assert "is missing (its bytes would be in urlcache/" in missing
    knowledge = Knowledge.open(index)
    found = knowledge.page_pictures(URL)
    assert [p.url for p in found] == [VINEGAR, RINSED, "https://pictures.invalid/factory.jpg"]
    assert found[1].caption == CAPTIONS[RINSED]
    sizes = [Image.open(io.BytesIO(p.read() or b"")).size for p in found[:2]]
    assert sizes == [(512, 341), (293, 512)]  # of 900x600 and 400x700
    assert knowledge.page_pictures("https://books.invalid/harrow") == ()
    assert knowledge.page_pictures("https://nowhere.invalid/") == ()
    assert check_index(index) == (manifest, [])


def test_what_is_handed_in_or_shut_out_has_no_pictures_of_the_index(index):
    knowledge = Knowledge.open(index)
    assert knowledge.among([URL]).page_pictures(URL)
    assert knowledge.among(()).page_pictures(URL) == ()
    handed = knowledge.handed([Evidence("1", "passage", URL, "It boils.", 1.0)])
    assert not handed.has_page_pictures
    assert handed.page_pictures(URL) == ()


def test_an_index_of_before_there_were_any_opens_as_it_did(index, tmp_path):
    """Such a one has no table, no folder and no count; here it is made of a newer one."""
    old = Path(shutil.copytree(index, tmp_path / "old"))
    shutil.rmtree(old / PAGE_PICTURES_DIR)
    with sqlite3.connect(old / CATALOGUE_FILE) as catalogue:
        catalogue.execute("DROP TABLE page_picture")
    catalogue.close()
    said = json.loads((old / "manifest.json").read_text("utf-8"))
    del said["counts"]["page_pictures"]
    said |= {"files": {}, "digests": {}}
    (old / "manifest.json").write_text(json.dumps(said))
    knowledge = Knowledge.open(old)
    assert not knowledge.has_page_pictures
    assert knowledge.page_pictures(URL) == ()
    assert knowledge.search("descale", k=1)[0].url == URL


def test_a_lost_picture_is_told_by_the_check_and_shown_as_none(index, tmp_path):
    hurt = Path(shutil.copytree(index, tmp_path / "hurt"))
    (hurt / PAGE_PICTURES_DIR / "1.jpg").unlink()
    assert check_index(hurt)[1] == ["1 pictures of pages are missing, the first 1.jpg: build it again"]
    assert [p.read() is None for p in Knowledge.open(hurt).page_pictures(URL)] == [False, True, False]
    (hurt / PAGE_PICTURES_DIR / "1.jpg").write_bytes(encoded((1, 2, 3)))
    assert "page_pictures does not hold what was written to it" in check_index(hurt)[1][0]
    assert read_manifest(hurt).counts["page_pictures"] == 3


def test_of_a_gallery_so_many_are_kept_and_one_on_two_pages_once(tmp_path):
    (tmp_path / "p.jpg").write_bytes(encoded((9, 9, 9), (40, 30)))
    image = PageImage("https://x.invalid/p", "", tmp_path / "p.jpg")
    pages = [PageRow(f"https://x.invalid/{n}", "", "", "", (image,) * times) for n, times in enumerate((1, 20, 1))]
    rows, left_out = write_page_pictures([*pages, pages[0]], tmp_path)
    assert [row.file for row in rows] == [0] * (1 + MOST_A_PAGE + 1)
    assert left_out == [f"8 pictures of the page 'https://x.invalid/1' are beyond {MOST_A_PAGE}"]
    assert [p.name for p in (tmp_path / PAGE_PICTURES_DIR).iterdir()] == ["0.jpg"]


@pytest.mark.parametrize(
    ("images", "words"),
    [
        ("all", "the images of the page 'https://x.invalid/' are no list but str"),
        (["p.jpg"], "number 0 is no object with a url and a caption but 'p.jpg'"),
        ([{"url": "a"}, {"caption": "x"}], "number 1 needs a url, not None"),
        ([{"url": "a", "caption": 3}], "caption and file of number 0 are to be strings"),
        ([{"url": "a", "file": "../../etc/passwd"}], "lies outside the world folder"),
    ],
)
def test_images_in_a_wrong_form_are_one_sentence(tmp_path, images, words):
    (tmp_path / "web").mkdir()
    write_lines(tmp_path / "web" / "pages.jsonl", [{"url": "https://x.invalid/", "images": images}])
    with pytest.raises(BadInput, match=r"web/pages.jsonl line 1") as problem:
        list(read_pages(tmp_path))
    assert words in str(problem.value)
    assert "\n" not in str(problem.value)
