"""The kinds of checks as an assignment states them: frozen data, one class for each kind."""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, ClassVar, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator


class Frozen(BaseModel):
    """Immutable; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _thousandths(points: Decimal) -> Decimal:
    if points != points.quantize(Decimal("0.001")):
        raise ValueError("a number of points has at most three decimals")
    return points


def _identifier(text: str) -> str:
    if not all(part.isidentifier() for part in text.split(".")):
        raise ValueError(f"{text!r} is not a valid Python name")
    return text


Id = Annotated[str, Field(pattern=r"^[A-Za-z][A-Za-z0-9_-]{0,63}$")]
Name = Annotated[str, AfterValidator(_identifier)]
Points = Annotated[Decimal, Field(ge=0, le=10_000), AfterValidator(_thousandths)]


class Tolerance(Frozen):
    """Accept when ``|actual - expected| <= atol + rtol * |expected|``; both are needed, and why.

    ``atol_per_row`` is added to atol once for every row (next-to-last axis) of the result, where
    errors grow with the position. ``tolerance = "measured"`` uses the numbers that `autograder
    validate --measure` stored.
    """

    rtol: float = Field(ge=0, le=1, allow_inf_nan=False)
    atol: float = Field(ge=0, allow_inf_nan=False)
    atol_per_row: float = Field(default=0, ge=0, allow_inf_nan=False)
    why: str = Field(min_length=10)


class PipelinePart(Frozen):
    """An earlier part of a pipeline, and the kind of function that may stand in for it.

    "table" (rows, columns) -> float32 [rows, columns]; "complex_table" (dim, end) -> complex64
    [end, dim/2]; "turn" (x, frequencies) -> like x; "alike" (vector, vector) -> a number that does
    not depend on their lengths; "token_code" (token id, size) -> float32 [size], and "token_vector"
    (token id, table [rows, columns]) -> [columns], from which the ids can be read; "token_rows" and
    "position_rows" (rows, columns) -> a module with such a parameter; "added_table" (columns, rows)
    -> a module that adds such a table to [B, T, columns]. None of them is an answer.
    """

    name: Name
    stand_in: Literal[
        "table",
        "complex_table",
        "turn",
        "alike",
        "token_code",
        "token_vector",
        "token_rows",
        "position_rows",
        "added_table",
    ]


class CallSpec(Frozen):
    """Calls of ``call`` with every case that the generator ``inputs`` of inputs.py makes.

    ``optional``: the student's own earlier part, called so that its mistake is not charged again;
    if it does not return, the relation gets a value without a type. ``stand_ins``: earlier parts
    that are replaced by functions of ours; of several calls that differ only in these, one that
    returns is enough. ``after``: arguments, counted from 0, that the relation sees as they are
    after the call. ``default_dtype``: PyTorch's default floating dtype while the function runs, if
    not float32.
    """

    call: Name
    inputs: Name
    optional: bool = False
    stand_ins: tuple[PipelinePart, ...] = ()
    after: tuple[int, ...] = ()
    default_dtype: Literal["", "float64", "bfloat16"] = ""


class RepeatedCall(Frozen):
    """Calls of ``call`` after one with a case of ``inputs`` are checked too."""

    call: Name
    inputs: tuple[Name, ...]


class CarriedResult(Frozen):
    """Also accepted: whatever the student's own ``call`` returns for ``args``.

    So an earlier mistake is not charged twice. It counts only if that result is a table of finite
    numbers with no two equal rows.
    """

    call: Name
    args: tuple[int | float | str, ...]


class CheckBase(Frozen):
    """What every check has. ``title`` says what must hold; ``hint`` what to look at."""

    id: Id
    title: str = Field(min_length=1)
    points: Points
    public: bool = False
    hint: str = ""
    needs: tuple[Id, ...] = ()

    by_hand: ClassVar[bool] = False  # a grader gives the points
    any_answer: ClassVar[bool] = False  # no answer can fail
    embedded: ClassVar[bool] = False  # for notebooks of other tools, which contain their tests
    timed: ClassVar[bool] = False  # measures what an answer cost
    one_choice: ClassVar[bool] = False  # has few possible answers: a second try does not count


class ValueCheck(CheckBase):
    """A name holds what the reference's name holds.

    ``number``: only the numeric value counts, not its type (bool and text are never accepted).
    ``leading_ones``: leading axes of length 1 may be added or missing. ``dtype``: "any" compares
    numbers; otherwise the dtype must be this one.
    """

    kind: Literal["value"]
    name: Name
    number: bool = False
    leading_ones: bool = False
    dtype: str = "any"
    tolerance: Tolerance | None = None
    carried: CarriedResult | None = None


class FunctionCheck(CheckBase):
    """A function returns what the reference's returns, and leaves its arguments alone.

    ``alternatives``: generators of the same cases for another accepted signature; the results must
    be those of ``inputs``. ``parts``: results that are right with stand-ins for these earlier parts
    are accepted, so that mistakes there are not charged again. ``again`` and ``elsewhere``: filled
    in by the exercise, for one check of each function.
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
    parts: tuple[PipelinePart, ...] = ()
    again: tuple[RepeatedCall, ...] = ()
    elsewhere: tuple[RepeatedElsewhere, ...] = ()


