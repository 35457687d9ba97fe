"""One of every value and of every answer that an honest box may send."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import torch

from autograder.wire import messages
from autograder.wire.messages import CellDone, Error, Kept, Outcome, Output, Ready
from autograder.wire.tensors import to_wire
from autograder.wire.values import (
    ITEMSIZE,
    Array,
    Complex,
    Entry,
    Figure,
    Items,
    Mapping,
    Module,
    Opaque,
    Panel,
    Value,
    Whole,
)
from tests.support.made_tables import tables


def plain_values() -> list[Value]:
    numbers = torch.arange(6, dtype=torch.float32).reshape(2, 3)
    array = to_wire(numbers)
    arrays = [to_wire(numbers.to(getattr(torch, dtype))) for dtype in ITEMSIZE]
    assert isinstance(array, Array)
    panel = Panel(
        "t",
        "x",
        "y",
        (array,),
        ("RdBu",),
        (Array("float64", (9, 4), bytes(288)),),
        (0.5,),
        (True,),
        points=(array,),
        lines=(array,),
        texts=("a",),
    )
    module = Module("Embedding", ("Embedding", "Module"), (Entry("w", "parameter", array, True),))
    plain = [0, -1, 2**63 - 1, -(2**63), 0.5, -0.0, math.inf]
    return [
        *(None, True, False, *plain, "", "text", "ünï"),
        *arrays,
        Whole("9" * 40),
        Complex(1.0, -2.0),
        Opaque("T", "t"),
        module,
        to_wire(np.arange(4.0)),
        to_wire([1, [2.5, "a"], (True, None)]),
        to_wire({"k": 1, 2: [3]}),
        Items("set", (1, 2)),
        Mapping((("k", array), (1, Items("tuple", (1, 2))))),
        Figure("f", (panel, panel)),
        Items("list", tuple(range(200))),
        *tables(),
    ]


def answers() -> Iterator[messages.Answer]:
    values = plain_values()
    error = Error(("KeyError", "LookupError", "Exception"), "text", 2, "x[1]", "trace\nmore")
    outputs = (
        Output("stdout", "text/plain", b"hello\xff\0"),
        Output("display", "text/html", b"<b>x</b>"),
        Output("result", "image/png", b"\x89PNG\r\n\x1a\n" + bytes(40)),
    )
    yield Ready(("limits", "seccomp"), "no")
    yield CellDone(outputs, error, 9)
    yield CellDone(())
    yield Outcome("raised", None, error, (0,), (values[15], None), lines=((3, 1), (3, 2)))
    yield Outcome("missing")
    yield from (Outcome("returned", value) for value in values)
    yield Kept(tuple(Outcome("returned", value) for value in values[:20]))
