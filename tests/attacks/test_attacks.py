"""Hostile and clumsy hand-ins: the attacks of ``snippets/``, graded in one class beside an
honest one, and tests that the judge of containment can fail. ``make rest`` runs all of them; here
``make test`` runs two, and ``tests/sandbox/test_attacks.py`` ten others.

Whatever a hand-in does: no undeserved point, no planted word in anything that is kept, no
hidden input on a page, nothing active, a grade for everybody, in bounded time and memory.
"""

from __future__ import annotations

import ast
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import msgspec
import psutil
import pytest

from autograder.assignment.load import Loaded
from autograder.assignment.pretrained import Offer
from autograder.classroom.boxes import box_at, site_of
from autograder.classroom.results_folder import KeptSubmission, ResultsFolder
from autograder.errors import SpecError, SubmissionError, UsageError
from autograder.evidence.records import Run, Stop
from autograder.grading.context import GradedSubmission, PreparedClass, Runner
from autograder.notebook.formats.find import find, read_found
from autograder.notebook.formats.read import read
from autograder.sandbox.isolation.premises import PACKAGE, erase
from autograder.sandbox.leftovers import left_since, traces
from autograder.sandbox.watch import taken
from autograder.wire.messages import Job, Output, Reply, WireError, decode, encode
from autograder.wire.weight import SLOT, TOKEN, weigh
from tests.attacks import __main__ as program
from tests.attacks.attack import KINDS, Attack, Expect, choose, read_attacks
from tests.attacks.contained import (
    HIDDEN,
    AttackedSubmission,
    AttackTrace,
    not_contained,
    statuses,
    waited_s,
)
from tests.attacks.hidden_texts import HiddenTexts
from tests.attacks.place import place, write_files
from tests.attacks.plant import SHARED, SIGNAL, VARIABLE, Plant, planted
from tests.attacks.run import (
    BLANK,
    HONEST,
    AttackedClass,
    AttackResult,
    AttackRound,
    class_problems,
    run_attacks,
)
from tests.support.progress import QUIET
from tests.support.tables import evaluated, table_beside

ATTACKS = read_attacks()
TOKEN_WORD = "0123456789abcdef"
HIDDEN_TEXTS = HiddenTexts(frozenset({("1.234", "-2.346", "0.03457")}), frozenset({"Odd widths"}))
ATTEMPT = "# %% x\n# title: t\n# onto: template\n# place: first\n# expect: no points\n\nx = 1\n"


def named(name: str) -> Attack:
    return next(attack for attack in ATTACKS if attack.name == name)


# ------------------------------------------------------------------ the suite


def boxed() -> set[psutil.Process]:
    """The processes of boxes that this one started and that live."""
    children = psutil.Process().children(recursive=True)
    alive = (child for child in children if child.status() != psutil.STATUS_ZOMBIE)
    return {child for child in alive if "-I" in child.cmdline()}


@pytest.fixture(scope="module")
def earlier() -> set[psutil.Process]:
    """What other files' tests left waiting before the first attack."""
    return boxed()


@pytest.fixture(scope="module")
def attacked(
    earlier: set[psutil.Process],
    prepared: PreparedClass,
    tmp_path_factory: pytest.TempPathFactory,
    request: pytest.FixtureRequest,
) -> AttackRound:
    """All attacks that are asked for, at this machine's best level."""
    folder = tmp_path_factory.mktemp("attacked")
    return run_attacks(prepared, asked_for(request), folder, QUIET)


def asked_for(request: pytest.FixtureRequest) -> list[Attack]:
    """The attacks that this session tries; two that other tests look at if it tries none."""
    asked = {
        item.callspec.params["attack"].name
        for item in request.session.items
        if isinstance(item, pytest.Function) and item.function is test_the_attack_is_contained
    }
    return [attack for attack in ATTACKS if attack.name in asked] or [
        named("leak/hidden_inputs_by_exceptions"),
        named("malformed/conflict_marks"),
    ]


