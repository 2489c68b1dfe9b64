"""The digest of files: of their content, also where only pieces of it are read."""

from __future__ import annotations

import pytest

from assistant.core.errors import BadInput
from eval.data import digest as data_digest
from eval.data.digest import digest_of


@pytest.mark.parametrize("whole", [10**6, 1000])
def test_a_change_anywhere_it_looks_is_seen(tmp_path, monkeypatch, whole):
    monkeypatch.setattr(data_digest, "_HASHED_WHOLE", whole)
    content = bytes(range(256)) * 1000
    (tmp_path / "a").write_bytes(content)
    (tmp_path / "b").write_bytes(content)
    assert digest_of([tmp_path / "a"]) == digest_of([tmp_path / "b"])
    for changed in (
        content + b"x",
        b"x" + content[1:],
        content[:-1] + b"x",
        content[:100_000] + b"y" + content[100_001:],
    ):
        (tmp_path / "b").write_bytes(changed)
        assert digest_of([tmp_path / "a"]) != digest_of([tmp_path / "b"])
    assert digest_of([tmp_path / "a", tmp_path / "b"]) != digest_of([tmp_path / "b", tmp_path / "a"])


def test_a_file_that_is_gone(tmp_path):
    with pytest.raises(BadInput, match="cannot be read"):
        digest_of([tmp_path / "gone"])
