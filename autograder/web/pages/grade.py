"""Grade (graders): one written answer after the other, of all students.

What is recorded are the decisions that `autograder gradebook points` records.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal, InvalidOperation
from threading import Lock

from markupsafe import Markup
from starlette.responses import Response

from autograder.assignment.model import POINT, Assignment
from autograder.classroom.feedback_pages import page_today
from autograder.gradebook.decisions import Decision
from autograder.gradebook.standings import counter_of
from autograder.interop.marksheet.answers import comments_before, decisions_of
from autograder.interop.marksheet.model import AnswerRow, PointsChange, Task
from autograder.reports.feedback.page_body import markdown_filter
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
    view, services, who = _view(visit), visit.services, visit.who.person
    skipped = visit.request.query_params.get("after", "")
    for key in view.after(skipped):
        row = view.rows[key]
        # guard: two graders never meet the same answer
        if row.points is None and services.claims.take(view.assignment.id, row.key, who):
            return go_to(f"{view.path}/{key}")
    return visit.page("grade_done.html.j2", view=view, skipped=skipped in view.rows)


def answer(visit: Visit) -> Response:
    """One answer, with what it can be given."""
    view = _view(visit)
    return _answer_page(visit, view, visit.part("answer"))


def record(visit: Visit) -> Response:
    """Record points and a comment, and go on to the next answer."""
    view, key, services = _view(visit), visit.part("answer"), visit.services
    row, who = _row(view, key), visit.who.person
    if not services.claims.take(view.assignment.id, row.key, who):
        return _answer_page(visit, view, key)
    # guard: a decision that somebody else has made meanwhile is not replaced unseen
    if visit.sent("seen") != _seen(row):
        problem = "Somebody has graded this answer since this page was opened. Look again."
        return _answer_page(visit, view, key, problem=problem, status=409)
    amount = _amount(visit.sent("points"), visit.sent("adjustment"))
    if amount is None or not 0 <= amount <= row.max_points:
        problem = f"Choose points from 0 to {row.max_points / POINT:g}, adjustment included."
        return _answer_page(visit, view, key, problem=problem, status=422)
    change = PointsChange(row, amount, _comment(visit))
    now = datetime.now(UTC)
    made = decisions_of([change], assignment=view.assignment.id, who=who, why=WHY, at=now)
    services.store.decide(list(made))
    services.claims.release(view.assignment.id, row.key, who)
    return go_to(f"{view.path}?after={key}")


def whole_page(visit: Visit) -> Response:
    """The student's whole feedback page with code and figures, for a frame."""
    view = _view(visit)
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
    choices = _choices(row.max_points)
    given = row.points if row.points is not None else None
    chosen = max((c.amount for c in choices if given is not None and c.amount <= given), default=0)
    text = services.answers.text(view.assignment, row)
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
        adjustment=(given - chosen) if given is not None else 0,
        seen=_seen(row),
        earlier=keys[at - 1] if at else "",
        hide=hides_names(visit),
        problem=problem,
        status=status,
    )


def _view(visit: Visit) -> TaskView:
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
    except InvalidOperation:
        return None
    if not total.is_finite() or abs(total) > 10**6 or total * POINT != int(total * POINT):
        return None
    return int(total * POINT)


def _comment(visit: Visit) -> str:
    """The comment, with an earlier one that was chosen."""
    written = visit.sent("comment").replace("\r\n", "\n").strip()
    earlier = visit.sent("earlier").replace("\r\n", "\n").strip()
    if len(written) > 10_000:
        raise RefusedError(422, "This comment is too long.")
    return written if earlier in written else "\n".join(filter(None, (written, earlier)))


def _seen(row: AnswerRow) -> str:
    """What a page shows as given, to notice a change."""
    return f"{row.points}/{row.comment}"


def hides_names(visit: Visit) -> bool:
    """Whether this grader wants to see no names."""
    return visit.request.cookies.get(NAMES, "") == "1"
