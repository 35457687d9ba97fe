"""What depends on the processor is found, what differs from run to run is named apart."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from rich.console import Console

from autograder.authoring.validation.outcomes import CheckOutcome
from autograder.authoring.validation.processors import compare_processors
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.errors import SandboxError, UsageError
from autograder.execution.engines.local import Local
from autograder.reports.validation.processors import ProcessorTable, processor_view, table_json
from autograder.sandbox import processor
from autograder.sandbox.box import Box
from autograder.sandbox.driver import run
from autograder.sandbox.processor import capabilities, held_to, passed_on
from autograder.wire.messages import Cell, Job, Limits, Probe, Read
from tests.support.courses import SMALL, write_course
from tests.support.progress import QUIET

several = pytest.mark.skipif(
    len(capabilities()) < 2, reason="this processor cannot be held to another capability"
)
SAME = "def center(table):\n    return table - table.mean()\n"
BY_PROCESSOR = (
    "def center(table):\n"
    "    import torch\n"
    "    return table - len(torch.backends.cpu.get_cpu_capability())\n"
)
BY_CHANCE = (
    "def center(table):\n    import time\n    return table - 2.0 - time.time_ns() % 999983 / 1e6\n"
)


# good enough from four of five seeds, and from others on another processor
BY_LUCK = """# shrink: by luck
# Some seeds go well.
def shrink(seed):
    import torch
    seen = seed + len(torch.backends.cpu.get_cpu_capability())
    return [1.0 + seed] + [0.0 if seen % 5 < 4 else 1.0 + seed] * 12
"""


def mistakes(**sources: str) -> Mapping[str, str]:
    """The small course with these known mistakes alone."""
    kept = {path: text for path, text in SMALL.items() if "/mistakes/" not in path}
    return kept | {
        f"solutions/small/mistakes/{name}.py": f"# center: {name}\n# Look at the mean.\n{source}"
        for name, source in sources.items()
    }


@pytest.mark.slow
@several
def test_only_what_the_processor_decides_is_a_change(tmp_path: Path) -> None:
    files = mistakes(same=SAME, by_processor=BY_PROCESSOR, by_chance=BY_CHANCE)
    course = write_course(tmp_path, {**files, "solutions/small/mistakes/by_luck.py": BY_LUCK})
    table = compare_processors(
        course.folder, TrialEngine(Local(2), QUIET), require="weak", seed=3, quick=True
    )
    assert {change.variant for change in table.changes} == {"mistake/center/by_processor"}
    assert table.unsteady == ("mistake/center/by_chance", "mistake/shrink/by_luck")
    assert not table.valid and table.lost == ()
    assert table.variants["mistake"] == 4 and table.checks > 20
    assert json.loads(table_json(table))["capabilities"] == list(capabilities())


def test_one_table_for_all_pairs() -> None:
    table = ProcessorTable("small", ("default", "avx2"), {"mistake": 2}, 40, (), ("m/x",), ())
    console = Console(record=True, width=100, file=io.StringIO())
    console.print(processor_view(table))
    said = console.export_text()
    assert "0 of 160 verdicts depend on the processor (2 mistake)" in said
    assert said.count("0 of 40") == 4 and "differs from run to run: m/x" in said


@pytest.mark.parametrize(
    ("one", "other", "agrees"),
    [
        ("the largest is 2.03, got -0.0875483.", "the largest is 2.03, got -0.0875484.", True),
        ("617206 of 640000 differ", "617207 of 640000 differ", True),
        ("4 of 5 differ", "5 of 5 differ", False),
        ("row 3 differs", "column 3 differs", False),
        ("", "", True),
    ],
)
def test_numbers_of_a_message_may_be_rounded_otherwise(one: str, other: str, agrees: bool) -> None:
    first, second = (CheckOutcome("failed", 0, text, ()) for text in (one, other))
    assert first.agrees(second) is agrees
    assert not first.agrees(second._replace(status="raised"))
    assert not first.agrees(second._replace(causes=("a",)))
    assert not first.agrees(second._replace(earned=1))


@pytest.mark.slow
@several
def test_a_box_uses_what_it_is_held_to_and_evidence_says_so() -> None:
    asked = (Probe("e/read/x", "e", Read("e", "x")),)
    source = "import torch\nx = torch.backends.cpu.get_cpu_capability()"
    job = Job((Cell(1, source, "e"),), (("e", 1),), asked, 1, Limits(), draw=False)
    least = capabilities()[0]
    with Box(libraries=held_to(least)) as box:
        found = run(job, box)
    claim = found.probes[0].claim
    assert claim is not None and str(claim.value).lower() == least
    assert found.measured.capability.lower() == least == box.capability.lower()


@pytest.mark.slow
def test_the_graders_own_environment_is_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in processor.VARIABLES:
        monkeypatch.delenv(name, raising=False)
    assert passed_on() == processor.WITHOUT_AMX
    monkeypatch.setenv("ATEN_CPU_CAPABILITY", "default")
    monkeypatch.setenv("OTHER_LIBRARY", "x")
    assert passed_on() == {"ATEN_CPU_CAPABILITY": "default", **processor.WITHOUT_AMX}
    with Box() as box:
        assert box.capability == "DEFAULT"


@pytest.mark.slow
def test_products_in_bfloat16_are_made_without_amx() -> None:
    """Where a virtual machine announces AMX and does not permit it, this ends the process."""
    asked = (Probe("e/read/x", "e", Read("e", "x")),)
    ones = "torch.ones({}).bfloat16()"
    product = f"{ones.format('300, 8')} @ {ones.format('8, 8')}"
    source = f"import torch\nx = float(({product}).sum())"
    job = Job((Cell(1, source, "e"),), (("e", 1),), asked, 1, Limits(), draw=False)
    with Box() as box:
        found = run(job, box)
    claim = found.probes[0].claim
    assert claim is not None and claim.value == 19200.0


def test_a_processor_with_one_capability_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = write_course(tmp_path, SMALL)
    cpuinfo = tmp_path / "cpuinfo"
    cpuinfo.write_text("flags\t\t: sse4_2 popcnt\n")
    monkeypatch.setattr(processor, "_CPUINFO", cpuinfo)
    assert capabilities() == ("default",)
    with pytest.raises(UsageError, match="cannot be restricted to another"):
        compare_processors(course.folder, TrialEngine(Local(1), QUIET), require="weak", seed=1)


@pytest.mark.usefixtures("lent_box")
def test_a_library_that_does_not_obey_is_our_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = write_course(tmp_path, SMALL)
    monkeypatch.setattr(
        "autograder.authoring.validation.processors.capabilities", lambda: ("other", "avx2")
    )
    monkeypatch.setattr("autograder.authoring.validation.processors.held_to", lambda name: {})
    with pytest.raises(SandboxError, match="restricted to other"):
        compare_processors(course.folder, TrialEngine(Local(1), QUIET), require="weak", seed=1)
