"""The kinds of checks as an assignment states them: frozen data, one class for each kind.

The text below a field is its meaning in docs/reference.md and in `autograder schema`.
"""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Annotated, ClassVar, Literal, Self, get_args

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic.json_schema import SkipJsonSchema


class Frozen(BaseModel):
    """Immutable; an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def _thousandths(points: Decimal) -> Decimal:
    if points != points.quantize(Decimal("0.001")):
        raise ValueError("write a number of points with at most three decimals")
    return points


def _identifier(text: str) -> str:
    if not all(part.isidentifier() for part in text.split(".")):
        raise ValueError("this is not a Python name; write one such as rms_norm or Model.forward")
    return text


ID_PATTERN = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def _id(text: str) -> str:
    if not ID_PATTERN.fullmatch(text):
        raise ValueError(
            "write an id of at most 64 letters, digits, '-' and '_' that begins with a letter"
        )
    return text


Id = Annotated[str, AfterValidator(_id)]
Name = Annotated[str, AfterValidator(_identifier)]
NameOrNone = Annotated[str, AfterValidator(lambda name: name and _identifier(name))]
Points = Annotated[Decimal, Field(ge=0, le=10_000), AfterValidator(_thousandths)]


class Tolerance(Frozen):
    """A result is right if ``|actual - expected| <= atol + rtol * |expected|`` for every number.

    ``tolerance = "measured"`` uses the numbers that `autograder validate --measure` stored.
    """

    rtol: float = Field(ge=0, le=1, allow_inf_nan=False)
    """relative part"""
    atol: float = Field(ge=0, allow_inf_nan=False)
    """absolute part"""
    atol_per_row: float = Field(default=0, ge=0, allow_inf_nan=False)
    """added to `atol` once for every row of the solution's result (its next-to-last axis; for a
    vector, its numbers): for errors that grow with the position"""
    why: str = Field(min_length=10)
    """where the numbers come from"""


class FrameRules(Frozen):
    """What counts when a data frame, a Series or an Index is compared."""

    rows: Literal["ordered", "any"] = "ordered"
    """"any": rows may be in any order"""
    columns: Literal["any", "ordered"] = "any"
    """"ordered": columns must also be in the solution's order"""
    index: bool | None = None
    """whether row labels are compared; without this key they are, unless the solution's own are
    just 0, 1, 2, ..."""
    names: bool = False
    """the names of the index, of the columns' axis and of a Series are compared too"""
    dtype: Literal["any", "kind", "exact"] = "any"
    """"kind": integers, floats, text and categories differ; "exact": each dtype must have the
    solution's name; "any": only values count, and `int32`, `Int64` and categories are as good"""
    tolerances: dict[str, Tolerance] = {}
    """instead of the check's own tolerance, by column"""


class PipelinePart(Frozen):
    """An earlier part of a pipeline, and the kind of function of ours that may stand in for it.

    None of them is an answer.
    """

    name: Name
    """the student's function or class"""
    stand_in: Literal[
        "table",
        "complex_table",
        "turn",
        "alike",
        "token_code",
        "next_words",
        "token_vector",
        "token_rows",
        "position_rows",
        "added_table",
    ]
    """what replaces it: see [the table of stand-ins](checks.md#pipeline)"""


class CallSpec(Frozen):
    """Calls of one function with every case of one generator."""

    call: Name
    """the function, or `Class.method`"""
    inputs: Name
    """a function of inputs.py, which makes the calls"""
    optional: bool = False
    """the student's own earlier part, called so that its mistake is not charged again; if it does
    not return, the relation gets a value that fits no type"""
    stand_ins: tuple[PipelinePart, ...] = ()
    """earlier parts that are replaced by functions of ours; of several calls that differ only in
    these, one that returns is enough"""
    after: tuple[int, ...] = ()
    """arguments, counted from 0, that the relation sees as they are after the call"""
    default_dtype: Literal["", "float64", "bfloat16"] = ""
    """PyTorch's default floating dtype while the function runs; empty: float32"""


