"""Commands over a class: grade, regrade, show."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from autograder.classroom import (
    ClassGrades,
    HandIn,
    again,
    box_for,
    devices_for,
    grade_into,
    make_setting,
    only_stored,
    prepare_reference,
    stored_devices,
)
from autograder.commands.console import (
    CORES,
    MAX_SEED,
    AssignmentArg,
    DevicesOption,
    JsonFlag,
    Require,
    Workers,
    err,
    out,
    say,
)
from autograder.engines.local import Local
from autograder.errors import UsageError
from autograder.gradebook.store import GradeStore
from autograder.notebook.find import find as find_hand_ins
from autograder.report.moves import moves_table
from autograder.report.progress import progress
from autograder.report.terminal import class_table, student_view
from autograder.spec.load import find, load
from autograder.spec.pretrained import prepare
from autograder.workspace import Workspace


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
            say(err, there.note)
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
    hand_ins = [again(kept) for kept in workspace.kept()]
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


def _conclude(graded: ClassGrades, *, as_json: bool) -> None:
    workspace = graded.workspace
    if as_json:
        out.out(workspace.summary.read_text(), end="")
    else:
        out.print(class_table(graded.grades))
        say(out, f"Gradebook  {workspace.gradebook}")
        say(out, f"Feedback   {workspace.folder / 'feedback'}")
        say(out, f"Results    {workspace.folder / 'results'}")
    weaker = {g.isolation.level for g in graded.grades} & {"medium", "weak", "none"}
    if weaker:
        say(
            err,
            f"note: isolation was only {', '.join(sorted(weaker))!r}; `autograder doctor` says "
            "what is missing, --require strong refuses to run without it",
        )
    ungraded = [g for g in graded.grades if g.status == "ungraded"]
    if ungraded:
        names = ", ".join(g.student for g in ungraded[:10])
        say(err, f"{len(ungraded)} ungraded, a person must look: {names}")
        raise typer.Exit(1)
