"""The command line: parses, prints, exits. Nothing else in the package prints.

Exit status 0: every submission has a grade or a stated rejection; 1: something is
ungraded through our fault; 2: the command or an assignment is wrong.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from autograder.bench.run import run_bench
from autograder.bench.soak import soak as run_soak
from autograder.bench.table import soak_table
from autograder.bench.table import table as bench_table
from autograder.classroom import (
    ClassGrades,
    HandIn,
    box_for,
    devices_for,
    grade_into,
    make_setting,
    only_stored,
    prepare_reference,
    stored_devices,
)
from autograder.engines.local import Local
from autograder.errors import AutograderError, SandboxError, SpecError, StoreError, UsageError
from autograder.files import write_atomic
from autograder.gradebook.store import GradeStore
from autograder.notebook.find import find as find_hand_ins
from autograder.redteam.attack import choose, find_attacks, read_attacks
from autograder.redteam.findings import findings
from autograder.redteam.run import temporary_run
from autograder.release import Wish, existing, made_release
from autograder.report.attacks import attacks_view
from autograder.report.health import health_view
from autograder.report.moves import moves_table
from autograder.report.progress import progress
from autograder.report.terminal import class_table, student_view
from autograder.report.validation import validation_json, validation_view
from autograder.report.validation_page import validation_page
from autograder.sandbox.doctor import examine_machine
from autograder.spec.load import find, load
from autograder.spec.model import Assignment
from autograder.spec.pretrained import prepare
from autograder.student.shell import check as check_notebook
from autograder.validate.run import Step
from autograder.validate.whole import validation_of
from autograder.workspace import Workspace

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Grade notebooks of machine-learning courses: isolated, fair, and with reasons.",
)
CORES = os.cpu_count() or 1
MAX_SEED = 2**63 - 1
out = Console()
err = Console(stderr=True)


class Require(StrEnum):
    """Levels of isolation that may be demanded."""

    strong = "strong"
    medium = "medium"
    weak = "weak"


class Reach(StrEnum):
    """Levels of isolation that are attacked."""

    strong = "strong"
    medium = "medium"
    all = "all"


AssignmentArg = Annotated[str, typer.Argument(help="An id under assignments/, or a folder.")]
JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]
DevicesOption = Annotated[
    str,
    typer.Option(
        "--devices",
        help="Real accelerators to test on as well: auto for what is there, none, cuda.",
    ),
]
Workers = Annotated[int, typer.Option(min=1, max=512, help="Hand-ins graded at the same time.")]


@app.command()
def grade(
    assignment: AssignmentArg,
    paths: Annotated[list[Path], typer.Argument(help="Notebooks, .py files, folders or .zip.")],
    folder: Annotated[Path, typer.Option("--out", help="Where results go; a run is resumed.")],
    workers: Workers = CORES,
    seed: Annotated[
        int | None, typer.Option(min=0, max=MAX_SEED, help="Of the hidden inputs; drawn if absent.")
    ] = None,
    require: Annotated[
        Require, typer.Option(help="Refuse to run with less isolation than this.")
    ] = Require.medium,
    figures: Annotated[
        bool, typer.Option("--figures/--no-figures", help="Draw figures for the feedback.")
    ] = True,
    devices: DevicesOption = "auto",
    as_json: JsonFlag = False,
) -> None:
    """Grade a class: results, feedback, a gradebook and a table."""
    loaded = load(find(assignment, Path.cwd()))
    hand_ins = [HandIn(found) for found in find_hand_ins(paths)]
    if not hand_ins:
        raise UsageError("there is no .ipynb or .py file under the given paths")
    workspace = Workspace(folder)
    offer = prepare(loaded)
    engine = Local(workers)
    hide = [folder, *(p if p.is_dir() else p.parent for p in paths)]
    with (
        devices_for(loaded, offer, devices, require=require.value, hide=hide) as there,
        box_for(loaded, offer, require=require.value, hide=hide) as box,
        progress(err) as bar,
    ):
        run = workspace.begin(
            loaded.spec.id, loaded.folder, seed=seed, draw=figures, devices=there.names
        )
        if there.note:
            _say(err, there.note)
        setting = make_setting(
            loaded, offer, box, seed=run.seed, draw=run.draw, evidence=workspace.evidence,
            devices=there,
        )  # fmt: skip
        prepared = prepare_reference(setting, engine, bar.report)
        graded = grade_into(
            prepared, hand_ins, workspace, engine,
            command=sys.argv[1:], report=bar.report, done=bar.done,
        )  # fmt: skip
    _conclude(graded, as_json=as_json)


@app.command()
def regrade(
    folder: Annotated[Path, typer.Argument(help="A folder that `grade` wrote.")],
    workers: Workers = CORES,
    devices: DevicesOption = "auto",
    as_json: JsonFlag = False,
) -> None:
    """Judge a graded class again from stored evidence; runs no student code."""
    workspace = Workspace(folder)
    run = workspace.open_run()
    loaded = load(find(run.folder, Path.cwd()))
    hand_ins = list(workspace.kept())
    with GradeStore(workspace.database) as store:
        before = store.latest(loaded.spec.id)
    engine, offer = Local(workers), prepare(loaded)
    with (
        stored_devices(loaded, offer, devices, run.devices, hide=[folder]) as there,
        box_for(loaded, offer, require="weak", hide=[folder]) as box,
        progress(err) as bar,
    ):
        setting = make_setting(
            loaded, offer, box, seed=run.seed, draw=run.draw, evidence=workspace.evidence,
            devices=there,
        )  # fmt: skip  # the solution and known mistakes may be new; hand-ins may not
        prepared = only_stored(prepare_reference(setting, engine, bar.report))
        graded = grade_into(
            prepared, hand_ins, workspace, engine,
            command=sys.argv[1:], report=bar.report, done=bar.done,
        )  # fmt: skip
    if not as_json:
        out.print(moves_table(before, graded.grades))
    _conclude(graded, as_json=as_json)


@app.command()
def show(
    folder: Annotated[Path, typer.Argument(help="A folder that `grade` wrote.")],
    student: Annotated[str, typer.Argument(help="Show this student's checks.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Show the class, or one student's checks."""
    workspace = Workspace(folder)
    run = workspace.open_run()
    with GradeStore(workspace.database) as store:
        grades = store.latest(run.assignment)
    if not student:
        text = workspace.summary.read_text() if as_json else ""
        out.out(text, end="") if as_json else out.print(class_table(grades))
        return
    chosen = [g for g in grades if g.student == student]
    if not chosen:
        known = ", ".join(g.student for g in grades[:20])
        raise UsageError(f"{folder} has no student {student!r}; there are: {known}")
    if as_json:
        out.out(workspace.result(student).read_text(), end="")
    else:
        out.print(student_view(chosen[0]))


