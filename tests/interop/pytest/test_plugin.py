"""The plugin of pytest: a submission as tests, and what none of it shows or runs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

import autograder.interop.pytest.hooks  # noqa: F401  loaded here: sessions in this process share it
from autograder.sandbox.box import Box
from tests.support.in_process import lending
from tests.support.small_course import (
    FILES,
    ID,
    LOOPS,
    ODD,
    RIGHT,
    SPOILT,
    SQUARES,
    SUMS,
    WORDS,
    notebook,
    write_small_course,
)

pytest_plugins = ["pytester"]

HAND_INS = {
    "right.ipynb": notebook(*RIGHT),
    "\u00fc\u00df, 007.ipynb": notebook(SUMS, SQUARES, ODD, WORDS),
    "spoilt.ipynb": notebook(SUMS, LOOPS, SPOILT),
    "cut.ipynb": '{"cells": [{"cell_type": "code", "sour',
}
WRONG = "\u00fc\u00df, 007.ipynb"
SECRETS = ("kept-back", "a title that nobody shall see", "no loop over all", "secret reason")
HOSTILE = "from pathlib import Path\n\nPath({marker!r}).write_text('it ran')\n"


@dataclass(frozen=True)
class Case:
    """One test case of the XML: how it ended, and its properties."""

    ended: str
    properties: dict[str, str]


@dataclass(frozen=True)
class Ran:
    """One session of pytest."""

    code: int
    out: str
    cases: dict[str, Case]


ALWAYS = ("-p", "no:cacheprovider", "-rs", "--require=weak")
LIST = f"--autograder {ID} --collect-only -q"
Run = Callable[[str, tuple[str, ...]], Ran]


@pytest.fixture
def run(
    place: Path, pytester: pytest.Pytester, plain_box: Box, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Run]:
    """Runs a session in this process, in the place."""
    monkeypatch.chdir(place)

    def session(arguments: str, files: tuple[str, ...]) -> Ran:
        asked = [*(f"--submission={name}" for name in files), *shlex.split(arguments)]
        xml = pytester.path / "found.xml"
        found = pytester.runpytest_inprocess(*ALWAYS, *asked, f"--junitxml={xml}")
        seen = cases(xml) if xml.is_file() else {}
        return Ran(int(found.ret), found.stdout.str() + found.stderr.str(), seen)

    with lending(plain_box):
        yield session


def cases(xml: Path) -> dict[str, Case]:
    """The XML's test cases by class and name."""
    found = {}
    for case in ET.parse(xml).getroot().iter("testcase"):
        ended = [e.tag for e in case if e.tag in ("failure", "error", "skipped")] or ["passed"]
        properties = {p.get("name", ""): p.get("value", "") for p in case.iter("property")}
        found[f"{case.get('classname')}.{case.get('name')}"] = Case(ended[0], properties)
    return found


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the course and the hand-ins, and what a student may put beside them."""
    folder = tmp_path_factory.mktemp("place")
    write_small_course(folder)
    for name, text in HAND_INS.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def graded(run: Run, all_graded: list[Ran]) -> Ran:
    """All of them, as a student may see it; run once."""
    if not all_graded:
        all_graded.append(run(f"--autograder {ID}", tuple(HAND_INS)))
    return all_graded[0]


@pytest.fixture(scope="module")
def all_graded() -> list[Ran]:
    return []


# ---------------------------------------------------------------- results


def test_each_check_is_a_test_with_its_points(graded: Ran) -> None:
    right = {name: case for name, case in graded.cases.items() if name.startswith("right.")}
    assert {name: (c.ended, c.properties) for name, c in right.items()} == {
        "right.ipynb.sums.total": ("passed", {"points": "2", "max_points": "2"}),
        "right.ipynb.doubles.given": ("passed", {"points": "0.125", "max_points": "0.125"}),
        "right.ipynb.doubles.(hidden)": ("passed", {"points": "3.875", "max_points": "3.875"}),
        "right.ipynb.judged.holds": ("passed", {"points": "1", "max_points": "1"}),
        "right.ipynb.opinion.answer": ("skipped", {"manual_points": "3"}),
    }
    assert "right.ipynb: points: 7 of 7; up to 3 more graded by hand" in graded.out
    assert graded.code == 1


def test_a_failure_says_what_the_check_found_and_nothing_of_ours(graded: Ran) -> None:
    wrong = graded.cases
    assert wrong[f"{WRONG}.judged.holds"].ended == "failure"
    assert wrong[f"{WRONG}.judged.holds"].properties == {"points": "0", "max_points": "1"}
    assert wrong[f"{WRONG}.doubles.given"].ended == "passed"
    assert "41 is odd." in graded.out
    assert f"{WRONG}: points: 2.125 of 7" in graded.out
    assert "Traceback" not in graded.out
    assert not re.search(r"on_pytest/\w+\.py:\d+: [A-Z]\w*(Error|Failed)", graded.out)


def test_hidden_checks_are_one_test_that_tells_what_feedback_tells(graded: Ran) -> None:
    assert graded.cases[f"{WRONG}.doubles.(hidden)"].ended == "failure"
    told = graded.out.partition("0 of 3 hidden checks passed\n3 gave wrong values\n")[2]
    small = "A small call that goes wrong:\ndouble(1)\nexpected  2\ngot       1\n"
    assert told.startswith(f"{small}Hint: Try larger numbers.")
    assert graded.out.count(small) == 1
    course = "".join(FILES.values())
    assert [secret for secret in SECRETS if secret in graded.out or secret not in course] == []


def test_our_own_fault_and_a_file_that_cannot_be_read_are_errors(graded: Ran) -> None:
    spoilt = graded.cases["spoilt.ipynb.judged.holds"]
    assert (spoilt.ended, spoilt.properties) == ("error", {"max_points": "1"})
    assert graded.cases["spoilt.ipynb.sums.total"].ended == "passed"
    assert "spoilt.ipynb: points: 5 of 7; up to 3 more graded by hand; 1 could not be graded" in (
        graded.out
    )
    assert "the grader's own fault" not in graded.out
    assert graded.cases[".cut.ipynb"].ended == "error"  # it stops nobody else
    assert "Open the notebook in Jupyter, save it and submit it again." in graded.out


@pytest.mark.slow
def test_a_worker_of_pytest_xdist_tells_the_same(place: Path, graded: Ran) -> None:
    asked = [f"--submission={name}" for name in HAND_INS]
    command = [sys.executable, "-m", "pytest", *ALWAYS, *asked, "--junitxml=x.xml", "-n", "1"]
    done = subprocess.run(
        [*command, "--autograder", ID], cwd=place, capture_output=True, text=True, timeout=600
    )
    assert cases(place / "x.xml") == graded.cases, done.stdout
    assert done.returncode == 1


# ---------------------------------------------------------------- what else can be asked for


@pytest.mark.slow
def test_instructors_see_hidden_checks_and_faults_one_by_one(run: Run, place: Path) -> None:
    named = place / "assignments" / ID
    shown = run(
        f"--autograder '{named}' --autograder-hidden --autograder-mistakes",
        (WRONG, "cut.ipynb", "spoilt.ipynb"),
    )
    ended = {name: case.ended for name, case in shown.cases.items()}
    assert ended[f"{WRONG}.doubles.kept-back"] == "failure"
    assert ended["spoilt.ipynb.doubles.cost"] == "failure"
    assert ended["spoilt.ipynb.doubles.later"] == "passed"
    assert "You multiply the number by itself." in shown.out
    assert "the grader's own fault" in shown.out
    assert f"{WRONG}: points: 2.125 of 7" in shown.out


def test_parts_are_chosen_by_names_words_and_places(run: Run) -> None:
    listed = run(
        f"{LIST} -k 'not judged' spoilt.ipynb::sums spoilt.ipynb::judged::holds",
        ("right.ipynb::doubles::given", "spoilt.ipynb"),
    )
    tests = [line for line in listed.out.splitlines() if "::" in line]
    assert tests == ["right.ipynb::doubles::given", "spoilt.ipynb::sums::total"]
    listed = run(f"{LIST} --autograder-public", ("right.ipynb",))
    assert "right.ipynb::doubles::given" in listed.out and "(hidden)" not in listed.out


@pytest.mark.parametrize(
    ("arguments", "files", "said"),
    [
        ("--autograder nothing-like-it", ("right.ipynb",), "there is no assignment"),
        (f"--autograder {ID}", (), "--autograder needs --submission FILE"),
        ("", ("right.ipynb",), "--submission needs --autograder ASSIGNMENT"),
        (f"--autograder {ID}", ("right.ipynb::nothing",), "no such exercise; choose one of: sums"),
        (f"--autograder {ID}", ("absent.ipynb",), "there is no such file"),
    ],
)
def test_a_wrong_request_is_told(
    run: Run, arguments: str, files: tuple[str, ...], said: str
) -> None:
    ran = run(arguments, files)
    assert ran.code != 0
    assert said in ran.out
    assert "Traceback" not in ran.out


# ---------------------------------------------------------------- what is never run, or loaded


def test_nothing_beside_a_submission_is_run(run: Run, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    marker = tmp_path / "marker"
    (theirs / "hand-in.ipynb").write_text(notebook(*RIGHT))
    for name in ("conftest.py", "test_mine.py", "evil.py"):
        (theirs / name).write_text(HOSTILE.format(marker=str(marker)))
    named = str(theirs / "hand-in.ipynb")
    ran = run(f"{LIST} '{named}::sums'", (named,))
    assert f"{named}::sums::total" in ran.out
    (theirs / "pytest.ini").write_text("[pytest]\npythonpath = .\naddopts = -p evil\n")
    ran = run(LIST, (named,))
    assert f"{named}::sums::total" in ran.out
    assert not marker.exists()


def test_settings_from_beside_a_submission_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "hand-in.ipynb").write_text(notebook(*RIGHT))
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    ran = run(f"--autograder {ID} --submission '{tmp_path / 'hand-in.ipynb'}'", ())
    assert ran.code != 0
    assert "write --submission=FILE" in ran.out


def test_a_session_that_does_not_use_it_loads_nothing(tmp_path: Path) -> None:
    (tmp_path / "test_plain.py").write_text(
        "import sys\n\n\ndef test_plain(request):\n"
        "    assert request.config.pluginmanager.has_plugin('autograder')\n"
        "    assert not {'torch', 'numpy', 'autograder.errors'} & set(sys.modules)\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_plain.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout
