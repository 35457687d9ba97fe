"""The real otter-grader and nbgrader: where `make setup` puts them, and how a test runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from venv import EnvBuilder

import pytest


@dataclass(frozen=True)
class RealProgram:
    """A program in an environment of its own below that of the tests."""

    name: str

    @property
    def folder(self) -> Path:
        return Path(sys.prefix) / self.name

    @property
    def python(self) -> Path:
        return self.folder / "bin/python"

    @property
    def version(self) -> str:
        """The version that is installed, as its metadata says."""
        found = self.folder.glob(f"lib/python*/site-packages/{self.name}*.dist-info")
        return next(found).name.removesuffix(".dist-info").rpartition("-")[2]

    def required(self) -> pytest.MarkDecorator:
        """Skips a test where the environment is missing, and names the one command."""
        return pytest.mark.skipif(
            not (self.folder / ".ready").is_file(),
            reason=f"no {self.name} in .venv/{self.name}: run make setup with a network",
        )

    def with_grader(self, folder: Path) -> Path:
        """The Python of a new environment that has the program and, behind it, our packages."""
        EnvBuilder(symlinks=True).create(folder)
        (packages,) = folder.glob("lib/python*/site-packages")
        (own,) = self.folder.glob("lib/python*/site-packages")
        places = (own, sysconfig.get_path("purelib"))
        lines = [f"import site; site.addsitedir({str(place)!r})" for place in places]
        (packages / "both.pth").write_text("\n".join(lines) + "\n")
        return folder / "bin/python"

    def run(
        self, *arguments: object, folder: Path, python: Path | None = None, stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run its Python, or the one given, in ``folder`` and to its end."""
        environment = {
            k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PYTEST"))
        }
        path = os.pathsep.join([str(self.folder / "bin"), environment.get("PATH", os.defpath)])
        environment |= {
            "JUPYTER_PATH": str(self.folder / "share/jupyter"),
            "HOME": str(folder),
            "PATH": path,
            "HF_HUB_OFFLINE": "1",
            "PYTHONNOUSERSITE": "1",
        }
        return subprocess.run(
            [str(python or self.python), *map(str, arguments)],
            cwd=folder,
            env=environment,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=3600,
        )


OTTER = RealProgram("otter")
NBGRADER = RealProgram("nbgrader")


def run_otter(
    commands: Sequence[Sequence[object]], *, folder: Path, python: Path | None = None
) -> list[str]:
    """Run command lines of otter in one process; how each ended: "" or its error.

    A command's first word is the folder to run it in.
    """
    program = Path(__file__).with_name("otter_commands.py")
    lines = json.dumps([[str(word) for word in command] for command in commands])
    done = OTTER.run(program, folder=folder, python=python, stdin=lines)
    assert done.returncode == 0, done.stderr
    ends = [line for line in done.stdout.splitlines() if line.startswith("END ")]
    return [json.loads(line.removeprefix("END ")) for line in ends]
