"""Which accelerators this machine has, and what a box needs so that its children can use one.

Covered: CUDA on Linux and in WSL, ROCm, MPS. Only the first device in CUDA_VISIBLE_DEVICES is
available in a box, as "cuda:0". Not covered: Jetson (its driver needs more of /sys), several
devices at once, MPS where a process's own memory is concerned. Sources of the nodes: the device
lists of nvidia-container-toolkit and of gVisor's nvproxy; drivers from 570 on also open
nvidia-uvm-tools, and report a refusal as error 304. docs/devices.md lists what is confirmed.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder.evidence.torch_build import NO_TORCH, NONE, torch_build
from autograder.sandbox.isolation.premises import HIDING, PACKAGE

ASK_S = 120.0
PROCESS_MB = 800  # of a device's memory for each process, beyond what torch's allocator counts;
# 690 were seen on an H200 with CUDA 13.0
CONTROL = ("nvidiactl", "nvidia-uvm", "nvidia-uvm-tools")
ABOUT = (  # what the drivers read: the cores and memory nodes, themselves, the list of devices
    "/sys/devices/system/cpu",
    "/sys/devices/system/node",
    "/sys/module/nvidia",
    "/sys/module/nvidia_uvm",
    "/sys/class/kfd",
    "/sys/devices/virtual/kfd",
)
LIBRARIES = ("/usr/local/nvidia", "/usr/local/cuda", "/opt/rocm", "/run/opengl-driver")
_BOOT = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from autograder.sandbox.device_question import main; main()"
)


@dataclass(frozen=True, slots=True)
class Accelerator:
    """One device of this machine: ``kind`` as torch calls it, memory in MB, driver as text.

    ``nodes``: the files under /dev through which it is used. ``folders``: those of the driver's
    libraries. ``visible``: the value of CUDA_VISIBLE_DEVICES when only ``nodes`` exist.
    """

    kind: str
    name: str
    memory_mb: int
    driver: str = ""
    nodes: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    visible: str = ""


@dataclass(frozen=True, slots=True)
class FoundAccelerators:
    """What a machine has; ``reason`` says why there is none."""

    devices: tuple[Accelerator, ...] = ()
    reason: str = ""

    def first(self, kind: str) -> Accelerator | None:
        """The device that a program means by ``kind`` without a number."""
        return next((device for device in self.devices if device.kind == kind), None)

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(device.kind for device in self.devices))


@dataclass(frozen=True, slots=True)
class Access:
    """What a box does for its devices: nodes to bind and to open, other readable paths, and the
    environment of the warm process (which sees no device) and of its children."""

    nodes: tuple[str, ...]
    readable: tuple[str, ...]
    groups: tuple[int, ...]
    warm: Mapping[str, str]
    child: Mapping[str, str]


NO_ACCESS = Access((), (), (), {}, {})


def find_accelerators(
    dev: Path = Path("/dev"), proc: Path = Path("/proc/driver/nvidia")
) -> FoundAccelerators:
    """Look without using a device; if there may be one, ask torch in a separate process."""
    reason = "" if sys.platform == "darwin" else _why_none(dev)
    return FoundAccelerators(reason=reason) if reason else understood(_asked(), dev, proc)


def _why_none(dev: Path) -> str:
    """Why there cannot be a device here, as far as it can be seen without asking torch; ""
    otherwise."""
    torch = torch_build()
    if torch.version == NONE:
        return NO_TORCH
    if torch.cuda is None and torch.hip is None:
        return f"torch {torch.version} is built without CUDA"
    wanted = ("kfd",) if torch.hip else ("nvidiactl", "dxg")
    if not any((dev / name).exists() for name in wanted):
        return f"no {' or '.join(str(dev / name) for name in wanted)} on this machine"
    return ""


def _asked() -> dict[str, Any]:
    """The answer of ``device_question``; a process that ends or hangs gives an answer too."""
    command = [sys.executable, "-I", "-B", "-c", _BOOT, str(PACKAGE.parent)]
    try:
        done = subprocess.run(  # noqa: S603  our own interpreter and code
            command,
            capture_output=True,
            text=True,
            timeout=ASK_S,
            check=False,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired:
        return {"problem": f"torch did not list its devices within {ASK_S:g} seconds"}
    try:
        answer = json.loads(done.stdout.splitlines()[-1])
    except (IndexError, ValueError):
        last = (done.stderr.strip().splitlines() or ["no message"])[-1][:300]
        answer = {
            "problem": f"listing torch's devices failed with exit status {done.returncode}: {last}"
        }
    return dict(answer)


def understood(answer: Mapping[str, Any], dev: Path, proc: Path) -> FoundAccelerators:
    """What the answer of ``device_question`` means on this machine."""
    devices = []
    known = list(answer.get("devices", ()))
    for number, seen in enumerate(known):
        nodes, visible = _reached(seen, number, dev, proc)
        devices.append(
            Accelerator(
                seen["kind"],
                seen["name"],
                seen["memory_mb"],
                _driver(proc),
                nodes,
                tuple(answer.get("folders", ())),
                visible,
            )
        )
    reason = "" if devices else str(answer.get("problem") or "torch finds no usable device")
    return FoundAccelerators(tuple(devices), reason)


def _reached(
    seen: Mapping[str, Any], number: int, dev: Path, proc: Path
) -> tuple[tuple[str, ...], str]:
    """The nodes of a device, and the setting that makes it the only visible one among them.

    CUDA numbers devices by speed, nodes are numbered by position: the driver's own list maps one to
    the other by UUID. Without it all nodes are included, in the same order.
    """
    if seen["kind"] != "cuda":
        return (), ""
    named = os.environ.get(HIDING[1 if torch_build().hip else 0], "").split(",")
    same = named[number].strip() if number < len(named) and named[number].strip() else str(number)
    if torch_build().hip:
        return _existing(dev, ("kfd", *_matching(dev, "dri/renderD*"))), same
    if not (dev / "nvidiactl").exists():
        return _existing(dev, ("dxg",)), same
    minor = minors(proc).get(seen["uuid"].removeprefix("GPU-"))
    if minor is not None and (dev / f"nvidia{minor}").exists():
        own = f"GPU-{seen['uuid'].removeprefix('GPU-')}"
        return _existing(dev, (*CONTROL, f"nvidia{minor}")), own
    every = (*_matching(dev, "nvidia[0-9]*"), *_matching(dev, "nvidia-caps/nvidia-cap*"))
    return _existing(dev, (*CONTROL, *every)), same


def minors(proc: Path) -> dict[str, int]:
    """UUID (without "GPU-") to the number in a node's name, as the driver lists them."""
    found = {}
    for path in sorted(proc.glob("gpus/*/information")):
        lines = (line.partition(":") for line in path.read_text().splitlines())
        fields = {name.strip(): value.strip() for name, _, value in lines}
        number = fields.get("Device Minor", "")
        if number.isdecimal():
            found[fields.get("GPU UUID", "").removeprefix("GPU-")] = int(number)
    return found


