"""Homework for the real otter-grader, as data: masters, their tests, what students hand in."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import nbformat

from tests.support import otter_sources as cells

Answers = Mapping[str, Sequence[str]]
ANSWER = "otter_answer_cell"


@dataclass(frozen=True)
class Question:
    """A question of a master.

    ``tests``: the source of each test cell, and what it showed when the master was saved.
    """

    name: str
    answer: str
    tests: tuple[tuple[str, ...], ...]
    settings: str = ""

    def cells(self) -> list[dict[str, Any]]:
        tests = [cells.code(*test) for test in self.tests]
        solution = f"# BEGIN SOLUTION\n{self.answer}\n# END SOLUTION"
        return cells.question(*tests, name=self.name, more=self.settings, solution=solution)


@dataclass(frozen=True)
class Homework:
    """A master, the files beside it, and what students hand in.

    A submission is the notebook that otter makes for students with the right answers, but for the
    questions that it names: their cells stand there, and none where the list is empty.
    """

    name: str
    settings: str
    questions: tuple[Question, ...]
    submissions: Mapping[str, Answers]
    files: tuple[tuple[str, str], ...] = ()

    def master(self) -> bytes:
        config = cells.config(f"name: {self.name}\n{self.settings}")
        every = [cell for question in self.questions for cell in question.cells()]
        return cells.notebook(config, cells.text("# Homework"), *every)

    def submission(self, student_notebook: bytes, answers: Answers) -> bytes:
        """The student notebook, filled in."""
        notebook = nbformat.reads(student_notebook.decode(), as_version=4)
        open_questions = iter(self.questions)
        filled = []
        for cell in notebook.cells:
            if ANSWER not in cell.metadata.get("tags", ()):
                filled.append(cell)
                continue
            question = next(open_questions)
            for source in answers.get(question.name, [question.answer]):
                filled.append(nbformat.v4.new_code_cell(source, metadata=cell.metadata))
        assert next(open_questions, None) is None
        for cell in filled:
            cell.pop("id", None)  # this notebook's format has none
        notebook.cells = filled
        return nbformat.writes(notebook).encode()


def case(settings: str, source: str) -> str:
    """A test cell with settings of its own."""
    return f'""" # BEGIN TEST CONFIG\n{settings}\n""" # END TEST CONFIG\n{source}'


DOCTESTS = Homework(
    name="doctests",
    settings="files: [numbers.csv]\nseed: {variable: rng_seed, autograder_value: 42, "
    "student_value: 7}",
    files=(("numbers.csv", "1\n2\n3\n"),),
    questions=(
        Question(
            "total",
            "total = sum(int(line) for line in open('numbers.csv'))",
            (
                ("total", "6"),
                ("# HIDDEN\ntotal * 2", "12"),
                ("# HIDDEN\ntype(total)", "<class 'int'>"),
            ),
            "points: [1, 2, 0.5]",
        ),
        Question(
            "mean",
            "def mean(numbers):\n    return sum(numbers) / len(numbers)",
            (("mean([1, 2, 3])", "2.0"), ("# HIDDEN\nmean([1, 2])", "1.5")),
            "points: 2\nall_or_nothing: true",
        ),
        Question(
            "words",
            "def words(text):\n    return text.lower().split()",
            (
                ("for word in words('A b'):\n    print(word)", ">a\nb\n"),
                ("words('')", "[]"),
                ("# HIDDEN\nprint(words('X Y'))\nlen(words('X Y'))", ">['x', 'y']\n", "2"),
            ),
            "points: {each: 0.25}",
        ),
        Question(
            "draw",
            "import random\nrandom.seed(rng_seed)\ndraw = random.randint(1, 1000)",
            (("1 <= draw <= 1000", "True"), ("# HIDDEN\ndraw", "655")),
        ),
        Question(
            "third",
            "third = total / 18",
            (
                (case("points: 1", "round(third, 3)"), "0.333"),
                (case("hidden: true\nsuccess_message: Right", "third < 1"), "True"),
                (case("hidden: true\nfailure_message: Look again", "third > 0.3"), "True"),
            ),
            "points: 4",
        ),
        Question(
            "lookup",
            "lookup = {'a': 1}",
            (
                ("try:\n    lookup['b']\nexcept KeyError:\n    print('none')", ">none\n"),
                ("sorted(lookup)", "['a']"),
            ),
            "points: [0, 2]",
        ),
    ),
    submissions={
        "right": {},
        "other-right": {
            "total": [
                "import csv",
                "total = 0\nfor row in csv.reader(open('numbers.csv')):\n    total += int(row[0])",
            ],
            "mean": ["import numpy", "mean = lambda numbers: float(numpy.mean(numbers))"],
            "words": ["words = lambda text: [w.casefold() for w in text.split()]"],
        },
        "wrong": {
            "total": ["total = '6'"],
            "mean": ["def mean(numbers):\n    return 2"],
            "words": ["def words(text):\n    return [text]"],
            "draw": ["draw = -1"],
            "third": ["third = 1"],
            "lookup": ["lookup = []"],
        },
        "partly": {
            "total": ["total = 6.0"],
            "mean": ["def mean(numbers):\n    return float(numbers[len(numbers) // 2])"],
            "words": ["def words(text):\n    return text.split()"],
            "draw": ["draw = 7"],
            "third": ["third = 0.3334"],
            "lookup": ["lookup = {'a': 1, 'b': 2}"],
        },
        "crashes": {
            "total": ["total = 6", "1 / 0", "total = 7"],
            "mean": ["def mean(numbers)\n    return 2"],
            "words": ["raise SystemError('words')"],
            "lookup": ["lookup = undefined_name", "lookup = {'a': 1}"],
        },
        "missing": {"total": [], "words": [], "lookup": [""]},
        "changes-its-mind": {
            "mean": [
                "def mean(numbers):\n    return 0",
                "def mean(numbers):\n    return sum(numbers) / len(numbers)",
            ],
            "words": [
                "total = 60\ndef words(text):\n    print('noise')\n    return text.lower().split()"
            ],
            "third": ["third = 6 / 18\ndel mean"],
            "lookup": [
                "class Loud(dict):\n    def __repr__(self):\n        raise ValueError\n"
                "lookup = Loud(a=1)"
            ],
        },
    },
)

