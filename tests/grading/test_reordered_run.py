"""Notebooks out of order, copied, cut and without tags: found, run again, and said."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from autograder.assignment.load import Loaded
from autograder.assignment.model import NotebookSpec
from autograder.classroom.results_folder import KeptSubmission
from autograder.grading.context import GradedSubmission, PreparedClass
from autograder.grading.runs import JudgedRun, joined
from autograder.judging.verdict import Status, Verdict
from autograder.notebook.formats.read import read
from autograder.notebook.structure.locate import Located, locate
from autograder.notebook.structure.notes import taken_for, template_notes
from autograder.notebook.structure.outline import Outline, TemplateCell, outline_of
from autograder.notebook.structure.restored import insert_originals, restore_missing
from autograder.notebook.submission import NotebookCell, Submission, TemplateStamp
from autograder.pipeline import grade_submission
from tests.support.selection import rarely
from tests.support.tables import read_table

PLACES = ("import", "text-1", "start", "text-2", "middle", "show", "alone")
IMPORT, TEXT_1, START, TEXT_2, MIDDLE, SHOW, ALONE = range(7)
WHOLE = {"start": 1000, "middle": 2000, "alone": 4000}
BLANK = "the text of the template's cell"
ORDERS = read_table(Path(__file__).with_name("orders.yaml"))


class Own(NamedTuple):
    """The cell at this place of the solution, changed."""

    place: int
    source: str = ""  # if it is another one
    exercise: str | None = None  # if it is tagged for another one; "": with no tag
    id: str = ""


Cells = Sequence[int | str | Own]  # cells of the solution by their place, and others
Grading = Callable[..., GradedSubmission]
Made = Callable[..., Submission]


@pytest.fixture(scope="module")
def made(chain: Loaded, ready: PreparedClass) -> Made:
    """Makes a notebook of cells."""
    right, outline = read(chain.solution), ready.context.outline

    def cell(number: int, what: int | str | Own) -> NotebookCell:
        if isinstance(what, str):
            return NotebookCell(number, "code", what)
        own = what if isinstance(what, Own) else Own(what)
        old = right.cells[own.place]
        bare = own.exercise == ""
        return msgspec.structs.replace(
            old,
            number=number,
            id=own.id or old.id,
            exercise=old.exercise if own.exercise is None else own.exercise,
            locked=old.locked and not bare,
            source=outline.cell(old.exercise) if own.source == BLANK else own.source or old.source,
        )

    def make(*cells: int | str | Own) -> Submission:
        placed = (cell(number, what) for number, what in enumerate(cells, 1))
        return msgspec.structs.replace(right, cells=tuple(placed))

    return make


@pytest.fixture(scope="module")
def grading(ready: PreparedClass) -> Grading:
    def grade(submission: Submission, order: str = "either") -> GradedSubmission:
        asked = NotebookSpec.model_validate({"order": order})
        spec = ready.context.loaded.spec.model_copy(update={"notebook": asked})
        context = replace(ready.context, loaded=replace(ready.context.loaded, spec=spec))
        handed = KeptSubmission("student-01", submission.file, submission)
        return grade_submission(PreparedClass(context, ready.expected), handed, 0.0)

    return grade


@pytest.fixture(scope="module")
def located(ready: PreparedClass, made: Made) -> Callable[..., Located]:
    """Where the answers are in a notebook of these cells."""
    spec, outline = ready.context.loaded.spec, ready.context.outline
    return lambda *cells: locate(spec, made(*cells), outline)


def earned(graded: GradedSubmission) -> dict[str, int | None]:
    return {exercise.id: exercise.score for exercise in graded.grade.exercises}


def said(graded: GradedSubmission) -> str:
    return "\n".join(graded.grade.submission.repairs)


def message(graded: GradedSubmission, check: str) -> str:
    return next(c.message for e in graded.grade.exercises for c in e.checks if c.id == check)


# ---------------------------------------------------------------- what a notebook earns


def listed(cell: str | dict[str, Any]) -> int | str | Own:
    """A cell as it is in the list of orders."""
    if isinstance(cell, dict):
        ((name, change),) = cell.items()
        own = change if isinstance(change, dict) else {"source": change}
        return Own(PLACES.index(name), **own)
    how, _, name = cell.partition(" ")
    if how == "bare" and name in PLACES:
        return Own(PLACES.index(name), exercise="")
    if how == "blank" and name in PLACES:
        return Own(PLACES.index(name), BLANK)
    return PLACES.index(cell) if cell in PLACES else cell


@pytest.mark.parametrize("case", ORDERS)
def test_the_better_run_of_each_exercise_counts(grading: Grading, made: Made, case: str) -> None:
    row = ORDERS[case]
    graded = grading(made(*map(listed, row["cells"])))
    lost = dict.fromkeys(row.get("lost", ()), 0)
    assert (earned(graded), len(graded.tries)) == (WHOLE | lost, row.get("runs", 1))
    words = row.get("said", ())
    assert [part for part in words if part not in said(graded)] == []
    assert ("run again" in said(graded)) == any("that run counts" in part for part in words)


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("report", "but the notebook's own order counts"),
        ("notebook", "before it is defined"),
    ],
)
def test_a_policy_may_not_count_the_second_run(
    grading: Grading, made: Made, order: str, words: str
) -> None:
    graded = grading(made(MIDDLE, START, IMPORT, ALONE), order=order)
    assert earned(graded) == WHOLE | {"start": 0, "middle": 0}
    assert words in said(graded)
    assert ("run again" in said(graded)) == (order == "report")


def test_the_second_run_keeps_the_cells_numbers(grading: Grading, made: Made) -> None:
    graded = grading(made(Own(MIDDLE, "middle = start + nowhere"), START, IMPORT, ALONE))
    assert "Cell 1 raised NameError" in message(graded, "middle")


def test_what_builds_on_a_lost_cell_is_told(grading: Grading, made: Made) -> None:
    graded = grading(made(IMPORT, Own(START, "start = 1 / 0"), MIDDLE, ALONE))
    assert earned(graded)["alone"] == 4000
    assert "It builds on cell 2. Cell 2 raised ZeroDivisionError" in message(graded, "middle")


def test_a_deleted_exercise_is_missing_and_nothing_else(grading: Grading, made: Made) -> None:
    graded = grading(made(IMPORT, START, MIDDLE))
    assert (graded.grade.status, earned(graded)) == ("graded", WHOLE | {"alone": 0})
    assert "no cell for this exercise" in message(graded, "alone")


HOARD = "hoard = []\ntry:\n    while True: hoard.append(bytearray({}))\nexcept MemoryError: pass"
BAD_CELLS = {
    "raises": "1 / 0",
    "does not parse": "not python (",
    "loops for ever": "while True: pass",
    "sleeps for ever": "import time; time.sleep(10_000)",
    "ignores interrupts": (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
    ),
    "leaves": "raise SystemExit",
    "leaves at once": "import os; os._exit(0)",
    "crashes": "import ctypes; ctypes.string_at(0)",
    "takes all memory": "hoard = []\nwhile True: hoard.append(bytearray(10_000_000))",
    "leaves hardly ten megabytes": HOARD.format(10**7),
    "leaves hardly a hundred kilobytes": HOARD.format(10**5),
}


@pytest.mark.parametrize(("bad", "at"), rarely(product(BAD_CELLS, [0, 2, 4]), keep=6))
def test_a_bad_cell_anywhere_costs_nothing(grading: Grading, made: Made, bad: str, at: int) -> None:
    cells: list[int | str] = [IMPORT, START, MIDDLE, SHOW, ALONE]
    cells.insert(at, BAD_CELLS[bad])
    assert earned(grading(made(*cells))) == WHOLE


# ---------------------------------------------------------------- two runs are joined


def attempt(ready: PreparedClass, *verdicts: Verdict) -> JudgedRun:
    return JudgedRun(verdicts, ready.expected, Located((), {}, order=(2, 1)), fresh=False)


def test_nobody_chooses_twice(chain: Loaded, ready: PreparedClass) -> None:
    """A notebook out of order on purpose, which chooses one answer in each of its orders."""
    spec = chain.spec.model_copy(update={"exercise": chain.spec.exercise[:1]})

    def after(kind: str, status: Status) -> int:
        first = Verdict("start", "c", kind, False, status, 0, 1000)
        second = msgspec.structs.replace(first, status=Status.PASSED, earned=1000)
        both, _ = joined(spec, attempt(ready, first), attempt(ready, second))
        return sum(verdict.earned for verdict in both.verdicts)

    assert after("choice", Status.FAILED) == 0
    assert after("choice", Status.MISSING) == after("value", Status.FAILED) == 1000


def test_at_most_three_exercises_are_named(chain: Loaded, ready: PreparedClass) -> None:
    exercise = chain.spec.exercise[0]
    five = tuple(exercise.model_copy(update={"id": f"e{n}", "title": f"T{n}"}) for n in range(5))
    spec = chain.spec.model_copy(update={"exercise": five})
    missing = [Verdict(e.id, "c", "value", False, Status.MISSING, 0, 1) for e in five]
    passed = [msgspec.structs.replace(v, status=Status.PASSED, earned=1) for v in missing]
    _, (told,) = joined(spec, attempt(ready, *missing), attempt(ready, *passed))
    assert "that run counts for 'T0', 'T1', 'T2' and 2 more." in told


# ---------------------------------------------------------------- where an answer is


def test_a_renamed_answer_is_missing_in_the_cell_that_looks_like_it(
    grading: Grading, made: Made, chain: Loaded
) -> None:
    old = read(chain.solution).cells[ALONE].source
    renamed = Own(ALONE, old.replace("alone =", "lonely ="), exercise="")
    graded = grading(made(IMPORT, START, MIDDLE, renamed))
    assert earned(graded) == WHOLE | {"alone": 0}
    assert "as the answer to 'One that stands alone': it still contains lines of" in said(graded)


WITH_ID = Own(START, "begin = 3", exercise="", id="start")
NO_ID = Own(START, "begin = 3", exercise="", id="x")
OWNERS: dict[str, tuple[Cells, tuple[int, ...], tuple[int, ...]]] = {
    # cells, those of the first exercise, and those if it defines no names
    "by the text before it": ((IMPORT, TEXT_1, NO_ID, MIDDLE, ALONE), (3,), ()),
    "by its id": ((IMPORT, WITH_ID, MIDDLE, ALONE), (2,), ()),
    "by nothing": ((IMPORT, NO_ID, MIDDLE, ALONE), (), ()),
    "by its lines": ((IMPORT, Own(START, exercise=""), MIDDLE, ALONE), (2,), (2,)),
    "by its lines, whatever its tag": (
        (IMPORT, Own(START, exercise="middle"), Own(MIDDLE, exercise="start"), ALONE),
        (2,),
        (2,),
    ),
}


@pytest.mark.parametrize("how", OWNERS)
def test_a_cell_is_found(ready: PreparedClass, made: Made, how: str) -> None:
    """Figures of an exercise without names are looked for among all that the student drew; a wrong
    guess would hide them."""
    cells, owners, nameless = OWNERS[how]
    spec = ready.context.loaded.spec
    first = spec.exercise[0].model_copy(update={"defines": ()})
    without = spec.model_copy(update={"exercise": (first, *spec.exercise[1:])})
    for asked, expected in ((spec, owners), (without, nameless)):
        assert locate(asked, made(*cells), ready.context.outline).owners["start"] == expected


def test_where_a_cell_that_only_shows_something_stands_is_no_other_order(
    located: Callable[..., Located],
) -> None:
    for cell in (SHOW, Own(SHOW, 'if grader:\n    grader.check("start")')):
        found = located(IMPORT, START, MIDDLE, ALONE, cell)
        assert (found.moved, found.order, found.notes) == (False, (), ())
    assert located(START, IMPORT, MIDDLE, ALONE).moved


def test_given_cells_are_known_without_their_mark(located: Callable[..., Located]) -> None:
    other = Own(SHOW, "print('given',  start, middle)", exercise="")
    show, mine = Own(SHOW, exercise=""), "print('mine', start)"
    found = located(Own(IMPORT, exercise=""), START, MIDDLE, show, mine, other, ALONE)
    assert found.given == {1, 4}


def test_the_set_up_cell_is_given_in_each_of_its_forms(located: Callable[..., Located]) -> None:
    colab = (
        "try:\n    import autograder.student\nexcept ImportError:\n    %pip install -q x\n\n"
        'from autograder.student import Grader\n\ngrader = Grader("chain")'
    )
    assert located(IMPORT, colab, START, f"{colab}\nstart = 3.0").given == {1, 2}


def test_the_blank_template_is_run(located: Callable[..., Located]) -> None:
    blank = [Own(place, BLANK) for place in (START, MIDDLE, ALONE)]
    found = located(IMPORT, *blank)
    assert found.blank == frozenset() and found.notes == ()


def test_an_empty_cell_is_run_when_only_another_exercise_defines_its_name(
    ready: PreparedClass,
) -> None:
    """Two exercises ask for one class: the second hangs a method to it."""
    spec = ready.context.loaded.spec
    asked = (spec.exercise[0], spec.exercise[1].model_copy(update={"defines": ("start.more",)}))
    both = spec.model_copy(update={"exercise": asked})
    begin = "class start:\n    def f(self):\n        raise NotImplementedError"
    more = "def more(self):\n    raise NotImplementedError\nstart = add(start, more)"
    outline = Outline([TemplateCell("code", "start", begin), TemplateCell("code", "middle", more)])
    done, filled = (text.replace("raise NotImplementedError", "pass") for text in (begin, more))

    def found(*sources: str, tagged: bool = True) -> Located:
        owners = ["start" if source.startswith("class") else "middle" for source in sources]
        cells = (
            NotebookCell(number, "code", source, owner if tagged else "")
            for number, (source, owner) in enumerate(zip(sources, owners, strict=True), 1)
        )
        return locate(both, Submission("x", "0", tuple(cells)), outline)

    for sources in ((begin, more), (begin, filled), (done, more)):
        assert found(*sources).blank == frozenset()
    for tagged in (True, False):
        below = found(done, filled, begin, f"# later\n{more}", tagged=tagged)
        assert below.blank == {3, 4} and dict(below.keep_after) == {"start": 1, "middle": 2}
        above = found(begin, f"# later\n{more}", done, filled, tagged=tagged)
        assert above.blank == {1, 2} and dict(above.keep_after) == {"start": 3, "middle": 4}
    scratch = found(done, filled, "start = None", tagged=False)
    assert scratch.keep_after == (("start", 1), ("middle", 2)) and not scratch.moved


def test_many_cells_that_were_found_by_likeness_are_told_in_short() -> None:
    told = list(taken_for({n: (f"T{n}", "why") for n in range(5)}))
    assert told[0] == "Cell 0 was taken as the answer to 'T0': why."
    assert told[3:] == ["2 more cells were matched to other exercises in the same way."]


# ---------------------------------------------------------------- given cells that are gone


def of(*sources: str) -> Submission:
    cells = (NotebookCell(number, "code", source) for number, source in enumerate(sources, 1))
    return Submission("x", "0", tuple(cells))


TEMPLATE = ("import os as base", "def helper():\n    return base.sep", "size = 3\nword = 'a'")
USES_OWN = "def ask(x):\n    return Own().fit(x)"
RESTORED: dict[str, tuple[tuple[str, ...], tuple[str, ...], set[str], list[int]]] = {
    # given, of the student, names that checks ask for, and the order in which cells then run
    "nothing is needed": (TEMPLATE, ("1", "base = size = 1"), set(), [1, 2]),
    "what it needs comes along": (TEMPLATE, ("1", "y = helper()"), set(), [3, 4, 1, 2]),
    "what is defined again comes after": (
        TEMPLATE,
        ("size = 5", "print(size, word)"),
        set(),
        [3, 1, 2],
    ),
    "what builds on the student's is put where it is used": (
        ("table = make()\nshown = 1",),
        ("def make(): return 1", "shown = 2", "print(table)"),
        set(),
        [1, 2, 4, 3],
    ),
    "a function that only checks call": ((USES_OWN,), ("class Own:\n    pass",), {"ask"}, [2, 1]),
    "a function that nothing calls": ((USES_OWN,), ("class Own:\n    pass",), set(), [1]),
}


@pytest.mark.parametrize("case", RESTORED)
def test_a_given_cell_that_is_needed_is_put_back(case: str) -> None:
    given, own, asked, order = RESTORED[case]
    outline = Outline([TemplateCell("code", "", source) for source in given])
    found = restore_missing(of(*own), outline, asked)
    assert [cell.number for cell in found.cells] == order
    assert [cell.locked for cell in found.cells] == [number > len(own) for number in order]
    assert len(found.repairs) == len(order) - len(own)


@pytest.mark.parametrize(
    ("cells", "failed", "order"),
    [
        (["import math, nope", "math.pi"], (1,), [3, 1, 2]),
        (["import math, nope", "math.pi"], (), None),  # nothing failed
        (["import math, nope", "1 / 0", "math.pi"], (2,), None),  # it did not fail
        (["import math", "import nope, math", "math.pi"], (2,), None),  # the template's is there
        (["import nope", "math.pi"], (1,), None),  # it has none of the names
        (["import math, nope", "1"], (1,), None),  # nothing uses them
    ],
    ids=repr,
)
def test_what_is_given_runs_before_a_changed_cell_that_failed(
    cells: list[str], failed: tuple[int, ...], order: list[int] | None
) -> None:
    given = Outline([TemplateCell("code", "", "import math")])
    found = insert_originals(of(*cells), given, failed)
    assert (found and [cell.number for cell in found.cells]) == order


# ---------------------------------------------------------------- stamps, and the outline


def test_a_notebook_of_another_assignment_or_version_is_told(grading: Grading, made: Made) -> None:
    other = msgspec.structs.replace(
        made(IMPORT, START, MIDDLE, ALONE), stamp=TemplateStamp("x", "1")
    )
    graded = grading(other)
    assert earned(graded) == WHOLE and "stamped for the assignment 'x'" in said(graded)
    mine = TemplateStamp("chain", "a")
    told = list(template_notes(mine, assignment="chain", released=TemplateStamp("chain", "b")))
    assert len(told) == 1 and "version a of the template; the current version is b" in told[0]
    assert not list(template_notes(mine, assignment="chain", released=mine))
    assert not list(template_notes(None, assignment="chain", released=mine))


def test_an_outline_holds_no_answer(made: Made, ready: PreparedClass) -> None:
    spec = ready.context.loaded.spec
    text = "\n".join(cell.source for cell in outline_of(made(IMPORT, START, MIDDLE), spec))
    assert "sqrt" not in text and "# In the middle" in text
    wrong = made(Own(START, "# BEGIN SOLUTION\nstart = 3"))
    assert outline_of(wrong, spec)[-1] == TemplateCell("code", "start", "")