def result(attacked: AttackRound, attack: Attack) -> AttackResult:
    return next(r for r in attacked.results if r.attack is attack)


@pytest.mark.slow
@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_the_attack_is_contained(attacked: AttackRound, attack: Attack) -> None:
    found = result(attacked, attack)
    assert found.contained or found.known, found.problems
    assert not (found.contained and found.known), f"contained now: {found.known}"


def test_attacks_import_what_there_is() -> None:
    """An attack on a module that has moved would be contained by its own ImportError."""
    for attack in ATTACKS:
        with suppress(SyntaxError):
            for node in ast.walk(ast.parse(attack.source)):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(
                    "autograder."
                ):
                    module = import_module(str(node.module))
                    for alias in node.names:
                        path = f"{node.module}.{alias.name}"
                        assert hasattr(module, alias.name) or find_spec(path), (attack.name, path)
    ours = {path.stem for path in PACKAGE.iterdir() if not path.name.startswith("_")}
    source = named("leak/modules_of_the_grader").source
    assert all(f'"{our}' in source for our in ours - {"wire", "runner"})


@pytest.mark.slow
def test_the_class_of_attacks_harms_nobody_else(attacked: AttackRound) -> None:
    assert attacked.problems == ()
    assert attacked.held


def test_every_class_of_attacks_is_there() -> None:
    kinds = [attack.kind for attack in ATTACKS]
    assert len(ATTACKS) >= 70 and all(kinds.count(kind) >= 5 for kind in KINDS)


@pytest.mark.slow
def test_the_neighbours_keep_their_grades(attacked: AttackRound) -> None:
    honest, blank = (statuses(attacked.graded[name].grade) for name in (HONEST, BLANK))
    assert set(honest.values()) <= {"passed", "manual"}
    assert "passed" not in blank.values()
    rows = attacked.workspace.gradebook.read_text(encoding="utf-8").splitlines()
    assert len(rows) == 1 + len(attacked.graded)


def test_the_leaks_do_meet_hidden_inputs(attacked: AttackRound) -> None:
    student = "leak-hidden_inputs_by_exceptions"
    text = attacked.workspace.result(student).read_text(encoding="utf-8")
    assert HIDDEN in text  # the instructor's file may quote them
    assert named("leak/hidden_inputs_by_exceptions").expect.met_hidden


def test_the_grader_stays_small(attacked: AttackRound) -> None:
    assert attacked.grown_mb < 600


def test_two_checks_pass_for_functions_that_merely_do_not_raise() -> None:
    """Nothing else of what is not given may pass, but where public or equal tables count."""
    lenient = {"input_pipeline/arguments", "cosine_similarity/zero-vector", "bag_of_words/form"}
    for attack in ATTACKS:
        if attack.onto == "template" and not attack.stem.startswith("tables_of_"):
            assert attack.may_pass <= lenient, attack.name


MEDIUM = [
    a
    for a in ATTACKS
    if (a.kind in ("leak", "escape", "persist") and not a.stem.startswith("hidden_inputs"))
    or a.name in ("exhaust/folders_too_deep_for_a_path", "exhaust/hard_links")
]


@pytest.fixture(scope="module")
def at_medium(
    flagship: Loaded,
    offer: Offer,
    prepared: PreparedClass,
    tmp_path_factory: pytest.TempPathFactory,
) -> AttackRound:
    """What reaches for files, processes and neighbours, in a box without namespaces."""
    folder = tmp_path_factory.mktemp("medium")
    site = site_of(flagship, offer, require="weak", hide=[folder])
    with box_at(site, without=("namespaces",)) as box:
        if box.box().isolation.level != "medium":
            pytest.skip(f"neither Landlock nor seccomp here: {box.box().isolation.missing}")
        return run_attacks(behind(prepared, box), MEDIUM, folder, QUIET)


def behind(prepared: PreparedClass, runner: Runner) -> PreparedClass:
    return replace(prepared, context=replace(prepared.context, runner=runner))


