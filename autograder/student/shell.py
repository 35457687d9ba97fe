"""``check`` in a shell: runs a notebook on this machine and prints its results.

Exit status 0: all public checks passed; 1: some did not; 2: the notebook or the request cannot be
read. Apart from the command line for instructors, only this module prints.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from msgspec.structs import replace

from autograder.errors import AutograderError
from autograder.grading.runs import JudgedRun, in_repaired_order, joined, too_early
from autograder.judging.checks.finding import Relations
from autograder.judging.verdict import Status
from autograder.notebook.formats.read import read
from autograder.notebook.structure.accelerators import asks_for_one
from autograder.notebook.structure.locate import locate, owned_cells
from autograder.notebook.structure.needed_cells import narrowed
from autograder.notebook.structure.notes import empty_note, template_notes, used_early
from autograder.notebook.structure.outline import Outline
from autograder.notebook.structure.restored import restore_missing
from autograder.notebook.submission import Submission, TemplateStamp
from autograder.reports.feedback.checked import Checked, said_of, standing
from autograder.reports.feedback.plain import checked_text
from autograder.reports.feedback.words import AT_FAULT
from autograder.student.errors import GraderError
from autograder.student.evidence import find_public
from autograder.student.own_process import run_apart
from autograder.student.personal_file import PersonalFile, find_personal
from autograder.student.public_evidence import PublicEvidence
from autograder.student.relations import relations_of
from autograder.student.small_trials import with_smallest
from autograder.student.verdicts import LATER, answers, checked, verdicts
from autograder.wire.messages import Job, Limits

HERE = "The cells run on this machine as they would in Jupyter, without a sandbox."
INTERRUPTED = 130  # as usual for shells


def check(notebook: Path, *, assignment: str = "", public: Path | None = None) -> int:
    """Check a notebook, print the results and return the exit status."""
    folder = notebook.resolve().parent
    try:
        submission = read(notebook)
        evidence = find_public(_assignment(submission, assignment), given=public, start=folder)
        course = AssignmentFolder(
            evidence, relations_of(evidence), folder, find_personal(evidence.assignment, folder)
        )
    except AutograderError as bad:
        _say(str(bad), error=True)
        return 2
    _say(f"{evidence.title}\n{HERE}\n")
    checks = (check for exercise in evidence.exercises for check in exercise.checks)
    asked = {str(check.get("call", "")).partition(".")[0] for check in checks}
    whole = restore_missing(submission, Outline(evidence.outline), asked)
    found, notes = course.checked(whole)
    for one in found:
        _say(f"{checked_text(one)}\n")
    for sentence in (*notes, *said_of(standing(found))):
        _say(sentence)
    return int(any(_open(one) for one in found))


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line of the student package: ``check NOTEBOOK``."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    parser = argparse.ArgumentParser(prog="check", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("notebook", type=Path)
    parser.add_argument(
        "--assignment", default="", help="the assignment's id, if the notebook has no stamp"
    )
    parser.add_argument(
        "--public", type=Path, help="the file ID.agw, or the folder that contains it"
    )
    wish = parser.parse_args(given[1:] if given[:1] == ["check"] else given)
    try:
        return check(wish.notebook, assignment=wish.assignment, public=wish.public)
    except KeyboardInterrupt:
        _say("You stopped it.", error=True)
        return INTERRUPTED


@dataclass(frozen=True, slots=True)
class AssignmentFolder:
    """What is known of an assignment, the folder in which cells run, and the student's own
    values, if there are any."""

    evidence: PublicEvidence
    relations: Relations
    folder: Path
    own: PersonalFile | None = None

    def checked(self, submission: Submission) -> tuple[tuple[Checked, ...], tuple[str, ...]]:
        """The state of a notebook, and notes about it. If its cells are out of order and the
        assignment allows it, a second order is tried, as in grading."""
        evidence, spec = self.evidence, self.evidence.outlined()
        tried, ended = self._tried(submission)
        released = TemplateStamp(evidence.assignment, evidence.version)
        stamps = template_notes(submission.stamp, assignment=evidence.assignment, released=released)
        empty = empty_note(tried.located.owners, evidence.assignment)
        early = too_early(tried.located, tried.run)
        notes = (empty, *submission.repairs, *stamps, *tried.located.notes, *used_early(early))
        notes = tuple(filter(None, notes))
        mended = in_repaired_order(spec, submission, tried, early)
        public = evidence.spec(self._every)
        if mended is not None and public is not None:
            tried, said = joined(public, tried, self._tried(mended)[0])
            notes += said
        return checked(evidence, self._every, tried.verdicts, ended), notes

    @property
    def _every(self) -> tuple[str, ...]:
        return tuple(exercise.id for exercise in self.evidence.exercises)

    def _tried(self, submission: Submission) -> tuple[JudgedRun, str]:
        """One run, judged; and why it ended early, if it did."""
        evidence = self.evidence
        spec = evidence.outlined()
        located = locate(spec, submission, Outline(evidence.outline))
        cells = owned_cells(submission, located)
        job = Job(
            cells,
            located.keep_after,
            (),
            0,
            Limits(**spec.limits.model_dump()),
            draw=False,
            pretend=asks_for_one(cell.source for cell in cells),
            data=self.own.values if self.own is not None else (),
        )
        asked = answers(
            evidence,
            self.relations,
            self._every,
            lambda probes: run_apart(replace(job, probes=probes), self.folder),
        )
        found = with_smallest(
            evidence,
            self.relations,
            verdicts(evidence, self.relations, self._every, asked, located),
            asked,
            lambda probes: run_apart(narrowed(job, located, probes), self.folder),
        )
        return JudgedRun(found, asked.run, located, fresh=True), asked.ended


def _assignment(submission: Submission, wanted: str) -> str:
    """The requested id, else that of the notebook's stamp. Raises ``GraderError``."""
    if wanted:
        return wanted
    if submission.stamp is None:
        raise GraderError(
            f"{submission.file}: the notebook does not name its assignment; add --assignment ID"
        )
    return submission.stamp.assignment


def _open(checked: Checked) -> bool:
    """Whether a public check of an exercise was made but did not pass."""
    checks = checked.feedback.public if checked.feedback is not None else ()
    return any(
        check.status in AT_FAULT or (check.status is Status.SKIPPED and check.message != LATER)
        for check in checks
    )


def _say(text: str, *, error: bool = False) -> None:
    """Print a text, replacing characters that the terminal lacks."""
    stream = sys.stderr if error else sys.stdout
    code = stream.encoding or "utf-8"
    print(text.encode(code, "replace").decode(code), file=stream)
