"""Other ways of making a function or a class; the name still means the same.

Each operator takes a cell's program and returns it with one definition made in another way.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

Operator = Callable[[ast.Module], Iterator[ast.Module]]


def _made(text: str) -> Callable[[ast.Module], Iterator[ast.Module]]:
    """Every function of the cell, kept under another name and handed on by ``text``."""

    def change(tree: ast.Module) -> Iterator[ast.Module]:
        for at, node in enumerate(tree.body):
            if isinstance(node, ast.FunctionDef) and not _names_itself(node):
                inner = copy.deepcopy(node)
                inner.name = f"_{node.name}"
                names = [argument.arg for argument in inner.args.args]
                filled = text.format(
                    name=node.name,
                    inner=inner.name,
                    first=(names or ["_"])[0],
                    names=", ".join(names),
                    named=", ".join(f"{n}={n}" for n in names),
                    signature=_signature(inner),
                )
                yield _with(tree, at, [inner, *ast.parse(filled).body])

    return change


def _signature(node: ast.FunctionDef) -> str:
    """The parameters without annotations, which a lambda cannot have."""
    given = copy.deepcopy(node.args)
    for part in ast.walk(given):
        if isinstance(part, ast.arg):
            part.annotation = None
    return ast.unparse(given)


FUNCTIONS: dict[str, Operator] = {
    "a lambda": _made("{name} = lambda {signature}: {inner}({names})"),
    "a partial": _made("import functools\n{name} = functools.partial({inner})"),
    "an alias": _made("{name} = {inner}"),
    "a callable object": _made(
        "class _Callable:\n"
        "    def __call__(self, {signature}):\n"
        "        return {inner}({names})\n"
        "{name} = _Callable()"
    ),
    "a method": _made(
        "class _Tools:\n"
        "    @staticmethod\n"
        "    def use({signature}):\n"
        "        return {inner}({names})\n"
        "{name} = _Tools.use"
    ),
    "a decorator": _made(
        "def _passed_on(function):\n"
        "    def call(*arguments, **named):\n"
        "        return function(*arguments, **named)\n"
        "    return call\n"
        "{name} = _passed_on({inner})"
    ),
    "a wrapped decorator": _made(
        "import functools\n"
        "def _passed_on(function):\n"
        "    @functools.wraps(function)\n"
        "    def call(*arguments, **named):\n"
        "        return function(*arguments, **named)\n"
        "    return call\n"
        "{name} = _passed_on({inner})"
    ),
    "a closure": _made(
        "def _make():\n"
        "    def call({signature}):\n"
        "        return {inner}({names})\n"
        "    return call\n"
        "{name} = _make()"
    ),
    "keywords": _made("def {name}({signature}):\n    return {inner}({named})"),
    "one parameter more": _made(
        "def {name}({signature}, *, verbose=False):\n"
        "    result = {inner}({names})\n"
        "    if verbose:\n"
        "        print(result)\n"
        "    return result"
    ),
    "a check of its own": _made(
        "def {name}({signature}):\n    assert {first} is not None\n    return {inner}({names})"
    ),
}


def rename_parameters(tree: ast.Module) -> Iterator[ast.Module]:
    """Renamed parameters, in every function of the cell that is not a method."""
    for at, node in enumerate(tree.body):
        if isinstance(node, ast.FunctionDef) and node.args.args:
            changed = copy.deepcopy(node)
            others = {argument.arg: f"given_{argument.arg}" for argument in changed.args.args}
            yield _with(tree, at, [_Renamed(others).visit(changed)])


def annotate(tree: ast.Module) -> Iterator[ast.Module]:
    """Type annotations and a docstring."""
    for at, node in enumerate(tree.body):
        if isinstance(node, ast.FunctionDef):
            changed = copy.deepcopy(node)
            for argument in changed.args.args:
                argument.annotation = ast.Constant("the argument")
            changed.returns = ast.Name("object")
            if ast.get_docstring(changed) is None:
                changed.body.insert(0, ast.Expr(ast.Constant("What it does.")))
            yield _with(tree, at, [changed])


def extract_result(tree: ast.Module) -> Iterator[ast.Module]:
    """What a function returns, computed in a helper of its own."""
    for at, node in enumerate(tree.body):
        if not isinstance(node, ast.FunctionDef):
            continue
        match node.body[-1]:
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Name):
                names = (n for n in ast.walk(node) if isinstance(n, ast.Name))
                local = {name.id for name in names if isinstance(name.ctx, ast.Store)}
                local |= {argument.arg for argument in node.args.args}
                used = sorted({n.id for n in ast.walk(value) if isinstance(n, ast.Name)} & local)
                changed = copy.deepcopy(node)
                call = f"return _result_of_{node.name}({', '.join(used)})"
                helper = ast.parse(f"def _result_of_{node.name}({', '.join(used)}):\n    pass")
                assert isinstance(helper.body[0], ast.FunctionDef)
                helper.body[0].body = [ast.Return(copy.deepcopy(value))]
                changed.body[-1:] = ast.parse(call).body
                if not _scoped(value):
                    yield _with(tree, at, [*helper.body, changed])


def keep_results(tree: ast.Module) -> Iterator[ast.Module]:
    """``functools.cache`` on a function of sizes; the result is copied for each caller."""
    for at, node in enumerate(tree.body):
        if isinstance(node, ast.FunctionDef) and _takes_sizes(node):
            inner = copy.deepcopy(node)
            inner.name = f"_{node.name}"
            names = ", ".join(argument.arg for argument in inner.args.args)
            text = (
                f"import copy, functools\n"
                f"_kept = functools.cache(_{node.name})\n"
                f"def {node.name}({ast.unparse(inner.args)}):\n"
                f"    result = _kept({names})\n"
                f"    return result.clone() if hasattr(result, 'clone') else copy.copy(result)"
            )
            yield _with(tree, at, [inner, *ast.parse(text).body])


def attach_later(tree: ast.Module) -> Iterator[ast.Module]:
    """A method written as a function and attached to its class afterwards."""
    for at, node in enumerate(tree.body):
        if not isinstance(node, ast.ClassDef):
            continue
        for place, method in enumerate(node.body):
            if isinstance(method, ast.FunctionDef) and not _uses_super(method):
                rest, loose = copy.deepcopy(node), copy.deepcopy(method)
                del rest.body[place]
                rest.body = rest.body or [ast.Pass()]
                loose.name = f"_{method.name.strip('_')}_of_{node.name}"
                given = ast.parse(f"{node.name}.{method.name} = {loose.name}").body
                yield _with(tree, at, [rest, loose, *given])


def inherit(tree: ast.Module) -> Iterator[ast.Module]:
    """A class whose work is done by the one that it inherits from."""
    for at, node in enumerate(tree.body):
        if isinstance(node, ast.ClassDef):
            base = _renamed_class(node, f"_{node.name}Base")
            yield _with(tree, at, [base, *ast.parse(f"class {node.name}({base.name}): pass").body])


def call_parent(tree: ast.Module) -> Iterator[ast.Module]:
    """``super().__init__()`` in its older forms."""
    for at, node in enumerate(tree.body):
        if isinstance(node, ast.ClassDef) and ast.unparse(node).count("super().__init__()") == 1:
            for form in (f"super({node.name}, self).__init__()", "nn.Module.__init__(self)"):
                text = ast.unparse(node).replace("super().__init__()", form)
                yield _with(tree, at, ast.parse(text).body)


FUNCTIONS |= {
    "other parameters' names": rename_parameters,
    "annotations": annotate,
    "a helper": extract_result,
    "kept results": keep_results,
    "methods given later": attach_later,
    "a parent that does the work": inherit,
    "an older super": call_parent,
}


def _with(tree: ast.Module, at: int, instead: list[ast.stmt]) -> ast.Module:
    changed = copy.deepcopy(tree)
    changed.body[at : at + 1] = instead
    return ast.fix_missing_locations(changed)


def _names_itself(node: ast.FunctionDef) -> bool:
    """Whether a function calls itself, or cannot be handed on by position alone."""
    given = node.args
    plain = not (given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs)
    inside = {n.id for part in node.body for n in ast.walk(part) if isinstance(n, ast.Name)}
    return node.name in inside or not plain or bool(node.decorator_list)


def _scoped(node: ast.expr) -> bool:
    """Whether an expression has names of its own."""
    own = ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda, ast.NamedExpr
    return any(isinstance(part, own) for part in ast.walk(node))


def _takes_sizes(node: ast.FunctionDef) -> bool:
    """Whether every parameter is a size of something that is made. Of ``zeros(table.shape)`` and
    ``range(len(items))`` it is not: what a table or a list is kept under must not change."""
    counted: set[str] = set()
    for part in ast.walk(node):
        match part:
            case (
                ast.Call(func=ast.Attribute(attr="arange" | "empty" | "zeros" | "ones"))
                | ast.Call(func=ast.Name(id="range"))
            ):
                given = (*part.args, *(keyword.value for keyword in part.keywords))
                counted |= {name for argument in given for name in _plain_names(argument)}
    names = {argument.arg for argument in node.args.args}
    returned = [part for part in ast.walk(node) if isinstance(part, ast.Return)]
    pairs = any(isinstance(part.value, ast.Tuple) for part in returned)
    return bool(names) and names <= counted and not pairs


def _plain_names(node: ast.AST) -> Iterator[str]:
    """The names in an expression of which no part, item or property is taken."""
    if isinstance(node, ast.Name):
        yield node.id
    elif not isinstance(node, ast.Attribute | ast.Subscript | ast.Call):
        for part in ast.iter_child_nodes(node):
            yield from _plain_names(part)


def _uses_super(node: ast.FunctionDef) -> bool:
    return any(isinstance(n, ast.Name) and n.id in ("super", "__class__") for n in ast.walk(node))


def _renamed_class(node: ast.ClassDef, name: str) -> ast.ClassDef:
    changed: ast.ClassDef = _Renamed({node.name: name}).visit(copy.deepcopy(node))
    changed.name = name
    return changed


class _Renamed(ast.NodeTransformer):
    def __init__(self, others: dict[str, str]) -> None:
        self._others = others

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._others.get(node.id, node.id)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self._others.get(node.arg, node.arg)
        return node
