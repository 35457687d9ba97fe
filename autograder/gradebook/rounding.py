"""The rule by which points are rounded in every output: half up, in integer arithmetic.

Internally points are integers, in thousandths. A writer chooses the number of decimals, at most
three. Halves are rounded away from zero: with two decimals 0.005 becomes 0.01 and -0.005 becomes
-0.01. No floating-point number is involved. Trailing zeros are dropped; the decimal point is ".".
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

DECIMALS = 2  # what every platform reads; Canvas compares no more
_HELD = 3  # decimals of a thousandth


def rounded(amount: int, *, decimals: int = DECIMALS) -> int:
    """Thousandths as a whole number of the smallest units kept: hundredths for two decimals.

    Raises ``ValueError`` for decimals outside 0 to 3.
    """
    if not 0 <= decimals <= _HELD:
        raise ValueError(f"{decimals} decimals: points have 0 to {_HELD}")
    return quotient(amount, 10 ** (_HELD - decimals))


def written(amount: int | None, *, decimals: int = DECIMALS) -> str:
    """Thousandths as text such as ``8.5``; "" for a score that does not exist."""
    return "" if amount is None else _decimal(rounded(amount, decimals=decimals), decimals)


def written_points(thousandths: int) -> str:
    """Rounded thousandths with their unit: ``1 point``, ``2.5 points``."""
    text = written(thousandths)
    return f"{text} point" if text == "1" else f"{text} points"


def number(amount: int, *, decimals: int = DECIMALS) -> int | float:
    """Thousandths as a number for JSON or a spreadsheet: an integer where it is one."""
    units = rounded(amount, decimals=decimals)
    one = int(10**decimals)
    return units / one if units % one else units // one


def ratio(part: int | None, whole: int, *, decimals: int = 4) -> str:
    """``part / whole`` as text, such as ``0.75``; "" if either is missing or ``whole`` is zero."""
    if part is None or whole <= 0:
        return ""
    return _decimal(quotient(part * 10**decimals, whole), decimals)


def spread(amounts: Sequence[int], *, decimals: int = DECIMALS) -> tuple[int, ...]:
    """The amounts, in thousandths, rounded so that they add up to their rounded sum.

    Each changes by less than one unit of the last decimal.
    """
    size, sums, total = 10 ** (_HELD - decimals), [0], 0
    for amount in amounts:
        total += amount
        sums.append(rounded(total, decimals=decimals))
    return tuple((after - before) * size for before, after in pairwise(sums))


def quotient(part: int, whole: int) -> int:
    """``part / whole`` as an integer, halves rounded away from zero."""
    # Points are rounded half up and not to even.
    size = (2 * abs(part) + whole) // (2 * whole)
    return -size if part < 0 else size


def _decimal(units: int, decimals: int) -> str:
    whole, rest = divmod(abs(units), 10**decimals)
    tail = f".{rest:0{decimals}d}".rstrip("0") if rest else ""
    return f"{'-' if units < 0 else ''}{whole}{tail}"
