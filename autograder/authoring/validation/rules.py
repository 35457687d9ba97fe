"""What must hold before students see an assignment; each breach is a problem with a fix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from autograder.assignment.kinds import NO_WRONG_ANSWER
from autograder.assignment.load import Loaded
from autograder.assignment.model import Assignment, thousandths
from autograder.authoring.validation.trials import FINE, TrialResult
from autograder.gradebook.grade import as_points
from autograder.reports.validation.model import Problem, Rule, VariantRow, Window
from autograder.reports.validation.rules import percent

ACCEPTED = FINE | {"skipped"}


def problems(loaded: Loaded, tried: Sequence[TrialResult]) -> Iterator[Problem]:
    """Breaches of the rules about variants."""
    solution = next(one.row for one in tried if one.what.sort == "solution")
    for one in tried:
        yield from _lost(one)
        if one.lost:
            continue
        yield from untrue_problems(one)
        match one.what.sort:
            case "solution":
                yield from _solution(one.row)
            case "template":
                yield from _earned(one.row, {})
            case "trivial":
                yield from _earned(one.row, _given(loaded.spec))
            case "mistake":
                also = one.what.variant.also if one.what.variant is not None else ()
                yield from _mistake(one.row, solution, also)
            case "equivalent":
                yield from _equivalent(one.row, solution)
                yield from _small_calls(one)


def untrue_problems(one: TrialResult) -> Iterator[Problem]:
    """Messages that contradict themselves."""
    return (Problem("message", text, one.what.name, check) for check, text in one.untrue)


def _lost(one: TrialResult) -> Iterator[Problem]:
    if one.lost:
        yield Problem("ungraded", f"it could not be run: {one.lost}", one.what.name)
    for said in one.unclear[:3]:  # what cannot be decided is a problem
        check, _, message = said.partition(": ")
        text = f"came out ungraded, which is the grader's or the assignment's fault: {message}"
        yield Problem("ungraded", text, one.what.name, check)


def _solution(row: VariantRow) -> Iterator[Problem]:
    for check in _failed(row):
        text = "the solution does not pass; fix the solution or the check"
        yield Problem("solution", text, row.name, check)


def _given(spec: Assignment) -> Mapping[str, int]:
    """What checks give, in thousandths, for any answer: the points of predictions."""
    return {
        f"{exercise.id}/{check.id}": thousandths(check.points)
        for exercise in spec.exercise
        for check in exercise.check
        if check.kind in NO_WRONG_ANSWER
    }


def _earned(row: VariantRow, given: Mapping[str, int]) -> Iterator[Problem]:
    """A blank template and form without content earn nothing except ``given``."""
    for exercise, total in row.earned.items():
        own = [c for c in row.statuses if c.startswith(f"{exercise}/")]
        passed = [check for check in own if row.statuses[check] == "passed"]
        # A trivial answer may have a prediction's points.
        earned = total - sum(given.get(check, 0) for check in passed)
        if not earned:
            continue
        passed = [check for check in passed if check not in given]
        rule: Rule = "template" if row.sort == "template" else "trivial"
        text = (
            f"{row.title} earns {as_points(earned)} in {exercise} ({', '.join(passed)}): let the "
            "check look at content, or let it need another one (needs = [...])"
        )
        yield Problem(rule, text, row.name, passed[0] if passed else "")


def _mistake(row: VariantRow, solution: VariantRow, also: Sequence[str]) -> Iterator[Problem]:
    lost = {e for e, points in solution.earned.items() if row.earned.get(e, 0) < points}
    if row.exercise not in lost:
        text = f"no check of {row.exercise} notices it: add one, or input that shows it"
        yield Problem("missed", text, row.name)
    asked = {check.partition("/")[0] for check in row.statuses}
    for other in sorted((lost & asked) - {row.exercise, *also}):
        checks = [c for c in _failed(row) if c.startswith(f"{other}/")]
        text = (
            f"it costs points in {other} as well ({', '.join(checks)}): judge that exercise by the "
            f"student's own earlier part, or declare it with '# also: {other}'"
        )
        yield Problem("elsewhere", text, row.name, checks[0] if checks else "")


def _equivalent(row: VariantRow, solution: VariantRow) -> Iterator[Problem]:
    for check in _failed(row):
        if solution.statuses.get(check) in ACCEPTED:
            text = f"a right answer ({row.title}) does not pass: loosen the check or its tolerance"
            yield Problem("unfair", text, row.name, check)


def _small_calls(one: TrialResult) -> Iterator[Problem]:
    for check, fault in one.small:
        text = (
            f"a right answer ({one.row.title}) fails a small call, which wrong answers may be "
            f"shown: {fault}"
        )
        yield Problem("small call", text, one.what.name, check)


def _failed(row: VariantRow) -> list[str]:
    return [check for check, status in row.statuses.items() if status not in ACCEPTED]


def idle_problems(
    spec: Assignment, tried: Sequence[TrialResult], left_out: frozenset[str]
) -> Iterator[Problem]:
    """Checks that neither a known mistake nor a mutant fails. ``left_out``: exercises that this box
    lacks."""
    rows = [one.row for one in tried if one.what.sort in ("mistake", "mutant")]
    failed = {
        check
        for row in rows
        for check, status in row.statuses.items()
        if status in ("failed", "raised", "broken", "missing", "stopped")
    }
    for exercise in spec.exercise:
        for check in exercise.check:
            name = f"{exercise.id}/{check.id}"
            free = check.kind in NO_WRONG_ANSWER
            if not free and exercise.id not in left_out and name not in failed:
                text = "nothing fails it: write a mistake that it is meant to catch, or drop it"
                yield Problem("idle", text, check=name)


def killed(one: TrialResult, solution: VariantRow) -> bool:
    """Whether a mutant lost points, or could not be used at all."""
    exercise = one.what.exercise
    return bool(one.lost) or one.row.earned.get(exercise, 0) < solution.earned.get(exercise, 0)


def kill_problem(kills: int, of: int, floor: float) -> Iterator[Problem]:
    """A problem if the kill rate is below the assignment's floor."""
    if of and kills / of < floor:
        text = (
            f"{kills} of {of} mutants lose points ({percent(kills / of)}), below the required "
            f"{percent(floor)}: the survivors show what no check tests"
        )
        yield Problem("kill rate", text)


