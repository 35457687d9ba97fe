"""A student's Python: a fresh environment with the course's wheel, without the grader's package."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import venv
from dataclasses import dataclass
from pathlib import Path

RUN = """
import json, sys
import nbformat
from nbclient import NotebookClient

notebook = nbformat.read(sys.argv[1], as_version=nbformat.NO_CONVERT)
client = NotebookClient(
    notebook, timeout=300, allow_errors=True, resources={"metadata": {"path": sys.argv[2]}}
)
client.execute()
json.dump([
    {
        "id": cell.get("id") or cell.metadata.get("id", ""),
        "error": next((o.ename for o in cell.outputs if o.output_type == "error"), ""),
        "text": "".join(
            o.get("text", "") + str(o.get("data", {}).get("text/plain", "")) for o in cell.outputs
        ),
        "html": any("text/html" in o.get("data", {}) for o in cell.outputs),
    }
    for cell in notebook.cells if cell.cell_type == "code"
], open(sys.argv[3], "w"))
"""


@dataclass(frozen=True, slots=True)
class StudentPlace:
    """A folder with an environment in it. ``models`` are the pretrained ones, as on a disk where
    they have been fetched before."""

    folder: Path
    models: Path | None

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "env" / "bin" / "python"

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run this Python in the folder, with nothing of the caller's on its path."""
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "AUTOGRADER"))}
        home = {"HOME": str(self.folder), "OMP_NUM_THREADS": "1", "MPLBACKEND": "agg"}
        home |= {"HF_HOME": str(self.models or self.folder), "HF_HUB_OFFLINE": "1"}
        return subprocess.run(
            [str(self.python), *arguments],
            cwd=self.folder,
            env=kept | home,
            capture_output=True,
            text=True,
            timeout=500,
        )

    def execute(self, notebook: bytes) -> list[dict[str, object]]:
        """Run a notebook in a kernel of its own, errors or not; what its code cells came to."""
        held, said = self.folder / "work.ipynb", self.folder / "said.json"
        held.write_bytes(notebook)
        done = self.run("-c", RUN, str(held), str(self.folder), str(said))
        assert done.returncode == 0, done.stderr
        outcome: list[dict[str, object]] = json.loads(said.read_text())
        return outcome


def make_place(folder: Path, wheel: Path | None, *, models: Path | None = None) -> StudentPlace:
    """An environment that has all that this one has but for the grader, and the wheel if given."""
    place = StudentPlace(folder, models)
    others = folder / "others"
    others.mkdir(parents=True)
    for found in Path(sysconfig.get_paths()["purelib"]).iterdir():
        ours = "autograder" in found.name
        if not ours and found.suffix != ".pth" and found.name not in ("pip", "__pycache__"):
            (others / found.name).symlink_to(found)
    venv.create(folder / "env", symlinks=True)
    (site,) = (folder / "env" / "lib").glob("python*/site-packages")
    (site / "others.pth").write_text(f"{others}\n")
    if wheel is not None:
        options = "--quiet --no-deps --no-index --disable-pip-version-check".split()
        pip = [sys.executable, "-m", "pip", "--python", str(place.python), "install"]
        subprocess.run([*pip, *options, str(wheel)], check=True)
    return place
