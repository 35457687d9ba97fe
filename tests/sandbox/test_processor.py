"""A box is limited to a processor's capability, and says which one it uses."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.sandbox import processor
from autograder.sandbox.box import Box
from autograder.sandbox.driver import run
from autograder.sandbox.processor import capabilities, held_to, passed_on
from autograder.wire.messages import Cell, Job, Limits, Probe, Read


def test_a_processor_has_the_capabilities_that_its_flags_allow(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processor.platform, "machine", lambda: "x86_64")
    monkeypatch.setattr(processor, "_CPUINFO", tmp_path / "cpuinfo")
    for flags, found in (("sse4_2", 1), ("avx2 fma f16c bmi1 bmi2", 2)):
        (tmp_path / "cpuinfo").write_text(f"flags\t\t: {flags} popcnt\n")
        assert capabilities() == ("default", "avx2")[:found]


@pytest.mark.slow
@pytest.mark.skipif(
    len(capabilities()) < 2, reason="this processor cannot be held to another capability"
)
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
