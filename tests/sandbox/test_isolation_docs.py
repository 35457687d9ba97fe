"""What docs/isolation.md says of /proc and /sys is what a probe finds in a box of each level."""

from __future__ import annotations

import json
import re
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest

from autograder.sandbox.box import Box
from autograder.sandbox.driver import run
from autograder.wire.messages import Cell, Job, Limits, Probe, Read

DOCS = Path(__file__).resolve().parents[2] / "docs" / "isolation.md"
LEVELS = {
    "strong": (),
    "medium": ("namespaces", "uid"),
    "weak": ("namespaces", "uid", "landlock"),
}
PROBE = """
import json
def text(path):
    try:
        with open(path, "rb") as file:
            return len(file.read(100))
    except OSError:
        return 0
"""


def documented() -> dict[str, dict[str, str]]:
    """Of each file the word for each level."""
    section = DOCS.read_text().partition("### What /proc and /sys show")[2].partition("## ")[0]
    found = {}
    for line in section.splitlines():
        columns = [column.strip() for column in line.strip("|").split("|")]
        for path in re.findall(r"`(/[^`]+)`", columns[0]) if len(columns) == 4 else ():
            found[path] = dict(zip(LEVELS, columns[1:], strict=True))
    return found


def readable_here(path: str) -> bool:
    try:
        return bool(Path(path).read_bytes())
    except OSError:
        return False


@pytest.mark.parametrize(
    "level", [pytest.param(one, marks=pytest.mark.slow if LEVELS[one] else ()) for one in LEVELS]
)
def test_what_the_docs_list_of_proc_and_sys_is_what_a_probe_finds(
    plain_box: Box, level: str
) -> None:
    table = documented()
    assert len(table) > 20
    cells = (Cell(1, f"{PROBE}answer = json.dumps({{p: text(p) for p in {[*table]}}})", "e"),)
    probes = (Probe("answer", "e", Read("e", "answer")),)
    without = LEVELS[level]
    opened: AbstractContextManager[Box] = (
        Box(without=without) if without else nullcontext(plain_box)
    )
    with opened as box:
        if box.isolation.level != level:
            pytest.skip(f"this machine offers {box.isolation.level}: {box.isolation.missing}")
        made = run(Job(cells, (("e", 1),), probes, 1, Limits(), draw=False), box)
    claim = made.probes[0].claim
    assert claim is not None and isinstance(claim.value, str), made.cells
    sizes = json.loads(claim.value)
    for path, words in table.items():
        shown = words[level] != "no" and (words[level] == "own" or readable_here(path))
        assert bool(sizes[path]) == shown, path