class ModuleCheck(CheckBase):
    """A name holds a module of class ``type`` with one table of this shape."""

    kind: Literal["module"]
    name: Name
    type: str
    table: tuple[int, int]
    learnable: bool = True


class GradientCheck(CheckBase):
    """The gradient with respect to arguments ``wrt`` equals the reference's.

    If the result is a tuple, its item ``output`` is used. ``gradcheck``: it must also match finite
    differences of the student's own function in float64. ``parts``: as in ``FunctionCheck``.
    """

    kind: Literal["gradient"]
    call: Name
    inputs: Name
    alternatives: tuple[Name, ...] = ()
    wrt: tuple[int, ...] = Field(min_length=1)
    output: int = Field(default=0, ge=0)
    gradcheck: bool = False
    parts: tuple[PipelinePart, ...] = ()
    tolerance: Tolerance | None = None


class RelationCheck(CheckBase):
    """A function of checks.py finds nothing wrong with these names and calls.

    ``figures``: it also looks at what the exercise's cells showed and printed. ``parts``: if
    something is wrong, it also looks at calls with stand-ins for these; what equals the reference
    then is right too. ``again`` and ``elsewhere``: as in ``FunctionCheck``.
    """

    kind: Literal["relation"]
    relation: Name
    reads: tuple[Name, ...] = ()
    calls: tuple[CallSpec, ...] = ()
    figures: bool = False
    parts: tuple[PipelinePart, ...] = ()
    tolerance: Tolerance | None = None
    again: tuple[RepeatedCall, ...] = ()
    elsewhere: tuple[RepeatedElsewhere, ...] = ()


class RaisesCheck(CheckBase):
    """Each call raises one of these exceptions (or a subclass)."""

    kind: Literal["raises"]
    call: Name
    inputs: Name
    error: tuple[str, ...] = Field(min_length=1)


class FigureCheck(CheckBase):
    """A figure of the exercise shows the reference's ``shows`` as an image.

    ``rows`` and ``columns`` are words, one of which must appear in the label of the
    axis that runs along the rows (columns) of the data. ``aspects`` picks what this check
    looks at, so that one exercise can give points for each.
    """

    kind: Literal["figure"]
    shows: Name
    aspects: tuple[Literal["data", "diverging", "centred", "labels", "colorbar"], ...]
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    tolerance: Tolerance | None = None
    carried: CarriedResult | None = None


class ChoiceCheck(CheckBase):
    """A name holds the reference's choice among ``options`` (case and spaces ignored)."""

    one_choice: ClassVar[bool] = True

    kind: Literal["choice"]
    name: Name
    options: tuple[str, ...] = Field(min_length=2)


class WrittenCheck(CheckBase):
    """A written answer, kept for a grader to assess by the rubric."""

    by_hand: ClassVar[bool] = True
    any_answer: ClassVar[bool] = True

    kind: Literal["written"]
    name: Name
    rubric: str = Field(min_length=10)


def _option(given: object) -> object:
    """Accepts strings and finite numbers up to 1e300; raises ``ValueError`` for all else."""
    if isinstance(given, str):
        return given
    # guard: options are texts or finite numbers
    if isinstance(given, int | float) and not isinstance(given, bool) and abs(given) <= 1e300:
        return given
    raise ValueError("an option must be a string or a finite number")


Option = Annotated[str | int | float, BeforeValidator(_option)]


