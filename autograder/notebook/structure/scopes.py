"""What functions, comprehensions and simple statements bind, and what a function takes from
outside. Read from the syntax tree; each tree is walked once."""

from __future__ import annotations

import ast
from collections.abc import Iterator

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def stored(node: ast.AST) -> set[str]:
    """Names that this node binds, without the variables of comprehensions."""
    found: set[str] = set()
    pending: list[tuple[ast.AST, bool]] = [(node, False)]
    while pending:
        part, inside = pending.pop()
        match part:
            case ast.NamedExpr(target=ast.Name(id=name)):
                found.add(name)
            case ast.Name(id=name, ctx=ast.Store()) if not inside:
                found.add(name)
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                found.update(_imported(aliases))
            case ast.Lambda():
                continue
            case _:
                found.update(_captured(part))
        inside = inside or isinstance(part, COMPREHENSIONS)
        pending.extend((child, inside) for child in ast.iter_child_nodes(part))
    return found


def targets(node: ast.AST) -> Iterator[str]:
    """The names of a comprehension's target."""
    pending = [node]
    while pending:
        match pending.pop():
            case ast.Name(id=name):
                yield name
            case ast.Tuple(elts=elements) | ast.List(elts=elements):
                pending.extend(elements)
            case ast.Starred(value=value):
                pending.append(value)


def head(node: Function) -> Iterator[tuple[ast.AST, bool]]:
    """The parts of a definition that run at once: decorators and defaults surely; annotations not
    surely, since newer versions of Python and ``from __future__ import annotations`` do not run
    them."""
    yield from ((one, True) for one in node.decorator_list)
    defaults = (*node.args.defaults, *node.args.kw_defaults)
    yield from ((default, True) for default in defaults if default is not None)
    arguments = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)
    yield from (
        (argument.annotation, False) for argument in arguments if argument.annotation is not None
    )
    if node.returns is not None:
        yield node.returns, False


def is_alias(node: ast.AST) -> bool:
    """Whether it is ``type L = ...``, which exists from Python 3.12 on."""
    return type(node).__name__ == "TypeAlias"


def type_parameters(node: ast.AST) -> set[str]:
    """``T`` of ``def f[T](x: T)``, of ``class A[T]`` and of ``type L[T] = list[T]``."""
    return {str(one.name) for one in getattr(node, "type_params", ())}


def parameters(node: Function | ast.Lambda) -> set[str]:
    """The names of a function's parameters, including its type parameters."""
    args = node.args
    named = {posonlyarg.arg for posonlyarg in (*args.posonlyargs, *args.args, *args.kwonlyargs)}
    named |= type_parameters(node)
    return named | {one.arg for one in (args.vararg, args.kwarg) if one is not None}


def free(node: Function | ast.Lambda) -> set[str]:
    """Names that a function takes from outside when it is called, including those of inner
    functions."""
    loaded: set[str] = set()
    own = parameters(node)
    shared: set[str] = set()
    pending: list[ast.AST] = [*node.body] if isinstance(node.body, list) else [node.body]
    while pending:
        part = pending.pop()
        match part:
            case ast.Name(id=name, ctx=ast.Load()):
                loaded.add(name)
            case ast.Name(id=name):
                own.add(name)
            case ast.Global(names=names):
                shared.update(names)
            case ast.Lambda():
                own.update(parameters(part))
            case ast.Import(names=aliases) | ast.ImportFrom(names=aliases):
                own.update(_imported(aliases))
            case ast.ExceptHandler(name=str(name)):
                own.add(name)
            case ast.ClassDef(name=name):
                own |= {name} | type_parameters(part)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                own.add(name)
                own.update(parameters(part))
            case ast.AnnAssign(target=target, value=value):  # its annotation is never evaluated
                pending.extend(one for one in (target, value) if one is not None)
                continue
            case _:
                own.update(_captured(part))
                own |= type_parameters(part)  # of an alias
        pending.extend(ast.iter_child_nodes(part))
    return (loaded - own) | (shared & loaded)


def waits(node: Function) -> bool:
    """Whether calling the function does not run it yet: a generator, a coroutine."""
    if isinstance(node, ast.AsyncFunctionDef):
        return True
    return any(isinstance(part, ast.Yield | ast.YieldFrom) for part in ast.walk(node))


def declared_global(node: ast.AST) -> Iterator[str]:
    """Names that a function binds at module level when it is called."""
    for part in ast.walk(node):
        if isinstance(part, ast.Global):
            yield from part.names


def _imported(aliases: list[ast.alias]) -> Iterator[str]:
    yield from (alias.asname or alias.name.split(".")[0] for alias in aliases)


def _captured(part: ast.AST) -> Iterator[str]:
    """The name that a pattern of ``match`` binds."""
    match part:
        case (
            ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
            | ast.MatchMapping(rest=str(name))
        ):
            yield name
