"""Every fault of a document is named in our own words: the file, the place, and what to do."""

from __future__ import annotations

import copy
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_core._pydantic_core import list_all_errors

from autograder.assignment.course import CourseSpec, load_course
from autograder.assignment.document import checked
from autograder.assignment.model import Assignment
from autograder.assignment.read import read_assignment
from autograder.errors import SpecError
from autograder.interop.lti.scores import Score
from autograder.interop.otter.source import settings
from tests.support.tables import rows_beside

DO = re.compile(r"\b(write|add|remove|choose|correct|give|use|lower)\b")
TABLE = re.compile(r"the file|late|.*(check|exercise)( 'text_of_ten'| number 1)?")
WRONG = (None, True, -1, 10**80, 1.5, math.nan, math.inf, "", "x/y", "é" * 70, [], [[]], {})
FITTING: dict[str, dict[str, Any]] = {  # what the schema cannot tell
    "LateSpec": {"timezone": "UTC"},
    "RubricItem": {"points": 1.0},
    "PredictionCheck": {"options": ["text_of_ten", 2]},
    "TrainingCheck": {"below": ...},
    "CourseSpec": {"drop_lowest": 0},
    "Exercise": {"personal": ...},
    "Score": {"timestamp": "2026-01-01T00:00:00.000Z", "scoreGiven": 1, "scoreMaximum": 1},
    "Tolerance": {"rtol": 0.5},
    "ValidateSpec": {"kill_rate": 0.5},
}


def sample(node: Any, whole: Any) -> Any:
    """A valid instance of a JSON schema, with every property."""
    node = node.get("oneOf", node.get("anyOf", [node]))[0]
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        made = sample(whole["$defs"][name], whole)
        found = {**made, **FITTING.get(name, {})} if isinstance(made, dict) else made
        return {k: v for k, v in found.items() if v is not ...} if made is not found else made
    if "const" in node or "enum" in node:
        return node.get("const", node.get("enum", [None])[0])
    match node.get("type"):
        case "object" if "properties" in node:
            return {key: sample(one, whole) for key, one in node["properties"].items()}
        case "object":
            key = node.get("propertyNames", {}).get("enum", ["key"])[0]
            return {key: sample(node.get("additionalProperties", {}), whole)}
        case "array" if "prefixItems" in node:
            return [sample(one, whole) for one in node["prefixItems"]]
        case "array":
            return [sample(node["items"], whole)] * max(1, node.get("minItems", 1))
        case "integer":
            return max(1, node.get("minimum", 1))
        case "number":
            return 0.5 if "exclusiveMaximum" in node else node.get("minimum", 1) + 1
        case "boolean":
            return False
    return "2026-01-01T00:00:00Z" if node.get("format") == "date-time" else "text_of_ten"


def documents() -> Iterator[tuple[type[BaseModel], Any, Any]]:
    """Valid documents, each with the part of it that is to be broken: an assignment, each kind of
    check in it, a course, otter's settings, a message."""
    schema = Assignment.model_json_schema()
    kinds = schema["$defs"]["Exercise"]["properties"]["check"]["items"]["discriminator"]["mapping"]
    schema["$defs"]["Exercise"]["properties"]["check"] = {"const": []}
    whole = sample(
        {"$ref": "#/$defs/Assignment"}, {"$defs": {**schema["$defs"], "Assignment": schema}}
    )
    for number, ref in enumerate(kinds.values()):
        made = copy.deepcopy(whole)
        held = made["exercise"][0]["check"] = [sample({"$ref": ref}, schema)]
        if checked(Assignment, made)[0] is None:  # a check for imported assignments, or not
            made.pop("brought")
        yield Assignment, made, made if number == 0 else held
    for model in (
        CourseSpec,
        settings.AssignmentSettings,
        settings.GraderSettings,
        settings.QuestionSettings,
        Score,
    ):
        own = model.model_json_schema()
        defs = {**own.get("$defs", {}), model.__name__: own}
        made = sample({"$ref": f"#/$defs/{model.__name__}"}, {"$defs": defs})
        yield model, made, made


