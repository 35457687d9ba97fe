"""A separate program: calls every public operator of torch once in a dtype, on small tensors, and
prints the errors that say that there is no CPU kernel.

Covered: operators whose arguments follow from their schema; 111 of the 120 refusals in float16 and
bfloat16 that occur for the samples of torch 2.13's own tests.
Not covered: refusals that depend on special values or options.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator
from typing import Any

import torch

from autograder.wire.simulation import NO_KERNEL

_SHAPES: tuple[tuple[int, ...], ...] = ((), (3,), (3, 3), (1, 3, 3), (1, 3, 3, 3))
# arguments other than tensors, by their type in a schema
_GIVEN: dict[str, Any] = {
    "int": 1,
    "SymInt": 1,
    "float": 0.5,
    "number": 1,
    "bool": True,
    "str": "mean",
    "List[int]": [1],
    "List[SymInt]": [1],
}


def _texts(dtype: torch.dtype) -> Iterator[str]:
    """The errors of operators that refuse tensors of a dtype."""
    for form, shape, vectors in itertools.product(_forms(), _SHAPES, (False, True)):
        given = _arguments(form._schema, dtype, shape, vectors=vectors)
        try:
            if given is not None:
                form(*given)
        except Exception as refused:  # noqa: BLE001  most do not fit, which does not matter
            if NO_KERNEL.fullmatch(str(refused)):
                yield str(refused)


def _arguments(
    schema: Any, dtype: torch.dtype, shape: tuple[int, ...], *, vectors: bool
) -> list[Any] | None:
    """The arguments for a schema, None if it needs something else. ``vectors``: tensors after the
    first one have one axis."""
    given: list[Any] = []
    for wanted in itertools.takewhile(lambda one: not one.has_default_value(), schema.arguments):
        kind = str(wanted.type)
        if kind in ("Tensor", "List[Tensor]"):
            later = vectors and any(isinstance(value, torch.Tensor) for value in given)
            tensor = torch.rand((3,) if later else shape).to(dtype)
            given.append(tensor if kind == "Tensor" else [tensor, tensor])
        elif kind in _GIVEN or kind.startswith("Optional"):
            given.append(_GIVEN.get(kind))
        else:
            return None
    return given


def _forms() -> Iterator[Any]:
    """The forms of every operator that a notebook calls, without those that fill ``out``. Names
    with a leading underscore are internal to torch and do not check their arguments."""
    full = torch._C._dispatch_get_all_op_names()
    for name in sorted({one.partition(".")[0] for one in full if one.startswith("aten::")}):
        short = name.removeprefix("aten::")
        if short.startswith("__") or not short.startswith("_"):
            forms = getattr(torch.ops.aten, short)
            yield from (getattr(forms, form) for form in forms.overloads() if "out" not in form)


if __name__ == "__main__":
    sys.stdout.write("\n".join(sorted(set(_texts(getattr(torch, sys.argv[1]))))))
