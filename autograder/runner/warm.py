"""What the zygote does once so that no child has to: imports, first uses, the shell.

Everything runs with one thread: a parallel operation before a fork would leave the children without
the threads that it started.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import gc
import importlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from matplotlib import pyplot as plt

from autograder.runner import figures, serve
from autograder.runner.output import Collector
from autograder.runner.session import Session
from autograder.runner.shell import make_shell
from autograder.runner.shims import otter, student
from autograder.runner.simulated_device import accelerator

MAX_THREADS = 4
_HUGE, _MADV_COLLAPSE = 2 * 1024**2, 25


def prepare(
    packages: Sequence[str], *, models: str, device: bool
) -> Callable[[int, tuple[str, ...], str], None]:
    """Warm up; returns the function that a child calls with its channel and layers.

    ``packages`` that cannot be imported are left to fail in the student's own cell. ``models`` is a
    folder in the layout of a Hugging Face cache; nothing is downloaded. ``device``: whether the
    children will use a real one.
    """
    torch.set_num_threads(1)
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_HOME=models)
    figures.install()
    collector = Collector()
    shell = make_shell(collector)
    shell.run_cell("None", store_history=False)
    for package in packages:
        with contextlib.suppress(Exception):
            importlib.import_module(package)
    student.install()  # guard: a Grader in the box does nothing
    otter.install()
    _use_torch(gradients=not device)  # guard: no gradient before the fork beside a device
    if not device:  # guard: no simulation before the fork beside a device
        accelerator.warm()
    _use_matplotlib()
    _refuse_worker_processes()
    _bound_threads()
    gc.collect()
    gc.freeze()
    _collapse_pages()
    session = Session(shell, collector)
    return functools.partial(_serve, session)


def capability() -> str:
    """Torch's name for the vector instructions that it uses here."""
    return str(torch.backends.cpu.get_cpu_capability())


def _serve(session: Session, fd: int, layers: tuple[str, ...], failed: str) -> None:
    serve.serve(fd, session, layers, failed)


def _use_torch(*, gradients: bool) -> None:
    """First uses that are slow: an optimizer, backward, one_hot, repr, einsum, generators.

    Without ``gradients`` none is computed: the first ``backward`` counts the devices, which are
    hidden here, and torch and CUDA keep that number, in every child as well.
    """
    layer = torch.nn.Embedding(4, 4)
    optimizer = torch.optim.Adam(layer.parameters())
    ids = torch.arange(4)
    logits = layer(ids) @ torch.nn.functional.one_hot(ids, 4).float()
    loss = torch.nn.functional.cross_entropy(logits, ids)
    if gradients:
        loss.backward()  # type: ignore[no-untyped-call]
    else:
        layer.weight.grad = torch.ones(4, 4)
    optimizer.step()
    torch.optim.SGD(layer.parameters(), lr=0.1).step()
    repr(layer(ids)), str(torch.randn(2, 2)), torch.einsum("ij->ji", logits)
    np.random.default_rng(0).normal(size=2)
    torch.set_default_dtype(torch.float32)
    torch.set_default_device(None)


def _use_matplotlib() -> None:
    """Draw one figure of each usual kind, so that fonts and artists are loaded."""
    figure, (left, right) = plt.subplots(1, 2)
    image = left.imshow(np.zeros((2, 2)), cmap="RdBu")
    figure.colorbar(image, ax=left)
    right.plot([0, 1], label="a")
    right.scatter([0], [1])
    right.legend()
    figure.suptitle("warm")
    figures.draw(figure)
    plt.close("all")


def _collapse_pages() -> None:
    """Ask for huge pages under the heap: fewer page-table entries to copy at each fork."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        madvise = ctypes.CDLL(None, use_errno=True).madvise
        for line in Path("/proc/self/maps").read_text().splitlines():
            span, mode, _, _, inode, *_ = line.split()
            start, end = (int(part, 16) for part in span.split("-"))
            if inode == "0" and mode.startswith("rw") and end - start >= 2 * _HUGE:
                first, last = -(-start // _HUGE) * _HUGE, end // _HUGE * _HUGE
                madvise(ctypes.c_void_p(first), ctypes.c_size_t(last - first), _MADV_COLLAPSE)


def _bound_threads() -> None:
    """More threads than this cost memory and gain nothing at a course's sizes."""
    original = torch.set_num_threads

    def set_num_threads(nthreads: int) -> None:
        original(max(1, min(int(nthreads), MAX_THREADS)))

    torch.set_num_threads = set_num_threads


def _refuse_worker_processes() -> None:
    """Processes are refused in the sandbox, so a DataLoader always loads in the child itself."""
    original = torch.utils.data.DataLoader.__init__

    @functools.wraps(original)
    def load_here(self: Any, *args: Any, **kwargs: Any) -> None:
        if kwargs.get("num_workers"):
            kwargs["num_workers"] = 0
            kwargs.pop("prefetch_factor", None)
            kwargs.pop("persistent_workers", None)
        original(self, *args, **kwargs)

    torch.utils.data.DataLoader.__init__ = load_here  # type: ignore[method-assign]
