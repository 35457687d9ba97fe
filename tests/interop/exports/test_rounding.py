"""The one rounding rule: half up, exact, and text that every platform reads."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal

import pytest

from autograder.gradebook.rounding import number, ratio, rounded, spread, written


@pytest.mark.parametrize("decimals", [0, 1, 2, 3])
def test_as_decimal_arithmetic_does_it(decimals: int) -> None:
    for amount in range(-2_050, 2_050):  # every thousandth, and both signs
        exact = (Decimal(amount) / 1000).quantize(Decimal(10) ** -decimals, ROUND_HALF_UP)
        assert Decimal(written(amount, decimals=decimals)) == exact
        assert Decimal(str(number(amount, decimals=decimals))) == exact
        assert rounded(amount, decimals=decimals) == exact.scaleb(decimals)


TEXTS = {0: "0", -4: "0", 5: "0.01", -5: "-0.01", 4: "0", 1_005: "1.01", 2_675: "2.68"}
TEXTS |= {10_000: "10", 8_500: "8.5", 999_995: "1000", 100_000: "100"}


def test_text() -> None:
    assert {amount: written(amount) for amount in TEXTS} == TEXTS
    assert written(10**18 + 5) == "1000000000000000.01"


def test_a_score_of_nothing_is_not_zero() -> None:
    assert written(None) == "" != written(0)


def test_more_decimals_than_points_have_are_refused() -> None:
    with pytest.raises(ValueError, match="4 decimals"):
        rounded(1, decimals=4)


RATIOS = {(1, 3): "0.3333", (2, 3): "0.6667", (10, 10): "1", (0, 10): "0", (12, 10): "1.2"}
RATIOS |= {(None, 10): "", (0, 0): "", (1, 20_000): "0.0001", (1, 20_001): "0", (5, 8): "0.625"}


def test_ratio() -> None:
    assert {(part, whole): ratio(part, whole) for part, whole in RATIOS} == RATIOS


@pytest.mark.parametrize(
    "amounts", [[333, 333, 334], [1_005] * 7, [5] * 3, [4] * 10, [0, 1, 999], [10_000], []]
)
def test_rounded_parts_add_up_to_the_rounded_sum(amounts: list[int]) -> None:
    parts = spread(amounts)
    assert all(part % 10 == 0 for part in parts)
    assert sum(parts) == rounded(sum(amounts)) * 10
    assert all(abs(part - amount) < 10 for part, amount in zip(parts, amounts, strict=True))
