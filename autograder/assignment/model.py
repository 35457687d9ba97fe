"""What an assignment is: frozen data, read from assignment.toml.

Points are written as decimals in the file and are held as integers (thousandths).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal
from fnmatch import fnmatchcase
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator

from autograder.assignment.kinds import (
    BROUGHT,
    Check,
    DeviceCheck,
    Frozen,
    FunctionCheck,
    Id,
    Name,
    NameOrNone,
    PipelineCheck,
    PrecisionCheck,
    RelationCheck,
    RepeatedCall,
    RepeatedElsewhere,
    WrittenCheck,
)
from autograder.assignment.late import LateSpec

POINT = 1000  # thousandths in one point
SUBMITTED_FILES = (  # modules, data, pictures
    *("*.py", "*.csv", "*.tsv", "*.txt", "*.json", "*.npy", "*.npz"),
    *("*.png", "*.jpg", "*.jpeg", "*.gif", "*.svg"),
)


class LimitsSpec(Frozen):
    """Bounds on one submission. Processor time decides; wall-clock time is a last resort."""

    cell_cpu_s: float = Field(default=20, gt=0)
    """one cell: seconds of processor time"""
    cell_wall_s: float = Field(default=60, gt=0)
    """one cell: seconds of wall-clock time"""
    call_cpu_s: float = Field(default=20, gt=0)
    """one call of a function: seconds of processor time"""
    call_wall_s: float = Field(default=60, gt=0)
    """one call of a function: seconds of wall-clock time"""
    submission_wall_s: float = Field(default=300, gt=0)
    """the whole notebook, including all calls"""
    memory_mb: int = Field(default=2048, ge=64)
    """address space in addition to that of the warm process"""
    disk_mb: int = Field(default=256, ge=1)
    """files in the home folder; a quarter of it in each of `/tmp` and `/dev/shm`"""
    files: int = Field(default=5000, ge=100)
    """files and folders there"""
    open_files: int = Field(default=256, ge=32, le=4096)
    """files open at the same time"""
    processes: int = Field(default=64, ge=8, le=4096)
    """threads at the same time; new processes are always refused"""
    output_kb: int = Field(default=256, ge=1)
    """what one cell prints; the rest is cut off, which costs no points"""
    reply_mb: int = Field(default=64, ge=1, le=256)
    """size in memory of one value that a check reads"""
    total_mb: int = Field(default=128, ge=1)
    """all values and outputs of one submission together"""
    device_mb: int = Field(default=2048, ge=64)
    """memory on a real accelerator, if submissions are tested on one"""


class LargeLoss(Frozen):
    """Why these known mistakes cost more than half of an exercise."""

    mistakes: tuple[str, ...] = Field(min_length=1)
    """names, or patterns such as `base_*`"""
    why: str = Field(min_length=1)
    """the reason"""

    def covers(self, name: str) -> bool:
        """Whether the reason is given for this mistake."""
        return any(fnmatchcase(name, pattern) for pattern in self.mistakes)

    def unused(self, names: Iterable[str]) -> list[str]:
        """The patterns that none of these mistakes matches."""
        return [p for p in self.mistakes if not any(fnmatchcase(name, p) for name in names)]


class Exercise(Frozen):
    """What the student defines, and the checks that earn its points."""

    id: Id
    """a letter, then letters, digits, `_`, `-`; cells are tagged with it"""
    name: str = ""
    """its name in the tool that the assignment was made for"""
    title: str = Field(min_length=1)
    """shown to students"""
    defines: tuple[Name, ...]
    """the names that the student must define; also used to find cells that have lost their tag"""
    stretch: bool = False
    """its points are added on top of the maximum"""
    requires: tuple[str, ...] = ()
    """packages that only this exercise needs; without them it is left out for everyone. What the
    whole assignment needs is in `packages`"""
    personal: NameOrNone = ""
    """a function of inputs.py that makes [each student's own
    values](howto.md#give-each-student-their-own-values), which are `grader.data("ID")`"""
    stateful: bool = False
    """its calls may depend on earlier calls; otherwise [its checks test whether they
    do](checks.md#calls-after-other-calls)"""
    large_loss: tuple[LargeLoss, ...] = ()
    """why known mistakes cost more than half of the exercise;
    [`validate`](validation.md#what-must-hold) requires it"""
    check: tuple[Check, ...] = Field(min_length=1)
    """its checks"""

    @model_validator(mode="after")
    def _ask_again(self) -> Self:
        """Choose for each function that is called the check that also tests later calls."""
        asked: dict[str, list[tuple[FunctionCheck | RelationCheck, str]]] = {}
        # An exercise may say that calls depend on one another.
        for check in self.check if not self.stateful else ():
            match check:
                case FunctionCheck():
                    asked.setdefault(check.call, []).append((check, check.inputs))
                case RelationCheck():
                    for call in check.calls:
                        if not call.stand_ins and self._is_own(call.call):
                            asked.setdefault(call.call, []).append((check, call.inputs))
        for name, several in asked.items():
            paid = [check for check, _ in several if check.points] or [several[0][0]]
            cheapest = min(paid, key=lambda check: (check.points, check.public))
            # Later calls of a public check are made of public inputs.
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
            asked: dict[str, list[FunctionCheck | RelationCheck | PipelineCheck]] = {}
            for check in self.check:
                if not isinstance(check, FunctionCheck | RelationCheck | PipelineCheck):
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

    @model_validator(mode="after")
    def _one_text_cell(self) -> Self:
        if len(self.in_markdown) > 1:
            raise ValueError(
                f"the checks {', '.join(self.in_markdown)} all read the exercise's Markdown cell; "
                "give all but one of them a 'name', or an exercise of its own"
            )
        return self

    @property
    def in_markdown(self) -> tuple[str, ...]:
        """The checks whose answer is the exercise's Markdown cell: one, or none."""
        written = (check for check in self.check if isinstance(check, WrittenCheck))
        return tuple(check.id for check in written if check.in_markdown)

    @property
    def in_code(self) -> bool:
        """Whether anything is answered in code."""
        return len(self.in_markdown) < len(self.check)

    def _is_own(self, call: str) -> bool:
        return call.split(".")[0] in {name.split(".")[0] for name in self.defines}

    @property
    def max_score(self) -> int:
        """Thousandths that the checks of this exercise can earn."""
        return sum(thousandths(check.points) for check in self.check)


def _inputs_of(check: FunctionCheck | RelationCheck | PipelineCheck, call: str) -> Iterator[str]:
    """The inputs with which a check calls a function without stand-ins or another dtype."""
    if isinstance(check, FunctionCheck | PipelineCheck):
        yield from (check.inputs,) if check.call == call else ()
        return
    for declared in check.calls:
        if declared.call == call and not declared.stand_ins and not declared.default_dtype:
            yield declared.inputs


class NotebookSpec(Frozen):
    """What a notebook whose cells are out of order is worth."""

    order: Literal["notebook", "either", "report"] = "either"
    """the order that counts. "notebook": the notebook's own. "either": the cells are run a second
    time, each after those it builds on, and for each exercise the better result counts. "report":
    the second run is made and reported, but the first one counts"""


class ValidateSpec(Frozen):
    """What `autograder validate` asks of an assignment."""

    kill_rate: float = Field(default=0.95, ge=0, le=1)
    """minimum share of the generated mutants that must lose points"""
    margin: float = Field(default=4, ge=1)
    """how many times the spread of right answers a measured tolerance is"""


def _variable(text: str) -> str:
    if text and not (text.isascii() and text.isidentifier()):
        raise ValueError("write the name of a variable, or nothing")
    return text


class BroughtSpec(Frozen):
    """An assignment of another tool: its notebooks are run as that tool runs them."""

    tool: Literal["otter", "nbgrader"]
    """the tool"""
    notebook: str = ""
    """the stem of the notebook's file name there"""
    assignment: str = ""
    """its name there, which several notebooks may share"""
    seed: int | None = None
    """otter: set before every cell"""
    seed_variable: Annotated[str, AfterValidator(_variable)] = ""
    """otter: the variable that gets the seed, if any"""
    plugins: tuple[str, ...] = ()
    """listed by name, never run"""


def _patterns(patterns: tuple[str, ...]) -> tuple[str, ...]:
    for pattern in patterns:
        if not pattern or pattern.startswith("/") or ".." in pattern.split("/"):
            raise ValueError("write patterns of names below the notebook's folder, such as '*.csv'")
    return patterns


class Assignment(Frozen):
    """The contents of assignment.toml."""

    format: Literal[1]
    """the version of this format"""
    id: Id
    """its name in commands, and that of its folder"""
    title: str = Field(min_length=3)
    """shown to students"""
    packages: tuple[Name, ...] | None = None
    """packages that its notebooks use besides NumPy and matplotlib, by the names with which they
    are imported: `["torch"]`. The sandbox imports them beforehand, and without them nothing is
    graded. Absent: torch, if inputs.py, checks.py or the solution imports it or a check needs it;
    relations are taken to need it"""
    model: str = ""
    """the [pretrained model](howto.md#offer-a-pretrained-model) that the sandbox offers under this
    name ("gpt2")"""
    limits: LimitsSpec = LimitsSpec()
    """bounds on one submission"""
    notebook: NotebookSpec = NotebookSpec()
    """cells that are out of order"""
    submitted_files: Annotated[tuple[str, ...], AfterValidator(_patterns)] = SUBMITTED_FILES
    """patterns of files that students may submit with the notebook; they are
    [beside it](howto.md#give-the-notebook-files) while it runs. `[]`: none"""
    late: LateSpec | None = None
    """when it is due, and what lateness costs"""
    brought: BroughtSpec | None = None
    """it was made for another tool"""
    validate_: ValidateSpec = Field(default=ValidateSpec(), alias="validate")
    """what `autograder validate` asks"""
    repairs: Literal["none", "line", "edit"] = "line"
    """what students see when [one edit](howto.md#show-students-which-line-is-wrong) of their cell
    makes an exercise right. "line": the line and the kind of fault. "edit": the edit as well"""
    exercise: tuple[Exercise, ...] = Field(min_length=1)
    """its exercises"""

    @property
    def personal(self) -> frozenset[str]:
        """The exercises with values of a student's own."""
        return frozenset(exercise.id for exercise in self.exercise if exercise.personal)

    @model_validator(mode="after")
    def _fitting_kinds(self) -> Self:
        kinds = {check.kind for exercise in self.exercise for check in exercise.check}
        strange = sorted(kinds - BROUGHT if self.brought else kinds & BROUGHT)
        if strange and self.brought:
            raise ValueError(
                "[brought]: checks of an imported assignment cannot be of kind "
                f"{', '.join(strange)}; choose another kind"
            )
        if strange:
            raise ValueError(
                f"checks of kind {', '.join(strange)} need the section [brought]; add it, or "
                "choose another kind"
            )
        if self.brought and self.personal:
            raise ValueError("[brought]: imported exercises cannot be personal; remove the key")
        return self


def thousandths(points: Decimal) -> int:
    """Points as an integer number of thousandths, exactly."""
    return int(points * POINT)
