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
AGREE: dict[str, tuple[Any, ...]] = {  # rules come third where they are not the usual ones
    "the same bytes": (torch.arange(6.0), torch.arange(6.0)),
    "a tensor and an array": (np.arange(6, dtype=np.float32), torch.arange(6.0)),
    "a list and a tensor": ([[1.0, 2.0], [3.0, 4.0]], torch.tensor([[1.0, 2], [3, 4]])),
    "a tensor and a list": (torch.tensor([1.0, 2]), [1.0, 2.0]),
    "a tuple and a list": ((1, 2.0), [1.0, 2]),
    "a list of tensors and a tensor": (
        [tensor(1, 2), tensor(3, 4)],
        torch.tensor([[1.0, 2], [3, 4]]),
    ),
    "a float and a 0-d tensor": (0.5, torch.tensor(0.5)),
    "integers and whole floats": ([1, 2, 3], tensor(1, 2, 3)),
    "float64 against float32 within float32's bounds": (tensor(1 + 1e-6, dtype=F64), tensor(1)),
    "bfloat16 within its bounds": (
        tensor(1.01, dtype=torch.bfloat16),
        tensor(1, dtype=torch.bfloat16),
    ),
    "float16 whose numbers are exact": (tensor(0.5, dtype=torch.float16), tensor(0.5)),
    "float32 against float16": (tensor(0.1), tensor(0.1, dtype=torch.float16)),
    "NaN where the reference has NaN": (tensor(1, NAN), tensor(1, NAN)),
    "NaN in another dtype where the reference has NaN": (tensor(1, NAN, dtype=F64), tensor(1, NAN)),
    "infinities of one sign": (tensor(INF, -INF, dtype=F64), tensor(INF, -INF)),
    "negative zero": (tensor(-0.0), tensor(0.0)),
    "no elements": (torch.zeros(0, 4), torch.zeros(0, 4)),
    "no elements in another container": (np.zeros((0, 4)), torch.zeros(0, 4)),
    "an empty list": ([], ()),
    "leading ones added": (torch.ones(1, 1, 4), torch.ones(4), {"leading_ones": True}),
    "leading ones missing": (torch.ones(4), torch.ones(1, 4), {"leading_ones": True}),
    "a leading one down to 0-d": (torch.tensor(2.0), torch.tensor([[2.0]]), {"leading_ones": True}),
    "the stated dtype": (tensor(1 + 1e-6), tensor(1), {"dtype": "float32"}),
    "the stated dtype in NumPy": (np.ones(3, np.float32), torch.ones(3), {"dtype": "float32"}),
    "large integers": (tensor(BIG + 1, dtype=I64), tensor(BIG + 1, dtype=I64)),
    "int32 and int64": (tensor(7, dtype=torch.int32), tensor(7, dtype=I64)),
    "huge integers": (10**30, 10**30),
    "complex numbers": (
        tensor(1 + 2j, dtype=torch.complex64),
        tensor(1 + 2j, dtype=torch.complex128),
    ),
    "complex NaN where the reference has it": (
        [complex(NAN, 1)],
        tensor(complex(NAN, 1), dtype=torch.complex64),
    ),
    "a list of bfloat16 tensors within their bounds": (
        [torch.tensor(1.01, dtype=torch.bfloat16)],
        tensor(1, dtype=torch.bfloat16),
    ),
    "a number where a dtype is stated for arrays": (0.5, 0.5, {"dtype": "float32"}),
    "exactly at the bound": (tensor(1.5), tensor(1), {"tolerance": tolerance(0, 0.5)}),
    "integers exactly at the bound": ([101], [100], {"tolerance": tolerance(0, 1)}),
    "complex infinities": ([complex(INF, 1)], tensor(complex(INF, 1), dtype=torch.complex64)),
    "texts": ("cat", "cat"),
    "None": (None, None),
    "truth values": (True, np.bool_(True)),
    "truth values in arrays": (np.array([True, False]), torch.tensor([True, False])),
    "dictionaries in another order": ({"a": 1, "b": 2.0}, {"b": 2, "a": 1}),
    "sets": ({"a", "b"}, {"b", "a"}),
    "pairs of text and score": ([("a", 0.5), ("b", 0.25)], [("a", 0.5), ("b", 0.25)]),
    "a stated tolerance": (tensor(1.05), tensor(1), {"tolerance": tolerance(0.1, 0)}),
    "a stated tolerance on integers": (
        tensor(101, dtype=I64),
        tensor(100, dtype=I64),
        {"tolerance": tolerance(0.02, 0)},
    ),
    "number: int": (38_400_000, 38_400_000, {"number": True}),
    "number: float": (38_400_000.0, 38_400_000, {"number": True}),
    "number: 0-d tensor": (torch.tensor(38_400_000), 38_400_000, {"number": True}),
    "number: float32 0-d tensor": (torch.tensor(38_400_000.0), 38_400_000, {"number": True}),
    "number: one element": (np.array([[38_400_000]]), 38_400_000, {"number": True}),
    "number: against a tensor": (0.5, torch.tensor([0.5]), {"number": True}),
    "number: huge": (10**400, 10**400, {"number": True}),
    "number: looser bounds of float32": (1 + 1e-6, torch.tensor(1.0), {"number": True}),
    "number: complex": (1 + 1e-9j, 1 + 0j, {"number": True}),
    "number: an infinity": (INF, torch.tensor(INF), {"number": True}),
    "number: usual float bounds": (0.1 + 0.2, 0.3, {"number": True}),
    "number: stated tolerance": (101.0, 100, {"number": True, "tolerance": tolerance(0.02, 0)}),
    "number: NaN for NaN, exactly": (NAN, NAN, {"number": True, "tolerance": tolerance(0, 0)}),
}


