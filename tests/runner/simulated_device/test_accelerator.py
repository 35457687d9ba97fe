"""The simulated accelerator comes and goes without a trace, and serves forks and cells."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from collections import namedtuple
from typing import Any, ClassVar

import pytest
import torch
from torch import nn
from torch.overrides import TorchFunctionMode, _get_current_function_mode_stack
from torch.utils._python_dispatch import TorchDispatchMode

from autograder.runner.output import Collector
from autograder.runner.shell import NotebookShell, make_shell
from autograder.runner.simulated_device.accelerator import SimulatedAccelerator, warm
from autograder.runner.simulated_device.answers import ANSWERS
from autograder.runner.simulated_device.explain import fault_of
from autograder.runner.simulated_device.labels import CPU, CUDA, device_of, label_of, put
from autograder.runner.simulated_device.moving import move


def traces() -> list[Any]:
    """Everything that the simulation replaces."""
    replaced = [getattr(owner, name) for owner, answers in ANSWERS for name in answers]
    return [
        *replaced,
        torch.autograd._engine_run_backward,
        torch.autograd.graph._engine_run_backward,
        torch.autograd.graph.saved_tensors_hooks.__init__,
        torch.get_default_device(),
        list(torch.serialization._package_registry),
        _get_current_function_mode_stack(),
        torch._C._len_torch_dispatch_stack(),
        torch.utils._device.CURRENT_DEVICE,
    ]


class Loud(TorchFunctionMode):
    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


class Low(TorchDispatchMode):
    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return func(*args, **(kwargs or {}))


def _raise() -> None:
    torch.ones(2, device="cuda") + torch.ones(2)


def _interrupt() -> None:
    raise KeyboardInterrupt


def _leave_modes() -> None:
    Loud().__enter__()
    Low().__enter__()
    torch.device("cuda").__enter__()


def _fail_backwards() -> None:
    x = torch.ones(2, device="cuda", requires_grad=True) * 2
    x.register_hook(lambda gradient: 1 / 0)
    x.sum().backward()


LEFT = {
    "nothing": lambda: None,
    "an error": _raise,
    "an interrupt": _interrupt,
    "modes": _leave_modes,
    "a default device": lambda: torch.set_default_device("cuda"),
    "a patch": lambda: setattr(torch.cuda, "is_available", lambda: 1 / 0),
    "an error backwards": _fail_backwards,
}


@pytest.mark.parametrize("name", LEFT)
def test_nothing_is_left(name: str) -> None:
    before = traces()
    there = SimulatedAccelerator()
    for _ in range(3):
        with contextlib.suppress(RuntimeError, KeyboardInterrupt, ZeroDivisionError), there:
            assert torch.cuda.is_available()
            LEFT[name]()
        assert traces() == before
        assert (torch.ones(2) + 1).device == CPU and torch.zeros(1).untyped_storage() is not None


def test_a_mode_from_before_stays() -> None:
    with Loud() as loud, torch.device("cpu"):
        with SimulatedAccelerator():
            assert torch.ones(1, device="cuda").is_cuda
        assert loud in _get_current_function_mode_stack()
        assert torch.get_default_device() == CPU


def test_an_interrupt_on_the_way_in(monkeypatch: pytest.MonkeyPatch) -> None:
    before = traces()
    for name in ("_functions", "_operations"):
        broken = SimulatedAccelerator()
        monkeypatch.setattr(broken, name, Broken())
        with pytest.raises(KeyboardInterrupt), broken:
            pass
        assert traces() == before


class Broken:
    def __enter__(self) -> None:
        raise KeyboardInterrupt


def test_not_twice_at_once() -> None:
    there = SimulatedAccelerator()
    with there, pytest.raises(RuntimeError, match="already active"):
        there.__enter__()
    assert not torch.cuda.is_available()


def test_labels_outlive_the_simulation_and_the_simulation_knows_them_again() -> None:
    with SimulatedAccelerator():
        x = torch.ones(3, device="cuda")
        loss = (x.requires_grad_() * 2).sum()
    assert device_of(x) == CUDA == device_of(x[1:].detach()) and str(x.device) == "cpu"
    assert (
        device_of(torch.ones(1)) == CPU and device_of(torch.ones(1, device="meta")).type == "meta"
    )
    with SimulatedAccelerator():
        assert x.is_cuda
        loss.backward()
        assert x.grad is not None and x.grad.is_cuda
        with pytest.raises(RuntimeError, match="same device"):
            x + torch.ones(3)


def test_a_long_history_does_not_grow() -> None:
    with SimulatedAccelerator():
        total = torch.zeros(2)
        first = label_of(total)
        for _ in range(500):
            total = total + 1
        label, steps = label_of(total), 0
        while label is not None and label.parent is not None:
            label, steps = label.parent, steps + 1
        assert steps < 50 and label is first
    assert put(torch.ones(1), CUDA).device == CUDA


def test_moves_as_a_trusted_caller() -> None:
    class Own(nn.Linear):
        moved = 0

        def to(self, *args: Any, **kwargs: Any) -> Any:
            self.moved += 1
            return super().to(*args, **kwargs)

    class Spy(TorchDispatchMode):
        seen: ClassVar[list[Any]] = []

        def __torch_dispatch__(
            self, func: Any, types: Any, args: Any = (), kwargs: Any = None
        ) -> Any:
            self.seen.append(func)
            return func(*args, **(kwargs or {}))

    Pair = namedtuple("Pair", "left right")
    real = torch.Tensor.to
    with SimulatedAccelerator(), Spy():
        assert move(torch.ones(2), "cuda").is_cuda and Spy.seen == [torch.ops.aten.ones.default]
    with SimulatedAccelerator():
        module, x = Own(2, 2), torch.ones(2, requires_grad=True)
        torch.Tensor.to = torch.Tensor.cuda = None  # type: ignore[method-assign, assignment]
        try:
            y = move(x, "cuda")
            several = move([Pair(x, 3), {"a": (x,)}, "text"], "cuda")
        finally:
            torch.Tensor.to = real  # type: ignore[method-assign]
            del torch.Tensor.cuda
        assert y.is_cuda and device_of(several[0].left) == device_of(several[1]["a"][0]) == CUDA
        assert type(several[0]) is Pair and several[0].right == 3 and several[2] == "text"
        y.sum().backward()
        assert x.grad is not None and device_of(x.grad) == CPU
        assert move(module, "cuda") is module and module.moved == 1 and module.weight.is_cuda
        assert move(y, "cpu").device == CPU and move(y, "cuda") is y


def test_cells_of_a_notebook() -> None:
    NotebookShell.clear_instance()
    shell = make_shell(Collector())
    try:
        with SimulatedAccelerator():
            shell.cell_number = 4
            first = "import torch\ndevice = 'cuda' if torch.cuda.is_available() else 'cpu'"
            assert shell.run_cell(first).success
            shell.cell_number = 5
            done = shell.run_cell("x = torch.ones(2, device=device)\ny = torch.arange(2)\nx + y")
        found = fault_of(done.error_in_exec, arguments=[], names=shell.user_ns)
        assert found is not None and (found.origin, found.name) == ("global", "y")
        assert (found.cell, found.line, found.source) == (5, 2, "torch.arange(2)")
        assert shell.user_ns["device"] == "cuda"
    finally:
        NotebookShell.clear_instance()


def test_other_threads_have_no_device() -> None:
    seen: list[torch.device] = []
    with SimulatedAccelerator():
        x = torch.ones(1, device="cuda")
        thread = threading.Thread(target=lambda: seen.append(torch.ones(1).device))
        thread.start()
        thread.join()
        assert (x + 1).is_cuda
    assert seen == [CPU]


def test_a_forked_child_uses_what_was_warmed() -> None:
    warm()
    child = os.fork()
    if child == 0:
        try:
            with SimulatedAccelerator():
                ok = torch.ones(2, device="cuda").sum().is_cuda
        except BaseException:
            ok = False
        os._exit(0 if ok else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_the_first_use_is_cheap() -> None:
    """``torch._dynamo`` takes more than a second to import; the simulation has no use for it."""
    program = (
        "import sys, torch\n"
        "from autograder.runner.simulated_device.accelerator import SimulatedAccelerator\n"
        "with SimulatedAccelerator():\n"
        "    layer = torch.nn.Linear(2, 2).to('cuda')\n"
        "    layer(torch.ones(2, device='cuda')).sum().backward()\n"
        "    print(layer.weight.grad)\n"
        "sys.exit('torch._dynamo' in sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, timeout=60)
