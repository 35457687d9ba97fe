"""Which names a cell needs from others: at once while it runs, or later, when what it defines is
called. Determined from its text; nothing is run.

Covered: statements in their order, blocks, comprehensions, patterns, defaults, decorators, class
bodies, ``global``. Names that a block may or may not bind count as bound. Names that are allowed to
be missing (annotations, a test for the name) are kept separate. Not covered: names accessed through
``globals()`` or ``exec``; the value of a name.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field
from functools import lru_cache

from autograder.notebook.structure.names import LARGE, MAX_PARSED, MAX_REMEMBERED, parse
from autograder.notebook.structure.scopes import (
    COMPREHENSIONS,
    Function,
    declared_global,
    free,
    head,
    is_alias,
    parameters,
    stored,
    targets,
    type_parameters,
    waits,
)
from autograder.notebook.structure.statements import asks_for_names, in_order

STAR = "*"  # what ``from x import *`` binds
ALWAYS_THERE = frozenset(dir(builtins)) | {
    "get_ipython",
    "display",
    "In",
    "Out",
    "exit",
    "quit",
    "__class__",
    "__file__",
}
PROMPTS = re.compile(r"_{1,3}|_\d+|_i{1,3}|_i\d+|_[iod]h")  # of IPython: _, __, _1, _i1, _oh

# what runs while an object is made
_MAKING = frozenset({"__init__", "__new__", "__post_init__", "__init_subclass__"})


@dataclass(frozen=True, slots=True)
class Uses:
    """``now``: names that must exist when the cell runs. ``perhaps``: names it reads then or later,
    or can do without. ``bound``: names it binds itself, including places left empty and ``STAR``.
    ``later``: for a function or class it defines, the names that must exist when that is called;
    ``first``: those of them that the call itself reads, so for a class those of its ``__init__``.
    ``touched``: names it reads at the top level, including its own; ``called``: those of them that
    it calls there."""

    now: frozenset[str] = frozenset()
    perhaps: frozenset[str] = frozenset()
    bound: frozenset[str] = frozenset()
    later: Mapping[str, frozenset[str]] = field(default_factory=dict)
    first: Mapping[str, frozenset[str]] = field(default_factory=dict)
    touched: frozenset[str] = frozenset()
    called: frozenset[str] = frozenset()

    @property
    def wanted(self) -> frozenset[str]:
        """All names that the cell, or what it defines, takes from elsewhere."""
        return self.now.union(self.perhaps, *self.later.values())


NOTHING = Uses()


def read_uses(source: str) -> Uses:
    """What a cell uses; ``NOTHING`` for a cell that cannot be parsed. Never fails."""
    if len(source) > MAX_PARSED:
        return NOTHING
    return _remembered(source) if len(source) <= MAX_REMEMBERED else _large(source)


@lru_cache(maxsize=2_048)  # a class shares its template's cells
def _remembered(source: str) -> Uses:
    return _read_uses(source)


@lru_cache(maxsize=LARGE)
def _large(source: str) -> Uses:
    return _read_uses(source)


def _read_uses(source: str) -> Uses:
    tree = parse(source)
    if tree is None:
        return NOTHING
    reading = _Reading()
    reading.take_all(tree.body)
    now = _others(reading.now)
    return Uses(
        now,
        _others(reading.perhaps) - now,
        frozenset(reading.bound),
        {name: _others(needed) for name, needed in reading.later.items()},
        {name: _others(needed) for name, needed in reading.first.items()},
        frozenset(reading.touched),
        frozenset(reading.called),
    )


def _others(names: Set[str]) -> frozenset[str]:
    """The names that exist only if some cell defines them."""
    return frozenset(
        name
        for name in names
        # Names of the language are no cell's.
        if name not in ALWAYS_THERE and not (name[0] == "_" and PROMPTS.fullmatch(name))
    )


@dataclass(slots=True)
class _Reading:
    """What has been read so far, in the order in which the cell runs. ``outer``: what the scopes
    around a class body have bound."""

    outer: tuple[set[str], ...] = ()
    now: set[str] = field(default_factory=set)
    perhaps: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    later: dict[str, set[str]] = field(default_factory=dict)
    first: dict[str, set[str]] = field(default_factory=dict)
    touched: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)

    def take_all(self, body: list[ast.stmt]) -> None:
        for node, sure in in_order(body):
            self._take(node, sure)

    def _take(self, node: ast.AST, sure: bool) -> None:
        """The next piece: a simple statement, or one part of a block's head."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._function(node, sure)
            case ast.ClassDef():
                self._class(node, sure)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda() as function):
                needed = free(function)
                self._define(name, needed, needed)
            case ast.AnnAssign(target=target, annotation=annotation, value=value):
                self._read(annotation, False)
                for part in (target, value) if value is not None else ():
                    self._read(part, sure)
                    self.bound |= stored(part)
            case _ if is_alias(node):  # read when its value is asked for
                self._read(node, False, type_parameters(node))
                self.bound |= stored(node)
            case _:
                self._read(node, sure)
                self.bound |= stored(node)

    def _function(self, node: Function, sure: bool) -> None:
        for part, certain in head(node):
            self._read(part, sure and certain, type_parameters(node))
        self._decorated(node, sure)
        self.bound.update(declared_global(node))
        needed = free(node)
        self._define(node.name, needed, set() if waits(node) else needed)

    def _class(self, node: ast.ClassDef, sure: bool) -> None:
        """A class body runs at once, in its own scope; its methods later."""
        own = type_parameters(node)
        body = _Reading(outer=(own, self.bound, *self.outer))
        for part in (*node.decorator_list, *node.bases, *(k.value for k in node.keywords)):
            self._read(part, sure, own)
        self._decorated(node, sure)
        body.take_all(node.body)
        if sure:
            self.now |= body.now
            self.called |= body.called - body.bound
        else:
            self.perhaps |= body.now
        self.perhaps |= body.perhaps
        self.touched |= body.touched
        making = [needed for name, needed in body.first.items() if name in _MAKING]
        self._define(node.name, set().union(*body.later.values()), set().union(*making))

    def _define(self, name: str, later: set[str], first: set[str]) -> None:
        self.later.setdefault(name, set()).update(later)
        self.first.setdefault(name, set()).update(first)
        self.bound.add(name)

    def _decorated(self, node: Function | ast.ClassDef, sure: bool) -> None:
        names = (one.id for one in node.decorator_list if isinstance(one, ast.Name))
        self.called.update(names if sure else ())

    def _read(self, node: ast.AST, sure: bool, own: Set[str] = frozenset()) -> None:
        """``own``: names that are local to the piece."""
        loaded = _Loaded()
        loaded.walk(node, sure and not asks_for_names(node), own)
        self.touched |= loaded.now | loaded.perhaps
        self.called |= loaded.called
        self.now |= self._unbound(loaded.now)
        self.perhaps |= self._unbound(loaded.perhaps)

    def _unbound(self, names: set[str]) -> set[str]:
        for bound in (self.bound, *self.outer):
            names = names - bound
        return names