class PredictionCheck(CheckBase):
    """A name holds any one of ``options``: what the student expects to see.

    Text is compared without case and spaces, numbers by value. ``answer`` and ``because`` are shown
    once a prediction is made; its points, if any, are for making one.
    """

    any_answer: ClassVar[bool] = True

    kind: Literal["prediction"]
    points: Points = Decimal(0)
    public: Literal[True] = True  # guard: a prediction is public
    name: Name
    options: tuple[Option, ...] = Field(min_length=2)
    answer: Option
    because: str = Field(min_length=10)

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        alike = [option_key(option) for option in self.options]
        if "" in alike or len({*alike}) < len(alike):  # guard: options are their own
            raise ValueError("the options must be different from each other, and none may be empty")
        if option_key(self.answer) not in alike:  # guard: the stated answer is an option
            raise ValueError(f"answer = {self.answer!r} is not one of the options")
        return self


def option_key(option: str | int | float) -> str | int | float:
    """A key that is equal for equal options: text without case and blanks, or a number."""
    return " ".join(option.casefold().split()) if isinstance(option, str) else option


class SpeedCheck(CheckBase):
    """Calls cost at most ``at_most`` times the reference's processor time."""

    timed: ClassVar[bool] = True

    kind: Literal["speed"]
    call: Name
    inputs: Name
    at_most: float = Field(gt=1)


class PipelineCheck(CheckBase):
    """A stage returns what the reference's does, end to end or with stand-ins for its parts.

    So a mistake in an earlier part is not charged again, and the message names that part.
    """

    kind: Literal["pipeline"]
    call: Name
    inputs: Name
    parts: tuple[PipelinePart, ...] = Field(min_length=1)
    tolerance: Tolerance | None = None


class TrainingCheck(CheckBase):
    """A statistic of several runs, one per seed, is good enough in ``passing`` of them.

    ``statistic`` is a function of checks.py: one call's result -> float. The ``first`` runs decide
    if all of them are good, or if so many are bad that ``passing`` is out of reach; otherwise the
    others are made too. ``false_alarm`` is the probability that right code fails, ``miss`` that a
    known mistake passes: stated by the instructor, measured by `validate`.
    """

    kind: Literal["training"]
    call: Name
    inputs: Name
    statistic: Name
    after: tuple[int, ...] = ()
    above: float | None = None
    below: float | None = None
    passing: int = Field(ge=1)
    first: int = Field(default=3, ge=1)
    false_alarm: float = Field(gt=0, lt=1)
    miss: float = Field(gt=0, lt=1)

    @model_validator(mode="after")
    def _one_side(self) -> Self:
        if (self.above is None) == (self.below is None):
            raise ValueError("give exactly one of 'above' and 'below'")
        return self


Device = Literal["cuda", "mps"]
Way = Literal["moved", "used", "copied", "loaded"]
Narrow = Literal["float64", "float32", "bfloat16", "float16"]


def _by_dtype(given: object) -> object:
    """Refuses "measured", which only a check with one tolerance may use."""
    # guard: precision: no measured tolerances by dtype
    if given == "measured" or (isinstance(given, dict) and "measured" in given.values()):
        raise ValueError(
            "tolerances by dtype cannot be measured: give rtol, atol and why for the dtype, or "
            "leave it out to use the default"
        )
    return given


class DeviceCheck(CheckBase):
    """A function returns what the reference's does on every device, and on the right device.

    It is called on the CPU, on the CPU beside a simulated accelerator, on that accelerator, and on
    every real one of ``devices`` that is available. ``stays``: arguments, counted from 0, that are
    not moved there before the call. ``lands``: where the tensors of the result must be: on the
    call's device, on the CPU, or anywhere. ``ways``: how objects of the student's classes are
    moved, besides ``.to``. ``wrt``: arguments whose gradients must be right there too.
    ``leading_ones``: leading axes of length 1 may be added or missing. ``parts``: as in
    ``FunctionCheck``.
    """

    kind: Literal["device"]
    call: Name
    inputs: Name
    devices: tuple[Device, ...] = ("cuda", "mps")
    stays: tuple[int, ...] = ()
    lands: Literal["device", "cpu", "any"] = "device"
    ways: tuple[Way, ...] = ("moved", "used", "copied", "loaded")
    wrt: tuple[int, ...] = ()
    output: int = Field(default=0, ge=0)
    leading_ones: bool = False
    parts: tuple[PipelinePart, ...] = ()
    tolerance: Tolerance | None = None
    corners: bool = True


