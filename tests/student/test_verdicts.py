"""What students see while they work is what the grading run finds: the same status everywhere.

The solution, every known mistake and every equivalent of the flagship, and the blank template.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from autograder.assignment.model import Exercise
from autograder.assignment.pretrained import Offer
from autograder.classroom.known_mistakes import read_solution, variants_in
from autograder.execution.engines.local import Local
from autograder.grading.context import GradingContext, PreparedClass
from autograder.grading.job import make_job
from autograder.judging.checks.finding import Reference
from autograder.judging.checks.registry import probes
from autograder.judging.judge import judge
from autograder.notebook.formats.read import read
from autograder.notebook.structure.locate import locate, owned_cells, up_to
from autograder.notebook.structure.outline import outline_of
from autograder.notebook.submission import Submission
from autograder.notebook.template.release import notebook_bytes, read_template
from autograder.notebook.template.variant import apply_variant
from autograder.student.public_evidence import public_bytes, public_evidence

ROOT = Path(__file__).resolve().parents[2]
Told = dict[str, tuple[str, str]]  # check: status and text
Found = dict[str, dict[str, Told]]  # by exercise and variant
Change = tuple[Exercise, str, Submission]


def public_exercises(context: GradingContext) -> list[Exercise]:
    return [e for e in context.loaded.spec.exercise if any(check.public for check in e.check)]


def changes(context: GradingContext) -> list[Change]:
    """Every exercise with public checks as it is solved, and with every variant of it."""
    loaded = context.loaded
    solution = read_solution(loaded)
    variants = [v for kind in ("mistakes", "equivalents") for v in variants_in(loaded, kind)]
    return [
        (exercise, name, changed)
        for exercise in public_exercises(context)
        for name, changed in (
            ("the solution", solution),
            *((v.name, apply_variant(solution, v)) for v in variants if v.exercise == exercise.id),
        )
    ]


def in_the_box(prepared: PreparedClass, items: list[Change]) -> Found:
    """The public verdicts of the grading run, for each change in its own exercise."""
    context = prepared.context

    def verdicts(item: Change) -> Told:
        exercise, _, changed = item
        job, located = make_job(context, changed)
        public = [check for check in exercise.check if check.public]
        asked = {p.id for c in public for p in probes(c, exercise.id, context.cases)}
        short = msgspec.structs.replace(
            job,
            cells=up_to(exercise.id, job.cells, located),
            draw=False,
            probes=tuple(probe for probe in job.probes if probe.id in asked),
        )
        spec = context.loaded.spec.model_copy(update={"exercise": (exercise,)})
        run = context.runner.run(short)
        found = judge(
            spec, run, Reference(prepared.expected, context.cases, context.loaded.relations)
        )
        return {v.check: (v.status.value, v.message) for v in found if v.public}

    found: Found = {}
    for place, told in Local(2).map(verdicts, items):
        exercise, name, _ = items[place]
        found.setdefault(exercise.id, {})[name] = told
    return found


def in_a_session(
    prepared: PreparedClass, offer: Offer, folder: Path, notebook: Submission, items: list[Change]
) -> Found:
    """The same as a student's own session says it; ``items`` are changes of one notebook."""
    loaded = prepared.context.loaded
    evidence = public_evidence(
        loaded,
        prepared.context.cases,
        prepared.expected,
        outline=outline_of(read_solution(loaded), loaded.spec),
    )
    (folder / f"{loaded.spec.id}.agw").write_bytes(public_bytes(evidence))
    located = locate(loaded.spec, notebook, prepared.context.outline)
    cells = owned_cells(notebook, located)
    wishes: dict[str, Any] = {}
    for exercise, name, changed in items:
        first = min(cell.number for cell in cells if cell.exercise == exercise.id)
        end = up_to(exercise.id, cells, located)[-1].number
        wish = wishes.setdefault(exercise.id, {"first": first, "end": end, "variants": {}})
        own = next(cell.source for cell in changed.cells if cell.number == first)
        wish["variants"][name] = own
    offered = {"HF_HUB_OFFLINE": "1", "HF_HOME": str(offer.folder), "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [
            sys.executable,
            str(ROOT / "tests/support/student_session.py"),
            loaded.spec.id,
            str(folder),
        ],
        input=json.dumps([[(c.number, c.source, c.exercise) for c in cells], wishes]),
        capture_output=True,
        text=True,
        check=False,
        cwd=folder,
        env=os.environ | offered,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    told: Found = json.loads(done.stdout)
    return told


def different(seen: Found, graded: Found) -> list[tuple[Any, ...]]:
    assert {(e, n) for e in seen for n in seen[e]} == {(e, n) for e in graded for n in graded[e]}
    return [
        (exercise, name, check, seen[exercise][name][check], told)
        for exercise, variants in graded.items()
        for name, checks in variants.items()
        for check, told in checks.items()
        if seen[exercise][name][check][0] != told[0]
    ]


def statuses(found: Found) -> set[str]:
    return {
        told[0] for variants in found.values() for c in variants.values() for told in c.values()
    }


@pytest.mark.slow
def test_variants_have_the_verdicts_of_the_grading_run(
    prepared: PreparedClass, offer: Offer, tmp_path: Path
) -> None:
    items = changes(prepared.context)
    graded = in_the_box(prepared, items)
    solution = read_solution(prepared.context.loaded)
    assert different(in_a_session(prepared, offer, tmp_path, solution, items), graded) == []
    assert statuses(graded) >= {"passed", "failed", "raised", "missing", "skipped"}
    assert len(items) > 100


def test_the_blank_template_has_the_verdicts_of_the_grading_run(
    prepared: PreparedClass, offer: Offer, tmp_path: Path
) -> None:
    loaded = prepared.context.loaded
    written = notebook_bytes(read_template(loaded.solution, loaded.spec))
    blank = read(loaded.template, data=written)
    items = [(exercise, "blank", blank) for exercise in public_exercises(prepared.context)]
    graded = in_the_box(prepared, items)
    assert different(in_a_session(prepared, offer, tmp_path, blank, items), graded) == []
    assert "passed" not in statuses(graded)