class RepeatedCall(Frozen):
    """Calls of ``call`` after one with a case of ``inputs`` are checked too."""

    call: Name
    inputs: tuple[Name, ...]


class CarriedResult(Frozen):
    """Also accepted: what the student's own ``call`` returns for ``args``, so that an earlier
    mistake is not charged twice.

    It counts only if that result is a table of finite numbers with at least two rows and columns
    and no two equal rows.
    """

    call: Name
    """an earlier function of the student's"""
    args: tuple[int | float | str, ...]
    """its arguments"""


class CheckBase(Frozen):
    """What every check has."""

    id: Id
    """unique within the exercise"""
    title: str = Field(min_length=1)
    """what must hold, as a sentence"""
    points: Points
    """up to three decimals; all or nothing. Use several checks to give partial credit"""
    public: bool = False
    """the student sees the title, message and differences; without this key the check is hidden"""
    hint: str = ""
    """what to look at. Shown to students when the check does not pass, even a hidden one, unless a
    known mistake is named"""
    needs: tuple[Id, ...] = ()
    """earlier checks of this exercise; if one of them does not pass, this one is skipped"""

    by_hand: ClassVar[bool] = False  # a grader gives the points
    any_answer: ClassVar[bool] = False  # no answer can fail
    embedded: ClassVar[bool] = False  # for notebooks of other tools, which contain their tests
    timed: ClassVar[bool] = False  # measures what an answer cost
    one_choice: ClassVar[bool] = False  # has few possible answers: a second try does not count


class ValueCheck(CheckBase):
    """A name holds the same value as in the solution."""

    kind: Literal["value"]
    name: Name
    """the name; `model.weight` works too"""
    number: bool = False
    """one number of any type: `40`, `40.0`, `tensor([40])`, but never text or a boolean"""
    leading_ones: bool = False
    """leading axes of length 1 may be added or missing"""
    dtype: str = "any"
    """the dtype that the result must have, such as "float32"; "any": only numbers and shape
    count"""
    tolerance: Tolerance | None = None
    """instead of the default [for the dtype](howto.md#set-a-tolerance)"""
    frame: FrameRules = FrameRules()
    """for [data frames](checks.md#data-frames)"""
    carried: CarriedResult | None = None
    """what the student's own earlier function returns is [accepted
    too](howto.md#charge-a-mistake-only-once)"""


class FunctionCheck(CheckBase):
    """Every call returns what the solution returns, and leaves its arguments unchanged."""

    kind: Literal["function"]
    call: Name
    """the function; `Class.method` with an object as first argument"""
    inputs: Name
    """a function of inputs.py, which makes the calls"""
    alternatives: tuple[Name, ...] = ()
    """other generators with the same number of cases, for other accepted signatures; the expected
    values are always those of `inputs`"""
    number: bool = False
    """one number of any type: `40`, `40.0`, `tensor([40])`, but never text or a boolean"""
    leading_ones: bool = False
    """leading axes of length 1 may be added or missing"""
    dtype: str = "any"
    """the dtype that the result must have, such as "float32"; "any": only numbers and shape
    count"""
    tolerance: Tolerance | None = None
    """instead of the default [for the dtype](howto.md#set-a-tolerance)"""
    frame: FrameRules = FrameRules()
    """for [data frames](checks.md#data-frames)"""
    may_change_inputs: bool = False
    """the function may change its arguments in place"""
    parts: tuple[PipelinePart, ...] = ()
    """earlier parts: results that are right with stand-ins for these are accepted, so that mistakes
    there [are not charged again](howto.md#charge-a-mistake-only-once)"""
    # Filled in by the exercise, for one check of each function:
    again: SkipJsonSchema[tuple[RepeatedCall, ...]] = ()
    elsewhere: SkipJsonSchema[tuple[RepeatedElsewhere, ...]] = ()


class ModuleCheck(CheckBase):
    """A name holds a torch module with one table of this shape."""

    kind: Literal["module"]
    name: Name
    """the name"""
    type: str
    """the module's class, or one of its base classes"""
    table: tuple[int, int]
    """rows and columns"""
    learnable: bool = True
    """the table must be a parameter with a gradient"""


