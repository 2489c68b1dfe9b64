"""Takes the README's pictures again: `python -m tests.e2e.screenshots` starts the real app over the bundled world, asks
the same question on a desktop and on a phone, and writes page.png, phone.png, swapped.png (the same answer with one
card swapped) and stage.png (the stage view) to assets/docs, at most 400 KB each. Arguments are handed to the app.

Not a test: what is on the pictures is for people to look at.
"""

from __future__ import annotations

import io
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from assistant.core.paths import ASSETS_DIR, PROJECT_DIR
from tests.e2e.conftest import FLAGS, free_port

#: Example frames (from 0): one that warms the models up, one that is shown; and the question asked about it.
WARMING, SHOWN, QUESTION = 1, 2, "Who designed this van?"
SHOTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("page.png", {"viewport": {"width": 1280, "height": 960}, "device_scale_factor": 1}),
    ("phone.png", {"viewport": {"width": 390, "height": 844}, "device_scale_factor": 2, "color_scheme": "dark"}),
)


def main() -> int:
    command = [sys.executable, "app.py", "--port", str(free_port()), *sys.argv[1:]]
    process = subprocess.Popen(command, cwd=PROJECT_DIR, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        url = process.stdout.readline().split()[-1]
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=FLAGS)
            for name, options in SHOTS:
                page = browser.new_context(**options).new_page()
                page.goto(url)
                _ask(page, WARMING)
                page.get_by_role("button", name="New conversation").click()
                page.locator("#picture").wait_for()
                _ask(page, SHOWN)
                page.locator("#current .v-sources > summary").click()
                page.locator("#question textarea").blur()
                page.wait_for_timeout(500)
                _save(page.screenshot(), ASSETS_DIR / "docs" / name)
                if name == "page.png":
                    _answered_otherwise(page)
    finally:
        process.terminate()
        process.wait()
    return 0


def _ask(page: Page, example: int) -> None:
    page.locator(f"[data-example='{example}']").click(timeout=60_000)
    page.locator("#frame img").wait_for()
    box = page.get_by_label("Question", exact=True)
    box.fill(QUESTION)
    box.press("Enter")
    page.locator("#current .v-turn--live").wait_for(state="attached", timeout=60_000)
    page.locator("#current .v-turn:not(.v-turn--live)").wait_for(timeout=180_000)


def _answered_otherwise(page: Page) -> None:
    """The fact that was used swapped for a relative's, then undone; then the stage view."""
    page.locator("#current .v-card--attribute [data-event=offer]").first.click()
    page.locator("#current .v-offers button").first.click()
    page.locator("#current .v-changes").wait_for(timeout=60_000)
    page.mouse.move(0, 0)
    page.wait_for_timeout(300)
    _save(page.screenshot(), ASSETS_DIR / "docs" / "swapped.png")
    page.locator("#current [data-event=undo]").click()
    page.locator("#current .v-changes").wait_for(state="detached")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("f")
    page.wait_for_timeout(400)
    _save(page.screenshot(), ASSETS_DIR / "docs" / "stage.png")
    page.keyboard.press("Escape")


def _save(png: bytes, path: Path) -> None:
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.quantize(palette=picture.quantize(256), dither=Image.Dither.FLOYDSTEINBERG).save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} KB")


if __name__ == "__main__":
    sys.exit(main())
