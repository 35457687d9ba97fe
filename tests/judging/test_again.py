"""What a call leaves behind: results that are kept by too little, sizes, changed arguments."""

from __future__ import annotations

import pytest

from autograder.assignment.load import load
from autograder.assignment.model import Exercise
from autograder.assignment.pretrained import Offer
from autograder.classroom.reference import make_context, prepare_reference
from autograder.execution.engines.local import Inline
from autograder.grading.context import PreparedClass
from autograder.sandbox.lazy import LazyBox
from tests.support.changed_solution import graded, lost
from tests.support.courses import write_course

COURSE = {
    "assignments/again/assignment.toml": """
format = 1
id = "again"
title = "Again"

[[exercise]]
id = "weigh"
title = "All kinds of arguments"
defines = ["weigh"]

[[exercise.check]]
id = "some"
kind = "function"
title = "numbers are right"
points = 2
call = "weigh"
inputs = "weights"

[[exercise.check]]
id = "few"
kind = "relation"
title = "there are numbers"
points = 1
relation = "are_numbers"
calls = [{ call = "weigh", inputs = "weights" }]

[[exercise]]
id = "Layer"
title = "A layer"
defines = ["Layer"]

[[exercise.check]]
id = "rows"
kind = "function"
title = "rows are right"
points = 1
call = "Layer.forward"
inputs = "layers"

[[exercise]]
id = "Bag"
title = "Made from a dictionary"
defines = ["Bag"]

[[exercise.check]]
id = "filled"
kind = "relation"
title = "it has a table, and gives rows"
points = 1
relation = "bag_is_filled"
calls = [
    { call = "Bag", inputs = "vocabularies" },
    { call = "Bag.forward", inputs = "bags" },
]

[[exercise]]
id = "waves"
title = "A table"
defines = ["waves"]

[[exercise.check]]
id = "table"
kind = "function"
title = "the table is right"
points = 1
call = "waves"
inputs = "sizes"

[[exercise]]
id = "doubled"
title = "What uses the table"
defines = ["doubled"]

[[exercise.check]]
id = "numbers"
kind = "function"
title = "the numbers are right"
points = 1
call = "doubled"
inputs = "sizes"
parts = [{ name = "waves", stand_in = "table" }]

[[exercise.check]]
id = "float32"
kind = "relation"
title = "they are float32"
points = 1
relation = "doubled_is_float32"
calls = [{ call = "doubled", inputs = "sizes" }]
parts = [{ name = "waves", stand_in = "table" }]
""",
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


def doubled_is_float32(seen):
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
BEGIN, RESULT = "def weigh(table", "return table[places_of_words].cumsum(0) * times"
KEYS = {"table": "str(table)", "words": "str(words)", "places": "str(places)", "times": "times"}
STEPS = "steps = torch.arange(ids.shape[1])"
FORWARD = "return self.table(ids) + steps[:, None]"


@pytest.fixture(scope="module")
def ready(warm_box: LazyBox, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    folder = tmp_path_factory.mktemp("again")
    offer = Offer(None, "", frozenset(), ())
    context = make_context(
        write_course(folder, COURSE), offer, warm_box, seed=5, draw=False, evidence=folder / "kept"
    )
    return prepare_reference(context, Inline(), lambda what, total: None)


def kept_by(*names: str) -> list[tuple[str, str]]:
    """Results are kept by these arguments."""
    key = "".join(f"{KEYS[name]}, " for name in names)
    value = RESULT.removeprefix("return ")
    result = f"if ({key}) not in KEPT: KEPT[({key})] = {value}\n    return KEPT[({key})]"
    return [(BEGIN, f"KEPT = {{}}\n{BEGIN}"), (RESULT, result)]


def test_results_that_are_kept_by_all_arguments_are_right(ready: PreparedClass) -> None:
    assert lost(graded(ready, *kept_by(*KEYS))) == {}


@pytest.mark.parametrize("left", KEYS)
def test_results_that_are_kept_without_one_argument_cost_the_cheapest_check(
    ready: PreparedClass, left: str
) -> None:
    found = lost(graded(ready, *kept_by(*(name for name in KEYS if name != left))))
    which = ("first", "second", "third", "fourth")[list(KEYS).index(left)]
    assert f"with a different {which} argument" in found["weigh/few"]


@pytest.mark.parametrize(
    "spoil", ["words.reverse()", "words.append('a')", "places.clear()", "table.zero_()"]
)
def test_an_argument_that_is_changed_shows_under_a_relation_too(
    ready: PreparedClass, spoil: str
) -> None:
    value = RESULT.removeprefix("return ")
    found = lost(graded(ready, (RESULT, f"found = {value}\n    {spoil}\n    return found")))
    assert "in place" in found["weigh/few"]


def test_an_argument_that_a_constructor_changes_is_found(ready: PreparedClass) -> None:
    kept = "self.places = places"
    copied = (kept, "self.places = dict(places)")
    assert lost(graded(ready, copied)) == {}
    emptied = (kept, "self.places = dict(places)")
    table = "nn.Embedding(len(places), 3)"
    found = lost(graded(ready, emptied, (table, f"{table}; places.popitem()")))
    assert "changes its first argument in place" in found["Bag/filled"]


@pytest.mark.parametrize("once", [False, True])
def test_a_global_that_a_call_assigns_is_there_in_the_next_one(
    ready: PreparedClass, once: bool
) -> None:
    begin = ("def waves(", "TABLE = None\n\n\ndef waves(")
    table = "torch.outer(torch.arange(length) + 1.0, torch.arange(width) + 1.0)"
    kept = f"if TABLE is None or {not once}:\n        TABLE = {table}\n    return TABLE"
    found = lost(graded(ready, begin, (f"return {table}", f"global TABLE\n    {kept}")))
    assert set(found) == ({"waves/table"} if once else set())


@pytest.mark.parametrize(
    ("keep", "said"),
    [
        ("self.steps = getattr(self, 'steps', torch.arange(ids.shape[1]))", "raised RuntimeError"),
        (
            "self.first = getattr(self, 'first', ids)\n        ids = self.first\n        " + STEPS,
            "a different result",
        ),
    ],
)
def test_what_an_object_keeps_of_its_first_input_is_found(
    ready: PreparedClass, keep: str, said: str
) -> None:
    own = keep.replace("self.steps =", "steps = self.steps =")
    found = lost(graded(ready, (STEPS, own)))
    assert set(found) == {"Layer/rows"} and said in found["Layer/rows"]
    assert "on an object that was called before with a different input" in found["Layer/rows"]


def test_steps_that_are_made_for_the_longest_input_are_right(ready: PreparedClass) -> None:
    kept = (
        "if getattr(self, 'steps', torch.zeros(0)).shape[0] < ids.shape[1]:\n"
        "            self.steps = torch.arange(ids.shape[1])\n"
        "        steps = self.steps[: ids.shape[1]]"
    )
    assert lost(graded(ready, (STEPS, kept))) == {}


@pytest.mark.parametrize("columns", [":2", "[1, 3]"])
def test_what_an_earlier_function_keeps_is_not_charged_again(
    ready: PreparedClass, columns: str
) -> None:
    """Also where the numbers with a stand-in are not the reference's: it calls the part
    otherwise."""
    table = "torch.outer(torch.arange(length) + 1.0, torch.arange(width) + 1.0)"
    kept = (f"return {table}", f"KEPT.setdefault(width, {table})\n    return KEPT[width]")
    begin = ("def waves(", "KEPT = {}\ndef waves(")
    own = ("2 * waves(length, width)[:, :2]", f"waves(length, width)[:, {columns}]")
    step = () if columns == ":2" else (own,)
    assert set(lost(graded(ready, begin, kept, *step))) == {"waves/table"}


@pytest.mark.parametrize(
    "needs, own",
    [
        ("", "2 * waves(length, width)[:, :2]"),
        ("if waves(1, 1)[0, 0] != 1: raise ValueError\n    ", "2 * waves(length, width)[:, :2]"),
        ("", "waves(length, width)[:, [1, 3]]"),
    ],
)
def test_what_a_function_keeps_itself_is_not_excused_by_its_parts(
    ready: PreparedClass, needs: str, own: str
) -> None:
    """Neither if a stand-in makes it raise or gives it numbers that the reference does not have."""
    value = "2 * waves(length, width)[:, :2]"
    kept = (f"return {value}", f"{needs}return KEPT.setdefault(width, {own})\n\ndoubled(3, 4)")
    found = lost(graded(ready, ("def doubled(", "KEPT = {}\ndef doubled("), kept))
    assert "with a different first argument" in found["doubled/numbers"]


@pytest.mark.parametrize("part", ["", "waves"])
def test_a_relation_on_the_type_is_excused_by_a_part_of_another_type_alone(
    ready: PreparedClass, part: str
) -> None:
    of_part, of_step = (
        ("(torch.arange(length) + 1.0", "(torch.arange(length).double() + 1.0"),
        (
            "(length, width)[:, :2]",
            "(length, width)[:, :2].double()",
        ),
    )
    other = ("torch.arange(width) + 1.0)", "torch.arange(width).double() + 1.0)")
    found = lost(graded(ready, *((of_part, other) if part else (of_step,))))
    assert ("doubled/float32" in found) is (not part)


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
    changed = text.replace('title = "there are numbers"', 'title = "numbers"\npublic = true')
    calls = 'calls = [{ call = "weigh", inputs = "INPUTS" }]'
    changed = changed.replace(calls.replace("INPUTS", "weights"), calls.replace("INPUTS", "layers"))
    (folder / "assignment.toml").write_text(changed, encoding="utf-8")
    (few,) = (c for c in load(folder).spec.exercise[0].check if c.id == "few")
    assert few.again[0].inputs == ("layers",)  # type: ignore[union-attr]
