"""What the simulated accelerator answers and what it lacks, by name.

The simulation inside the sandbox is built from these tables; ``lacking`` has what the installed
torch has beyond them. Covered: ``torch.cuda``, ``torch.accelerator`` and what the simulation does
not support at all. Not covered: whether a submission needed it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType

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
ACCELERATOR_COMPUTED = frozenset({"current_accelerator", "current_stream"})
CUDA_ANSWERED = {*CUDA_CONSTANT, *CUDA_CHECKED, *CUDA_COMPUTED, *CUDA_OBJECTS}
ACCELERATOR_ANSWERED = {*ACCELERATOR_CONSTANT, *ACCELERATOR_CHECKED, *ACCELERATOR_COMPUTED}

# what the simulation does not support, in its own words
TRACE, DLPACK = "torch.jit.trace", "torch.from_dlpack"
SCRIPT, REAL_DEVICE = "TorchScript", "use of the real device"
OPERATOR = "an operator that the simulation has no rule for"
ITSELF = "what the simulation itself could not do"
# torch's message when it has no CPU kernel for a dtype: the kernel, the dtype
NO_KERNEL = re.compile(r"\"([\w.]+)\" not implemented for '(\w+)'")
