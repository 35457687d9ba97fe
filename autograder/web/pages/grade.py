"""Grade (graders): one written answer after the other, of all students.

What is recorded are the decisions that `autograder gradebook points` records.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation, Overflow
from threading import Lock

from markupsafe import Markup
from starlette.responses import Response

from autograder.assignment.model import POINT, Assignment
from autograder.classroom.feedback_pages import page_today
from autograder.gradebook.decisions import Decision
from autograder.gradebook.rounding import written
from autograder.gradebook.standings import counter_of
from autograder.interop.marksheet.answers import comments_before, decisions_of
from autograder.interop.marksheet.model import AnswerKey, AnswerRow, Chosen, PointsChange, Task
from autograder.reports.feedback.page_body import markdown_filter
from autograder.web.answers import normalized
from autograder.web.visit import NotHereError, RefusedError, Visit, framed, go_to

NAMES = "autograder_hide_names"  # a cookie
WHY = "graded in the browser"
WHOLE_STEPS = 9  # points on digit keys; of more points, every fifth part
OTHER_STEPS = 5
_RENDERING = Lock()  # the Markdown parser is not thread-safe


@dataclass(frozen=True, slots=True)
class TaskView:
    """A question with the answers to it, by their keys. ``held``: by other graders, with whom."""

    assignment: Assignment
    exercise: str
    task: str
    title: str
    rows: dict[str, AnswerRow]
    held: dict[str, str]
    comments: tuple[str, ...]

    @property
    def path(self) -> str:
        return f"/grade/{self.assignment.id}/{self.exercise}/{self.task}"

    @property
    def outdated(self) -> list[OutdatedPoints]:
        """The answers whose items are worth something else today."""
        return [
            OutdatedPoints(key, row, today, max(0, min(row.max_points, amount)))
            for key, row in self.rows.items()
            if row.chosen != (today := row.with_items({item for item, _ in row.chosen}))
            for amount in (row.sum_of(today) + row.adjustment,)
        ]

    def alike(self, key: str, texts: Mapping[AnswerKey, str]) -> list[AnswerRow]:
        """The other answers without points that say the same."""
        same = normalized(texts.get(self.rows[key].key, ""))
        return [
            row
            for other, row in self.rows.items()
            if other != key and row.points is None
            # an answer that cannot be found is like no other
            if same and normalized(texts.get(row.key, "")) == same
        ]

    @property
    def left(self) -> int:
        """How many answers have no points yet."""
        return sum(row.points is None for row in self.rows.values())

    def after(self, key: str) -> list[str]:
        """The keys behind this one, and then those in front of it."""
        keys = list(self.rows)
        return [k for k in keys if k > key] + [k for k in keys if k < key]


@dataclass(frozen=True, slots=True)
class PointsChoice:
    """Points on a digit key, in thousandths."""

    key: int
    amount: int


@dataclass(frozen=True, slots=True)
class OutdatedPoints:
    """An answer that was given rubric items with other points than they have today."""

    key: str
    row: AnswerRow
    chosen: Chosen
    points: int


def tasks(visit: Visit) -> Response:
    """Every question that is graded by hand, and how many answers are left."""
    found = [
        view
        for assignment in visit.services.course.assignments().values()
        for view in _views(visit, assignment)
    ]
    return visit.page("grade_tasks.html.j2", tasks=found, hide=hides_names(visit))


def set_names(visit: Visit) -> Response:
    """Show or hide the students' names."""
    response = go_to("/grade")
    hidden = "1" if visit.sent("hide") else ""
    response.set_cookie(NAMES, hidden, httponly=True, samesite="lax")
    return response


def next_answer(visit: Visit) -> Response:
    """Claim the next answer without points and go there; ``?after=KEY`` skips that one."""
    view, services, who = task_view(visit), visit.services, visit.who.person
    skipped = visit.request.query_params.get("after", "")
    for key in view.after(skipped):
        row = view.rows[key]
        if row.points is None and services.claims.take(view.assignment.id, row.key, who):
            return go_to(f"{view.path}/{key}")
    return visit.page("grade_done.html.j2", view=view, skipped=skipped in view.rows)


def answer(visit: Visit) -> Response:
    """One answer, with what it can be given."""
    view = task_view(visit)
    return _answer_page(visit, view, visit.part("answer"))


def record(visit: Visit) -> Response:
    """Record points and a comment, and go on to the next answer."""
    view, key, services = task_view(visit), visit.part("answer"), visit.services
    row, who = _row(view, key), visit.who.person
    if not services.claims.take(view.assignment.id, row.key, who):
        return _answer_page(visit, view, key)
    # A decision that somebody else has made meanwhile is not replaced unseen.
    if visit.sent("seen") != _seen(row):
        problem = "Somebody has graded this answer since this page was opened. Look again."
        return _answer_page(visit, view, key, problem=problem, status=409)
    chosen, none = _chosen(visit, row), bool(visit.sent("item-none"))
    if row.items and none == bool(chosen):
        problem = "Choose rubric items, or that none fits."
        return _answer_page(visit, view, key, problem=problem, status=422)
    points = written(row.sum_of(chosen), decimals=3) if row.items else visit.sent("points")
    amount = _amount(points, visit.sent("adjustment"))
    if amount is None or not 0 <= amount <= row.max_points:
        problem = f"Choose points from 0 to {row.max_points / POINT:g}, adjustment included."
        return _answer_page(visit, view, key, problem=problem, status=422)
    comment, assignment = _comment(visit), view.assignment.id
    changes = [PointsChange(row, amount, comment, chosen)]
    if visit.sent("alike"):
        changes += [
            PointsChange(other, amount, comment, chosen)
            for other in view.alike(key, services.answers.texts(view.assignment))
            # An answer that another grader has meanwhile is left to them.
            if services.claims.take(assignment, other.key, who)
        ]
    made = decisions_of(changes, assignment=assignment, who=who, why=WHY, at=datetime.now(UTC))
    services.store.decide(list(made))
    for change in changes:
        services.claims.release(assignment, change.before.key, who)
    return go_to(f"{view.path}?after={key}")


