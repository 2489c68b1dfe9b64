"""The page over TLS, as a phone on the same network opens it: the certificate is made, used, and the camera opens."""

from __future__ import annotations

import shutil
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from assistant.core.paths import PROJECT_DIR
from tests.e2e.conftest import PHONE, free_port
from tests.e2e.test_camera import SCENES

pytestmark = pytest.mark.slow


def test_a_phone_opens_the_page_with_its_camera(tmp_path: Path, written_index: Path, browser: Browser):
    port = free_port()
    command = [sys.executable, "app.py", "--https", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--data-dir", str(tmp_path), "--index", str(written_index)]
    server = subprocess.Popen(command, cwd=PROJECT_DIR, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        assert server.stdout.readline().strip() == f"Vitrine is at https://127.0.0.1:{port}/"
        (certificate,) = tmp_path.rglob("*.pem")
        assert certificate.stat().st_mode & 0o077 == 0  # the key is in it
        trusting = ssl.create_default_context(cafile=str(certificate))
        with urllib.request.urlopen(f"https://127.0.0.1:{port}/", context=trusting, timeout=20) as answer:
            assert answer.status == 200
        with pytest.raises(urllib.error.URLError, match="CERTIFICATE_VERIFY_FAILED"):
            urllib.request.urlopen(f"https://127.0.0.1:{port}/", timeout=20)
        context = browser.new_context(viewport=PHONE, ignore_https_errors=True, permissions=["camera"])
        page = context.new_page()
        page.add_init_script(SCENES)
        page.goto(f"https://127.0.0.1:{port}/")
        page.get_by_role("button", name="Start the camera").click()
        expect(page.locator('.v-camera[data-state="live"]')).to_be_visible()
        assert page.evaluate("window.isSecureContext")
        context.close()
    finally:
        server.terminate()
        server.wait(20)
        shutil.rmtree(tmp_path, ignore_errors=True)
