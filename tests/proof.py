"""What every assignment of the course must show; a test file for each names one.

Mutants, and what a mistake costs in other exercises, are left to `make validate`: they take a
minute or two for each assignment.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from autograder.authoring.agreement import differences
from autograder.classroom import Prepared, box_for, make_setting, prepare_reference
from autograder.engines.local import Local
from autograder.notebook.read import read
from autograder.notebook.release import notebook_bytes, read_template
from autograder.public import FILE, SEED, read_public
from autograder.release import evidence_for
from autograder.sandbox.lazy import LazyBox
from autograder.spec.load import Loaded, load
from autograder.spec.pretrained import Offer, prepare
from autograder.spec.read import find
from autograder.validate.model import Validation
from autograder.validate.mutants import mutants
from autograder.validate.run import Step, read_survivors, validate
from tests.in_process import lending

ROOT = Path(__file__).resolve().parent.parent
QUIET = Step(lambda what, total: None, lambda part: None)


class Proof:
    """Subclassed with the assignment's ``id``."""

    id = ""

    @pytest.fixture(scope="class")
    @classmethod
    def loaded(cls) -> Loaded:
        return load(find(cls.id, ROOT))

    @pytest.fixture(scope="class")
    @classmethod
    def offered(cls, loaded: Loaded) -> Offer:
        return prepare(loaded)

    @pytest.fixture(scope="class")
    @classmethod
    def box(
        cls, loaded: Loaded, offered: Offer, request: pytest.FixtureRequest
    ) -> Iterator[LazyBox]:
        """The session's warm box that holds what the assignment needs; the smaller is quicker."""
        if offered.packages:
            warm = request.getfixturevalue("warm_box").box()
        else:
            warm = request.getfixturevalue("plain_box")
        with lending(warm), box_for(loaded, offered, require="weak") as box:
            yield box

    @pytest.fixture(scope="class")
    @classmethod
    def found(
        cls, loaded: Loaded, offered: Offer, box: LazyBox, tmp_path_factory: pytest.TempPathFactory
    ) -> Validation:
        folder = tmp_path_factory.mktemp("evidence")
        setting = make_setting(loaded, offered, box, seed=7, draw=False, evidence=folder)
        return validate(setting, Local(2), QUIET, quick=True)

    @pytest.fixture(scope="class")
    @classmethod
    def public(
        cls, loaded: Loaded, offered: Offer, box: LazyBox, tmp_path_factory: pytest.TempPathFactory
    ) -> Prepared:
        folder = tmp_path_factory.mktemp("evidence")
        setting = make_setting(loaded, offered, box, seed=SEED, draw=False, evidence=folder)
        return prepare_reference(setting, Local(2), QUIET.begin, mistakes=False)

    def test_nothing_stands_against_using_it(self, found: Validation) -> None:
        # a check that only mutants fail is idle without them
        problems = [f"{p.variant}: {p.text}" for p in found.problems if p.rule != "idle"]
        assert not problems, "\n".join(problems)

    def test_every_mistake_is_told_by_its_name_and_none_by_another(self, found: Validation) -> None:
        counts = found.diagnosis
        assert counts["wrong"] == 0
        assert counts["right"] >= 0.95 * sum(counts.values())
        assert sum(counts.values()) >= 30

    def test_tolerances_lie_inside_their_windows(self, found: Validation) -> None:
        assert len(found.windows) >= 5
        for window in found.windows:
            assert window.spread <= window.atol < window.nearest, window.check

    def test_the_template_and_the_public_evidence_are_up_to_date(
        self, loaded: Loaded, public: Prepared
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
