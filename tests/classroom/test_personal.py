"""Values of a student's own: drawn from a secret, given out as files, graded on the same values."""

from __future__ import annotations

import itertools
import shutil
import stat
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pytest

from autograder.assignment.load import Loaded, load, make_cases
from autograder.assignment.pretrained import prepare
from autograder.authoring.personal_files import write_personal_files
from autograder.classroom import boxes
from autograder.classroom.known_mistakes import read_solution
from autograder.classroom.personal import with_personal
from autograder.classroom.personal_values import (
    CourseSecret,
    digest_of,
    give,
    new_secret,
    read_secret,
    secret_path,
)
from autograder.classroom.reference import make_context, prepare_reference
from autograder.classroom.results_folder import KeptSubmission
from autograder.errors import SpecError, StoreError, UsageError
from autograder.execution.engines.local import Inline
from autograder.gradebook.grade import Grade
from autograder.gradebook.store import GradeStore
from autograder.grading.context import PreparedClass
from autograder.interop.gradescope.export import PackageOptions, made_package
from autograder.interop.nbgrader.export import course_export
from autograder.interop.otter.export.export import otter_assignment
from autograder.interop.pytest.course import SessionAssignment, SessionOptions
from autograder.mutation.mutants import mutants_of
from autograder.notebook.formats.read import read
from autograder.pipeline import grade_submission
from autograder.sandbox import lazy
from autograder.wire.convert import data_from_wire
from tests.support.courses import write_course
from tests.support.in_process import Lent, command, done
from tests.support.personal_course import FILES, ID, RIGHT, centred, notebook, values_in
from tests.support.tiny_course import edit

pytestmark = pytest.mark.usefixtures("lent_box")

IDS = ("1", "01", "1 ", "s1", "S1", "ab", "a", "é", "e", "Zoë", "學生", "🙂", "a\u200bb", "c" * 200)
DECOMPOSED = unicodedata.normalize("NFD", "Zoë")


@pytest.fixture
def course(tmp_path: Path) -> Loaded:
    return write_course(tmp_path / "course", FILES)


# ---------------------------------------------------------------- values and the secret


def test_no_two_ids_have_the_same_values(course: Loaded) -> None:
    secret = new_secret()
    assert len({digest_of(secret.values(course, id_)) for id_ in IDS}) == len(IDS)
    assert secret.values(course, "s1") == secret.values(course, "s1")
    assert secret.values(course, DECOMPOSED) == secret.values(course, "Zoë")
    with pytest.raises(UsageError, match="twice"):
        give(course, [DECOMPOSED, "Zoë"])


def test_no_text_is_two_things_at_once() -> None:
    """Wherever one of the three texts ends and the next begins, the seed is another."""
    secret, text = new_secret(), "aabab\x00a1:"
    cuts = itertools.combinations_with_replacement(range(len(text) + 1), 2)
    parts = [(text[:a], text[a:b], text[b:]) for a, b in cuts]
    assert len({secret.seed(*three) for three in parts}) == len(parts)
    assert all(seed < 2**256 for seed in (secret.seed(*three) for three in parts))


def test_another_secret_or_assignment_gives_other_values(course: Loaded) -> None:
    one, other = new_secret(), new_secret()
    assert one.values(course, "s1") != other.values(course, "s1")
    renamed = replace(course, spec=course.spec.model_copy(update={"id": "later"}))
    assert one.values(course, "s1") != one.values(renamed, "s1")
    # nor are they the class's own, which the seed of a run gives
    assert one.values(course, "s1")[0][1] != make_cases(course, 5)["measurements"][0]


def test_the_secret_is_made_once_and_is_the_users_alone(course: Loaded) -> None:
    first, _ = give(course, ["s1"])
    path = secret_path(course)
    assert path == course.solutions.parent / "personal.secret"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.parent in boxes.hidden_from_all(course)
    second, changed = give(course, ["s2", "s1"])
    assert second["s1"] == first["s1"] and not changed
    assert read_secret(course).students(ID) == ("s1", "s2")
    inputs = course.folder / "inputs.py"
    inputs.write_text(inputs.read_text().replace("size=6", "size=7"))
    assert give(load(course.folder), ["s1"])[1] == 1