def places(node: Any) -> Iterator[tuple[Any, Any]]:
    """Every container of a document with each of its keys or indices."""
    for key, value in list(node.items() if isinstance(node, dict) else enumerate(node)):
        yield node, key
        if isinstance(value, dict | list):
            yield from places(value)


def broken(part: Any) -> Iterator[str]:
    """A word of the place of each fault that the part of a document has now; it is whole again
    afterwards."""
    last = "the file" if isinstance(part, dict) else "check"
    for node, key in list(places(part)):
        last = key if isinstance(key, str) else last
        kept = node[key]
        for wrong in WRONG:
            node[key] = wrong
            yield last
        node[key] = kept
        if isinstance(node, dict):
            del node[key]
            yield last
            node[key] = kept
            node["colour"] = 1
            yield "colour"
            del node["colour"]


def phrases() -> re.Pattern[str]:
    """Pydantic's own texts, between what it fills in."""
    texts = [part for e in list_all_errors() for part in _parts(e)]
    return re.compile("|".join(re.escape(text) for text in {*texts, "Value error", "Assertion"}))


def _parts(error: Any) -> Iterator[str]:
    for key in ("message_template_python", "message_template_json"):
        parts = (part.strip() for part in re.split(r"\{.*?\}", error.get(key, "")))
        yield from (part for part in parts if part.count(" ") >= 2 or part == "Field required")


@pytest.mark.slow
def test_any_fault_is_named_with_its_place_and_a_remedy_in_our_own_words() -> None:
    theirs, count = phrases(), 0
    for model, document, part in documents():
        assert checked(model, document)[1] == (), model
        for place in broken(part):
            for said in checked(model, document)[1]:
                count += 1
                where, _, text = said.partition(": ")
                assert place in said or TABLE.fullmatch(where), (place, said)
                assert DO.search(text), said
                assert not theirs.search(said) and "not accepted here" not in said, said
        assert checked(model, document)[1] == ()
    assert count > 2_000


ONE = """format = 1
id = "tiny"
title = "Tiny"
[[exercise]]
id = "sums"
title = "A sum"
defines = ["total"]
[[exercise.check]]
id = "total"
kind = "value"
title = "the total"
points = 1
name = "total"
"""


@pytest.mark.parametrize(("was", "now", "said"), rows_beside(__file__)["faults"])
def test_a_file_is_named_with_its_place(tmp_path: Path, was: str, now: str, said: str) -> None:
    assert was in ONE
    (tmp_path / "assignment.toml").write_text(ONE.replace(was, now, 1))
    with pytest.raises(SpecError) as refused:
        read_assignment(tmp_path)
    *_, problem = refused.value.problems
    assert problem.startswith(f"{tmp_path / 'assignment.toml'}: ") and re.search(said, problem)


def test_other_documents_are_named_too(tmp_path: Path) -> None:
    plan = tmp_path / "course.toml"
    plan.write_text("format = 1\n[[assignment]]\nid = 'a'\nresults = 3\nwieght = 2")
    with pytest.raises(SpecError) as refused:
        load_course(plan)
    assert refused.value.problems == (
        f"{plan}: assignment 'a', results: write text in quotes here, not 3",
        f"{plan}: assignment 'a', wieght: unknown key; correct its spelling or remove it (did you "
        "mean 'weight'?)",
    )
    plan.write_bytes(b"format = 1\n# \xff")
    with pytest.raises(SpecError, match="line 2 is not UTF-8 text; save the file as UTF-8"):
        load_course(plan)
    plan.write_text(f"format = {'1' * 5000}")
    with pytest.raises(SpecError, match=r"this is not TOML \(.*; correct it and run again"):
        load_course(plan)
    problems: list[str] = []
    config = {"export_cell": {"pfd": True}, "tests": "all", "export": 1}
    assert settings.make(settings.AssignmentSettings, config, "hw.ipynb, config", problems) is None
    assert problems == [
        "hw.ipynb, config: export_cell, pfd: unknown key; correct its spelling or remove it (did "
        "you mean 'pdf'?)",
        "hw.ipynb, config: tests: write a table of keys and values here, not 'all'",
        "hw.ipynb, config: export: unknown key; correct its spelling or remove it (did you mean "
        "'export_cell'?)",
    ]
