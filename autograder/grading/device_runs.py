"""Runs on real accelerators: a second job of the same cells, in a box that has the device.

The ordinary run of a submission sees no device, so that its verdicts do not depend on the machine.
The records of the second run are kept like all evidence and joined with the first before judging.
Covered: a device that fails costs nobody anything; its records are then missing.
Not covered: two GPUs of different kinds with one evidence folder: the first to run decides what is
kept.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from autograder.assignment.kinds import DeviceCheck
from autograder.assignment.model import Assignment
from autograder.errors import BusyError, SandboxError, UsageError
from autograder.evidence.records import Run
from autograder.evidence.store import key_of
from autograder.execution.engines.resources import Shares
from autograder.grading.context import GradingContext, Runner
from autograder.grading.timing import Timing
from autograder.grading.watched_run import lacked_time
from autograder.sandbox.accelerators import PROCESS_MB, Accelerator
from autograder.sandbox.child import Starved
from autograder.wire.messages import Call, Job, Probe

USABLE = 0.9  # share of a device's memory: the rest is for a display or other programs


@dataclass(frozen=True, slots=True)
class DeviceRunner:
    """Runs device jobs in their box; several at once as far as the device's memory allows."""

    box: Runner
    shares: Shares

    def run(self, job: Job) -> Run:
        """Wait for free memory on the device, then run. Raises ``SandboxError``."""
        with self.shares.take(job.limits.device_mb + PROCESS_MB):
            return self.box.run(job)

    def accepts(self, level: str) -> bool:
        return self.box.accepts(level)


@dataclass(frozen=True, slots=True)
class Devices:
    """Where an assignment is tested besides the CPU; ``note`` says so, or why nowhere."""

    names: tuple[str, ...] = ()
    runner: Runner | None = None
    note: str = ""


NO_DEVICES = Devices()


def used(device: Accelerator, box: Runner) -> Devices:
    """This device for testing an assignment; its memory is shared out in MB."""
    shares = Shares(max(1, int(device.memory_mb * USABLE)))
    note = f"also tested on {device.kind}: {device.name}, {device.memory_mb} MB"
    return Devices((device.kind,), DeviceRunner(box, shares), note)


def wanted_devices(assignment: Assignment) -> frozenset[str]:
    """The real accelerators that the checks of an assignment ask for."""
    checks = (check for exercise in assignment.exercise for check in exercise.check)
    return frozenset(d for c in checks if isinstance(c, DeviceCheck) for d in c.devices)


def chosen(wish: str, there: Sequence[str], reason: str) -> tuple[str, ...]:
    """The devices to test on: for "auto" those that are available, for "none" none, or a named one.

    ``reason``: why there is none. Raises ``UsageError`` for one that is not available.
    """
    if wish in ("auto", "none"):
        return tuple(there) if wish == "auto" else ()
    if wish not in there:  # a named device that is not there
        have = f"there is only {', '.join(there)}" if there else reason
        raise UsageError(
            f"--devices {wish}: not available ({have}); use --devices auto for what is available, "
            "or none"
        )
    return (wish,)


def real_device(probe: Probe) -> str:
    """The real accelerator that a call needs; "" for every other question."""
    place = probe.request.place if isinstance(probe.request, Call) else None
    return "" if place is None or place.simulated or place.device == "cpu" else place.device


def on_cpu(job: Job) -> Job:
    """The job without what needs a real device."""
    kept = tuple(probe for probe in job.probes if not real_device(probe))
    return msgspec.structs.replace(job, probes=kept)


def device_job(job: Job, device: str) -> Job | None:
    """A job of the same cells with the questions that need this device; None if there are none."""
    own = tuple(probe for probe in job.probes if real_device(probe) == device)
    if not own:
        return None
    return msgspec.structs.replace(job, probes=own, draw=False, pretend=False, device=device)


def joined(run: Run, device_runs: Sequence[Run], lost: Sequence[str] = ()) -> Run:
    """An ordinary run with the records of device runs, without their cells."""
    more = tuple(probe for other in device_runs for probe in other.whole().probes)
    whole = run.whole()
    return msgspec.structs.replace(whole, probes=(*whole.probes, *more), lost=tuple(lost))


@dataclass(frozen=True, slots=True)
class EvidenceResult:
    """A run, whether some of it was made just now, what it took, and the keys of its evidence."""

    run: Run
    fresh: bool
    took: Timing
    keys: tuple[str, ...]

    def followed_by(self, more: EvidenceResult, run: Run) -> EvidenceResult:
        """``run``, with the time and the keys of this result and of a further one."""
        fresh, took = self.fresh or more.fresh, self.took + more.took
        return EvidenceResult(run, fresh, took, (*self.keys, *more.keys))


def obtained(context: GradingContext, job: Job) -> EvidenceResult:
    """A job's run, on the context's devices as well. Raises ``SandboxError``, ``StoreError``."""
    # The ordinary run sees no device's questions.
    found = stored_or_made(context, on_cpu(job), context.runner)
    return with_devices(context, job, found) if context.devices else found


def with_devices(context: GradingContext, job: Job, ordinary: EvidenceResult) -> EvidenceResult:
    """An ordinary run joined with those on the context's devices.

    A device run that fails on our side is named in ``Run.lost``. Raises ``StoreError``.
    """
    found: list[Run] = []
    lost: list[str] = []
    fresh, took, keys = ordinary.fresh, ordinary.took, ordinary.keys
    for device in context.devices:
        asked = device_job(job, device)
        if asked is None:
            continue
        try:
            result = stored_or_made(context, asked, context.device_runner or OnlyStored())
        except SandboxError as failed:  # a lost device run leaves the rest
            lost.append(f"not run on {device}: {failed}")
        else:
            found.append(result.run)
            fresh, took, keys = fresh or result.fresh, took + result.took, keys + result.keys
    return EvidenceResult(joined(ordinary.run, found, lost), fresh, took, keys)


def stored_or_made(context: GradingContext, job: Job, runner: Runner) -> EvidenceResult:
    """A job's run from the store, or made now and stored. Raises ``SandboxError``,
    ``StoreError``; and ``BusyError`` if it lacked time beside others: then it is not stored."""
    begun = time.monotonic()
    key = key_of(job)
    known = context.store.load(key)
    looked_s = time.monotonic() - begun
    # Evidence of a box that was too weak.
    if known is not None and runner.accepts(known.measured.level):
        return EvidenceResult(
            known, False, Timing(stored=(known.measured,), store_s=looked_s), (key,)
        )
    try:
        made = runner.run(job)
    except Starved:
        if context.alone:
            raise
        raise BusyError from None
    if not context.alone and lacked_time(made):
        raise BusyError
    begun = time.monotonic()
    context.store.save(key, made)
    store_s = looked_s + time.monotonic() - begun
    return EvidenceResult(made, True, Timing(made=(made.measured,), store_s=store_s), (key,))


class OnlyStored:
    """Replaces a device that was used when the class was graded: only stored runs are available."""

    def run(self, job: Job) -> Run:
        raise SandboxError(f"there is no {job.device} on this machine, and no stored evidence")

    def accepts(self, level: str) -> bool:
        return True
