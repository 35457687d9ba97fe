"""Whether this process has used an accelerator, through torch or past it."""

from __future__ import annotations

import ctypes
import os

from autograder.runner.toolkit import toolkit

NOT_INITIALIZED = 3  # CUDA_ERROR_NOT_INITIALIZED, of the CUDA driver API
NODES = ("/dev/nvidia", "/dev/kfd", "/dev/dri/", "/dev/dxg")


def in_use() -> str:
    """How this process has already used a device (which no fork survives); "" if it has not."""
    if said := toolkit().made_context():
        return said
    if _driver_is_initialized():  # a driver that was initialised past torch
        return "the CUDA driver was initialized"
    for descriptor in os.listdir("/proc/self/fd") if os.path.isdir("/proc/self/fd") else ():  # noqa: PTH112, PTH208
        try:
            target = os.readlink(f"/proc/self/fd/{descriptor}")  # noqa: PTH115
        except OSError:  # the one that listed them
            continue
        if target.startswith(NODES):
            return f"{target} is open"
    return ""


def _driver_is_initialized() -> bool:
    """Whether cuInit was called, by torch or not: before it the driver counts no devices."""
    try:
        driver = ctypes.CDLL("libcuda.so.1", mode=os.RTLD_NOW | os.RTLD_NOLOAD)
    except (OSError, AttributeError):  # it was never loaded, or this is not Linux
        return False
    return int(driver.cuDeviceGetCount(ctypes.byref(ctypes.c_int()))) != NOT_INITIALIZED