def test_a_secret_that_is_lost_or_damaged_is_named_with_the_remedy(course: Loaded) -> None:
    with pytest.raises(
        UsageError, match=r"personal\.secret does not exist.*Restore it.*release own"
    ):
        read_secret(course)
    give(course, ["s1"])
    path = secret_path(course)
    for broken in ("", '{"format": "autograder-secret/1", "secret": "00"}', "[1]"):
        path.write_text(broken)
        with pytest.raises(StoreError, match=r"personal\.secret: cannot be read"):
            give(course, ["s1"])


def test_a_file_holds_what_its_student_is_graded_on(course: Loaded, tmp_path: Path) -> None:
    given = write_personal_files(course, IDS, tmp_path / "given")
    files = sorted((tmp_path / "given").rglob("*.agw"))
    assert given.written == len(files) == len(IDS)
    secret = read_secret(course)
    for path in files:
        assert path.name == "own.personal.agw"
        plain = msgspec.msgpack.decode(path.read_bytes())
        student = plain.pop("student")
        assert plain.keys() == {"format", "assignment", "values"}
        own = secret.values(course, student)
        assert msgspec.msgpack.encode(own) == msgspec.msgpack.encode(plain["values"])
        assert digest_of(own) == secret.digest(ID, student)
        assert secret.secret.encode() not in path.read_bytes()


def test_what_a_generator_may_not_make(tmp_path: Path) -> None:
    for name, value in {
        "object": '__import__("autograder.assignment.arguments").assignment.arguments.device()',
        "module": '{"a": [__import__("torch").nn.Embedding(2, 3)]}',
    }.items():
        change = ("(rng.normal(size=6),)", f"({value},)")
        course = write_course(tmp_path / name, FILES, inputs=change)
        with pytest.raises(SpecError, match="values of exercise 'centred' go into"):
            give(course, ["s1"])
        assert not secret_path(course).exists()
    with pytest.raises(SpecError, match="personal = 'nothing', but"):
        write_course(tmp_path / "other", FILES, assignment=('"measurements"', '"nothing"'))


def test_where_nobody_has_an_id_it_is_refused(course: Loaded, tmp_path: Path) -> None:
    (course.folder / "public.agw").write_bytes(b"")
    places: list[Callable[[], Any]] = [
        lambda: made_package(course, PackageOptions()),
        lambda: otter_assignment(course, Inline(), lambda what, total: None, seed=1),
        lambda: course_export(course),
        lambda: SessionAssignment(str(course.folder), SessionOptions(1, "weak")),
    ]
    for place in places:
        with pytest.raises(UsageError, match=r"values of a student's own \(centred\)"):
            place()


# ---------------------------------------------------------------- a class


def mutants_answer(course: Loaded) -> str:
    """What a mutant gives for the values of the class's own run, written out as numbers."""
    solution = read_solution(course)
    every = mutants_of(solution, course.spec.exercise[0])
    code = next(m.code for m in every if "+" in m.code and m.explanation)
    data = data_from_wire(make_cases(course, 7)["measurements"][0])
    names: dict[str, Any] = {"data": data}
    exec(code, names)
    return f"import numpy\ncentred = numpy.array({names['centred'].tolist()!r})"


@pytest.fixture(scope="module")
def graded(tmp_path_factory: pytest.TempPathFactory, lent_box: Lent) -> Path:
    """A class that was released and graded once."""
    root = tmp_path_factory.mktemp("personal")
    course = write_course(root, FILES)
    (root / "roster.csv").write_text("id,name\ns1,Ann\ns2,Bo\ns3,Cy\ns4,Di\nÉva-5,Éva\n")
    given = root / "given"
    done("release", course.folder, "--roster", root / "roster.csv", "--personal", given)
    answers = {
        "s1": RIGHT,
        "s2": centred(given / "s1" / "own.personal.agw"),
        "s3": f"{RIGHT}\ncentred = centred / 2",
        "s4": mutants_answer(course),
        "Éva-5": centred(given / "Éva-5" / "own.personal.agw"),
        "stranger": RIGHT,
    }
    (root / "in").mkdir()
    for student, answer in answers.items():
        (root / "in" / f"{student}.ipynb").write_text(notebook(answer))
    command(*grading(root))
    return root


