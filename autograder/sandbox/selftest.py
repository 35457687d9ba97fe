"""Small calls with known answers, made in the sandbox: does an accelerator work inside?

For `autograder doctor`. Covered: the simulated accelerator gives the right result on its device and
refuses to mix devices, with the reason; a real one gives the right result. Not covered: anything
else that student code may do with either.
"""

from __future__ import annotations

import struct

from autograder.errors import SandboxError
from autograder.evidence.records import Run
from autograder.sandbox.box import Box
from autograder.sandbox.driver import run
from autograder.wire.messages import Call, CallEnvironment, Cell, Job, Limits, Outcome, Probe
from autograder.wire.values import Array

LIMITS = Limits(submission_wall_s=120, device_mb=512)
_CELL = "import torch\ndef plus(x): return x + 1\ndef mixed(x): return x + torch.ones(3)"
_SENT = Array("float32", (3,), struct.pack("<3f", 1, 2, 3))
_RIGHT = struct.pack("<3f", 2, 3, 4)


def simulated_fails(box: Box) -> str:
    """What the simulated accelerator did wrong, as text; empty when it works."""
    place = CallEnvironment("cuda", simulated=True)
    try:
        made = run(_job(place), box)
    except SandboxError as failed:
        return str(failed)
    fault = claim.fault if (claim := _claim(made, "mixed")) is not None else None
    if fault is None or fault.rule != "mixed":
        return f"a tensor left on the CPU was not detected: {_told(made, 'mixed')}"
    return _plus_fails(made, "cuda")


def device_fails(box: Box, device: str) -> str:
    """Why this real device cannot be used in its box, as text; empty when it works."""
    try:
        made = run(_job(CallEnvironment(device), device=device), box)
    except SandboxError as failed:
        return str(failed)
    return _plus_fails(made, device)


def _job(place: CallEnvironment, device: str = "") -> Job:
    asked = tuple(
        Probe(name, "test", Call("test", name, (_SENT,), place=place)) for name in ("plus", "mixed")
    )
    return Job(
        (Cell(1, _CELL, "test"),), (("test", 1),), asked, 1, LIMITS, draw=False, device=device
    )


def _claim(made: Run, name: str) -> Outcome | None:
    record = made.probe(name)
    return record.claim if record is not None else None


def _plus_fails(made: Run, device: str) -> str:
    """What was wrong with x + 1 or its device; "" if nothing was."""
    claim = _claim(made, "plus")
    value = claim.value if claim is not None else None
    if not isinstance(value, Array) or value.data != _RIGHT:
        return f"x + 1 did not return the right result: {_told(made, 'plus')}"
    # The self-test sees where a result was computed.
    if value.device.split(":")[0] != device:
        return f"x + 1 was computed on {value.device}, not on {device}"
    return ""


def _told(made: Run, name: str) -> str:
    claim = _claim(made, name)
    record = made.probe(name)
    if claim is None:
        return record.stop.text if record is not None and record.stop is not None else "no result"
    return claim.error.text[:300] if claim.error is not None else claim.status
