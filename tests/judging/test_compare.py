"""Comparison of wire values: what agrees, what differs, and how the difference is told."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import pytest
import torch

from autograder.assignment.kinds import Tolerance
from autograder.judging.checks.arrays import default_bounds, numeric
from autograder.judging.checks.compare import MAX_MISMATCHES, Rules, comparable, compare
from autograder.judging.checks.explain import call_text, difference, position, raised, sentence
from autograder.judging.verdict import Mismatch
from autograder.wire.messages import Error
from autograder.wire.tensors import to_wire
from autograder.wire.values import Array, Items, Mapping, Opaque, Whole
from tests.support.effort import costs_at_most
from tests.support.tables import evaluated, table_beside

NAN, INF = math.nan, math.inf
F32, F64, I64 = torch.float32, torch.float64, torch.int64


def tensor(*values: Any, dtype: torch.dtype = F32) -> torch.Tensor:
    return torch.tensor(list(values), dtype=dtype)


def tolerance(rtol: float, atol: float) -> Tolerance:
    return Tolerance(rtol=rtol, atol=atol, why="stated by this test")


def diff(actual: Any, expected: Any, **rules: Any) -> tuple[Mismatch, ...]:
    return compare(to_wire(actual), to_wire(expected), where="x", rules=Rules(**rules))


def kinds(actual: Any, expected: Any, **rules: Any) -> list[str]:
    return [mismatch.kind for mismatch in diff(actual, expected, **rules)]


BIG = 2**53
TABLES = table_beside(__file__)
AGREE, DIFFER = TABLES["agree"], TABLES["differ"]  # expressions: actual, expected, rules


def compared(row: str) -> tuple[Any, Any, dict[str, Any]]:
    actual, expected, *rules = evaluated(row, globals() | {"np": np})
    return actual, expected, dict(*rules)


@pytest.mark.parametrize("name", AGREE)
def test_these_agree(name: str) -> None:
    actual, expected, rules = compared(AGREE[name])
    assert diff(actual, expected, **rules) == ()


@pytest.mark.parametrize(
    ("name", "found"), [(name, found) for found, rows in DIFFER.items() for name in rows]
)
def test_these_differ(name: str, found: str) -> None:
    actual, expected, rules = compared(DIFFER[found][name])
    told = diff(actual, expected, **rules)
    assert [mismatch.kind for mismatch in told] == found.split()
    assert all(sentence(mismatch).endswith(".") for mismatch in told)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16", "float32", "float64", "complex64"])
def test_default_bounds_are_those_of_torch_testing(dtype: str) -> None:
    bounds = default_bounds(dtype, dtype)
    table = {"complex64": "float32"}.get(dtype, dtype)
    rtol, atol = torch.testing._comparison.default_tolerances(getattr(torch, table))
    assert (bounds.rtol, bounds.atol) == (rtol, atol)


def test_two_dtypes_get_the_looser_bounds_and_integers_none() -> None:
    assert default_bounds("float64", "float16") == default_bounds("float16", "float16")
    assert default_bounds("int64", "int32") == (0, 0)


@pytest.mark.parametrize("half", ["float16", "bfloat16"])
def test_half_precision_that_the_reference_has_not_is_no_excuse(half: str) -> None:
    assert default_bounds(half, "float32") == default_bounds("float32", "float32")
    assert default_bounds("float32", half) == default_bounds(half, half)
    rounded = tensor(0.1, dtype=getattr(torch, half))
    assert kinds(rounded, tensor(0.1)) == ["value"]


def test_a_difference_is_counted_and_placed() -> None:
    expected = torch.zeros(4, 5)
    actual = expected.clone()
    actual[3, 2], actual[0, 1], actual[1, 1], actual[2, 2] = 0.75, -0.5, NAN, INF
    expected[0, 1] = 0.5
    (found,) = diff(actual, expected)
    assert found.numbers is not None
    numbers = found.numbers
    assert (numbers.wrong, numbers.total, numbers.non_finite) == (4, 20, 2)
    assert (numbers.max_abs, numbers.max_rel, numbers.at) == (1.0, 2.0, (0, 1))
    assert (found.expected, found.actual, found.where) == ("0.5", "-0.5", "x")


def test_a_reference_of_zero_has_no_relative_error() -> None:
    (found,) = diff(tensor(5, 3), tensor(0, 2))
    assert found.numbers is not None and found.numbers.max_rel == 0.5


def test_maxima_stay_finite_numbers() -> None:
    (found,) = diff(tensor(-1e308, 1, dtype=F64), tensor(1e308, 0, dtype=F64))
    assert found.numbers is not None
    assert math.isfinite(found.numbers.max_abs) and math.isfinite(found.numbers.max_rel)


def test_without_a_finite_difference_the_first_wrong_element_is_told() -> None:
    (found,) = diff(tensor(1, NAN, NAN), tensor(1, 2, 3))
    assert found.numbers is not None
    assert (found.numbers.at, found.actual, found.numbers.non_finite) == ((1,), "nan", 2)
    assert "2 of 3 numbers differ (2 not finite); the first at [1]" in difference(found)


def test_numbers_are_told_with_the_digits_that_tell_them_apart() -> None:
    (found,) = diff(38_400_001, 38_400_000, number=True)
    assert sentence(found) == "`x`: expected 38400000, got 38400001."
    (close,) = diff(1.00000001, 1.0, tolerance=tolerance(0, 0))
    assert (close.expected, close.actual) == ("1", "1.00000001")


def test_a_number_is_measured_too() -> None:
    (found,) = diff(38_400_768, 38_400_000, number=True)
    assert found.numbers is not None and found.numbers.max_abs == 768


def test_lists_of_numbers_are_measured_whole_and_lists_of_tensors_one_by_one() -> None:
    (whole,) = diff([[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.0], [3.0, 5.0]])
    assert whole.path == () and whole.numbers is not None and whole.numbers.total == 4
    (single,) = diff([[tensor(1), tensor(2)]], [[tensor(1), tensor(3)]])
    assert single.path == (0, 1)


SENTENCES = [(row["compared"], row["said"]) for row in TABLES["sentences"]] + [
    (f'"{"a" * size}", "b"', f"`x`: expected the text 'b', got the text '{'a' * 60}'{rest}.")
    for size, rest in ((60, ""), (100, "…"))
]


@pytest.mark.parametrize("row, text", SENTENCES)
def test_mismatches_are_told_in_plain_sentences(row: str, text: str) -> None:
    actual, expected, rules = compared(row)
    (found,) = diff(actual, expected, **rules)
    assert sentence(found) == text


def test_only_a_number_is_asked_for_where_only_a_number_counts() -> None:
    (found,) = diff("3", 3, number=True)
    assert sentence(found) == "`x`: it is the text '3'; expected a number."


@pytest.mark.parametrize(
    "error, text",
    [
        (Error(("ValueError",), "no\n good", 3, "f( x)"), "ValueError: no good (line 3: `f( x)`)"),
        (Error(("ValueError",), "no", 0, "f(x)"), "ValueError: no"),
        (Error(("ValueError",), "no", 1, "f(x)"), "ValueError: no (line 1: `f(x)`)"),
        (Error(("ValueError",), "no", 3, " "), "ValueError: no"),
        (Error(("ValueError",), " "), "ValueError"),
        (Error((), "no"), "an exception: no"),
        (Error(("E",), "x" * 400), "E: " + "x" * 299 + "…"),
    ],
)
def test_exceptions_are_told_on_one_line(error: Error, text: str) -> None:
    assert raised(error) == text


def test_arguments_are_counted_in_words() -> None:
    assert [position(n) for n in (0, 5, 6, -1)] == ["first", "sixth", "number 7", "number 0"]


def test_short_containers_are_shown_and_long_ones_cut() -> None:
    assert call_text("f", (to_wire([1] * 8),)) == "f([1, 1, 1, 1, 1, 1, 1, 1])"
    assert (
        call_text("f", (to_wire((1,) * 9), to_wire({2}))) == "f((1, 1, 1, 1, 1, 1, 1, 1, 1), {2})"
    )


def test_paths_lead_into_containers() -> None:
    (found,) = diff({"a": [tensor(1), tensor(2)]}, {"a": [tensor(1), tensor(3)]})
    assert found.path == ("a", 1)
    assert sentence(found) == "`x`['a'][1]: expected 3, got 2."


def test_a_forgotten_return_is_hinted_at() -> None:
    def told(actual: Any, expected: Any, where: str) -> str:
        (found,) = compare(to_wire(actual), to_wire(expected), where=where)
        return sentence(found)

    assert "`return`" in told(None, tensor(1), "result of call 1")
    assert "`return`" not in told(None, tensor(1), "x")
    assert "`return`" not in told("a", tensor(1), "result of call 1")
    assert "`return`" not in told([None, "a"], [1, "a"], "result of call 1")


def test_many_mismatches_are_bounded() -> None:
    assert len(diff([("a", 1)] * 1000, [("b", 2)] * 1000)) == MAX_MISMATCHES


def test_an_oversize_claim_is_a_shape_and_its_numbers_are_not_touched() -> None:
    huge = Array("float32", (4_000_000, 4), bytes(64_000_000))
    with costs_at_most(0.02):
        (found,) = compare(huge, to_wire(torch.ones(4, 4)), where="x")
        assert found.kind == "shape"


@pytest.mark.parametrize(
    "lie",
    [
        Array("float32", (4,), b"1234"),
        Array("float32", (2**40, 2**40, 0), b""),
        Array("float8", (1,), b"1"),
    ],
)
def test_an_array_that_lies_about_itself_is_no_number(lie: Array) -> None:
    assert [m.kind for m in compare(lie, to_wire(torch.ones(4)), where="x")] == ["type"]
    assert [m.kind for m in compare(lie, 1, where="x", rules=Rules(number=True))] == ["type"]


def test_an_opaque_value_agrees_with_nothing_even_itself() -> None:
    same = Opaque("Foo", "<Foo>")
    assert [m.kind for m in compare(same, same, where="x")] == ["type"]
    assert not comparable(Items("list", (1, same)))
    assert not comparable(Mapping((("a", same),)))
    assert not comparable(Mapping(((same, "a"),)))
    assert comparable(to_wire([1, {"a": torch.ones(2)}]))


def test_an_integer_beyond_64_bits_in_a_list_is_compared_exactly() -> None:
    one, other = Items("list", (1, Whole(str(2**70)))), Items("list", (1, Whole(str(2**70 + 1))))
    assert compare(one, one, where="x") == ()
    assert [m.path for m in compare(one, other, where="x")] == [(1,)]
    assert compare(2**63, Whole(str(2**63)), where="x") == ()


def test_equal_bytes_are_accepted_without_a_look_at_the_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "autograder.judging.checks.compare.numeric", lambda value: pytest.fail("a look")
    )
    assert compare(*(Array("float32", (4,), bytes(16)) for _ in range(2)), where="x") == ()


def test_equal_bytes_of_another_dtype_are_not_equal() -> None:
    data = struct.pack("<i", 1)
    assert compare(Array("int32", (1,), data), Array("float32", (1,), data), where="x")


def test_bfloat16_is_read_as_its_numbers() -> None:
    found = numeric(to_wire(tensor(1.5, -2, dtype=torch.bfloat16)))
    assert found is not None
    assert found.numbers.tolist() == [1.5, -2.0]


def test_a_close_long_table_costs_little() -> None:
    expected = torch.linspace(-1, 1, 640_000).reshape(10_000, 64)
    one, other = to_wire(expected + 1e-7), to_wire(expected)
    with costs_at_most(0.3):
        assert compare(one, other, where="x") == ()
