"""Finds, for each exercise, its cells and the cell after which its names are read.

The rule. A tag (cell metadata) starts a span that lasts until a cell of another exercise. An
exercise without any tag (lost metadata) is marked instead by each untagged cell that defines one of
its names; if there is none, by the cell that looks most like its cell in the template or, if it has
names, follows its text or has its cell id. The code cells of its spans belong to an exercise,
except given ones (locked and untagged, or the template's own).

If several cells define a name, the last one before the next exercise counts: names are read after
the first span by whose end all of them are defined, at its last cell that defines or changes one. A
cell without its tag that is the first to define a name of another untagged exercise ends a span
too: several exercises may be answered in one cell, and names be used again in the next.

If the exercise's own cells define none: after the last one that changes what another cell has
defined above it; failing that, in the same way among all cells (first those neither given nor
tagged for another exercise, then all that are not given, then all), or after its last tagged cell
that follows and mentions one; failing that, after its last tagged cell; failing that, never (0).

Not covered: an object that is only changed inside a function to which it is passed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import msgspec

from autograder.assignment.model import Assignment
from autograder.notebook.structure.depends import EarlyUse, dependencies, mended
from autograder.notebook.structure.names import CellNames
from autograder.notebook.structure.notes import stands_again, taken_for, told_blank
from autograder.notebook.structure.outline import NO_OUTLINE, Outline, likeliest
from autograder.notebook.structure.scanned import ScannedCell, left_blank, lost, scan
from autograder.notebook.structure.text_answers import TextAnswer, text_answers
from autograder.notebook.submission import NotebookCell, Submission
from autograder.wire import messages
from autograder.wire.messages import Cell

GIVEN = messages.GIVEN


@dataclass(frozen=True, slots=True)
class Located:
    """``keep_after``: (exercise id, cell number or 0), in the assignment's order. ``owners``: for
    each exercise the numbers of the code cells that belong to it. ``given``: the template's own;
    ``text``: its text cells.
    ``blank``: cells that are left empty, of exercises that another cell answers; they are not run.
    ``texts``: the answers that are text, by exercise; none of their cells is run.
    ``unanswered``: exercises with no cell filled in.

    ``builds_on``: for a code cell those whose names it uses. ``early``: names that may be used
    above their definition. ``moved``: known cells are in another order than in the template.
    ``order``: the code cells in an order that fixes either; empty if there is none. ``notes``:
    other differences from the template, in sentences.
    """

    keep_after: tuple[tuple[str, int], ...]
    owners: Mapping[str, tuple[int, ...]]
    given: frozenset[int] = frozenset()
    blank: frozenset[int] = frozenset()
    builds_on: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    early: tuple[EarlyUse, ...] = ()
    moved: bool = False
    order: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    unanswered: frozenset[str] = frozenset()
    text: frozenset[int] = frozenset()
    texts: Mapping[str, TextAnswer] = field(default_factory=dict)

    @property
    def untouched(self) -> frozenset[int]:
        """The cells that are as in the template: text, given code and answers left blank."""
        empty = (self.owners[exercise] for exercise in self.unanswered)
        return self.given.union(self.text, self.blank, *empty)

    @property
    def answers(self) -> dict[str, int]:
        """The cell of each exercise beside which its result is shown, or 0: the one after which its
        values are read; if that is as in the template, the last that is not."""
        untouched, found = self.untouched | {0}, dict[str, int]()
        for exercise, keep in self.keep_after:
            own = self.owners[exercise]
            filled = [
                number for number in (keep, *sorted(own, reverse=True)) if number not in untouched
            ]
            found[exercise] = next(iter(filled), keep or max(own, default=0))
        return found


@dataclass(frozen=True, slots=True)
class _Answer:
    """An exercise with the names that it defines and the cells of its spans."""

    exercise: str
    names: frozenset[str]
    cells: tuple[ScannedCell, ...]

    @property
    def tagged(self) -> list[ScannedCell]:
        """Its cells that still have its tag."""
        return [cell for cell in self.cells if cell.tag == self.exercise]

    @property
    def defining(self) -> list[int]:
        """The numbers of its cells that define any of its names."""
        return [cell.number for cell in self.cells if cell.names.defined & self.names]

    @property
    def changing(self) -> list[int]:
        """The numbers of its cells that change any of its names."""
        return [cell.number for cell in self.cells if cell.names.changed & self.names]


def locate(
    assignment: Assignment, submission: Submission, outline: Outline = NO_OUTLINE
) -> Located:
    """Where each exercise of the assignment is in a notebook; see the rule above."""
    texts = text_answers(assignment, submission, outline)
    submission = _without_code(submission, texts)
    wanted = {
        exercise.id: frozenset(name.split(".")[0] for name in exercise.defines)
        for exercise in assignment.exercise
        if exercise.in_code
    }
    titles = {exercise.id: exercise.title for exercise in assignment.exercise}
    scanned = scan(submission, wanted, outline)
    blank = frozenset(left_blank(scanned, wanted, outline))
    nothing = CellNames(frozenset())
    scanned = tuple(replace(one, names=nothing) if one.number in blank else one for one in scanned)
    guessed = _guessed(scanned, wanted, submission, outline)
    opened = _opened(scanned, wanted)
    cells = tuple(_owned(scanned, wanted, guessed, outline, opened))
    keeps, owners = dict[str, int](), dict[str, tuple[int, ...]]()
    again: dict[str, tuple[int, int]] = {}
    for exercise, names in wanted.items():
        own = _Answer(exercise, names, tuple(cell for cell in cells if cell.owner == exercise))
        like = () if own.tagged else _alike(own, outline)
        others = frozenset(n for n, opens in opened.items() if opens - {exercise})
        others -= {cell.number for cell in own.tagged}
        keep = _keep_cell(own, cells, like, others)
        keeps[exercise] = keep
        numbers = {cell.number for cell in own.cells} | ({keep} if keep else set())
        owners[exercise] = tuple(sorted(numbers))
        if later := _defined_again(own, keep):
            again[titles[exercise]] = (keep, later)
    for exercise, answer in texts.items():
        owners[exercise] = tuple(sorted({*owners.get(exercise, ()), *answer.cells}))
    notes = [*stands_again(again)]
    notes += taken_for({n: (titles[exercise], why) for n, (exercise, why) in guessed.items()})
    notes += told_blank(blank)
    found = dependencies([cell for cell in submission.cells if cell.number not in blank])
    cells = tuple(cell for cell in cells if cell.number not in blank)
    order, moved = mended(cells, keeps, outline)
    return Located(
        tuple((exercise.id, keeps.get(exercise.id, 0)) for exercise in assignment.exercise),
        {exercise.id: owners.get(exercise.id, ()) for exercise in assignment.exercise},
        frozenset(cell.number for cell in cells if cell.given),
        blank,
        {number: others for number, others in found.builds_on.items() if others},
        found.early,
        moved,
        order if moved or found.early else (),
        tuple(notes),
        frozenset(_unanswered(owners, submission, outline)),
        frozenset(
            cell.number
            for cell in submission.cells
            if cell.kind != "code" and outline.has_text(cell.source)
        ),
        texts,
    )


def _without_code(submission: Submission, texts: Mapping[str, TextAnswer]) -> Submission:
    """The submission with the cells of these answers as text, also those turned into code."""
    numbers = {number for answer in texts.values() for number in answer.cells}
    cells = (
        msgspec.structs.replace(cell, kind="markdown") if cell.number in numbers else cell
        for cell in submission.cells
    )
    return msgspec.structs.replace(submission, cells=tuple(cells)) if numbers else submission


def _unanswered(
    owners: Mapping[str, Collection[int]], submission: Submission, outline: Outline
) -> Iterator[str]:
    sources = {cell.number: cell.source for cell in submission.cells}
    for exercise, numbers in owners.items():
        if numbers and all(outline.is_blank(exercise, sources[number]) for number in numbers):
            yield exercise


def owned_cells(submission: Submission, located: Located) -> tuple[Cell, ...]:
    """The code cells as they are sent into the sandbox, each with the exercise that owns it.

    A cell that belongs to two exercises (answers written into one cell) keeps its own tag.
    """
    owner = {number: exercise for exercise, numbers in located.owners.items() for number in numbers}
    submission = _without_code(submission, located.texts)
    return tuple(
        Cell(
            number=cell.number,
            source=cell.source,
            exercise=_tag(cell, located)
            or owner.get(cell.number, GIVEN if cell.number in located.given else ""),
        )
        for cell in submission.cells
        if cell.kind == "code" and cell.number not in located.blank
    )


def _tag(cell: NotebookCell, located: Located) -> str:
    own = located.owners.get(cell.exercise, ())
    return cell.exercise if cell.number in own else ""


def up_to(exercise: str, cells: tuple[Cell, ...], located: Located) -> tuple[Cell, ...]:
    """The cells that an exercise may need: all up to its last one, and the given ones that follow,
    which may complete what it defines."""
    end = max([dict(located.keep_after)[exercise], *located.owners[exercise]])
    for cell in cells:
        if cell.number > end and cell.exercise not in ("", GIVEN):
            return tuple(c for c in cells if c.number < cell.number)
    return cells


def _owned(
    scanned: tuple[ScannedCell, ...],
    wanted: Mapping[str, frozenset[str]],
    guessed: Mapping[int, tuple[str, str]],
    outline: Outline,
    opened: Mapping[int, frozenset[str]],
) -> Iterator[ScannedCell]:
    """The cells with their exercise: the one whose span contains them."""
    untagged = lost(scanned, wanted)
    owner = ""
    for one in scanned:
        if not one.given:
            guess = guessed.get(one.number, ("", ""))[0]
            opens = opened.get(one.number, frozenset())
            owner = one.tag or _marked(one, untagged, outline, opens) or guess or owner
        yield replace(one, owner="" if one.given else owner)


def _opened(
    scanned: Sequence[ScannedCell], wanted: Mapping[str, frozenset[str]]
) -> dict[int, frozenset[str]]:
    """For each cell that is the first to define names of untagged exercises, these exercises."""
    left = dict(lost(scanned, wanted))
    opened = {}
    for one in scanned:
        begun = frozenset(
            e for e, names in left.items() if not one.given and one.names.defined & names
        )
        if begun:
            opened[one.number] = begun
        left = {exercise: names for exercise, names in left.items() if exercise not in begun}
    return opened


def _guessed(
    scanned: tuple[ScannedCell, ...],
    wanted: Mapping[str, frozenset[str]],
    submission: Submission,
    outline: Outline,
) -> dict[int, tuple[str, str]]:
    """Cells of exercises that neither a tag nor a name identifies: the exercise, and the reason."""
    untagged = lost(scanned, wanted)
    free = [one for one in scanned if one.compared and not one.tag and not one.given]
    free = [one for one in free if not _marked(one, untagged, outline)]
    before = _texts(submission)
    guessed: dict[int, tuple[str, str]] = {}
    for exercise, names in untagged.items():
        if any(one.names.defined & names for one in scanned):
            continue
        left = [one.cell for one in free if one.number not in guessed]
        number, why = likeliest(outline, exercise, left, before if names else None)
        if number:
            guessed[number] = (exercise, why)
    return guessed


def _texts(submission: Submission) -> dict[int, str]:
    """For each code cell directly after a text, that text."""
    found, text = {}, ""
    for cell in submission.cells:
        if cell.kind == "code" and text:
            found[cell.number] = text
        text = "" if cell.kind == "code" else cell.source
    return found


def _marked(
    one: ScannedCell,
    untagged: Mapping[str, frozenset[str]],
    outline: Outline,
    opens: Collection[str] = (),
) -> str:
    """The untagged exercise most of whose names a cell defines; of equals the one whose cell in the
    template it looks like, else one of those that it ``opens``, else the first."""
    count = {exercise: len(one.names.defined & names) for exercise, names in untagged.items()}
    most = max(count.values(), default=0)
    best = [exercise for exercise in count if most and count[exercise] == most]
    if len(best) > 1:
        source = one.cell.source if one.compared else ""
        return max(best, key=lambda e: (outline.alike(e, source), e in opens))
    return best[0] if best else ""


def _keep_cell(
    own: _Answer,
    cells: Sequence[ScannedCell],
    like: Collection[int],
    others: Collection[int],
) -> int:
    """The number of the cell after which an exercise is kept, 0 for none. ``like``: those of its
    cells that look like the template's; ``others``: the cells that end its spans."""
    names = own.names
    if kept := _last_of_span(names, _spans(cells, own.cells, others), like):
        return kept
    defined = [cell.number for cell in cells if cell.names.defined & names]
    changed = own.changing
    if defined and changed and defined[0] < changed[-1]:
        return changed[-1]
    choices: tuple[Callable[[ScannedCell], bool], ...] = (
        lambda one: not one.given and not one.tag,
        lambda one: not one.given,
        lambda one: True,
    )
    for allowed in choices:
        found = [cell for cell in cells if allowed(cell) and cell.names.defined & names]
        if found:
            start = _last_of_span(names, _spans(cells, found, others), ())
            return _last_change(own, cells, start)
    return max((cell.number for cell in own.tagged or own.cells), default=0)


