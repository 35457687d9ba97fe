"""A job and its run, made by hand."""

from __future__ import annotations

from autograder.evidence.records import CellRun, Measured, ProbeRun, Run, Stop, TimeSpent
from autograder.wire.messages import (
    Cell,
    CellDone,
    Job,
    Outcome,
    Output,
    Probe,
    Read,
)
from autograder.wire.values import Array, Items

SPENT = TimeSpent(0.25, 0.5)
RUN = Run(
    (
        CellRun(1, CellDone((Output("stdout", "text/plain", b"hello\n"),)), None, SPENT),
        CellRun(2, None, Stop("cpu", "too long"), SPENT),
    ),
    (
        ProbeRun(
            "p",
            Outcome("returned", Items("list", (Array("uint8", (3,), b"abc"), 1.5))),
            None,
            SPENT,
        ),
    ),
    Measured(0.5, 0.75, 100.0, 2, "strong", ("limits", "seccomp")),
)
JOB = Job((Cell(1, "x = 1", "e"),), (("e", 1),), (Probe("p", "e", Read("e", "x")),), 7)