class GradientCheck(CheckBase):
    """The gradients with respect to the arguments ``wrt`` equal the solution's."""

    kind: Literal["gradient"]
    call: Name
    """the function; `Class.method` with an object as first argument"""
    inputs: Name
    """a function of inputs.py, which makes the calls"""
    alternatives: tuple[Name, ...] = ()
    """other generators with the same number of cases, for other accepted signatures; the expected
    values are always those of `inputs`"""
    wrt: tuple[int, ...] = Field(min_length=1)
    """arguments, counted from 0, whose gradients are compared"""
    output: int = Field(default=0, ge=0)
    """if the result is a tuple, the item whose gradient is taken, counted from 0"""
    gradcheck: bool = False
    """also compare with finite differences of the student's own function in float64"""
    parts: tuple[PipelinePart, ...] = ()
    """earlier parts: results that are right with stand-ins for these are accepted, so that mistakes
    there [are not charged again](howto.md#charge-a-mistake-only-once)"""
    tolerance: Tolerance | None = None
    """instead of the default [for the dtype](howto.md#set-a-tolerance)"""


class RelationCheck(CheckBase):
    """A function of checks.py finds nothing wrong with these names and calls."""

    kind: Literal["relation"]
    relation: Name
    """the function of [checks.py](howto.md#write-a-relation)"""
    reads: tuple[Name, ...] = ()
    """names that it sees"""
    calls: tuple[CallSpec, ...] = ()
    """calls that it sees"""
    figures: bool = False
    """it also sees the figures that the exercise showed and the text that it printed"""
    parts: tuple[PipelinePart, ...] = ()
    """earlier parts: if something is wrong, calls with stand-ins for these are looked at too"""
    tolerance: Tolerance | None = None
    """for `seen.differs` and `seen.tolerance`"""
    # Filled in by the exercise, for one check of each function:
    again: SkipJsonSchema[tuple[RepeatedCall, ...]] = ()
    elsewhere: SkipJsonSchema[tuple[RepeatedElsewhere, ...]] = ()


class RaisesCheck(CheckBase):
    """Every call raises one of these exceptions, or a subclass of one."""

    kind: Literal["raises"]
    call: Name
    """the function"""
    inputs: Name
    """a function of inputs.py, which makes the calls"""
    error: tuple[str, ...] = Field(min_length=1)
    """names of exceptions"""


class FigureCheck(CheckBase):
    """A matplotlib figure in the exercise shows a table of the solution as a readable image."""

    kind: Literal["figure"]
    shows: Name
    """the name that holds the table"""
    aspects: tuple[Literal["data", "diverging", "centred", "labels", "colorbar"], ...]
    """what this check looks at, see [the table of aspects](checks.md#figure); use one check for
    each aspect that earns points"""
    rows: tuple[str, ...] = ()
    """words, one of which must appear in the label of the axis that runs along the rows"""
    columns: tuple[str, ...] = ()
    """the same for the columns"""
    own: bool = False
    """an image of the student's own `shows` is accepted too, if it has the right shape and no two
    equal rows: another check of kind `value` charges what is wrong in it"""
    tolerance: Tolerance | None = None
    """instead of the default [for the dtype](howto.md#set-a-tolerance)"""
    carried: CarriedResult | None = None
    """what the student's own earlier function returns is [accepted
    too](howto.md#charge-a-mistake-only-once)"""


class ChoiceCheck(CheckBase):
    """A name holds the solution's choice among ``options``."""

    one_choice: ClassVar[bool] = True

    kind: Literal["choice"]
    name: Name
    """the name"""
    options: tuple[str, ...] = Field(min_length=2)
    """two or more; case, spaces, quotes and closing punctuation are ignored"""