def whole_page(visit: Visit) -> Response:
    """The student's whole feedback page with code and figures, for a frame."""
    view = task_view(visit)
    student, assignment = _row(view, visit.part("answer")).student, view.assignment
    grade = next(one for one in visit.services.grades.of(assignment) if one.student == student)
    page = page_today(
        visit.services.course.results(assignment.id),
        assignment,
        grade,
        counter_of(visit.services.store, assignment)(student, grade),
        nameless=hides_names(visit),
    )
    if not page:
        raise NotHereError
    return framed(page)


def _answer_page(
    visit: Visit, view: TaskView, key: str, *, problem: str = "", status: int = 200
) -> Response:
    row, services = _row(view, key), visit.services
    if not services.claims.take(view.assignment.id, row.key, visit.who.person):
        holder = view.held.get(key, "another grader")
        return visit.page("grade_held.html.j2", view=view, key=key, holder=holder, status=409)
    choices, given = ([] if row.items else _choices(row.max_points)), row.points
    chosen = max((c.amount for c in choices if given is not None and c.amount <= given), default=0)
    texts = services.answers.texts(view.assignment)
    text = texts.get(row.key, "")
    with _RENDERING:
        shown = Markup(markdown_filter()(text))  # noqa: S704  cleaned there
    keys = list(view.rows)
    at = keys.index(key)
    return visit.page(
        "grade_answer.html.j2",
        view=view,
        key=key,
        row=row,
        shown=shown if text else "",
        choices=choices,
        chosen=chosen if given is not None else None,
        adjustment=0 if given is None else row.adjustment if row.items else given - chosen,
        alike=len(view.alike(key, texts)),
        seen=_seen(row),
        earlier=keys[at - 1] if at else "",
        hide=hides_names(visit),
        problem=problem,
        status=status,
    )


def task_view(visit: Visit) -> TaskView:
    """The question in the address."""
    assignment = visit.services.course.assignments().get(visit.part("assignment"))
    wanted = (visit.part("exercise"), visit.part("task"))
    for view in _views(visit, assignment) if assignment is not None else ():
        if (view.exercise, view.task) == wanted:
            return view
    raise NotHereError


def _views(visit: Visit, assignment: Assignment) -> list[TaskView]:
    """The questions of an assignment to which there are answers."""
    services = visit.services
    decisions: tuple[Decision, ...] = services.store.decisions(assignment.id)
    rows = services.answers.rows(assignment, decisions)
    held = services.claims.of_others(assignment.id, visit.who.person)
    comments = comments_before(decisions)
    titles = {(e.id, c.id): (e.title, c.title) for e in assignment.exercise for c in e.check}
    by_task: dict[Task, dict[str, AnswerRow]] = {}
    for key, row in rows.items():
        if not row.hidden:  # its points do not count
            by_task.setdefault((row.exercise, row.task), {})[key] = row
    return [
        TaskView(
            assignment,
            *task,
            title=": ".join(dict.fromkeys(t for t in titles[task] if t)),
            rows=found,
            held={key: held[row.key] for key, row in found.items() if row.key in held},
            comments=tuple(comments.get(task, ())),
        )
        for task, found in sorted(by_task.items())
    ]


def _row(view: TaskView, key: str) -> AnswerRow:
    if key not in view.rows:
        raise NotHereError
    return view.rows[key]


def _choices(most: int) -> list[PointsChoice]:
    """What the digit keys give."""
    if most <= WHOLE_STEPS * POINT:
        amounts = sorted({*range(0, most + 1, POINT), most})
    else:
        amounts = [most * part // OTHER_STEPS for part in range(OTHER_STEPS + 1)]
    return [PointsChoice(key, amount) for key, amount in enumerate(amounts)]


def _amount(points: str, adjustment: str) -> int | None:
    """The sum in thousandths; None if one is no number with at most three decimals."""
    try:
        total = sum((Decimal(t.replace(",", ".")) for t in (points, adjustment or "0")), Decimal(0))
    except (InvalidOperation, Overflow):
        return None
    if not total.is_finite() or abs(total) > 10**6 or total * POINT != int(total * POINT):
        return None
    return int(total * POINT)


def _chosen(visit: Visit, row: AnswerRow) -> Chosen:
    """The rubric items of the form."""
    return row.with_items({item.id for item in row.items if visit.sent(f"item-{item.id}")})


def _comment(visit: Visit) -> str:
    """The comment, with an earlier one that was chosen."""
    typed = visit.sent("comment").replace("\r\n", "\n").strip()
    earlier = visit.sent("earlier").replace("\r\n", "\n").strip()
    if len(typed) > 10_000:
        raise RefusedError(422, "This comment is too long.")
    return typed if earlier in typed else "\n".join(filter(None, (typed, earlier)))


def _seen(row: AnswerRow) -> str:
    """What a page shows as given, to notice a change."""
    return f"{row.points}/{row.comment}" + "".join(f"/{item}" for item, _ in row.chosen)


def hides_names(visit: Visit) -> bool:
    """Whether this grader wants to see no names."""
    return visit.request.cookies.get(NAMES, "") == "1"
