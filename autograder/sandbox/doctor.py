"""What this machine can enforce, found by doing it: the table behind `autograder doctor`."""

from __future__ import annotations

import os
import platform
from typing import Any

import torch

from autograder.errors import SandboxError
from autograder.sandbox.box import Box
from autograder.sandbox.confine import LAYERS

MEANING = {
    "limits": "address space, processor time, file size, open files",
    "namespaces": "own processes, mounts, network, read-only system",
    "uid": "another user without any privilege",
    "landlock": "files and TCP ruled by the kernel",
    "seccomp": "no new programs, sockets, tracing or mounts",
}
REMEDY = {
    "namespaces": "allow user namespaces (sysctl kernel.unprivileged_userns_clone=1, or an "
    "AppArmor profile that permits them; in a container --security-opt seccomp=unconfined or "
    "--privileged), or run as root",
    "uid": "run as root, or allow user namespaces",
    "landlock": "use Linux 5.13 or newer with the landlock security module enabled",
    "seccomp": "use a kernel with CONFIG_SECCOMP_FILTER on x86_64 or aarch64",
    "limits": "mount /proc",
}


def examine_machine() -> dict[str, Any]:
    """Level word, one entry per layer, versions and devices. Starts a box and ends it."""
    missing: tuple[str, ...] = ()
    level = "none"
    layers: tuple[str, ...] = ()
    try:
        with Box() as box:
            level, layers, missing = (
                box.isolation.level, box.isolation.layers, box.isolation.missing,
            )  # fmt: skip
    except SandboxError as failed:
        missing = (str(failed),)
    reasons = {name: [m for m in missing if m.startswith(f"{name}:")] for name in LAYERS}
    return {
        "level": level,
        "layers": [
            {
                "name": name,
                "enforced": name in layers,
                "means": MEANING[name],
                "reason": "; ".join(reasons[name]),
                "remedy": "" if name in layers else REMEDY[name],
            }
            for name in LAYERS
        ],
        "problems": [m for m in missing if m.split(":")[0] not in LAYERS],
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "user": os.geteuid(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 1,
        "python": platform.python_version(),
        "torch": str(torch.__version__),
        "devices": _devices(),
    }


def _devices() -> list[str]:
    found = ["cpu"]
    if torch.cuda.is_available():
        found += [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
    if torch.backends.mps.is_available():
        found.append("mps")
    return found