def orphan_problems(explained: Iterable[str], mutants: Iterable[str]) -> Iterator[Problem]:
    """Explanations of mutants that no longer exist, because their line has changed."""
    for name in sorted({*explained} - {*mutants}):
        text = f"survivors.toml explains {name}, which is not a mutant of the solution"
        yield Problem("survivor", text, name)


def window_problems(
    windows: Sequence[Window], missing: frozenset[str], *, measuring: bool
) -> Iterator[Problem]:
    """Tolerances outside their window, and measured ones that were never measured."""
    for window in windows:
        if window.check in missing:
            if not measuring:
                text = 'tolerance = "measured", but nothing is stored: run with --measure'
                yield Problem("tolerance", text, check=window.check)
            continue
        tightest = max(window.right, key=lambda d: d.size, default=None)
        nearest = min(window.wrong, key=lambda d: d.size, default=None)
        if tightest is not None and not tightest.size <= window.atol:
            text = (
                f"the tolerance {window.atol:.2g} is below what right answers need "
                f"({tightest.size:.2g}, {tightest.variant})"
            )
            yield Problem("tolerance", text, tightest.variant, window.check)
        if nearest is not None and not window.atol < nearest.size:
            text = (
                f"the tolerance {window.atol:.2g} lets a wrong answer pass, which is off by "
                f"{nearest.size:.2g} ({nearest.variant})"
            )
            yield Problem("tolerance", text, nearest.variant, window.check)


def diagnosis_problems(counts: Mapping[str, int]) -> Iterator[Problem]:
    """A problem if any mistake has a wrong name, which is worse than none."""
    if counts.get("wrong"):
        text = f"{counts['wrong']} known mistakes are named as another one"
        yield Problem("diagnosis", text)
