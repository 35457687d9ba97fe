"""A student at work in a real Jupyter server: the template, a cell filled in, the panel read.

The kernel has the package for students alone, as `autograder release --package` makes it. What it
looked like is kept where AUTOGRADER_SCREENSHOTS names a folder; `make pictures` takes one of them.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from autograder.authoring.packages.needed_files import modules_of
from autograder.authoring.packages.wheels import student_files
from tests.support.browser import CHROMIUM, NO_CHROMIUM, Page, browser, end, until

ROOT = Path(__file__).resolve().parents[2]
ID = "embeddings-and-position"
LAB = Path(sys.prefix) / "tools/bin/python"  # of its own: what it needs slows every start
TOKEN = "0123456789abcdef"
QUIET = '{"fetchNews": "false", "checkForUpdates": false, "doNotDisturbMode": true}'
NOTEBOOK = "[...jupyterapp.shell.widgets('main')].find(w => w.sessionContext && w.content.model)"
IDLE = f"{NOTEBOOK}.sessionContext.session.kernel.status === 'idle'"
DRAWN = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))"
ENCODING = """def sinusoidal_positional_encoding(max_len, d_model):
    position = torch.arange(max_len)[:, None].float()
    angle = position / 10000 ** (torch.arange(0, d_model, 2) / d_model)
    table = torch.zeros(max_len, d_model)
    table[:, 0::2] = torch.sin(angle)
    table[:, 1::2] = torch.cos(angle[:, : d_model // 2])
    return table"""
WITHOUT_THE_PROJECT = """import sys
sys.meta_path[:] = [one for one in sys.meta_path if "__editable__" not in repr(one)]
"""
WHERE = """from importlib.util import find_spec
from pathlib import Path
import autograder
print(Path(autograder.__file__).parent, find_spec("autograder.pipeline"))"""

pytestmark = [
    pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM),
    pytest.mark.skipif(not LAB.is_file(), reason="no JupyterLab in .venv/tools: run make setup"),
]


@pytest.fixture
def notebook(tmp_path: Path) -> Iterator[Notebook]:
    """The template, open in JupyterLab, its kernel ready."""
    folder, work = tmp_path, tmp_path / "work"
    work.mkdir()
    shutil.copy(ROOT / f"student_templates/{ID}.ipynb", work)
    server = served(folder / "server", work, packages=installed(folder / "site"))
    with server as url, browser(folder / "browser", width=1200, height=1300) as page:
        page.open(f"{url}lab/tree/{ID}.ipynb?token={TOKEN}")
        page.wait_for(IDLE, within=60)
        page.evaluate("jupyterapp.commands.execute('application:toggle-left-area').then(() => 1)")
        asked = os.environ.get("AUTOGRADER_SCREENSHOTS")
        pictures = Path(asked) if asked else folder
        pictures.mkdir(parents=True, exist_ok=True)
        yield Notebook(page, work, pictures)


@pytest.mark.slow
def test_a_student_fills_a_cell_checks_it_and_reads_the_panel(notebook: Notebook) -> None:
    exercise, check = "positional_encoding", "check-positional_encoding"
    assert notebook.run("autograder-setup") == ""
    notebook.run(notebook.code_after("autograder-setup"))

    blank = notebook.run(check)
    assert "Name not found" in blank and "Define it in the cell of this exercise" in blank

    notebook.fill(exercise, ENCODING)
    assert notebook.run(exercise) == ""
    right = notebook.run(check)
    assert "Correct" in right and "public checks 4.5 of 4.5 points" in right
    assert "more checks (9.5 points) run after you submit" in right
    assert (notebook.count(check, ".panel.good"), notebook.count(check, "img")) == (1, 0)

    notebook.fill(exercise, ENCODING.replace("torch.cos", "-torch.cos"))
    notebook.run(exercise)
    wrong = notebook.run(check)
    assert "Partly right" in wrong and "public checks 1.5 of 4.5 points" in wrong
    assert "16 of 32 numbers differ, largest difference 2 at [0, 1]: expected 1, got -1" in wrong
    assert "Hint. Row 0 is 0, 1, 0, 1, ...;" in wrong
    assert (notebook.count(check, ".panel.part"), notebook.count(check, "img")) == (1, 1)
    assert notebook.left(check, ".mark") == notebook.left(check, "h3")  # JupyterLab indents lists
    notebook.look("wrong", exercise, check)

    notebook.fill("dna_transfer", WHERE)
    assert notebook.run("dna_transfer") == f"{notebook.folder.parent}/site/autograder None\n"


class Notebook:
    """The one notebook that is open in JupyterLab; cells are told by their ids.

    ``folder``: where it lies; ``pictures``: where what is looked at goes.
    """

    def __init__(self, page: Page, folder: Path, pictures: Path) -> None:
        self.page, self.folder, self.pictures = page, folder, pictures

    def code_after(self, cell: str) -> str:
        """The id of the next code cell."""
        script = (
            f"(() => {{ const ids = {NOTEBOOK}.content.widgets.filter(c => c.model.type === 'code')"
            ".map(c => c.model.sharedModel.id);"
            f"return ids[ids.indexOf({json.dumps(cell)}) + 1]; }})()"
        )
        return str(self.page.evaluate(script))

    def run(self, cell: str) -> str:
        """Run a cell to its end and give the text of what it shows."""
        self._choose(cell)
        assert self.page.evaluate("jupyterapp.commands.execute('notebook:run-cell').then(() => 1)")
        self.page.wait_for(IDLE)
        self.page.evaluate(DRAWN)
        images = f"[...{_outputs(cell)}.querySelectorAll('img')].map(image => image.decode())"
        self.page.evaluate(f"Promise.all({images}).then(() => 1)")
        return str(self.page.evaluate(f"{_outputs(cell)}.innerText"))

    def fill(self, cell: str, text: str) -> None:
        """Type over what is in a cell."""
        self._choose(cell)
        self.page.click(f"{_chosen(cell)} .cm-content")
        self.page.press("a", "Control")
        self.page.insert(text)
        self.page.wait_for(f"{_widget(cell)}.model.sharedModel.source === {json.dumps(text)}")

    def count(self, cell: str, selector: str) -> int:
        """How many such elements a cell's outputs show, and not only a trace of them."""
        found = f"[...{_outputs(cell)}.querySelectorAll({json.dumps(selector)})]"
        large = (
            "e => e.getBoundingClientRect().width > 100 && e.getBoundingClientRect().height > 30"
        )
        return int(self.page.evaluate(f"{found}.filter({large}).length"))

    def left(self, cell: str, selector: str) -> float:
        """Where the first such element of a cell's outputs begins, in pixels."""
        first = f"{_outputs(cell)}.querySelector({json.dumps(selector)})"
        return float(self.page.evaluate(f"{first}.getBoundingClientRect().x"))

    def look(self, name: str, *cells: str) -> None:
        """Keep a picture of cells that follow one another."""
        self._choose(cells[0])
        boxes = []
        for cell in cells:
            self.page.evaluate(f"{_widget(cell)}.node.dataset.chosen = {json.dumps(cell)}")
            boxes.append(self.page.box(_chosen(cell)))
        left, top, width, _ = boxes[0]
        height = boxes[-1][1] + boxes[-1][3] - top
        self.page.screenshot(self.pictures / f"{name}.png", clip=(left, top, width, height))

    def _choose(self, cell: str) -> None:
        """Make a cell the active one and bring it into view."""
        script = (
            f"(async () => {{ const n = {NOTEBOOK}.content, i = n.widgets.findIndex("
            f"c => c.model.sharedModel.id === {json.dumps(cell)}); if (i < 0) return 0;"
            "n.activeCellIndex = i; n.deselectAll(); await n.scrollToItem(i, 'start');"
            f"n.widgets[i].node.dataset.chosen = {json.dumps(cell)}; return 1; }})()"
        )
        assert self.page.evaluate(script), f"the notebook has no cell {cell}"


def _widget(cell: str) -> str:
    """JavaScript for a cell."""
    return f"{NOTEBOOK}.content.widgets.find(c => c.model.sharedModel.id === {json.dumps(cell)})"


def _outputs(cell: str) -> str:
    """JavaScript for the element that holds what a cell shows."""
    return f"{_widget(cell)}.outputArea.node"


def _chosen(cell: str) -> str:
    """The CSS selector of a cell that was chosen before."""
    return f'[data-chosen="{cell}"]'


def installed(site: Path) -> Path:
    """The package for students, as it lies once it is installed, and beside it no other."""
    evidence = (ROOT / f"assignments/{ID}/public.agw").read_bytes()
    for name, content in student_files(modules_of("autograder.student"), {ID: evidence}).items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_bytes(content)
    (site / "sitecustomize.py").write_text(WITHOUT_THE_PROJECT)
    return site


@contextmanager
def served(folder: Path, work: Path, *, packages: Path) -> Iterator[str]:
    """The address of a JupyterLab over ``work``, with empty settings below ``folder``; kernels
    find ``packages`` before all others."""
    quiet = folder / "settings/@jupyterlab/apputils-extension"
    quiet.mkdir(parents=True)
    (quiet / "notification.jupyterlab-settings").write_text(QUIET)
    kernel = {
        "display_name": "Python 3",
        "language": "python",
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "env": {"PYTHONPATH": str(packages)},
    }
    spec = folder / "data/kernels/python3"
    spec.mkdir(parents=True)
    (spec / "kernel.json").write_text(json.dumps(kernel))
    own = {
        "HOME": folder,
        "IPYTHONDIR": folder / "ipython",
        "MPLCONFIGDIR": folder / "mpl",
        "JUPYTER_CONFIG_DIR": folder / "config",
        "JUPYTER_DATA_DIR": folder / "data",
        "JUPYTER_RUNTIME_DIR": folder / "runtime",
        "JUPYTERLAB_SETTINGS_DIR": folder / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": folder / "workspaces",
        "JUPYTER_PREFER_ENV_PATH": "0",
        "OMP_NUM_THREADS": "1",
    }
    command = [
        str(LAB),
        "-m",
        "jupyterlab",
        "--no-browser",
        "--allow-root",
        "--expose-app-in-browser",
        "--ServerApp.ip=127.0.0.1",
        "--ServerApp.port=0",
        f"--ServerApp.root_dir={work}",
        f"--IdentityProvider.token={TOKEN}",
    ]
    with (folder / "server.txt").open("wb") as said:
        started = subprocess.Popen(
            command,
            cwd=work,
            env={**os.environ, **{k: str(v) for k, v in own.items()}},
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    try:
        yield until(lambda: _address(folder / "runtime"), what="the server", within=60)
    finally:
        end(started)


def _address(runtime: Path) -> str:
    for file in runtime.glob("jpserver-*.json"):
        text = file.read_text()
        if text.endswith("}"):
            known: dict[str, Any] = json.loads(text)
            return str(known["url"])
    return ""