def _last_of_span(
    names: frozenset[str], spans: Sequence[Sequence[ScannedCell]], like: Collection[int]
) -> int:
    """The last cell that defines or changes one of these names, in the first span by whose end all
    names that are defined anywhere are defined and, if there is one, a cell ``like`` the template's
    has occurred."""
    missing = frozenset().union(*(one.names.defined for span in spans for one in span)) & names
    last, reached = 0, not like
    for span in spans if missing else ():
        for one in span:
            reached = reached or one.number in like
            if (one.names.defined | one.names.changed) & names:
                last = one.number
            missing -= one.names.defined
        if reached and not missing:
            return last
    return 0


def _last_change(own: _Answer, cells: Sequence[ScannedCell], start: int) -> int:
    """The last of an exercise's own cells from ``start`` on that changes its names; a tagged one
    may do so in a way that its text does not show, unless they are defined again before it."""
    names, changing = own.names, set(own.changing)
    tagged = {cell.number for cell in own.tagged if _mentions(cell, names)}
    last, again = start, False
    for cell in cells:
        if cell.number > start:
            # An answer is not read after it is defined again.
            again = again or bool(cell.names.defined & names)
            # An answer that the exercise's own cell finishes is read after it.
            if cell.number in changing or (cell.number in tagged and not again):
                last = cell.number
    return last


