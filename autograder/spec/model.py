"""What an assignment is: frozen data, read from assignment.toml.

Points are written as decimals in the file and are held as integers (thousandths).
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

POINT = 1000  # thousandths in one point


class Frozen(BaseModel):
    """Immutable, and an unknown key is a problem, not a silent default."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _thousandths(points: Decimal) -> Decimal:
    if points != points.quantize(Decimal("0.001")):
        raise ValueError("points have at most three decimals")
    return points


def _identifier(text: str) -> str:
    if not all(part.isidentifier() for part in text.split(".")):
        raise ValueError(f"{text!r} is not a Python name")
    return text


Id = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")]
Name = Annotated[str, AfterValidator(_identifier)]
Points = Annotated[Decimal, Field(ge=0, le=10_000), AfterValidator(_thousandths)]


class Tolerance(Frozen):
    """Accept when ``|actual - expected| <= atol + rtol * |expected|``; both, and say why.

    ``tolerance = "measured"`` takes the numbers that `autograder validate --measure` stored.
    """

    rtol: float = Field(ge=0, le=1, allow_inf_nan=False)
    atol: float = Field(ge=0, allow_inf_nan=False)
    why: str = Field(min_length=10)


class LimitsSpec(Frozen):
    """Bounds on one submission; CPU seconds per cell and call, wall seconds as a last stop."""

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


class Part(Frozen):
    """An earlier part of a pipeline, and the kind of function that may stand in for it.

    "table" (rows, columns) -> float32 [rows, columns]; "complex_table" (dim, end) ->
    complex64 [end, dim/2]; "turn" (x, frequencies) -> like x; "token_rows" and "position_rows"
    (rows, columns) -> a module with such a parameter. None of them is an answer.
    """

    name: Name
    stand_in: Literal["table", "complex_table", "turn", "token_rows", "position_rows"]


class CallSpec(Frozen):
    """Calls of ``call`` with every case that the generator ``inputs`` of inputs.py makes.

    ``optional``: the student's own earlier part, asked so that its mistake is not charged
    again; where it does not return, the relation sees a value of no kind. ``stand_ins``:
    earlier parts that a function of ours stands in for. ``after``: arguments, counted from 0,
    that the relation sees as they are after the call.
    """

    call: Name
    inputs: Name
    optional: bool = False
    stand_ins: tuple[Part, ...] = ()
    after: tuple[int, ...] = ()


class Carried(Frozen):
    """Also right: whatever the student's own ``call`` returns for ``args``.

    So an earlier mistake is not charged twice. It counts only when that result is a
    table of finite numbers with no two equal rows.
    """

    call: Name
    args: tuple[int | float | str, ...]


class CheckBase(Frozen):
    """What every check has. ``title`` says what must hold; ``hint`` what to look at."""

    id: Id
    title: str = Field(min_length=3)
    points: Points
    public: bool = False
    hint: str = ""
    needs: tuple[Id, ...] = ()


class ValueCheck(CheckBase):
    """A name holds what the reference's name holds.

    ``number``: only the numeric value counts, not its type (bool and text never do).
    ``leading_ones``: leading axes of length 1 may be added or missing.
    ``dtype``: "any" compares numbers; otherwise the dtype must be this one.
    """

    kind: Literal["value"]
    name: Name
    number: bool = False
    leading_ones: bool = False
    dtype: str = "any"
    tolerance: Tolerance | None = None
    carried: Carried | None = None


class FunctionCheck(CheckBase):
    """A function returns what the reference's returns, and leaves its arguments alone.

    ``alternatives``: generators of the same cases for another accepted signature; the
    results are to be those of ``inputs``. ``parts``: right, too, when it is with stand-ins for
    these earlier parts, so that their mistakes are not charged again.
    """

    kind: Literal["function"]
    call: Name
    inputs: Name
    alternatives: tuple[Name, ...] = ()
    number: bool = False
    leading_ones: bool = False
    dtype: str = "any"
    tolerance: Tolerance | None = None
    may_change_inputs: bool = False
    parts: tuple[Part, ...] = ()


class ModuleCheck(CheckBase):
    """A name holds a module of class ``type`` with one table of this shape."""

    kind: Literal["module"]
    name: Name
    type: str
    table: tuple[int, int]
    learnable: bool = True


class GradientCheck(CheckBase):
    """The gradient with respect to arguments ``wrt`` equals the reference's.

    Of a result that is a tuple, item ``output``. ``gradcheck``: it must also be the slope of
    the student's own function, by differences in float64. ``parts``: right, too, when it is
    with stand-ins for these earlier parts, so that their mistakes are not charged again.
    """

    kind: Literal["gradient"]
    call: Name
    inputs: Name
    alternatives: tuple[Name, ...] = ()
    wrt: tuple[int, ...] = Field(min_length=1)
    output: int = Field(default=0, ge=0)
    gradcheck: bool = False
    parts: tuple[Part, ...] = ()
    tolerance: Tolerance | None = None


