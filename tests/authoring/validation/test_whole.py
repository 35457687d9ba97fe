"""`autograder validate` tries generated equivalents too, and shows those that lose."""

from __future__ import annotations

import json
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from autograder import cli
from autograder.cli import main
from tests.conftest import Lent
from tests.support.courses import MEASURED, SMALL, write_course

STRICT = SMALL[MEASURED].replace("4e-6", "1e-12")


def test_a_right_answer_that_loses_stands_against_the_assignment(
    lent_box: Lent,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    course = write_course(tmp_path / "course", SMALL | {MEASURED: STRICT})
    target = tmp_path / "out"
    # as if importing the command's module had taken so long
    monkeypatch.setattr(cli, "time", SimpleNamespace(monotonic=lambda: time.monotonic() - 1000))
    with pytest.raises(SystemExit) as ended:
        main(["validate", str(course.folder), "--quick", "--json", "--out", str(target)])
    assert ended.value.code == 1
    found = json.loads(capsys.readouterr().out)
    assert found["seconds"] > 1000
    lost = {(one["name"], one["check"]) for one in found["generated"]["lost"] if one["diff"]}
    told = {(p["variant"], p["check"]) for p in found["problems"] if p["rule"] == "unfair"}
    assert lost and lost <= told and {check for _, check in lost} == {"center/tables"}
    page = (target / "validation.html").read_text(encoding="utf-8")
    assert "generated equivalents lose points." in page
    assert all(f"<h3><bdi>{name}</bdi></h3>" in page for name, _ in lost)
