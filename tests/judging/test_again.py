"""What a call leaves behind: results that are kept by too little, sizes, changed arguments."""

from __future__ import annotations

import pytest

from autograder.assignment.load import load
from autograder.assignment.model import Exercise
from autograder.grading.context import PreparedClass
from autograder.sandbox.lazy import LazyBox
from tests.support.assignment_text import assignment_text, check
from tests.support.changed_solution import Mistake, assert_loses, prepared_course, submissions

WEIGH = {"call": "weigh", "inputs": "weights"}
BAGS = [{"call": "Bag", "inputs": "vocabularies"}, {"call": "Bag.forward", "inputs": "bags"}]
LAYERS = '[{ call = "weigh", inputs = "layers" }]'
DOUBLED = {"call": "doubled", "inputs": "sizes"}
WAVES = [{"name": "waves", "stand_in": "table"}]
COURSE = {
    "assignments/again/assignment.toml": assignment_text(
        "again",
        {
            "weigh": [
                check("some", "function", points=2, call="weigh", inputs="weights"),
                check("few", "relation", relation="are_numbers", calls=[WEIGH]),
            ],
            "Layer": [check("rows", "function", call="Layer.forward", inputs="layers")],
            "Bag": [check("filled", "relation", relation="bag_is_filled", calls=BAGS)],
            "waves": [check("table", "function", call="waves", inputs="sizes")],
            "doubled": [
                check("numbers", "function", call="doubled", inputs="sizes", parts=WAVES),
                check("float32", "relation", relation="is_float32", calls=[DOUBLED], parts=WAVES),
            ],
        },
    ),
    "assignments/again/inputs.py": """
import torch

from autograder.assignment.arguments import made


def weights(rng):
    table = torch.tensor([[1.0, 2.0], [4.0, 8.0]])
    return [(table, ["a", "b", "b"], {"a": 0, "b": 1}, 2), (table, ["b"], {"a": 1, "b": 0}, 3)]


def sizes(rng):
    return [(3, 4), (5, 6)]


def vocabularies(rng):
    return [({"a": 0, "b": 1},), ({"c": 1, "d": 0, "e": 2},)]


def bags(rng):
    state = [torch.arange(6.0).reshape(2, 3)]
    return [(made("Bag", {"a": 0, "b": 1}, state=state), ["b", "a"])]


def layers(rng):
    state = [torch.arange(12.0).reshape(4, 3)]
    return [(made("Layer", 4, 3, state=state), torch.tensor([[2, 0, 1, 3]]))]
""",
    "assignments/again/checks.py": """
def are_numbers(seen):
    for call in seen.calls("weigh", "weights"):
        call.tensor()
        yield from ()


def bag_is_filled(seen):
    for call in seen.calls("Bag", "vocabularies"):
        if not call.module().entries:
            yield "There is no table."
    for call in seen.calls("Bag.forward", "bags"):
        call.tensor()


def is_float32(seen):
    for call in seen.calls("doubled", "sizes"):
        if call.held.value.dtype != "float32":
            yield "These numbers are no float32."
""",
    "solutions/again/solution.py": """# %% [markdown]
# # Again

# %% locked=true
import torch
from torch import nn

# %% exercise="weigh"
def weigh(table, words, places, times):
    # BEGIN SOLUTION
    places_of_words = [places[word] for word in words]
    return table[places_of_words].cumsum(0) * times
    # END SOLUTION

# %% exercise="Layer"
class Layer(nn.Module):
    def __init__(self, rows, columns):
        # BEGIN SOLUTION
        super().__init__()
        self.table = nn.Embedding(rows, columns)
        # END SOLUTION

    def forward(self, ids):
        # BEGIN SOLUTION
        steps = torch.arange(ids.shape[1])
        return self.table(ids) + steps[:, None]
        # END SOLUTION

# %% exercise="Bag"
class Bag(nn.Module):
    def __init__(self, places):
        # BEGIN SOLUTION
        super().__init__()
        self.places = places
        self.table = nn.Embedding(len(places), 3)
        # END SOLUTION

    def forward(self, words):
        # BEGIN SOLUTION
        return self.table(torch.tensor([self.places[word] for word in words]))
        # END SOLUTION

# %% exercise="waves"
def waves(length, width):
    # BEGIN SOLUTION
    return torch.outer(torch.arange(length) + 1.0, torch.arange(width) + 1.0)
    # END SOLUTION

# %% exercise="doubled"
def doubled(length, width):
    # BEGIN SOLUTION
    return 2 * waves(length, width)[:, :2]
    # END SOLUTION
""",
}
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
}
SUBMISSIONS = submissions(MISTAKES)


@pytest.fixture(scope="module")
def ready(course_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    return prepared_course(COURSE, course_box, tmp_path_factory.mktemp("course"))


@pytest.mark.parametrize("mistakes", SUBMISSIONS.values(), ids=SUBMISSIONS)
def test_what_a_call_leaves_behind_costs_the_check_that_it_spoils(
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