@pytest.mark.slow
@pytest.mark.parametrize("attack", MEDIUM, ids=lambda attack: attack.name)
def test_at_medium_only_known_failures_get_through(at_medium: AttackRound, attack: Attack) -> None:
    found = result(at_medium, attack)
    assert found.contained or found.known, found.problems
    assert not (found.contained and found.known), f"contained now: {found.known}"


@pytest.mark.slow
def test_at_medium_nobody_else_is_harmed(at_medium: AttackRound) -> None:
    assert at_medium.level == "medium" and at_medium.problems == ()


# ------------------------------------------------------------------ the judge can fail


class SaysTheSame:
    """A runner that gives everybody the evidence of the solution."""

    def __init__(self, answer: Run) -> None:
        self._answer = answer

    def run(self, job: Job) -> Run:
        return self._answer

    def accepts(self, level: str) -> bool:
        return True


def test_undeserved_points_are_found(prepared: PreparedClass, tmp_path: Path) -> None:
    attacks = [named("forge/patched_comparisons"), named("evade/cache_by_shape")]
    fooled = behind(prepared, SaysTheSame(prepared.expected))
    found = run_attacks(fooled, attacks, tmp_path, QUIET)
    forged, evaded = (r.problems for r in found.results)
    assert any(p.startswith("undeserved: embedding_lookup/table") for p in forged)
    assert any("points, where at most 0 are possible" in p for p in forged)
    assert any(p.startswith("passed, though it must not: ") for p in evaded)
    assert "the notebook without answers has points" in found.problems
    assert not found.held


@pytest.mark.slow
def test_without_walls_the_same_attacks_get_through(
    flagship: Loaded, offer: Offer, prepared: PreparedClass, tmp_path: Path
) -> None:
    """Limits alone: planted words are read, a mark is left, and the listener is reached."""
    names = (
        "leak/files_beside_the_notebook",
        "escape/sockets_to_listeners",
        "persist/notes_in_shared_memory",
    )
    spoils = [named("escape/marks_outside")]  # it removes what the first one reads
    walls = ("namespaces", "uid", "landlock", "seccomp")
    with box_at(site_of(flagship, offer, require="weak"), without=walls) as box:
        box.box()
        bare = behind(prepared, box)
        found = run_attacks(bare, [*map(named, names)], tmp_path / "one", QUIET)
        spoilt = run_attacks(bare, spoils, tmp_path / "two", QUIET)
    read_, connected, noted = (r.problems for r in found.results)
    for where in ("secret file", "course", "neighbour", "results"):
        assert f"it got hold of the word planted as: {where}" in read_
    assert any(p.startswith("it reached a listener") for p in connected)
    assert "it left a mark outside the box" in spoilt.results[0].problems
    assert any(p.startswith("it left notes on the machine: /dev/shm") for p in noted)
    assert found.level == "weak" and not found.held
    assert not [p for p in SHARED.iterdir() if "notes_in_shared_memory" in p.name]  # swept


@pytest.fixture(scope="module")
def good(attacked: AttackRound) -> tuple[Attack, AttackTrace]:
    """An attack on the template that came to nothing, and what was seen of it."""
    graded = attacked.graded[BLANK]
    page = attacked.workspace.feedback(BLANK).read_text(encoding="utf-8")
    handed = AttackedSubmission(graded.grade, graded.run, page, "{}", "{}")
    seen = AttackTrace((handed,), {TOKEN_WORD: "a place"}, HIDDEN_TEXTS, 20_170_612, 8.0)
    attack = Attack("forge", "x", "x", "template", Expect("no points"), "x = 1")
    assert not_contained(attack, seen) == ()
    return attack, seen


def said(run: Run | None, text: str) -> Run:
    """The run, with this text printed by its first cell."""
    assert run is not None and run.cells[0].claim is not None
    outputs = (Output("stdout", "text/plain", text.encode()),)
    claim = msgspec.structs.replace(run.cells[0].claim, outputs=outputs)
    cell = msgspec.structs.replace(run.cells[0], claim=claim)
    return msgspec.structs.replace(run, cells=(cell, *run.cells[1:]))


