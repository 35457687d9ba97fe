"""The interface for students: checks their own names, as often as they like."""

from __future__ import annotations

import difflib
import json
import os
import sys
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from IPython.core.getipython import get_ipython

from autograder.assignment.kinds import PredictionCheck
from autograder.gradebook.grade import as_points
from autograder.judging.checks.prediction import chosen, told
from autograder.judging.checks.registry import probes as probes_of
from autograder.notebook.structure.names import read_names
from autograder.notebook.structure.notes import template_notes
from autograder.notebook.structure.outline import Outline
from autograder.notebook.submission import TemplateStamp, make_stamp
from autograder.reports.feedback.checked import Checked
from autograder.student.card import checked_card, progress_card, show, table_card, told_card
from autograder.student.errors import GraderError
from autograder.student.evidence import find_public
from autograder.student.live import LiveAnswers, ask
from autograder.student.magic import register
from autograder.student.personal_file import SUFFIX as PERSONAL
from autograder.student.personal_file import find_personal
from autograder.student.predictions import Journal
from autograder.student.public_evidence import PublicEvidence
from autograder.student.relations import relations_of
from autograder.student.session_output import SessionOutput, ShownCell, shown_in
from autograder.student.small_trials import with_smallest
from autograder.student.verdicts import answers, checked, plan, verdicts
from autograder.wire.convert import data_from_wire
from autograder.wire.messages import GIVEN, Figures, Limits, Outcome, Probe

SET_UP, ASK = "autograder-setup", "check-"  # ids of the template's own cells
MAX_BYTES = 50 * 1024**2
_FILE = "__vsc_ipynb_file__"  # a name that VS Code defines
_SESSION = "JPY_SESSION_NAME"  # a variable of Jupyter's server


