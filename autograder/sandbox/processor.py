"""Which vector instructions numeric libraries use, and how to limit them to fewer.

Each library chooses its kernels for the processor that it runs on, and kernels round differently.
Limited to a capability, this machine gives the results of one with an older processor. Variables,
according to their documentation: torch ``ATEN_CPU_CAPABILITY``, oneDNN ``ONEDNN_MAX_CPU_ISA``, MKL
``MKL_ENABLE_INSTRUCTIONS``, OpenBLAS ``OPENBLAS_CORETYPE``, NumPy ``NPY_DISABLE_CPU_FEATURES``.

Covered: x86-64. Not covered: other processors, where there is one capability, "default"; code that
asks the processor itself.
"""

from __future__ import annotations

import importlib
import os
import platform
from collections.abc import Mapping
from pathlib import Path

CAPABILITIES = ("default", "avx2", "avx512")  # torch's names, the lowest first
VARIABLES = (
    "ATEN_CPU_CAPABILITY",
    "ONEDNN_MAX_CPU_ISA",
    "MKL_ENABLE_INSTRUCTIONS",
    "OPENBLAS_CORETYPE",
    "NPY_DISABLE_CPU_FEATURES",
)
# A virtual machine may announce AMX but not permit it: then a process dies of an illegal
# instruction at its first product in bfloat16. This is oneDNN's maximum without it.
WITHOUT_AMX = {"ONEDNN_MAX_CPU_ISA": "AVX512_CORE_FP16"}
_HELD = {
    "default": ("default", "SSE41", "SSE4_2", "Nehalem"),
    "avx2": ("avx2", "AVX2", "AVX2", "Haswell"),
    "avx512": ("avx512", "AVX512_CORE", "AVX512", "SkylakeX"),
}
_NEEDED = {  # flags of /proc/cpuinfo
    "default": frozenset[str](),
    "avx2": frozenset({"avx2", "fma", "f16c", "bmi1", "bmi2"}),
    "avx512": frozenset({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"}),
}
_CPUINFO = Path("/proc/cpuinfo")


def capabilities() -> tuple[str, ...]:
    """The capabilities that this machine can be limited to, the lowest first."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return CAPABILITIES[:1]
    flags = _flags()
    return tuple(name for name in CAPABILITIES if _NEEDED[name] <= flags)


def held_to(capability: str) -> Mapping[str, str]:
    """The environment in which every library computes as on a processor of this capability."""
    held = dict(zip(VARIABLES, _HELD[capability], strict=False))
    return held | {"NPY_DISABLE_CPU_FEATURES": " ".join(_beyond(capability))}


def passed_on() -> Mapping[str, str]:
    """The part of this process's environment that limits libraries to a capability, and never
    AMX."""
    return WITHOUT_AMX | {name: os.environ[name] for name in VARIABLES if name in os.environ}


def _flags() -> frozenset[str]:
    try:
        lines = _CPUINFO.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return frozenset()
    found = (line.partition(":")[2] for line in lines if line.startswith("flags"))
    return frozenset(next(found, "").split())


def _beyond(capability: str) -> list[str]:
    """NumPy's own names of features that a processor of this capability lacks."""
    features: list[str] = []
    for core in ("numpy._core", "numpy.core"):  # from NumPy 2.0 on; before
        try:
            features = importlib.import_module(f"{core}._multiarray_umath").__cpu_dispatch__
        except (ImportError, AttributeError):
            continue
        break
    if capability == "avx512":
        return []
    wide = ("AVX512", "X86_V4")
    return [name for name in features if capability == "default" or name.startswith(wide)]
