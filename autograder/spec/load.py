"""assignment.toml, inputs.py and checks.py to one ``Loaded`` assignment, or every problem."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import tomllib
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numpy as np
from pydantic import ValidationError

from autograder.errors import SpecError, UsageError
from autograder.spec.measured import FILE as MEASURED
from autograder.spec.measured import NONE, Wanted, fill
from autograder.spec.model import Assignment
from autograder.wire.tensors import to_wire
from autograder.wire.values import Items, Made, Module, Opaque, Value
from autograder.wire.values import Mapping as MappingValue

Case = tuple[Value, ...]
Cases = Mapping[str, tuple[Case, ...]]
Relations = Mapping[str, Callable[..., Any]]
FILE = "assignment.toml"
_MODULES = ("Embedding",)  # library modules that the box can rebuild from their tables


@dataclass(frozen=True, slots=True)
class Loaded:
    """An assignment with its code: generators make inputs, relations judge evidence."""

    spec: Assignment
    folder: Path
    generators: Mapping[str, Callable[[np.random.Generator], Any]]
    relations: Relations
    digest: str
    wanted: Wanted = NONE  # measured tolerances

    @property
    def solution(self) -> Path:
        """The solution notebook: solutions/<id>/solution.py, or solution.py in the folder."""
        beside = self.folder / "solution.py"
        name = "solution.py" if self.spec.brought is None else "solution.ipynb"
        return beside if beside.is_file() else self.solutions / name

    @property
    def solutions(self) -> Path:
        """The folder that holds the solution, the known mistakes and the equivalents."""
        inside = self.folder / "solution.py"
        return self.folder if inside.is_file() else _root(self.folder) / "solutions" / self.spec.id

    @property
    def template(self) -> Path:
        """Where the generated student notebook belongs."""
        return _root(self.folder) / "student_templates" / f"{self.spec.id}.ipynb"


def find(name: str, start: Path) -> Path:
    """The folder of an assignment given by id or by path; raises ``UsageError``."""
    path = Path(name)
    if (path / FILE).is_file():
        return path.resolve()
    roots = [start, *start.parents, Path(__file__).resolve().parents[2]]
    for root in roots:
        if (root / "assignments" / name / FILE).is_file():
            return (root / "assignments" / name).resolve()
    known = sorted(p.parent.name for r in roots for p in (r / "assignments").glob(f"*/{FILE}"))
    listed = ", ".join(dict.fromkeys(known)) or "none was found here"
    raise UsageError(
        f"there is no assignment {name!r}: give a folder that holds {FILE}, or one of the ids "
        f"under assignments/ ({listed})"
    )


def load(folder: Path, *, measuring: bool = False) -> Loaded:
    """Read and check a whole assignment; raises ``SpecError`` with every problem found.

    With ``measuring`` a measured tolerance may be missing: the usual one stands in for it.
    """
    path = folder / FILE
    try:
        text = path.read_text(encoding="utf-8")
        data = tomllib.loads(text)
    except (OSError, UnicodeDecodeError) as bad:
        raise SpecError([f"{path}: cannot be read ({bad})"]) from None
    except tomllib.TOMLDecodeError as bad:
        raise SpecError([f"{path}: not valid TOML: {bad}. Mend that line and run again"]) from None
    wanted, problems = fill(data, folder)
    spec = None
    try:
        spec = Assignment.model_validate(data)
    except ValidationError as bad:
        problems += [
            f"{path}: {_place(e['loc'], data)}: {_remedy(e)}" for e in bad.errors() if not _echo(e)
        ]
    generators, relations = (
        _functions(folder / name, problems) for name in ("inputs.py", "checks.py")
    )
    problems += [f"{path}: {p}" for p in _cross_check(data, generators, relations)]
    if not measuring:
        problems += [f"{path}: {p}" for p in _unmeasured(wanted, folder)]
    if problems or spec is None or generators is None or relations is None:
        raise SpecError(problems)
    digest = hashlib.sha256()
    for file in (path, *(folder / name for name in ("inputs.py", "checks.py", MEASURED))):
        digest.update(file.read_bytes() if file.is_file() else b"")
    return Loaded(spec, folder, generators, relations, digest.hexdigest(), wanted)


def make_cases(loaded: Loaded, seed: int) -> Cases:
    """Every generator's cases for this seed, as wire values; raises ``SpecError``."""
    problems: list[str] = []
    made: dict[str, tuple[Case, ...]] = {}
    for name, generator in loaded.generators.items():
        rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
        place = f"{loaded.folder / 'inputs.py'}: {name}"
        try:
            cases = list(generator(rng))
        except Exception as bad:  # noqa: BLE001  an instructor's code: reported, not passed on
            problems.append(f"{place}: raised {type(bad).__name__}: {bad}")
            continue
        if not cases or not all(isinstance(case, tuple) for case in cases):
            problems.append(f"{place}: must return a list of at least one tuple of arguments")
            continue
        made[name] = tuple(tuple(_argument(argument) for argument in case) for case in cases)
        for case in made[name]:
            problems += [f"{place}: {bad}" for value in case for bad in _unsendable(value)]
    if problems:
        raise SpecError(problems)
    return made


def _argument(value: Any) -> Value:
    return value if isinstance(value, Made) else to_wire(value)