def _driver(proc: Path) -> str:
    """The driver and what torch was built for, as text."""
    torch = torch_build()
    built = f"CUDA {torch.cuda}" if torch.cuda else "MPS"
    built = f"ROCm {torch.hip}" if torch.hip else built
    try:
        said = re.search(r"\b\d{3,}\.\d+(\.\d+)?\b", (proc / "version").read_text())
    except OSError:
        said = None
    torch_is = f"torch {torch.version} for {built}"
    return f"NVIDIA driver {said.group()}, {torch_is}" if said else torch_is


def _matching(dev: Path, pattern: str) -> tuple[str, ...]:
    return tuple(str(path.relative_to(dev)) for path in sorted(dev.glob(pattern)))


def _existing(dev: Path, names: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(dev / name) for name in names if (dev / name).exists())


def access_to(device: Accelerator | None) -> Access:
    """What a box does for this device; empty without a device."""
    if device is None:
        return NO_ACCESS
    nodes = device.nodes
    warm = {
        "CUBLAS_WORKSPACE_CONFIG": ":4096:8",  # without it cuBLAS results may vary
        "CUDA_CACHE_PATH": "/tmp/cuda-cache",  # noqa: S108  inside the box
    }
    if order := os.environ.get("CUDA_DEVICE_ORDER"):
        warm["CUDA_DEVICE_ORDER"] = order
    if device.folders:
        warm["LD_LIBRARY_PATH"] = ":".join(device.folders)
    readable = tuple(p for p in (*LIBRARIES, *device.folders, *ABOUT) if Path(p).exists())
    groups = {os.stat(node).st_gid for node in nodes if _by_group(node)}  # noqa: PTH116
    child = dict.fromkeys(HIDING, device.visible) if device.visible else {}
    return Access(nodes, readable, tuple(sorted(groups)), warm, child)


def _by_group(node: str) -> bool:
    """Whether only its group may use a node, as where render nodes belong to "render"."""
    mode = os.stat(node).st_mode  # noqa: PTH116
    return bool(mode & 0o060 == 0o060 and not mode & 0o006)