class Grader:
    """Checks an assignment against its public checks.

    ``public``: the file ID.agw, or its folder, if it is not in one of the usual places.
    ``namespace``: the names to check; in a notebook those of the notebook. Raises ``GraderError``.
    """

    def __init__(
        self,
        assignment: str,
        *,
        public: str | Path | None = None,
        namespace: dict[str, Any] | None = None,
    ) -> None:
        shell = get_ipython()
        if namespace is None:
            namespace = shell.user_ns if shell is not None else vars(sys.modules["__main__"])
        self._namespace: dict[str, Any] = namespace
        given = Path(public) if public is not None else None
        self._file = notebook_file(namespace)
        folder = self._file.parent if self._file is not None else Path.cwd()
        self._folder = folder.resolve()
        self._public = find_public(assignment, given=given, start=self._folder)
        self._journal = Journal(folder, assignment)
        self._relations = relations_of(self._public)
        self._shown = SessionOutput() if shell is None else shown_in(shell)
        self._shown.listens |= self._looks_at_prints()
        if shell is not None:
            register(shell, self)
        self._warn_of_another_version()

    def __repr__(self) -> str:
        return f"Grader({self._public.assignment!r}): {self._public.title}"

    @property
    def exercises(self) -> tuple[str, ...]:
        """The names of all exercises."""
        return tuple(exercise.id for exercise in self._public.exercises)

    def check(self, exercise: str) -> None:
        """Show the results of one exercise. Raises ``GraderError`` for an unknown name."""
        self._known(exercise)
        (found,) = self._checked([exercise], small=True)
        show(checked_card(found))

    def earned(self, exercise: str) -> int | float:
        """Show the results of one exercise, as ``check`` does.

        Returns the points that its public checks earn now. Raises ``GraderError``.
        """
        self._known(exercise)
        (found,) = self._checked([exercise], small=True)
        show(checked_card(found))
        return as_points(found.score)

    def check_all(self) -> None:
        """Show the results of every exercise, one line each."""
        show(table_card(self._checked(self.exercises)))

    def progress(self) -> None:
        """Show the points that the public checks earn now."""
        show(progress_card(self._checked(self.exercises)))

    def data(self, exercise: str) -> Any:
        """A fresh copy of your own values for an exercise, from the file that your course gave you.
        Raises ``GraderError`` if there are none."""
        self._known(exercise)
        name = f"{self._public.assignment}{PERSONAL}"
        found = find_personal(self._public.assignment, self._folder)
        if found is None:
            raise GraderError(
                f"there is no {name} in {self._folder} or above it: put the file that your course "
                "gave you, with your own values, next to the notebook"
            )
        values = dict(found.values)
        if exercise not in values:
            raise GraderError(f"{name} has no values for {exercise!r}; it has {', '.join(values)}")
        return data_from_wire(values[exercise])

    def reveal(self, question: str) -> None:
        """Save a prediction, then show the answer. ``question``: the name of a check, or of an
        exercise for all its predictions. Raises ``GraderError`` for any other name."""
        found = self._predictions(question)
        sentences = [self._revealed(exercise, check) for exercise, check in found]
        title = found[0][1].title if len(found) == 1 else "Predictions"
        show(told_card(title, sentences))

    def belongs(self, exercise: str) -> None:
        """Declare that the running cell belongs to this exercise. Raises ``GraderError``."""
        self._known(exercise)
        self._shown.belongs(exercise)

    def exercise_of(self, source: str) -> str:
        """The exercise whose names a cell defines, or whose template cell it is; "" for none."""
        return self._owner(ShownCell("", source)).replace(GIVEN, "")

    def _checked(self, wanted: Sequence[str], *, small: bool = False) -> tuple[Checked, ...]:
        """The state of these exercises; ``small``: with the smallest calls that go wrong."""
        public, relations = self._public, self._relations
        with self._shown.apart():
            asked = self._asked(public, wanted)
            found = verdicts(public, relations, wanted, asked)
            if small:
                simulated = self._simulated
                found = with_smallest(
                    public, relations, found, asked, self._ask, simulated=simulated
                )
        return checked(public, wanted, found, asked.ended)

    def _asked(self, public: PublicEvidence, wanted: Sequence[str]) -> LiveAnswers:
        """The session's answers about these exercises."""
        simulated = self._simulated
        return answers(public, self._relations, wanted, self._ask, simulated=simulated)

    def _ask(self, probes: Sequence[Probe]) -> LiveAnswers:
        return ask(probes, self._namespace, self._figures, self._limits)

    @property
    def _simulated(self) -> bool:
        torch = sys.modules.get("torch")
        return torch is None or not torch.cuda.is_available()

    @cached_property
    def _limits(self) -> Limits:
        spec = self._public.spec(self.exercises)
        return Limits(**spec.limits.model_dump()) if spec is not None else Limits()

    @cached_property
    def _outline(self) -> Outline:
        return Outline(self._public.outline)

    def _figures(self, request: Figures) -> Outcome:
        return self._shown.answer(request, self._owner)

    def _owner(self, seen: ShownCell) -> str:
        """The exercise that a cell belongs to: by its id, by the names that it defines, by the
        template."""
        if seen.owner or seen.id in self.exercises:
            return seen.owner or seen.id
        if seen.id == SET_UP or seen.id.startswith(ASK) or self._outline.given(seen.source) >= 0:
            return GIVEN
        defined = read_names(seen.source).defined
        count = {e.id: len(defined.intersection(e.defines)) for e in self._public.exercises}
        best = max(count, key=lambda exercise: count[exercise])
        if count[best]:
            return best
        return next((e for e in count if self._outline.is_of(e, seen.source)), "")

    def _known(self, exercise: str) -> None:
        if exercise in self.exercises:
            return
        wrong = str(exercise)
        near = sorted(
            self.exercises,
            key=lambda name: difflib.SequenceMatcher(None, wrong, name).ratio(),
            reverse=True,
        )
        raise GraderError(
            f"there is no exercise {wrong[:80]!r}; the exercises are: {', '.join(near)}"
        )

    def _looks_at_prints(self) -> bool:
        return any(
            isinstance(probe.request, Figures) and probe.request.printed
            for probe in plan(self._public, self.exercises)
        )

    def _warn_of_another_version(self) -> None:
        stamp = stamp_in(self._file) if self._file is not None else None
        released = TemplateStamp(self._public.assignment, self._public.version)
        if stamp is None or stamp.assignment != released.assignment:
            return
        said = [*template_notes(stamp, assignment=stamp.assignment, released=released)]
        if said:
            show(told_card("The notebook and its checks do not match", said))

    def _predictions(self, question: str) -> list[tuple[str, PredictionCheck]]:
        spec = self._public.spec(self.exercises)
        every = [
            (exercise.id, check)
            for exercise in (spec.exercise if spec is not None else ())
            for check in exercise.check
            if isinstance(check, PredictionCheck)
        ]
        found = [(e, c) for e, c in every if question in (e, c.id, f"{e}/{c.id}")]
        if not found:
            names = ", ".join(dict.fromkeys(check.id for _, check in every)) or "none"
            raise GraderError(
                f"there is no prediction {str(question)[:80]!r}; the predictions are: {names}"
            )
        return found

    def _revealed(self, exercise: str, check: PredictionCheck) -> str:
        """The text shown for a prediction; without one, nothing about the answer."""
        name = f"{exercise}/{check.id}"
        (probe,) = probes_of(check, exercise, {})
        asked = self._ask([probe])
        record = asked.run.probe(probe.id)
        claim = record.claim if record is not None else None
        prediction = chosen(check, claim.value) if claim is not None else None
        first = self._journal.first(name)
        if first is not None:
            return told(check, first)
        if prediction is None:
            options = " or ".join(map(repr, check.options))
            return f"Predict first: set `{check.name}` to {options}."
        note = ""
        try:
            # A prediction is written before the answer.
            self._journal.write(name, prediction)
        except OSError as failed:
            note = f" (It could not be saved: {failed.strerror}.)"
        return told(check, prediction) + note


def notebook_file(namespace: Mapping[str, Any]) -> Path | None:
    """The notebook's file; None if it is unknown or does not exist."""
    for said in (namespace.get(_FILE), os.environ.get(_SESSION)):
        if isinstance(said, str) and said.endswith(".ipynb"):
            path = Path(said)
            if path.is_file():
                return path
    return None


def stamp_in(path: Path) -> TemplateStamp | None:
    """The stamp of the template that a notebook was made from, where it still has it."""
    try:
        if path.stat().st_size > MAX_BYTES:
            return None
        found = json.loads(path.read_bytes())["metadata"]["autograder"]
        return make_stamp(found.get("assignment"), found.get("version"))
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