@pytest.mark.parametrize("name", AGREE)
def test_these_agree(name: str) -> None:
    actual, expected, *rules = AGREE[name]
    assert diff(actual, expected, **dict(*rules)) == ()


DIFFER: dict[str, dict[str, tuple[Any, ...]]] = {  # kinds of mismatch -> name -> row
    "value": {
        "a wrong number": (tensor(1, 2), tensor(1, 3)),
        "NaN for a number": (tensor(1, NAN), tensor(1, 2)),
        "NaN for a number under a large tolerance": (
            tensor(NAN),
            tensor(1),
            {"tolerance": tolerance(1, 1e9)},
        ),
        "a number for NaN": (tensor(1, 2), tensor(1, NAN)),
        "all NaN": (torch.full((2, 2), NAN), torch.ones(2, 2)),
        "opposite infinities": (tensor(INF), tensor(-INF)),
        "a finite number for an infinity": (tensor(1e30), tensor(INF)),
        "an infinity for a finite number": (tensor(INF), tensor(1)),
        "an infinity under a large tolerance": (
            tensor(5),
            tensor(INF),
            {"tolerance": tolerance(1, 1)},
        ),
        "complex parts beside an infinity": (
            [complex(INF, 2)],
            tensor(complex(INF, 1), dtype=torch.complex64),
        ),
        "a complex part beside NaN": (
            [complex(NAN, 2)],
            tensor(complex(NAN, 1), dtype=torch.complex64),
        ),
        "a fraction for an integer": (tensor(1.5), tensor(1, dtype=I64)),
        "an integer for a fraction": (tensor(1, dtype=I64), tensor(1.5)),
        "zeros": (torch.zeros(3), torch.full((3,), 1e-3)),
        "another truth value": (True, False),
        "integers that floats cannot tell apart": (
            tensor(BIG, dtype=I64),
            tensor(BIG + 1, dtype=I64),
        ),
        "plain integers that floats cannot tell apart": (BIG, BIG + 1),
        "integers at both ends": (tensor(-(2**63), dtype=I64), tensor(2**63 - 1, dtype=I64)),
        "huge integers": (10**30, 10**30 + 1),
        "other texts": ("cat", "dog"),
        "a small integer for a huge one": (5, 10**30),
        "a small integer for a huge one in a list": ([1, 2], [1, 10**30]),
        "number: complex": (1 + 1j, 1 + 0j, {"number": True}),
        "number: a float that is alike only by rounding": (
            BIG + 1,
            float(BIG),
            {"number": True, "tolerance": tolerance(0, 0)},
        ),
        "number: huge of another sign": (
            -(10**400),
            10**400,
            {"number": True, "tolerance": tolerance(1, 0)},
        ),
        "number: one off": (38_400_001, 38_400_000, {"number": True}),
        "number: one off as a float": (38_400_001.0, 38_400_000, {"number": True}),
        "number: a bias more": (38_400_768.0, 38_400_000, {"number": True}),
        "number: off by less than float64 tells": (float(BIG), BIG + 1, {"number": True}),
        "number: huge": (10**400, 10**400 + 1, {"number": True}),
        "number: infinity for a huge integer": (INF, 10**400, {"number": True}),
        "number: NaN": (NAN, 3, {"number": True}),
        "number: NaN under a tolerance": (NAN, 3, {"number": True, "tolerance": tolerance(1, 1e9)}),
    },
    "shape": {
        "a shape that would broadcast": (torch.ones(1), torch.ones(4, 4)),
        "a number where a table is": (1.0, torch.ones(4, 4)),
        "a table where a number is": (torch.ones(4, 4), 1.0),
        "a row for a column": (torch.ones(1, 4), torch.ones(4, 1)),
        "a leading one that nobody allowed": (torch.ones(1, 4), torch.ones(4)),
        "a trailing one": (torch.ones(4, 1), torch.ones(4), {"leading_ones": True}),
        "a leading one that is none": (torch.ones(2, 4), torch.ones(4), {"leading_ones": True}),
        "other leading axes": (torch.ones(2, 2), torch.ones(4), {"leading_ones": True}),
        "an empty list for an empty table": ([], torch.zeros(0, 4)),
        "lists of another length": ([1, 2, 3], [1, 2]),
        "a tuple cut short": ((tensor(1),), (tensor(1), tensor(2))),
    },
    "dtype": {
        "another dtype than stated": (tensor(1, dtype=F64), tensor(1), {"dtype": "float32"}),
        "a list where a dtype is stated": ([1.0], tensor(1), {"dtype": "float32"}),
    },
    "dtype shape": {
        "dtype and shape at once": (torch.ones(2, dtype=F64), torch.ones(3), {"dtype": "float32"})
    },
    "dtype value": {
        "dtype and value at once": (torch.zeros(2, dtype=F64), torch.ones(2), {"dtype": "float32"})
    },
    "type": {
        "truth values for numbers": (torch.tensor([True]), tensor(1)),
        "truth values for integers": ([True, False], [1, 0]),
        "numbers for truth values": (1, True),
        "a list of both": ([True, 1.0], tensor(1, 1)),
        "True for 1": (True, 1),
        "text for a number": ("1", 1),
        "text in a list of numbers": (["1"], [1]),
        "None for a tensor": (None, torch.ones(2)),
        "an object": (object(), torch.ones(2)),
        "a ragged list": ([[1.0], [1.0, 2.0]], torch.ones(2, 2)),
        "a set for a list": ({1, 2}, [1, 2]),
        "text for None": ("", None),
        "no dictionary": ([1], {"a": 1}),
        "a list for a set": (["a"], {"a"}),
        "text for a set": ("a", {"a"}),
        "text for a huge integer": ("a", 10**30),
        "a number for a ragged list": (1, [[1], [1, 2]]),
        "number: text": ("38400000", 38_400_000, {"number": True}),
        "number: True": (True, 1, {"number": True}),
        "number: a truth tensor": (torch.tensor(True), 1, {"number": True}),
        "number: two elements": (torch.ones(2), 1, {"number": True}),
        "number: no element": (torch.ones(0), 1, {"number": True}),
        "number: a list": ([1], 1, {"number": True}),
        "number: None": (None, 1, {"number": True}),
    },
    "missing": {"a key too few": ({"a": 1}, {"a": 1, "b": 2})},
    "unexpected": {"a key too many": ({"a": 1, "b": 2}, {"a": 1})},
    "missing unexpected": {"a set with another item": ({"a", "c"}, {"a", "b"})},
    "value value": {"two wrong parts": ((tensor(0), tensor(0)), (tensor(1), tensor(2)))},
}