class RubricItem(Frozen):
    """A thing that a grader can find in a written answer, and its points."""

    id: Id
    """stays the same when points or text change: answers that have the item keep it"""
    points: Annotated[Decimal, Field(ge=-10_000, le=10_000), AfterValidator(_thousandths)]
    """added to the answer's points; negative to deduct"""
    text: str = Field(min_length=3)
    """what the answer has"""


class WrittenCheck(CheckBase):
    """A text that is graded by hand."""

    by_hand: ClassVar[bool] = True
    any_answer: ClassVar[bool] = True

    kind: Literal["written"]
    name: NameOrNone = ""
    """the name that holds the text; without it, the answer is the exercise's Markdown cell"""
    rubric: str = ""
    """for the grader: what earns the points; 10 characters or more, unless there are
    `rubric_items`"""
    rubric_items: tuple[RubricItem, ...] = Field(default=(), max_length=9)
    """for the grader: up to nine items on digit keys, see [written](checks.md#written)"""

    @property
    def in_markdown(self) -> bool:
        """Whether the answer is a Markdown cell."""
        return not self.name

    @model_validator(mode="after")
    def _can_be_graded(self) -> Self:
        items = self.rubric_items
        if not items and len(self.rubric) < 10:
            raise ValueError("give a 'rubric' of 10 characters or more, or 'rubric_items'")
        if len({item.id for item in items}) < len(items):
            raise ValueError("two rubric_items have the same id")
        most = sum((item.points for item in items if item.points > 0), Decimal(0))
        if items and most < self.points:
            raise ValueError(
                f"the rubric_items add up to {most}, less than the check's {self.points} points"
            )
        return self


def rubric_items(check: CheckBase) -> tuple[RubricItem, ...]:
    """The items of a check's rubric; none for other kinds."""
    return check.rubric_items if isinstance(check, WrittenCheck) else ()


def rubric_text(check: CheckBase) -> str:
    """A check's rubric with its items, a line each, as text; "" for other kinds."""
    lines = [str(getattr(check, "rubric", "")).strip()]
    for number, item in enumerate(rubric_items(check), 1):
        lines.append(f"{number}. {item.points:+f} {item.text}")
    return "\n".join(filter(None, lines))


def _option(given: object) -> object:
    """Accepts strings and finite numbers up to 1e300; raises ``ValueError`` for all else."""
    if isinstance(given, str):
        return given
    if isinstance(given, int | float) and not isinstance(given, bool) and abs(given) <= 1e300:
        return given
    raise ValueError("write text in quotes or a finite number")


Option = Annotated[str | int | float, BeforeValidator(_option)]


class PredictionCheck(CheckBase):
    """The student predicts a result before running the code; every option passes."""

    any_answer: ClassVar[bool] = True

    kind: Literal["prediction"]
    points: Points = Decimal(0)
    """any prediction earns them"""
    public: Literal[True] = True
    """always"""
    name: Name
    """the name that holds the prediction"""
    options: tuple[Option, ...] = Field(min_length=2)
    """two or more strings, numbers or both; case and blanks in a string are ignored, and a tensor
    of one number counts as that number"""
    answer: Option
    """the right option; the solution must give it, too"""
    because: str = Field(min_length=10)
    """the reason, shown after the answer"""

    @model_validator(mode="after")
    def _distinct(self) -> Self:
        alike = [option_key(option) for option in self.options]
        if "" in alike or len({*alike}) < len(alike):
            raise ValueError("write options that differ from each other and are not empty")
        if option_key(self.answer) not in alike:
            raise ValueError(f"answer = {self.answer!r} is not an option; write one of the options")
        return self


def option_key(option: str | int | float) -> str | int | float:
    """A key that is equal for equal options: text without case and blanks, or a number."""
    return " ".join(option.casefold().split()) if isinstance(option, str) else option


class SpeedCheck(CheckBase):
    """All calls together use at most ``at_most`` times the solution's processor time."""

    timed: ClassVar[bool] = True

    kind: Literal["speed"]
    call: Name
    """the function"""
    inputs: Name
    """a function of inputs.py, which makes the calls"""
    at_most: float = Field(gt=1)
    """generous: it should distinguish a loop from no loop, not a fast run from a slow one"""


