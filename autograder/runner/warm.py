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
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from matplotlib import pyplot as plt

from autograder.runner import figures, serve
from autograder.runner.output import Collector
from autograder.runner.session import Session
from autograder.runner.shell import make_shell
from autograder.runner.shims import otter, student
from autograder.runner.toolkit import toolkit

_HUGE, _MADV_COLLAPSE = 2 * 1024**2, 25


def prepare(
    packages: Sequence[str], *, models: str, device: bool
) -> Callable[[int, tuple[str, ...], str], None]:
    """Warm up; returns the function that a child calls with its channel and layers.

    ``packages`` that cannot be imported are left to fail in the student's own cell. ``models`` is a
    folder in the layout of a Hugging Face cache; nothing is downloaded. ``device``: whether the
    children will use a real one.
    """
    os.environ.update(HF_HUB_OFFLINE="1", TRANSFORMERS_OFFLINE="1", HF_HOME=models)
    figures.install()
    collector = Collector()
    shell = make_shell(collector)
    shell.run_cell("None", store_history=False)
    for package in packages:
        with contextlib.suppress(Exception):
            importlib.import_module(package)
    student.install()  # a Grader in the box does nothing
    otter.install()
    # torch's, if a package is torch or has imported it
    toolkit(needed="torch" in sys.modules).warm(device=device)
    np.random.default_rng(0).normal(size=2)
    _use_matplotlib()
    gc.collect()
    gc.freeze()
    _collapse_pages()
    session = Session(shell, collector)
    return functools.partial(_serve, session)


def capability() -> str:
    """Torch's name for the vector instructions that are used here."""
    return toolkit().capability()


def _serve(session: Session, fd: int, layers: tuple[str, ...], failed: str) -> None:
    serve.serve(fd, session, layers, failed)


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
