"""What this machine can enforce, found by doing it: the table behind `autograder doctor`."""

from __future__ import annotations

import os
import platform
from typing import Any

import torch

from autograder.errors import SandboxError
from autograder.sandbox.box import ALL_LAYERS, Box
from autograder.wire.messages import Limits

MEANING = {
    "limits": "address space, processor time, file size, open files",
    "cgroup": "memory and threads of each hand-in counted by the kernel; a second wall",
    "namespaces": "own processes, mounts, network, read-only system",
    "uid": "another user without any privilege",
    "landlock": "files and TCP ruled by the kernel",
    "seccomp": "no new programs, sockets, tracing or mounts",
}
REMEDY = {
    "namespaces": "run as root, or allow user namespaces (sysctl "
    "kernel.unprivileged_userns_clone=1, or an AppArmor profile that permits them); in a "
    "container --privileged, or --cap-add SYS_ADMIN with --security-opt seccomp=unconfined, "
    "apparmor=unconfined and unmask=ALL",
    "uid": "run as root, or allow user namespaces",
    "landlock": "use Linux 5.13 or newer with the landlock security module enabled",
    "seccomp": "use a kernel with CONFIG_SECCOMP_FILTER on x86_64 or aarch64",
    "limits": "mount /proc",
    "cgroup": "run as root where /sys/fs/cgroup can be written, or in a scope of your own "
    "(systemd-run --user --scope -p Delegate=yes ...); no level needs it, because address space, "
    "scratch space and threads are bounded without it",
}


def examine_machine() -> dict[str, Any]:
    """Level word, one entry per layer, default limits, versions and devices.

    Starts a box and ends it.
    """
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
    reasons = {name: [m for m in missing if m.startswith(f"{name}:")] for name in ALL_LAYERS}
    return {
        "level": level,
        "layers": [
            {
                "name": name,
                "enforced": name in layers,
                "means": MEANING[name],
                "reason": "; ".join(said.partition(": ")[2] for said in reasons[name]),
                "remedy": "" if name in layers else REMEDY[name],
            }
            for name in ALL_LAYERS
        ],
        "problems": [m for m in missing if m.split(":")[0] not in ALL_LAYERS],
        "limits": {name: getattr(Limits(), name) for name in Limits.__struct_fields__},
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
