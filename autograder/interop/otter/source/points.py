"""The points of each case of each question: otter's rules, in thousandths.

Shares that are not whole thousandths (thirds) are rounded by largest remainder, first over the
questions and then within each, so that every total is exact. A list of points replaces those of the
cases. The cases without points share the remainder of a total. Without a total they earn nothing,
unless no case has points above 0: then they share one point.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction

from autograder.errors import SpecError
from autograder.interop.otter.source.model import Question, ScoredQuestion, SourceFault

POINT = 1000  # thousandths
HIGHEST = 10_000  # points of one check
_NONE = Fraction(0)


def case_shares(question: Question) -> tuple[Fraction, ...]:
    """The points of each case by otter's rules; raises SourceFault."""
    given = [case.points for case in question.cases]
    total = question.points
    if isinstance(total, tuple):
        if len(total) != len(given):
            raise SourceFault(
                0,
                f"'points' lists {len(total)} numbers, but there are {len(given)} cases; give "
                "one number for each case, or one for the whole question",
            )
        given, total = list(total), None
    said = sum((points for points in given if points is not None), start=_NONE)
    silent = given.count(None)
    if total is None:
        left = Fraction(1) if not any(given) else _NONE
    elif said > total:
        raise SourceFault(
            0,
            f"its cases have {plain(said)} points in total, more than the {plain(total)} of "
            "the question",
        )
    else:
        left = total - said
    share = left / silent if silent else _NONE
    return tuple(share if points is None else points for points in given)


def scored(
    questions: Sequence[Question], possible: Decimal | None, place: str, told: list[str]
) -> tuple[ScoredQuestion, ...]:
    """Every question with its thousandths, scaled to ``possible`` points in total if that is given.

    The last case of an all-or-nothing question has all its points. Scaling and rounding are
    noted in ``told``. Raises SpecError with every problem.
    """
    problems = _doubles(questions)
    shares = []
    for question in questions:
        try:
            shares.append(case_shares(question))
        except SourceFault as bad:
            problems.append(bad.at(question.place))
    kept = [question for question in questions if question.cases]
    empty = [question.place for question in questions if not question.cases]
    told += [f"{name}: it has no cases and is not imported." for name in empty]
    if not problems and not kept:
        problems.append(f"{place}: there is no test in it, so there is nothing to grade")
    if problems:
        raise SpecError(problems)
    whole = sum((sum(share, start=_NONE) for share in shares), start=_NONE)
    scale = Fraction(1)
    if possible is not None and Fraction(possible) != whole:
        if not whole:
            raise SpecError([f"{place}: points_possible is given, but no case earns anything"])
        scale = Fraction(possible) / whole
        told.append(
            f"Points are scaled from {plain(whole)} to points_possible = {possible:g}; otter "
            "scales the sum only, so its questions show the unscaled points."
        )
    shares = [tuple(part * scale * POINT for part in share) for share in shares if share]
    if any(part.denominator > 1 for share in shares for part in share):
        told.append("Points are rounded to thousandths, so that every total is exact.")
    totals = rounded([sum(share, start=_NONE) for share in shares])
    made = [_scored(*each) for each in zip(kept, shares, totals, strict=True)]
    high = [one.question.place for one in made if max(one.points) > HIGHEST * POINT]
    if high:
        raise SpecError([f"{name}: a case has more than {HIGHEST:,} points" for name in high])
    return tuple(made)


def _scored(question: Question, shares: Sequence[Fraction], total: int) -> ScoredQuestion:
    own = sum(shares, start=_NONE)
    if question.all_or_nothing:
        return ScoredQuestion(question, (*(0 for _ in shares[1:]), total))
    return ScoredQuestion(
        question, tuple(rounded([part * total / own if own else own for part in shares]))
    )


def _doubles(questions: Sequence[Question]) -> list[str]:
    titles = Counter(question.title for question in questions)
    return [
        f"{question.place}: another test has the name {question.title!r} too, and otter counts "
        "only one of them; give each its own name"
        for question in questions
        if titles[question.title] > 1
    ]


def rounded(parts: Sequence[Fraction]) -> list[int]:
    """Integers whose sum is the rounded sum of ``parts``: the largest remainders are rounded up."""
    made = [int(part) for part in parts]  # none is negative
    wanted = int(sum(parts, start=_NONE) + Fraction(1, 2))
    order = sorted(range(len(parts)), key=lambda place: made[place] - parts[place])
    for place in order[: wanted - sum(made)]:
        made[place] += 1
    return made


def plain(points: Fraction) -> str:
    """Points for a message."""
    return f"{float(points):g}"
