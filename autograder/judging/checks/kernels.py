"""Finds what this torch has no CPU kernel for, by ``kernel_survey`` in a process of its own."""

from __future__ import annotations

import functools
import os
import subprocess
import sys

from autograder.wire.simulation import NO_KERNEL

# torch's names of dtypes when it refuses one
_DTYPES = {
    "Half": "float16",
    "BFloat16": "bfloat16",
    "Float": "float32",
    "Double": "float64",
    "ComplexHalf": "complex32",
    "ComplexFloat": "complex64",
    "ComplexDouble": "complex128",
}
_SECONDS = 120


def has_no_kernel(text: str) -> bool:
    """Whether this torch raises this for one of its operators on the CPU; also True if that cannot
    be found out, which is nobody's fault.

    ``text``: ``"cholesky_cpu" not implemented for 'Half'``.
    """
    found = NO_KERNEL.fullmatch(text)
    if found is None or found[2] not in _DTYPES:
        return False
    refusals = _refusals(_DTYPES[found[2]])
    # Torch that cannot be asked is nobody's fault.
    return refusals is None or text in refusals


@functools.cache
def _refusals(dtype: str) -> frozenset[str] | None:
    """All such texts for a dtype; None if they are not available. In another process because some
    operators draw random numbers, warn, or could crash the process."""
    command = [sys.executable, "-P", "-m", "autograder.judging.checks.kernel_survey", dtype]
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    try:
        asked = subprocess.run(  # noqa: S603  our own module
            command, capture_output=True, text=True, check=True, timeout=_SECONDS, env=paths
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return frozenset(asked.stdout.splitlines())
