"""Detects the platform of a download from the file names in it.

A platform is recognised if more than half of the files follow its names, so that a single file
named by a student cannot change the result. If two platforms match, the first in order wins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from autograder.interop.blackboard import download as blackboard
from autograder.interop.brightspace import download as brightspace
from autograder.interop.canvas import download as canvas
from autograder.interop.downloads import plain
from autograder.interop.downloads.arrival import Platform
from autograder.interop.downloads.delivery import Reader
from autograder.interop.downloads.source import DownloadEntry
from autograder.interop.gradescope import download as gradescope
from autograder.interop.moodle import download as moodle
from autograder.interop.nbgrader import download as nbgrader
from autograder.interop.otter import download as otter

READERS: Mapping[Platform, Reader] = MappingProxyType(
    {
        "gradescope": gradescope.read,
        "moodle": moodle.read,
        "blackboard": blackboard.read,
        "brightspace": brightspace.read,
        "canvas": canvas.read,
        "nbgrader": nbgrader.read,
        "otter": otter.read,
        "plain": plain.read,
    }
)

_COUNTED: tuple[tuple[Platform, Callable[[Sequence[DownloadEntry]], int]], ...] = (
    ("gradescope", gradescope.matching),
    ("moodle", moodle.matching),
    ("blackboard", blackboard.matching),
    ("brightspace", brightspace.matching),
    ("canvas", canvas.matching),
    ("nbgrader", nbgrader.matching),
    ("otter", otter.matching),
)
_BESIDE = (".csv", ".xls", ".xlsx")  # lists that people keep next to a download


def detect(entries: Sequence[DownloadEntry]) -> Platform:
    """The platform that these files were downloaded from; "plain" if none is recognised."""
    counted = [e for e in entries if not e.hidden and not _beside(e)]
    for platform, matching in _COUNTED:
        if matching(counted) * 2 > len(counted):
            return platform
    return "plain"


def _beside(entry: DownloadEntry) -> bool:
    listed = len(entry.parts) == 1 and entry.leaf.lower().endswith(_BESIDE)
    return listed or brightspace.is_index(entry)
