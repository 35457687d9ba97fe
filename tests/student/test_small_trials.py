"""The smallest call in a student's own session: true, only where a check fails, never for what is
right."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pandas as pd
import pytest
import torch
from msgspec.structs import replace
from torch import nn

from autograder.assignment.load import Loaded, load
from autograder.classroom.known_mistakes import read_solution, variants_in
from autograder.judging.diagnosis.literals import both_written, call_code
from autograder.judging.verdict import SmallestCall, Status, Verdict
from autograder.notebook.structure.locate import locate, owned_cells
from autograder.notebook.structure.needed_cells import needed_cells
from autograder.notebook.structure.outline import Outline, outline_of
from autograder.notebook.submission import Submission
from autograder.notebook.template.variant import Variant, apply_variant
from autograder.student import grader as module
from autograder.student import shell
from autograder.student.card import Card
from autograder.student.grader import Grader
from autograder.student.live import LiveAnswers, as_run
from autograder.student.public_evidence import PublicEvidence, public_bytes, read_public
from autograder.student.small_trials import small_trials, with_smallest
from autograder.wire.messages import Call, Probe
from autograder.wire.tensors import to_wire
from tests.student.test_shell import notebook
from tests.support.small_public import ID, function, made, with_small, written

ROOT = Path(__file__).resolve().parents[2]
COURSES = sorted(path.parent.name for path in (ROOT / "assignments").glob("*/public.agw"))
RIGHT = "def double(x): return 2 * x\ndef half(x): return x / 2"
CHECKS = {"double": [function("double", "numbers")], "half": [function("half", "numbers")]}
SMALL = {("double", "double-is-right"): [{"numbers": (1.0,)}, {"numbers": (2.0,)}]}
WRONG = "def double(x):\n    open('calls', 'a').write(f'{x} ')\n    return x * x"
# a call that cannot be typed in as it is: of the grader's own objects, or abbreviated
_BY_OTHERS = re.compile(r"\n|\.\.\.|(?:tokenizer|model)\(|(?:float|int|complex)\d+ \[")
SHOWN = ("double(1.0)", "expected  2.", "got       1.")


def evidence() -> PublicEvidence:
    return with_small(made(CHECKS, RIGHT, cases={"numbers": [(15.0,), (30.0,)]}), SMALL, RIGHT)


@pytest.fixture
def cards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[Card]:
    """What is shown, in order; the working directory is an empty folder."""
    shown: list[Card] = []
    monkeypatch.setattr(module, "show", shown.append)
    monkeypatch.chdir(tmp_path)
    return shown


def session(folder: Path, public: PublicEvidence, source: str) -> tuple[Grader, Path]:
    """A grader of these names, and the file in which they note their calls."""
    written(folder, public)
    names: dict[str, Any] = {"__name__": "student"}
    exec(source, names)
    return Grader(ID, namespace=names), folder / "calls"


def test_a_wrong_function_has_its_smallest_call_in_both_forms(
    tmp_path: Path, cards: list[Card]
) -> None:
    grader, calls = session(tmp_path, evidence(), f"{WRONG}\ndef half(x): return 0.0")
    for show in (grader.check, grader.earned):
        show("double")
        assert all(f"\n  {line}\n" in cards[-1].text for line in SHOWN)
        assert "\n".join(f'<span class="row">{line}</span>' for line in SHOWN) in cards[-1].html
        assert "A small call that goes wrong" in cards[-1].html
    grader.check("half")  # it has no small calls
    assert "small call" not in cards[-1].text + cards[-1].html
    calls.unlink()
    grader.check_all()
    assert calls.read_text() == "15.0 30.0 "


def test_nothing_small_is_asked_of_what_is_right(tmp_path: Path, cards: list[Card]) -> None:
    right = WRONG.replace("x * x", "x + x")
    grader, calls = session(tmp_path, evidence(), right)
    grader.check("double")
    assert calls.read_text() == "15.0 30.0 " and "small call" not in cards[-1].text


def test_a_function_that_is_not_filled_in_has_no_call(tmp_path: Path, cards: list[Card]) -> None:
    grader, _ = session(tmp_path, evidence(), "def double(x): raise NotImplementedError")
    grader.check("double")
    assert "Not attempted" in cards[-1].text and "small call" not in cards[-1].text


def test_after_an_interrupt_nothing_more_is_asked(tmp_path: Path, cards: list[Card]) -> None:
    stops = WRONG.replace("    return", "    if x > 20: signal.raise_signal(2)\n    return")
    grader, calls = session(tmp_path, evidence(), f"import signal\n{stops}")
    grader.check("double")
    assert calls.read_text() == "15.0 30.0 " and "You stopped the checks." in cards[-1].text


def test_a_file_of_an_earlier_version_works_without(tmp_path: Path, cards: list[Card]) -> None:
    old = replace(evidence(), small=())
    assert b"small" not in msgspec.msgpack.encode([*msgspec.msgpack.decode(public_bytes(old))])
    grader, calls = session(tmp_path, old, WRONG)
    grader.check("double")
    assert calls.read_text() == "15.0 30.0 " and "small call" not in cards[-1].text


def test_the_shell_shows_it_and_runs_only_the_needed_cells_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path, evidence())
    count = "open('{0}', 'a').write('.')\ndef {0}(x): return x"
    path = notebook(tmp_path, *((name, count.format(name)) for name in CHECKS))
    assert shell.check(path) == 1
    text = capsys.readouterr().out
    assert all(f"\n  {line}\n" in text for line in SHOWN)
    assert [len((tmp_path / name).read_text()) for name in CHECKS] == [2, 1]


# ---------------------------------------------------------------- the assignments


class Session:
    """An assignment's names, as a session has them without its demonstrations."""

    def __init__(self, name: str) -> None:
        self.loaded: Loaded = load(ROOT / "assignments" / name)
        self.public = read_public((ROOT / f"assignments/{name}/public.agw").read_bytes())
        self.solution = read_solution(self.loaded)
        needs_more = {e.id for e in self.loaded.spec.exercise if e.requires}
        self.exercises = {small.exercise for small in self.public.small} - needs_more

    def variants(self, kind: str) -> Iterable[Variant]:
        """Those of exercises with small calls."""
        return [v for v in variants_in(self.loaded, kind) if v.exercise in self.exercises]

    def names(self, submission: Submission, exercise: str) -> dict[str, Any]:
        """The names that an exercise needs."""
        outline = Outline(outline_of(self.solution, self.loaded.spec))
        located = locate(self.loaded.spec, submission, outline)
        cells = owned_cells(submission, located)
        owned = {number for numbers in located.owners.values() for number in numbers}
        apart = (c if c.number in owned else replace(c, exercise="x") for c in cells)
        spec = self.public.spec([exercise])
        trials = small_trials(self.public, spec.exercise[0]) if spec else ()
        probes = [probe for trial in trials for probe in trial.probes]
        names: dict[str, Any] = {"__name__": "student"}
        for cell in needed_cells(tuple(apart), located, [exercise], probes):
            exec(compile(cell.source, f"<cell {cell.number}>", "exec"), names)
        return names

    def verdicts(
        self, names: dict[str, Any], exercise: str, *, all_fail: bool
    ) -> tuple[Verdict, ...]:
        """What the public checks find; ``all_fail``: as if each had failed."""
        grader = Grader(self.public.assignment, public=self.loaded.folder, namespace=names)
        public, relations, ask = grader._public, grader._relations, grader._ask
        asked = grader._asked(public, [exercise])
        found = module.verdicts(public, relations, [exercise], asked)
        if all_fail:
            assert {v.status for v in found} == {Status.PASSED}
            found = tuple(replace(v, status=Status.FAILED) for v in found)
        return with_smallest(public, relations, found, asked, ask, simulated=grader._simulated)


