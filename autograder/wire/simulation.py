"""What the simulated accelerator answers and what it lacks, by name.

The simulation inside the sandbox is built from these tables; outside, they decide whether a claim
that something is not simulated can be true. Covered: ``torch.cuda``, ``torch.accelerator`` and what
the simulation does not support at all. Not covered: whether a submission needed it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType, ModuleType
from typing import Any, NamedTuple

import torch

MEMORY = 16 * 1024**3  # bytes of the accelerator
_ZERO = (
    "memory_allocated",
    "max_memory_allocated",
    "memory_reserved",
    "max_memory_reserved",
    "memory_cached",
    "max_memory_cached",
    "utilization",
)
_NOTHING = tuple(
    """
    synchronize empty_cache reset_peak_memory_stats reset_max_memory_allocated
    reset_accumulated_memory_stats reset_max_memory_cached manual_seed manual_seed_all seed
    seed_all init ipc_collect set_rng_state set_rng_state_all set_per_process_memory_fraction
    set_stream set_sync_debug_mode
    """.split()
)
# the same answer to every call
CUDA_CONSTANT: Mapping[str, object] = MappingProxyType(
    {
        **dict.fromkeys(_NOTHING),
        "is_available": True,
        "is_initialized": True,
        "device_count": 1,
        "current_device": 0,
        "is_bf16_supported": True,
        "is_tf32_supported": True,
        "is_current_stream_capturing": False,
        "get_sync_debug_mode": 0,
    }
)
# the same answer for the only device
CUDA_CHECKED: Mapping[str, object] = MappingProxyType(
    {
        **dict.fromkeys(_ZERO, 0),
        "get_device_name": "simulated",
        "get_device_capability": (8, 0),
        "mem_get_info": (MEMORY, MEMORY),
        "memory_summary": "",
        "set_device": None,
        "get_per_process_memory_fraction": 1.0,
    }
)
CUDA_COMPUTED = frozenset(
    {
        "get_device_properties",
        "get_arch_list",
        "memory_stats",
        "memory_stats_as_nested_dict",
        "initial_seed",
        "get_rng_state",
        "get_rng_state_all",
        "current_stream",
        "default_stream",
    }
)
OLD_TYPES: Mapping[str, str] = MappingProxyType(
    {  # of tensors: ``torch.cuda.FloatTensor``
        "FloatTensor": "float32",
        "DoubleTensor": "float64",
        "HalfTensor": "float16",
        "BFloat16Tensor": "bfloat16",
        "LongTensor": "int64",
        "IntTensor": "int32",
        "ShortTensor": "int16",
        "CharTensor": "int8",
        "ByteTensor": "uint8",
        "BoolTensor": "bool",
    }
)
CUDA_OBJECTS = frozenset({"Stream", "Event", "device", "stream", *OLD_TYPES})
ACCELERATOR_CONSTANT: Mapping[str, object] = MappingProxyType(
    {
        "is_available": True,
        "device_count": 1,
        "current_accelerator": torch.device("cuda"),
        "current_device_index": 0,
        "current_device_idx": 0,
        **dict.fromkeys(("synchronize", "empty_cache", "reset_peak_memory_stats")),
    }
)
ACCELERATOR_CHECKED: Mapping[str, object] = MappingProxyType(
    {
        **dict.fromkeys(("set_device_index", "set_device_idx")),
        **dict.fromkeys(
            ("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"),
            0,
        ),
    }
)
ACCELERATOR_COMPUTED = frozenset({"current_stream"})
CUDA_ANSWERED = {*CUDA_CONSTANT, *CUDA_CHECKED, *CUDA_COMPUTED, *CUDA_OBJECTS}
ACCELERATOR_ANSWERED = {*ACCELERATOR_CONSTANT, *ACCELERATOR_CHECKED, *ACCELERATOR_COMPUTED}

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
# what the simulation does not support, in its own words
TRACE, DLPACK = "torch.jit.trace", "torch.from_dlpack"
SCRIPT, REAL_DEVICE = "TorchScript", "use of the real device"
OPERATOR = "an operator that the simulation has no rule for"
ITSELF = "what the simulation itself could not do"
# torch's message when it has no CPU kernel for a dtype: the kernel, the dtype
NO_KERNEL = re.compile(r"\"([\w.]+)\" not implemented for '(\w+)'")

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