@pytest.mark.parametrize(
    ("name", "found"), [(name, found) for found, rows in DIFFER.items() for name in rows]
)
def test_these_differ(name: str, found: str) -> None:
    actual, expected, *rules = DIFFER[found][name]
    assert kinds(actual, expected, **dict(*rules)) == found.split()
    told = diff(actual, expected, **dict(*rules))
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


SENTENCES = [
    (
        tensor(1, 5),
        tensor(1, 2),
        "`x`: 1 of 2 numbers differs, largest difference 3 at [1]: expected 2, got 5.",
    ),
    (
        tensor(1, NAN),
        tensor(1, 2),
        "`x`: 1 of 2 numbers differs (1 not finite); the first at [1]: expected 2, got nan.",
    ),
    (
        tensor(NAN, 5),
        tensor(1, 2),
        "`x`: both numbers differ (1 not finite), largest difference 3 at [1]: expected 2, got 5.",
    ),
    (None, tensor(1, 2), "`x`: it is None; expected a float32 tensor of shape [2]."),
    (
        "abc",
        np.ones((2, 3)),
        "`x`: it is the text 'abc'; expected a float64 NumPy array of shape [2, 3].",
    ),
    (
        [1, "a"],
        tensor(1, dtype=I64),
        "`x`: it is a list of 2 items; expected an int64 tensor of shape [1].",
    ),
    ({"a": 1}, 10**20, "`x`: it is a dictionary of 1 entry; expected 100000000000000000000."),
    ({}, 1 + 2j, "`x`: it is a dictionary of 0 entries; expected (1+2j)."),
    (torch.nn.Linear(1, 1), 0.25, "`x`: it is a module of type Linear; expected 0.25."),
    (object, True, "`x`: it is an object of type type; expected True."),
    (1, True, "`x`: it is a number or numbers; expected true or false (bool)."),
    (True, 1, "`x`: it is true or false (bool); expected a number or numbers."),
    ({1.5: 1}, {1.5: 2}, "`x`['1.5']: expected 2, got 1."),
    ({"a": 1}, {"a": 1, "b": 2}, "`x`['b']: 2 is missing."),
    ({"a": 1, 3: 2}, {"a": 1}, "`x`[3]: 2 is not expected."),
    ("a" * 100, "b", f"`x`: expected the text 'b', got the text '{'a' * 60}'…."),
    ("a" * 60, "b", f"`x`: expected the text 'b', got the text '{'a' * 60}'."),
]


@pytest.mark.parametrize("actual, expected, text", SENTENCES)
def test_mismatches_are_told_in_plain_sentences(actual: Any, expected: Any, text: str) -> None:
    (found,) = diff(actual, expected)
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
