"""The JSON Schema of a model, with the meaning of each key: the text below the field in its class.

Pydantic can read these texts itself (``use_attribute_docstrings``), but does so at every import.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from autograder.assignment.kinds import Frozen


def json_schema(model: type[Frozen]) -> dict[str, Any]:
    """The schema of ``model`` and, in ``$defs``, of all models below it, with descriptions."""
    schema = model.model_json_schema()
    known = {found.__name__: found for found in (model, *_subclasses(Frozen))}
    for name, table in ((model.__name__, schema), *schema.get("$defs", {}).items()):
        for key, meaning in _meanings(known[name]).items():
            if key in table["properties"]:
                table["properties"][key]["description"] = meaning
    return schema


def _subclasses(model: type[Frozen]) -> Iterator[type[Frozen]]:
    for below in model.__subclasses__():
        yield below
        yield from _subclasses(below)


def _meanings(model: type[Frozen]) -> dict[str, str]:
    """By key, the text below the field; a class's own texts replace those of its bases."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, Frozen):
            (body,) = ast.parse(textwrap.dedent(inspect.getsource(base))).body
            assert isinstance(body, ast.ClassDef)
            for field, text in pairwise(body.body):
                if isinstance(field, ast.AnnAssign) and isinstance(text, ast.Expr):
                    assert isinstance(field.target, ast.Name)
                    name = model.model_fields[field.target.id].alias or field.target.id
                    found[name] = " ".join(str(ast.literal_eval(text.value)).split())
    return found
