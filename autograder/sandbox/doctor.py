"""What this machine can enforce, determined by trying it: the table of `autograder doctor`."""

from __future__ import annotations

import os
import platform
from typing import Any

from autograder.errors import SandboxError
from autograder.evidence.torch_build import NO_TORCH, NONE, torch_build
from autograder.sandbox.accelerators import Accelerator, FoundAccelerators, find_accelerators
from autograder.sandbox.box import ALL_LAYERS, Box
from autograder.sandbox.selftest import device_fails, simulated_fails
from autograder.wire.messages import Limits
from autograder.wire.pinned import PINNED

MEANING = {
    "limits": "address space, processor time, file size, open files",
    "cgroup": "memory and threads of each submission limited by the kernel as well",
    "namespaces": "own processes, mounts and network; read-only system",
    "uid": "a separate user without privileges",
    "landlock": "access to files and TCP restricted by the kernel",
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
    "cgroup": "run as root where /sys/fs/cgroup can be written, or in your own scope "
    "(systemd-run --user --scope -p Delegate=yes ...); no isolation level requires it, because "
    "address space, scratch space and threads are limited without it",
}


def examine_machine() -> dict[str, Any]:
    """Level word, one entry per layer, default limits, versions, devices and pinned settings.

    Starts a box and ends it, and one more for each real device.
    """
    missing: tuple[str, ...] = ()
    level = "none"
    layers: tuple[str, ...] = ()
    simulated, capability = "there is no sandbox in which to test it", ""
    try:
        with Box() as box:
            level, layers, missing = (
                box.isolation.level,
                box.isolation.layers,
                box.isolation.missing,
            )
            capability = box.capability
            simulated = simulated_fails(box) if torch_build().version != NONE else NO_TORCH
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
        "torch": torch_build().version,
        "devices": {"cpu": {"capability": capability}, **examine_devices(find_accelerators())},
        "simulated": {"device": "cuda", "fails": simulated},
        "pinned": dict(PINNED),
    }


def examine_devices(found: FoundAccelerators) -> dict[str, Any]:
    """Each real accelerator with the result of a test in its box, or why there is none."""
    return {
        "real": [_examined(device, device is found.first(device.kind)) for device in found.devices],
        "reason": found.reason,
    }


def _examined(device: Accelerator, first: bool) -> dict[str, Any]:
    fails = ""
    if first:  # the only one of its kind that a box gets
        try:
            with Box(device=device) as box:
                fails = device_fails(box, device.kind)
        except SandboxError as failed:
            fails = str(failed)
    return {
        "device": device.kind,
        "used": first,
        "name": device.name,
        "memory_mb": device.memory_mb,
        "nodes": list(device.nodes),
        "driver": device.driver,
        "fails": fails,
    }
