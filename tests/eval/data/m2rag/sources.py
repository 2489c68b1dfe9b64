"""Where rows come from, without a whole load around it."""

from __future__ import annotations

from pathlib import Path

from eval.data.crag_rows import Source
from eval.data.label_names import LabelReader
from eval.data.public_quirks import PublicReading
from eval.data.url_pictures import UrlPictures


def source(path: Path) -> Source:
    return Source(path.name, "single", path.stem, LabelReader({}), UrlPictures(()), PublicReading(on=False), "line")
