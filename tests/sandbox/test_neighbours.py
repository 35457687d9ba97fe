"""Hostile hand-ins beside ordinary ones: the ordinary ones' verdicts do not change by a byte,
and nothing is left behind."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from autograder.assignment.load import Loaded
from autograder.assignment.pretrained import Offer
from autograder.classroom.boxes import box_for
from autograder.classroom.grade_class import ClassGrader, ReceivedClass
from autograder.classroom.known_mistakes import WorkProgress
from autograder.classroom.results_folder import KeptSubmission, ResultsFolder
from autograder.evidence.store import EvidenceFolder
from autograder.execution.engines.local import Local
from autograder.gradebook.grade import NO_TIME
from autograder.grading.context import (
    FoundSubmission,
    GradedSubmission,
    PreparedClass,
    SubmissionSource,
)
from autograder.notebook.formats.find import find
from autograder.notebook.formats.read import read
from autograder.notebook.submission import NotebookCell, Submission
from autograder.notebook.template.variant import apply_variant, read_variants
from autograder.sandbox.leftovers import left_since, traces
from tests.support.tables import table_beside

pytestmark = pytest.mark.slow

HOSTILE = table_beside(__file__)  # cells that stand in the notebook
SHORT = {
    "cell_cpu_s": 2.0,
    "cell_wall_s": 60.0,
    "call_cpu_s": 2.0,
    "call_wall_s": 60.0,
    "submission_wall_s": 300.0,
    "memory_mb": 1024,
    "disk_mb": 16,
}


NOTES = ("/tmp", "/dev/shm", "/var/tmp", "/home/student", str(Path.home()))


def opened() -> list[str]:
    """Sockets, pipes, namespaces and processes that this one has open."""
    links = [str(fd.readlink()) for fd in Path("/proc/self/fd").iterdir() if fd.is_symlink()]
    return [link for link in links if not link.startswith("/")]


def places() -> set[str]:
    """Namespaces that are open, and notes."""
    kinds = ("pid", "mnt", "net", "user")
    notes = (str(p) for place in NOTES for p in Path(place).glob("autograder-note*"))
    return {*notes, *(link for link in opened() if link.split(":")[0] in kinds)}


def hostile(base: Submission, source: str) -> Submission:
    """The notebook with this cell after its imports."""
    cells = list(base.cells)
    at = next(i for i, cell in enumerate(cells) if cell.kind == "code") + 1
    cells.insert(at, NotebookCell(0, "code", source))
    numbered = tuple(msgspec.structs.replace(c, number=n) for n, c in enumerate(cells, 1))
    return msgspec.structs.replace(base, cells=numbered)


def submitted(name: str, submission: Submission) -> SubmissionSource:
    return KeptSubmission(name, name, submission)


def ordinary(loaded: Loaded) -> list[SubmissionSource]:
    """The sample class and other correct ones: twenty. Without the one that searches at
    random until it is stopped, and the one whose loops take about as long as a call may here:
    where they are then depends on the clock."""
    found = find([loaded.folder / "examples"])
    timed = {"student-09", "student-16"}
    sample: list[SubmissionSource] = [
        FoundSubmission(one) for one in found if one.student not in timed
    ]
    solution = read(loaded.solution)
    others = read_variants(loaded.solutions / "equivalents")[: 20 - len(sample)]
    return [*sample, *(submitted(v.name, apply_variant(solution, v)) for v in others)]


def interleaved(
    quiet: list[SubmissionSource], loud: list[SubmissionSource]
) -> list[SubmissionSource]:
    """A loud one after every second quiet one."""
    mixed: list[SubmissionSource] = []
    for number, one in enumerate(quiet):
        mixed.append(one)
        if number % 2:
            mixed.append(loud[number // 2])
    return mixed


def grade(
    prepared: PreparedClass, hand_ins: list[SubmissionSource], folder: Path
) -> dict[str, bytes]:
    """Every student's grade as bytes, without what the clock says."""
    found: dict[str, bytes] = {}

    def done(graded: GradedSubmission) -> None:
        timeless = msgspec.structs.replace(graded.grade, timing=NO_TIME)
        found[graded.grade.student] = msgspec.msgpack.encode(timeless)

    context = replace(prepared.context, store=EvidenceFolder(folder / "evidence"))
    ours = replace(prepared, context=context)
    grader = ClassGrader(ours, ResultsFolder(folder), Local(2), ["grade"])
    grader.grade(ReceivedClass(hand_ins), WorkProgress(lambda what, total: None, done))
    return found


Grades = dict[str, bytes]


@pytest.fixture(scope="module")
def graded(
    prepared: PreparedClass, offer: Offer, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Grades, Grades, list[str]]:
    """The class alone, the class with the hostile ones, and what is left behind."""
    loaded = prepared.context.loaded
    limits = loaded.spec.limits.model_copy(update=SHORT)
    loaded = replace(loaded, spec=loaded.spec.model_copy(update={"limits": limits}))
    solution = read(loaded.solution)
    quiet = ordinary(loaded)
    loud: list[SubmissionSource] = [
        submitted(name, hostile(solution, source)) for name, source in HOSTILE.items()
    ]
    assert (len(quiet), len(loud)) == (20, 10)
    before, there, held = traces(), places(), len(opened())
    with box_for(loaded, offer, require="medium") as box:
        context = replace(prepared.context, loaded=loaded, runner=box)
        ours = replace(prepared, context=context)
        alone = grade(ours, quiet, tmp_path_factory.mktemp("alone"))
        mixed = grade(ours, interleaved(quiet, loud), tmp_path_factory.mktemp("mixed"))
    left = [*left_since(before), *(places() - there), *["something open"] * (len(opened()) - held)]
    return alone, mixed, left


def test_ten_hostile_hand_ins_change_no_byte_of_twenty_ordinary_ones(
    graded: tuple[Grades, Grades, list[str]],
) -> None:
    alone, mixed, _ = graded
    assert len(alone) == 20 and len(mixed) == 30
    assert {student: mixed[student] for student in alone} == alone


def test_nothing_of_them_is_left(graded: tuple[Grades, Grades, list[str]]) -> None:
    assert graded[2] == []


def test_the_hostile_ones_do_what_they_are_called(
    graded: tuple[Grades, Grades, list[str]],
) -> None:
    """Otherwise the comparison would show nothing: each but the quiet ones costs something."""
    mixed = graded[1]
    assert set(HOSTILE) <= set(mixed)
    assert len({mixed[name] for name in HOSTILE}) == len(HOSTILE)