EVERY = table_beside(__file__)
SPOILT, STATED = EVERY["spoilt"], EVERY["stated"]  # expressions of a submission, of an attack


@pytest.mark.parametrize("what", SPOILT)
def test_what_must_not_be_is_found(good: tuple[Attack, AttackTrace], what: str) -> None:
    attack, seen = good
    names = {"h": seen.handed[0], "waited_s": waited_s}
    changed = evaluated(SPOILT[what]["change"], globals() | names)
    problems = not_contained(attack, replace(seen, handed=(changed,)))
    assert any(SPOILT[what]["said"] in problem for problem in problems), problems


def test_marks_contacts_and_notes_are_found(good: tuple[Attack, AttackTrace]) -> None:
    attack, seen = good
    assert not_contained(attack, replace(seen, marked=True)) == ("it left a mark outside the box",)
    assert not_contained(attack, replace(seen, contacts=2)) == ("it reached a listener 2 times",)
    left = replace(seen, left=("/dev/shm/x",))
    assert not_contained(attack, left) == ("it left notes on the machine: /dev/shm",)


@pytest.mark.parametrize("what", STATED)
def test_a_header_that_states_something_else_is_found(
    good: tuple[Attack, AttackTrace], what: str
) -> None:
    attack, seen = good
    changed = evaluated(STATED[what]["change"], globals() | {"a": attack})
    problems = not_contained(changed, seen)
    assert any(STATED[what]["said"] in problem for problem in problems), problems


def test_a_stop_has_to_have_the_stated_text(good: tuple[Attack, AttackTrace]) -> None:
    attack, seen = good
    handed = seen.handed[0]
    assert handed.run is not None
    cell = msgspec.structs.replace(handed.run.cells[0], stop=Stop("cpu", "it took long"))
    run = msgspec.structs.replace(handed.run, cells=(cell, *handed.run.cells[1:]))
    stopped = replace(seen, handed=(replace(handed, run=run),))
    for stop, fine in (
        (("cpu", ""), True),
        (("wall or cpu", "it took long"), True),
        (("cpu", "other"), False),
        (("wall", ""), False),
    ):
        stated = replace(attack, expect=Expect("no points", stops=(stop,)))
        assert (not_contained(stated, stopped) == ()) is fine


def test_a_rejection_for_another_reason_is_found(attacked: AttackRound) -> None:
    attack = named("malformed/conflict_marks")
    student = "conflict-nb"
    handed = AttackedSubmission(attacked.graded[student].grade, None, "</main><style>", "", "")
    seen = AttackTrace((handed,), {}, HIDDEN_TEXTS, 20_170_612, 8.0)
    other = replace(attack, rejected={student: "some other words"}, read=())
    assert any("for another reason" in problem for problem in not_contained(other, seen))


# ------------------------------------------------------------------ the class, the machine


@pytest.fixture
def plant(flagship: Loaded, tmp_path: Path) -> Iterator[Plant]:
    with planted(flagship, tmp_path / "class") as made:
        yield made


def test_a_contact_is_noticed_whatever_its_kind(plant: Plant) -> None:
    listener = plant.listener
    inet, local = socket.AF_INET, socket.AF_UNIX
    for number, (family, kind, address) in enumerate(
        (
            (inet, socket.SOCK_STREAM, ("127.0.0.1", listener.tcp)),
            (inet, socket.SOCK_DGRAM, ("127.0.0.1", listener.udp)),
            (local, socket.SOCK_STREAM, f"\0{listener.abstract}"),
            (local, socket.SOCK_STREAM, str(listener.path)),
        )
    ):
        with socket.socket(family, kind) as one:
            one.connect(address)
            one.send(b"contact %d" % number)
    deadline = time.monotonic() + 5
    while len(listener.contacts) < 4 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert sorted(listener.contacts) == [f"contact {n}" for n in range(4)]


