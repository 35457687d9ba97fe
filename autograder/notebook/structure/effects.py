"""What a cell reads, binds and may change, read from its text: whether it matters what ran before.

Everything here overestimates rather than underestimates. An object that a statement reads may be
changed by it, and may be linked with everything else that the statement reads or binds. A function
reads all names in its body, whatever path a call takes.

Covered: the scopes of Python, definite binding in blocks, imports, plain functions and classes. Not
covered, and given up as ``unread``: code that is not plain Python, ``global``, ``import *``,
``await``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from autograder.notebook.structure.libraries import is_installed, is_quiet, touch_of_attribute
from autograder.notebook.structure.names import MAX_REMEMBERED, parse_plain
from autograder.notebook.structure.scopes import (
    COMPREHENSIONS,
    Function,
    parameters,
    stored,
    targets,
)
from autograder.notebook.structure.statements import in_order

MODULE = "="  # prefix of the path of a module that is imported inside a function
ATTRIBUTE = "."  # prefix of an attribute that has an effect by itself
STUB = "autograder.student.Grader"  # its objects do nothing in the sandbox

_QUIET_MAGIC = re.compile(r"^([ \t]*)(?:%(?:matplotlib|config|load_ext|pip)\b|!).*$", re.M)
_PLAIN_DECORATORS = frozenset({"staticmethod", "property"})
_ALTER = frozenset({"delattr", "setattr"})
_BY_NAME = _ALTER | {"dir", "getattr", "hasattr", "vars"}  # of an object that is passed to them
_GIVEN_UP = (ast.Global, ast.Await, ast.AsyncFor, ast.AsyncWith, ast.AsyncFunctionDef)


@dataclass(frozen=True, slots=True)
class Link:
    """One statement: the names that it binds, and what it reads, as chains ("np.random.rand")."""

    binds: frozenset[str]
    reads: frozenset[str]


@dataclass(frozen=True, slots=True)
class Effects:
    """``exposed``: names that are read before the cell itself has surely bound them. ``links``: its
    statements, except definitions of plain functions and classes, and imports. ``bodies``: for each
    plain function and class what it reads. ``imports``: for a name what it was imported as.
    ``opening``: names that imports bind before anything else can happen. ``varying``: names bound
    to what can be changed. ``altered``: names whose attributes are set; ``alters``: also those of
    objects that are passed on; ``handed``: names used as a value. ``speaks``: it may print or show
    something. ``unread``: nothing is known of it."""

    exposed: frozenset[str] = frozenset()
    links: tuple[Link, ...] = ()
    bodies: Mapping[str, frozenset[str]] = field(default_factory=dict)
    imports: Mapping[str, frozenset[str]] = field(default_factory=dict)
    opening: frozenset[str] = frozenset()
    varying: frozenset[str] = frozenset()
    altered: frozenset[str] = frozenset()
    handed: frozenset[str] = frozenset()
    alters: bool = False
    speaks: bool = False
    unread: bool = False

    @property
    def binds(self) -> frozenset[str]:
        """All names that the cell binds or deletes."""
        return frozenset().union(self.bodies, self.imports, *(link.binds for link in self.links))


UNREAD = Effects(unread=True)


def read_effects(source: str) -> Effects:
    """The effects of a cell; ``UNREAD`` if they cannot be determined. Never fails."""
    if len(source) > MAX_REMEMBERED:
        return UNREAD
    return _remembered(source)


@lru_cache(maxsize=2_048)  # a class shares its template's cells
def _remembered(source: str) -> Effects:
    plain = source if parse_plain(source) is not None else _QUIET_MAGIC.sub(r"\1pass", source)
    tree = parse_plain(plain)
    if tree is None or any(isinstance(node, _GIVEN_UP) for node in ast.walk(tree)):
        return UNREAD
    reading = _Reading(speaks=source != plain)
    try:
        reading.block(tree.body, frozenset())
    except RecursionError:
        return UNREAD
    return reading.effects()


def root(chain: str) -> str:
    """``np`` of ``np.random.rand``."""
    return chain.split(".")[0]


def roots(chains: Iterable[str]) -> frozenset[str]:
    """The names with which chains begin."""
    return frozenset(root(chain) for chain in chains if not chain.startswith((MODULE, ATTRIBUTE)))


@dataclass(slots=True)
class _Reads:
    """What pieces of code read and store, unless it is local to them."""

    chains: set[str] = field(default_factory=set)
    stores: set[str] = field(default_factory=set)
    altered: set[str] = field(default_factory=set)
    handed: set[str] = field(default_factory=set)
    alters: bool = False
    calls: bool = False

    def visit(self, node: ast.AST, hidden: frozenset[str] = frozenset(), own: str = "") -> None:
        """``hidden``: names that are local here. ``own``: the object whose method this is."""
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                self._read(name, hidden)
                self.handed |= {name} - hidden
                return
            case ast.Name(id=name):
                self.stores |= {name} - hidden
                return
            case ast.Attribute():
                self._attribute(node, hidden, own)
                return
            case ast.Call(func=ast.Name(id=name)):
                self._called(name, node.args, hidden)
                self._all([*node.args, *node.keywords], hidden, own)
                return
            case ast.AugAssign(target=ast.Name(id=name)):
                self._read(name, hidden)
            case ast.FunctionDef() | ast.Lambda():
                self._function(node, hidden, own)
                return
            case ast.ClassDef():
                self._class(node, hidden)
                return
            case _ if isinstance(node, COMPREHENSIONS):
                self.visit(node.generators[0].iter, hidden, own)  # in the scope around it
                hidden |= {
                    name for generator in node.generators for name in targets(generator.target)
                }
            case ast.Call():
                self.calls = True
        self._all(ast.iter_child_nodes(node), hidden, own)

    def _all(self, nodes: Iterable[ast.AST], hidden: frozenset[str], own: str) -> None:
        for node in nodes:
            self.visit(node, hidden, own)

    def _read(self, chain: str, hidden: frozenset[str]) -> None:
        if root(chain) not in hidden:
            self.chains.add(chain)

    def _called(self, name: str, arguments: Sequence[ast.expr], hidden: frozenset[str]) -> None:
        self.calls = True
        if name in hidden or name not in _BY_NAME or not arguments:
            self._read(name, hidden)
            return
        self.alters |= name in _ALTER
        for argument in arguments[1:2]:
            if isinstance(argument, ast.Constant) and touch_of_attribute(str(argument.value)):
                self.chains.add(ATTRIBUTE + str(argument.value))

    def _attribute(self, node: ast.Attribute, hidden: frozenset[str], own: str) -> None:
        parts: list[str] = []
        part: ast.expr = node
        while isinstance(part, ast.Attribute):
            parts.append(part.attr)
            part = part.value
        self.chains |= {ATTRIBUTE + name for name in parts if touch_of_attribute(name)}
        name = _root(node)
        if not isinstance(node.ctx, ast.Load) and name != own:
            self.alters |= name in hidden
            self.altered |= {name} - hidden
        if isinstance(part, ast.Name):
            self._read(".".join([part.id, *reversed(parts)]), hidden)
        else:
            self.visit(part, hidden, own)

    def _function(
        self, node: ast.FunctionDef | ast.Lambda, hidden: frozenset[str], own: str
    ) -> None:
        self._all(_head(node), hidden, own)
        inner = hidden | parameters(node)
        if isinstance(node, ast.FunctionDef):
            self.stores |= {node.name} - hidden
            inner |= _local(node.body)
            self.chains |= {MODULE + module for module in _imported_in(node.body)}
        self._all(node.body if isinstance(node.body, list) else [node.body], inner, own)

    def _class(self, node: ast.ClassDef, hidden: frozenset[str]) -> None:
        self.stores |= {node.name} - hidden
        self._all([*node.decorator_list, *node.keywords], hidden, "")
        for base in node.bases:
            self._base(base, hidden)
        kept = set(self.stores)
        for part in node.body:
            self.visit(part, hidden, _itself(part))
        self.chains |= {MODULE + module for module in _imported_in(node.body)}
        self.stores = kept  # names bound in a class body are the class's own

    def _base(self, node: ast.expr, hidden: frozenset[str]) -> None:
        if isinstance(node, ast.Name):
            self._read(node.id, hidden)
        else:
            self.visit(node, hidden)


@dataclass(slots=True)
class _Reading:
    """What has been read of a cell so far. ``open``: nothing but imports until now."""

    exposed: set[str] = field(default_factory=set)
    links: list[Link] = field(default_factory=list)
    bodies: dict[str, set[str]] = field(default_factory=dict)
    imports: dict[str, set[str]] = field(default_factory=dict)
    opening: set[str] = field(default_factory=set)
    varying: set[str] = field(default_factory=set)
    altered: set[str] = field(default_factory=set)
    handed: set[str] = field(default_factory=set)
    alters: bool = False
    speaks: bool = False
    unread: bool = False
    open: bool = True

    def effects(self) -> Effects:
        return Effects(
            frozenset(self.exposed),
            tuple(self.links),
            {name: frozenset(read) for name, read in self.bodies.items()},
            {name: frozenset(paths) for name, paths in self.imports.items()},
            frozenset(self.opening),
            frozenset(self.varying),
            frozenset(self.altered),
            frozenset(self.handed),
            self.alters,
            self.speaks,
            self.unread,
        )

    def block(self, body: Sequence[ast.stmt], bound: frozenset[str]) -> frozenset[str]:
        """Read statements before which these names are surely bound; returns those bound after
        them."""
        for node in body:
            quiet = isinstance(node, ast.Import | ast.ImportFrom) or _is_text(node)
            self.open = self.open and quiet
            bound = self._statement(node, bound)
        return bound

    def _statement(self, node: ast.stmt, bound: frozenset[str]) -> frozenset[str]:
        match node:
            case ast.Import() | ast.ImportFrom():
                return bound | self._import(node)
            case ast.FunctionDef() | ast.ClassDef():
                self._definition(node, bound)
                return bound | {node.name}
            case ast.If(test=test):
                self._piece([test], bound)
                return self.block(node.body, bound) & self.block(node.orelse, bound)
            case ast.While(test=test):
                self._piece([test], bound)
                inside = bound
            case ast.For(target=target):
                self._piece([node.iter, target], bound)
                inside = bound.union(targets(target))
            case ast.With(items=items):
                self._piece(items, bound)
                held = (item.optional_vars for item in items if item.optional_vars is not None)
                self.block(node.body, bound.union(*map(targets, held)))
                return bound  # it may end early without an error
            case ast.Try() | ast.TryStar():
                return self._try(node, bound)
            case ast.Match():
                self._match(node, bound)
                return bound
            case ast.Delete():
                gone = self._piece([node], bound)
                self.exposed |= gone - bound
                return bound - gone
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                return self._assignment(node, bound)
            case _:
                self.speaks |= isinstance(node, ast.Expr)
                self._piece([node], bound)
                return bound
        self.block(node.body, inside)
        self.block(node.orelse, bound)
        return bound

    def _try(self, node: ast.Try | ast.TryStar, bound: frozenset[str]) -> frozenset[str]:
        after = self.block(node.body, bound)
        for handler in node.handlers:
            kind = [handler.type] if handler.type is not None else []
            caught = frozenset({handler.name} if handler.name else ())
            self._piece([*kind, *node.body] if caught else kind, bound, caught)
            self.block(handler.body, bound | caught)
        self.block(node.orelse, after)
        return self.block(node.finalbody, bound)

    def _match(self, node: ast.Match, bound: frozenset[str]) -> None:
        heads = [part for case in node.cases for part in (case.pattern, case.guard) if part]
        caught = frozenset().union(*(stored(part) for part in heads))
        self._piece([node.subject, *heads], bound, caught)
        for case in node.cases:
            self.block(case.body, bound | stored(case.pattern))

    def _assignment(
        self, node: ast.Assign | ast.AnnAssign | ast.AugAssign, bound: frozenset[str]
    ) -> frozenset[str]:
        if isinstance(node, ast.AnnAssign) and node.value is None:
            self._piece([node.annotation], bound)
            return bound
        placed = node.targets if isinstance(node, ast.Assign) else [node.target]
        sure = frozenset[str]().union(*map(targets, placed))
        value = node.value
        fixed = isinstance(node, ast.Assign) and value is not None and self._is_fixed(value)
        self._piece([node], bound, fixed=fixed)
        return bound | sure

    def _piece(
        self,
        nodes: Sequence[ast.AST],
        bound: frozenset[str],
        caught: Iterable[str] = (),
        *,
        fixed: bool = False,
    ) -> frozenset[str]:
        """Read one statement, or the head of a block; returns the names that it binds."""
        reads = _Reads(stores={*caught})
        for node in nodes:
            reads.visit(node)
        return self._take(reads, bound, fixed=fixed)

    def _take(self, reads: _Reads, bound: frozenset[str], *, fixed: bool) -> frozenset[str]:
        self.exposed |= roots(reads.chains) - bound
        self.links.append(Link(frozenset(reads.stores), frozenset(reads.chains)))
        self.varying |= set() if fixed else reads.stores
        self._note(reads)
        self.speaks |= reads.calls
        return frozenset(reads.stores)

    def _note(self, reads: _Reads) -> None:
        self.altered |= reads.altered
        self.handed |= reads.handed
        self.alters |= reads.alters

    def _definition(self, node: ast.FunctionDef | ast.ClassDef, bound: frozenset[str]) -> None:
        whole = _Reads()
        whole.visit(node)
        plain = _is_plain_class(node) if isinstance(node, ast.ClassDef) else _is_plain(node)
        if not plain or any(isinstance(part, ast.NamedExpr) for part in ast.walk(node)):
            self._take(whole, bound, fixed=False)
            return
        at_once = _Reads()
        for part in _at_once(node):
            at_once.visit(part)
        self.exposed |= roots(at_once.chains) - bound
        self.links.append(Link(frozenset(), frozenset(at_once.chains)))
        self.bodies.setdefault(node.name, set()).update(whole.chains)
        self._note(whole)

    def _import(self, node: ast.Import | ast.ImportFrom) -> frozenset[str]:
        found = dict(_imports(node))
        modules = (
            [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else [alias.name for alias in node.names]
        )
        known = all(map(is_quiet, modules)) and not getattr(node, "level", 0)
        self.unread |= not known or "*" in found
        self.open = self.open and all(map(is_installed, modules))
        self.opening |= set(found) if self.open else set()
        for name, path in found.items():
            self.imports.setdefault(name, set()).add(path)
        return frozenset(found)

    def _is_fixed(self, value: ast.expr) -> bool:
        """Whether it is a value that nothing can change."""
        match value:
            case ast.Call(func=ast.Name(id=name)):
                return self.imports.get(name) == {STUB}
            case ast.Constant():
                return True
            case ast.Tuple(elts=elements):
                return all(map(self._is_fixed, elements))
            case ast.UnaryOp(operand=operand):
                return self._is_fixed(operand)
            case ast.BinOp(left=left, right=right):
                return self._is_fixed(left) and self._is_fixed(right)
        return False


def _imports(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """Names that are bound, and what each refers to."""
    for alias in node.names:
        if isinstance(node, ast.ImportFrom):
            yield alias.asname or alias.name, f"{node.module}.{alias.name}"
        elif alias.asname:
            yield alias.asname, alias.name
        else:
            yield root(alias.name), root(alias.name)


def _imported_in(body: Sequence[ast.stmt]) -> Iterator[str]:
    """What is imported inside a function or a class."""
    for node in (part for statement in body for part in ast.walk(statement)):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (path for _, path in _imports(node))


def _local(body: list[ast.stmt]) -> frozenset[str]:
    """Names that a function's own body binds."""
    found: set[str] = set()
    for piece, _ in in_order(body):
        if isinstance(piece, Function | ast.ClassDef):
            found.add(piece.name)
        else:
            found |= stored(piece)
    return frozenset(found)


