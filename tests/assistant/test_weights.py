"""Every shipped weight file stands in the manifest as it is, with the recipe that made it."""

from __future__ import annotations

import hashlib
import json

from assistant.core.paths import WEIGHTS_DIR


def test_the_manifest_names_every_file_as_it_is() -> None:
    manifest = json.loads((WEIGHTS_DIR / "MANIFEST.json").read_text(encoding="utf-8"))
    files = {str(p.relative_to(WEIGHTS_DIR)): p for p in WEIGHTS_DIR.rglob("*") if p.is_file()}
    del files["MANIFEST.json"]
    assert set(files) == set(manifest["files"])
    for name, told in manifest["files"].items():
        data = files[name].read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (told["bytes"], told["sha256"]), name
        assert told["recipe"].startswith("python -m ")
