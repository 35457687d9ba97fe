"""autograder.zip: all that Gradescope needs to grade one assignment, as bytes.

Equal parts give equal bytes: files are sorted, uncompressed, and have one fixed time.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import UsageError
from autograder.interop.gradescope.results import results_bytes
from autograder.interop.gradescope.settings import Settings, settings_bytes
from autograder.interop.gradescope.student_results import (
    UNFINISHED,
    GradeCircumstances,
    nothing_told,
)

SCRIPTS = ("setup.sh", "run_autograder")  # of the folder scripts/

_TIME = (1980, 1, 1, 0, 0, 0)  # the first that a zip file can hold
_EXECUTABLE, _PLAIN = 0o100755, 0o100644
_SAFE = re.compile(r"(?!/)(?!.*(?:^|/)\.\.?(?:/|$))[^\\\0]+")


@dataclass(frozen=True, slots=True)
class Parts:
    """What goes into the package. ``course``: the assignment's files by their names below course/.
    ``wheel``: of the grader itself, with its file's name. ``constraints``: a pinned version per
    line. ``needs``: the grader's own requirements, ``packages``: what students may import in
    addition, both as pip requirements. ``possible``: the points that the grader gives, in
    thousandths."""

    settings: Settings
    course: Mapping[str, bytes]
    wheel: tuple[str, bytes]
    constraints: str
    needs: Sequence[str]
    packages: Sequence[str]
    possible: int


def gradescope_package(parts: Parts) -> bytes:
    """The zip; its root holds setup.sh and run_autograder. Raises ``UsageError``."""
    name, wheel = parts.wheel
    scripts = Path(__file__).parent / "scripts"
    first = nothing_told(
        UNFINISHED, parts.possible, GradeCircumstances(hidden=parts.settings.hidden)
    )
    files = {
        "setup.sh": (scripts / "setup.sh").read_bytes(),
        "run_autograder": (scripts / "run_autograder").read_bytes(),
        "gradescope.json": settings_bytes(parts.settings),
        "first.json": results_bytes(first),
        "constraints.txt": _lines(sorted(set(_pins(parts.constraints)))),
        "requirements.txt": _lines(sorted({*parts.needs, *parts.packages})),
        f"wheels/{name}": wheel,
        **{f"course/{name}": data for name, data in parts.course.items()},
    }
    return zipped(files, executable=SCRIPTS)


def zipped(files: Mapping[str, bytes], *, executable: Sequence[str] = ()) -> bytes:
    """A zip of these files; raises ``UsageError`` for a name that leads out of it."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(files.items()):
            if not _SAFE.fullmatch(name):
                raise UsageError(f"{name!r}: not a valid file name in a package; rename the file")
            entry = zipfile.ZipInfo(name, _TIME)
            entry.create_system = 3
            entry.external_attr = (_EXECUTABLE if name in executable else _PLAIN) << 16
            archive.writestr(entry, data)
    return held.getvalue()


def _pins(constraints: str) -> list[str]:
    """The pins without comments and local versions, which other indexes do not have."""
    lines = (line.partition("#")[0].strip() for line in constraints.splitlines())
    return [re.sub(r"\+[\w.]+$", "", line) for line in lines if line]


def _lines(lines: Sequence[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()
