"""Where students work: only the course's wheel is installed, or nothing of ours at all."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from nbformat.v4 import new_code_cell

from autograder.assignment.load import Loaded, load
from autograder.assignment.pretrained import Offer
from autograder.assignment.read import find
from autograder.authoring.leak_check.secret_set import SecretSet, told
from autograder.authoring.packages.needed_files import modules_of
from autograder.authoring.packages.wheels import student_files, student_wheel
from autograder.classroom.reference import make_context
from autograder.grading.job import make_job
from autograder.notebook.formats.read import read
from autograder.notebook.structure.regions import find_regions, without_marks
from autograder.notebook.template.variant import read_variants
from autograder.sandbox.lazy import LazyBox
from autograder.student.public_evidence import SEED
from tests.support.student_place import StudentPlace, make_place

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENTS = tuple(sorted(path.parent.name for path in ROOT.glob("assignments/*/public.agw")))
UNFINISHED = {"", "NotImplementedError", "NameError"}


@pytest.fixture(scope="module")
def packed() -> Mapping[str, bytes]:
    """The files of the wheel as `autograder release --package` makes it."""
    found = {name: (find(name, ROOT) / "public.agw").read_bytes() for name in ASSIGNMENTS}
    return student_files(modules_of("autograder.student"), found)


@pytest.fixture(scope="module")
def student(
    packed: Mapping[str, bytes], offer: Offer, tmp_path_factory: pytest.TempPathFactory
) -> StudentPlace:
    folder = tmp_path_factory.mktemp("student")
    name, data = student_wheel(packed, torch=True)
    wheel = folder / name
    wheel.write_bytes(data)
    return make_place(folder / "place", wheel, models=offer.folder)


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> StudentPlace:
    return make_place(tmp_path_factory.mktemp("bare") / "place", None)


@pytest.mark.slow
def test_the_students_side_is_there_and_nothing_else_of_ours(student: StudentPlace) -> None:
    """What the wheel must not hold is in test_closure.py."""
    code = (
        "from importlib.util import find_spec; import autograder.student; "
        "print(autograder.__path__[0], find_spec('autograder.pipeline'))"
    )
    done = student.run("-c", code)
    assert done.returncode == 0, done.stderr
    place, trusted = done.stdout.split()
    assert Path(place).is_relative_to(student.folder) and trusted == "None"


@pytest.mark.slow
def test_every_module_and_every_assignment_of_the_package_are_there(
    student: StudentPlace, packed: Mapping[str, bytes]
) -> None:
    """No other public evidence is near this folder."""
    modules = [
        name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for name in packed
        if name.endswith(".py") and not name.endswith("__main__.py")
    ]
    assert len(modules) > 100
    code = f"""
import importlib
for name in {modules!r}:
    importlib.import_module(name)
from autograder.student import Grader
for name in {ASSIGNMENTS!r}:
    print(name, *Grader(name).exercises)
"""
    done = student.run("-c", code)
    assert done.returncode == 0, done.stderr
    found = {line.split()[0]: line.split()[1:] for line in done.stdout.splitlines()}
    wanted = {name: [e.id for e in load(find(name, ROOT)).spec.exercise] for name in ASSIGNMENTS}
    assert found == wanted and len(found) == len(ASSIGNMENTS) > 4


@pytest.mark.slow
@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_nothing_that_students_get_tells_a_secret(
    assignment: str, student: StudentPlace, warm_box: LazyBox, offer: Offer, tmp_path: Path
) -> None:
    """The template, the public evidence and every file of the installed package, searched for
    answers, hidden checks, hidden inputs and what the solution makes of them."""
    loaded = load(find(assignment, ROOT))
    context = make_context(loaded, offer, warm_box, seed=SEED, draw=False, evidence=tmp_path)
    job, _ = make_job(context, read(loaded.solution))
    kinds = ("mistakes", "equivalents")
    knows = SecretSet(
        loaded.spec,
        read(loaded.solution),
        tuple(v for kind in kinds for v in read_variants(loaded.solutions / kind)),
        context.cases,
        warm_box.run(job),
    )
    (site,) = student.folder.glob("env/lib/python*/site-packages")
    files = {
        path.relative_to(site).as_posix(): path.read_bytes()
        for path in [*site.glob("autograder/**/*"), *site.glob("autograder_student*/*")]
        if path.is_file()
        and path.suffix != ".pyc"
        and (path.suffix != ".agw" or path.stem == assignment)
    }
    files[loaded.template.name] = loaded.template.read_bytes()
    files["public.agw"] = (loaded.folder / "public.agw").read_bytes()
    assert len(files) > 100 and len(knows.secrets()) > 200
    assert any("the answer to" in secret.what for secret in knows.secrets())
    assert [*told(knows, files)] == []


@pytest.mark.slow
def test_the_blank_notebook_runs_where_students_work(
    student: StudentPlace, flagship: Loaded
) -> None:
    cells = student.execute(flagship.template.read_bytes())
    assert {str(cell["error"]) for cell in cells} <= UNFINISHED
    ours = [c for c in cells if str(c["id"]).startswith(("autograder-", "check-"))]
    assert len(ours) > 10 and {c["error"] for c in ours} == {""}
    asked = [c for c in ours if str(c["id"]).startswith("check-")]
    assert all(c["html"] for c in asked)


@pytest.mark.slow
def test_the_command_of_the_package_checks_a_notebook_there(student: StudentPlace) -> None:
    work = student.folder / "half.py"
    work.write_text(
        "# %%\nbig_params, doubled_vocab_params, halved_dim_params = 38_400_000, 0, 0\n"
    )
    command = student.python.with_name("autograder-check")
    done = student.run(str(command), "check", str(work), "--assignment", "embeddings-and-position")
    assert done.returncode == 1, done.stderr
    assert "Count the parameters" in done.stdout and "Traceback" not in done.stderr


@pytest.mark.slow
def test_the_solution_passes_every_public_check_where_students_work(
    student: StudentPlace, flagship: Loaded
) -> None:
    answers = {
        cell.exercise: without_marks(cell.source)
        for cell in read(flagship.solution).cells
        if cell.kind == "code" and cell.exercise and find_regions(cell.source)
    }
    notebook = json.loads(flagship.template.read_bytes())
    notebook["cells"] = [
        cell for cell in notebook["cells"] if not str(cell["id"]).startswith("check-")
    ]
    for cell in notebook["cells"]:
        if cell["metadata"].get("exercise"):
            cell["source"] = answers[cell["metadata"]["exercise"]]
    notebook["cells"].append(new_code_cell("grader.check_all()"))
    cells = student.execute(json.dumps(notebook).encode())
    assert {str(cell["error"]) for cell in cells} == {""}
    text = str(cells[-1]["text"])
    for exercise in flagship.spec.exercise:
        (line,) = (line for line in text.splitlines() if exercise.title in line)
        asked = any(check.public for check in exercise.check)
        assert line.startswith("✓") is asked, line


@pytest.mark.slow
def test_the_blank_notebook_runs_without_anything_of_ours(
    bare: StudentPlace, flagship: Loaded
) -> None:
    gone = bare.run("-c", "import autograder")
    assert "ModuleNotFoundError" in gone.stderr
    cells = bare.execute(flagship.template.read_bytes())
    assert {str(cell["error"]) for cell in cells} <= UNFINISHED
    ours = [c for c in cells if str(c["id"]).startswith(("autograder-", "check-"))]
    assert {c["error"] for c in ours} == {""}
    assert "No checks yet" in str(ours[0]["text"])
    assert all(not c["text"] and not c["html"] for c in ours[1:])
