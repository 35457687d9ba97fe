"""Damage of what cells say about themselves: ids, metadata, tags, types."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from tests.support.damage.hand_in import (
    Base,
    Cell,
    Change,
    Kind,
    Notebook,
    code,
    harmless,
    own,
    strip_metadata,
    text,
)


def _ids(make: Callable[[int, Random], Any]) -> Change:
    """Another id for every cell; None for none."""

    def change(notebook: Notebook, random: Random, base: Base) -> None:
        for number, cell in enumerate(notebook["cells"]):
            del cell["id"]
            made = make(number, random)
            if made is not None:
                cell["id"] = made

    return change


def _invalid(number: int, random: Random) -> Any:
    return random.choice(["", "a b", "ü", "x" * 200, 7, ["id"], {"id": 1}, "a/b", True])


def _swapped_ids(notebook: Notebook, random: Random, base: Base) -> None:
    answers = own(notebook)
    ids = [cell["id"] for cell in answers]
    random.shuffle(ids)
    for cell, one in zip(answers, ids, strict=True):
        cell["id"] = one


# ------------------------------------------------------------------ metadata


def _stripped(notebook: Notebook, random: Random, base: Base) -> None:
    strip_metadata(notebook)


def _stripped_to_code(notebook: Notebook, random: Random, base: Base) -> None:
    """Neither metadata nor ids nor text: code alone."""
    strip_metadata(notebook)
    notebook["cells"] = code(notebook)
    notebook["metadata"] = {}
    _ids(lambda number, random: None)(notebook, random, base)


def _each_metadata(make: Callable[[Cell, Random], Any]) -> Change:
    def change(notebook: Notebook, random: Random, base: Base) -> None:
        for cell in notebook["cells"]:
            cell["metadata"] = make(cell, random)

    return change


def _wrong_type(cell: Cell, random: Random) -> Any:
    return random.choice([None, [], "exercise", 3, True, [cell["metadata"]], 1.5, {}])


def _wrong_values(cell: Cell, random: Random) -> Any:
    """The keys are there, what they hold is of no sensible type."""
    odd: list[Any] = [None, 3, [], {}, ["a"], True, "", "no such exercise", "x" * 500]
    return {
        "exercise": random.choice(odd),
        "locked": random.choice(["yes", 1, None, []]),
        "tags": random.choice(odd),
        "deletable": random.choice(odd),
        "jupyter": random.choice(odd),
        "vscode": random.choice(odd),
    }


def _more(cell: Cell, random: Random) -> Any:
    """Metadata that editors and extensions add."""
    return cell["metadata"] | {
        "collapsed": random.random() < 0.5,
        "scrolled": "auto",
        "tags": ["parameters", "hide-input"],
        "jupyter": {"source_hidden": True, "outputs_hidden": True},
        "execution": {"iopub.status.busy": "2026-01-05T10:00:00Z"},
        "slideshow": {"slide_type": "skip"},
        "heading_collapsed": True,
        "ExecuteTime": {"start_time": "2026-01-05T10:00:00Z"},
    }


def _unlocked(cell: Cell, random: Random) -> Any:
    return {key: value for key, value in cell["metadata"].items() if key == "exercise"}


def _locked(cell: Cell, random: Random) -> Any:
    return cell["metadata"] | {"locked": True, "editable": False}


def _without_notebook_metadata(notebook: Notebook, random: Random, base: Base) -> None:
    odd: list[Any] = [{}, None, [], "metadata", {"kernelspec": None, "language_info": []}]
    notebook["metadata"] = random.choice(odd)


def _other_kernel(notebook: Notebook, random: Random, base: Base) -> None:
    """A Python of another name."""
    name = random.choice(["ml-course", "conda-env-torch-py", "python37", "venv (3.12.1)", ".venv"])
    kernel = {"display_name": name, "language": "python", "name": name}
    notebook["metadata"]["kernelspec"] = kernel


# ------------------------------------------------------------------ tags


def _swapped_tags(notebook: Notebook, random: Random, base: Base) -> None:
    one, other = random.sample(own(notebook), 2)
    one["metadata"], other["metadata"] = other["metadata"], one["metadata"]


def _shuffled_tags(notebook: Notebook, random: Random, base: Base) -> None:
    answers = own(notebook)
    marks = [cell["metadata"] for cell in answers]
    random.shuffle(marks)
    for cell, mark in zip(answers, marks, strict=True):
        cell["metadata"] = mark


def _one_tag(notebook: Notebook, random: Random, base: Base) -> None:
    """Every code cell is marked as the same exercise's."""
    mark = random.choice(own(notebook))["metadata"]
    for cell in code(notebook):
        cell["metadata"] = mark