def _mentions(one: ScannedCell, names: frozenset[str]) -> bool:
    """Whether a cell's text contains one of these names."""
    words = "|".join(map(re.escape, names))
    return re.search(rf"\b(?:{words})\b", one.cell.source) is not None


def _alike(own: _Answer, outline: Outline) -> tuple[int, ...]:
    """An exercise's own cells that define its names and look like its template cell."""
    found = (one for one in own.cells if one.compared and one.names.defined & own.names)
    return tuple(one.number for one in found if outline.is_of(own.exercise, one.cell.source))


def _spans(
    cells: Sequence[ScannedCell], own: Sequence[ScannedCell], others: Collection[int]
) -> list[list[ScannedCell]]:
    """An exercise's cells, in parts: a cell of another exercise is between two of them, or the
    second opens another."""
    numbers, owners = {one.number for one in own}, {one.owner for one in own}
    spans: list[list[ScannedCell]] = [[]]
    for cell in cells:
        foreign = cell.owner and not cell.given and cell.owner not in owners
        # Names that the next exercise's cell uses again are not read.
        if spans[-1] and (cell.number in others or foreign):
            spans.append([])
        if cell.number in numbers:
            spans[-1].append(cell)
    return [span for span in spans if span]


def _defined_again(own: _Answer, keep: int) -> int:
    """The last of an exercise's own cells that defines its names after the one that counts."""
    return max((number for number in own.defining if keep and number > keep), default=0)