class PrecisionCheck(CheckBase):
    """A function is right in other floating dtypes, and its result has the right dtype.

    Floating arguments, objects included, are converted to each of ``dtypes``, except those
    ``fixed`` (counted from 0); the numbers are compared with the reference's in float64 on the same
    rounded inputs. ``keeps``: the result must have the dtype of the reference's. ``autocast``:
    called unconverted under ``torch.autocast`` with these dtypes. ``threads``: also called once
    with this many threads (1: not). ``leading_ones``: as for a function; ``corners``: as for
    devices. ``tolerances``: by dtype ("float32" also for the plain calls); the default is the usual
    one of that dtype.
    """

    kind: Literal["precision"]
    call: Name
    inputs: Name
    dtypes: tuple[Narrow, ...] = ()
    fixed: tuple[Annotated[int, Field(ge=0)], ...] = ()
    keeps: bool = True
    autocast: tuple[Literal["bfloat16", "float16"], ...] = ()
    threads: int = Field(default=2, ge=1, le=4)
    leading_ones: bool = False
    tolerances: Annotated[dict[Narrow, Tolerance], BeforeValidator(_by_dtype)] = {}
    corners: bool = True

    @model_validator(mode="after")
    def _asks(self) -> Self:
        if not self.dtypes and not self.autocast:
            raise ValueError("give 'dtypes', 'autocast' or both")
        unused = {*self.tolerances} - {*self.dtypes, *self.autocast, "float32"}
        if unused:  # guard: precision: a tolerance that nothing takes
            raise ValueError(
                f"tolerances for {', '.join(sorted(unused))}, but the check does not use it"
            )
        return self


class RepeatedElsewhere(Frozen):
    """The smallest cases of ``inputs`` are also called on the device, or in the dtypes, of
    ``check``, which covers other cases of the same function."""

    inputs: Name
    check: DeviceCheck | PrecisionCheck


class DoctestExample(Frozen):
    """One example of a doctest: the code after its prompts, and what it prints.

    ``raises``: the last line of the exception that it must raise. ``options``: names of doctest's
    option flags, as its own comment gives them, with "-" in front to switch one off.
    """

    code: str
    shows: str = ""
    raises: str = ""
    options: tuple[str, ...] = ()


class ExamplesCheck(CheckBase):
    """Examples print their expected output, compared as doctest does, outside the sandbox.

    ``done_well``: what to say when they do.
    """

    embedded: ClassVar[bool] = True

    kind: Literal["examples"]
    examples: tuple[DoctestExample, ...] = Field(min_length=1)
    done_well: str = ""


class FunctionTestCheck(CheckBase):
    """A test function of the file ``code`` raises nothing; decided inside the box.

    Each parameter gets the notebook's value of that name, or None if there is none; ``env`` gets
    all of them.
    """

    embedded: ClassVar[bool] = True

    kind: Literal["test_function"]
    code: str = Field(min_length=1)
    function: Name
    done_well: str = ""


class TestCellCheck(CheckBase):
    """A cell of tests, run in its place, raises nothing; decided inside the box.

    If it shows a number from 0 to the points, that is what it earns. ``stderr_fails``: any output
    on stderr fails too, as in nbgrader; a warning is enough. ``shown``: what students have of a
    hidden cell.
    """

    embedded: ClassVar[bool] = True

    __test__ = False  # not a pytest test

    kind: Literal["test_cell"]
    code: str
    shown: str = ""
    stderr_fails: bool = False


class AnswerCellCheck(CheckBase):
    """A cell that is graded by hand, once its text is no longer ``unchanged``.

    ``always``: also when it is unchanged.
    """

    by_hand: ClassVar[bool] = True
    any_answer: ClassVar[bool] = True
    embedded: ClassVar[bool] = True

    kind: Literal["answer_cell"]
    unchanged: str
    rubric: str = ""
    always: bool = False


Check = Annotated[
    ValueCheck
    | FunctionCheck
    | ModuleCheck
    | GradientCheck
    | RelationCheck
    | RaisesCheck
    | FigureCheck
    | ChoiceCheck
    | WrittenCheck
    | SpeedCheck
    | PipelineCheck
    | TrainingCheck
    | DeviceCheck
    | PrecisionCheck
    | PredictionCheck
    | ExamplesCheck
    | FunctionTestCheck
    | TestCellCheck
    | AnswerCellCheck,
    Field(discriminator="kind"),
]

CHECKS: tuple[type[CheckBase], ...] = get_args(get_args(Check)[0])


def _kinds(fact: str) -> frozenset[str]:
    """The kinds whose class attribute ``fact`` is true."""
    classes = (check for check in CHECKS if getattr(check, fact))
    return frozenset(get_args(check.model_fields["kind"].annotation)[0] for check in classes)


BY_HAND = _kinds("by_hand")
BROUGHT = _kinds("embedded")
NO_WRONG_ANSWER = _kinds("any_answer")
TIMED = _kinds("timed")
ONE_CHOICE = _kinds("one_choice")
