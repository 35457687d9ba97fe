"""Runs on real accelerators: a second job of the same cells, in a box that has the device.

The ordinary run of a hand-in sees no device, so that its verdicts do not depend on the machine.
What such a second run yields is kept like all evidence and joined with the first before judging.
Covered: a device that fails costs nobody anything; its records are then not there.
Not covered: two GPUs of different kinds behind one evidence folder, of which the first to run
decides what is kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

from autograder.engines.resources import Shares
from autograder.errors import SandboxError, UsageError
from autograder.evidence import key_of
from autograder.sandbox.accelerators import Accelerator, Found
from autograder.sandbox.run import Run
from autograder.setting import Runner, Setting
from autograder.wire.messages import Call, Job, Probe

CONTEXT_MB = 640  # of a device's memory for each process, beyond what torch's allocator counts
USABLE = 0.9  # of a device's memory: the rest belongs to a screen, or to other programs
REMEDY = "`--devices none` grades without it"


@dataclass(frozen=True, slots=True)
class DeviceRunner:
    """Runs device jobs in their box; several at once as far as the device's memory goes."""

    box: Runner
    shares: Shares

    def run(self, job: Job) -> Run:
        """Wait for memory of the device, then run. Raises ``SandboxError``."""
        with self.shares.take(job.limits.device_mb + CONTEXT_MB):
            return self.box.run(job)

    def accepts(self, level: str) -> bool:
        return self.box.accepts(level)


def shares_of(device: Accelerator) -> Shares:
    """A device's memory in MB, for the processes that use it at the same time."""
    return Shares(max(1, int(device.memory_mb * USABLE)))


def chosen(wish: str, found: Found) -> tuple[str, ...]:
    """The devices to test on: "auto" those that are there, "none", or named ones.

    Raises ``UsageError`` for one that is not there.
    """
    if wish in ("auto", "none"):
        return found.kinds if wish == "auto" else ()
    named = tuple(dict.fromkeys(part.strip() for part in wish.split(",") if part.strip()))
    absent = [name for name in named if name not in found.kinds]
    if absent or not named:
        have = ", ".join(found.kinds) or f"none: {found.reason}"
        raise UsageError(
            f"--devices {wish}: there is no device {', '.join(absent) or 'in it'} here (there is "
            f"{have}); use --devices auto for what is there, or none"
        )
    return named


def real_device(probe: Probe) -> str:
    """The real accelerator that a call needs; "" for every other question."""
    place = probe.request.place if isinstance(probe.request, Call) else None
    return "" if place is None or place.simulated or place.device == "cpu" else place.device


def on_cpu(job: Job) -> Job:
    """The job without what needs a real device."""
    kept = tuple(probe for probe in job.probes if not real_device(probe))
    return msgspec.structs.replace(job, probes=kept)


def device_job(job: Job, device: str) -> Job | None:
    """The same cells, asked what needs this device; None when nothing does."""
    own = tuple(probe for probe in job.probes if real_device(probe) == device)
    if not own:
        return None
    return msgspec.structs.replace(job, probes=own, draw=False, pretend=False, device=device)


def joined(run: Run, device_runs: Sequence[Run], lost: Sequence[str] = ()) -> Run:
    """An ordinary run with the records of device runs; of their cells nothing is kept."""
    more = tuple(probe for other in device_runs for probe in other.probes)
    return msgspec.structs.replace(run, probes=(*run.probes, *more), lost=tuple(lost))


def gather(setting: Setting, job: Job) -> tuple[Run, bool]:
    """All evidence of a job, stored or made now; and whether some was made now.

    Raises ``SandboxError`` when the ordinary run is lost, ``StoreError``. A lost device run is
    named in ``Run.lost``.
    """
    run, fresh = _kept(setting, on_cpu(job), setting.runner)
    found: list[Run] = []
    lost: list[str] = []
    for device in setting.devices:
        asked = device_job(job, device)
        if asked is None:
            continue
        try:
            made, now = _kept(setting, asked, setting.device_runner or _Nothing())
        except SandboxError as failed:
            lost.append(f"not run on {device}: {failed}")
        else:
            found.append(made)
            fresh = fresh or now
    return (joined(run, found, lost) if found or lost else run), fresh


def _kept(setting: Setting, job: Job, runner: Runner) -> tuple[Run, bool]:
    key = key_of(job)
    known = setting.store.load(key)
    if known is not None and runner.accepts(known.measured.level):
        return known, False
    made = runner.run(job)
    setting.store.save(key, made)
    return made, True


class _Nothing:
    """Stands where a device was when a class was graded: what is stored is all there is."""

    def run(self, job: Job) -> Run:
        raise SandboxError(f"there is no {job.device} on this machine, and no stored evidence")

    def accepts(self, level: str) -> bool:
        return True
