"""A Grader in plain Python: what it says, and that the session is left as it was found."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib as mpl
import msgspec
import numpy as np
import pytest
import torch
from matplotlib import pyplot as plt

from autograder.student import grader as module
from autograder.student import watch
from autograder.student.card import Card
from autograder.student.errors import GraderError
from autograder.student.grader import Grader
from autograder.student.live import settings_kept
from autograder.student.public_evidence import LaterChecks
from autograder.student.torch_settings import _PLACES
from tests.support.cases import CASES
from tests.support.small_public import ID, function, made, written

DOUBLE = {"double": [function("double", "numbers", hint="Twice as much.")]}
NUMBERS = {"numbers": [(1.5,), (2.0,), (3.0,)]}
RIGHT = "def double(x): return 2 * x"


@pytest.fixture(autouse=True)
def cards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[Card]]:
    """What is shown, in order; the working directory is an empty folder."""
    shown: list[Card] = []
    monkeypatch.setattr(module, "show", shown.append)
    monkeypatch.chdir(tmp_path)
    yield shown


def names(source: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": "student"}
    exec(compile(source, "<cell 1>", "exec"), namespace)
    return namespace


def grader(
    folder: Path, source: str, checks: Any = DOUBLE, reference: str = RIGHT, **more: Any
) -> Grader:
    written(folder, made(checks, reference, cases=more.pop("cases", NUMBERS), **more))
    return Grader(ID, namespace=names(source))


def said(cards: list[Card]) -> str:
    """What was shown last, on one line."""
    return " ".join(cards[-1].text.split())


# ---------------------------------------------------------------- what it says


def test_right_wrong_and_missing(tmp_path: Path, cards: list[Card]) -> None:
    student = grader(tmp_path, RIGHT, later=LaterChecks(2, 3000, 1, 500))
    assert student.check("double") is None
    assert said(cards).startswith("✓ Exercise double: Correct, public checks 1 of 1 points")
    assert "2 more checks (3 points) run after you submit." in said(cards)
    assert "1 answer (up to 0.5 points) is graded by hand after you submit." in said(cards)
    student._namespace.update(names("def double(x): return 3 * x"))
    student.check("double")
    assert "Not right yet" in said(cards) and "expected 3, got 4.5" in said(cards)
    assert "Hint: Twice as much." in said(cards)
    del student._namespace["double"]
    student.check("double")
    assert "`double` is not defined. Define it in the cell of this exercise, run" in said(cards)


def test_all_exercises_and_the_points(tmp_path: Path, cards: list[Card]) -> None:
    checks = {**DOUBLE, "half": [function("half", "numbers", points=3)], "essay": []}
    both = RIGHT + "\ndef half(x): return x / 2"
    student = grader(tmp_path, RIGHT, checks, both, later=LaterChecks(1, 2000, 0, 0))
    student.check_all()
    lines = cards[-1].text.split("\n")
    assert [line.split()[0] for line in lines[:3]] == ["✓", "✗", "–"]
    assert "After you submit" in lines[2]
    student.progress()
    assert "You have earned 1 of 4 points from public checks so far." in said(cards)
    assert "Checks worth 6 points run after you submit." in said(cards)
    assert cards[-1].text.startswith("[████░░░░░░░░░░░░····················")
    student.check("essay")
    assert said(cards) == (
        "– Exercise essay: After you submit 1 check (2 points) runs after you submit."
    )


def test_what_cannot_be_told_here_is_left_for_later(
    tmp_path: Path, cards: list[Card], monkeypatch: pytest.MonkeyPatch
) -> None:
    timed = {"id": "fast", "kind": "speed", "call": "double", "inputs": "numbers", "at_most": 2}
    device = {"id": "there", "kind": "device", "call": "double", "inputs": "tensors"}
    cases = {**NUMBERS, "tensors": [(torch.ones(2),)]}
    student = grader(tmp_path, RIGHT, {"double": [timed, device]}, cases=cases)
    student.check("double")
    assert (
        "title of fast (0 of 1): Not checked This is checked when your submission is graded."
        in said(cards)
    )
    assert "title of there (1 of 1): Correct" in said(cards)
    assert "Tried on the CPU, the CPU beside an accelerator and simulated CUDA." in said(cards)
    assert "GPU" not in said(cards)  # which machine grades is not known
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    student.check("double")
    assert "title of there (0 of 1): Not checked This is checked when your" in said(cards)


def test_relations_come_with_the_evidence(tmp_path: Path, cards: list[Card]) -> None:
    relations = (
        "from autograder.judging.checks.relation import RelationView\n"
        "def even(seen: RelationView):\n    if seen.number('n') % 2:\n        yield '`n` is odd.'\n"
    )
    check = {"id": "even", "kind": "relation", "relation": "even", "reads": ["n"]}
    student = grader(tmp_path, "n = 3", {"n": [check]}, "n = 2", relations=relations)
    student.check("n")
    assert "`n` is odd." in said(cards)
    broken = relations.replace("checks.relation", "checks.nothing_of_ours")
    with pytest.raises(GraderError, match="do not work with this version of the package"):
        grader(tmp_path, "n = 3", {"n": [check]}, "n = 2", relations=broken)


def test_a_figure_that_is_asked_for_is_told_to_be_drawn(tmp_path: Path, cards: list[Card]) -> None:
    check = {"id": "seen", "kind": "figure", "shows": "table", "aspects": ["data"]}
    source = "import torch\ntable = torch.eye(3)"
    student = grader(tmp_path, source, {"table": [check]}, source)
    student.check("table")
    assert "No figure was shown for this exercise. Run the cell that draws it" in said(cards)


# ---------------------------------------------------------------- the session is left as it was

WILD = (CASES / "wild_cell.txt").read_text()


def settings() -> list[Any]:
    """Everything global that a call changes or might change."""
    sums: Any = torch.backends.cuda.matmul
    get: Any = torch._C._get_fp32_precision_getter
    return [
        *(get(*place) for place in _PLACES),
        torch.get_float32_matmul_precision(),
        torch._C._get_cudnn_allow_tf32(),
        sums.allow_fp16_reduced_precision_reduction,
        sums.allow_bf16_reduced_precision_reduction,
        torch.backends.cudnn.benchmark,
        torch.are_deterministic_algorithms_enabled(),
        torch.is_deterministic_algorithms_warn_only_enabled(),
        torch._C._get_deterministic_fill_uninitialized_memory(),
        torch.get_num_threads(),
        torch.get_default_dtype(),
        torch.get_default_device(),
        torch.is_grad_enabled(),
        *(torch.is_autocast_enabled(device) for device in ("cpu", "cuda")),
        torch.get_rng_state().tolist(),
        np.random.get_state()[1].tolist(),  # type: ignore[index,union-attr]
        random.getstate(),
    ]


def unusual() -> None:
    """Change settings of every kind."""
    torch._C._set_cudnn_allow_tf32(True)
    torch.backends.cuda.matmul.allow_fp16_reduced_precision_reduction = True
    torch._C._set_deterministic_fill_uninitialized_memory(True)
    torch.set_default_dtype(torch.float64)
    torch.set_default_device("meta")
    torch.set_grad_enabled(False)
    torch.set_autocast_enabled("cpu", True)
    torch.set_num_threads(2)
    torch.set_float32_matmul_precision("high")
    torch.backends.cudnn.benchmark = True
    torch.use_deterministic_algorithms(True)


def test_the_session_is_left_as_it_was(
    tmp_path: Path, cards: list[Card], capsys: pytest.CaptureFixture[str]
) -> None:
    plt.close("all")
    backend = mpl.get_backend()
    student = grader(tmp_path, WILD)
    own, usual = student._namespace, settings()
    drawn = plt.figure()
    drawn.add_subplot().plot([0, 1, 2])
    bound, streams = dict(own), (sys.stdout, sys.stderr)
    handler = signal.getsignal(signal.SIGINT)
    weight, bias = own["layer"].weight.detach().clone(), own["layer"].bias.detach().clone()
    gradient = own["layer"].weight.grad
    capsys.readouterr()

    with settings_kept():  # the test's own changes
        unusual()
        before, filters = settings(), list(warnings.filters)
        student.check("double")
        assert settings() == before
    assert settings() == usual
    assert said(cards).startswith("✓ Exercise double: Correct")
    assert capsys.readouterr() == ("", "")
    assert {**own} == bound and list(own) == list(bound)
    assert (sys.stdout, sys.stderr) == streams and warnings.filters == filters
    assert signal.getsignal(signal.SIGINT) == handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    layer = own["layer"]
    assert layer.training and torch.equal(layer.weight, weight) and torch.equal(layer.bias, bias)
    assert layer.weight.grad is gradient and bool((gradient == 1).all())
    assert layer.bias.grad is None
    assert own["numbers"].tolist() == [0, 0, 0] and own["array"].tolist() == [0, 0, 0]
    assert (own["items"], own["table"], own["kinds"]) == ([1], {"a": 1}, {1})
    own["loss"].backward()  # a graph that waits is not told of a change
    assert plt.get_fignums() == [drawn.number] and plt.gcf() is drawn
    assert len(drawn.axes) == 1 and len(drawn.axes[0].lines) == 1
    assert mpl.get_backend() == backend
    plt.close("all")


def test_stand_ins_last_for_one_call(tmp_path: Path, cards: list[Card]) -> None:
    """A part that is stood in first, and asked for itself afterwards; it keeps its name."""
    source = (
        "import torch\ndef part(r, c): return torch.ones(r, c)\n"
        "def double(n): return 2 * part(n, 2)"
    )
    stand_in = [{"name": "part", "stand_in": "table"}]
    step = {"id": "step", "kind": "pipeline", "call": "double", "inputs": "numbers"}
    checks = {"double": [{**step, "parts": stand_in}, function("part", "sizes")]}
    cases = {"numbers": [(3,)], "sizes": [(2, 2)]}
    written(tmp_path, made(checks, source, cases=cases))
    student = Grader(ID, namespace=names(source.replace("torch.ones", "torch.zeros")))
    part = student._namespace["part"]
    student.check("double")
    assert "title of step (1 of 1): Correct" in said(cards)
    assert "title of part-is-right (0 of 1): Not right yet" in said(cards)
    assert "expected 1, got 0" in said(cards)
    assert student._namespace["part"] is part


# ---------------------------------------------------------------- calls that do not end


def test_an_interrupt_ends_the_round_and_says_where(tmp_path: Path, cards: list[Card]) -> None:
    source = (
        "import signal\ndef double(x):\n    signal.raise_signal(signal.SIGINT)\n    return 2 * x\n"
        "def half(x): return x / 2"
    )
    checks = {"both": [function("double", "numbers"), function("half", "numbers")]}
    student = grader(tmp_path, source, checks, RIGHT + "\ndef half(x): return x / 2")
    before = signal.getsignal(signal.SIGINT)
    student.check("both")
    assert "`double(1.5)` was stopped" in said(cards) and "you stopped it" in said(cards)
    assert "title of half-is-right (0 of 1): Not checked This was not reached." in said(cards)
    assert "You stopped the checks." in said(cards)
    assert signal.getsignal(signal.SIGINT) is before


def test_an_interrupt_that_is_swallowed_counts_all_the_same(
    tmp_path: Path, cards: list[Card]
) -> None:
    source = (
        "import signal\ndef double(x):\n    try:\n        signal.raise_signal(signal.SIGINT)\n"
        "    except BaseException:\n        return 2 * x\n"
    )
    student = grader(tmp_path, source)
    student.check("double")
    assert "Stopped at a limit" in said(cards) and "you stopped it" in said(cards)


def test_an_interrupt_while_the_session_is_put_back_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_back: list[str] = []

    class Late(list[Any]):
        """Interrupted in the middle of putting things back."""

        def __iter__(self) -> Iterator[Any]:
            signal.raise_signal(signal.SIGINT)
            put_back.append("all of it")
            return super().__iter__()

    monkeypatch.setattr("autograder.student.live._noted", lambda: Late())
    monkeypatch.setattr("autograder.student.live.list", lambda steps: steps, raising=False)
    try:
        grader(tmp_path, RIGHT).check("double")
    except KeyboardInterrupt:
        pytest.fail("the interrupt came through")
    assert put_back and set(put_back) == {"all of it"}


@pytest.mark.parametrize(
    "body",
    [
        "end = monotonic() + 600\n    while monotonic() < end: pass",
        "try: sleep(600)\n    except BaseException: sleep(600)",  # told again
    ],
)
def test_what_takes_too_long_is_stopped_once(
    tmp_path: Path, cards: list[Card], monkeypatch: pytest.MonkeyPatch, body: str
) -> None:
    monkeypatch.setattr(watch, "AGAIN_S", 0.1)
    source = (
        "from time import monotonic, sleep\ndef double(x):\n"
        f"    print(x, file=open('asked', 'a'))\n    {body}"
    )
    student = grader(tmp_path, source, limits={"call_wall_s": 0.2})
    started = time.monotonic()
    student.check("double")
    assert time.monotonic() - started < 300
    assert (tmp_path / "asked").read_text() == "1.5\n"  # of three calls
    assert "`double(1.5)` was stopped" in said(cards)
    assert "it ran for more than 0.2 seconds without finishing" in said(cards)


def test_a_timer_of_the_students_own_goes_on(tmp_path: Path) -> None:
    student = grader(tmp_path, RIGHT)
    handler = signal.signal(signal.SIGALRM, lambda *_: None)
    try:
        signal.setitimer(signal.ITIMER_REAL, 100)
        student.check("double")
        assert 90 < signal.getitimer(signal.ITIMER_REAL)[0] <= 100
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)


# ---------------------------------------------------------------- where the evidence is


def titled(folder: Path, title: str) -> Path:
    """Evidence with this title, in this folder."""
    folder.mkdir(parents=True)
    evidence = made(DOUBLE, RIGHT, cases=NUMBERS)
    return written(folder, msgspec.structs.replace(evidence, title=title))


def test_evidence_is_found_above_the_notebook_where_it_is_said_and_first_in_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    above = titled(tmp_path / "assignments" / ID, "Above")
    above.rename(above.with_name("public.agw"))
    inside = tmp_path / "my" / "notebooks"
    inside.mkdir(parents=True)
    monkeypatch.chdir(inside)
    student = Grader(ID, namespace={})
    assert (repr(student), student.exercises) == ("Grader('small'): Above", ("double",))
    other = titled(tmp_path / "elsewhere", "Another")
    for given in (other.parent, other):
        assert repr(Grader(ID, public=given, namespace={})) == "Grader('small'): Another"
    packed = titled(tmp_path / "data", "Packed")
    monkeypatch.setattr("autograder.student.evidence.DATA", packed.parent)
    assert repr(Grader(ID, namespace={})) == "Grader('small'): Packed"
    with pytest.raises(GraderError, match="it has small;"):
        Grader("smal", namespace={})


def test_without_evidence_the_places_and_the_remedy_are_told(tmp_path: Path) -> None:
    with pytest.raises(GraderError) as told:
        Grader("other", namespace={})
    text = str(told.value)
    assert str(tmp_path / "other.agw") in text
    assert str(tmp_path / "assignments" / "other" / "public.agw") in text
    assert "--public FILE" in text and "autograder_student package" in text


def test_an_id_is_no_path_and_a_file_is_of_one_assignment(tmp_path: Path) -> None:
    path = written(tmp_path, made(DOUBLE, RIGHT, cases=NUMBERS))
    (tmp_path / "in").mkdir()
    wrong: Any
    for wrong in ("../small", "", "a/b", None, 3, "a" * 70):
        with pytest.raises(GraderError, match="is not a valid assignment id"):
            Grader(wrong, public=tmp_path / "in", namespace={})
    with pytest.raises(GraderError, match="holds the checks of 'small', not 'other'"):
        Grader("other", public=path, namespace={})
    path.write_bytes(b"nothing")
    with pytest.raises(GraderError, match="cannot be read by this version of the package"):
        Grader(ID, namespace={})


def test_a_notebook_of_another_version_is_told(
    tmp_path: Path, cards: list[Card], monkeypatch: pytest.MonkeyPatch
) -> None:
    notebook = tmp_path / "mine.ipynb"
    monkeypatch.setenv("JPY_SESSION_NAME", str(notebook))
    for version, told in (("0123456789ab", 0), ("ba9876543210", 1)):
        stamp = {"assignment": ID, "version": version}
        notebook.write_text(json.dumps({"metadata": {"autograder": stamp}}))
        grader(tmp_path, RIGHT)
        assert len(cards) == told
    assert "made from version ba9876543210 of the template" in said(cards)
    assert "the current version is 0123456789ab" in said(cards)
    for broken in ("{", '{"metadata": []}', '{"metadata": {"autograder": 3}}', "[" * 100_000):
        notebook.write_text(broken)
        grader(tmp_path, RIGHT)
    assert len(cards) == 1


# ---------------------------------------------------------------- predictions

GUESS = {
    "id": "guess",
    "kind": "prediction",
    "name": "guess",
    "points": 0,
    "options": ["it grows", "it shrinks", 3],
    "answer": "it shrinks",
    "because": "the secret reason is told at last.",
}
ANSWER = "guess = 'it shrinks'"


def test_a_prediction_is_written_down_before_the_answer_is_shown(
    tmp_path: Path, cards: list[Card], monkeypatch: pytest.MonkeyPatch
) -> None:
    student = grader(tmp_path, "guess = ' It GROWS'", {"rows": [GUESS]}, ANSWER)
    journal = tmp_path / ".autograder" / "predictions.jsonl"

    def shown(card: Card) -> None:
        assert journal.is_file()
        cards.append(card)

    student.check("rows")
    assert "Prediction made" in said(cards) and "secret reason" not in said(cards)
    assert 'Your prediction is set. `grader.reveal("rows")` saves it' in said(cards)
    assert not journal.exists()
    monkeypatch.setattr(module, "show", shown)
    student.reveal("guess")
    assert "You predicted 'it grows'. It is 'it shrinks': the secret reason" in said(cards)
    line = msgspec.json.decode(journal.read_bytes())
    assert line.pop("time").endswith("+00:00")
    assert line == {"assignment": ID, "check": "rows/guess", "answer": "it grows"}


def test_the_first_prediction_stays(tmp_path: Path, cards: list[Card]) -> None:
    checks = {"rows": [GUESS], **DOUBLE}
    student = grader(tmp_path, "guess = 3", checks, f"{ANSWER}\n{RIGHT}")
    for name, value in (("rows", 3), ("rows/guess", "it shrinks"), ("guess", "nothing of it")):
        student._namespace["guess"] = value
        student.reveal(name)
        assert "You predicted 3. It is 'it shrinks'" in said(cards)
    assert len((tmp_path / ".autograder" / "predictions.jsonl").read_text().splitlines()) == 1
    for wrong in ("double", "what"):
        told = f"no prediction '{wrong}'; the predictions are: guess"
        with pytest.raises(GraderError, match=told):
            student.reveal(wrong)


@pytest.mark.parametrize(
    "source", ["", "guess = ...", "guess = None", "guess = 'what'", "guess = [3]"]
)
def test_without_a_prediction_no_answer(tmp_path: Path, cards: list[Card], source: str) -> None:
    student = grader(tmp_path, source, {"rows": [GUESS]}, ANSWER)
    student.reveal("rows")
    assert "Predict first: set `guess` to 'it grows' or 'it shrinks' or 3." in said(cards)
    assert "secret" not in said(cards) and not (tmp_path / ".autograder").exists()


def test_a_broken_journal_is_no_obstacle(tmp_path: Path, cards: list[Card]) -> None:
    folder = tmp_path / ".autograder"
    folder.mkdir()
    other = '{"assignment": "other", "check": "rows/guess", "answer": "it shrinks"}'
    (folder / "predictions.jsonl").write_bytes(f"\xff[\n3\n{other}\n{{'cut o".encode("latin-1"))
    student = grader(tmp_path, "guess = 'it grows'", {"rows": [GUESS]}, ANSWER)
    for _ in range(2):
        student.reveal("rows")
        assert "You predicted 'it grows'." in said(cards)
    lines = (folder / "predictions.jsonl").read_bytes().splitlines()
    assert len(lines) == 5 and msgspec.json.decode(lines[-1])["answer"] == "it grows"
    folder.rename(tmp_path / "elsewhere")
    folder.write_text("a file in the way")
    student.reveal("rows")
    assert "You predicted 'it grows'." in said(cards) and "could not be saved" in said(cards)


def test_a_call_that_loads_pyplot_itself_leaves_no_figure() -> None:
    source = (
        "from autograder.student.quiet import quiet\n"
        "with quiet():\n"
        "    from matplotlib import pyplot as plt\n"
        "    plt.plot([1.0, 2.0])\n"
        "print(plt.get_fignums())\n"
    )
    env = {**os.environ, "MPLBACKEND": "agg", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, env=env, check=True
    )
    assert done.stdout == "[]\n"
