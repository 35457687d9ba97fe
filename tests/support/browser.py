"""A headless Chromium with an empty profile, driven over the DevTools protocol.

What starts is ended again, with all of its processes, and nothing else is.
"""

from __future__ import annotations

import asyncio
import base64
import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from tornado.websocket import WebSocketClientConnection, websocket_connect

NO_CHROMIUM = "no Chromium: `apt-get install chromium` installs it on Debian and Ubuntu"
CHROMIUM = next(
    (
        found
        for name in ("chromium", "chromium-browser", "google-chrome", "chrome")
        if (found := shutil.which(name))
    ),
    "",
)
FLAGS = """
    --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars
    --disable-background-networking --disable-component-update --disable-sync
    --disable-dev-shm-usage --remote-debugging-port=0
""".split()
LARGEST_MESSAGE = 1 << 28  # bytes: screenshots come as text
_KEYS = {"Enter": (13, "\r"), "Escape": (27, ""), "Tab": (9, ""), "ArrowDown": (40, "")}
_MODIFIERS = {"": 0, "Control": 2, "Shift": 8}


class BrowserError(Exception):
    """The browser did not do what it was told to, or not in time."""


class Page:
    """One tab. Calls block until the browser has answered; times are in seconds."""

    def __init__(self, connection: WebSocketClientConnection, loop: asyncio.AbstractEventLoop):
        self._connection, self._loop, self._number = connection, loop, 0

    def command(self, method: str, **params: Any) -> dict[str, Any]:
        """One command of the protocol and its result."""
        return self._loop.run_until_complete(asyncio.wait_for(self._ask(method, params), 60))

    async def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._number += 1
        sent = {"id": self._number, "method": method, "params": params}
        await self._connection.write_message(json.dumps(sent))
        while (message := await self._connection.read_message()) is not None:
            answer = json.loads(message)
            if answer.get("id") == self._number:  # the rest are events, which nobody asked for
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result
        raise BrowserError(f"{method}: the browser is gone")

    def evaluate(self, script: str) -> Any:
        """The value of an expression, as JSON; a promise is waited for."""
        found = self.command(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if "exceptionDetails" in found:
            details = found["exceptionDetails"]
            said = details.get("exception", {}).get("description") or details.get("text")
            raise BrowserError(f"{script[:200]}: {said}")
        return found["result"].get("value")

    def wait_for(self, script: str, *, within: float = 30) -> Any:
        """The first value of the expression that counts as true; while it raises, there is none."""
        said = [script]

        def look() -> Any:
            try:
                return self.evaluate(script)
            except BrowserError as failed:
                said[1:] = [str(failed)]
                return None

        return until(look, what=said, within=within)

    def open(self, url: str) -> None:
        """Go to an address; what is there later has to be waited for."""
        self.command("Page.navigate", url=url)

    def looks(self, width: int, scheme: str) -> None:
        """A window of this width, in a light or dark scheme."""
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        self.command("Emulation.setEmulatedMedia", features=features)

    def press(self, key: str, modifier: str = "") -> None:
        """One key, with Control or Shift held down or without."""
        code, text = _KEYS.get(key) or (ord(key.upper()), "" if modifier else key)
        keys = {
            "key": key,
            "code": key,
            "windowsVirtualKeyCode": code,
            "modifiers": _MODIFIERS[modifier],
        }
        typed = {"text": text} if text else {}
        self.command("Input.dispatchKeyEvent", type="keyDown", **keys, **typed)
        self.command("Input.dispatchKeyEvent", type="keyUp", **keys)

    def insert(self, text: str) -> None:
        """Text at the cursor, at once, as an input method does it."""
        self.command("Input.insertText", text=text)

    def choose_file(self, selector: str, file: Path) -> None:
        """A file for the first such field, as if it had been picked in the dialog."""
        root = self.command("DOM.getDocument")["root"]["nodeId"]
        field = self.command("DOM.querySelector", nodeId=root, selector=selector)["nodeId"]
        self.command("DOM.setFileInputFiles", nodeId=field, files=[str(file)])

    def click(self, selector: str) -> None:
        """The middle of the first such element, which is scrolled to."""
        found = f"document.querySelector({json.dumps(selector)})"
        self.wait_for(f"{found}.scrollIntoView({{block: 'nearest'}}) || true")
        x, y, width, height = self.box(selector)
        place = {"x": x + width / 2, "y": y + height / 2, "button": "left", "clickCount": 1}
        for type_ in ("mousePressed", "mouseReleased"):
            self.command("Input.dispatchMouseEvent", type=type_, **place)

    def box(self, selector: str) -> tuple[float, float, float, float]:
        """Left, top, width and height of the first such element, in pixels of the window."""
        found = self.wait_for(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)});"
            "const r = e && e.getBoundingClientRect();"
            "return r && r.width ? [r.x, r.y, r.width, r.height] : null; })()"
        )
        left, top, width, height = found
        return left, top, width, height

    def screenshot(
        self, file: Path, *, clip: tuple[float, float, float, float] | None = None
    ) -> None:
        """A PNG of the window, or of left, top, width, height in it."""
        area = {}
        if clip is not None:
            keys = ("x", "y", "width", "height")
            area = {"clip": {**dict(zip(keys, clip, strict=True)), "scale": 1}}
        taken = self.command("Page.captureScreenshot", format="png", **area)
        file.write_bytes(base64.b64decode(taken["data"]))


@contextmanager
def browser(folder: Path, *, width: int = 1200, height: int = 900) -> Iterator[Page]:
    """A tab in a browser of its own; the profile and what it prints lie in ``folder``."""
    profile = folder / "profile"
    profile.mkdir(parents=True)
    flags = [*FLAGS, f"--user-data-dir={profile}", f"--window-size={width},{height}"]
    with (folder / "chromium.txt").open("wb") as said:
        started = subprocess.Popen(
            [CHROMIUM, *flags, "about:blank"], stdout=said, stderr=said, start_new_session=True
        )
    loop = asyncio.new_event_loop()
    try:
        url = until(lambda: _page_url(profile / "DevToolsActivePort"), what="Chromium", within=60)
        connection = loop.run_until_complete(_connect(url))
        yield Page(connection, loop)
        connection.close()
    finally:
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()
        end(started)


def until(look: Callable[[], Any], *, what: object, within: float) -> Any:
    """What ``look`` gives once that is true; raises ``BrowserError`` when it is not in time."""
    give_up = time.monotonic() + within
    while not (found := look()):
        if time.monotonic() > give_up:
            raise BrowserError(f"not there after {within} s: {what}")
        time.sleep(0.1)
    return found


def end(started: subprocess.Popen[bytes]) -> None:
    """Stop a process that was started as the first of a session, and all of that session."""
    for sign, patience in ((signal.SIGTERM, 10.0), (signal.SIGKILL, 10.0)):
        with suppress(ProcessLookupError):
            os.killpg(started.pid, sign)
        with suppress(subprocess.TimeoutExpired):
            started.wait(patience)
            break
    with suppress(ProcessLookupError):  # children that outlived it
        os.killpg(started.pid, signal.SIGKILL)


def _page_url(file: Path) -> str:
    """Where the first tab listens; "" until the browser has written down its port."""
    if not file.exists() or not (lines := file.read_text().split()):
        return ""
    with urlopen(f"http://127.0.0.1:{lines[0]}/json/list", timeout=10) as answer:
        tabs = json.load(answer)
    return next((tab["webSocketDebuggerUrl"] for tab in tabs if tab["type"] == "page"), "")


async def _connect(url: str) -> WebSocketClientConnection:
    return await websocket_connect(url, max_message_size=LARGEST_MESSAGE)
