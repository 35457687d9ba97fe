"""What every assignment of the course must show; a test file for each names one.

By default the solution, the template, and one known mistake and one equivalent of each exercise are
tried; all of them by ``make rest``. Mutants, and what a mistake costs in other exercises, are
left to `make validate`: they take a minute or two for each assignment.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from autograder.assignment.load import Loaded, load, make_cases
from autograder.assignment.pretrained import prepare
from autograder.assignment.read import find
from autograder.authoring.release import evidence_for
from autograder.authoring.validation.agreement import differences
from autograder.authoring.validation.rules import problems
from autograder.authoring.validation.run import read_survivors, validate
from autograder.authoring.validation.trial_engine import TrialEngine
from autograder.authoring.validation.trials import attempt
from autograder.authoring.validation.variants import VariantSubmission, tries
from autograder.classroom.boxes import box_for
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Local
from autograder.grading.context import GradingContext, PreparedClass
from autograder.mutation.mutants import mutants
from autograder.notebook.formats.read import read
from autograder.notebook.template.release import notebook_bytes, read_template
from autograder.reports.validation.model import Validation
from autograder.student.public_evidence import FILE, SEED, read_public
from tests.support.in_process import lending
from tests.support.kept_evidence import KeptEvidence
from tests.support.progress import QUIET

ROOT = Path(__file__).resolve().parents[2]
TRIALS = TrialEngine(Local(2), QUIET)


def firsts(every: Sequence[VariantSubmission]) -> list[VariantSubmission]:
    """The solution, the template, and of each exercise the first mistake and equivalent."""
    found = {(one.sort, one.exercise): one for one in reversed(every) if one.sort != "trivial"}
    return list(found.values())


class Proof:
    """Subclassed with the assignment's ``id``."""

    id = ""

    @pytest.fixture(scope="class")
    @classmethod
    def loaded(cls) -> Loaded:
        return load(find(cls.id, ROOT))

    @pytest.fixture(scope="class")
    @classmethod
    def context(
        cls,
        loaded: Loaded,
        request: pytest.FixtureRequest,
        kept_evidence: KeptEvidence,
        tmp_path_factory: pytest.TempPathFactory,
    ) -> Iterator[GradingContext]:
        """In the session's warm box that holds what the assignment needs; the smaller is quicker.
        Its evidence is kept for later runs, unless it is compared by its cost."""
        offered, folder = prepare(loaded), tmp_path_factory.mktemp("evidence")
        if offered.packages:
            warm = request.getfixturevalue("warm_box").box()
        else:
            warm = request.getfixturevalue("plain_box")
        with lending(warm), box_for(loaded, offered, require="weak") as box:
            made = make_context(loaded, offered, box, seed=7, draw=False, evidence=folder)
            costs = any(check.kind == "speed" for e in loaded.spec.exercise for check in e.check)
            yield made if costs else replace(made, store=kept_evidence)

    @pytest.fixture(scope="class")
    @classmethod
    def found(cls, context: GradingContext) -> Validation:
        return validate(context, TRIALS, quick=True)

    @pytest.fixture(scope="class")
    @classmethod
    def public(cls, context: GradingContext) -> PreparedClass:
        cases = make_cases(context.loaded, SEED)
        public = replace(context, seed=SEED, cases=cases)
        return prepare_reference(public, Local(2), QUIET.begin, mistakes=False)

    def test_a_mistake_and_an_equivalent_of_each_exercise_are_judged_right(
        self, context: GradingContext
    ) -> None:
        loaded, left_out = context.loaded, context.unavailable
        reference = prepare_reference(context, Local(2), QUIET.begin, mistakes=False)
        every = tries(loaded, read(loaded.solution), mutated=False)
        chosen = [first for first in firsts(every) if first.exercise not in left_out]
        made = TRIALS.in_order("Trying variants", chosen, partial(attempt, reference, short=True))
        assert not [one.lost for one in made if one.lost]
        found = [f"{p.variant}: {p.text}" for p in problems(loaded, made)]
        assert not found, found

    @pytest.mark.slow
    def test_nothing_stands_against_using_it(self, found: Validation) -> None:
        problems = [f"{p.variant}: {p.text}" for p in found.problems]
        assert not problems, "\n".join(problems)

    @pytest.mark.slow
    def test_every_mistake_is_told_by_its_name_and_none_by_another(self, found: Validation) -> None:
        counts = found.diagnosis
        assert counts["wrong"] == 0
        assert counts["right"] >= 0.95 * sum(counts.values())
        assert sum(counts.values()) >= 30

    @pytest.mark.slow
    def test_tolerances_lie_inside_their_windows(self, found: Validation) -> None:
        assert len(found.windows) >= 5
        for window in found.windows:
            assert window.spread <= window.atol < window.nearest, window.check

    def test_the_template_and_the_public_evidence_are_up_to_date(
        self, loaded: Loaded, public: PreparedClass
    ) -> None:
        template = read_template(loaded.solution, loaded.spec)
        assert loaded.template.read_bytes() == notebook_bytes(template)
        made = evidence_for(public, template)
        assert differences(read_public((loaded.folder / FILE).read_bytes()), made) == []

    def test_every_explained_survivor_is_a_mutant(self, loaded: Loaded) -> None:
        names = {mutant.name for mutant in mutants(read(loaded.solution), loaded.spec)}
        assert set(read_survivors(loaded)) <= names

    def test_every_exercise_has_hints_and_every_written_one_a_rubric(self, loaded: Loaded) -> None:
        for exercise in loaded.spec.exercise:
            for check in exercise.check:
                assert check.hint or check.kind == "written", f"{exercise.id}/{check.id}"
        assert "written" in {c.kind for e in loaded.spec.exercise for c in e.check}
