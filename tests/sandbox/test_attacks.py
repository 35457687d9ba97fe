"""The ten attacks of `autograder doctor --attacks`: contained, or told of where they are not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import nullcontext

import msgspec
import pytest

from autograder.cli import main
from autograder.commands import machine
from autograder.evidence.records import CellRun, ProbeRun, Run
from autograder.sandbox import attacks
from autograder.sandbox.attacks import ATTACKS, VARIABLE, attack_machine
from autograder.wire.messages import CellDone, Job, Outcome, Output
from tests.support.made_run import RUN, SPENT

WALLS = ("namespaces", "uid", "landlock", "seccomp", "cgroup")
OUTSIDE = {  # what only walls can contain: limits are not enough
    "leak/files_of_the_grader": "word planted as: file",
    "escape/files_outside": "it changed a file outside, it left files on the machine",
    "escape/sockets_of_the_machine": "it reached a socket",
    "escape/signals_to_the_grader": "it sent a signal to the grader",
    "exhaust/processes": "word planted as: success",
    "persist/notes_for_later_submissions": "it left files on the machine",
}


@pytest.mark.parametrize(
    "without",
    [
        (),
        *(
            pytest.param(one, marks=pytest.mark.slow)
            for one in (("namespaces",), ("namespaces", "uid"))
        ),
    ],
    ids=str,
)
def test_ten_attacks_are_contained(without: tuple[str, ...]) -> None:
    assert len(ATTACKS) == 10
    assert dict(attack_machine(without)) == dict.fromkeys(ATTACKS, ())
    assert VARIABLE not in os.environ


@pytest.mark.slow
def test_without_walls_they_get_through_and_it_is_told() -> None:
    problems = {name: ", ".join(found) for name, found in attack_machine(WALLS) if found}
    assert problems.keys() == OUTSIDE.keys()
    assert all(words in problems[name] for name, words in OUTSIDE.items())


def test_whatever_evidence_shows_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """The outcomes that no machine here yields."""
    left: list[subprocess.Popen[bytes]] = []

    def claims(said: str, *, peak_mb: float = 100.0, x: float = 1) -> Run:
        cell = CellRun(1, CellDone((Output("stdout", "text/plain", said.encode()),)), None, SPENT)
        probe = ProbeRun("x", Outcome("returned", x), None, SPENT)
        measured = msgspec.structs.replace(RUN.measured, peak_mb=peak_mb)
        return Run((cell,), (probe,), measured)

    def stays() -> Run:
        left.append(subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]))
        return claims("tried")

    made = {
        "forge/answers_to_later_questions": lambda: claims("tried", x=2),
        "leak/environment_of_the_grader": lambda: claims(f"tried {os.environ[VARIABLE]}"),
        "exhaust/memory": lambda: claims("tried", peak_mb=5000.0),
        "exhaust/processor": lambda: claims("a syntax error"),
        "exhaust/processes": stays,
    }

    def answered(job: Job, box: object) -> Run:
        name = next(name for name, code in ATTACKS.items() if code.strip() in job.cells[0].source)
        return made.get(name, lambda: claims("tried"))()

    monkeypatch.setattr(attacks, "run", answered)
    monkeypatch.setattr(attacks, "Box", lambda *_, **__: nullcontext())
    found = {name: ", ".join(problems) for name, problems in attack_machine() if problems}
    for process in left:
        process.kill()
        process.wait()
    assert found.pop("exhaust/processes").startswith("left behind: process ")
    assert found == {
        "forge/answers_to_later_questions": "it answered in the place of the notebook",
        "leak/environment_of_the_grader": "it got hold of the word planted as: environment",
        "exhaust/memory": "it took 5000 MB of memory",
        "exhaust/processor": "it could not be tried",
    }


@pytest.mark.parametrize(
    ("level", "problems", "status", "words"),
    [
        ("strong", (), 0, "escape/sockets: contained"),
        ("medium", ("it reached a socket",), 1, "escape/sockets: it reached a socket"),
        ("weak", (), 1, "none is tried"),
    ],
)
def test_the_command_prints_a_line_for_each_and_fails_when_one_gets_through(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    level: str,
    problems: tuple[str, ...],
    status: int,
    words: str,
) -> None:
    monkeypatch.setattr(machine, "examine_machine", lambda: {"level": level})
    monkeypatch.setattr(machine, "health_view", lambda health: "")
    monkeypatch.setattr(machine, "attack_machine", lambda: iter([("escape/sockets", problems)]))
    for options in ((), ("--json",)):
        with pytest.raises(SystemExit) as ended:
            main(["doctor", "--attacks", *options])
        assert (ended.value.code or 0) == status
        text = capsys.readouterr().out
        if options:
            expected = {} if level == "weak" else {"escape/sockets": list(problems)}
            assert json.loads(text)["attacks"] == expected
        else:
            assert words in text
