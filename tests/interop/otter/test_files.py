"""otter's test files, points, solution marks and settings are read as data: what they write out is
taken, what only running would tell is refused with its line."""

from __future__ import annotations

import ast
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from autograder.errors import SpecError
from autograder.interop.otter.source import literals
from autograder.interop.otter.source.doctests import made_doctest, read_examples
from autograder.interop.otter.source.exception_file import is_ok_format, read_exception_file
from autograder.interop.otter.source.model import OtterCase, Question, SourceFault
from autograder.interop.otter.source.ok_file import read_ok_file
from autograder.interop.otter.source.points import rounded, scored
from autograder.interop.otter.source.settings import read_yaml
from autograder.interop.otter.source.solution_regions import for_students, without_ignored
from tests.support.otter_sources import FUNCTIONS, OK_TEXT, ok_test, one_case
from tests.support.tables import read_table

TABLES = read_table(Path(__file__).with_suffix(".yaml"))
ROWS = {name: [tuple(row.values()) for row in rows] for name, rows in TABLES.items()}

# ---------------------------------------------------------------- doctest text


def test_examples_are_those_of_the_library() -> None:
    found = read_examples(
        """
        Text between is no code.
        >>> x = 1
        >>> for i in range(2):
        ...     i
        0
        1
        >>> 1 / 0
        Traceback (most recent call last):
          File "somewhere"
        ZeroDivisionError: division by zero
        >>> [1, 2] # doctest: +ELLIPSIS, -NORMALIZE_WHITESPACE
        [...]
        """
    )
    assert [(e.code, e.shows) for e in found[:2]] == [
        ("x = 1\n", ""),
        ("for i in range(2):\n    i\n", "0\n1\n"),
    ]
    assert found[2].raises == "ZeroDivisionError: division by zero\n"
    assert found[3].options == ("ELLIPSIS", "-NORMALIZE_WHITESPACE")


@pytest.mark.parametrize("wrong", [">>>x", ">>> x  # doctest: +NO_SUCH_OPTION\n1"])
def test_what_is_no_doctest_is_told(wrong: str) -> None:
    with pytest.raises(SourceFault, match="not doctest"):
        read_examples(wrong)


@pytest.mark.parametrize(("source", "output", "made"), ROWS["made_doctests"])
def test_a_test_cell_becomes_the_doctest_that_otter_makes(
    source: str, output: str, made: str
) -> None:
    assert made_doctest(source, output) == made


def test_an_empty_test_cell_is_no_test() -> None:
    with pytest.raises(SourceFault, match="contains no code"):
        made_doctest("# nothing", "")


# ---------------------------------------------------------------- values that are written out


@pytest.mark.parametrize(("source", "value"), ROWS["written_out"])
def test_what_is_written_out_is_read(source: str, value: Any) -> None:
    tree = literals.parse_file(f"v = {source}").body[0]
    assert isinstance(tree, ast.Assign)
    assert literals.value_of(tree.value, {}) == value


@pytest.mark.parametrize(("source",), ROWS["only_running_tells"])
def test_what_only_running_tells_is_refused_with_its_line(source: str) -> None:
    tree = literals.parse_file(f"\nv = {source}").body[0]
    assert isinstance(tree, ast.Assign)
    with pytest.raises(SourceFault) as bad:
        literals.value_of(tree.value, {})
    assert bad.value.line == 2


def test_nesting_is_bounded_and_a_long_sum_is_not_nested() -> None:
    long = literals.parse_file("v = " + "+".join(["'ab'"] * 500)).body[0]
    assert isinstance(long, ast.Assign) and literals.value_of(long.value, {}) == "ab" * 500
    deep = literals.parse_file("v = " + "[" * 90 + "]" * 90).body[0]
    assert isinstance(deep, ast.Assign)
    with pytest.raises(SourceFault, match="nested"):
        literals.value_of(deep.value, {})
    with pytest.raises(SourceFault, match="not Python"):
        literals.parse_file("v = " + "[" * 5000 + "]" * 5000)
    with pytest.raises(SourceFault, match="more than"):
        literals.parse_file(" " * (literals.MAX_SOURCE + 1))


# ---------------------------------------------------------------- OK files


def test_an_ok_file_is_read() -> None:
    read = read_ok_file(OK_TEXT, name="q1", place="q1.py")
    assert (read.name, read.title, read.points, read.all_or_nothing) == ("q1", "q1", 2, False)
    assert [(c.title, c.hidden) for c in read.cases] == [("q1 - 1", False), ("q1 - 2", True)]
    assert read.cases[0].examples[0].shows == "3\n"