def _unmeasured(wanted: Wanted, folder: Path) -> Iterator[str]:
    for name in sorted(wanted.missing):
        exercise, _, check = name.partition("/")
        yield (
            f'exercise {exercise!r}, check {check!r}: tolerance = "measured", but {MEASURED} has '
            f"none for it; run `autograder validate {folder.name} --measure`"
        )


def _unsendable(value: Value) -> Iterator[str]:
    if isinstance(value, Made):
        for part in value.args:
            yield from _unsendable(part)
    elif isinstance(value, Opaque):
        yield f"an argument of type {value.type} cannot be sent: use numbers, text, lists, tensors"
    elif isinstance(value, Module) and value.type not in _MODULES:
        yield f"a module of type {value.type} cannot be sent: use one of {', '.join(_MODULES)}"
    elif isinstance(value, Items | MappingValue):
        for item in value.items:
            for part in item if isinstance(item, tuple) else (item,):
                yield from _unsendable(part)


def _root(folder: Path) -> Path:
    return folder.parent.parent


def _functions(path: Path, problems: list[str]) -> dict[str, Callable[..., Any]] | None:
    """Public functions that a file defines itself, if it is there; None if it is broken."""
    if not path.is_file():
        return {}
    try:
        module = _import(path)
    except Exception as bad:  # noqa: BLE001  an instructor's code: reported, not passed on
        problems.append(f"{path}: cannot be imported: {type(bad).__name__}: {bad}")
        return None
    members = inspect.getmembers(module, inspect.isfunction)
    own = ((n, f) for n, f in members if f.__module__ == module.__name__)
    return {name: function for name, function in own if not name.startswith("_")}


class _AsItIs(SourceFileLoader):
    """Compiles the text that is there. What Python keeps beside a file tells texts apart by size
    and by the second of writing alone."""

    def get_code(self, fullname: str) -> CodeType:
        return self.source_to_code(self.get_data(self.path), self.path)


def _import(path: Path) -> ModuleType:
    name = f"autograder_assignment_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    loader = _AsItIs(name, str(path))
    spec = importlib.util.spec_from_loader(name, loader)
    if spec is None:
        raise ImportError("not a Python file")
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def _place(location: tuple[int | str, ...], data: Any) -> str:
    """A key path a person can find: exercise and check ids instead of numbers."""
    words: list[str] = []
    node = data
    for part in location:
        if isinstance(part, int):
            node = node[part] if isinstance(node, list) and part < len(node) else None
            name = node.get("id") if isinstance(node, dict) else None
            words[-1] = f"{words[-1]} {name!r}" if name else f"{words[-1]} number {part + 1}"
        elif isinstance(node, dict) and part in node:
            node = node[part]
            words.append(part)
        elif isinstance(node, dict) and node.get("kind") == part:
            continue  # pydantic names the chosen kind of check: the reader knows it
        else:
            words.append(str(part))
    return ", ".join(words) or "the file"


def _remedy(error: Any) -> str:
    if error["type"] == "extra_forbidden":
        return "this key is not known; correct its spelling or remove it"
    if error["type"] == "missing":
        return "this key is required; add it"
    said = error["msg"].removeprefix("Value error, ")
    return f"{said} (found {str(error.get('input'))[:80]!r})"


def _echo(error: Any) -> bool:
    """Whether a list is called too short only because its entries are wrong: told already."""
    short = error["type"] == "too_short" and isinstance(error["input"], list)
    return short and len(error["input"]) >= error["ctx"]["min_length"]


def _cross_check(
    data: Any, generators: Mapping[str, Any] | None, relations: Mapping[str, Any] | None
) -> Iterator[str]:
    """What no key alone can show; reads the plain file, so that it is told with all the rest."""
    exercises = _tables(data, "exercise")
    for name, count in Counter(e["id"] for e in exercises if isinstance(e.get("id"), str)).items():
        if count > 1:
            yield f"exercise {name!r} stands {count} times; every id must be its own"
    for exercise in exercises:
        seen: set[str] = set()
        for check in _tables(exercise, "check"):
            place = f"exercise {exercise.get('id')!r}, check {check.get('id')!r}"
            told = (*_order(check, seen), *_links(check, generators, relations))
            yield from (f"{place}: {problem}" for problem in told)
            seen.add(str(check.get("id")))


def _order(check: Any, seen: set[str]) -> Iterator[str]:
    if str(check.get("id")) in seen:
        yield "stands twice; every check id must be its own within an exercise"
    needs = check.get("needs")
    for need in needs if isinstance(needs, list) else ():
        if str(need) not in seen:
            yield f"needs {need!r}, which is not an earlier check of this exercise"


def _links(
    check: Any, generators: Mapping[str, Any] | None, relations: Mapping[str, Any] | None
) -> Iterator[str]:
    for call in (check, *_tables(check, "calls")):
        others = call.get("alternatives")
        for inputs in (call.get("inputs"), *(others if isinstance(others, list) else ())):
            if isinstance(inputs, str) and generators is not None and inputs not in generators:
                yield f"inputs = {inputs!r}, but inputs.py has no such function"
    for key in ("relation", "statistic"):
        named = check.get(key)
        if isinstance(named, str) and relations is not None and named not in relations:
            yield f"{key} = {named!r}, but checks.py has no such function"


def _tables(node: Any, key: str) -> list[dict[str, Any]]:
    found = node.get(key)
    return [t for t in found if isinstance(t, dict)] if isinstance(found, list) else []
