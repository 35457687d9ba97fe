"""Notebooks out of order, copied, cut and without tags: found, run again, and said."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

import msgspec
import pytest

from autograder.assignment.load import Loaded
from autograder.assignment.model import NotebookSpec
from autograder.evidence.records import CellRun, Run, TimeSpent
from autograder.gradebook.grade import Grade
from autograder.grading.context import GradedSubmission, PreparedClass
from autograder.grading.runs import JudgedRun, in_repaired_order, joined, too_early
from autograder.judging.verdict import Status, Verdict
from autograder.notebook.formats.read import read
from autograder.notebook.structure.depends import EarlyUse
from autograder.notebook.structure.locate import GIVEN, Located, locate, owned_cells
from autograder.notebook.structure.notes import taken_for, template_notes
from autograder.notebook.structure.outline import Outline, TemplateCell, outline_of
from autograder.notebook.structure.restored import insert_originals, restore_missing
from autograder.notebook.submission import NotebookCell, Submission, TemplateStamp
from autograder.pipeline import grade_submission
from autograder.wire.messages import CellDone, Error
from tests.support.selection import rarely

IMPORT, TEXT_1, START, TEXT_2, MIDDLE, SHOW, ALONE = range(7)
Grading = Callable[..., Grade]
Running = Callable[..., GradedSubmission]
WHOLE = {"start": 1000, "middle": 2000, "alone": 4000}


@pytest.fixture
def running(ready: PreparedClass) -> Running:
    def run(submission: Submission, order: str = "either") -> GradedSubmission:
        class One:
            student, name = "student-01", submission.file

            def read(self) -> Submission:
                return submission

        asked = NotebookSpec.model_validate({"order": order})
        spec = ready.context.loaded.spec.model_copy(update={"notebook": asked})
        context = replace(ready.context, loaded=replace(ready.context.loaded, spec=spec))
        return grade_submission(PreparedClass(context, ready.expected), One(), 0.0)

    return run


@pytest.fixture
def grading(running: Running) -> Grading:
    return lambda *asked, **policy: running(*asked, **policy).grade


@pytest.fixture(scope="module")
def right(chain: Loaded) -> Submission:
    return read(chain.solution)


def numbered(right: Submission, *cells: NotebookCell | str | int) -> Submission:
    """A notebook of cells of the solution (by place), and others by their source."""
    made = [
        right.cells[cell]
        if isinstance(cell, int)
        else NotebookCell(0, "code", cell)
        if isinstance(cell, str)
        else cell
        for cell in cells
    ]
    placed = (msgspec.structs.replace(cell, number=n) for n, cell in enumerate(made, 1))
    return msgspec.structs.replace(right, cells=tuple(placed))


def bare(cell: NotebookCell) -> NotebookCell:
    return msgspec.structs.replace(cell, exercise="", locked=False)


def earned(grade: Grade) -> dict[str, int | None]:
    return {exercise.id: exercise.score for exercise in grade.exercises}


def said(grade: Grade) -> str:
    return "\n".join(grade.submission.repairs)


# ---------------------------------------------------------------- the second run


def test_a_notebook_in_order_is_run_once(running: Running, right: Submission) -> None:
    graded = running(right)
    assert earned(graded.grade) == WHOLE and len(graded.tries) == 1
    assert graded.grade.submission.repairs == ()


def test_names_that_are_used_early_are_said(grading: Grading, right: Submission) -> None:
    grade = grading(numbered(right, MIDDLE, SHOW, START, IMPORT, ALONE))
    assert "Cells 1, 2, 3: a name is used before it is defined (`start`," in said(grade)


def test_a_policy_may_tell_of_the_second_run_and_not_count_it(
    grading: Grading, right: Submission
) -> None:
    grade = grading(numbered(right, MIDDLE, START, IMPORT, ALONE), order="report")
    assert earned(grade) == WHOLE | {"start": 0, "middle": 0}
    assert "but the notebook's own order counts" in said(grade)


def test_a_policy_may_forbid_the_second_run(grading: Grading, right: Submission) -> None:
    grade = grading(numbered(right, MIDDLE, START, IMPORT, ALONE), order="notebook")
    assert earned(grade) == WHOLE | {"start": 0, "middle": 0}
    assert "before it is defined" in said(grade) and "run again" not in said(grade)


SPOILING = "alone = 7\nwas = late\nalone = 8"  # right where it fails: before `late` is defined
SECOND_RUNS = {  # cells, what each earns, runs, and what is said of the second
    "all right as it came": ((ALONE, IMPORT, START, MIDDLE), {}, 1, ""),
    "all right as it came, and only worse in order": (
        (IMPORT, START, MIDDLE, SPOILING, "late = 1"),
        {},
        1,
        "",
    ),
    "right in order": (
        (MIDDLE, SHOW, START, IMPORT, ALONE),
        {},
        2,
        "in the order 4, 3, 1, 2, 5, each after those it builds on: that run counts for "
        "'The start', 'The middle'.",
    ),
    "one is right as it came, one in order": (
        (IMPORT, MIDDLE, START, SPOILING, "late = 1"),
        {},
        2,
        "that run counts for 'The middle'.",
    ),
    "wrong in both, one is right as it came": (
        (IMPORT, START, "middle = late", SPOILING, "late = 1"),
        {"middle": 0},
        2,
        "",
    ),
    "cells that no other cell touches": (
        (ALONE, IMPORT, START, "middle = start"),
        {"middle": 0},
        2,
        "",
    ),
    "wrong, and in order": ((IMPORT, START, "middle = 0", ALONE, IMPORT), {"middle": 0}, 1, ""),
}


@pytest.mark.parametrize("case", SECOND_RUNS)
def test_the_better_run_of_each_exercise_counts(
    running: Running, right: Submission, case: str
) -> None:
    cells, lost, runs, note = SECOND_RUNS[case]
    places = {"middle": MIDDLE, "alone": ALONE}
    answers = (
        msgspec.structs.replace(right.cells[places[cell.split(" ")[0]]], source=cell)
        if isinstance(cell, str) and cell.split(" ")[0] in places
        else cell
        for cell in cells
    )
    graded = running(numbered(right, *answers))
    assert (earned(graded.grade), len(graded.tries)) == (WHOLE | lost, runs)
    assert note in said(graded.grade)
    assert ("run again" in said(graded.grade)) == bool(note)


def test_the_second_run_keeps_the_cells_numbers(grading: Grading, right: Submission) -> None:
    wrong = msgspec.structs.replace(right.cells[MIDDLE], source="middle = start + nowhere")
    grade = grading(numbered(right, wrong, START, IMPORT, ALONE))
    (check,) = (c for e in grade.exercises for c in e.checks if c.id == "middle")
    assert "Cell 1 raised NameError" in check.message


def lost_run(ready: PreparedClass, located: Located) -> JudgedRun:
    """A run that earned nothing."""
    verdict = Verdict("start", "start", "value", False, Status.FAILED, 0, 1000)
    return JudgedRun((verdict,), ready.expected, located, fresh=False)


def test_the_second_order_has_every_code_cell_once(
    chain: Loaded, right: Submission, ready: PreparedClass
) -> None:
    mixed = numbered(right, ALONE, TEXT_2, SHOW, MIDDLE, START, "x = middle", IMPORT)
    located = locate(chain.spec, mixed, Outline(outline_of(right, chain.spec)))
    mended = in_repaired_order(chain.spec, mixed, lost_run(ready, located), located.early)
    assert mended is not None
    assert sorted(c.number for c in mended.cells) == [1, 3, 4, 5, 6, 7]
    owner = {cell.number: cell.exercise for cell in mended.cells}
    assert (owner[1], owner[4], owner[5]) == ("alone", "middle", "start")


def test_what_may_be_used_early_is_tried_only_when_the_run_bears_it_out(
    grading: Grading, right: Submission, ready: PreparedClass
) -> None:
    def middle(source: str) -> NotebookCell:
        return msgspec.structs.replace(right.cells[MIDDLE], source=source)

    made = "class Adder:\n    def add(self): return late + start\nadder = Adder()"
    add = middle("middle = adder.add()")
    in_order = numbered(right, IMPORT, START, made, "late = 1", add, ALONE)
    grade = grading(in_order)
    assert earned(grade) == WHOLE and grade.submission.repairs == ()
    spec = ready.context.loaded.spec
    located = locate(spec, in_order, ready.context.outline)
    assert located.early and located.order
    assert in_repaired_order(spec, in_order, lost_run(ready, located), ()) is None
    helper = "def one_more(n): return n + late"
    handed = middle("middle = next(map(one_more, [start]))")
    broken = grading(numbered(right, IMPORT, START, helper, handed, "late = 1", ALONE))
    assert earned(broken) == WHOLE
    assert "Cell 4: a name is used before it is defined (`late`" in said(broken)


def test_other_faults_of_a_cell_do_not_bear_it_out(ready: PreparedClass) -> None:
    """Of cell 1 the text alone is not sure; cell 3 was stopped."""
    found = Located((), {}, early=(EarlyUse(1, "late", 2, sure=False), EarlyUse(3, "x", 4)))
    run, spent = ready.expected, TimeSpent(0.0, 0.0)

    def ran(*errors: Error | None) -> Run:
        claims = [None if error is None else CellDone((), error) for error in errors]
        cells = (CellRun(n, claim, None, spent) for n, claim in zip((1, 3), claims, strict=False))
        return msgspec.structs.replace(run, cells=tuple(cells))

    late = Error(("NameError",), "name 'late' is not defined")
    later = Error(("NameError",), "name 'later' is not defined")
    assert too_early(found, ran(late, None)) == found.early
    assert too_early(found, ran(later, None)) == found.early[1:]
    assert too_early(found, ran()) == ()


def test_a_given_cell_that_was_copied_is_no_other_order(
    grading: Grading, right: Submission
) -> None:
    grade = grading(numbered(right, IMPORT, START, IMPORT, MIDDLE, SHOW, IMPORT, ALONE, IMPORT))
    assert earned(grade) == WHOLE and grade.submission.repairs == ()


def test_where_a_cell_that_only_shows_something_stands_is_no_other_order(
    right: Submission, ready: PreparedClass
) -> None:
    spec, outline = ready.context.loaded.spec, ready.context.outline
    ask = msgspec.structs.replace(right.cells[SHOW], source='if grader:\n    grader.check("start")')
    for cell in (right.cells[SHOW], ask):
        found = locate(spec, numbered(right, IMPORT, START, MIDDLE, ALONE, cell), outline)
        assert (found.moved, found.order, found.notes) == (False, (), ())
    assert locate(spec, numbered(right, START, IMPORT, MIDDLE, ALONE), outline).moved


def test_nobody_chooses_twice(chain: Loaded, ready: PreparedClass) -> None:
    """A notebook out of order on purpose, which chooses one answer in each of its orders."""

    def tried(kind: str, status: Status) -> JudgedRun:
        earned = 1000 if status is Status.PASSED else 0
        verdicts = (Verdict("start", "c", kind, False, status, earned, 1000),)
        return JudgedRun(verdicts, ready.expected, Located((), {}, order=(2, 1)), fresh=False)

    def after(kind: str, status: Status) -> int:
        spec = chain.spec.model_copy(update={"exercise": chain.spec.exercise[:1]})
        both, _ = joined(spec, tried(kind, status), tried(kind, Status.PASSED))
        return sum(verdict.earned for verdict in both.verdicts)

    assert after("choice", Status.FAILED) == 0
    assert after("choice", Status.MISSING) == after("value", Status.FAILED) == 1000


def test_at_most_three_exercises_are_named(chain: Loaded, ready: PreparedClass) -> None:
    exercise = chain.spec.exercise[0]
    five = tuple(exercise.model_copy(update={"id": f"e{n}", "title": f"T{n}"}) for n in range(5))
    spec = chain.spec.model_copy(update={"exercise": five})

    def tried(status: Status, earned: int) -> JudgedRun:
        verdicts = (Verdict(e.id, "c", "value", False, status, earned, 1) for e in five)
        return JudgedRun(tuple(verdicts), ready.expected, Located((), {}, order=(1,)), fresh=False)

    _, (told,) = joined(spec, tried(Status.MISSING, 0), tried(Status.PASSED, 1))
    assert "that run counts for 'T0', 'T1', 'T2' and 2 more." in told


# ---------------------------------------------------------------- one bad cell


BAD_CELLS = ["1 / 0", "not python (", "while True: pass", "raise SystemExit"]


@pytest.mark.parametrize(("bad", "at"), rarely(product(BAD_CELLS, [0, 2, 4]), keep=4))
def test_a_bad_cell_anywhere_costs_nothing(
    grading: Grading, right: Submission, bad: str, at: int
) -> None:
    cells: list[int | str] = [IMPORT, START, MIDDLE, SHOW, ALONE]
    cells.insert(at, bad)
    assert earned(grading(numbered(right, *cells))) == WHOLE


def test_what_a_lost_cell_takes_along_is_told(grading: Grading, right: Submission) -> None:
    looping = msgspec.structs.replace(right.cells[START], source="start = 3\nwhile True: pass")
    grade = grading(numbered(right, IMPORT, looping, "more = begin = start", MIDDLE, ALONE))
    lost = numbered(right, IMPORT, "start_of = 1 / 0", bare(right.cells[MIDDLE]), ALONE)
    assert earned(grade)["alone"] == 4000 and earned(grading(lost))["alone"] == 4000
    broken = msgspec.structs.replace(right.cells[START], source="start = 1 / 0")
    (check,) = (
        c
        for e in grading(numbered(right, IMPORT, broken, MIDDLE, ALONE)).exercises
        for c in e.checks
        if c.id == "middle"
    )
    assert "It builds on cell 2. Cell 2 raised ZeroDivisionError" in check.message


# ---------------------------------------------------------------- found without tags


def test_cells_without_tags_are_found_by_their_names(grading: Grading, right: Submission) -> None:
    cells = (bare(right.cells[n]) for n in (IMPORT, START, MIDDLE, SHOW, ALONE))
    assert earned(grading(numbered(right, *cells))) == WHOLE


def test_a_renamed_answer_is_missing_in_the_cell_that_looks_like_it(
    grading: Grading, right: Submission, ready: PreparedClass
) -> None:
    cell = bare(right.cells[ALONE])
    other = msgspec.structs.replace(cell, source=cell.source.replace("alone =", "lonely ="))
    mixed = numbered(right, IMPORT, START, MIDDLE, other)
    grade = grading(mixed)
    assert earned(grade) == WHOLE | {"alone": 0}
    assert "as the answer to 'One that stands alone': it still contains lines of" in said(grade)
    located = locate(ready.context.loaded.spec, mixed, ready.context.outline)
    assert located.owners["alone"] == (4,)


def test_a_cell_is_found_by_the_text_before_it_or_by_its_id(
    right: Submission, ready: PreparedClass
) -> None:
    spec, outline = ready.context.loaded.spec, ready.context.outline
    by_text = numbered(right, IMPORT, TEXT_1, "begin = 3", MIDDLE, ALONE)
    assert locate(spec, by_text, outline).owners["start"] == (3,)
    with_id = NotebookCell(0, "code", "begin = 3", id="start")
    by_id = numbered(right, IMPORT, with_id, MIDDLE, ALONE)
    assert locate(spec, by_id, outline).owners["start"] == (2,)
    nothing = numbered(right, IMPORT, "begin = 3", MIDDLE, ALONE)
    assert locate(spec, nothing, outline).owners["start"] == ()


def test_a_deleted_exercise_is_missing_and_nothing_else(
    grading: Grading, right: Submission
) -> None:
    grade = grading(numbered(right, IMPORT, START, MIDDLE))
    (check,) = (c for e in grade.exercises for c in e.checks if c.id == "alone")
    assert (grade.status, check.status.value) == ("graded", "missing")
    assert "no cell for this exercise" in check.message


def test_tags_that_changed_places_do_no_harm(grading: Grading, right: Submission) -> None:
    one, other = right.cells[MIDDLE], right.cells[ALONE]
    swapped = [
        msgspec.structs.replace(one, exercise="alone"),
        msgspec.structs.replace(other, exercise="middle"),
    ]
    assert earned(grading(numbered(right, IMPORT, START, *swapped))) == WHOLE


def test_an_exercise_without_names_is_not_guessed_by_its_surroundings(
    right: Submission, ready: PreparedClass
) -> None:
    """Its figures are looked for among all that the student drew; a wrong guess would hide them."""
    spec = ready.context.loaded.spec
    nameless = spec.exercise[0].model_copy(update={"defines": ()})
    changed = spec.model_copy(update={"exercise": (nameless, *spec.exercise[1:])})
    found = numbered(right, IMPORT, TEXT_1, "begin = 3", MIDDLE, ALONE)
    assert locate(changed, found, ready.context.outline).owners["start"] == ()
    with_id = numbered(right, IMPORT, NotebookCell(0, "code", "begin = 3", id="start"), MIDDLE)
    assert locate(changed, with_id, ready.context.outline).owners["start"] == ()
    same_lines = numbered(right, IMPORT, bare(right.cells[START]), MIDDLE, ALONE)
    assert locate(changed, same_lines, ready.context.outline).owners["start"] == (2,)
    swapped = [
        msgspec.structs.replace(right.cells[START], exercise="middle"),
        msgspec.structs.replace(right.cells[MIDDLE], exercise="start"),
    ]
    mixed = numbered(right, IMPORT, *swapped, ALONE)
    assert locate(changed, mixed, ready.context.outline).owners["start"] == (2,)


def test_given_cells_are_known_without_their_mark(right: Submission, ready: PreparedClass) -> None:
    spec, outline = ready.context.loaded.spec, ready.context.outline
    show = msgspec.structs.replace(bare(right.cells[SHOW]), source="print('given',  start, middle)")
    same = bare(right.cells[SHOW])
    mine = "print('mine', start)"
    found = numbered(right, bare(right.cells[IMPORT]), START, MIDDLE, same, mine, show, ALONE)
    located = locate(spec, found, outline)
    assert located.given == {1, 4}
    sent = {cell.number: cell.exercise for cell in owned_cells(found, located)}
    assert (sent[1], sent[4], sent[5]) == (GIVEN, GIVEN, "middle")


def test_the_set_up_cell_is_given_in_each_of_its_forms(
    ready: PreparedClass, right: Submission
) -> None:
    colab = (
        "try:\n    import autograder.student\nexcept ImportError:\n    %pip install -q x\n\n"
        'from autograder.student import Grader\n\ngrader = Grader("chain")'
    )
    found = numbered(right, IMPORT, colab, START, f"{colab}\nstart = 3.0")
    located = locate(ready.context.loaded.spec, found, ready.context.outline)
    assert located.given == {1, 2}


def test_of_copies_the_last_before_the_next_exercise_counts(
    grading: Grading, right: Submission
) -> None:
    def copy(source: str) -> NotebookCell:
        return msgspec.structs.replace(right.cells[START], source=source)

    cells = (IMPORT, copy("start = 1"), copy("start = 3.0"), MIDDLE, copy("start = 5"), ALONE)
    grade = grading(numbered(right, *cells))
    assert earned(grade) == WHOLE
    assert "'The start' is answered in cell 3 and again in cell 5, after another" in said(grade)
    assert "run again" not in said(grade)


@pytest.mark.parametrize("at", [1, 2, 5])
def test_a_blank_copy_is_no_answer_and_is_not_run(
    grading: Grading, right: Submission, ready: PreparedClass, at: int
) -> None:
    blank = msgspec.structs.replace(right.cells[START], source=ready.context.outline.cell("start"))
    assert "start = ..." in blank.source
    cells: list[NotebookCell | int] = [IMPORT, START, MIDDLE, SHOW, ALONE]
    cells.insert(at, blank)
    grade = grading(numbered(right, *cells))
    assert earned(grade) == WHOLE
    assert f"Cell {at + 1}: left blank and not run, because another cell answers" in said(grade)


def test_a_template_that_was_left_below_the_answers_undoes_nothing(
    grading: Grading, right: Submission, ready: PreparedClass
) -> None:
    """Its cells have other comments, and no tags."""
    spec, outline = ready.context.loaded.spec, ready.context.outline
    empty = f"# to do\n{outline.cell('start')}"
    answers = numbered(right, IMPORT, START, MIDDLE, SHOW, ALONE, empty, "alone = ...", "alone + 1")
    for cells in (answers.cells, tuple(map(bare, answers.cells))):
        found = msgspec.structs.replace(answers, cells=cells)
        located = locate(spec, found, outline)
        assert located.blank == {6, 7} and dict(located.keep_after)["start"] == 2
        grade = grading(found)
        assert earned(grade) == WHOLE and len(grade.submission.repairs) == 1


def test_an_empty_cell_is_run_when_only_another_exercise_defines_its_name(
    right: Submission, ready: PreparedClass
) -> None:
    """Two exercises ask for one class: the second hangs a method to it."""
    spec = ready.context.loaded.spec
    asked = (spec.exercise[0], spec.exercise[1].model_copy(update={"defines": ("start.more",)}))
    both = spec.model_copy(update={"exercise": asked})
    begin = "class start:\n    def f(self):\n        raise NotImplementedError"
    more = "def more(self):\n    raise NotImplementedError\nstart = add(start, more)"
    outline = Outline([TemplateCell("code", "start", begin), TemplateCell("code", "middle", more)])
    one, other = NotebookCell(1, "code", begin, "start"), NotebookCell(2, "code", more, "middle")
    filled = NotebookCell(2, "code", more.replace("raise NotImplementedError", "pass"), "middle")
    done = NotebookCell(1, "code", begin.replace("raise NotImplementedError", "pass"), "start")
    for cells in ((one, other), (one, filled), (done, other), (bare(one), bare(filled))):
        assert locate(both, numbered(right, *cells), outline).blank == frozenset()
    noted = NotebookCell(2, "code", f"# later\n{more}", "middle")
    mixed = (done, filled, one, noted)
    for four in (mixed, tuple(map(bare, mixed))):
        found = locate(both, numbered(right, *four), outline)
        assert found.blank == {3, 4} and dict(found.keep_after) == {"start": 1, "middle": 2}
        found = locate(both, numbered(right, *four[2:], *four[:2]), outline)
        assert found.blank == {1, 2} and dict(found.keep_after) == {"start": 3, "middle": 4}


def test_of_exercises_with_one_name_a_cell_is_that_of_the_one_it_looks_like(
    right: Submission, ready: PreparedClass
) -> None:
    spec = ready.context.loaded.spec
    asked = (spec.exercise[0], spec.exercise[1].model_copy(update={"defines": ("start.more",)}))
    both = spec.model_copy(update={"exercise": asked})
    begin, more = "class start:\n    size = 1", "def more(self):\n    pass\nstart.more = more"
    more += "\nstart = start"
    outline = Outline([TemplateCell("code", "start", begin), TemplateCell("code", "middle", more)])
    found = locate(both, numbered(right, begin, more, "start = None"), outline)
    assert found.keep_after == (("start", 1), ("middle", 2)) and not found.moved


def test_without_tags_a_scratch_cell_above_is_not_taken_for_the_answer(
    grading: Grading, right: Submission, ready: PreparedClass
) -> None:
    """Its name is used for something else, and another exercise stands between."""
    cells = [bare(right.cells[n]) for n in (IMPORT, START, MIDDLE, SHOW, ALONE)]
    found = numbered(right, *cells[:2], "alone = 'nobody'", *cells[2:])
    located = locate(ready.context.loaded.spec, found, ready.context.outline)
    assert dict(located.keep_after)["alone"] == 6 and not located.moved
    assert earned(grading(found)) == WHOLE


def test_many_cells_that_were_found_by_likeness_are_told_in_short() -> None:
    told = list(taken_for({n: (f"T{n}", "why") for n in range(5)}))
    assert told[0] == "Cell 0 was taken as the answer to 'T0': why."
    assert told[3:] == ["2 more cells were matched to other exercises in the same way."]


def test_the_blank_template_is_run(ready: PreparedClass, right: Submission) -> None:
    outline = ready.context.outline
    blank = [msgspec.structs.replace(c, source=outline.cell(c.exercise)) for c in right.cells]
    located = locate(ready.context.loaded.spec, numbered(right, *blank), outline)
    assert located.blank == frozenset() and located.notes == ()


# ---------------------------------------------------------------- given cells that are gone


def test_a_given_cell_that_is_needed_is_put_back(grading: Grading, right: Submission) -> None:
    grade = grading(numbered(right, TEXT_1, START, MIDDLE, SHOW, ALONE))
    assert earned(grade) == WHOLE
    assert "was missing and was restored: 'import math'" in said(grade)
    emptied = grading(numbered(right, "import os", START, MIDDLE, ALONE))
    assert earned(emptied) == WHOLE and "was restored" in said(emptied)


def test_what_nothing_needs_and_what_is_there_is_not_put_back(
    right: Submission, ready: PreparedClass
) -> None:
    outline = ready.context.outline
    for cells in ((IMPORT, START, MIDDLE, ALONE), (MIDDLE, ALONE), ("math = start = 1", MIDDLE)):
        found = numbered(right, *cells)
        assert restore_missing(found, outline) == found


def test_a_given_function_that_only_checks_call_is_put_back(right: Submission) -> None:
    given = Outline([TemplateCell("code", "", "def ask(x):\n    return Own().fit(x)")])
    mine = numbered(right, "class Own:\n    pass")
    assert restore_missing(mine, given) == mine
    found = restore_missing(mine, given, {"ask", "Own"})
    assert [c.number for c in found.cells] == [2, 1]


def test_a_given_cell_comes_with_what_it_needs_itself(right: Submission) -> None:
    cells = [
        TemplateCell("code", "", "import os as base"),
        TemplateCell("code", "", "def helper():\n    return base.sep"),
        TemplateCell("code", "x", "x = helper()  # answer"),
    ]
    found = restore_missing(numbered(right, "1", "y = helper()", "z = x"), Outline(cells))
    sources = [cells[0].source, cells[1].source, "1", "y = helper()", "z = x"]
    assert [c.source for c in found.cells] == sources
    assert [c.number for c in found.cells] == [4, 5, 1, 2, 3] and len(found.repairs) == 2
    assert [c.locked for c in found.cells] == [True, True, False, False, False]


def test_what_the_student_defines_again_comes_after_what_is_put_back(right: Submission) -> None:
    given = Outline([TemplateCell("code", "", "size = 3\nword = 'a'")])
    found = restore_missing(numbered(right, "size = 5", "print(size, word)"), given)
    assert [c.number for c in found.cells] == [3, 1, 2]


def test_what_builds_on_the_hand_in_is_put_back_where_it_is_used(right: Submission) -> None:
    given = Outline([TemplateCell("code", "", "table = make()\nshown = 1")])
    found = restore_missing(
        numbered(right, "def make(): return 1", "shown = 2", "print(table)"), given
    )
    assert [c.number for c in found.cells] == [1, 2, 4, 3]


@pytest.mark.parametrize("line", ["import not_there_at_all", "open('/home/student/data.csv')"])
def test_a_changed_given_cell_that_fails_costs_nobody_the_names_of_the_given_one(
    grading: Grading, right: Submission, line: str
) -> None:
    changed = f"{line}\n" + next(c.source for c in right.cells if c.number == IMPORT + 1)
    grade = grading(numbered(right, changed, START, MIDDLE, ALONE))
    assert earned(grade) == WHOLE
    assert "Cell 1 is a given cell that was changed and fails" in said(grade)


@pytest.mark.parametrize(
    ("cells", "failed"),
    [
        (["import math, nope", "math.pi"], ()),  # nothing failed
        (["import math, nope", "1 / 0", "math.pi"], (2,)),  # it did not fail
        (["import math", "import nope, math", "math.pi"], (2,)),  # the template's is there
        (["import nope", "math.pi"], (1,)),  # it has none of the names
        (["import math, nope", "1"], (1,)),  # nothing uses them
    ],
    ids=repr,
)
def test_nothing_runs_before_other_cells(
    right: Submission, cells: list[str], failed: tuple[int, ...]
) -> None:
    given = Outline([TemplateCell("code", "", "import math")])
    assert insert_originals(numbered(right, *cells), given, failed) is None
    found = insert_originals(numbered(right, "import math, nope", "math.pi"), given, (1,))
    assert found is not None and [c.number for c in found.cells] == [3, 1, 2]


def test_a_cells_warning_filters_are_its_own(grading: Grading, right: Submission) -> None:
    strict = "import warnings\nwarnings.simplefilter('error')"
    warns = "import warnings\nwarnings.warn('old')\nalone = 7"
    assert earned(grading(numbered(right, IMPORT, strict, START, MIDDLE, warns))) == WHOLE
    both = grading(numbered(right, IMPORT, START, MIDDLE, f"{strict}\n{warns}"))
    assert earned(both) == {**WHOLE, "alone": 0}


# ---------------------------------------------------------------- stamps, and the outline


def test_a_notebook_of_another_assignment_or_version_is_told(
    grading: Grading, right: Submission
) -> None:
    stamp = TemplateStamp("another", "1")
    grade = grading(msgspec.structs.replace(right, stamp=stamp))
    assert earned(grade) == WHOLE and "stamped for the assignment 'another'" in said(grade)
    mine = TemplateStamp("chain", "a")
    told = list(template_notes(mine, assignment="chain", released=TemplateStamp("chain", "b")))
    assert len(told) == 1 and "version a of the template; the current version is b" in told[0]
    assert not list(template_notes(mine, assignment="chain", released=mine))
    assert not list(template_notes(None, assignment="chain", released=mine))


def test_an_outline_holds_no_answer(right: Submission, ready: PreparedClass) -> None:
    made = outline_of(right, ready.context.loaded.spec)
    text = "\n".join(cell.source for cell in made)
    assert "sqrt" not in text and "# In the middle" in text
    wrong = msgspec.structs.replace(right.cells[START], source="# BEGIN SOLUTION\nstart = 3")
    (cell,) = outline_of(numbered(right, wrong), ready.context.loaded.spec)[1:2]
    assert cell == TemplateCell("code", "start", "")
