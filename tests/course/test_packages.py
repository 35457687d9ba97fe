"""The students' package of the course, made for each assignment with all others in it."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from autograder.assignment.load import load
from autograder.assignment.read import find
from autograder.authoring.release import ReleaseOptions, made_release
from autograder.execution.engines.local import Local

ROOT = Path(__file__).resolve().parents[2]
COURSE = sorted(ROOT.glob("assignments/*/public.agw"))


@pytest.mark.slow
@pytest.mark.parametrize("assignment", [path.parent.name for path in COURSE])
def test_every_assignment_of_the_course_can_be_packed_with_the_others(
    assignment: str, tmp_path: Path
) -> None:
    wish = ReleaseOptions(package=tmp_path)
    made = made_release(load(find(assignment, ROOT)), Local(2), lambda what, total: None, wish)
    (wheel,) = (path for path in made.files if path.suffix == ".whl")
    assert [path for path, _ in made.stale()] == [wheel]
    with zipfile.ZipFile(io.BytesIO(made.files[wheel])) as packed:
        evidence = {Path(name).stem for name in packed.namelist() if name.endswith(".agw")}
    assert evidence == {path.parent.name for path in COURSE}
