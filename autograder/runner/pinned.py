"""Sets torch's numeric settings to those of ``wire/pinned.py``, whatever a notebook did to them.

Settings are set and never read: reading the old flags raises once a notebook has used the new ones.
Deterministic algorithms change no result on the CPU and cost nothing there, except for ``put_``,
which warns; a call does not show warnings.

Covered: precision of float32 products on CPU and accelerators, reduced sums, the choice of
algorithms, threads. Not covered: what a function sets itself while it runs; the settings by backend
in torch before 2.9.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import torch

from autograder.wire.pinned import PINNED

_cudnn, _matmul = torch.backends.cudnn, torch.backends.cuda.matmul
_set_matmul_precision, _set_threads = torch.set_float32_matmul_precision, torch.set_num_threads
# torch.use_deterministic_algorithms imports the compiler first: a second
_set_deterministic = torch._C._set_deterministic_algorithms
_set_fill = torch._C._set_deterministic_fill_uninitialized_memory
_set_precision: Callable[[str, str, str], object] | None = getattr(
    torch._C, "_set_fp32_precision_setter", None
)
_PLACES = (
    ("generic", "all"),
    *((backend, of) for backend in ("cuda", "mkldnn") for of in ("all", "matmul", "conv", "rnn")),
)


def pin() -> None:
    """Set all of them; takes some microseconds."""
    for set_one, value in _STEPS:
        set_one(value)


def _float32(value: str) -> None:
    if _set_precision is not None:
        for backend, of in _PLACES:
            _set_precision(backend, of, value)


def _tf32(value: str) -> None:
    _cudnn.allow_tf32 = value == "on"


def _benchmark(value: str) -> None:
    _cudnn.benchmark = value == "on"


def _float16_sums(value: str) -> None:
    _matmul.allow_fp16_reduced_precision_reduction = value == "on"


def _bfloat16_sums(value: str) -> None:
    _matmul.allow_bf16_reduced_precision_reduction = value == "on"


def _deterministic(value: str) -> None:
    _set_deterministic(value != "off", warn_only=value == "warn only")


def _fill(value: str) -> None:
    _set_fill(value == "on")  # on: torch.empty would be full of NaN


def _threads(value: str) -> None:
    _set_threads(int(value))


_SETTERS: Mapping[str, Callable[[str], None]] = MappingProxyType(
    {
        "float32 precision": _float32,
        "float32 matmul precision": _set_matmul_precision,
        "cuDNN TF32": _tf32,
        "cuDNN benchmark": _benchmark,
        "float16 reduced-precision sums": _float16_sums,
        "bfloat16 reduced-precision sums": _bfloat16_sums,
        "deterministic algorithms": _deterministic,
        "fill uninitialized memory": _fill,
        "threads": _threads,
    }
)
_STEPS = tuple((_SETTERS[name], value) for name, value in PINNED)
