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

LEGAL: dict[str, tuple[Callable[[], Any], str]] = {
    **{
        f"{name}, scalar right": (functools.partial(lambda f: f(far(3), near()), f), "cuda")
        for name, f in _ELEMENTWISE.items()
    },
    **{
        f"{name}, scalar left": (functools.partial(lambda f: f(near(), far(3)), f), "cuda")
        for name, f in _ELEMENTWISE.items()
    },
    "where: condition": (lambda: torch.where(torch.tensor(True), far(2), far(2)), "cuda"),
    "where: value": (lambda: torch.where(far(2) > 1, near(), far(2)), "cuda"),
    "index_fill value": (lambda: far(3).index_fill(0, ids(0).cuda(), near()), "cuda"),
    "masked_fill value": (lambda: far(3).masked_fill(far(3) > 1, near()), "cuda"),
    "fill_ from the device": (lambda: changed(near(2), "fill_", far()), "cpu"),
    "fill_ from the host": (lambda: changed(far(2), "fill_", near()), "cuda"),
    "index on the host": (lambda: far(4, 2)[ids(0, 2)], "cuda"),
    "mask on the host": (lambda: far(4)[near(4) > 1], "cuda"),
    "integer index on the device": (lambda: near(4)[torch.tensor(1).cuda()], "cpu"),
    "slice written from the host": (lambda: written(far(4), slice(2), near(2)), "cuda"),
    "slice written from the device": (lambda: written(near(4), slice(2), far(2)), "cpu"),
    "all written from the device": (lambda: written(near(4), ..., far(4)), "cpu"),
    "mask on the host, written": (lambda: written(far(4), near(4) > 1, 0.0), "cuda"),
    "mask on the device, written": (lambda: written(near(4), far(4) > 1, 0.0), "cpu"),
    "one element written": (lambda: written(far(4), ids(0, 1), near(1)), "cuda"),
    "index on the device, written": (lambda: written(near(4), ids(0).cuda(), near(1)), "cpu"),
    "copy_ to the host": (lambda: near(2).copy_(far(2)), "cpu"),
    "copy_ to the device": (lambda: far(2).copy_(near(2)), "cuda"),
    "copy_ of a scalar": (lambda: near().copy_(far()), "cpu"),
    "type_as": (lambda: near(2).type_as(far(1)), "cuda"),
    "to other": (lambda: far(2).to(near(1)), "cpu"),
    "view_as": (lambda: far(4).view_as(near(2, 2)), "cuda"),
    "broadcast_tensors": (lambda: torch.broadcast_tensors(near(1), far(3))[0], "cpu"),
    "tensor of scalars": (lambda: torch.tensor([far(), near()]), "cpu"),
    "tensor of one": (lambda: torch.tensor(far(2)), "cuda"),
    "arange to a scalar": (lambda: torch.arange(torch.tensor(3).cuda()), "cpu"),
    "full of a scalar": (lambda: torch.full((2,), far()), "cpu"),
    "linspace of scalars": (lambda: torch.linspace(far(), far(), 3), "cpu"),
    "NumPy scalar": (lambda: np.float32(2) * far(2), "cuda"),
    "Python scalar": (lambda: 1 - far(2) ** 2, "cuda"),
    "addcmul, last": (lambda: torch.addcmul(far(2), far(2), near()), "cuda"),
    "lerp, last": (lambda: torch.lerp(far(2), far(2), near()), "cuda"),
    "logical_and, second": (lambda: torch.logical_and(far(2), near()), "cuda"),
    "in place with a scalar": (lambda: changed(far(2), "mul_", near()), "cuda"),
    "sum of scalars": (lambda: near() + far(), "cuda"),
    "same device": (lambda: F.cross_entropy(far(3, 4), ids(0, 1, 2).cuda()), "cuda"),
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
REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    **{
        f"{name}, two tensors": (functools.partial(lambda f: f(far(3), near(3)), f), SAME)
        for name, f in _ELEMENTWISE.items()
    },
    **{
        f"{name}, one element": (functools.partial(lambda f: f(near(1), far(3)), f), SAME)
        for name, f in _ELEMENTWISE.items()
    },
    **{
        f"{name}, scalar of the device": (functools.partial(lambda f: f(near(3), far()), f), SAME)
        for name, f in _ELEMENTWISE.items()
    },
    "clamp": (lambda: far(3).clamp(min=near()), SAME),
    "clamp max": (lambda: torch.clamp(far(3), max=near()), SAME),
    "logaddexp": (lambda: torch.logaddexp(far(3), near()), SAME),
    "addcdiv": (lambda: torch.addcdiv(far(3), far(3), near()), SAME),
    "addcmul, second": (lambda: torch.addcmul(far(3), near(), far(3)), SAME),
    "lerp, second": (lambda: torch.lerp(far(3), near(), far(3)), SAME),
    "logical_or, first": (lambda: torch.logical_or(near(), far(3)), SAME),
    "mse_loss": (lambda: F.mse_loss(far(3), near(3)), "same device"),
    "equal": (lambda: torch.equal(far(3), near(3)), "same device"),
    "where, one element": (lambda: torch.where(far(3) > 1, far(3), near(1)), SAME),
    "in place on a scalar": (lambda: near().add_(far()), SAME),
    "in place": (lambda: changed(near(3), "add_", far(3)), SAME),
    "out": (lambda: torch.add(far(3), far(3), out=near(3)), SAME),
    "embedding, ids on the host": (
        lambda: F.embedding(ids(0), far(3, 2)),
        "but got index is on cpu, different from other tensors on cuda:0 "
        "(when checking argument in method wrapper_CUDA__index_select)",
    ),
    "embedding, weight on the host": (lambda: F.embedding(ids(0).cuda(), near(3, 2)), "device"),
    "index_select": (lambda: far(3, 2).index_select(0, ids(0)), "index is on cpu"),
    "gather": (lambda: far(3).gather(0, ids(0)), "wrapper_CUDA_gather"),
    "scatter": (lambda: far(3).scatter(0, ids(0), 1.0), "wrapper_CUDA_scatter"),
    "take": (lambda: far(3).take(ids(0)), "same device"),
    "bucketize": (lambda: torch.bucketize(far(3), near(3)), "same device"),
    "cpu[cuda index]": (
        lambda: near(3)[ids(0).cuda()],
        "indices should be either on cpu or on the same device as the indexed tensor (cpu)",
    ),
    "cpu[cuda mask]": (lambda: near(3)[far(3) > 1], "indices should be either on cpu"),
    "several written": (lambda: written(far(4), ids(0, 1), near(2)), "same device"),
    "masked_fill": (
        lambda: far(3).masked_fill(near(3) > 1, 0.0),
        "expected self and mask to be on the same device, but got mask on cpu and self on cuda:0",
    ),
    "mm": (
        lambda: far(2, 2) @ near(2, 2),
        "but got mat2 is on cpu, different from other tensors on cuda:0 "
        "(when checking argument in method wrapper_CUDA_mm)",
    ),
    "bmm": (lambda: torch.bmm(near(1, 2, 2), far(1, 2, 2)), "wrapper_CUDA_bmm"),
    "linear": (lambda: _with_weight(nn.Linear(2, 2), near(1, 2)), "wrapper_CUDA_addmm"),
    "einsum": (lambda: torch.einsum("i,j->ij", near(2), far(2)), "same device"),
    "cat": (lambda: torch.cat([far(2), near(2)]), "tensors is on cpu"),
    "cat with nothing": (lambda: torch.cat([far(2), near(0)]), "tensors is on cpu"),
    "stack of scalars": (lambda: torch.stack([far(), near()]), "same device"),
    "layer_norm": (lambda: F.layer_norm(far(2, 2), (2,), near(2), near(2)), "same device"),
    "cross_entropy target": (lambda: F.cross_entropy(far(2, 3), ids(0, 1)), "target is on cpu"),
    "cross_entropy weight": (
        lambda: F.cross_entropy(far(2, 3), ids(0, 1).cuda(), near(3)),
        "weight is on cpu",
    ),
    "attention": (
        lambda: F.scaled_dot_product_attention(far(1, 1, 2, 4), near(1, 1, 2, 4), far(1, 1, 2, 4)),
        "same device",
    ),
    "attention mask": (
        lambda: F.scaled_dot_product_attention(
            far(1, 1, 2, 4), far(1, 1, 2, 4), far(1, 1, 2, 4), attn_mask=near(2, 2)
        ),
        "same device",
    ),
    "attention layer's mask": (
        lambda: nn.MultiheadAttention(4, 1).cuda()(*[far(2, 1, 4)] * 3, attn_mask=near(2, 2)),
        "same device",
    ),
    "meshgrid": (
        lambda: torch.meshgrid(near(2), far(2), indexing="ij"),
        "meshgrid expects all tensors to have the same device",
    ),
    "gradient": (
        lambda: setattr(far(2).requires_grad_(), "grad", near(2)),
        "assigned grad has data located on a different device",
    ),
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