@app.command()
def release(
    assignment: AssignmentArg,
    check: Annotated[bool, typer.Option("--check", help="Only compare; write nothing.")] = False,
    colab: Annotated[
        bool, typer.Option("--colab", help="Also a notebook for Colab, beside the other one.")
    ] = False,
    light: Annotated[
        bool, typer.Option("--light", help="Also a .py file in jupytext's light format.")
    ] = False,
    package: Annotated[
        Path | None,
        typer.Option("--package", help="A folder; also write the package for students there."),
    ] = None,
    package_url: Annotated[
        str, typer.Option(help="Where the notebook for Colab finds that package.")
    ] = "",
) -> None:
    """Make the student notebook and the public evidence from the solution."""
    if package_url and not colab:
        raise UsageError("--package-url is written into the notebook for Colab; add --colab")
    loaded = load(find(assignment, Path.cwd()))
    there = existing(loaded) if check else Wish()
    wish = Wish(
        colab=colab or there.colab,
        light=light or there.light,
        package=package,
        package_url=package_url or there.package_url,
    )
    with progress(err) as bar:
        made = made_release(loaded, Local(CORES), bar.report, wish)
    if check:
        remedy = f"run `autograder release {loaded.spec.id}`"
        stale = [f"{path}: {why}; {remedy}" for path, why in made.stale()]
        if stale:
            raise SpecError(stale)
    for path, content in made.files.items():
        if not check:
            write_atomic(path, content)
        _say(out, f"{path} is up to date" if check else f"wrote {path}")


@app.command()
def check(
    notebook: Annotated[Path, typer.Argument(help="A student's notebook.")],
    assignment: Annotated[str, typer.Option(help="Its id, where the notebook has no stamp.")] = "",
    public: Annotated[
        Path | None, typer.Option(help="The public evidence ID.agw, or its folder.")
    ] = None,
) -> None:
    """Show a student how a notebook stands; runs it here, in no box. Status 1: not all right."""
    raise typer.Exit(check_notebook(notebook, assignment=assignment, public=public))


@app.command()
def doctor(as_json: JsonFlag = False) -> None:
    """Say how well student code can be isolated here, and what is missing."""
    health = examine_machine()
    if as_json:
        out.out(json.dumps(health, indent=2))
    else:
        out.print(health_view(health))
    if health["level"] not in ("strong", "medium"):
        raise typer.Exit(1)


@app.command()
def bench(
    assignment: Annotated[str, typer.Argument(help="Whose solution is run.")] = (
        "embeddings-and-position"
    ),
    rounds: Annotated[int, typer.Option(min=1, help="Interleaved rounds.")] = 7,
    figures: Annotated[int, typer.Option(min=0, help="Figures that the notebook draws.")] = 2,
    count: Annotated[int, typer.Option(min=2, help="Hand-ins for one worker against two.")] = 12,
    soak: Annotated[
        int, typer.Option(min=0, help="Grade so many instead, and watch the grader's memory.")
    ] = 0,
    as_json: JsonFlag = False,
) -> None:
    """Measure the grader against plain execution and nbconvert, in one interleaved run."""
    loaded = load(find(assignment, Path.cwd()))
    offer = prepare(loaded)
    with (
        tempfile.TemporaryDirectory() as folder,
        progress(err) as bar,
        box_for(loaded, offer, require="weak") as box,
    ):
        setting = make_setting(loaded, offer, box, seed=1, draw=False, evidence=Path(folder))
        prepared = prepare_reference(setting, Local(CORES), bar.report)
        if soak:
            samples = run_soak(prepared, box.box(), count=soak, workers=CORES, report=bar.report)
            plain = [asdict(sample) for sample in samples]
            out.out(json.dumps(plain, indent=2)) if as_json else out.print(soak_table(samples))
            return
        found = run_bench(
            prepared, box.box(), rounds=rounds, figures=figures, count=count, report=bar.report
        )
    out.out(json.dumps(found, indent=2)) if as_json else out.print(bench_table(found))