def test_an_ok_file_may_be_put_together() -> None:
    source = (
        '"""Text."""\nfrom textwrap import dedent\nOK_FORMAT: bool = True\npts = 2\n'
        "case = {'code': dedent('''\n    >>> 1 +  \\\\\n    ... 1\n    2\n    '''), "
        "'points': 0.5, 'name': 'sum', 'hidden': False, 'success_message': 'Yes', "
        "'failure_message': 7}\n"
        "test = {'name': 'q', 'points': [pts], 'all_or_nothing': True, "
        "'suites': [{'cases': [case]}]}\n"
    )
    read = read_ok_file(source, name="q", place="q.py")
    assert read.points == (2,)
    assert read.all_or_nothing
    (case,) = read.cases
    assert (case.title, case.points, case.praise, case.hint) == ("sum", Fraction(1, 2), "Yes", "7")
    assert case.examples[0].shows == "2\n"


def ok_file(
    *,
    source: str = "",
    case: str = ">>> 1\n1",
    of_case: str = "",
    of_test: str = "",
    after: str = "",
) -> str:
    """A file as test_files.yaml tells it."""
    return source or ok_test(one_case(case, of_case), more=of_test) + after


@pytest.mark.parametrize("row", TABLES["ok_files_refused"], ids=lambda row: row["said"])
def test_an_ok_file_that_is_none_is_told(row: dict[str, str]) -> None:
    told = {key: text for key, text in row.items() if key != "said"}
    with pytest.raises(SourceFault) as bad:
        read_ok_file(ok_file(**told), name="q", place="q.py")
    assert row["said"] in bad.value.at("q.py")


# ---------------------------------------------------------------- exception-based files


def test_a_file_of_functions_is_read() -> None:
    read = read_exception_file(FUNCTIONS, name="q1", place="q1.py")
    assert [(c.title, c.hidden, c.points, c.praise, c.function) for c in read.cases] == [
        ("q1 - 1", False, None, "Well done", "test_small"),
        ("large", True, 1, "", "test_large"),
    ]
    assert read.source == FUNCTIONS
    assert read.points == 3


@pytest.mark.parametrize(("head",), ROWS["decorators"])
def test_the_decorator_goes_by_any_of_its_names(head: str) -> None:
    read = read_exception_file(f"name = 'q'\n{head}def a(): pass\n", name="q", place="q.py")
    assert [case.function for case in read.cases] == ["a"]


def test_functions_of_one_name_replace_each_other() -> None:
    source = (
        "name = 'q'\n@test_case(points=1)\ndef a(): pass\n@test_case()\ndef b(): pass\n"
        "@test_case(points=2)\ndef a(): pass\ndef b(): pass\n"
    )
    read = read_exception_file(source, name="q", place="q.py")
    assert [(case.function, case.points) for case in read.cases] == [("a", 2)]


def test_what_a_test_function_does_inside_is_its_own() -> None:
    body = (
        "    points = 0\n    points += 1\n    name, other = 'a', 'b'\n    for points in []: pass\n"
    )
    source = f"name = 'q'\npoints = 2\n@test_case()\ndef a():\n{body}"
    assert read_exception_file(source, name="q", place="q.py").points == 2


@pytest.mark.parametrize(("source", "said"), ROWS["functions_refused"])
def test_a_file_of_functions_that_only_running_explains_is_told(source: str, said: str) -> None:
    with pytest.raises(SourceFault) as bad:
        read_exception_file(source, name="q", place="q.py")
    assert said in bad.value.at("q.py")


def test_the_format_must_be_said() -> None:
    assert is_ok_format(OK_TEXT)
    assert not is_ok_format(FUNCTIONS)
    with pytest.raises(SourceFault, match="OK_FORMAT = True"):
        is_ok_format("test = {}")
    with pytest.raises(SourceFault, match="OK_FORMAT"):
        is_ok_format("if True:\n    OK_FORMAT = True\n")


# ---------------------------------------------------------------- points


