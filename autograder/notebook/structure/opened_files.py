"""Which files the code of a notebook opens, as far as their names are written in it.

Covered: literal paths, paths joined from literals (``Path``, ``/``, ``os.path.join``, ``+``,
f-strings) and names bound to such; calls that read, those that write; imported modules; ``%run``.
Not covered: paths that are known only when the code runs.
"""

from __future__ import annotations

import ast
import contextlib
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from autograder.notebook.structure.names import parse

Use = Literal["reads", "lists", "writes", "imports", "names"]
_READS = frozenset(
    """
    open read_csv read_table read_fwf read_json read_excel read_parquet read_feather read_pickle
    read_hdf read_stata read_xml read_orc load loadtxt genfromtxt fromfile memmap imread loadmat
    read_text read_bytes ZipFile TarFile read_image read_file open_dataset
    """.split()
)
_LISTS = frozenset(
    "iterdir listdir scandir glob rglob iglob walk ImageFolder DatasetFolder".split()
)
_OPENS = frozenset(("open", "ZipFile", "TarFile"))  # the second argument says whether they write
_WRITES = re.compile(
    r"to_(csv|json|excel|parquet|pickle|feather|hdf|stata|xml|orc)"
    r"|save\w*|imsave|imwrite|write_\w+|mkdir|makedirs|touch|tofile|remove|unlink|rename|dump"
)
_PATHS = frozenset(("Path", "PurePath", "PosixPath", "PurePosixPath"))
_SAME = frozenset(("str", "fspath", "resolve", "absolute", "expanduser", "as_posix"))
_RUN = re.compile(r"^\s*%(?:run|load)\s+(?:-\w+\s+)*['\"]?([^\s'\"]+)", re.MULTILINE)
_KEYWORDS = frozenset(("filepath_or_buffer", "file", "fname", "path", "filename", "io", "root"))
_MOST = 1_000  # characters of a path


@dataclass(frozen=True, slots=True)
class FileMention:
    """A path, with "/" between folders, or a module's name, at a place ("cell 3") in the code, and
    what is done with it there."""

    path: str
    place: str
    use: Use


def mentions(sources: Iterable[tuple[str, str]]) -> tuple[FileMention, ...]:
    """What the code mentions, each once. ``sources``: places with their code, in the order in which
    it runs."""
    known: dict[str, str] = {}
    found: dict[FileMention, None] = {}
    for place, source in sources:
        for name in _RUN.findall(source):
            found[FileMention(name, place, "reads")] = None
        tree = parse(source)
        if tree is None:
            continue
        with contextlib.suppress(RecursionError):
            _bind(tree, known)
            for path, use in _uses(tree, known):
                if path and len(path) <= _MOST and "\n" not in path:
                    found[FileMention(path, place, use)] = None
    return tuple(found)


def _bind(tree: ast.AST, known: dict[str, str]) -> None:
    """Names that the code binds to a path; one that is bound to anything else is forgotten."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        target = node.targets[0]
        if isinstance(target, ast.Name):
            value = _path(node.value, known)
            if value is None:
                known.pop(target.id, None)
            else:
                known[target.id] = value


def _uses(tree: ast.AST, known: dict[str, str]) -> Iterator[tuple[str, Use]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name.split(".")[0], "imports") for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.split(".")[0], "imports"
        elif isinstance(node, ast.Call):
            yield from _called(node, known)
        elif isinstance(node, ast.expr):
            value = _path(node, known)
            if value is not None:
                yield value, "names"


def _called(node: ast.Call, known: dict[str, str]) -> Iterator[tuple[str, Use]]:
    """The paths that a call is given, or whose method it is."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
    name = node.func.id if isinstance(node.func, ast.Name) else name
    arguments = [*node.args, *(k.value for k in node.keywords if k.arg in _KEYWORDS)]
    paths = [path for argument in arguments[:2] if (path := _path(argument, known)) is not None]
    own = _path(node.func.value, known) if isinstance(node.func, ast.Attribute) else None
    if _WRITES.fullmatch(name) or (name in _OPENS and _writing(node, method=own is not None)):
        yield from ((path, "writes") for path in (*paths, *([own] if own else [])))
    elif name in _READS | _LISTS and (own is not None or paths):
        use: Use = "lists" if name in _LISTS else "reads"
        if own is None:
            yield paths[0], use
        else:
            yield (f"{own}/{paths[0]}" if name in ("glob", "rglob") and paths else own), use
    elif (value := _path(node, known)) is not None:
        yield value, "names"


def _writing(node: ast.Call, *, method: bool) -> bool:
    """Whether a call of ``open`` or the like may write."""
    at = 0 if method else 1
    given = [k.value for k in node.keywords if k.arg == "mode"] or node.args[at : at + 1]
    mode = given[0].value if given and isinstance(given[0], ast.Constant) else "r"
    return isinstance(mode, str) and bool(set(mode) & set("wax"))


def _path(node: ast.AST, known: dict[str, str]) -> str | None:
    """The path that an expression is, if it is made of literals and known names."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.Name(id=name):
            return known.get(name)
        case ast.JoinedStr(values=parts):
            texts = [_path(part, known) for part in parts]
            return None if None in texts else "".join(filter(None, texts))
        case ast.FormattedValue(value=value, format_spec=None):
            return _path(value, known)
        case ast.BinOp(left=left, op=ast.Add() | ast.Div() as op, right=right):
            return _joined([left, right], known, "" if isinstance(op, ast.Add) else "/")
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=args) if args:
            if name in _PATHS or (name == "join" and _of_os(node)):
                return _joined(args, known, "/")
            if name == "joinpath" and isinstance(node.func, ast.Attribute):
                return _joined([node.func.value, *args], known, "/")
            return _path(args[0], known) if name in _SAME else None
        case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _SAME:
            return _path(value, known)
    return None


def _of_os(node: ast.AST) -> bool:
    """Whether a call of ``join`` is that of ``os.path``, and not a text's."""
    match node:
        case ast.Call(func=ast.Name()):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Attribute(attr="path") | ast.Name(id="path"))):
            return True
    return False


def _joined(nodes: Iterable[ast.AST], known: dict[str, str], between: str) -> str | None:
    """The path that several expressions make together. An absolute part begins anew, as for
    ``pathlib``."""
    whole = ""
    for node in nodes:
        part = _path(node, known)
        if part is None:
            return None
        anew = not whole or (between and part.startswith("/"))
        whole = part if anew else f"{whole.rstrip('/') if between else whole}{between}{part}"
    return whole
