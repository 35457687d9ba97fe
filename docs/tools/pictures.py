"""Makes the pictures of README and docs/ from the product: `make pictures`.

``python -m docs.tools.pictures result.png RESULTS FILE`` needs the results folder of the sample
class; ``validation.png FILE`` validates the first assignment of the tutorial, with its hole.
"""

from __future__ import annotations

import html
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from rich.console import Console
from rich.text import Text

from docs.tools.pages import ROOT, fences
from tests.support.browser import browser

COLUMNS = 80  # narrower, the class has no marks
HEIGHT, SCALE = 1560, 0.725  # of the page of feedback in the picture
STUDENT = "student-04"
MISTAKE = "assignments/first/mistakes/whole_numbers.py"  # of the tutorial
SIDE_BY_SIDE = """<!DOCTYPE html><meta charset="utf-8"><style>
body { margin: 0; padding: 20px; display: flex; gap: 20px; align-items: start; }
body { background: #e3e7ec; }
section { background: #fcfdfe; border-radius: 8px; overflow: hidden; box-shadow: 0 1px 4px #0003; }
h2 { margin: 0; padding: 10px 14px; background: #d9dfe7; font: 15px system-ui, sans-serif; }
pre { margin: 14px 16px; font: 12.4px/19px "DejaVu Sans Mono", monospace; color: #1f2933; }
.page { width: 928px; height: %(height)dpx; }
iframe { width: 1280px; height: %(inner)dpx; border: 0; }
iframe { transform: scale(%(scale)f); transform-origin: 0 0; }
</style>
<section><h2>the class, in the terminal</h2><pre>%(terminal)s</pre></section>
<section class="page"><h2>feedback/%(student)s.html</h2><iframe src="%(page)s"></iframe></section>
"""


def result(results: str, file: str) -> None:
    """The class in the terminal, and beside it a page of feedback."""
    shown = Path(results, "feedback", f"{STUDENT}.html").read_text("utf-8")
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_text(
            shown.replace('<details class="evidence">', '<details class="evidence" open>')
        )
        both = SIDE_BY_SIDE % {
            "height": HEIGHT,
            "inner": HEIGHT / SCALE,
            "scale": SCALE,
            "terminal": _terminal("show", "out/sample-class", at=Path(results).resolve()),
            "student": STUDENT,
            "page": page.as_uri(),
        }
        Path(folder, "both.html").write_text(both, "utf-8")
        _picture(Path(folder, "both.html"), Path(file), width=1656, last=".page", below=20)


def validation(file: str) -> None:
    """The upper part of a page that reports a hole in the checks."""
    with tempfile.TemporaryDirectory() as folder:
        course = Path(folder, "course")
        _autograder("new", str(course / "first"), "--like", "numpy", folder=ROOT)
        (mistake,) = (f for f in fences(ROOT / "docs/tutorial.md") if f.value == MISTAKE)
        (course / MISTAKE).write_text(mistake.text)
        _autograder("validate", "first", folder=course, status=1)
        page = course / "out/validate/first/validation.html"
        _picture(page, Path(file), width=1280, last="tr.troubled", below=0)


PICTURES: Mapping[str, Callable[..., None]] = {"result.png": result, "validation.png": validation}


def _autograder(*words: str, folder: Path, status: int = 0, **environment: str) -> str:
    ran = subprocess.run(
        [sys.executable, "-m", "autograder", *words],
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
    )
    assert ran.returncode == status, ran.stdout + ran.stderr
    return ran.stdout


def _terminal(command: str, shown_as: str, *, at: Path) -> str:
    """What a command about a results folder prints, as HTML with its colours."""
    colours = {"FORCE_COLOR": "1", "COLUMNS": str(COLUMNS), "TERM": "xterm-256color"}
    printed = _autograder(command, str(at), folder=ROOT, **colours)
    console = Console(record=True, width=COLUMNS, file=io.StringIO())
    console.print(Text.from_ansi(printed))
    coded = console.export_html(inline_styles=True, code_format="{code}")
    return f"$ autograder {command} {html.escape(shown_as)}\n{coded}"


def _picture(page: Path, file: Path, *, width: int, last: str, below: int) -> None:
    """A picture of a page down to this element."""
    with tempfile.TemporaryDirectory() as folder, browser(Path(folder)) as tab:
        tab.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=2_500,
            deviceScaleFactor=1,
            mobile=False,
        )
        tab.open(page.as_uri())
        tab.wait_for(f"location.href == '{page.as_uri()}' && document.readyState == 'complete'")
        _, top, _, height = tab.box(last)
        tab.screenshot(file, clip=(0, 0, width, top + height + below))


if __name__ == "__main__":
    name, *arguments = sys.argv[1:]
    PICTURES[name](*arguments)
