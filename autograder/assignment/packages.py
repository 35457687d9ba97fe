"""Which packages the notebooks of an assignment use, and which of them are missing here.

An assignment states them (``packages``). One that does not uses torch if its inputs, its checks or
its solution import it, or if it has checks that cannot do without: of relations that is assumed,
because they look at tensors then. Not covered: imports by ``importlib``, and in modules beside the
notebook.
"""

from __future__ import annotations

import importlib.util
import json
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from autograder.assignment.kinds import (
    Check,
    DeviceCheck,
    GradientCheck,
    ModuleCheck,
    PrecisionCheck,
    RelationCheck,
    TrainingCheck,
)
from autograder.assignment.model import Assignment

TORCH = "torch"
_TENSORS = ModuleCheck | GradientCheck | DeviceCheck | PrecisionCheck
_IMPORTS = re.compile(
    r"^[ \t>.]*(?:import|from)[ \t]+(?:[\w.]+(?:[ \t]+as[ \t]+\w+)?[ \t]*,[ \t]*)*"
    r"(?:torch|autograder\.wire\.tensors)\b",
    re.MULTILINE,
)
_NAMED_OTHERWISE = {  # in a package index
    "PIL": "pillow",
    "cv2": "opencv-python",
    "skimage": "scikit-image",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}


def packages_of(spec: Assignment, files: Iterable[Path]) -> tuple[str, ...]:
    """The packages that an assignment's notebooks use. ``files``: its inputs, checks and solution,
    as far as they exist."""
    if spec.packages is not None:
        return spec.packages
    if any(TORCH in exercise.requires for exercise in spec.exercise):
        return ()  # only these exercises use it
    checks = [check for exercise in spec.exercise for check in exercise.check]
    related = any(isinstance(check, RelationCheck | TrainingCheck) for check in checks)
    used = related or any(map(_needs_torch, checks)) or any(map(imports_torch, files))
    return (TORCH,) if used or any(map(_tests_with_torch, checks)) else ()


def contradictions(spec: Assignment) -> Iterator[str]:
    """A sentence for each check that needs torch in an assignment that states other packages."""
    if spec.packages is None or TORCH in spec.packages:
        return
    for exercise in spec.exercise:
        if TORCH not in exercise.requires:
            for check in filter(_needs_torch, exercise.check):
                yield (
                    f"exercise {exercise.id!r}, check {check.id!r}: checks of kind {check.kind}, "
                    'with these keys, need torch; add "torch" to `packages`'
                )


def imports_torch(file: Path) -> bool:
    """Whether a Python file or a notebook imports torch, as far as its text shows."""
    return file.is_file() and mentions_torch(_source(file))


def mentions_torch(source: str) -> bool:
    """Whether Python source has an import of torch."""
    return _IMPORTS.search(source) is not None


def packages_in(libraries: Iterable[str]) -> tuple[str, ...]:
    """Of what a notebook imports, the packages to state: those that are installed, besides NumPy
    and matplotlib."""
    usual = sys.stdlib_module_names | {"numpy", "matplotlib", "IPython", "autograder"}
    return tuple(name for name in sorted({*libraries} - usual) if not missing([name]))


def missing(packages: Iterable[str]) -> list[str]:
    """Those that cannot be imported here."""
    return sorted({name for name in packages if not _is_installed(name)})


def installing(packages: Sequence[str]) -> str:
    """The command that installs packages."""
    return f"pip install {' '.join(dict.fromkeys(map(name_for_pip, packages)))}"


def name_for_pip(package: str) -> str:
    """The name under which pip finds a package."""
    name = package.partition(".")[0]
    return _NAMED_OTHERWISE.get(name, name)


def _is_installed(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except (ImportError, ValueError):  # of a part: the package itself is missing
        return False


def _needs_torch(check: Check) -> bool:
    calls = check.calls if isinstance(check, RelationCheck) else ()
    parts = bool(getattr(check, "parts", ()))
    return (
        isinstance(check, _TENSORS)
        or parts
        or any(call.stand_ins or call.default_dtype for call in calls)
    )


def _tests_with_torch(check: Check) -> bool:
    """Whether a test of an imported assignment imports it."""
    examples = "\n".join(example.code for example in getattr(check, "examples", ()))
    return mentions_torch(f"{getattr(check, 'code', '')}\n{examples}")


def _source(file: Path) -> str:
    text = file.read_text(encoding="utf-8", errors="replace")
    if file.suffix != ".ipynb":
        return text
    with suppress(ValueError, TypeError, KeyError, AttributeError):  # reading it says what is wrong
        cells = json.loads(text)["cells"]
        return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
    return ""
