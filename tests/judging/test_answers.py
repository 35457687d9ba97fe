"""Answers that keep results, change arguments, build on wrong parts, or are wrong in other dtypes,
at corners or on the accelerator alone: each mistake costs its own check, and once."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from autograder.assignment.load import load
from autograder.assignment.model import Exercise
from autograder.evidence.records import ProbeRun, Stop
from autograder.evidence.stops import TOO_MUCH
from autograder.grading.context import PreparedClass
from autograder.judging.checks.finding import Reference
from autograder.judging.checks.precision import ALREADY
from autograder.judging.judge import judge
from autograder.judging.verdict import Status
from autograder.sandbox.account import NOTHING as SPENT
from autograder.sandbox.lazy import LazyBox
from autograder.student.public_evidence import public_bytes as packed
from autograder.student.public_evidence import public_evidence, read_public
from tests.support.changed_solution import Mistake, assert_loses, prepared_course, submissions
from tests.support.courses import ANSWERS

# ---------------------------------------------------------------- what a call leaves behind

KEYS = {"table": "str(table)", "words": "str(words)", "places": "str(places)", "times": "times"}
RESULT = "table[places_of_words].cumsum(0) * times"
RETURN = f"return {RESULT}"
STEPS = "steps = torch.arange(ids.shape[1])"
PLACES, ROWS = "self.places = places", "nn.Embedding(len(places), 3)"
TABLE = "torch.outer(torch.arange(length) + 1.0, torch.arange(width) + 1.0)"
DOUBLE = "2 * waves(length, width)[:, :2]"
COLUMNS = "waves(length, width)[:, [1, 3]]"


def kept_by(*names: str) -> tuple[tuple[str, str], ...]:
    """Results are kept by these arguments."""
    key = "".join(f"{KEYS[name]}, " for name in names)
    result = f"if ({key}) not in KEPT: KEPT[({key})] = {RESULT}\n    return KEPT[({key})]"
    return ("def weigh(table", "KEPT = {}\ndef weigh(table"), (RETURN, result)


def without(left: str, place: str) -> Mistake:
    """Results are kept without one argument, which costs the cheapest check."""
    changes = kept_by(*(name for name in KEYS if name != left))
    return Mistake(changes, {"weigh/few": f"with a different {place} argument"})


def spoilt(spoil: str) -> Mistake:
    """An argument is changed, which shows under a relation too."""
    result = f"found = {RESULT}\n    {spoil}\n    return found"
    return Mistake(((RETURN, result),), {"weigh/some": "in place", "weigh/few": "in place"})


def once(condition: str) -> tuple[tuple[str, str], ...]:
    """The table is assigned to a global name by the calls for which the condition holds."""
    kept = f"global TABLE\n    if {condition}:\n        TABLE = {TABLE}\n    return TABLE"
    return ("def waves(", "TABLE = None\n\n\ndef waves("), (f"return {TABLE}", kept)


def kept_table(*more: tuple[str, str]) -> tuple[tuple[str, str], ...]:
    kept = f"KEPT.setdefault(width, {TABLE})\n    return KEPT[width]"
    return ("def waves(", "KEPT = {}\ndef waves("), (f"return {TABLE}", kept), *more


def kept_by_doubled(value: str, first: str = "") -> Mistake:
    """What a function keeps itself is not excused by its parts, whatever these are."""
    kept = f"{first}return KEPT.setdefault(width, {value})\n\ndoubled(3, 4)"
    changes = ("def doubled(", "KEPT = {}\ndef doubled("), (f"return {DOUBLE}", kept)
    return Mistake(changes, {"doubled/numbers": "with a different first argument"})


OF_OBJECT = "on an object that was called before with a different input"
LONGEST = (
    "if getattr(self, 'steps', torch.zeros(0)).shape[0] < ids.shape[1]:\n"
    "            self.steps = torch.arange(ids.shape[1])\n"
    "        steps = self.steps[: ids.shape[1]]"
)
FIRST_IDS = f"self.first = getattr(self, 'first', ids)\n        ids = self.first\n        {STEPS}"
FIRST_STEPS = "steps = self.steps = getattr(self, 'steps', torch.arange(ids.shape[1]))"
DOUBLE_TABLE = (
    ("(torch.arange(length) + 1.0", "(torch.arange(length).double() + 1.0"),
    ("torch.arange(width) + 1.0)", "torch.arange(width).double() + 1.0)"),
)


# ---------------------------------------------------------------- parts

CODE, TURN = "return torch.arange(size) * 1.0 + token_id", "return x * by"
WRONG_CODE = {
    "another size": (CODE, "return torch.zeros(size + 1)"),
    "an exception": (CODE, "raise KeyError(token_id)"),
    "nothing": (CODE, "pass"),
}
BY_CODE = (
    "torch.stack([1.0 * torch.arange(token_id, token_id + size) for token_id in ids])",
    "torch.stack([code(token_id, size) for token_id in ids])",
)
MADE_TABLE = "self.table = nn.Embedding(rows, width)"
DIMENSION = "self.table.embedding_dim"
KEPT_CODE = {
    "in a buffer": (
        (MADE_TABLE, f'{MADE_TABLE}\n        self.register_buffer("kept", code(1, width))'),
    ),
    "at the first call": (
        (
            "return turn(self.table(ids), code(1, self.table.embedding_dim))",
            'if not hasattr(self, "kept"):\n'
            '            self.register_buffer("kept", code(1, self.table.embedding_dim))\n'
            "        return turn(self.table(ids), self.kept)",
        ),
    ),
    "at each call": (),
}


def on_wrong_code(wrong: str, kept: str) -> Mistake:
    """A wrong part is not charged again, wherever what builds on it keeps it."""
    return Mistake((WRONG_CODE[wrong], BY_CODE, *KEPT_CODE[kept]), {"code/codes": ""})


# ---------------------------------------------------------------- corners

CORNER, MEAN_OF_ROWS = "return rows.new_zeros(rows.shape[1])", "return rows.mean(0)"
TWICE = "return 2 * rows.mean(0)"
ARANGE = "torch.arange(count, dtype=torch.float32) / 2"


def corner(code: str, words: str = "") -> Mistake:
    """Another answer at the corner alone, which costs its check if words are given."""
    return Mistake(((CORNER, code),), {"mean/none": words} if words else {})


# ---------------------------------------------------------------- precision

SUM, SINES = "return x + made.to(x.dtype)", "angles.sin(), angles.cos()"
BUFFER = 'self.register_buffer("table", torch.linspace(0, 1, rows)[:, None])'
ADD_NARROW, SWAPPED = "add_positions/narrow", "Sine and cosine are swapped."
LAYERS = '[{ call = "weigh", inputs = "layers" }]'
MISTAKES = {
    "weigh": {
        "kept by all arguments": Mistake(kept_by(*KEYS), {}),
        "kept without the table": without("table", "first"),
        "kept without the words": without("words", "second"),
        "kept without the places": without("places", "third"),
        "kept without the times": without("times", "fourth"),
        "words reversed": spoilt("words.reverse()"),
        "a word more": spoilt("words.append('a')"),
        "no places": spoilt("places.clear()"),
        "a table of zeros": spoilt("table.zero_()"),
    },
    "Layer": {
        "steps of the first input": Mistake(((STEPS, FIRST_STEPS),), {"Layer/rows": OF_OBJECT}),
        "the first input itself": Mistake(((STEPS, FIRST_IDS),), {"Layer/rows": OF_OBJECT}),
        "steps for the longest input": Mistake(((STEPS, LONGEST),), {}),
    },
    "Bag": {
        "a copy of the argument": Mistake(((PLACES, "self.places = dict(places)"),), {}),
        "a constructor that changes its argument": Mistake(
            ((PLACES, "self.places = dict(places)"), (ROWS, f"{ROWS}; places.popitem()")),
            {"Bag/filled": "changes its first argument in place"},
        ),
    },
    "waves and doubled": {
        "a global assigned by each call": Mistake(once("True"), {}),
        "a global assigned by the first call": Mistake(once("TABLE is None"), {"waves/table": ""}),
        "kept by one argument": Mistake(kept_table(), {"waves/table": ""}),
        "kept by one argument, and used otherwise": Mistake(
            kept_table((DOUBLE, COLUMNS)), {"waves/table": ""}
        ),
        "kept by what uses the part": kept_by_doubled(DOUBLE),
        "kept by what raises with a stand-in": kept_by_doubled(
            DOUBLE, "if waves(1, 1)[0, 0] != 1: raise ValueError\n    "
        ),
        "kept by what differs with a stand-in": kept_by_doubled(COLUMNS),
        "another type by its own step": Mistake(
            (("width)[:, :2]", "width)[:, :2].double()"),), {"doubled/float32": ""}
        ),
        "another type by the part": Mistake(DOUBLE_TABLE, {}),
    },
    "code and what uses it": {
        "kept in a buffer": Mistake((BY_CODE, *KEPT_CODE["in a buffer"]), {}),
        "kept at the first call": Mistake((BY_CODE, *KEPT_CODE["at the first call"]), {}),
        "a size, in a buffer": on_wrong_code("another size", "in a buffer"),
        "a size, at the first call": on_wrong_code("another size", "at the first call"),
        "an exception, in a buffer": on_wrong_code("an exception", "in a buffer"),
        "an exception, at each call": on_wrong_code("an exception", "at each call"),
        "nothing, at the first call": on_wrong_code("nothing", "at the first call"),
        "nothing, at each call": on_wrong_code("nothing", "at each call"),
        "one part left out, the other wrong": Mistake(
            (
                (TURN, "return x - by"),
                (f"code(1, {DIMENSION})", f"torch.arange({DIMENSION}) + 1.0"),
            ),
            {"turn/turns": ""},
        ),
        "wrong steps on a wrong part": Mistake(
            (
                WRONG_CODE["another size"],
                BY_CODE,
                ("torch.stack([code", "2 * torch.stack([code"),
                ("turn(self.table(ids)", "turn(1 + self.table(ids)"),
                (MADE_TABLE, f"{MADE_TABLE}\n        self.spare = nn.Linear(2, 2)"),
            ),
            dict.fromkeys(
                ("code/codes", "encode/rows", "Coded/made", "Coded/gradient", "Coded/stage"), ""
            ),
        ),
    },
    "mean": {
        "on the CPU": corner("return torch.zeros(rows.shape[1], dtype=rows.dtype)", "the CPU"),
        "float32": corner(
            "return torch.zeros(rows.shape[1], device=rows.device)", "returns float32"
        ),
        "added on two devices": corner(
            "return rows.sum(0) + torch.zeros(rows.shape[1], dtype=rows.dtype)", "RuntimeError"
        ),
        "NumPy": corner("return torch.from_numpy(rows.numpy().sum(0))", "TypeError"),
        "a sum": corner("return rows.sum(0)"),
        "ones": corner("return rows.new_ones(rows.shape[1])"),
        "wrong already": corner("return torch.zeros(rows.shape[1]) / 0", "not finite"),
        "on the CPU everywhere": Mistake(
            ((CORNER, f"{CORNER}.cpu()"), (f"    {MEAN_OF_ROWS}", f"    {MEAN_OF_ROWS}.cpu()")),
            {"mean/devices": ""},
        ),
        "float32 everywhere": Mistake(
            ((CORNER, f"{CORNER}.float()"), (f"    {MEAN_OF_ROWS}", f"    {MEAN_OF_ROWS}.float()")),
            {"mean/dtypes": ""},
        ),
    },
    "scaled_mean": {
        "a corner of a pipeline": Mistake(
            ((TWICE, f"if len(rows) == 1:\n        {TWICE}.cpu()\n    {TWICE}"),),
            {"scaled_mean/values": "the CPU"},
        )
    },
    "steps": {
        "a default type that is followed": Mistake(
            ((ARANGE, "torch.arange(count) / 2"),), {"steps/default": ""}
        ),
        "a stated type": Mistake(((ARANGE, "torch.arange(count).float() / 2"),), {}),
    },
    "add_positions": {
        "as in the solution": Mistake((), {}),
        "a float32 table": Mistake(
            ((SUM, "return x + made * 1.0"),),
            {ADD_NARROW: "bfloat16 went in and float32 came out"},
            "Your table has another dtype than x: convert it before you add it.",
        ),
        "swapped, with a table in the right dtype": Mistake(
            ((SINES, "angles.cos(), angles.sin()"),),
            {"add_positions/right": "", ADD_NARROW: ALREADY},
            SWAPPED,
        ),
        "the same numbers with another dtype": Mistake(
            ((SUM, "return (x + made).double()"),), {ADD_NARROW: ""}, ""
        ),
        "a product of positions": Mistake(
            ((".float()[:, None] * slow", ".float()[:, None] @ slow[None]"),),
            {ADD_NARROW: "Under torch.autocast to bfloat16:"},
        ),
        "threads counted": Mistake(
            ((SUM, f"{SUM} + torch.get_num_threads() - 1"),), {ADD_NARROW: "With 2 threads:"}
        ),
    },
    "Wide": {
        "a table that is no buffer": Mistake(
            ((BUFFER, "self.table = torch.linspace(0, 1, rows)[:, None]"),),
            {"Wide/narrow": "bfloat16 went in and float32 came out"},
        )
    },
}
SUBMISSIONS = submissions(MISTAKES)


@pytest.fixture(scope="module")
def ready(course_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    return prepared_course(ANSWERS, course_box, tmp_path_factory.mktemp("course"))


@pytest.mark.parametrize("mistakes", SUBMISSIONS.values(), ids=map(str, range(len(SUBMISSIONS))))
def test_each_mistake_costs_its_own_check_and_once(
    ready: PreparedClass, mistakes: list[Mistake]
) -> None:
    assert_loses(ready, mistakes)


def test_an_exercise_may_say_that_calls_depend_on_one_another(ready: PreparedClass) -> None:
    weigh = ready.context.loaded.spec.exercise[0]
    assert [check.id for check in weigh.check if getattr(check, "again", ())] == ["few"]
    plain = {**weigh.model_dump(exclude={"check": {"__all__": {"again"}}}), "stateful": True}
    free = Exercise.model_validate(plain)
    assert not any(getattr(check, "again", ()) for check in free.check)


def test_what_is_asked_of_a_public_check_is_made_of_public_inputs_alone(
    ready: PreparedClass,
) -> None:
    folder = ready.context.loaded.folder
    text = (folder / "assignment.toml").read_text(encoding="utf-8")
    changed = text.replace('title = "few"', 'title = "few"\npublic = true')
    changed = changed.replace('[{ call = "weigh", inputs = "weights" }]', LAYERS)
    (folder / "assignment.toml").write_text(changed, encoding="utf-8")
    (few,) = (c for c in load(folder).spec.exercise[0].check if c.id == "few")
    assert few.again[0].inputs == ("layers",)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("stop", "status"), [(TOO_MUCH, Status.PASSED), (Stop("died", "it ended"), Status.UNGRADED)]
)
def test_a_corner_that_simulated_calls_had_no_share_left_for_costs_nothing(
    ready: PreparedClass, stop: Stop, status: Status
) -> None:
    context = ready.context
    probes = tuple(
        p if "/rows/" in p.id or "simulated=True" not in p.id else ProbeRun(p.id, None, stop, SPENT)
        for p in ready.expected.probes
    )
    assert probes != ready.expected.probes
    run = msgspec.structs.replace(ready.expected, probes=probes)
    spec, cases = context.loaded.spec, context.cases
    verdicts = judge(spec, run, Reference(ready.expected, cases, context.loaded.relations))
    (none,) = (v for v in verdicts if (v.exercise, v.check) == ("mean", "none"))
    assert none.status is status, none.message


def test_hidden_corners_stay_hidden(ready: PreparedClass, tmp_path: Path) -> None:
    evidence = public_evidence(ready.context.loaded, ready.context.cases, ready.expected)
    assert set(read_public(packed(evidence)).cases) == {"rows"}
