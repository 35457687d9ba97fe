"""A program for a machine with a GPU: do a real device and the simulated one say the same?

``python -m docs.tools.confirm_devices`` prints the table; ``--write FILE`` also puts it into
FILE, between its marks. Without a CUDA device nothing is confirmed, and that is said. Status 1 when
some case differs.
"""

from __future__ import annotations

import argparse
import datetime
import platform
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import torch

from autograder.runner.simulated_device.accelerator import SimulatedAccelerator
from autograder.sandbox.accelerators import find_accelerators
from docs.tools.pages import put_between
from tests.support.device_cases import CASES, Case
from tests.support.device_driver import Seen, run

MARK = "agreement"
COMMAND = "make cuda"
NONE = "not confirmed on this machine: no CUDA device"
Try = Callable[[Case, str], Seen]


@dataclass(frozen=True)
class Row:
    """A case: verdicts on the CPU and on the device, of the real one and of the simulation."""

    case: Case
    real: tuple[Seen, Seen]
    simulated: tuple[Seen, Seen]

    @property
    def differs(self) -> str:
        """What is not the same, in words; "" when all is."""
        stated = (self.case.cpu, self.case.cuda)
        for name, seen in (("real", self.real), ("simulated", self.simulated)):
            verdicts = (seen[0].verdict, seen[1].verdict)
            if verdicts != stated:
                return f"{name} {' '.join(verdicts)}, stated {' '.join(stated)}"
        for real, simulated in zip(self.real, self.simulated, strict=True):
            if real.line != simulated.line:
                return f"real at {real.line!r}, simulated at {simulated.line!r}"
        return ""


def on_real(case: Case, device: str) -> Seen:
    """Carry a case out where a real device is."""
    seen = run(case, device)
    torch.cuda.synchronize()
    return seen


def on_simulated(case: Case, device: str) -> Seen:
    """The same beside or on the simulated device."""
    with SimulatedAccelerator():
        return run(case, device)


def agreement(cases: Sequence[Case], real: Try, simulated: Try) -> list[Row]:
    """Every case on both, each on the CPU and on the device."""
    return [
        Row(
            case,
            (real(case, "cpu"), real(case, "cuda")),
            (simulated(case, "cpu"), simulated(case, "cuda")),
        )
        for case in cases
    ]


def table(rows: Sequence[Row], about: str) -> str:
    """All rows as Markdown, the number of those that agree first."""
    same = sum(not row.differs for row in rows)
    lines = [
        f"{about} `{COMMAND}`: {same} of {len(rows)} cases agree.",
        "",
        "| case | student code | CPU | CUDA | real and simulated |",
        "| --- | --- | --- | --- | --- |",
    ]
    lines += [
        f"| {row.case.id} | {row.case.note.replace('|', '/')} | {row.real[0].verdict} | "
        f"{row.real[1].verdict} | {row.differs.replace('|', '/') or 'the same'} |"
        for row in rows
    ]
    return "\n".join(lines)


def about_this_machine(day: datetime.date) -> str:
    """When, on what, with which versions."""
    device = find_accelerators().first("cuda")
    what = f"{device.name}, {device.driver}" if device is not None else "no device in the grader"
    return f"{day.isoformat()}: {what}, Python {platform.python_version()}."


def main(arguments: Sequence[str]) -> int:
    """Run all cases; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", type=Path)
    page: Path | None = parser.parse_args(arguments).write
    if not torch.cuda.is_available():
        print(NONE)
        return 0
    about = about_this_machine(datetime.datetime.now(datetime.UTC).date())
    rows = agreement(CASES, on_real, on_simulated)
    print(table(rows, about))
    if page is not None:
        page.write_text(put_between(page.read_text(), MARK, table(rows, about)))
    return int(any(row.differs for row in rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
