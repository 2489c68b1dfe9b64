"""Does anything but looking and reading give an answer away: names, ids, metadata, pictures, splits, stray pages?"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Callable
from urllib.parse import urlsplit

from PIL import Image

from eval.world.audit.reading import Finding, Folder, at_most

MAX_NAMED, MAX_KEYS = 0.10, 0.30
EGO_SIZE = (960, 1280)


def opaque(w: Folder) -> Finding:
    """No word of a name or an answer in file names, ids and URLs of pictures; every host ends in .invalid."""
    words = {x for e in w.kg for x in re.findall(r"[a-z]{5,}", e["name"].lower())}
    words |= {x for t in w.turns for x in re.findall(r"[a-z]{5,}", str(t.gold["answer"]["value"]).lower())}
    seen = [image["file"] + " " + image["url"] for e in w.kg for image in e["images"]]
    seen += [f"{t.session} {t.url} {t.gold['interaction_id']}" for t in w.turns]
    seen += [name for _, _, name, _ in w.frames()]
    ids = " ".join(s.replace("kg/images/", "").replace(".invalid", "").replace("https", "") for s in seen).lower()
    leaks = [x for x in words if x in ids]
    hosts = {urlsplit(u).hostname or "" for s in seen for u in re.findall(r"https?://\S+", s)}
    hosts |= {urlsplit(p["url"]).hostname or "" for p in w.pages}
    leaks += [h for h in hosts if not h.endswith(".invalid")]
    return Finding("ids, file names and URLs are opaque", bool(leaks), f"{len(leaks)} leaks {sorted(leaks)[:3]}")


def metadata(w: Folder) -> Finding:
    """No EXIF, no comments; egocentric frames have their size."""
    bad = wrong = n = 0
    pictures = [(True, p.read_bytes()) for p in sorted((w.root / "kg" / "images").iterdir())]
    for is_url, data in (*pictures, *((bool(url), data) for _, url, _, data in w.frames())):
        if not data:
            continue
        n += 1
        with Image.open(io.BytesIO(data)) as picture:
            bad += bool(picture.getexif()) or "comment" in picture.info or "exif" in picture.info
            wrong += not is_url and picture.size != EGO_SIZE
    return Finding(
        "pictures carry no metadata and egocentric frames are 960x1280",
        bad + wrong > 0,
        f"{bad} with metadata, {wrong} of another size, of {n}",
    )


def rasters(w: Folder) -> Finding:
    """No indexed picture is a frame, and no frame is in both splits."""
    index = {hashlib.sha256(p.read_bytes()).digest() for p in (w.root / "kg" / "images").iterdir()}
    splits: dict[bytes, set[str]] = {}
    for split, _, _, data in w.frames():
        splits.setdefault(hashlib.sha256(data).digest(), set()).add(split)
    both = sum(len(s) > 1 for s in splits.values())
    shared = len(index & set(splits))
    detail = f"{both} in both splits, {shared} also in the index, of {len(splits)}"
    return Finding("no frame is in both splits or in the index", bool(both or shared), detail)


def cache(w: Folder) -> Finding:
    """Bytes stand behind every image URL."""
    urls = {t.url for t in w.turns if t.url}
    missing = [u for u in urls if not w.cached(u).is_file()]
    return Finding("bytes stand behind every image URL", bool(missing), f"{len(missing)} missing of {len(urls)}")


def unindexed(w: Folder) -> Finding:
    """Entities that are not indexed stand in gold alone."""
    names = {t.gold["entity"] for t in w.turns if not t.gold["indexed"]}
    known = {e["name"] for e in w.kg}
    text = json.dumps(w.kg, ensure_ascii=False) + json.dumps(w.pages, ensure_ascii=False)
    leaks = sorted(n for n in names if n in known or re.search(rf"(?<!\w){re.escape(n)}(?![\w-])", text))
    wanted = w.about["options"].get("unindexed") != 0
    detail = f"{len(names)} asked about, {len(leaks)} leak {leaks[:2]}"
    return Finding("unindexed entities stand in gold alone", bool(leaks) or (wanted and not names), detail)


def names(w: Folder) -> Finding:
    """Few questions name an entity."""
    n = sum(any(e.lower() in t.query.lower() for e in t.gold["entities"]) for t in w.turns)
    return at_most("few questions name an entity", n, len(w.turns), MAX_NAMED)


def keys(w: Folder) -> Finding:
    """Few questions use the key of the attribute that answers them."""
    n = 0
    for t in w.turns:
        found = {a["key"].replace("_", " ") for a in t.gold["attributes"] if a["key"] != "name"}
        n += any(re.search(rf"\b{re.escape(k)}\b", t.query.lower()) for k in found)
    return at_most("few questions use the attribute's key", n, len(w.turns), MAX_KEYS)


def rules(w: Folder) -> Finding:
    """Every contradicting page is older than some right one, or says that it is hearsay."""
    pages = {p["url"]: p for p in w.pages}
    unsettled, n = 0, 0
    for t in w.turns:
        years = [_year(pages[u]["text"]) for u in t.gold["passages"]]
        for url in t.gold["contradicting"]:
            n += 1
            year = _year(pages[url]["text"])
            hearsay = re.search(r"read somewhere|from memory|told me|not sure", pages[url]["text"], re.I)
            unsettled += not (hearsay or (years and year < max(years)))
    return Finding("every contradiction has a rule", unsettled > 0, f"{unsettled} unsettled of {n}")


def _year(text: str) -> int:
    """The year a page is dated: of its opening or its closing date."""
    dates = re.findall(r"\b\d{1,2} [A-Z][a-z]+ (20[012]\d)\b", text)
    return max((int(d) for d in (dates[:1] + dates[-1:])), default=0)


CHECKS: tuple[Callable[[Folder], Finding], ...] = (
    opaque,
    metadata,
    rasters,
    cache,
    unindexed,
    names,
    keys,
    rules,
)