def test_a_signal_is_counted_and_the_handler_is_put_back(flagship: Loaded, tmp_path: Path) -> None:
    before = signal.getsignal(SIGNAL)
    with planted(flagship, tmp_path) as plant:
        os.kill(os.getpid(), SIGNAL)
        assert plant.signals == [SIGNAL]
        assert os.environ[VARIABLE] == plant.words["environment"]
        planted_at = plant.folder
    assert signal.getsignal(SIGNAL) == before and VARIABLE not in os.environ
    assert not planted_at.exists()


def test_every_place_has_a_word_of_its_own(plant: Plant) -> None:
    assert len(set(plant.words.values())) == len(plant.words) == 6
    attack = named("leak/files_beside_the_notebook")
    source = plant.filled(attack, attack.source)
    for name in ("secret.txt", "answers.txt", "neighbour.py", "notes.txt"):
        assert name in source
    assert "{" not in plant.filled(attack, "{secret}") and plant.filled(attack, "{x}") == "{x}"
    assert plant.words["success"] not in plant.filled(attack, "{success}")  # it is backwards


def test_a_note_is_found_and_swept(flagship: Loaded, tmp_path: Path) -> None:
    attack = named("persist/notes_in_shared_memory")
    with planted(flagship, tmp_path) as plant:
        note = SHARED / plant.note(attack)
        note.write_text("x")
        assert plant.left(attack) == (str(note),)
        assert plant.left(named("persist/start_up_files")) == ()
    assert not note.exists()


def class_of(
    attacked: AttackRound, plant: Plant, course: Loaded, graded: Mapping[str, GradedSubmission]
) -> AttackedClass:
    """The graded class, without its attacks."""
    hand_ins = [KeptSubmission(name, name, None) for name in graded]
    return AttackedClass(plant, attacked.workspace, hand_ins, {}, graded, course.spec, HIDDEN_TEXTS)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (lambda p, g, o: p.signals.append(SIGNAL), "signals SIGURG"),
        (lambda p, g, o: p.listener.contacts.append("who"), "contacts of no known attack"),
        (lambda p, g, o: g.update(honest=g[BLANK]), "the honest submission lost points"),
        (lambda p, g, o: g.update(blank=g[HONEST]), "without answers has points"),
        (lambda p, g, o: g.update(more=g[BLANK]), "rows in the gradebook"),
    ],
)
def test_what_is_wrong_with_the_class_is_found(
    attacked: AttackRound,
    plant: Plant,
    flagship: Loaded,
    spoil: Callable[..., object],
    words: str,
) -> None:
    graded = {name: attacked.graded[name] for name in attacked.graded}
    class_ = class_of(attacked, plant, flagship, graded)
    assert class_problems(class_) == []
    spoil(plant, graded, {})
    problems = class_problems(class_)
    assert any(words in problem for problem in problems), problems


def test_words_and_formulas_in_the_gradebook_are_found(
    attacked: AttackRound, plant: Plant, flagship: Loaded, tmp_path: Path
) -> None:
    workspace = ResultsFolder(tmp_path / "spoilt")
    workspace.folder.mkdir()
    text = attacked.workspace.gradebook.read_text(encoding="utf-8").splitlines()
    text[1] = f"=1+1 {plant.words['course']} {HIDDEN}"
    workspace.gradebook.write_text("\n".join(text), encoding="utf-8")
    class_ = replace(class_of(attacked, plant, flagship, attacked.graded), workspace=workspace)
    problems = "; ".join(class_problems(class_))
    for words in ("the word of course", "a formula in the gradebook", "a hidden input appears"):
        assert words in problems


def test_a_process_that_stays_is_noticed() -> None:
    before = traces()
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"]) as process:
        left = left_since(before, patience_s=0)
        process.kill()
    assert [one for one in left if one.startswith(f"process {process.pid} ")]
    assert left_since(before) == ()


