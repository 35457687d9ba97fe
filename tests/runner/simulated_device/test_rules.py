"""CUDA's rules about devices, one by one: what may meet, where the result lies, what is refused."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional as F

from autograder.runner.simulated_device.accelerator import SimulatedAccelerator
from autograder.runner.simulated_device.labels import device_of
from tests.support.tables import evaluated, table_beside


@pytest.fixture(autouse=True)
def there() -> Iterator[None]:
    torch.manual_seed(0)
    with SimulatedAccelerator():
        yield


def near(*shape: int) -> Any:
    return torch.rand(shape) + 0.5


def far(*shape: int) -> Any:
    return (torch.rand(shape) + 0.5).cuda()


def ids(*values: int) -> Any:
    return torch.tensor(values)


def written(target: Any, key: Any, value: Any) -> Any:
    target[key] = value
    return target


def changed(target: Any, change: str, *args: Any) -> Any:
    getattr(target, change)(*args)
    return target


_ELEMENTWISE: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(torch, name)
    for name in (
        *("add", "sub", "mul", "div", "pow", "maximum", "minimum", "atan2", "fmod", "remainder"),
        *("floor_divide", "isclose", "copysign", "hypot", "xlogy", "ldexp", "eq", "lt", "ge", "ne"),
    )
}

TABLES = table_beside(__file__)
Rule = tuple[Callable[[], Any], str]  # what is tried, and where the result lies or what is said


def tried(code: str) -> Callable[[], Any]:
    return lambda: evaluated(code, globals() | {"F": F})


def each(what: str, said: str, call: Callable[[Callable[[Any, Any], Any]], Any]) -> dict[str, Rule]:
    """A rule of every function of two tensors that goes element by element."""
    return {
        f"{name}, {what}": (functools.partial(call, f), said) for name, f in _ELEMENTWISE.items()
    }


LEGAL: dict[str, Rule] = {
    **each("scalar right", "cuda", lambda f: f(far(3), near())),
    **each("scalar left", "cuda", lambda f: f(near(), far(3))),
    **{
        name: (tried(code), device)
        for device, rows in TABLES["legal"].items()
        for name, code in rows.items()
    },
}


@pytest.mark.parametrize("name", LEGAL)
def test_legal(name: str) -> None:
    attempt, device = LEGAL[name]
    assert device_of(attempt()).type == device


def test_scalars_of_the_device_are_numbers_to_python() -> None:
    x = torch.tensor(1.5, device="cuda")
    assert float(x) == x.item() == 1.5 and int(x) == 1 and math.sin(x) == math.sin(1.5)
    assert f"{x:.1f}" == "1.5" and [1, 2][torch.tensor(1).cuda()] == 2 and bool(x)
    assert torch.allclose(far(2) * 0 + 1, torch.tensor(1.0))
    assert x.device != torch.device("cuda") and x.device == torch.device("cuda:0")


def test_the_gradient_of_a_copy_goes_back_across() -> None:
    x = near(2).requires_grad_()
    y = torch.zeros(4, device="cuda")
    y[1:3] = x * 2
    y.sum().backward()
    assert x.grad is not None and x.grad.tolist() == [2.0, 2.0]
    assert device_of(x.grad).type == "cpu"
    z = torch.zeros(2).copy_(far(2).requires_grad_() * near())
    assert device_of(z).type == "cpu" and z.requires_grad


def _with_weight(module: nn.Module, x: Any) -> Any:
    return module.cuda()(x)


SAME = (
    "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!"
)
REFUSED: dict[str, Rule] = {
    **each("two tensors", SAME, lambda f: f(far(3), near(3))),
    **each("one element", SAME, lambda f: f(near(1), far(3))),
    **each("scalar of the device", SAME, lambda f: f(near(3), far())),
    **{name: (tried(code), SAME) for name, code in TABLES["refused"]["two devices"].items()},
    **{name: (tried(row["code"]), row["said"]) for name, row in TABLES["refused"]["said"].items()},
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused(name: str) -> None:
    attempt, text = REFUSED[name]
    with pytest.raises(RuntimeError) as seen:
        attempt()
    assert text in str(seen.value)
    assert type(seen.value).__name__ == "RuntimeError"


ARRAYS: dict[str, Callable[[], Any]] = {
    "numpy": lambda: far(2).numpy(),
    "array": lambda: np.array(far(2)),
    "asarray": lambda: np.asarray(far(2)),
    "sine": lambda: np.sin(far(2)),
    "product": lambda: far(2) * np.ones(2, dtype=np.float32),
    "view": lambda: far(2).detach()[:1].numpy(),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_no_arrays_of_the_device(name: str) -> None:
    with pytest.raises(TypeError, match="can't convert cuda:0 device type tensor to numpy") as seen:
        ARRAYS[name]()
    assert [kind.__name__ for kind in type(seen.value).__mro__][:3] == [
        "TypeError",
        "TypeError",
        "Exception",
    ]


def test_what_no_one_refuses() -> None:
    """Results left behind and ``.cpu()`` on the way: who asks must look where a result is."""
    assert device_of(far(2).cpu() + near(2)).type == "cpu"
    assert device_of(near(2).sum()).type == "cpu"
