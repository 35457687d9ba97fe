"""A few kills at random moments; ``make kills`` tries fifty, on PostgreSQL as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.killed import killed


@pytest.mark.slow
@pytest.mark.usefixtures("lent_box")
def test_nothing_is_lost_when_commands_are_killed(tmp_path: Path) -> None:
    lines = list(killed(tmp_path, "", times=3, seed=7))
    assert len(lines) == 4 and "nothing lost" in lines[-1]
