"""Loads assignment.toml, inputs.py, checks.py and files/ as one ``Loaded`` assignment."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from autograder.assignment.course_code import functions_of, on_arrays
from autograder.assignment.data_files import FOLDER, NO_FILES, DataFiles, names_of, read_data_files
from autograder.assignment.excerpt import unparsed
from autograder.assignment.measured import FILE as MEASURED
from autograder.assignment.measured import NONE, Wanted
from autograder.assignment.model import Assignment, Exercise
from autograder.assignment.packages import TORCH, contradictions, installing, missing, packages_of
from autograder.assignment.read import SpecFile, linked, read, read_assignment, unmeasured
from autograder.errors import SpecError, UsageError
from autograder.wire.convert import to_wire
from autograder.wire.rebuilt import not_rebuilt
from autograder.wire.values import ConstructedObject, DataFrame, Items, Module, Opaque, Value
from autograder.wire.values import Mapping as MappingValue

Case = tuple[Value, ...]
Cases = Mapping[str, tuple[Case, ...]]
OwnValues = tuple[tuple[str, Case], ...]  # by exercise, in the order of the assignment
Relations = Mapping[str, Callable[..., Any]]
SMALL = "_small"  # ends the name of a generator of small calls, see docs/howto.md
_MODULES = ("Embedding",)  # library modules that the box can rebuild from their tables


@dataclass(frozen=True, slots=True)
class Loaded:
    """An assignment with its code: generators make inputs, relations judge evidence."""

    spec: Assignment
    folder: Path
    generators: Mapping[str, Callable[[np.random.Generator], Any]]
    relations: Relations
    digest: str
    packages: tuple[str, ...] = ()  # that its notebooks use
    wanted: Wanted = NONE  # measured tolerances
    files: DataFiles = NO_FILES  # beside the notebook while it runs

    @property
    def solution(self) -> Path:
        """The solution notebook: solutions/<id>/solution.py, or solution.py in the folder."""
        return _solution(self.spec, self.folder)

    @property
    def solutions(self) -> Path:
        """The folder that holds the solution, the known mistakes and the equivalents."""
        return _solutions(self.spec, self.folder)

    @property
    def template(self) -> Path:
        """Where the generated student notebook belongs."""
        return _root(self.folder) / "student_templates" / f"{self.spec.id}.ipynb"


def load(folder: Path, *, measuring: bool = False) -> Loaded:
    """Read and check a whole assignment; raises ``SpecError`` with every problem found, and
    ``UsageError`` if a package that it uses is not installed.

    With ``measuring`` a measured tolerance may be missing: the usual one is used instead.
    """
    said = read(folder)
    problems, packages = said.problems, _packages(said)
    generators, relations = (
        _functions(folder / name, problems) for name in ("inputs.py", "checks.py")
    )
    problems += linked(said, generators, relations)
    if not measuring:  # grading refuses an assignment that was not measured
        problems += unmeasured(said)
    taken = frozenset[str]()
    if said.spec is not None:
        taken = names_of(said.spec.id, said.spec.brought.notebook if said.spec.brought else "")
    if relations is not None and TORCH not in packages:
        relations = on_arrays(relations)
    files = read_data_files(folder / FOLDER, taken, problems)
    if problems or said.spec is None or generators is None or relations is None:
        raise SpecError(problems)
    digest = hashlib.sha256()
    for file in (said.path, *(folder / name for name in ("inputs.py", "checks.py", MEASURED))):
        digest.update(file.read_bytes() if file.is_file() else b"")
    digest.update(files.digest.encode())
    return Loaded(
        said.spec,
        folder,
        generators,
        relations,
        digest.hexdigest(),
        packages,
        said.wanted,
        files,
    )


def examine_packages(folder: Path) -> dict[str, Any]:
    """What the notebooks of an assignment use, and what is missing here, without its code. Raises
    ``SpecError``."""
    spec = read_assignment(folder)
    packages = _packages_in(spec, folder)
    left_out = [e for e in spec.exercise if missing(e.requires)]
    lacking = missing([*packages, *(name for e in left_out for name in e.requires)])
    return {
        "assignment": spec.id,
        "packages": list(packages),
        "missing": missing(packages),
        "left_out": [left_out_for_all(e, missing(e.requires)) for e in left_out],
        "install": installing(lacking) if lacking else "",
    }


def left_out_for_all(exercise: Exercise, lacking: Sequence[str]) -> str:
    """A sentence about an exercise that nobody is asked."""
    return (
        f"left out for everybody: {exercise.id}, since {' and '.join(lacking)} cannot be imported "
        "here"
    )


def _packages(said: SpecFile) -> tuple[str, ...]:
    """What the assignment's notebooks use. Raises ``UsageError`` if one of these is missing: then
    its code may not even be imported."""
    if said.spec is None:
        return ()
    folder = said.path.parent
    said.problems.extend(f"{said.path}: {problem}" for problem in contradictions(said.spec))
    packages = _packages_in(said.spec, folder)
    if lacking := missing(packages):
        names = " and ".join(lacking)
        raise UsageError(
            f"{said.spec.id}: its notebooks use {names}, not installed here; run "
            f"`{installing(lacking)}`"
        )
    return packages


def make_cases(loaded: Loaded, seed: int) -> Cases:
    """Every generator's cases for this seed, as wire values; raises ``SpecError``."""
    return cases_from(loaded, dict.fromkeys(loaded.generators, seed))


