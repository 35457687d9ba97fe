"""Trials made by hand for checks, and figures for the checks of figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
import torch
from pydantic import TypeAdapter

from autograder.assignment.kinds import Check
from autograder.evidence.records import Measured, ProbeRun, Run, Stop, TimeSpent
from autograder.judging.checks.finding import Finding, Reference
from autograder.judging.checks.registry import examine
from autograder.wire.messages import Error, Outcome
from autograder.wire.tensors import to_wire
from autograder.wire.values import Array, Figure, Items, Module, Opaque, Panel, Value

EXERCISE = "ex"
MEASURED = Measured(1.0, 1.0, 100.0, 1, "strong", ())
NO_TIME = TimeSpent(0.0, 0.0)


def check(kind: str, **keys: Any) -> Check:
    spec = {"id": "c", "title": "a title", "points": "1", "public": True, "kind": kind, **keys}
    return TypeAdapter(Check).validate_python(spec)


def record(id_: str, claim: Any, *, cpu_s: float = 0.0) -> ProbeRun:
    """A record of a probe: an Outcome, a Stop, an Error, None (never asked), or a value."""
    spent = TimeSpent(cpu_s, cpu_s)
    if isinstance(claim, Stop):
        return ProbeRun(id_, None, claim, spent)
    if isinstance(claim, Error):
        claim = Outcome("raised", error=claim)
    return ProbeRun(id_, claim if isinstance(claim, Outcome | None) else ret(claim), None, spent)


def ret(value: Any, **more: Any) -> Outcome:
    return Outcome("returned", wire(value), **more)


def wire(value: Any) -> Value:
    known = isinstance(value, Items | Figure | Opaque | Array | Module)
    return value if known else to_wire(value)


def run(records: Mapping[str, Any]) -> Run:
    made = tuple(record(f"{EXERCISE}/{id_}", claim) for id_, claim in records.items())
    return Run((), made, MEASURED)


def look(
    spec: Check,
    actual: Mapping[str, Any],
    expected: Mapping[str, Any],
    cases: Mapping[str, Any] | None = None,
    **relations: Any,
) -> Finding:
    return examine(
        spec, EXERCISE, run(actual), Reference(run(expected), made(cases or {}), relations)
    )


def made(cases: Mapping[str, Any]) -> dict[str, tuple[tuple[Value, ...], ...]]:
    return {name: tuple(tuple(map(wire, case)) for case in of) for name, of in cases.items()}


BOOM = Error(("ValueError", "Exception"), "boom", 3, "return boom()")
NO_MEMORY = Error(
    ("RuntimeError", "Exception"),
    "[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 9 bytes",
)
PE = torch.linspace(-1, 1, 12).reshape(3, 4) ** 3


def colors(name: str) -> Array:
    array = to_wire(mpl.colormaps[name](np.linspace(0, 1, 9)))
    assert isinstance(array, Array)
    return array


def panel(data: Any = PE, **changes: Any) -> Panel:
    image = to_wire(np.asarray(data, dtype=np.float64))
    assert isinstance(image, Array)
    keys: dict[str, Any] = {
        "title": "",
        "xlabel": "Dimension",
        "ylabel": "Position",
        "images": (image,),
        "colormaps": ("RdBu",),
        "colors": (colors("RdBu"),),
        "zero_at": (0.5,),
        "has_colorbar": (True,),
        **changes,
    }
    return Panel(**keys)


def figures(*panels: Panel) -> Items:
    return Items("list", tuple(Figure("", (one,)) for one in panels))


ALL = ["data", "diverging", "centred", "labels", "colorbar"]
WORDS = {"rows": ["position", "token"], "columns": ["dimension", "column"]}


def figure(*panels: Panel, aspects: list[str] = ALL, own: Any = "none", **more: Any) -> Finding:
    keys: dict[str, Any] = {"shows": "pe", "aspects": aspects, **WORDS, **more}
    claims: dict[str, Any] = {"figures": figures(*panels), "read/pe": PE}
    if own != "none":
        keys["carried"] = {"call": "f", "args": [3, 4]}
        claims["own/f/3,4"] = own
    return look(check("figure", **keys), claims, {"read/pe": PE})
