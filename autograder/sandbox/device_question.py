"""A separate program: asks torch which accelerators it can really use, and prints the answer.

A process that asks has initialised the driver and can no longer fork, so neither the grader nor the
warm process does it. Each device is used once: one that cannot be used does not count.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import torch

MEBI = 1024**2
DRIVER_FILES = ("libcuda.so", "libnvidia-", "libdxcore.so", "libd3d12")


def main() -> None:
    """Write ``answer`` as one line of JSON."""
    sys.stdout.write(json.dumps(answer()) + "\n")


def answer() -> dict[str, Any]:
    """Each usable device, the folders of the driver's libraries, and what went wrong, if
    anything."""
    found: list[dict[str, Any]] = []
    problem = ""
    try:
        if torch.cuda.is_available():
            found = [_cuda(index) for index in range(torch.cuda.device_count())]
        elif torch.backends.mps.is_available():
            found = [_mps()]
    except (RuntimeError, OSError, AssertionError) as failed:
        problem = " ".join(str(failed).split())[:400]
    return {"devices": found, "folders": driver_folders(_maps()), "problem": problem}


def _cuda(index: int) -> dict[str, Any]:
    torch.ones(2, device=f"cuda:{index}").sum().item()  # a device is used before it counts
    seen = torch.cuda.get_device_properties(index)
    return {
        "kind": "cuda",
        "name": seen.name,
        "memory_mb": seen.total_memory // MEBI,
        "uuid": str(getattr(seen, "uuid", "")),  # torch before 2.5 has none
    }


def _mps() -> dict[str, Any]:
    torch.ones(2, device="mps").sum().item()
    return {
        "kind": "mps",
        "name": "Apple GPU",
        "memory_mb": torch.mps.recommended_max_memory() // MEBI,
        "uuid": "",
    }


def _maps() -> str:
    path = Path("/proc/self/maps")
    return path.read_text() if path.exists() else ""


def driver_folders(maps: str) -> list[str]:
    """Folders from which the driver's libraries were loaded, from the text of /proc/self/maps."""
    paths = {line.split(maxsplit=5)[5] for line in maps.splitlines() if line.count("/")}
    return sorted({os.path.dirname(p) for p in paths if Path(p).name.startswith(DRIVER_FILES)})  # noqa: PTH120
