"""Which lines ran in every small call that goes wrong, and in no other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from msgspec.structs import replace

from autograder.judging.checks.finding import PASSED, Finding
from autograder.judging.diagnosis.case_trial import CaseOutcome, CaseTrial
from autograder.judging.diagnosis.smallest import MOST, Lines, lines_apart
from autograder.judging.verdict import RanLine, Status
from autograder.wire.messages import Call, Probe
from tests.support.made_trials import EXERCISE, check, ret, run

FUNCTION = check("function", call="f", inputs="numbers")
FAILED, SKIPPED = Finding(Status.FAILED), Finding(Status.SKIPPED)


def found(*trials: tuple[Finding, Sequence[Sequence[tuple[int, int]]]]) -> tuple[RanLine, ...]:
    """For trials given by what the check finds and the lines that ran in each of their calls."""
    outcomes, records = [], {}
    for number, (finding, calls) in enumerate(trials):
        probes = []
        for place, lines in enumerate(calls):
            name = f"{number}/{place}"
            records[name] = replace(ret(1), lines=tuple(lines))
            probes.append(Probe(f"{EXERCISE}/{name}", EXERCISE, Call(EXERCISE, "f", ())))
        outcomes.append(CaseOutcome(CaseTrial(FUNCTION, (), {}, tuple(probes), {}), finding))
    return lines_apart(outcomes, run(records))


def test_it_is_what_ran_in_every_wrong_trial_and_in_no_right_one() -> None:
    rng = np.random.default_rng(3)
    some = 0
    for _ in range(200):
        trials = [
            (
                (PASSED, FAILED)[rng.integers(2)],
                [
                    [(1, 1), *((1, int(n)) for n in rng.integers(2, 9, size=rng.integers(0, 5)))]
                    for _ in range(rng.integers(1, 3))
                ],
            )
            for _ in range(rng.integers(1, 5))
        ]
        ran = [(finding, {line for call in calls for line in call}) for finding, calls in trials]
        both = {finding.status for finding, _ in ran} == {Status.PASSED, Status.FAILED}
        expected = [
            RanLine(1, n)
            for n in range(1, 9)
            if both and all(((1, n) in lines) == (finding is FAILED) for finding, lines in ran)
        ]
        assert list(found(*trials)) == expected
        some += bool(expected)
    assert some > 20


BRANCH = (FAILED, [[(3, 1), (3, 2)]])
PLAIN: tuple[Finding, list[Lines]] = (PASSED, [frozenset({(3, 1)})])


@pytest.mark.parametrize(
    "other",
    [
        (PASSED, [[]]),  # not traced
        (PASSED, [[(3, 1)], []]),  # one call of two
        (FAILED, [[]]),
        (FAILED, [[(3, 1), (3, 2)], []]),
    ],
)
def test_a_call_of_which_nothing_is_known_leaves_nothing_to_say(
    other: tuple[Finding, list[list[tuple[int, int]]]],
) -> None:
    assert found(BRANCH, PLAIN) == (RanLine(3, 2),)
    assert found(BRANCH, PLAIN, other) == ()


def test_a_call_that_is_neither_right_nor_wrong_does_not_count() -> None:
    assert found(BRANCH, PLAIN, (SKIPPED, [[(3, 2)]])) == (RanLine(3, 2),)
    assert found(BRANCH, (SKIPPED, [[(3, 1)]])) == ()


def test_many_lines_say_nothing() -> None:
    def wrong(lines: int) -> tuple[Finding, list[list[tuple[int, int]]]]:
        return FAILED, [[(3, 10 + number) for number in range(lines)]]

    assert len(found(wrong(MOST), PLAIN)) == MOST
    assert found(wrong(MOST + 1), PLAIN) == ()
