"""Switches off what libraries would report to their makers. Importing this is all it takes.

`assistant/__init__.py` and `eval/__init__.py` import it, so that it comes before anything else of ours in every process
and before every library in it, and the processes started from there inherit it. The environment is the only way that
reaches all of them: onnxruntime, which rapidocr and faster-whisper bring in by themselves, starts its reporting while
it is imported, before `onnxruntime.disable_telemetry_events()` could be called, and that call does not stop it.
"""

from __future__ import annotations

import os

SWITCHES = {
    # onnxruntime: no reports to mobile.events.data.microsoft.com, and no id of this machine under ~/.cache/Microsoft
    "ORT_DISABLE_TELEMETRY": "1",
    "GRADIO_ANALYTICS_ENABLED": "False",
    "ANONYMIZED_TELEMETRY": "False",  # chromadb
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "HF_UPDATE_DOWNLOAD_COUNTS": "0",  # datasets
    "DO_NOT_TRACK": "1",  # what else keeps to https://consoledonottrack.com
}

os.environ.update(SWITCHES)
