"""Which values of a function carry gradients that a check looks at, read from its text.

Covered: parameters named by a gradient check, their fields and what is computed from them,
modules and parameters that ``self`` holds. Not covered: values that pass through containers.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from autograder.mutation.page import Function, Page

# attributes of a tensor or a module that no gradient passes
_FACTS = frozenset(
    """
    device dim dtype embedding_dim ndim num_embeddings shape size training detach data item
    tolist numpy
    """.split()
)


@dataclass(frozen=True, slots=True)
class GradientNames:
    """Names that carry gradients, and fields of ``self`` that do not."""

    names: frozenset[str]
    learns: frozenset[str]

    def carries(self, node: ast.AST) -> bool:
        """Whether a gradient can come out of an expression."""
        match node:
            case ast.Attribute(attr=name) if name in _FACTS:
                return False
            case ast.Call(func=ast.Attribute(attr=name)) if name in _FACTS:
                return False
            case ast.Call(func=ast.Name(id="len" | "range" | "int" | "float" | "list")):
                return False
            case ast.Attribute(value=ast.Name(id="self"), attr=field):
                return field in self.learns
            case ast.Name(id=name):
                return name in self.names
        return any(self.carries(child) for child in ast.iter_child_nodes(node))


def carrying(page: Page, function: Function) -> GradientNames:
    """What carries gradients in a function."""
    owner = page.owner(function)
    learns = _learns(owner) if owner is not None else frozenset()
    names = {name for name in sources(page, function) if name != "self"}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and GradientNames(frozenset(names), learns).carries(
            node.value
        ):
            names |= {
                part.id
                for target in node.targets
                for part in ast.walk(target)
                if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)
            }
    return GradientNames(frozenset(names), learns)


def sources(page: Page, function: Function) -> tuple[str, ...]:
    """Parameters of a function into which a check asks gradients; ``self`` of a module."""
    owner = page.owner(function)
    called = function.name if owner is None else f"{owner.name}.{function.name}"
    names = [a.arg for a in (*function.args.posonlyargs, *function.args.args)]
    found = {
        names[at]
        for check in page.exercise.check
        if check.kind == "gradient" and check.call == called
        for at in check.wrt
        if at < len(names)
    }
    if owner is not None and function.name == "forward" and _learns(owner):
        found.add("self")
    return tuple(name for name in names if name in found)


def _learns(owner: ast.ClassDef) -> frozenset[str]:
    """Fields of ``self`` that hold modules or parameters."""
    fields = set()
    for node in ast.walk(owner):
        match node:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=field)], value=ast.Call()
            ):
                name = ast.unparse(node.value.func).rpartition(".")[2]  # type: ignore[attr-defined]
                if name == "Parameter" or (name[:1].isupper() and name[:1] != "_"):
                    fields.add(field)
    return frozenset(fields)