class RelationCheck(CheckBase):
    """A function of checks.py finds nothing wrong with these names and calls.

    ``figures``: it also looks at what the exercise's cells showed and printed. ``parts``: where
    something is wrong, the calls with stand-ins for these decide, compared with the reference.
    """

    kind: Literal["relation"]
    relation: Name
    reads: tuple[Name, ...] = ()
    calls: tuple[CallSpec, ...] = ()
    figures: bool = False
    parts: tuple[Part, ...] = ()
    tolerance: Tolerance | None = None


class RaisesCheck(CheckBase):
    """Each call raises one of these exceptions (or a subclass)."""

    kind: Literal["raises"]
    call: Name
    inputs: Name
    error: tuple[str, ...] = Field(min_length=1)


class FigureCheck(CheckBase):
    """A figure of the exercise shows the reference's ``shows`` as an image.

    ``rows`` and ``columns`` are words of which one must stand in the label of the axis
    that runs along the rows (columns) of the data. ``aspects`` picks what this check
    looks at, so that one exercise can give points for each.
    """

    kind: Literal["figure"]
    shows: Name
    aspects: tuple[Literal["data", "diverging", "centred", "labels", "colorbar"], ...]
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    tolerance: Tolerance | None = None
    carried: Carried | None = None


class ChoiceCheck(CheckBase):
    """A name holds the reference's choice among ``options`` (case and spaces ignored)."""

    kind: Literal["choice"]
    name: Name
    options: tuple[str, ...] = Field(min_length=2)


class WrittenCheck(CheckBase):
    """A written answer, kept for a person to grade by the rubric."""

    kind: Literal["written"]
    name: Name
    rubric: str = Field(min_length=10)


class SpeedCheck(CheckBase):
    """Calls cost at most ``at_most`` times the reference's processor time."""

    kind: Literal["speed"]
    call: Name
    inputs: Name
    at_most: float = Field(gt=1)


class PipelineCheck(CheckBase):
    """A stage returns what the reference's does, end to end or with its parts stood in.

    So a mistake in an earlier part is not charged again, and the message says whose it is.
    """

    kind: Literal["pipeline"]
    call: Name
    inputs: Name
    parts: tuple[Part, ...] = Field(min_length=1)
    tolerance: Tolerance | None = None


class TrainingCheck(CheckBase):
    """A statistic of several runs, one per seed, is good enough in ``passing`` of them.

    ``statistic`` is a function of checks.py: one call's result -> float. ``false_alarm`` is
    the probability, stated by the instructor and measured by `validate`, that right code fails.
    """

    kind: Literal["training"]
    call: Name
    inputs: Name
    statistic: Name
    after: tuple[int, ...] = ()
    above: float | None = None
    below: float | None = None
    passing: int = Field(ge=1)
    false_alarm: float = Field(gt=0, lt=1)

    @model_validator(mode="after")
    def _one_side(self) -> Self:
        if (self.above is None) == (self.below is None):
            raise ValueError("give exactly one of above and below")
        return self


Check = Annotated[
    ValueCheck | FunctionCheck | ModuleCheck | GradientCheck | RelationCheck | RaisesCheck
    | FigureCheck | ChoiceCheck | WrittenCheck | SpeedCheck | PipelineCheck | TrainingCheck,
    Field(discriminator="kind"),
]  # fmt: skip


class Exercise(Frozen):
    """One exercise: what the student defines, and the checks that earn its points.

    ``stretch`` points come on top of the maximum. ``requires`` names packages that the
    box must offer; without them the exercise is left out for everybody, and says so.
    """

    id: Id
    title: str = Field(min_length=3)
    defines: tuple[Name, ...]
    stretch: bool = False
    requires: tuple[str, ...] = ()
    check: tuple[Check, ...] = Field(min_length=1)

    @property
    def max_score(self) -> int:
        """Thousandths that the checks of this exercise can earn."""
        return sum(thousandths(check.points) for check in self.check)


class ValidateSpec(Frozen):
    """What `autograder validate` asks of an assignment.

    ``kill_rate``: the least part of the generated mutants that must lose points. ``margin``:
    how many times the spread of right answers a measured tolerance is.
    """

    kill_rate: float = Field(default=0.95, ge=0, le=1)
    margin: float = Field(default=4, ge=1)


class Assignment(Frozen):
    """A whole assignment.toml."""

    format: Literal[1]
    id: Id
    title: str = Field(min_length=3)
    model: str = ""  # the pretrained model that the box offers under this name, if any
    limits: LimitsSpec = LimitsSpec()
    validate_: ValidateSpec = Field(default=ValidateSpec(), alias="validate")
    exercise: tuple[Exercise, ...] = Field(min_length=1)


def thousandths(points: Decimal) -> int:
    """Points as an integer number of thousandths, exactly."""
    return int(points * POINT)
