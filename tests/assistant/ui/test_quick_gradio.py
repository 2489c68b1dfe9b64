"""Gradio is imported without writing type stubs, and nothing else is changed by that."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]

COUNTED = """
import ast, inspect, pathlib
from assistant.ui.quick_gradio import without_stubs

find, parsed, written = inspect.getfile, [], []
parse, write = ast.parse, pathlib.Path.write_text
ast.parse = lambda code, *more, **named: parsed.append(1) or parse(code, *more, **named)
pathlib.Path.write_text = lambda self, *more, **named: written.append(self) or write(self, *more, **named)
with without_stubs():
    import gradio
assert inspect.getfile is find
assert inspect.getfile(gradio.Textbox).endswith("textbox.py")
with gradio.Blocks():
    box = gradio.Textbox("a")
    box.submit(lambda text: text, box, box)
print(len(parsed), [path.suffix for path in written if path.suffix == ".pyi"])
"""


@pytest.mark.slow
def test_no_component_is_parsed_and_all_of_them_work():
    done = subprocess.run([sys.executable, "-c", COUNTED], capture_output=True, text=True, cwd=ROOT, check=True)
    parsed, stubs = done.stdout.split(maxsplit=1)
    assert int(parsed) < 20  # gradio itself parses each of its eighty component classes twice
    assert stubs.strip() == "[]"


def test_classes_of_others_are_found_inside():
    from assistant.ui.quick_gradio import without_stubs

    with without_stubs():
        assert inspect.getfile(Path).endswith("pathlib.py")


def test_signatures_of_components_are_looked_at_once():
    import gradio as gr
    from gradio import blocks

    from assistant.ui.quick_gradio import remember_signatures

    box = gr.Textbox("a", label="Name", render=False)
    told = box.get_config()
    remember_signatures()
    remember_signatures()
    assert box.get_config() == told
    init = gr.Textbox.__init__
    assert blocks.inspect.signature(init) is blocks.inspect.signature(init)
    assert blocks.inspect.signature(init) == inspect.signature(init)
    assert list(blocks.inspect.signature(lambda a, b: 0).parameters) == ["a", "b"]  # others are looked at as ever
    assert inspect.signature(init) is not inspect.signature(init)  # nobody else's
