"""What an assignment is: frozen data, read from assignment.toml.

Points are written as decimals in the file and are held as integers (thousandths).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import Literal, Self

from pydantic import Field, model_validator

from autograder.assignment.kinds import (
    BROUGHT,
    Check,
    DeviceCheck,
    Frozen,
    FunctionCheck,
    Id,
    Name,
    PrecisionCheck,
    RelationCheck,
    RepeatedCall,
    RepeatedElsewhere,
)
from autograder.assignment.late import LateSpec

POINT = 1000  # thousandths in one point


class LimitsSpec(Frozen):
    """Bounds on one submission; CPU seconds per cell and call, wall seconds as a last resort."""

    cell_cpu_s: float = Field(default=20, gt=0)
    cell_wall_s: float = Field(default=60, gt=0)
    call_cpu_s: float = Field(default=20, gt=0)
    call_wall_s: float = Field(default=60, gt=0)
    submission_wall_s: float = Field(default=300, gt=0)
    memory_mb: int = Field(default=2048, ge=64)
    disk_mb: int = Field(default=256, ge=1)
    files: int = Field(default=5000, ge=100, description="files and folders in scratch space")
    open_files: int = Field(default=256, ge=32, le=4096)
    processes: int = Field(default=64, ge=8, le=4096, description="threads at one time")
    output_kb: int = Field(default=256, ge=1)
    reply_mb: int = Field(default=64, ge=1, le=256)
    total_mb: int = Field(default=128, ge=1)
    device_mb: int = Field(default=2048, ge=64, description="memory on a real accelerator")


class LargeLoss(Frozen):
    """Why these known mistakes, names or patterns of names, cost more than half of an exercise."""

    mistakes: tuple[str, ...] = Field(min_length=1)
    why: str = Field(min_length=1)

    def covers(self, name: str) -> bool:
        """Whether the reason is given for this mistake."""
        return any(fnmatchcase(name, pattern) for pattern in self.mistakes)

    def unused(self, names: Iterable[str]) -> list[str]:
        """The patterns that none of these mistakes matches."""
        return [p for p in self.mistakes if not any(fnmatchcase(name, p) for name in names)]


class Exercise(Frozen):
    """One exercise: what the student defines, and the checks that earn its points.

    ``stretch`` points come on top of the maximum. ``requires`` names packages that must be
    available in the sandbox; without them the exercise is left out for everybody, with a note.
    ``name``: its name in the tool that the assignment was made for. ``stateful``: calls may depend
    on earlier ones; otherwise the cheapest check of each function tests whether they do.
    ``large_loss``: reasons that `autograder validate` asks for.
    """

    id: Id
    name: str = ""
    title: str = Field(min_length=1)
    defines: tuple[Name, ...]
    stretch: bool = False
    requires: tuple[str, ...] = ()
    stateful: bool = False
    large_loss: tuple[LargeLoss, ...] = ()
    check: tuple[Check, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _ask_again(self) -> Self:
        """Choose for each function that is called the check that also tests later calls."""
        asked: dict[str, list[tuple[FunctionCheck | RelationCheck, str]]] = {}
        # guard: an exercise may say that calls depend on one another
        for check in self.check if not self.stateful else ():
            match check:
                case FunctionCheck():
                    asked.setdefault(check.call, []).append((check, check.inputs))
                case RelationCheck():
                    for call in check.calls:
                        if not call.stand_ins and self._is_own(call.call):
                            asked.setdefault(call.call, []).append((check, call.inputs))
        made = {name.split(".")[0] for name in asked if "." in name}  # classes: new objects differ
        for name, several in asked.items():
            if name in made:
                continue
            paid = [check for check, _ in several if check.points] or [several[0][0]]
            cheapest = min(paid, key=lambda check: (check.points, check.public))
            # guard: later calls of a public check are made of public inputs
            seen = (inputs for check, inputs in several if check.public or not cheapest.public)
            again = RepeatedCall(call=name, inputs=tuple(dict.fromkeys(seen)))
            object.__setattr__(cheapest, "again", (*cheapest.again, again))  # as if written there
        return self

    @model_validator(mode="after")
    def _ask_elsewhere(self) -> Self:
        """For a function with a check of devices or dtypes: of the other checks that ask the same
        cases, choose the cheapest to ask them there too."""
        for there in self.check if not self.stateful else ():
            if not isinstance(there, DeviceCheck | PrecisionCheck) or not there.corners:
                continue
            asked: dict[str, list[FunctionCheck | RelationCheck]] = {}
            for check in self.check:
                if not isinstance(check, FunctionCheck | RelationCheck):
                    continue
                if there.public or not check.public:
                    for inputs in dict.fromkeys(_inputs_of(check, there.call)):
                        asked.setdefault(inputs, []).append(check)
            asked.pop(there.inputs, None)
            for inputs, several in asked.items():
                paid = [check for check in several if check.points] or several
                cheapest = min(paid, key=lambda check: (check.points, check.public))
                more = RepeatedElsewhere(inputs=inputs, check=there)
                object.__setattr__(cheapest, "elsewhere", (*cheapest.elsewhere, more))
        return self

    def _is_own(self, call: str) -> bool:
        return call.split(".")[0] in {name.split(".")[0] for name in self.defines}

    @property
    def max_score(self) -> int:
        """Thousandths that the checks of this exercise can earn."""
        return sum(thousandths(check.points) for check in self.check)


def _inputs_of(check: FunctionCheck | RelationCheck, call: str) -> Iterator[str]:
    """The inputs with which a check calls a function without stand-ins or another dtype."""
    if isinstance(check, FunctionCheck):
        yield from (check.inputs,) if check.call == call else ()
        return
    for one in check.calls:
        if one.call == call and not one.stand_ins and not one.default_dtype:
            yield one.inputs


class NotebookSpec(Frozen):
    """What a notebook whose cells are out of order is worth.

    ``order``: "notebook": the cells are run in the notebook's order. "either": they are run a
    second time, each after those it builds on, and for each exercise the better result counts.
    "report": the second run is made and reported, but the first one counts.
    """

    order: Literal["notebook", "either", "report"] = "either"


class ValidateSpec(Frozen):
    """What `autograder validate` asks of an assignment.

    ``kill_rate``: the minimum share of the generated mutants that must lose points. ``margin``: how
    many times the spread of right answers a measured tolerance is.
    """

    kill_rate: float = Field(default=0.95, ge=0, le=1)
    margin: float = Field(default=4, ge=1)


class BroughtSpec(Frozen):
    """An assignment of another tool: its notebooks are run as that tool runs them.

    ``notebook``: the stem of its file name there; ``assignment``: its name there, which several
    notebooks may share. ``seed``: otter's, set before every cell, in ``seed_variable`` if that is
    given. ``plugins`` are listed and never run.
    """

    tool: Literal["otter", "nbgrader"]
    notebook: str = ""
    assignment: str = ""
    seed: int | None = None
    seed_variable: str = Field(default="", pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")
    plugins: tuple[str, ...] = ()


class Assignment(Frozen):
    """The contents of assignment.toml. ``brought``: it was made for another tool."""

    format: Literal[1]
    id: Id
    title: str = Field(min_length=3)
    model: str = ""  # the pretrained model that the box offers under this name, if any
    limits: LimitsSpec = LimitsSpec()
    notebook: NotebookSpec = NotebookSpec()
    late: LateSpec | None = None
    brought: BroughtSpec | None = None
    validate_: ValidateSpec = Field(default=ValidateSpec(), alias="validate")
    exercise: tuple[Exercise, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _fitting_kinds(self) -> Self:
        kinds = {check.kind for exercise in self.exercise for check in exercise.check}
        strange = sorted(kinds - BROUGHT if self.brought else kinds & BROUGHT)
        if strange and self.brought:
            raise ValueError(
                "[brought]: checks of an imported assignment cannot be of kind "
                f"{', '.join(strange)}"
            )
        if strange:
            raise ValueError(f"checks of kind {', '.join(strange)} need the section [brought]")
        return self


def thousandths(points: Decimal) -> int:
    """Points as an integer number of thousandths, exactly."""
    return int(points * POINT)