def test_a_folder_too_deep_for_a_path_is_counted_and_erased(tmp_path: Path) -> None:
    """Each name is short, but all of them together are longer than any path may be."""
    top, name = tmp_path / "top", "d" * 200
    top.mkdir()
    place = os.open(top, os.O_RDONLY)
    for _ in range(40):
        os.mkdir(name, dir_fd=place)
        inner = os.open(name, os.O_RDONLY, dir_fd=place)
        os.close(place)
        place = inner
    os.close(place)
    assert taken(top, 5000)[0] > 5000
    erase(top)
    assert not top.exists()


# ------------------------------------------------------------------ attack files


def written(tmp_path: Path, text: str, *, kind: str = "forge") -> Path:
    (tmp_path / f"{kind}.py").write_text(text, encoding="utf-8")
    return tmp_path


def test_a_header_is_read(tmp_path: Path) -> None:
    more = "no points, restarted, stopped: cpu or wall, stopped: budget (a text (of two))"
    text = ATTEMPT.replace("no points", more).replace(
        "\n\n", "\n# may pass: a/b, c/d\n# may pass: e/f\n# known: medium: why\n\n"
    )
    attack, other = read_attacks(written(tmp_path, f"{text}\n{ATTEMPT.replace('%% x', '%% y')}"))
    stops = (("cpu or wall", ""), ("budget", "a text (of two)"))
    assert attack.expect == Expect("no points", restarted=True, stops=stops)
    assert attack.may_pass == {"a/b", "c/d", "e/f"} and attack.known == {"medium": "why"}
    assert (attack.name, attack.source) == ("forge/x", "x = 1")
    assert (attack.sleeps, other.sleeps, other.name) == (True, False, "forge/y")


def test_variants_of_an_attack_are_attacks(tmp_path: Path) -> None:
    text = ATTEMPT.replace("\n\nx = 1", "\n# each: one | 1\n# each: two | 2 | 0\n\nx = <each>")
    made = read_attacks(written(tmp_path, text))
    assert [(a.stem, a.source) for a in made] == [("x_one", "x = 1"), ("x_two", "x = 2 | 0")]


@pytest.mark.parametrize("header", EVERY["wrong headers"], ids=lambda header: header["said"])
def test_a_wrong_header_is_an_error(tmp_path: Path, header: dict[str, str]) -> None:
    written(tmp_path, ATTEMPT.replace(header["instead of"], header["there is"], 1))
    with pytest.raises(SpecError, match=f"forge/x: .*{re.escape(header['said'])}"):
        read_attacks(tmp_path)


def test_a_file_that_is_no_class_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="'theft' is no class"):
        read_attacks(written(tmp_path, ATTEMPT, kind="theft"))