def asked(points: Any, *cases: Any, whole: bool = False, title: str = "q") -> Question:
    def exact(amount: Any) -> Any:
        if isinstance(amount, list):
            return tuple(map(exact, amount))
        return None if amount is None else Fraction(str(amount))

    made = tuple(OtterCase(f"{title}{n}", False, exact(c)) for n, c in enumerate(cases))
    about = {"name": title, "title": title, "place": title}
    return Question(cases=made, points=exact(points), all_or_nothing=whole, **about)


@pytest.mark.parametrize(("given", "cases", "earned"), ROWS["points"])
def test_points_follow_the_rules(given: Any, cases: list[Any], earned: list[int]) -> None:
    (made,) = scored([asked(given, *cases)], None, "hw", [])
    assert list(made.points) == earned


@pytest.mark.parametrize(("given", "cases", "said"), ROWS["points_refused"])
def test_points_that_do_not_fit_are_told(given: Any, cases: list[Any], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        scored([asked(given, *cases)], None, "hw", [])


def test_all_or_nothing_is_earned_by_the_last_case() -> None:
    (made,) = scored([asked(3, None, None, None, whole=True)], None, "hw", [])
    assert made.points == (0, 0, 3000)


def test_points_possible_scales_all_of_them_exactly() -> None:
    told: list[str] = []
    made = scored(
        [asked(1, None, title="a"), asked(2, None, None, title="b")], Decimal(10), "hw", told
    )
    assert [one.points for one in made] == [(3333,), (3334, 3333)]
    assert "scaled from 3 to points_possible = 10" in told[0]
    with pytest.raises(SpecError, match="no case earns"):
        scored([asked(0, None)], Decimal(10), "hw", [])
    assert scored([asked(3, None)], Decimal(3), "hw", same := [])[0].points == (3000,)
    assert same == []


def test_questions_of_one_name_and_without_cases_are_told() -> None:
    with pytest.raises(SpecError) as bad:
        scored([asked(1, None), asked(1, None)], None, "hw", [])
    assert len(bad.value.problems) == 2
    told: list[str] = []
    assert len(scored([asked(1, None), asked(1, title="empty")], None, "hw", told)) == 1
    assert told == ["empty: it has no cases and is not imported."]
    with pytest.raises(SpecError, match="nothing to grade"):
        scored([asked(1)], None, "hw", [])


def test_rounding_keeps_every_total() -> None:
    parts = [Fraction(1, 3)] * 5 + [Fraction(7, 6)] * 4
    assert sum(rounded(parts)) == 6  # 19/3
    assert rounded([]) == []


# ---------------------------------------------------------------- what students see


@pytest.mark.parametrize(("source", "left"), ROWS["solutions"])
def test_solutions_go_as_otter_takes_them_out(source: str, left: str) -> None:
    assert for_students(source) == left


@pytest.mark.parametrize(("source", "line"), ROWS["regions_refused"])
def test_regions_that_do_not_pair_up_are_told(source: str, line: int) -> None:
    with pytest.raises(SourceFault) as bad:
        for_students(source)
    assert bad.value.line == line


def test_ignored_lines_go_from_every_cell() -> None:
    source = "a\nb # IGNORE\n# BEGIN IGNORE\nc\n# END IGNORE\nd"
    assert without_ignored(source) == "a\nd"
    for wrong in ("# END IGNORE", "# BEGIN IGNORE"):
        with pytest.raises(SourceFault):
            without_ignored(wrong)


# ---------------------------------------------------------------- YAML


@pytest.mark.parametrize(
    ("yaml", "said"),
    [
        ("a: &x [1]\nb: *x", "alias"),
        ("a: &a [l, o, l]\nb: &b [*a, *a]\nc: [*b, *b]", "alias"),
        ("a: !!python/object/apply:os.system [id]", "plain YAML"),
        ("a: [1", "plain YAML"),
        ("- a", "list"),
        ("1: 2", "is not text"),
        ("a: " + "[" * 50 + "]" * 50, "nested"),
        ("a: [" + "1," * 20_000 + "]", "parts"),
        ("a: " + "b" * 200_000, "characters"),
        ("a: 2026-99-99", "plain YAML"),
    ],
)
def test_yaml_that_grows_or_runs_is_refused(yaml: str, said: str) -> None:
    with pytest.raises(SourceFault, match=said):
        read_yaml(yaml)


def test_plain_yaml_is_read() -> None:
    assert read_yaml("# ASSIGNMENT CONFIG") == {}
    assert read_yaml("name: Übung 1\npoints: [1, 0.5]") == {"name": "Übung 1", "points": [1, 0.5]}
