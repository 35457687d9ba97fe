"""Runs all attacks as one class with an honest submission and the template, at each level.

The ordinary pipeline grades them, under short limits; ``contained.py`` judges the outcome.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import msgspec

from autograder.assignment.load import Loaded
from autograder.assignment.model import Assignment
from autograder.assignment.pretrained import prepare
from autograder.classroom.boxes import box_at, site_of
from autograder.classroom.grade_class import ClassGrader, ReceivedClass
from autograder.classroom.known_mistakes import WorkProgress
from autograder.classroom.reference import make_context, prepare_reference
from autograder.classroom.results_folder import KeptSubmission, ResultsFolder
from autograder.evidence.records import Run
from autograder.evidence.store import EvidenceFolder
from autograder.execution.engines.local import Local
from autograder.files import scratch_folder
from autograder.grading.context import (
    FoundSubmission,
    GradedSubmission,
    GradingContext,
    PreparedClass,
    SubmissionSource,
)
from autograder.interop.arrange import arrange
from autograder.notebook.formats.find import FoundFile, find
from autograder.notebook.formats.read import read
from autograder.reports.feedback.feedback import feedback
from autograder.sandbox.box import Level
from autograder.sandbox.leftovers import left_since, resident_mb, traces
from tests.attacks.attack import Attack
from tests.attacks.contained import (
    HIDDEN,
    AttackedSubmission,
    AttackTrace,
    is_full,
    not_contained,
    statuses,
    words_in,
)
from tests.attacks.hidden_texts import HiddenTexts
from tests.attacks.place import place, write_files
from tests.attacks.plant import NEIGHBOUR, SIGNAL, Plant, planted

WALL_S = 60.0
RUNS = 4  # of a submission: the judged one, small calls, and two of edits
REPLY_MB, TOTAL_MB = 8, 24
# processor time stops attacks, as elapsed time says nothing on a busy machine ...
SHORT = {
    "cell_cpu_s": 1.0,
    "cell_wall_s": 20.0,
    "call_cpu_s": 1.0,
    "call_wall_s": 20.0,
    "submission_wall_s": WALL_S,
    "memory_mb": 700,
    "disk_mb": 8,
    "output_kb": 64,
    "reply_mb": REPLY_MB,
    "total_mb": TOTAL_MB,
}
# ... but those that sleep
ASLEEP = {"cell_wall_s": 2.0, "call_wall_s": 2.0, "submission_wall_s": 15.0}
WORKERS = 6  # many attacks only wait
GROWN_MB = 600
HONEST, BLANK = "honest", "blank"
AGAIN = "-again"


@dataclass(frozen=True, slots=True)
class AttackResult:
    """One attack at one level: why it was not contained, and why that is known."""

    attack: Attack
    problems: tuple[str, ...]
    known: str = ""

    @property
    def contained(self) -> bool:
        return not self.problems


@dataclass(frozen=True, slots=True)
class AttackRound:
    """All attacks at one level. ``problems`` concern the whole class."""

    level: str
    results: tuple[AttackResult, ...]
    problems: tuple[str, ...]
    seconds: float
    grown_mb: float
    graded: Mapping[str, GradedSubmission]
    workspace: ResultsFolder

    @property
    def held(self) -> bool:
        """Whether everything but known failures was contained."""
        return not self.problems and all(r.contained or r.known for r in self.results)


@dataclass(frozen=True, slots=True)
class AttackedClass:
    """A class of attacks that has been graded, with the honest and the empty notebook.

    ``owners``: which attack a student's submission is, by name; ``graded``: by student; ``spec``:
    the assignment, which shows students as much as an assignment may.
    """

    plant: Plant
    workspace: ResultsFolder
    hand_ins: Sequence[SubmissionSource]
    owners: Mapping[str, str]
    graded: Mapping[str, GradedSubmission]
    spec: Assignment
    hidden: HiddenTexts


def run_levels(
    loaded: Loaded, attacks: Sequence[Attack], level: str, progress: WorkProgress
) -> tuple[AttackRound, ...]:
    """Rounds at the wanted levels: "strong", "medium", or "all" that this machine reaches.

    They are graded in a folder that is gone afterwards. Raises ``UsageError`` where a wanted level,
    or at least medium, is not reached.
    """
    offer, seed = prepare(loaded), secrets.randbits(48)
    rounds: list[AttackRound] = []

    def add(folder: Path, require: Level, without: Collection[str]) -> None:
        before = traces()
        target = folder / f"{len(rounds)}"
        site = site_of(loaded, offer, require=require, hide=[folder])
        with box_at(site, without=without) as box:
            box.box()  # starts now, as the baseline for what an attack leaves behind
            context = make_context(
                loaded,
                offer,
                box,
                seed=seed,
                draw=True,
                evidence=target / "reference",
                arrange=arrange,
            )
            prepared = prepare_reference(context, Local(WORKERS), progress.begin)
            for exercise in context.loaded.spec.exercise:
                prepared.mutants.of(exercise.id)  # no attack makes the grader grow by these
            found = run_attacks(prepared, attacks, target, progress)
        left = [f"left behind: {one}" for one in left_since(before)]
        rounds.append(replace(found, problems=(*found.problems, *left)))

    with scratch_folder("autograder-attacks-") as folder:
        if level != "medium":
            add(folder, "strong" if level == "strong" else "medium", ())
        if level == "medium" or (level == "all" and rounds[0].level == "strong"):
            add(folder, "medium", ("namespaces",))
    return tuple(rounds)


def run_attacks(
    prepared: PreparedClass, attacks: Sequence[Attack], folder: Path, progress: WorkProgress
) -> AttackRound:
    """One class of all attacks; everything is written below ``folder``."""
    started = time.monotonic()
    workspace = ResultsFolder(folder / "class")
    store = EvidenceFolder(workspace.evidence)
    context = _limited(prepared.context, store, SHORT)
    graded: dict[str, GradedSubmission] = {}

    def take(one: GradedSubmission) -> None:
        graded[one.grade.student] = one
        progress.done(one)

    with planted(context.loaded, workspace.folder) as plant:
        hand_ins, owners = _hand_ins(context, attacks, plant, folder)
        before, small = traces(), resident_mb()
        sleepers = {attack.name for attack in attacks if attack.sleeps}
        asleep = [one for one in hand_ins if owners.get(one.student) in sleepers]
        awake = [one for one in hand_ins if owners.get(one.student) not in sleepers]
        for some, limits in ((asleep, SHORT | ASLEEP), (awake, SHORT)):
            ours = replace(prepared, context=_limited(prepared.context, store, limits))
            grader = ClassGrader(ours, workspace, Local(WORKERS), ["attacks"])
            grader.grade(ReceivedClass(some), replace(progress, done=take))
        grown = resident_mb() - small
        spec = context.loaded.spec
        hidden = HiddenTexts.of(spec, context.cases)
        attacked = AttackedClass(plant, workspace, hand_ins, owners, graded, spec, hidden)
        results = tuple(
            AttackResult(a, not_contained(a, _seen(a, attacked, context.seed))) for a in attacks
        )
        problems = class_problems(attacked)
        problems += [f"left behind: {one}" for one in left_since(before)]
        if grown > GROWN_MB:
            problems.append(f"the grader grew by {grown:.0f} MB")
    runs = [one.run for one in graded.values() if one.run is not None]
    level = runs[0].measured.level if runs else "none"
    results = tuple(replace(r, known=_known(r.attack, runs)) for r in results)
    seconds = time.monotonic() - started
    return AttackRound(level, results, tuple(problems), seconds, grown, graded, workspace)


def _known(attack: Attack, runs: Sequence[Run]) -> str:
    """The stated reason why the attack is not contained at the level of these runs."""
    if not runs:
        return ""
    level, layers = runs[0].measured.level, runs[0].measured.layers
    narrow = "" if "uid" in layers else attack.known.get(f"{level} as user", "")
    return narrow or attack.known.get(level, "")


def _limited(
    context: GradingContext, store: EvidenceFolder, limits: Mapping[str, float]
) -> GradingContext:
    """The context under these limits, without evidence of earlier runs, and with everything shown
    to students that an assignment may show."""
    ours = context.loaded.spec.limits.model_copy(update=limits)
    spec = context.loaded.spec.model_copy(update={"limits": ours, "repairs": "edit"})
    loaded = replace(context.loaded, spec=spec)
    return replace(context, loaded=loaded, store=store)


def _hand_ins(
    context: GradingContext, attacks: Sequence[Attack], plant: Plant, folder: Path
) -> tuple[list[SubmissionSource], dict[str, str]]:
    """The whole class, and which attack a student is of. The slow ones come early."""
    loaded = context.loaded
    bases = {"solution": read(loaded.solution), "template": read(loaded.template)}
    first: list[SubmissionSource] = []
    again: list[SubmissionSource] = []
    owners: dict[str, str] = {}
    for attack in sorted(attacks, key=lambda a: (a.kind != "exhaust", a.kind, a.stem)):
        if attack.onto == "file":
            write_files(attack, folder / "files" / f"{attack.kind}-{attack.stem}")
            continue
        base, student = bases[attack.onto], f"{attack.kind}-{attack.stem}"
        source = plant.filled(attack, attack.source)
        first.append(KeptSubmission(student, student, place(base, attack, source)))
        owners[student] = attack.name
        if attack.twice:
            source = f"{source}\n# once more"  # different code, so that it is run again
            again.append(KeptSubmission(student + AGAIN, student, place(base, attack, source)))
            owners[student + AGAIN] = attack.name
    found = _found(folder / "files") if _any_files(attacks) else []
    files = [FoundSubmission(one) for one in found]
    for file in files:
        below = file.found.path.relative_to(folder / "files").parts[0]
        owners[file.student] = below.replace("-", "/", 1)
    word = f"# {plant.words[NEIGHBOUR]}"
    cells = tuple(
        msgspec.structs.replace(c, source=f"{c.source}\n{word}") if c.exercise else c
        for c in bases["solution"].cells
    )
    honest = msgspec.structs.replace(bases["solution"], cells=cells)
    neighbours = [
        KeptSubmission(HONEST, HONEST, honest),
        KeptSubmission(BLANK, BLANK, bases["template"]),
    ]
    return [neighbours[0], *first, *files, *again, neighbours[1]], owners


def _found(folder: Path) -> list[FoundFile]:
    """The submissions in a folder; each archive in it is read as a whole class."""
    archives = {p for p in folder.rglob("*.zip") if p.is_file() and not p.is_symlink()}
    found = find([*sorted(archives), folder])
    return [one for one in found if one.member or one.error or one.path not in archives]


def _any_files(attacks: Sequence[Attack]) -> bool:
    return any(attack.onto == "file" for attack in attacks)


def _seen(attack: Attack, attacked: AttackedClass, seed: int) -> AttackTrace:
    plant, workspace = attacked.plant, attacked.workspace
    handed = tuple(
        AttackedSubmission(
            one.grade,
            one.run,
            _text(workspace.feedback(student)),
            _text(workspace.result(student)),
            msgspec.json.encode(feedback(one.grade, attacked.spec)).decode(),
        )
        for student, one in attacked.graded.items()
        if attacked.owners.get(student) == attack.name
    )
    contacts = sum(attack.name in text for text in plant.listener.contacts)
    words = {word: where for where, word in plant.words.items()}
    marked = plant.marker(attack).exists()
    hidden = attacked.hidden
    return AttackTrace(
        handed, words, hidden, seed, RUNS * WALL_S, marked, contacts, plant.left(attack)
    )


def class_problems(attacked: AttackedClass) -> list[str]:
    """What is wrong with the class as a whole: its neighbours, its files, the grader."""
    plant, workspace, graded = attacked.plant, attacked.workspace, attacked.graded
    hand_ins, owners = attacked.hand_ins, attacked.owners
    problems = []
    honest, blank = graded[HONEST].grade, graded[BLANK].grade
    if not is_full(honest):
        problems.append(f"the honest submission lost points: {honest.score}, {honest.reason}")
    if blank.score != 0 or "passed" in statuses(blank).values():
        problems.append("the notebook without answers has points")
    rows = _text(workspace.gradebook).splitlines()
    if len(rows) != 1 + len(hand_ins) or len(graded) != len(hand_ins):
        problems.append(f"{len(rows) - 1} rows in the gradebook for {len(hand_ins)} submissions")
    texts = _text(workspace.gradebook), _text(workspace.summary)
    kept = words_in(None, *texts) + words_in(graded[BLANK].run)
    problems += [
        f"in the gradebook: the word of {where}"
        for where, word in plant.words.items()
        if word.encode() in kept
    ]
    if HIDDEN in texts[0]:
        problems.append("a hidden input appears in the gradebook")
    formulas = [row for row in rows if row.startswith(("=", "+", "-", "@", '"=', '"+', '"@'))]
    problems += [f"a formula in the gradebook: {row[:60]}" for row in formulas]
    if plant.signals:
        problems.append(f"the grader got {len(plant.signals)} signals {SIGNAL.name}")
    unnamed = [t for t in plant.listener.contacts if not any(n in t for n in owners.values())]
    if unnamed:
        problems.append(f"{len(unnamed)} contacts of no known attack: {unnamed[0][:60]!r}")
    return problems


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except FileNotFoundError:
        return ""