def grading(root: Path) -> tuple[object, ...]:
    folder = root / "assignments" / "own"
    people = ("--roster", root / "roster.csv")
    return ("grade", folder, root / "in", *people, "--out", root / "out", "--seed", 7)


def regraded(root: Path) -> None:
    assert command("regrade", root / "out", "--yes").code == 1  # one is ungraded


def grades(root: Path) -> dict[str, Grade]:
    with GradeStore(root / "out" / "grades.db") as store:
        return {grade.student: grade for grade in store.latest("own")}


@pytest.fixture
def root(graded: Path, tmp_path: Path) -> Path:
    """A copy of the class, to be changed."""
    to = tmp_path / "copy"
    shutil.copytree(graded, to)
    run_file = to / "out" / "run.json"
    run_file.write_text(run_file.read_text().replace(str(graded), str(to)))
    return to


def scores(root: Path) -> dict[str, int | None]:
    return {student: grade.score for student, grade in grades(root).items()}


SCORES = {"s1": 3000, "s2": 1000, "s3": 1000, "s4": 1000, "Éva-5": 3000, "stranger": None}


def test_each_is_graded_on_their_own_values(graded: Path) -> None:
    assert scores(graded) == SCORES
    # hard-coded numbers do: they are of the student's own values
    public = (graded / "assignments" / "own" / "public.agw").read_bytes()
    assert b"mean zero" not in public and b"double is right" in public
    template = (graded / "student_templates" / "own.ipynb").read_text()
    assert 'grader.check(\\"double\\")' in template
    assert 'grader.check(\\"centred\\")' not in template


def test_a_neighbours_answer_is_reported_to_graders_alone(graded: Path) -> None:
    swapped = grades(graded)["s2"].exercises[0].checks[0]
    assert swapped.cause is not None
    assert [m.title for m in swapped.cause.mistakes] == ["equal to what s1's values give"]
    assert not swapped.diagnosis and swapped.score == 0
    page = (graded / "out" / "feedback" / "s2.html").read_text()
    assert "s1" not in page and "values of" not in page.replace("Values of your own", "").lower()
    shown = done("show", graded / "out", "s2").out
    assert "equal to what s1's values give" in " ".join(shown.split())


def test_wrong_answers_are_explained_by_a_students_own_values_alone(graded: Path) -> None:
    half, others = (grades(graded)[student].exercises[0].checks[0] for student in ("s3", "s4"))
    assert half.diagnosis == "You took only half of it."
    # what a mutant gives for the class's own values
    assert others.cause is not None and others.cause.sure == "nothing"
    assert "exactly what the right solution" not in others.diagnosis


def test_who_was_given_nothing_is_ungraded_and_loses_nothing_else(graded: Path) -> None:
    stranger = grades(graded)["stranger"]
    assert stranger.status == "ungraded"
    assert "No values were given out for 'stranger'" in stranger.reason
    centred, double = stranger.exercises
    assert centred.checks[0].status.value == "ungraded"
    assert double.score == 1000
    page = (graded / "out" / "feedback" / "stranger.html").read_text()
    assert "No values" not in page and "does not cost you any points" in page


def test_the_secret_is_in_nothing_that_leaves(graded: Path) -> None:
    secret = read_secret(load(graded / "assignments" / "own")).secret
    places = ("out", "given", "student_templates", "assignments")
    files = [p for place in places for p in (graded / place).rglob("*") if p.is_file()]
    assert len(files) > 20
    for path in files:
        data = path.read_bytes()
        assert secret.encode() not in data and bytes.fromhex(secret) not in data, path