@app.command()
def redteam(
    assignment: Annotated[str, typer.Argument(help="On whose notebooks the attacks stand.")] = (
        "embeddings-and-position"
    ),
    attacks: Annotated[
        Path | None, typer.Option(help="A folder of attacks; tests/attacks if absent.")
    ] = None,
    level: Annotated[Reach, typer.Option(help="All that this machine reaches.")] = Reach.all,
    only: Annotated[str, typer.Option(help="One class of attacks, or one attack.")] = "",
    as_json: JsonFlag = False,
) -> None:
    """Attack the grader on this machine, with planted secrets; status 1 if one gets through."""
    chosen = choose(read_attacks(find_attacks(attacks, Path.cwd())), only)
    loaded = load(find(assignment, Path.cwd()))
    with progress(err) as bar:
        rounds = temporary_run(
            loaded, prepare(loaded), chosen, level.value, report=bar.report, done=bar.done
        )
    found = findings(rounds)
    out.out(json.dumps(found, indent=2)) if as_json else out.print(attacks_view(found))
    if not found["held"]:
        raise typer.Exit(1)


@app.command()
def validate(
    assignment: AssignmentArg,
    folder: Annotated[
        Path | None, typer.Option("--out", help="For the page; out/validate/ID if absent.")
    ] = None,
    changed: Annotated[
        bool, typer.Option("--changed", help="Run only what a change since last time can affect.")
    ] = False,
    measure: Annotated[
        bool, typer.Option("--measure", help="Store measured tolerances in measured.toml.")
    ] = False,
    quick: Annotated[
        bool, typer.Option("--quick", help="No mutants; each variant in its own exercise alone.")
    ] = False,
    workers: Workers = CORES,
    seed: Annotated[int, typer.Option(min=0, max=MAX_SEED, help="Of the hidden inputs.")] = 1,
    require: Annotated[
        Require, typer.Option(help="Refuse to run with less isolation than this.")
    ] = Require.medium,
    devices: DevicesOption = "auto",
    as_json: JsonFlag = False,
) -> None:
    """Try an assignment with right, wrong and mutated answers; status 1 if it is not ready."""
    with progress(err) as bar:
        found = validation_of(
            find(assignment, Path.cwd()), Local(workers), Step(bar.report, bar.done),
            require=require.value, seed=seed, changed=changed, measure=measure, quick=quick,
            devices=devices,
        )  # fmt: skip
    target = folder or Path("out", "validate", found.assignment)
    write_atomic(target / "validation.html", validation_page(found).encode())
    write_atomic(target / "validation.json", validation_json(found).encode())
    out.out(validation_json(found)) if as_json else out.print(validation_view(found))
    _say(err if as_json else out, f"Page  {target / 'validation.html'}")
    if not found.valid:
        raise typer.Exit(1)


@app.command()
def schema() -> None:
    """Print the JSON Schema of assignment.toml."""
    out.out(json.dumps(Assignment.model_json_schema(), indent=2))


def _conclude(graded: ClassGrades, *, as_json: bool) -> None:
    workspace = graded.workspace
    if as_json:
        out.out(workspace.summary.read_text(), end="")
    else:
        out.print(class_table(graded.grades))
        _say(out, f"Gradebook  {workspace.gradebook}")
        _say(out, f"Feedback   {workspace.folder / 'feedback'}")
        _say(out, f"Results    {workspace.folder / 'results'}")
    weaker = {g.isolation.level for g in graded.grades} & {"medium", "weak", "none"}
    if weaker:
        _say(
            err,
            f"note: isolation was only {', '.join(sorted(weaker))!r}; `autograder doctor` says "
            "what is missing, --require strong refuses to run without it",
        )
    ungraded = [g for g in graded.grades if g.status == "ungraded"]
    if ungraded:
        names = ", ".join(g.student for g in ungraded[:10])
        _say(err, f"{len(ungraded)} ungraded, a person must look: {names}")
        raise typer.Exit(1)


def _say(console: Console, text: str) -> None:
    """One line as it is: names and paths are no markup, and a path is not cut."""
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run a command; our own errors are printed without a traceback."""
    try:
        app(args=list(arguments) if arguments is not None else None, standalone_mode=True)
    except (SandboxError, StoreError) as bad:
        _say(err, f"error: {bad}")
        sys.exit(1)
    except SpecError as bad:
        for problem in bad.problems:
            _say(err, problem)
        err.print(f"{len(bad.problems)} problem(s); nothing was run", style="bold")
        sys.exit(2)
    except AutograderError as bad:
        _say(err, f"error: {bad}")
        sys.exit(2)
