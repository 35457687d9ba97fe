"""Grades with stored answers, without the assignment's own folder and its solution.

Covered: the run, the box and the verdicts are those of `autograder grade`.
Not covered: known mistakes; stored answers do not identify them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from autograder.assignment.data_files import data_files
from autograder.assignment.load import Loaded
from autograder.assignment.packages import TORCH, installing, missing
from autograder.assignment.pretrained import Offer
from autograder.classroom.boxes import warm_packages
from autograder.errors import UsageError
from autograder.evidence.store import EvidenceFolder
from autograder.files import scratch_folder
from autograder.grading.context import GradingContext, PreparedClass
from autograder.notebook.structure.outline import Outline
from autograder.notebook.submission import TemplateStamp
from autograder.sandbox.box import Box, BoxContents, Level
from autograder.sandbox.lazy import LazyBox
from autograder.student.cases import EveryCheck
from autograder.student.relations import relations_of


@contextmanager
def prepared_from(
    every: EveryCheck, *, require: Level, hidden: Sequence[Path] = (), models: Path | None = None
) -> Iterator[PreparedClass]:
    """The context in which submissions are graded with stored answers; its box is open until exit.

    ``hidden``: paths invisible in the box; ``models``: the folder of pretrained models, without
    which exercises that need them are left out. Raises ``UsageError`` for a package that is not
    installed.
    """
    packages = tuple(sorted({*every.packages, *((TORCH,) if every.torch else ())}))
    if lacking := missing(packages):
        raise UsageError(f"the checks need {', '.join(lacking)}; {installing(lacking)}")
    left_out = frozenset(e.id for e in every.exercises if e.model and not models)
    offer = Offer(models, "stored" if models else "", left_out, packages)

    def make() -> Box:
        return Box(contents=BoxContents(hidden, warm_packages(offer), models, every.files))

    with scratch_folder() as kept, LazyBox(make, require=require) as box:
        loaded = Loaded(
            every.whole(),
            kept,
            {},
            relations_of(every),
            every.version,
            packages,
            files=data_files(every.files),
        )
        context = GradingContext(
            loaded,
            every.cases,
            every.seed,
            False,
            box,
            EvidenceFolder(kept),
            offer.digest,
            offer.unavailable,
            released=TemplateStamp(every.assignment, every.version),
            outline=Outline(every.outline),
        )
        yield PreparedClass(context, every.expected(), ())