FUNCTIONS = Homework(
    name="functions",
    settings="tests: {ok_format: false}\ngenerate: {seed: 42}",
    questions=(
        Question(
            "square",
            "def square(x):\n    return x * x",
            (
                ("def test_two(square):\n    assert square(2) == 4\ntest_two(square)",),
                (
                    case(
                        "hidden: true\npoints: 2\nsuccess_message: Well done",
                        "def test_three(square):\n    assert square(3) == 9\n"
                        "    assert square(-3) == 9",
                    ),
                ),
                (
                    case(
                        "hidden: true\nfailure_message: Of floats too",
                        "def test_floats(square):\n    import math\n"
                        "    assert math.isclose(square(0.5), 0.25)",
                    ),
                ),
            ),
            "points: 4",
        ),
        Question(
            "names",
            "first, second = 'a', ['b']",
            (
                ("def test_first(first):\n    assert first == 'a', 'not a'",),
                (
                    "def test_env(env):\n    assert env['second'] == ['b']\n"
                    "    assert 'zero' not in env",
                ),
                (
                    case(
                        "hidden: true",
                        "def test_changes(second):\n    second.append('c')\n"
                        "    assert len(second) == 2",
                    ),
                ),
            ),
            "points: {each: 0.5}",
        ),
        Question(
            "errors",
            "def root(x):\n    if x < 0:\n        raise ValueError('negative')\n"
            "    return x ** 0.5",
            (
                ("def test_root(root):\n    assert root(9) == 3",),
                (
                    "def test_raises(root):\n    try:\n        root(-1)\n"
                    "    except ValueError as error:\n"
                    "        assert 'negative' in str(error)\n"
                    "    else:\n        raise AssertionError",
                ),
            ),
            "points: 3\nall_or_nothing: true",
        ),
        Question(
            "draw",
            "import random\ndraw = random.random()",
            (
                ("def test_range(draw):\n    assert 0 <= draw < 1",),
                (
                    case(
                        "hidden: true",
                        "def test_seeded(draw):\n    assert abs(draw - 0.6394267984578837) < 1e-9",
                    ),
                ),
            ),
            "points: [1, 1.5]",
        ),
    ),
    submissions={
        "right": {},
        "wrong": {
            "square": ["def square(x):\n    return 0"],
            "names": ["first = second = None"],
            "errors": ["def root(x):\n    return 0"],
            "draw": ["draw = 2"],
        },
        "partly": {
            "square": ["def square(x):\n    return x * x if isinstance(x, int) else x"],
            "names": ["first, second, zero = 'a', ['b'], 0"],
            "errors": ["def root(x):\n    return x ** 0.5"],
            "draw": ["draw = 0.5"],
        },
        "crashes": {
            "square": ["def square(x):\n    return x / 0"],
            "names": ["first = 'a'\nfirst.b", "second = ['b']"],
            "errors": ["def root(x:\n    return 3"],
            "draw": ["import random\nrandom.random()", "draw = random.random()"],
        },
        "missing": {"square": [], "names": ["second = ['b', 'b']"], "errors": ["root = None"]},
    },
)

HOMEWORKS = (DOCTESTS, FUNCTIONS)

ARCHIVE_TESTS = {
    "by_hand.py": """OK_FORMAT = True
test = {
    'name': 'by_hand',
    'points': [1, None, 0.5],
    'suites': [{'cases': [
        {'code': '''
            >>> values = make(3)
            >>> for value in values:
            ...     print(value)
            0
            1
            2
            >>> len(values)
            3
        ''', 'hidden': False, 'locked': False},
        {'code': '>>> make(0)\\n[]', 'locked': False},
        {'code': '''>>> make(-1)
[]
>>> print(make)  # doctest: +ELLIPSIS
<function ...''', 'hidden': True},
    ], 'scored': True, 'setup': '', 'teardown': '', 'type': 'doctest'}],
}
""",
    "by_function.py": """from otter.test_files import test_case

OK_FORMAT = False
name = "by_function"
points = None
LIMIT = 4


@test_case(points=2)
def test_small(small):
    assert small < LIMIT


@test_case(points=1, hidden=True)
def test_kind(small, env):
    assert isinstance(small, int)
    assert env["small"] is small
""",
}
ARCHIVE_SETTINGS = json.dumps({"lang": "python", "points_possible": 9, "seed": 3})
ARCHIVE_SUBMISSIONS: Mapping[str, Sequence[str]] = {
    "right": ["def make(n):\n    return list(range(n))", "small = 3"],
    "wrong": ["def make(n):\n    return None", "small = 7.5"],
    "partly": ["def make(n):\n    return [0, 1, 2][:n]", "small = 3.5"],
    "crashes": ["def make(n):\n    return [n][1]", "small = 3\nsmall.no"],
    "missing": ["small = 9"],
}


def archive_submission(sources: Sequence[str]) -> bytes:
    """A notebook of these cells that asks otter after each."""
    checks = ('grader.check("by_hand")', 'grader.check("by_function")')
    first = "import otter\ngrader = otter.Notebook()"
    sources = [first, *sources, *checks]
    return cells.notebook(*[cells.code(source) for source in sources])
