"""Every public function and class about accelerators is answered by the simulation or named as
not simulated, whichever build of torch is installed: the CPU's, or CUDA's without a driver."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import torch

from autograder.runner.simulated_device.accelerator import SimulatedAccelerator
from autograder.runner.simulated_device.answers import ANSWERS
from autograder.runner.simulated_device.faults import REFUSALS, NotSimulated
from autograder.runner.simulated_device.unsupported import not_simulated

PACKAGES: tuple[Any, ...] = (
    torch.cuda,
    torch.cuda.memory,
    torch.cuda.random,
    torch.cuda.graphs,
    torch.cuda.streams,
    torch.cuda.nvtx,
    torch.cuda.profiler,
    torch.cuda.nccl,
    torch.cuda.tunable,
    torch.accelerator,
)
HARMLESS = ("OutOfMemoryError", "AcceleratorError", "DeferredCudaCallError", "cudaStatus")
ARGUMENTS: tuple[tuple[Any, ...], ...] = ((), (0,), ("cuda",), (0, 1), (torch.sin,))


def public() -> Iterator[Any]:
    for package in PACKAGES:
        for name in package.__all__ if hasattr(package, "__all__") else ():
            value = getattr(package, name, None)
            asking = callable(value) and getattr(value, "__module__", "").startswith("torch")
            if asking and name not in HARMLESS and not name.endswith("Storage"):
                yield pytest.param(package, name, id=f"{package.__name__}.{name}")


@pytest.mark.parametrize(("package", "name"), list(public()))
def test_no_question_reaches_the_real_device(package: Any, name: str) -> None:
    answered = {(id(owner), known) for owner, answers in ANSWERS for known in answers}
    assert (id(package), name) in answered
    for arguments in ARGUMENTS:
        with SimulatedAccelerator():
            try:
                getattr(package, name)(*arguments)
            except (TypeError, *REFUSALS):
                continue  # it takes no such arguments, or there is no such device
            except (Exception, NotSimulated) as error:
                assert not_simulated(error), f"{name}{arguments}: {error!r}"


USES: dict[str, Callable[[torch.Tensor], object]] = {
    "a stream of any device": lambda x: torch.Stream(device="cuda").wait_stream(torch.Stream()),
    "an event of any device": lambda x: torch.Event("cuda").record(),
    "a stream that a tensor is used on": lambda x: x.record_stream(torch.cuda.current_stream()),
    "pinned memory": lambda x: torch.ones(2).pin_memory().to(x.device, non_blocking=True) + x,
    "a loader that pins": lambda x: [
        batch.to(x.device) + x
        for batch in torch.utils.data.DataLoader(torch.ones(4, 2), batch_size=2, pin_memory=True)
    ],
    "sub-modules of the package": lambda x: torch.cuda.memory.memory_allocated() + x,
}


@pytest.mark.parametrize("name", USES)
def test_ordinary_uses_are_answered(name: str) -> None:
    with SimulatedAccelerator():
        USES[name](torch.ones(2, device="cuda"))


def raised_from_c(error: Exception) -> Exception:
    """The same exception with no ``raise`` statement where it began."""
    loop = asyncio.new_event_loop()
    future = asyncio.Future[None](loop=loop)
    future.set_exception(error)
    try:
        future.result()
    except Exception as caught:
        return caught
    finally:
        loop.close()
    raise AssertionError("the future has no exception")


LACKING = (
    torch.AcceleratorError("CUDA error: CUDA driver version is insufficient"),
    RuntimeError("Found no NVIDIA driver on your system."),
)


@pytest.mark.parametrize("error", LACKING, ids=lambda error: type(error).__name__)
def test_a_driver_that_is_not_there_is_no_fault_of_the_code(error: Exception) -> None:
    assert not_simulated(raised_from_c(error)) == "use of the real device"
    try:
        raise error.with_traceback(None)
    except Exception as own:  # what a student raises is the student's
        assert not_simulated(own) == ""
