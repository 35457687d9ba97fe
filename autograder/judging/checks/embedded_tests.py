"""Tests of other tools: doctest's examples, test functions, test cells, manually graded cells.

Covered: the expected output of examples is compared here, on the trusted side, as doctest does.
Not covered: a test function or a test cell decides inside the box; that nothing was raised there
is a claim by a process that the student's code has run in.
"""

from __future__ import annotations

import doctest
import math
import re

from autograder.assignment.kinds import (
    AnswerCellCheck,
    DoctestExample,
    ExamplesCheck,
    FunctionTestCheck,
    TestCellCheck,
)
from autograder.assignment.model import POINT, thousandths
from autograder.judging.checks.claims import answer
from autograder.judging.checks.explain import texts_apart
from autograder.judging.checks.finding import PASSED, Cases, Finding, Trial
from autograder.judging.verdict import Mismatch, Status
from autograder.wire.messages import Error, GivenText, Outcome, Probe, Test
from autograder.wire.values import Items

MAX_SHOWN = 1500  # characters of one side of a difference
_KIND = re.compile(r"^([\w.]+)(?::|$)")  # the type in the last line of an exception


def _id(exercise: str, check: str) -> str:
    return f"{exercise}/test/{check}"


def example_probes(check: ExamplesCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """The code of the examples, without what they should print."""
    sources = tuple(example.code for example in check.examples if not flags(example) & doctest.SKIP)
    request = Test(exercise, "examples", sources, hidden=not check.public)
    return (Probe(_id(exercise, check.id), exercise, request),)


def function_probes(check: FunctionTestCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """The file of tests, and which function of it."""
    request = Test(exercise, "function", (check.code,), check.function, hidden=not check.public)
    return (Probe(_id(exercise, check.id), exercise, request),)


def cell_probes(check: TestCellCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """The cell of tests."""
    shown = "" if check.public else check.shown
    request = Test(exercise, "cell", (check.code,), hidden=not check.public, shown=shown)
    return (Probe(_id(exercise, check.id), exercise, request),)


def answer_probes(check: AnswerCellCheck, exercise: str, cases: Cases) -> tuple[Probe, ...]:
    """The text of the cell, which is filled in where the submission is available."""
    return (Probe(_id(exercise, check.id), exercise, GivenText(None)),)


def flags(example: DoctestExample) -> int:
    """doctest's option flags of an example, as a number."""
    on = (name.lstrip("+") for name in example.options if not name.startswith("-"))
    return sum(doctest.OPTIONFLAGS_BY_NAME.get(name, 0) for name in dict.fromkeys(on))


def examine_examples(check: ExamplesCheck, trial: Trial) -> Finding:
    """The first example that printed something else; PASSED when none did."""
    (probe,) = example_probes(check, trial.exercise, trial.cases)
    claim = answer(trial.actual, probe)
    if isinstance(claim, Finding):
        return claim
    run = [example for example in check.examples if not flags(example) & doctest.SKIP]
    said = claim.value.items if isinstance(claim.value, Items) else ()
    if len(said) != len(run):
        return Finding(Status.FAILED, message="The test returned the wrong number of results.")
    for one, told in zip(run, said, strict=True):
        pair = told.items if isinstance(told, Items) and len(told.items) == 2 else ("", "")
        printed, error = (part if isinstance(part, str) else None for part in pair)
        wrong = _compared(one, printed or "", error)
        if wrong is not None:
            return wrong
    return _well(check.done_well)


def _compared(example: DoctestExample, printed: str, error: str | None) -> Finding | None:
    same = doctest.OutputChecker().check_output
    asked = f"`{_short(example.code.strip())}`"
    if error is not None and not example.raises:
        said = f"{asked} raised {_short(error.strip())}."
        return Finding(Status.RAISED, message=said, unbound=error.startswith("NameError:"))
    if example.raises:
        if error is None:
            said = f"{asked} did not raise an exception; expected {_short(example.raises.strip())}."
            return Finding(Status.FAILED, message=said)
        wanted, got, mask = example.raises, error, flags(example)
        if mask & doctest.IGNORE_EXCEPTION_DETAIL:
            wanted, got = _type_alone(wanted), _type_alone(got)
        if same(wanted, got, mask):
            return None
        return _differs(asked, wanted, got)
    if same(example.shows, printed, flags(example)):
        return None
    return _differs(asked, example.shows, printed)


def _type_alone(line: str) -> str:
    found = _KIND.match(line)
    return (found[1].rpartition(".")[2] if found else line.strip()) + "\n"


def _differs(asked: str, wanted: str, got: str) -> Finding:
    expected, actual = _short(wanted.strip()) or "nothing", _short(got.strip()) or "nothing"
    if expected == actual:  # they differ in blanks at the ends, or after the part that is shown
        expected, actual = texts_apart(wanted, got)
    found = Mismatch(asked.strip("`"), "value", expected, actual)
    message = f"{asked} shows `{actual}`; expected `{expected}`."
    return Finding(Status.FAILED, (found,), message)


def examine_function(check: FunctionTestCheck, trial: Trial) -> Finding:
    """PASSED if the function raised nothing."""
    (probe,) = function_probes(check, trial.exercise, trial.cases)
    claim = answer(trial.actual, probe)
    if isinstance(claim, Finding):
        return claim
    return _well(check.done_well) if claim.status == "returned" else _raised(claim.error)


def examine_cell(check: TestCellCheck, trial: Trial) -> Finding:
    """PASSED, or the score that the cell shows, decided as nbgrader does except for warnings."""
    (probe,) = cell_probes(check, trial.exercise, trial.cases)
    claim = answer(trial.actual, probe)
    if isinstance(claim, Finding):
        return claim
    shown = _outputs(claim)
    if check.stderr_fails and any(kind == "stderr" for kind, _ in shown):
        return Finding(Status.FAILED, message="The tests wrote to stderr.")
    if claim.status != "returned":
        return _raised(claim.error)
    for kind, text in shown:
        if kind == "result":
            return _partial(text, thousandths(check.points))
    return PASSED


def _outputs(claim: Outcome) -> list[tuple[str, str]]:
    items = claim.value.items if isinstance(claim.value, Items) else ()
    pairs = [item.items for item in items if isinstance(item, Items) and len(item.items) == 2]
    return [(str(kind), str(text)) for kind, text in pairs]


def _partial(text: str, worth: int) -> Finding:
    """The thousandths for a number that a test cell shows; for anything else, all of them."""
    try:
        number = float(text.strip())
    except ValueError:
        return PASSED
    earned = round(number * POINT) if math.isfinite(number) else worth + 1
    if earned > worth:  # a test cell earns no more than it is worth
        said = f"The tests gave {text.strip()[:40]}, which is not a possible score for this cell."
        return Finding(Status.UNGRADED, message=said)
    if earned < 0 or earned == worth:
        return PASSED
    said = f"Score given by the tests: {text.strip()[:40]} of {worth / POINT:g}."
    return Finding(Status.FAILED, message=said, earned=earned)


def examine_answer(check: AnswerCellCheck, trial: Trial) -> Finding:
    """MANUAL when the cell was changed, MISSING when it was not or is not there."""
    (probe,) = answer_probes(check, trial.exercise, trial.cases)
    claim = answer(trial.actual, probe)
    if isinstance(claim, Finding):
        if claim.status is Status.MISSING and check.always:
            return Finding(Status.MANUAL, message="Waiting to be graded by hand.")
        return claim
    text = claim.value if isinstance(claim.value, str) else ""
    if text.strip() == check.unchanged.strip() and not check.always:
        return Finding(Status.BLANK, message="The cell has no answer yet.")
    return Finding(Status.MANUAL, message="Waiting to be graded by hand.")


def _raised(error: Error | None) -> Finding:
    name = error.types[0] if error is not None and error.types else "an exception"
    text = _short(error.text.strip()) if error is not None else ""
    if name == "AssertionError":
        line = f"`{error.source}`" if error is not None and error.source else "an assertion"
        said = f"The test failed at {line}{f': {text}' if text else ''}."
        return Finding(Status.FAILED, message=said)
    said = f"The test raised {name}{f': {text}' if text else ''}."
    return Finding(Status.RAISED, message=said, unbound=name == "NameError")


def _well(text: str) -> Finding:
    return Finding(Status.PASSED, message=text) if text else PASSED


def _short(text: str) -> str:
    return text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]} ..."
