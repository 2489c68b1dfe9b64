"""The assistant. Whatever is imported from here, libraries report nothing to their makers."""

from assistant.core import telemetry as telemetry
