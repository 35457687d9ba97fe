"""The fingerprints of a submission: digests of its statements, of their parts, and of pairs of
statements where one uses the other.

Covered: bounds on the size of a cell and of a submission, and on the depth of an expression; code
beyond them, or that is not Python, is compared by its words. Student code is parsed, never run.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from autograder.notebook.structure.names import parse
from autograder.similarity.model import CodeCell, CodeLines, Fingerprints, Fragment, HandInCode
from autograder.similarity.naming import Naming, imports, naming
from autograder.similarity.normal import Node, digest, signature
from autograder.similarity.pieces import CodePiece, in_use, pieces

MAX_CHARACTERS = 60_000  # per submission
MAX_FRAGMENTS = 20_000
STATEMENT, PART = 3, 5  # minimum number of nodes of a statement, and of a part of one
SHARE_OF_PART, SHARE_OF_USE = 0.25, 0.5

_EVERYBODYS = frozenset(dir(builtins)) | frozenset(keyword.kwlist)
LENGTH = 8  # words in one fragment
MAX_WORDS = 8_000  # per submission

_WORD = re.compile(
    r"(?P<space>[ \t\f\r\\]+|#[^\n]*)|(?P<line>\n)"
    r"|(?P<text>[rbfuRBFU]{0,2}(?:'''[^\\]*?'''|\"\"\"[^\\]*?\"\"\"|'[^'\n\\]*'|\"[^\"\n\\]*\"))"
    r"|(?P<name>[^\W\d]\w*)|(?P<number>\d[\w.]*)|(?P<sign>.)",
)


@dataclass(frozen=True, slots=True)
class Given:
    """What the template contains: names that are kept, imports, and fragments with their counts."""

    names: frozenset[str]
    imported: Mapping[str, str]
    structure: Counter[int]
    words: Counter[int]


def given_by(template: HandInCode, asked: Iterable[str]) -> Given:
    """The contents of a template. ``asked``: the names that the assignment asks for."""
    trees = [tree for cell in template.cells if (tree := parse(cell.source))]
    imported: dict[str, str] = {}
    names = {one.split(".")[0] for one in asked}
    for tree in trees:
        for part in tree.body:
            if isinstance(part, ast.Import | ast.ImportFrom):
                imported.update(imports(part))
            elif isinstance(part, ast.FunctionDef | ast.ClassDef):
                names.add(part.name)
    bare = Given(frozenset(names), imported, Counter(), Counter())
    own = fingerprints(template, bare)
    return Given(
        bare.names,
        imported,
        Counter(one.digest for one in own.structure),
        Counter(word.digest for word in own.words),
    )


def fingerprints(code: HandInCode, given: Given) -> Fingerprints:
    """The fragments of all cells that belong to exercises, without those of the template.

    Never fails, whatever the cells contain.
    """
    own = _ordered(code)
    slices = {e: tuple(c.number for c in code.of(e)) for c in own for e in c.exercises}
    trees: dict[int, ast.Module] = {}
    left = MAX_CHARACTERS
    for cell in own:
        left -= len(cell.source)
        # A large hand-in is not taken apart.
        tree = parse(cell.source) if left >= 0 else None
        if tree is not None:
            trees[cell.number] = tree
    names = naming([*trees.values(), *_importing(code, own)], given.names, given.imported)
    made = list(_structure(own, trees, names))[:MAX_FRAGMENTS]
    known = _EVERYBODYS | given.names | frozenset(names.imported)
    known |= names_in(" ".join(names.imported.values()))
    spoken = [
        fragment
        for cell in own
        for fragment in word_fragments(_cut(cell.source), cell.number, known)
    ]
    return Fingerprints(
        code.student,
        len(trees) == len(own),
        _without(made, given.structure),
        _without(spoken[:MAX_FRAGMENTS], given.words),
        slices,
    )


def _ordered(code: HandInCode) -> list[CodeCell]:
    """The cells that belong to an exercise, by exercise and then by number: the order of the cells
    in the notebook does not matter."""
    asked = list(dict.fromkeys(sorted(e for cell in code.cells for e in cell.exercises)))
    found = [one for exercise in asked for one in code.of(exercise)]
    return list({one.number: one for one in found}.values())


def _importing(code: HandInCode, own: Iterable[CodeCell]) -> Iterator[ast.Module]:
    """The imports in other cells."""
    done = {one.number for one in own}
    for cell in code.cells:
        if cell.number in done or "import" not in cell.source:
            continue
        if len(cell.source) <= MAX_CHARACTERS and (tree := parse(cell.source)):
            found = [one for one in tree.body if isinstance(one, ast.Import | ast.ImportFrom)]
            yield ast.Module(body=list(found), type_ignores=[])


def _structure(
    cells: Iterable[CodeCell], trees: Mapping[int, ast.Module], names: Naming
) -> Iterator[Fragment]:
    made: dict[str, int] = {}  # own name -> the statement that last bound it
    read = [cell.number for cell in cells if cell.number in trees]
    found = [piece for number in read for piece in pieces(trees[number], number, names)]
    for piece in in_use(found):
        yield from _fragments(piece, made)


def _fragments(piece: CodePiece, made: dict[str, int]) -> Iterator[Fragment]:
    mark = signature(piece.root)
    if piece.root.size >= STATEMENT:
        yield Fragment(mark, piece.place, 1.0, True)
        for name in sorted(piece.loads):
            if name in made:
                yield Fragment(digest(f"{made[name]}>{mark}"), piece.place, SHARE_OF_USE, False)
    yield from (Fragment(d, piece.place, SHARE_OF_PART, False) for d in _parts(piece.root))
    for numbers in piece.tables:
        yield Fragment(digest(repr(sorted(numbers))), piece.place, 1.0, True)
    made.update(dict.fromkeys(piece.stores, mark))


def _parts(root: Node) -> Iterator[int]:
    pending = list(root.kids)
    while pending:
        one = pending.pop()
        if one.size >= PART:
            yield one.flat
            pending.extend(one.kids)


def _without(fragments: Iterable[Fragment], template: Counter[int]) -> tuple[Fragment, ...]:
    """Without the template's fragments, as often as they occur there."""
    left = template.copy()
    kept = []
    for fragment in fragments:
        if left[fragment.digest] > 0:
            left[fragment.digest] -= 1
        else:
            kept.append(fragment)
    return tuple(kept)


