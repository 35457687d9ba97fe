"""What `autograder export` makes of an assignment, for tools that grade it elsewhere, and of
results folders for a course of nbgrader's."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.assignment.load import load
from autograder.assignment.read import find
from autograder.commands.console import CORES, TREES, err, out, say
from autograder.errors import UsageError
from autograder.execution.engines.local import Local
from autograder.files import write_atomic
from autograder.gradebook.rounding import written
from autograder.interop.gradescope.export import SEED_BITS, PackageOptions, made_package
from autograder.interop.nbgrader.export import course_export, course_trees
from autograder.interop.otter.export.export import otter_assignment
from autograder.reports.terminal.progress import progress


def pack(
    form: str, what: Sequence[Path], target: Path, url: str, wish: PackageOptions, *, zeros: bool
) -> None:
    """Write a package and say what it is; ``wish``: how, for Gradescope, and the seed for all;
    ``zeros``: a course's grades.csv counts what is missing as 0.

    Raises ``UsageError``, ``SpecError``."""
    if form == TREES:
        trees = course_trees(what, url, zeros=zeros)
        _write(target, {str(path): data for path, data in trees.files.items()}, trees.notes)
        return
    loaded = load(find(str(what[0]), Path.cwd()))
    if form == "gradescope":
        made = made_package(loaded, wish)
        write_atomic(target, made.data)
        say(out, f"wrote {target}: {written(made.possible)} points by the grader")
        if made.by_hand:
            say(err, f"{written(made.by_hand)} points are a person's: give them in Gradescope")
    elif form == "nbgrader":
        exported = course_export(loaded)
        files = {str(path): data for path, data in exported.files.items()}
        _write(target, files, exported.notes)
    else:
        seed = wish.seed if wish.seed is not None else secrets.randbits(SEED_BITS)
        with progress(err) as bar:
            otter = otter_assignment(loaded, Local(CORES), bar.report, seed=seed)
        _write(target, otter.files, otter.notes)


def _write(target: Path, files: Mapping[str, bytes], notes: Sequence[str]) -> None:
    """Write files below a folder. Raises ``UsageError`` where that is a file."""
    if target.is_file():
        raise UsageError(f"{target} is a file; give a folder with --out")
    for path, data in files.items():
        write_atomic(target / path, data)
    say(out, f"wrote {len(files)} files below {target}")
    for note in notes:
        say(err, note)