@dataclass(slots=True)
class _Loaded:
    """Names read while a piece runs, without the variables of comprehensions and lambdas. Names in
    a lambda or a generator that is not passed to a call are read at some later time."""

    now: set[str] = field(default_factory=set)
    perhaps: set[str] = field(default_factory=set)
    called: set[str] = field(default_factory=set)

    def walk(self, node: ast.AST, sure: bool, kept: Set[str]) -> None:
        own = set(kept)
        named: set[str] = set()
        pending: list[tuple[ast.AST, bool, bool]] = [(node, sure, False)]
        while pending:
            part, certain, handed = pending.pop()
            match part:
                case ast.Name(id=name, ctx=ast.Load()):
                    (self.now if certain else self.perhaps).add(name)
                case ast.AugAssign(target=ast.Name(id=name)):
                    (self.now if certain else self.perhaps).add(name)
                case ast.NamedExpr(target=ast.Name(id=name)):
                    named.add(name)
                case ast.Call(func=ast.Name(id=name)) if certain:
                    self.called.add(name)
                case ast.Lambda():
                    own |= parameters(part)
                case _ if isinstance(part, COMPREHENSIONS):
                    own.update(
                        n for generator in part.generators for n in targets(generator.target)
                    )
            pending.extend(_children(part, certain, handed))
        self.perhaps |= self.now & named  # bound by this piece itself
        self.now -= named
        for found in (self.now, self.perhaps, self.called):
            found -= own


def _children(part: ast.AST, certain: bool, handed: bool) -> Iterator[tuple[ast.AST, bool, bool]]:
    """The parts of a part: whether each is surely read, and whether it is passed to a call."""
    waiting = isinstance(part, ast.Lambda | ast.GeneratorExp) and not handed
    at_once = part.generators[0] if isinstance(part, ast.GeneratorExp) else None
    for child in ast.iter_child_nodes(part):
        inside = certain and (not waiting or child is at_once)
        yield child, inside, isinstance(part, ast.Call | ast.keyword)