class PipelineCheck(CheckBase):
    """A step that builds on earlier ones is right end to end, or by itself."""

    kind: Literal["pipeline"]
    call: Name
    """the function; `Class.method` with an object as first argument"""
    inputs: Name
    """a function of inputs.py, which makes the calls"""
    parts: tuple[PipelinePart, ...] = Field(min_length=1)
    """the earlier parts, each with its stand-in"""
    tolerance: Tolerance | None = None
    """instead of the default [for the dtype](howto.md#set-a-tolerance)"""
    # Filled in by the exercise:
    elsewhere: SkipJsonSchema[tuple[RepeatedElsewhere, ...]] = ()


class TrainingCheck(CheckBase):
    """A number that measures the outcome of training is good enough for most of several seeds."""

    kind: Literal["training"]
    call: Name
    """the function that trains"""
    inputs: Name
    """a function of inputs.py, which makes one case for each seed"""
    statistic: Name
    """a function of checks.py that turns one call into a number"""
    after: tuple[int, ...] = ()
    """arguments, counted from 0, that the statistic sees as they are after the call"""
    above: float | None = None
    """the number must be above this; give this or `below`"""
    below: float | None = None
    """the number must be below this"""
    passing: int = Field(ge=1)
    """how many of all the runs must be good"""
    first: int = Field(default=3, ge=1)
    """how many runs are made first: the check passes if all of them are good, and fails if so many
    are bad that `passing` is out of reach"""
    false_alarm: float = Field(gt=0, lt=1)
    """probability that right code fails, as you state it; `validate` measures it"""
    miss: float = Field(gt=0, lt=1)
    """probability that a known mistake passes, likewise"""

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
    if given == "measured" or (isinstance(given, dict) and "measured" in given.values()):
        raise ValueError(
            "tolerances by dtype cannot be measured: give rtol, atol and why for the dtype, or "
            "leave it out to use the default"
        )
    return given


class DeviceCheck(CheckBase):
    """A function or a module gives the right numbers, on the right device, wherever it runs."""

    kind: Literal["device"]
    call: Name
    """the function; `Class.method` with an object as first argument"""
    inputs: Name
    """a function of inputs.py, which makes the calls"""
    devices: tuple[Device, ...] = ("cuda", "mps")
    """real devices to try if the machine has them"""
    stays: tuple[int, ...] = ()
    """arguments, counted from 0, that stay on the CPU because the function moves them itself"""
    lands: Literal["device", "cpu", "any"] = "device"
    """where the tensors of the result must be: "device" is where the call runs"""
    ways: tuple[Way, ...] = ("moved", "used", "copied", "loaded")
    """how objects of students' classes get to the device, besides `.to`: moved by it; after a call
    on the CPU; as a deep copy; from another one's state dict"""
    wrt: tuple[int, ...] = ()
    """arguments whose gradients must be right there too"""
    output: int = Field(default=0, ge=0)
    """as for gradient"""
    leading_ones: bool = False
    """leading axes of length 1 may be added or missing"""
    parts: tuple[PipelinePart, ...] = ()
    """earlier parts: results that are right with stand-ins for these are accepted, so that mistakes
    there [are not charged again](howto.md#charge-a-mistake-only-once)"""
    tolerance: Tolerance | None = None
    """as for function; the result is compared with the reference's on the same device"""
    corners: bool = True
    """other checks of the function also run their [smallest
    cases](checks.md#corners-on-devices-and-in-dtypes) there"""


