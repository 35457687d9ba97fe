"""The assignment's files in a sandbox: there, unchangeable, and not at the student's cost."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from autograder.errors import SandboxError
from autograder.sandbox.box import Box, BoxContents
from autograder.sandbox.driver import run
from autograder.wire.messages import Begin, Cell, FileBeside, Job, Limits, RunCell
from tests.support.tables import table_beside

FILES = {
    "data/x.csv": b"1,2",
    "helper.py": b"X = 5",
    "big.bin": bytes(3_000_000),
    **{f"many/{number}": b"" for number in range(120)},
}
LIMITS = Limits(disk_mb=2, files=100)
LOOK, CHANGE, WRITE = table_beside(__file__).values()


def _outputs(box: Box, *sources: str, beside: tuple[FileBeside, ...] = ()) -> list[str]:
    """What cells print in a new child."""
    child = box.spawn(LIMITS)
    try:
        child.ask(Begin(1, 10_000, False, beside=beside), cpu_s=5, wall_s=20)
        made = []
        for source in sources:
            answer = child.ask(RunCell(1, source), cpu_s=10, wall_s=30).answer
            assert answer is not None
            made.append("".join(o.content.decode() for o in answer.outputs) or str(answer.error))
        return made
    finally:
        child.end()


@pytest.fixture(scope="module")
def box() -> Box:
    with Box(BoxContents(files=FILES)) as made:
        if made.isolation.level != "strong":
            pytest.skip(f"no namespaces here: {made.isolation.missing}")
        yield made


SEEN = "1,2 5 3000000 ['big.bin', 'data', 'helper.py', 'many']\n"


def test_no_change_succeeds_and_the_next_child_sees_them_unchanged(box: Box) -> None:
    """They are larger and more than a student may write: they take none of that."""
    first, changed, again, wrote = _outputs(box, LOOK, CHANGE, LOOK.replace("helper.py", ""), WRITE)
    assert first == SEEN
    assert changed == str(["refused"] * 10) + "\n"
    assert again.startswith("1,2 5 3000000")
    assert wrote == "1\n"  # a notebook writes into the folders of its files
    assert _outputs(box, LOOK) == [SEEN]


NO_LAYER = ("namespaces", "uid", "landlock", "seccomp", "cgroup")


@pytest.mark.parametrize(
    "without", [("namespaces",), pytest.param(NO_LAYER, marks=pytest.mark.slow)]
)
def test_without_namespaces_each_child_has_its_own(without: Collection[str]) -> None:
    with Box(BoxContents(files=FILES), without=without) as box:
        own = "import time\nopen('b', 'w').write('1' * 10**6)\ntime.sleep(0.5)\nprint('written')"
        first, wrote, changed = _outputs(box, LOOK, own, CHANGE)
        assert first == SEEN
        assert wrote == "written\n"  # the files are not counted as the student's
        if "seccomp" not in without:
            assert changed.startswith("['refused', 'refused', 'refused', 'refused'")
        assert _outputs(box, LOOK) == [SEEN]


def test_what_a_student_submitted_is_beside_the_notebook_and_never_in_place_of_a_file(
    box: Box,
) -> None:
    own = (
        FileBeside("mine.py", b"Y = 7"),
        FileBeside("pics/a.png", b"png"),
        FileBeside("data/x.csv", b"9,9"),
        FileBeside("statistics.py", b"mean = None"),
    )
    (said,) = _outputs(
        box,
        "import mine, statistics\n"
        "print(mine.Y, open('pics/a.png').read(), open('data/x.csv').read(), statistics.mean([2]))",
        beside=own,
    )
    assert said == "7 png 1,2 2\n"


def test_a_box_with_other_files_runs_nothing(box: Box) -> None:
    job = Job((Cell(1, "x = 1"),), (), (), 1, files="other")
    with pytest.raises(SandboxError, match="other files"):
        run(job, box)
