"""A package for Gradescope: an assignment, the grader itself, and pinned versions of everything
else."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import metadata

from autograder.assignment.kinds import BY_HAND
from autograder.assignment.load import Loaded
from autograder.assignment.model import thousandths
from autograder.authoring.packages.needed_files import DISTRIBUTION, ROOT
from autograder.authoring.packages.wheels import grader_wheel, needs_of, project_needs
from autograder.classroom.personal_values import refuse_personal
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

SEED_BITS = 48
MOST_S = 86_400.0
LEFT_OUT = ("__pycache__", "examples")  # folders that grading does not need


@dataclass(frozen=True, slots=True)
class PackageOptions:
    """Options of the command line. ``seed`` None draws one; ``packages``: pip requirements that
    students may import; see ``Settings`` for the rest."""

    hidden: Hidden = "summary"
    seed: int | None = None
    notebook: str = ""
    limit_s: float = 600.0
    memory_mb: int = 0
    require: Require = "medium"
    late: bool = False
    packages: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class BuiltPackage:
    """The package, and the most points given by the grader and by hand, in thousandths."""

    data: bytes
    possible: int
    by_hand: int


def made_package(loaded: Loaded, wish: PackageOptions) -> BuiltPackage:
    """The package of one assignment. Raises ``UsageError``, ``SpecError``."""
    refuse_personal(loaded, "on Gradescope")
    if wish.hidden not in HIDDEN:
        raise UsageError(f"--hidden {wish.hidden}: use one of {', '.join(HIDDEN)}")
    if not LEAST_S <= wish.limit_s <= MOST_S:
        raise UsageError(f"--limit {wish.limit_s:g}: give {LEAST_S:g} to {MOST_S:g} seconds")
    if wish.late and loaded.spec.late is None:
        raise UsageError(f"{loaded.spec.id} has no late policy to apply; leave --late out")
    settings = Settings(
        FORMAT,
        loaded.spec.id,
        secrets.randbits(SEED_BITS) if wish.seed is None else wish.seed,
        hidden=wish.hidden,
        notebook=wish.notebook,
        limit_s=wish.limit_s,
        margin_s=min(MARGIN_S, wish.limit_s / 4),
        memory_mb=wish.memory_mb,
        require=wish.require,
        late=wish.late,
    )
    possible, by_hand = _points(loaded)
    required = {name for exercise in loaded.spec.exercise for name in exercise.requires}
    packages = sorted({*needs_of(sorted({*required, *loaded.packages})), *wish.packages})
    parts = Parts(
        settings,
        dict(course_files(loaded)),
        grader_wheel(),
        pinned_versions(),
        project_needs(),
        packages,
        possible,
    )
    return BuiltPackage(gradescope_package(parts), possible, by_hand)


def course_files(loaded: Loaded) -> Iterator[tuple[str, bytes]]:
    """The assignment's folder, its solutions and its template, by name below course/."""
    id_ = loaded.spec.id
    folders = {f"assignments/{id_}": loaded.folder}
    if loaded.solutions != loaded.folder:
        folders[f"solutions/{id_}"] = loaded.solutions
    for name, folder in folders.items():
        for path in sorted(folder.rglob("*")):
            parts = path.relative_to(folder).parts
            kept = not parts[0].startswith(".") and parts[0] not in LEFT_OUT
            kept = kept and "__pycache__" not in parts
            if kept and path.is_file():
                yield f"{name}/{'/'.join(parts)}", path.read_bytes()
    if loaded.template.is_file():
        yield f"student_templates/{id_}.ipynb", loaded.template.read_bytes()


def pinned_versions() -> str:
    """The project's constraints if they are next to it, else the versions installed here."""
    beside = ROOT.parent / "constraints.txt"
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    found = {dist.name: dist.version for dist in metadata.distributions() if dist.name}
    return "".join(f"{name}=={found[name]}\n" for name in sorted(found) if name != DISTRIBUTION)


def _points(loaded: Loaded) -> tuple[int, int]:
    """The most points by the grader and by hand, without stretch exercises."""
    checks = [c for e in loaded.spec.exercise if not e.stretch for c in e.check]
    by_hand = sum(thousandths(c.points) for c in checks if c.kind in BY_HAND)
    return sum(thousandths(c.points) for c in checks) - by_hand, by_hand
