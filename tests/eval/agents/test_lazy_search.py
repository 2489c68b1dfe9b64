"""The search that is opened when it is first asked."""

from __future__ import annotations

import copy
import threading

import pytest

from assistant.core.errors import NotReady
from eval.agents.lazy_search import LazySearch


class Pipeline:
    manifest = "the manifest"

    def __call__(self, inputs, k=10):
        return [{"inputs": inputs, "k": k}]


def test_it_is_opened_once_and_only_when_asked():
    opened, seen = [], []

    def open_pipeline():
        seen.append(search.preparing)
        opened.append(Pipeline())
        return opened[-1]

    search = LazySearch(open_pipeline)
    assert search
    assert not hasattr(search, "__array__")
    with pytest.raises(TypeError):
        copy.deepcopy(search)  # it holds a lock, as the real one does
    assert opened == []
    threads = [threading.Thread(target=search, args=("q",)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert search("q", k=2) == [{"inputs": "q", "k": 2}]
    assert search.manifest == "the manifest"
    assert (len(opened), seen, search.preparing) == (1, [True], False)


def test_what_cannot_be_opened_is_tried_once():
    tries = []

    def open_pipeline():
        tries.append(1)
        raise NotReady("there is no index")

    search = LazySearch(open_pipeline)
    for _ in range(2):
        with pytest.raises(NotReady, match="there is no index"):
            search("q")
    assert len(tries) == 1
    assert isinstance(search.problem, NotReady)