def test_no_attacks_and_no_such_attack_are_errors(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there are no attacks in"):
        read_attacks(tmp_path)
    with pytest.raises(UsageError, match="no attack or class of attacks 'theft'"):
        choose(ATTACKS, "theft")
    assert {a.kind for a in choose(ATTACKS, "persist")} == {"persist"}
    assert choose(ATTACKS, "evade/cache_by_shape") == choose(ATTACKS, "cache_by_shape")


def test_code_is_put_where_the_header_says(prepared: PreparedClass) -> None:
    template = read(prepared.context.loaded.template)
    attack = named("forge/patched_comparisons")
    code = [c for c in template.cells if c.kind == "code"]
    first = place(template, replace(attack, place="first"), "red")
    last = place(template, replace(attack, place="last"), "red")
    own = place(template, replace(attack, place="own"), "red")
    imports = code[1].source  # after the set-up cell
    assert [c.source for c in first.cells if c.kind == "code"][1:3] == [imports, "red"]
    assert last.cells[-1].source == "red"
    assert [c.number for c in last.cells] == [*range(1, len(template.cells) + 2)]
    assert all(c.source.endswith("\nred") == bool(c.exercise) for c in own.cells)


def test_a_program_that_fails_or_takes_too_much_is_an_error(tmp_path: Path) -> None:
    attack = replace(named("malformed/not_json"), source="raise OSError('no')")
    with pytest.raises(UsageError, match="its program failed"):
        write_files(attack, tmp_path / "one")
    attack = replace(attack, source="bytearray(3 << 30)")
    with pytest.raises(UsageError, match="MemoryError"):
        write_files(attack, tmp_path / "two")


# ------------------------------------------------------------------ the program


def test_the_program_tells_what_is_known_and_fails_when_one_gets_through(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], attacked: AttackRound
) -> None:
    def status(*rounds: AttackRound, only: str = "") -> object:
        monkeypatch.setattr(program, "run_levels", lambda *a, **k: rounds)
        monkeypatch.setattr(sys, "argv", ["attacks", "--only", only])
        with pytest.raises(SystemExit) as left:
            program.main()
        return left.value.code

    one, two, three = ATTACKS[:3]
    fine = replace(attacked, level="strong", results=(AttackResult(one, ()),), problems=())
    known = AttackResult(two, ("so",), "it is known"), AttackResult(three, (), "it was known")
    medium = replace(fine, level="medium", results=known)
    assert status(fine, medium) == 0
    text = capsys.readouterr().out
    assert f"{'all':10}{'1/1':>10}{'1/2':>10}" in text.splitlines()
    assert f"medium: {two.name} is a known exception: it is known" in text
    assert f"medium: {three.name} is contained now" in text
    assert status(fine, replace(medium, results=(AttackResult(one, ("it got out",)),))) == 1
    assert f"medium: {one.name} was not contained: it got out" in capsys.readouterr().out
    assert status(replace(fine, problems=("left behind: process 7",))) == 1
    assert status(fine, only="theft") == 2


# ------------------------------------------------------------------ files


def test_a_folder_that_is_called_a_notebook_is_not_lost(tmp_path: Path) -> None:
    (tmp_path / "student-01.ipynb").mkdir()
    (tmp_path / "student-02.ipynb").mkdir()
    (tmp_path / "student-02.ipynb" / "student-03.py").write_text("x = 1\n")
    folder, script = sorted(find([tmp_path]), key=lambda one: one.student)
    with pytest.raises(SubmissionError, match="this is a folder"):
        read_found(folder)
    read_found(script)
    assert (folder.student, script.student) == ("student-01", "student-03")


# ------------------------------------------------------------------ weight


@pytest.mark.parametrize("expression", EVERY["weighed"])
def test_every_value_is_weighed(expression: str) -> None:
    value = evaluated(expression, {})

    def count(part: object) -> tuple[int, int]:
        below: list[object] = []
        if isinstance(part, list):
            below = part
        elif isinstance(part, dict):
            below = [*part.keys(), *part.values()]
        pairs = [count(one) for one in below]
        return 1 + sum(t for t, _ in pairs), len(below) + sum(s for _, s in pairs)

    tokens, places = count(value)
    body = msgspec.msgpack.encode(value)
    assert weigh(body, 2**60) == len(body) + TOKEN * tokens + SLOT * places


def test_a_length_that_is_only_claimed_weighs_too() -> None:
    assert weigh(b"\xdd\x40\x00\x00\x00", 2**60) > SLOT * 2**30


@pytest.mark.parametrize("length", range(40))
def test_weighing_never_fails(length: int) -> None:
    for first in range(256):
        assert weigh(bytes([first]) + b"\xc9" * length, 2**60) >= length


def test_a_message_that_is_cut_off_is_no_message() -> None:
    body = encode(Reply(1, None))  # type: ignore[arg-type]
    with pytest.raises(WireError):
        decode(body[:-1], Reply)


def test_no_process_of_a_hand_in_lives_on(
    earlier: set[psutil.Process], attacked: AttackRound
) -> None:
    """Only the warm box waits for more: its launcher and its zygote."""
    assert attacked.graded
    assert len(boxed() - earlier) <= 2
