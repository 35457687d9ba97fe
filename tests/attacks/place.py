"""Puts an attack's code into a notebook, or lets an attack's program write its files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import msgspec

from autograder.errors import UsageError
from autograder.notebook.structure.outline import PACKAGE
from autograder.notebook.submission import NotebookCell, Submission
from tests.attacks.attack import Attack

SCRIPT_S = 200  # its processor time is limited to a tenth of that
_BOOT = """
import json, pathlib, resource, sys
for kind, most in ((resource.RLIMIT_CPU, 20), (resource.RLIMIT_AS, 2 << 30),
                   (resource.RLIMIT_FSIZE, 256 << 20), (resource.RLIMIT_CORE, 0)):
    resource.setrlimit(kind, (most, most))
folder = pathlib.Path(sys.argv[1])
def notebook(cells, **more):
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5, **more})
def code(source, **more):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], **more}
exec(sys.stdin.read())
"""  # limits, what every program uses, then the program


def place(base: Submission, attack: Attack, source: str) -> Submission:
    """The notebook with the attack's code in its place."""
    if attack.place == "own":
        cells = tuple(
            msgspec.structs.replace(c, source=f"{c.source}\n{source}") if c.exercise else c
            for c in base.cells
        )
        return msgspec.structs.replace(base, cells=cells)
    code = [n for n, cell in enumerate(base.cells) if cell.kind == "code"]
    first = next(n for n in code if PACKAGE not in base.cells[n].source) + 1  # after the imports
    at = first if attack.place == "first" else len(base.cells)
    loose = [*base.cells[:at], NotebookCell(0, "code", source), *base.cells[at:]]
    numbered = tuple(msgspec.structs.replace(c, number=n) for n, c in enumerate(loose, 1))
    return msgspec.structs.replace(base, cells=numbered)


def write_files(attack: Attack, folder: Path) -> None:
    """Run the attack's program on an empty folder; raises ``UsageError`` when it fails."""
    folder.mkdir(parents=True)
    command = [sys.executable, "-I", "-B", "-c", _BOOT, str(folder)]
    try:
        done = subprocess.run(
            command,
            input=attack.source.encode(),
            capture_output=True,
            timeout=SCRIPT_S,
            cwd=folder,
            check=False,
            env={"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
        )
    except subprocess.TimeoutExpired:
        raise UsageError(f"{attack.name}: it took more than {SCRIPT_S} seconds") from None
    if done.returncode:
        said = done.stderr.decode(errors="replace")[-500:]
        raise UsageError(f"{attack.name}: its program failed: {said}")