@pytest.fixture(scope="module", params=COURSES)
def course(request: pytest.FixtureRequest) -> Session:
    return Session(request.param)


@pytest.fixture(autouse=True)
def _silent() -> Iterable[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def is_true(call: SmallestCall, wrong: dict[str, Any], right: dict[str, Any]) -> bool:
    """Whether both functions give by hand what is shown."""
    usual = {"torch": torch, "np": np, "nn": nn, "pd": pd}
    with redirect_stdout(io.StringIO()):
        expected = to_wire(eval(call.call, right | usual))
        try:
            actual, again = (to_wire(eval(call.call, wrong | usual)) for _ in range(2))
        except Exception as raised:
            return type(raised).__name__ in call.actual
    if actual != again:  # random: a table of the function's own, dropout
        return True
    return both_written(expected, actual) == (call.expected, call.actual)


@pytest.mark.slow
def test_the_call_of_a_known_mistake_is_a_true_one_of_the_trials(course: Session) -> None:
    spec = course.public.spec(list(course.exercises))
    assert spec is not None
    trials = {e.id: small_trials(course.public, e) for e in spec.exercise}
    ids = {e: {p.id for trial in own for p in trial.probes} for e, own in trials.items()}
    assert all(0 < len(own) <= 10 for own in ids.values())
    assert set.union(*ids.values()) <= set(course.public.outcomes)
    shown = by_hand = 0
    for variant in course.variants("mistakes"):
        try:
            with redirect_stdout(io.StringIO()):
                wrong = course.names(apply_variant(course.solution, variant), variant.exercise)
        except Exception:
            continue
        right = course.names(course.solution, variant.exercise)
        codes = {
            call_code(probe.request)
            for trial in trials[variant.exercise]
            for probe in trial.probes
            if isinstance(probe.request, Call)
        }
        for verdict in course.verdicts(wrong, variant.exercise, all_fail=False):
            call = verdict.smallest
            if call is None:
                continue
            assert verdict.status in (Status.FAILED, Status.RAISED)
            assert call.call.split("\n")[-1] in codes and call.expected != call.actual
            shown += 1
            if not _BY_OTHERS.search(call.call) and "argument" not in call.actual:
                assert is_true(call, wrong, right), (variant.name, call)
                by_hand += 1
    assert shown and by_hand


@pytest.mark.slow
def test_no_right_answer_fails_a_small_call(course: Session) -> None:
    tried = 0
    for variant in course.variants("equivalents"):
        names = course.names(apply_variant(course.solution, variant), variant.exercise)
        for verdict in course.verdicts(names, variant.exercise, all_fail=True):
            assert verdict.smallest is None, (variant.name, verdict.smallest)
            tried += 1
    assert tried


def test_all_small_calls_are_asked_in_one_round() -> None:
    """And only those of checks that failed."""
    first, second = "double-is-right", "second"
    checks = {"double": [function("double", "numbers"), {**CHECKS["double"][0], "id": second}]}
    rows = {**SMALL, ("double", second): [{"numbers": (3.0,)}]}
    public = with_small(made(checks, RIGHT, cases={"numbers": [(15.0,)]}), rows, RIGHT)
    asked: list[tuple[Probe, ...]] = []
    nothing = LiveAnswers(as_run([]))

    def ask(probes: tuple[Probe, ...]) -> LiveAnswers:
        asked.append(probes)
        return nothing

    for one, other, counts in (
        (Status.PASSED, Status.PASSED, []),
        (Status.MISSING, Status.STOPPED, []),
        (Status.FAILED, Status.PASSED, [2]),
        (Status.FAILED, Status.RAISED, [3]),
    ):
        asked.clear()
        found = tuple(
            Verdict("double", check, "function", True, status, 0, 1000)
            for check, status in ((first, one), (second, other))
        )
        assert with_smallest(public, {}, found, nothing, ask) == found
        assert [len(probes) for probes in asked] == counts
