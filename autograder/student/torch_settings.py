"""Torch's settings and generators, each as a function that records it.

Covered: default dtype and device, gradients, autocast, threads, deterministic algorithms, precision
of products; the generators of the CPU and of CUDA. Not covered: generators of other devices;
settings that other versions of torch name differently.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

_C: Any = torch._C
_context: Any = torch._GLOBAL_DEVICE_CONTEXT
_cuda: Any = torch.cuda
_cudnn: Any = torch.backends.cudnn
_matmul: Any = torch.backends.cuda.matmul
_set_device: Any = torch.set_default_device
_PLACES = (
    ("generic", "all"),
    *((backend, of) for backend in ("cuda", "mkldnn") for of in ("all", "matmul", "conv", "rnn")),
)
PutBack = Callable[[], object]


def _generators() -> PutBack:
    state = torch.default_generator.get_state()
    cuda = _cuda.get_rng_state_all() if _cuda.is_initialized() else []

    def put_back() -> None:
        torch.default_generator.set_state(state)
        if cuda:
            _cuda.set_rng_state_all(cuda)

    return put_back


def _dtype() -> PutBack:
    dtype = torch.get_default_dtype()
    return lambda: torch.set_default_dtype(dtype)


def _device() -> PutBack:
    device = getattr(getattr(_context, "device_context", None), "device", None)
    return lambda: _set_device(device)


def _gradients() -> PutBack:
    enabled = torch.is_grad_enabled()
    return lambda: torch.set_grad_enabled(enabled)


def _autocast() -> PutBack:
    enabled = [(device, torch.is_autocast_enabled(device)) for device in ("cpu", "cuda")]

    def put_back() -> None:
        for device, on in enabled:
            torch.set_autocast_enabled(device, on)

    return put_back


def _threads() -> PutBack:
    number = torch.get_num_threads()
    return lambda: torch.set_num_threads(number)


def _deterministic() -> PutBack:
    on = torch.are_deterministic_algorithms_enabled()
    warn_only = torch.is_deterministic_algorithms_warn_only_enabled()
    fill = _C._get_deterministic_fill_uninitialized_memory()

    def put_back() -> None:
        _C._set_deterministic_algorithms(on, warn_only=warn_only)
        _C._set_deterministic_fill_uninitialized_memory(fill)

    return put_back


def _products() -> PutBack:
    """Must be restored before the precision of each backend, which it sets as well."""
    precision = torch.get_float32_matmul_precision()
    return lambda: torch.set_float32_matmul_precision(precision)


def _convolutions() -> PutBack:
    """Must be restored before the precision of convolutions, which torch refuses to report where
    the newer settings differ from each other."""
    allowed = _C._get_cudnn_allow_tf32()
    return lambda: _C._set_cudnn_allow_tf32(allowed)


def _precision() -> PutBack:
    found = [(*place, _C._get_fp32_precision_getter(*place)) for place in _PLACES]

    def put_back() -> None:
        for place in found:
            _C._set_fp32_precision_setter(*place)

    return put_back


def _sums() -> PutBack:
    """Settings of cuDNN and cuBLAS: the choice of algorithm, and in which precision narrow floats
    are summed."""
    benchmark = _cudnn.benchmark
    half = _matmul.allow_fp16_reduced_precision_reduction
    brain = _matmul.allow_bf16_reduced_precision_reduction

    def put_back() -> None:
        _cudnn.benchmark = benchmark
        _matmul.allow_fp16_reduced_precision_reduction = half
        _matmul.allow_bf16_reduced_precision_reduction = brain

    return put_back


# in the order in which they are restored
NOTES: tuple[Callable[[], PutBack], ...] = (
    _generators,
    _dtype,
    _device,
    _gradients,
    _autocast,
    _threads,
    _deterministic,
    _products,
    _convolutions,
    _precision,
    _sums,
)