def test_a_regrade_runs_nothing_and_gives_the_same(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a job is run")

    before = grades(root)
    monkeypatch.setattr(lazy.LazyBox, "run", refuse)
    for _ in range(2):
        regraded(root)
        assert all(grade.exercises == before[s].exercises for s, grade in grades(root).items())
        for path in (root / "out").glob("remembered.db*"):
            path.unlink()


def test_a_regrade_after_a_new_secret_grades_nobody_wrongly(root: Path) -> None:
    path = secret_path(load(root / "assignments" / "own"))
    kept = msgspec.json.decode(path.read_bytes(), type=CourseSecret)
    other = msgspec.structs.replace(new_secret(), given=kept.given)
    path.write_bytes(msgspec.json.encode(other))
    ran = command("regrade", root / "out", "--yes")
    assert ran.code == 2 and "run `autograder grade` again" in ran.err
    assert scores(root) == SCORES
    command(*grading(root))
    assert set(scores(root).values()) == {None}
    reasons = {grade.reason for grade in grades(root).values() if grade.student != "stranger"}
    assert all("now other ones than were given out" in reason for reason in reasons)
    path.unlink()
    for again in (("regrade", root / "out", "--yes"), grading(root)):
        ran = command(*again)
        assert ran.code and "personal.secret does not exist" in " ".join(ran.err.split())


def test_when_all_were_given_out_a_stranger_is_graded(root: Path) -> None:
    with (root / "roster.csv").open("a") as roster:
        roster.write("stranger,Stran Ger\n")
    given = root / "more"
    folder = root / "assignments" / "own"
    ran = done("release", folder, "--roster", root / "roster.csv", "--personal", given)
    assert "other values before" not in ran.err
    own = Path("s1", "own.personal.agw")
    assert (values_in(given / own) == values_in(root / "given" / own)).all()
    done(*grading(root))
    assert scores(root) == {**SCORES, "stranger": 3000}


def test_an_answer_that_fits_many_names_nobody(tmp_path: Path) -> None:
    sign = ("rng.normal(size=6)", "rng.integers(0, 2, size=1) * 2.0 - 1")
    answer = ("centred = data - data.mean()", "centred = data")
    course = write_course(tmp_path, FILES, inputs=sign, solution=answer)
    secret = CourseSecret("autograder-secret/1", "11" * 32)
    groups: dict[float, list[str]] = {1.0: [], -1.0: []}
    for id_ in map(str, range(30)):
        groups[float(data_from_wire(secret.values(course, id_)[0][1])[0])].append(id_)
    plus, minus = groups.values()
    (tmp_path / "wrong.ipynb").write_text(notebook("import numpy\ncentred = numpy.ones(1)"))
    handed = KeptSubmission(minus[0], "wrong.ipynb", read(tmp_path / "wrong.ipynb"))
    found = {}
    for count in (2, 4):
        secret_path(course).write_bytes(msgspec.json.encode(secret))
        give(course, [*plus[:count], *minus[:3]])
        grade = grade_submission(class_of(course, tmp_path), handed, 0.0).grade
        found[count] = grade.exercises[0].checks[0]
    assert {check.status.value for check in found.values()} == {"failed"}
    assert found[2].cause is not None and found[2].cause.sure == "ambiguous"
    assert [m.name for m in found[2].cause.mistakes] == [f"values of {id_}" for id_ in plus[:2]]
    assert found[4].cause is None or not found[4].cause.mistakes


def class_of(course: Loaded, folder: Path) -> PreparedClass:
    """A class of a course, without known mistakes."""
    offer = prepare(course)
    box = boxes.box_for(course, offer, require="weak")
    context = make_context(course, offer, box, seed=7, draw=False, evidence=folder / "evidence")
    return with_personal(
        prepare_reference(context, Inline(), lambda what, total: None, mistakes=False)
    )


def test_files_need_a_roster_and_an_exercise_that_is_personal(root: Path) -> None:
    folder = root / "assignments" / "own"
    for wrong in (("--personal", root / "x"), ("--roster", root / "roster.csv")):
        ran = command("release", folder, *wrong)
        assert ran.code and "give both" in ran.err
    edit(folder / "assignment.toml", 'personal = "measurements"\n', "")
    with pytest.raises(UsageError, match="leave --personal out"):
        write_personal_files(load(folder), ["s1"], root / "x")
