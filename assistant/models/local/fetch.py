"""The process that fetches a model from the hub: `python -m assistant.models.local.fetch` with a request on its input.

A process of its own can be ended at any moment, whatever the hub's library is doing. It writes a line of JSON for each
thing it knows (`asking`, `total`, `done`, `problem`) and ends when its input is closed. Started by `store.fetch`.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections.abc import Iterable
from typing import Any

#: The hub has so long to say what a model consists of.
ASK_TIMEOUT_S = 4.0
_KEPT_ENDINGS = (".json", ".jinja", ".txt", ".model", ".safetensors")


def wanted(files: Iterable[tuple[str, int]]) -> list[tuple[str, int]]:
    """Of (name, bytes) of all files those that loading takes: settings, words and safetensors, no second copies."""
    return [
        (name, size)
        for name, size in files
        if "/" not in name and name.endswith(_KEPT_ENDINGS) and not name.startswith(("consolidated", "training_args"))
    ]


def main() -> None:
    request = json.loads(sys.stdin.readline())
    threading.Thread(target=_end_with_parent, daemon=True).start()
    from huggingface_hub.utils import disable_progress_bars

    disable_progress_bars()
    _tell(asking=True)
    try:
        _tell(done=_fetch(**request))
    except Exception as problem:  # the edge of the process
        _tell(problem=_sentence(problem, request))


def _fetch(hub_id: str, cache: str, endpoint: str | None) -> str:
    from huggingface_hub import HfApi, hf_hub_download

    info = HfApi(endpoint=endpoint).model_info(hub_id, files_metadata=True, timeout=ASK_TIMEOUT_S)
    files = wanted((file.rfilename, file.size or 0) for file in info.siblings or ())
    if not any(name.endswith(".safetensors") for name, _ in files):
        raise _Unusable(f"{hub_id!r} has no weights as safetensors: choose another model")
    _tell(total=sum(size for _, size in files))
    folder = ""
    for name, _ in sorted(files, key=lambda file: file[1]):
        folder = os.path.dirname(
            hf_hub_download(hub_id, name, cache_dir=cache, endpoint=endpoint, etag_timeout=ASK_TIMEOUT_S)
        )
    return folder


class _Unusable(Exception):
    """The message is the sentence."""


def _sentence(problem: Exception, request: dict[str, Any]) -> str:
    from huggingface_hub import constants, errors

    hub_id, where = request["hub_id"], request["endpoint"] or constants.ENDPOINT
    if isinstance(problem, _Unusable):
        return str(problem)
    if isinstance(problem, errors.GatedRepoError):
        return f"{hub_id!r} is fetched after its licence is accepted at {where}/{hub_id}, then `hf auth login`"
    if isinstance(problem, errors.RepositoryNotFoundError):
        return f"the hub {where} has no model {hub_id!r}, or keeps it private: check the name"
    if isinstance(problem, errors.OfflineModeIsEnabled):
        return "nothing is fetched while HF_HUB_OFFLINE is set: unset it and try again"
    if isinstance(problem, errors.HfHubHTTPError):
        return f"the hub {where} refused {hub_id!r} ({problem.response.status_code}): try again later"
    if isinstance(problem, OSError) and problem.errno is not None:
        return f"{hub_id!r} cannot be kept in {request['cache']!r} ({problem.strerror}): make room there"
    return unreachable(where)


def unreachable(where: str) -> str:
    return (
        f"the hub {where} cannot be reached: check the network, or copy the model's folder here and name it by its path"
    )


def _end_with_parent() -> None:
    sys.stdin.read()
    os._exit(1)


def _tell(**said: Any) -> None:
    print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
