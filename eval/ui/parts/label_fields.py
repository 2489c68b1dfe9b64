"""The four labels of a benchmark's question as fields to choose or write, and what stands in them."""

from __future__ import annotations

from collections.abc import Sequence

import gradio as gr

from eval.data.samples import LABELS

#: What CRAG-MM calls them; other words are taken as well.
CHOICES = {
    "domain": ["animal", "book", "food", "general object recognition", "local", "math and science",
               "plants and gardening", "shopping", "sports and games", "style and fashion", "text understanding",
               "vehicle", "other"],
    "query_category": ["simple-recognition", "simple-knowledge", "multi-hop", "comparison", "aggregation", "reasoning"],
    "dynamism": ["static", "slow-changing", "fast-changing", "real-time"],
    "image_quality": ["normal", "low light", "blurred", "truncated", "occluded", "rotated"],
}  # fmt: skip


def label_fields() -> dict[str, gr.Dropdown]:
    """The fields by the labels' names, created where this is called."""
    return {
        name: gr.Dropdown(
            ["", *CHOICES[name]], value="", label=name.replace("_", " ").capitalize(), allow_custom_value=True,
            min_width=130,
        )
        for name in LABELS
    }  # fmt: skip


def labels_in(values: Sequence[str | None]) -> dict[str, str]:
    """What stands in the fields, in their order."""
    return dict(zip(LABELS, ((value or "").strip() for value in values), strict=True))