class PrecisionCheck(CheckBase):
    """A function is right in other floating dtypes, under autocast and with more than one thread,
    and its result has the right dtype.
    """

    kind: Literal["precision"]
    call: Name
    """the function; `Class.method` with an object as first argument"""
    inputs: Name
    """a function of inputs.py, which makes the calls"""
    dtypes: tuple[Narrow, ...] = ()
    """floating arguments, and the parameters and buffers of objects, are converted to each of
    these"""
    fixed: tuple[Annotated[int, Field(ge=0)], ...] = ()
    """arguments, counted from 0, that are not converted"""
    keeps: bool = True
    """every floating tensor of the result must have the solution's dtype; `false`: only the numbers
    count"""
    autocast: tuple[Literal["bfloat16", "float16"], ...] = ()
    """also call the function with unconverted arguments under `torch.autocast` with these dtypes"""
    threads: int = Field(default=2, ge=1, le=4)
    """call the first case again with this many threads; 1 switches this off"""
    leading_ones: bool = False
    """leading axes of length 1 may be added or missing"""
    tolerances: Annotated[dict[Narrow, Tolerance], BeforeValidator(_by_dtype)] = {}
    """tables by dtype, instead of [the defaults](howto.md#set-a-tolerance); "float32" also applies
    to the calls with unconverted arguments and to threads"""
    parts: tuple[PipelinePart, ...] = ()
    """earlier parts: results that are right with stand-ins for these are accepted, so that mistakes
    there [are not charged again](howto.md#charge-a-mistake-only-once)"""
    corners: bool = True
    """other checks of the function also run their [smallest
    cases](checks.md#corners-on-devices-and-in-dtypes) in these dtypes"""

    @model_validator(mode="after")
    def _asks(self) -> Self:
        if not self.dtypes and not self.autocast:
            raise ValueError("give 'dtypes', 'autocast' or both")
        unused = {*self.tolerances} - {*self.dtypes, *self.autocast, "float32"}
        if unused:
            raise ValueError(
                f"tolerances for {', '.join(sorted(unused))}, but the check does not use it; "
                "remove them"
            )
        return self


class RepeatedElsewhere(Frozen):
    """The smallest cases of ``inputs`` are also called on the device, or in the dtypes, of
    ``check``, which covers other cases of the same function."""

    inputs: Name
    check: Annotated[DeviceCheck | PrecisionCheck, Field(discriminator="kind")]


class DoctestExample(Frozen):
    """One example of a doctest."""

    code: str
    """the code after its prompts"""
    shows: str = ""
    """what it prints"""
    raises: str = ""
    """the last line of the exception that it must raise"""
    options: tuple[str, ...] = ()
    """names of doctest's option flags, with "-" in front to switch one off"""


class ExamplesCheck(CheckBase):
    """Examples print their expected output, compared as doctest does, outside the sandbox."""

    embedded: ClassVar[bool] = True

    kind: Literal["examples"]
    examples: tuple[DoctestExample, ...] = Field(min_length=1)
    """the examples"""
    done_well: str = ""
    """what to say when they pass"""


class FunctionTestCheck(CheckBase):
    """A test function raises nothing; decided inside the sandbox.

    Each parameter gets the notebook's value of that name, or None if there is none; ``env`` gets
    all of them.
    """

    embedded: ClassVar[bool] = True

    kind: Literal["test_function"]
    code: str = Field(min_length=1)
    """a whole file of tests"""
    function: Name
    """the function in it"""
    done_well: str = ""
    """what to say when it passes"""


class TestCellCheck(CheckBase):
    """A cell of tests, run in its place, raises nothing; decided inside the sandbox.

    If it shows a number from 0 to the points, that is what it earns.
    """

    embedded: ClassVar[bool] = True

    __test__ = False  # not a pytest test

    kind: Literal["test_cell"]
    code: str
    """the cell"""
    shown: str = ""
    """what students have of a hidden cell"""
    stderr_fails: bool = False
    """any output on stderr fails too, as in nbgrader; a warning is enough"""


class AnswerCellCheck(CheckBase):
    """A cell that is graded by hand, once its text is no longer ``unchanged``."""

    by_hand: ClassVar[bool] = True
    any_answer: ClassVar[bool] = True
    embedded: ClassVar[bool] = True

    kind: Literal["answer_cell"]
    unchanged: str
    """the text of the template"""
    rubric: str = ""
    """for the grader: what earns the points"""
    always: bool = False
    """grade it by hand even if it is unchanged"""


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
