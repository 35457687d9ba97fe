"""Variants of a solution: known mistakes and equivalent answers, one exercise each.

The file is plain Python. Its first line is ``# exercise_id: title``. A line ``# also: other_id,
...`` may follow, if a mistake costs points in other exercises too, or ``# not with: name, ...``, if
an equivalent does not fit an earlier or later one (``turns_*`` for all names with this beginning),
or repeats what is wrong in an exercise (its id), against the advice of the text. The comment lines
that follow are the explanation; the rest is the code.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from autograder.errors import SpecError
from autograder.notebook.structure.names import not_python, parse
from autograder.notebook.structure.regions import MarkError, find_regions
from autograder.notebook.submission import NotebookCell, Submission

_HEADER = re.compile(r"#\s*([A-Za-z][A-Za-z0-9_-]{0,63}):\s+(\S.*?)\s*")


@dataclass(frozen=True, slots=True)
class Variant:
    """``tell`` is written for the student if the variant is a mistake; ``apart`` names the
    equivalents of other exercises with which this one does not make a working notebook."""

    name: str
    exercise: str
    title: str
    tell: str
    code: str
    also: tuple[str, ...] = ()
    apart: tuple[str, ...] = ()


def read_variant(path: Path) -> Variant:
    """Read one variant file; raises SpecError naming the file and the line."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as bad:
        raise SpecError([f"{path}: cannot be read ({bad})"]) from None
    lines = text.split("\n")
    header = _HEADER.fullmatch(lines[0])
    if header is None:
        raise SpecError([f"{path}, line 1: must read '# exercise_id: title', not {lines[0]!r}"])
    end = next((at for at in range(1, len(lines)) if not lines[at].startswith("#")), len(lines))
    said = [line.lstrip("#").strip() for line in lines[1:end]]
    also, apart = _declared(said, "also:"), _declared(said, "not with:")
    tell = " ".join(said).strip()
    rest = "\n".join(lines[end:])
    code = rest.strip("\n")
    problems = []
    if not tell:
        problems.append(f"{path}, line 2: comment lines with the explanation must follow here")
    if not code.strip():
        problems.append(f"{path}, line {end}: there is no code after the comments")
    elif parse(code) is None:
        line, reason = not_python(code)
        at = end + len(rest) - len(rest.lstrip("\n")) + line
        problems.append(f"{path}, line {at}: not valid Python ({reason}); correct this line")
    if problems:
        raise SpecError(problems)
    return Variant(path.stem, header[1], header[2], tell, code + "\n", also, apart)


def _declared(said: list[str], word: str) -> tuple[str, ...]:
    """The names after a word that begins the first line, which is removed."""
    if not said or not said[0].startswith(word):
        return ()
    names = said.pop(0).removeprefix(word).split(",")
    return tuple(name.strip() for name in names if name.strip())


def read_variants(folder: Path) -> tuple[Variant, ...]:
    """All variants of a folder by name; none if there is no folder. Raises SpecError with
    the problems of every file."""
    variants = []
    problems: list[str] = []
    for path in sorted(folder.glob("*.py")):
        try:
            variants.append(read_variant(path))
        except SpecError as bad:
            problems.extend(bad.problems)
    if problems:
        raise SpecError(problems)
    return tuple(variants)


def apply_variant(solution: Submission, variant: Variant) -> Submission:
    """The solution with the variant's code as its exercise's cell, and with its own digest.

    Raises SpecError unless the exercise has exactly one solution cell.
    """
    cells = solution_cells(solution, variant.exercise)
    if len(cells) != 1:
        raise SpecError(
            [
                f"{variant.name}: {solution.file} has {len(cells)} solution cells for exercise "
                f"{variant.exercise!r}; there must be exactly one"
            ]
        )
    place = cells[0].number
    return msgspec.structs.replace(
        solution,
        file=f"{variant.name}.py",
        sha256=_digest((solution.sha256, variant.exercise, variant.code)),
        cells=tuple(
            msgspec.structs.replace(cell, source=variant.code) if cell.number == place else cell
            for cell in solution.cells
        ),
    )


def solution_cells(solution: Submission, exercise: str) -> tuple[NotebookCell, ...]:
    """The cells that hold an exercise's solution; a complete assignment has one."""
    own = (cell for cell in solution.cells if cell.kind == "code" and cell.exercise == exercise)
    tagged = tuple(own)
    return tagged if len(tagged) < 2 else tuple(c for c in tagged if has_region(c.source))


def has_region(source: str) -> bool:
    """Whether a cell has solution regions, all of them well marked."""
    try:
        return bool(find_regions(source))
    except MarkError:
        return False


def _digest(parts: Iterable[str]) -> str:
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()