def cases_from(loaded: Loaded, seeds: Mapping[str, int]) -> Cases:
    """The cases of some generators, each for a seed of its own, as wire values; raises
    ``SpecError``."""
    problems: list[str] = []
    made: dict[str, tuple[Case, ...]] = {}
    for name, seed in seeds.items():
        generator = loaded.generators[name]
        rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
        place = f"{loaded.folder / 'inputs.py'}: {name}"
        try:
            cases = list(generator(rng))
        except Exception as bad:  # noqa: BLE001  an instructor's code: reported, not passed on
            problems.append(f"{place}: raised {type(bad).__name__}: {bad}")
            continue
        needed = not name.endswith(SMALL)
        if (needed and not cases) or not all(isinstance(case, tuple) for case in cases):
            problems.append(f"{place}: must return a list of at least one tuple of arguments")
            continue
        made[name] = tuple(tuple(_argument(argument) for argument in case) for case in cases)
        for case in made[name]:
            problems += [f"{place}: {bad}" for value in case for bad in _unsendable(value)]
    if problems:
        raise SpecError(problems)
    return made


def own_values(loaded: Loaded, cases: Cases) -> OwnValues:
    """What ``grader.data`` returns in each exercise that has values of a student's own: the first
    case of its generator. Raises ``SpecError`` for what only the sandbox can make."""
    found = tuple((e.id, cases[e.personal][0]) for e in loaded.spec.exercise if e.personal)
    if strange := [name for name, case in found if any(_only_in_the_box(v) for v in case)]:
        raise SpecError(
            [
                f"{loaded.folder / 'inputs.py'}: the values of exercise {name!r} go into a "
                "student's own notebook: use numbers, strings, lists, arrays and tensors only"
                for name in strange
            ]
        )
    return found


def _only_in_the_box(value: Value) -> bool:
    if isinstance(value, Items):
        return any(map(_only_in_the_box, value.items))
    if isinstance(value, MappingValue):
        return any(_only_in_the_box(part) for item in value.items for part in item)
    return isinstance(value, ConstructedObject | Module)


def _argument(value: Any) -> Value:
    return value if isinstance(value, ConstructedObject) else to_wire(value)


def _unsendable(value: Value) -> Iterator[str]:
    if isinstance(value, ConstructedObject):
        for part in value.args:
            yield from _unsendable(part)
    elif isinstance(value, Opaque):
        yield (
            f"an argument of type {value.type} cannot be sent to the sandbox: use numbers, "
            "strings, lists, arrays, tensors or data frames"
        )
    elif isinstance(value, DataFrame):
        if bad := not_rebuilt(value):
            yield bad
    elif isinstance(value, Module) and value.type not in _MODULES:
        yield (
            f"a module of type {value.type} cannot be sent to the sandbox: use one of "
            f"{', '.join(_MODULES)}"
        )
    elif isinstance(value, Items | MappingValue):
        for item in value.items:
            for part in item if isinstance(item, tuple) else (item,):
                yield from _unsendable(part)


def _packages_in(spec: Assignment, folder: Path) -> tuple[str, ...]:
    own = (folder / "inputs.py", folder / "checks.py", _solution(spec, folder))
    return packages_of(spec, own)


def _solution(spec: Assignment, folder: Path) -> Path:
    beside = folder / "solution.py"
    name = "solution.py" if spec.brought is None else "solution.ipynb"
    return beside if beside.is_file() else _solutions(spec, folder) / name


def _solutions(spec: Assignment, folder: Path) -> Path:
    inside = folder / "solution.py"
    return folder if inside.is_file() else _root(folder) / "solutions" / spec.id


def _root(folder: Path) -> Path:
    return folder.parent.parent


def _functions(path: Path, problems: list[str]) -> Relations | None:
    """Public functions that a file defines itself, if it is there; None if it is broken."""
    if not path.is_file():
        return {}
    try:
        return functions_of(path.read_bytes(), str(path))
    except SyntaxError as bad:
        problems.append(unparsed(bad.filename or str(path), bad))
        return None
    except Exception as bad:  # noqa: BLE001  an instructor's code: reported, not passed on
        problems.append(f"{path}: cannot be imported: {type(bad).__name__}: {bad}")
        return None
