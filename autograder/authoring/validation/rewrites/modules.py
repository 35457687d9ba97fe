"""Other ways for a module to hold things: containers, bare parameters, buffers, another order.

An attribute is changed where it is set and everywhere else in the class at once, so the program
means the same whatever the attribute is used for; where a use is not known, nothing is changed.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class AttributeForm:
    """How an attribute is held: the lines that set it (``value`` is what it was set to), and how
    it is written elsewhere."""

    lines: str
    use: str
    only: Callable[[ast.expr], bool] = lambda value: True


def _is_module(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Attribute(attr=name)) | ast.Call(func=ast.Name(id=name)):
            return name[:1].isupper() and name != "Parameter"
    return False


CONTAINERS: dict[str, AttributeForm] = {
    "a list of modules": AttributeForm(
        "self.{name} = nn.ModuleList([{value}])", "self.{name}[0]", _is_module
    ),
    "a dictionary of modules": AttributeForm(
        "self.{name} = nn.ModuleDict({{'held': {value}}})", "self.{name}['held']", _is_module
    ),
    "a module within": AttributeForm(
        "self.inner_{name} = nn.Module()\nself.inner_{name}.held = {value}",
        "self.inner_{name}.held",
    ),
    "another name": AttributeForm("self.my_{name}_2 = {value}", "self.my_{name}_2"),
    "a name by setattr": AttributeForm(
        "setattr(self, '{name}', {value})", "getattr(self, '{name}')"
    ),
}


def contained(way: AttributeForm) -> Callable[[ast.Module], Iterator[ast.Module]]:
    """An operator that holds each attribute of each class in this way."""

    def change(tree: ast.Module) -> Iterator[ast.Module]:
        for at, node in enumerate(tree.body):
            if "nn." in way.lines and not _is_torch_module(node):
                continue
            for name, value in _attributes(node):
                if way.only(value):
                    text = way.lines.format(name=name, value=ast.unparse(value))
                    use = way.use.format(name=name)
                    yield _exchanged(tree, at, _Held(name, text, use))

    return change


def bare_table(tree: ast.Module) -> Iterator[ast.Module]:
    """``nn.Embedding`` as a bare parameter that is indexed."""
    for at, node in enumerate(tree.body):
        for name, value in _attributes(node):
            match value:
                case ast.Call(
                    func=ast.Attribute(attr="Embedding"), args=[rows, width], keywords=[]
                ):
                    text = _bare(name, rows, width)
                    yield _exchanged(tree, at, _Bare(name, text, "self.{name}[{ids}]"))
                    yield _exchanged(tree, at, _Bare(name, text, "F.embedding({ids}, self.{name})"))


def bare_layer(tree: ast.Module) -> Iterator[ast.Module]:
    """``nn.Linear`` without bias as a bare parameter."""
    for at, node in enumerate(tree.body):
        for name, value in _attributes(node):
            match value:
                case ast.Call(
                    func=ast.Attribute(attr="Linear"),
                    args=[width, rows],
                    keywords=[ast.keyword(arg="bias", value=ast.Constant(value=False))],
                ):
                    text = _bare(name, rows, width)
                    yield _exchanged(tree, at, _Bare(name, text, "F.linear({ids}, self.{name})"))
                    yield _exchanged(tree, at, _Bare(name, text, "{ids} @ self.{name}.T"))


def _bare(name: str, rows: ast.expr, width: ast.expr) -> str:
    size = f"{ast.unparse(rows)}, {ast.unparse(width)}"
    return f"self.{name} = nn.Parameter(torch.randn({size}))"


def turn_order(tree: ast.Module) -> Iterator[ast.Module]:
    """Two neighbouring attributes set in the other order."""
    for at, node in enumerate(tree.body):
        begin = _beginning(node)
        if begin is None:
            continue
        names = [_attribute(line) for line in begin.body]
        for place in range(len(names) - 1):
            first, second = names[place], names[place + 1]
            if first and second and f"self.{first}" not in ast.unparse(begin.body[place + 1]):
                changed = copy.deepcopy(tree)
                body = _beginning(changed.body[at])
                assert body is not None
                body.body[place : place + 2] = reversed(body.body[place : place + 2])
                yield changed


MODULES: dict[str, Callable[[ast.Module], Iterator[ast.Module]]] = {
    **{name: contained(way) for name, way in CONTAINERS.items()},
    "a bare parameter": bare_table,
    "a bare layer": bare_layer,
    "another order": turn_order,
}


def _is_torch_module(node: ast.stmt) -> bool:
    bases = node.bases if isinstance(node, ast.ClassDef) else []
    return any(ast.unparse(base) == "nn.Module" for base in bases)


def _beginning(node: ast.stmt) -> ast.FunctionDef | None:
    """A class's ``__init__``."""
    if not isinstance(node, ast.ClassDef):
        return None
    methods = (part for part in node.body if isinstance(part, ast.FunctionDef))
    return next((method for method in methods if method.name == "__init__"), None)


def _attributes(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """What ``__init__`` sets at its top level, each name once."""
    begin = _beginning(node)
    names = [name for line in (begin.body if begin else ()) if (name := _attribute(line))]
    for line in begin.body if begin else ():
        name = _attribute(line)
        if name and names.count(name) == 1:
            assert isinstance(line, ast.Assign)
            yield name, line.value


def _attribute(line: ast.stmt) -> str:
    match line:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)]):
            return name
    return ""


def _exchanged(tree: ast.Module, at: int, exchange: ast.NodeTransformer) -> ast.Module:
    changed = copy.deepcopy(tree)
    changed.body[at] = exchange.visit(changed.body[at])
    return ast.fix_missing_locations(changed)


class _Held(ast.NodeTransformer):
    """Sets an attribute with other lines, and changes how its uses are written."""

    def __init__(self, name: str, lines: str, use: str) -> None:
        self._name, self._lines, self._use = name, ast.parse(lines).body, use

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        if _attribute(node) == self._name:
            return copy.deepcopy(self._lines)
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "self" and node.attr == self._name:
            return ast.parse(self._use, mode="eval").body
        return node


class _Bare(_Held):
    """Calls of what was a layer, its weight and its sizes, now that it is a parameter."""

    def __init__(self, name: str, lines: str, call: str) -> None:
        super().__init__(name, lines, f"self.{name}")
        self._call = call

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if ast.unparse(node.func) == f"self.{self._name}" and len(node.args) == 1:
            ids = ast.unparse(self.visit(node.args[0]))
            ids = ids if isinstance(node.args[0], ast.Name) else f"({ids})"
            return ast.parse(self._call.format(name=self._name, ids=ids), mode="eval").body
        return self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        sizes = {"weight": "", "num_embeddings": ".shape[0]", "embedding_dim": ".shape[1]"}
        if ast.unparse(node.value) == f"self.{self._name}" and node.attr in sizes:
            text = f"self.{self._name}{sizes[node.attr]}"
            return ast.parse(text, mode="eval").body
        return self.generic_visit(node)
