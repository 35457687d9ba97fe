"""What the installed torch has about accelerators and the simulation lacks, by name.

The simulation inside the sandbox refuses these; outside, they decide whether a claim that something
is not simulated can be true. Not covered: whether a submission needed it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from types import ModuleType
from typing import Any, NamedTuple

import torch

from autograder.wire.simulation import (
    ACCELERATOR_ANSWERED,
    CUDA_ANSWERED,
    DLPACK,
    ITSELF,
    OPERATOR,
    REAL_DEVICE,
    SCRIPT,
    TRACE,
)

# of ``torch.backends.cuda``: which kernels a GPU would use
KERNELS = tuple(
    name
    for name in (
        "blas_workspace_size",
        "cublas_workspace_size",
        "cublaslt_workspace_size",
        "can_use_cudnn_attention",
        "can_use_efficient_attention",
        "can_use_flash_attention",
        "is_flash_attention_available",
    )
    if hasattr(torch.backends.cuda, name)
)
_ABOUT = ("torch.cuda", "torch.accelerator")  # modules whose functions are about devices
# these ask no device: exceptions, and constants
_HOST = (
    "AcceleratorError",
    "OutOfMemoryError",
    "DeferredCudaCallError",
    "cudaStatus",
    "classproperty",
)


class Public(NamedTuple):
    """A public function or class ``name`` of a module about devices; ``answered`` by the
    simulation, or not simulated. ``text``: its full name."""

    owner: ModuleType
    name: str
    answered: bool

    @property
    def text(self) -> str:
        return f"{self.owner.__name__}.{self.name}"


def surface(package: ModuleType, answered: Collection[str]) -> Iterator[Public]:
    """Every public function and class of a package that would ask the real device."""
    for owner in _modules(package):
        for name in _asking(owner):
            same = getattr(package, name, None) is getattr(owner, name)  # else just a namesake
            yield Public(owner, name, same and name in answered)


def _modules(package: ModuleType) -> Iterator[ModuleType]:
    """A package and the public modules in it that have been imported. Automatic mixed precision
    works on the CPU."""
    yield package
    for name, value in vars(package).items():
        own = isinstance(value, ModuleType) and value.__name__ == f"{package.__name__}.{name}"
        if own and not name.startswith("_") and name not in ("amp", "sparse"):
            yield value


def _asking(module: ModuleType) -> Iterator[str]:
    for name in dir(module):
        value = getattr(module, name)
        ours = str(getattr(value, "__module__", "")).startswith(_ABOUT)
        if ours and callable(value) and not name.startswith("_") and name not in _HOST:
            yield name


def _packages() -> Iterator[tuple[ModuleType, Collection[str]]]:
    """The packages that the simulation replaces, with the names that it answers."""
    yield torch.cuda, CUDA_ANSWERED
    accelerator: Any = getattr(torch, "accelerator", None)  # older versions of torch lack it
    if accelerator is not None:
        yield accelerator, ACCELERATOR_ANSWERED


PACKAGES = tuple(_packages())
# every name by which the simulation reports that it lacks something: of this version of torch,
# read while no simulation is active
LACKING = frozenset(
    {
        TRACE,
        DLPACK,
        SCRIPT,
        REAL_DEVICE,
        OPERATOR,
        ITSELF,
        *(f"torch.backends.cuda.{name}" for name in KERNELS),
        *(one.text for given in PACKAGES for one in surface(*given) if not one.answered),
    }
)