def _head(node: ast.FunctionDef | ast.Lambda) -> Iterator[ast.AST]:
    """The parts of a definition that run at once: decorators, defaults, annotations."""
    yield from (
        default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None
    )
    if isinstance(node, ast.FunctionDef):
        yield from node.decorator_list
        yield from (
            one.annotation
            for one in ast.walk(node.args)
            if isinstance(one, ast.arg) and one.annotation is not None
        )
        yield from (one for one in (node.returns,) if one is not None)


def _at_once(node: ast.FunctionDef | ast.ClassDef) -> Iterator[ast.AST]:
    """The parts of a plain definition that run at once."""
    if isinstance(node, ast.FunctionDef):
        yield from _head(node)
        return
    yield from node.bases
    for part in node.body:
        yield from _head(part) if isinstance(part, ast.FunctionDef) else [part]


def _is_plain(node: ast.FunctionDef) -> bool:
    """Whether the function keeps nothing from call to call."""
    defaults = [
        default for default in (*node.args.defaults, *node.args.kw_defaults) if default is not None
    ]
    return not node.decorator_list and all(map(_is_literal, defaults))


def _is_plain_class(node: ast.ClassDef) -> bool:
    """Whether the class holds nothing but functions and values that nothing can change."""
    return not node.decorator_list and not node.keywords and all(map(_is_plain_part, node.body))


def _is_plain_part(node: ast.stmt) -> bool:
    match node:
        case ast.FunctionDef(decorator_list=decorators):
            named = all(
                isinstance(decorator, ast.Name) and decorator.id in _PLAIN_DECORATORS
                for decorator in decorators
            )
            defaults = (*node.args.defaults, *node.args.kw_defaults)
            return named and all(
                _is_literal(default) for default in defaults if default is not None
            )
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            return _is_literal(value)
        case ast.AnnAssign() | ast.Pass():
            return True
    return _is_text(node)


def _is_literal(node: ast.expr) -> bool:
    match node:
        case ast.UnaryOp(operand=operand):
            return _is_literal(operand)
        case ast.Tuple(elts=elements):
            return all(map(_is_literal, elements))
    return isinstance(node, ast.Constant)


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _itself(node: ast.stmt) -> str:
    """The first parameter of a method; "" of anything else."""
    if not isinstance(node, ast.FunctionDef) or node.decorator_list:
        return ""
    arguments = [*node.args.posonlyargs, *node.args.args]
    return arguments[0].arg if arguments else ""


def _root(node: ast.AST) -> str:
    """``x`` of ``x.a[0].b``; "" where the chain begins with something else."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