def _some_tags_lost(notebook: Notebook, random: Random, base: Base) -> None:
    for cell in random.sample(own(notebook), len(own(notebook)) // 2):
        cell["metadata"] = {}


def _tags_of_another_course(notebook: Notebook, random: Random, base: Base) -> None:
    for number, cell in enumerate(own(notebook)):
        cell["metadata"] = {"exercise": f"week-7-task-{number}"}


def _locked_answers(notebook: Notebook, random: Random, base: Base) -> None:
    """A tool has locked the answers and lost their tags."""
    for cell in own(notebook):
        cell["metadata"] = {"locked": True}


# ------------------------------------------------------------------ types


def _text_as_code(share: float) -> Change:
    def change(notebook: Notebook, random: Random, base: Base) -> None:
        cells = text(notebook)
        for cell in random.sample(cells, max(1, round(share * len(cells)))):
            cell |= {"cell_type": "code", "outputs": [], "execution_count": None}

    return change


def _text_as_raw(notebook: Notebook, random: Random, base: Base) -> None:
    for cell in text(notebook):
        cell["cell_type"] = "raw"


def _without_types(notebook: Notebook, random: Random, base: Base) -> None:
    for cell in code(notebook):
        del cell["cell_type"]


def _parts_missing(notebook: Notebook, random: Random, base: Base) -> None:
    """Cells that lack what the format asks for, and things that are no cells."""
    for cell in notebook["cells"]:
        for key in random.sample(["id", "outputs", "execution_count"], 2):
            cell.pop(key, None)
    odd: list[Any] = [None, "text", 3, [], {}]
    for thing in odd:
        notebook["cells"].insert(random.randrange(len(notebook["cells"]) + 1), thing)


KINDS = (
    Kind(
        "ids-renamed",
        "every cell has another id",
        harmless(_ids(lambda n, random: f"{random.getrandbits(64):016x}")),
    ),
    Kind("ids-removed", "no cell has an id", harmless(_ids(lambda n, random: None))),
    Kind("ids-equal", "every cell has the same id", harmless(_ids(lambda n, random: "cell"))),
    Kind("ids-invalid", "ids that the format does not allow", harmless(_ids(_invalid))),
    Kind("ids-swapped", "the answers' ids shuffled", harmless(_swapped_ids)),
    Kind("metadata-stripped", "every cell's metadata gone", harmless(_stripped)),
    Kind("code-alone", "metadata, ids and all text gone", harmless(_stripped_to_code)),
    Kind(
        "metadata-wrong",
        "every cell's metadata of a wrong type",
        harmless(_each_metadata(_wrong_type)),
    ),
    Kind(
        "metadata-odd",
        "every cell's metadata with values of wrong types",
        harmless(_each_metadata(_wrong_values)),
    ),
    Kind("metadata-more", "metadata of many extensions added", harmless(_each_metadata(_more))),
    Kind("unlocked", "given cells no longer marked as given", harmless(_each_metadata(_unlocked))),
    Kind("locked", "every cell marked as given, answers too", harmless(_each_metadata(_locked))),
    Kind(
        "locked-untagged",
        "answers marked as given instead of by their exercise",
        harmless(_locked_answers),
    ),
    Kind(
        "notebook-metadata",
        "the notebook's own metadata gone or of a wrong type",
        harmless(_without_notebook_metadata),
    ),
    Kind("other-kernel", "a Python kernel with another name", harmless(_other_kernel)),
    Kind("tags-swapped", "the exercise tags of two answers swapped", harmless(_swapped_tags)),
    Kind("tags-shuffled", "the exercise tags of all answers shuffled", harmless(_shuffled_tags)),
    Kind("tags-all-one", "every code cell tagged as the same exercise's", harmless(_one_tag)),
    Kind("tags-half-lost", "half of the answers without a tag", harmless(_some_tags_lost)),
    Kind(
        "tags-foreign",
        "the answers tagged as exercises of another course",
        harmless(_tags_of_another_course),
    ),
    Kind("text-as-code", "one text cell turned into code", harmless(_text_as_code(0))),
    Kind("all-text-as-code", "every text cell turned into code", harmless(_text_as_code(1))),
    Kind("text-as-raw", "every text cell turned into a raw cell", harmless(_text_as_raw)),
    Kind("types-missing", "code cells that do not say their type", harmless(_without_types)),
    Kind(
        "parts-missing",
        "required parts missing, entries among the cells that are not cells",
        harmless(_parts_missing),
    ),
)
