"""Chromium without a screen, driven over a pipe: opens a page, sends keys, asks it things.

Debian's package, so that tests download no browser; where it is not installed they are skipped.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--allow-file-access-from-files",
    "--remote-debugging-pipe",
)
SECONDS_MAX = 60


class Page:
    """A tab, and what is asked of it."""

    def __init__(self, sending: int, receiving: int) -> None:
        self._sending, self._receiving = sending, receiving
        self._numbers = itertools.count(1)
        self._left = b""
        self.requests: list[str] = []  # addresses that the page asked for
        self.errors: list[str] = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session: str | None = attached["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self.call(f"{domain}.enable")

    _session: str | None = None

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the DevTools protocol, and its answer."""
        number = next(self._numbers)
        message: dict[str, Any] = {"id": number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._sending, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + SECONDS_MAX
        while True:
            found = self._next(end)
            if found.get("id") == number:
                assert "error" not in found, found
                return found["result"]
            if found.get("method") == "Network.requestWillBeSent":
                self.requests.append(found["params"]["request"]["url"])
            if found.get("method") == "Runtime.exceptionThrown":
                details = found["params"]["exceptionDetails"]
                self.errors.append(details.get("exception", {}).get("description", str(details)))

    def _next(self, end: float) -> dict[str, Any]:
        while b"\0" not in self._left:
            assert select.select([self._receiving], [], [], max(0, end - time.monotonic()))[0]
            self._left += os.read(self._receiving, 1 << 20)
        message, _, self._left = self._left.partition(b"\0")
        return json.loads(message)

    def resize(self, width: int, height: int) -> None:
        """The size of the window in pixels."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=False,
        )

    def open(self, address: str | Path) -> None:
        """Opens a file or an address and waits until the page says that it is ready."""
        is_file = isinstance(address, Path)
        self.call("Page.navigate", url=address.resolve().as_uri() if is_file else address)
        self.wait("document.documentElement?.dataset.ready === 'yes'")

    def wait(self, condition: str) -> None:
        """Until an expression of JavaScript holds."""
        end = time.monotonic() + SECONDS_MAX
        while not self.ask(condition):
            assert time.monotonic() < end, f"never: {condition}"
            time.sleep(0.02)

    def ask(self, expression: str) -> Any:
        """The value of an expression of JavaScript; promises are waited for."""
        found = self.call(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def text(self, selector: str = "body") -> str:
        """What a reader sees of an element."""
        return self.ask(f"document.querySelector({json.dumps(selector)})?.innerText ?? ''")

    def key(self, key: str) -> None:
        """A key goes down and up."""
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, **text)
        self.frame()

    def mouse(self, kind: str, x: float, y: float, **more: Any) -> None:
        """A mouse event: mousePressed, mouseReleased, mouseMoved or mouseWheel."""
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)
        self.frame()

    def click(self, x: float, y: float) -> None:
        """A click of the left button."""
        for kind in ("mousePressed", "mouseReleased"):
            self.mouse(kind, x, y, button="left", clickCount=1, buttons=1)

    def frame(self) -> None:
        """Waits until the page has drawn what it was told."""
        self.ask("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def picture(self) -> bytes:
        """The window as PNG."""
        self.frame()
        return base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])


@contextlib.contextmanager
def opened(width: int = 1280, height: int = 800) -> Iterator[Page]:
    """A browser with one empty page."""
    program = shutil.which("chromium")
    if program is None:
        pytest.skip("chromium is not installed: apt-get install chromium")
    to_browser, sending = os.pipe()
    receiving, from_browser = os.pipe()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = [program, *FLAGS, f"--user-data-dir={profile}"]
        # The browser reads its commands from 3 and answers on 4.
        shell = f'exec 3<&{to_browser} 4>&{from_browser}; exec "$@"'
        process = subprocess.Popen(
            ["bash", "-c", shell, "bash", *command],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        try:
            page = Page(sending, receiving)
            page.resize(width, height)
            yield page
        finally:
            process.terminate()
            process.wait(SECONDS_MAX)
            os.close(sending)
            os.close(receiving)
