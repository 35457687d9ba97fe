"""The one list of how a child of the box behaves, whatever the box is made of.

Covered: what student code can try, use, see and leave, and what honest notebooks need.
Not covered: what its answers mean, and what happens to files of the grader.
"""

from __future__ import annotations

from tests.support.conformance import bounded, files, kernel, processes, working
from tests.support.conformance.kind import Behaviour

BEHAVIOURS: tuple[Behaviour, ...] = (
    *files.ALL,
    *processes.ALL,
    *kernel.ALL,
    *bounded.ALL,
    *working.ALL,
)
