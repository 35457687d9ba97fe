"""A package for Gradescope: an assignment, the grader itself, and pinned versions of all else."""

from __future__ import annotations

import re
import secrets
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata

from autograder.errors import UsageError
from autograder.interop.gradescope.package import Parts, gradescope_package
from autograder.interop.gradescope.settings import (
    FORMAT,
    HIDDEN,
    LEAST_S,
    MARGIN_S,
    Hidden,
    Require,
    Settings,
)
from autograder.packaging import PROJECT, ROOT
from autograder.spec.kinds import BY_HAND
from autograder.spec.load import Loaded
from autograder.spec.model import thousandths
from autograder.wheel import wheel_bytes

SEED_BITS = 48
LEFT_OUT = ("__pycache__", "examples")  # folders that grading does not need

_EXTRA = re.compile(r"\bextra\s*==")


@dataclass(frozen=True, slots=True)
class Wish:
    """What the command line asks for. ``seed`` None draws one; ``packages``: what students may
    import, as pip has it; see ``Settings`` for the rest."""

    hidden: Hidden = "summary"
    seed: int | None = None
    notebook: str = ""
    limit_s: float = 600.0
    memory_mb: int = 0
    require: Require = "medium"
    late: bool = False
    packages: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Made:
    """The package, and the points that the grader gives in it and that a person gives beside,
    in thousandths."""

    data: bytes
    possible: int
    by_hand: int


def made_package(loaded: Loaded, wish: Wish) -> Made:
    """The package of one assignment. Raises ``UsageError``, ``SpecError``."""
    if wish.hidden not in HIDDEN:
        raise UsageError(f"--hidden {wish.hidden}: use one of {', '.join(HIDDEN)}")
    if wish.limit_s < LEAST_S:
        raise UsageError(f"--limit {wish.limit_s:g}: at least {LEAST_S:g} seconds are needed")
    if wish.late and loaded.spec.late is None:
        raise UsageError(f"{loaded.spec.id} has no late policy to apply; leave --late out")
    settings = Settings(
        FORMAT, loaded.spec.id, secrets.randbits(SEED_BITS) if wish.seed is None else wish.seed,
        hidden=wish.hidden, notebook=wish.notebook, limit_s=wish.limit_s,
        margin_s=min(MARGIN_S, wish.limit_s / 4), memory_mb=wish.memory_mb,
        require=wish.require, late=wish.late,
    )  # fmt: skip
    possible, by_hand = _points(loaded)
    required = {name for exercise in loaded.spec.exercise for name in exercise.requires}
    packages = sorted(required | set(wish.packages))
    parts = Parts(
        settings, dict(course_files(loaded)), grader_wheel(), pinned_versions(), project_needs(),
        packages, possible,
    )  # fmt: skip
    return Made(gradescope_package(parts), possible, by_hand)


def course_files(loaded: Loaded) -> Iterator[tuple[str, bytes]]:
    """The assignment's folder, its solutions and its template, by name below course/."""
    id_ = loaded.spec.id
    folders = {f"assignments/{id_}": loaded.folder}
    if loaded.solutions != loaded.folder:
        folders[f"solutions/{id_}"] = loaded.solutions
    for name, folder in folders.items():
        for path in sorted(folder.rglob("*")):
            parts = path.relative_to(folder).parts
            kept = not any(part.startswith(".") or part in LEFT_OUT for part in parts)
            if kept and path.is_file():
                yield f"{name}/{'/'.join(parts)}", path.read_bytes()
    if loaded.template.is_file():
        yield f"student_templates/{id_}.ipynb", loaded.template.read_bytes()


def grader_wheel() -> tuple[str, bytes]:
    """A wheel of the grader as it is installed here: its file's name and its bytes."""
    version = metadata.version(PROJECT)
    info = f"{PROJECT}-{version}.dist-info"
    described = [
        "Metadata-Version: 2.1",
        f"Name: {PROJECT}",
        f"Version: {version}",
        f"Requires-Python: {metadata.metadata(PROJECT)['Requires-Python']}",
        *(f"Requires-Dist: {line}" for line in project_needs()),
    ]
    tags = ["Wheel-Version: 1.0", f"Generator: {PROJECT}", "Root-Is-Purelib: true"]
    files: Mapping[str, bytes] = {
        **_modules(),
        f"{info}/METADATA": _lines(described),
        f"{info}/WHEEL": _lines([*tags, "Tag: py3-none-any"]),
        f"{info}/entry_points.txt": _lines(
            ["[console_scripts]", f"{PROJECT} = {PROJECT}.__main__:main"]
        ),
        f"{info}/top_level.txt": _lines([PROJECT]),
    }
    return f"{PROJECT}-{version}-py3-none-any.whl", wheel_bytes(files)


def pinned_versions() -> str:
    """The project's constraints where they lie beside it, else the versions installed here."""
    beside = ROOT.parent / "constraints.txt"
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    found = {dist.name: dist.version for dist in metadata.distributions() if dist.name}
    return "".join(f"{name}=={found[name]}\n" for name in sorted(found) if name != PROJECT)


def project_needs() -> list[str]:
    """What the project says that it needs, extras apart; an editable install may know it of old."""
    beside = ROOT.parent / "pyproject.toml"
    if beside.is_file():
        project = tomllib.loads(beside.read_text(encoding="utf-8"))["project"]
        return [*map(str, project["dependencies"])]
    return [line for line in metadata.requires(PROJECT) or () if not _EXTRA.search(line)]


def _modules() -> dict[str, bytes]:
    """The grader's files, by their names in the wheel."""
    paths = (path for path in sorted(ROOT.rglob("*")) if "__pycache__" not in path.parts)
    return {p.relative_to(ROOT.parent).as_posix(): p.read_bytes() for p in paths if p.is_file()}


def _points(loaded: Loaded) -> tuple[int, int]:
    """What the grader and what a person gives at most, stretch exercises apart."""
    checks = [c for e in loaded.spec.exercise if not e.stretch for c in e.check]
    by_hand = sum(thousandths(c.points) for c in checks if c.kind in BY_HAND)
    return sum(thousandths(c.points) for c in checks) - by_hand, by_hand


def _lines(lines: list[str]) -> bytes:
    return ("\n".join(lines) + "\n").encode()