def _cut(source: str) -> str:
    return source[:MAX_CHARACTERS]


def word_fragments(source: str, cell: int, known: frozenset[str]) -> Iterator[Fragment]:
    """Every run of ``LENGTH`` words. ``known``: names that are not the author's own.

    Words are names, numbers, signs and texts, without comments and white space. Names that the
    author chose are alike, and so are numbers and texts.
    """
    found = list(_words(source, known))
    for at in range(len(found) - LENGTH + 1):
        run = found[at : at + LENGTH]
        text = " ".join(word for word, _ in run)
        yield Fragment(digest(text), CodeLines(cell, run[0][1], run[-1][1]), 1 / LENGTH, True)


def names_in(source: str) -> frozenset[str]:
    """Every name in a text."""
    return frozenset(re.findall(r"[^\W\d]\w*", source))


def _words(source: str, known: frozenset[str]) -> Iterator[tuple[str, int]]:
    """The words with their lines, at most ``MAX_WORDS``."""
    line, count, before = 1, 0, ""
    for match in _WORD.finditer(source):
        kind, text = match.lastgroup, match.group()
        if kind not in ("space", "line"):
            word = text
            if kind == "name" and before != "." and text not in known:
                word = "·"
            elif kind in ("text", "number"):
                word = kind
            yield word, line
            before = text
            count += 1
            if count >= MAX_WORDS:
                return
        line += text.count("\n")
