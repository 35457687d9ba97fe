"""What is wrong with a document, in our own words: the place, and how to put it right.

Every type of error that our models can meet has a text here; none of the validator's own is passed
on. Places are ids and keys, as the document spells them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from copy import deepcopy
from datetime import date
from difflib import get_close_matches
from functools import reduce
from operator import getitem
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError

from autograder.assignment.toml_file import read_toml
from autograder.errors import MEANT, SpecError, did_you_mean

Location = tuple[int | str, ...]
Model = TypeVar("Model", bound=BaseModel)

_WANTED: Mapping[str, str] = MappingProxyType(
    {
        "bool": "true or false",
        "datetime": "a date and time such as 2026-10-25T23:59:00",
        "decimal": "a number",
        "dict": "a table of keys and values",
        "finite": "a finite number",
        "float": "a number",
        "int": "a whole number",
        "model": "a table of keys and values",
        "string": "text in quotes",
        "tuple": "a list in square brackets",
    }
)
_BOUNDS: Mapping[str, str] = MappingProxyType(
    {
        "greater_than": "above {gt:g}",
        "greater_than_equal": "of at least {ge:g}",
        "less_than": "below {lt:g}",
        "less_than_equal": "of at most {le:g}",
    }
)
_SURE = 0.75  # how similar a word is to the one that is meant, without doubt
_SHOWN = 60  # characters of a value in a message


def load_table(model: type[Model], path: Path) -> Model:
    """A TOML file as a model; raises ``SpecError`` with every problem."""
    try:
        found, problems = checked(model, read_toml(path))
    except OSError as bad:
        said = f"cannot be read ({bad.strerror}); give the path of a readable file"
        raise SpecError([f"{path}: {said}"]) from None
    if found is None:
        raise SpecError([f"{path}: {problem}" for problem in problems])
    return found


def checked(model: type[Model], data: Any) -> tuple[Model | None, tuple[str, ...]]:
    """The data as a model, or None and a line for each fault: place, what is wrong, what to do."""
    try:
        return model.model_validate(data), ()
    except ValidationError as bad:
        faults = _faults(bad, model, data)
        return None, tuple(dict.fromkeys([*faults, *_in_unknown_kinds(bad, model, data)]))


def of_value(error: BaseException | None) -> str:
    """What is wrong with a single value that is not part of a document; empty for an error of
    another sort."""
    if not isinstance(error, ValidationError):
        return ""
    fault = error.errors(include_url=False)[0]
    if fault["type"] == "value_error":
        return str(fault["ctx"]["error"])
    noun = _noun(fault)
    return _instead([noun], fault["input"]) if noun else _text(fault, BaseModel)


def _in_unknown_kinds(error: ValidationError, model: type[BaseModel], data: Any) -> list[str]:
    """The faults of tables of unknown kind: those that they have whichever kind was meant."""
    meant = _kinds_meant(error, model, data)
    rounds: list[dict[str, str]] = []
    for number in range(max(map(len, meant.values()), default=0)):
        tried = deepcopy(data)
        for path, kinds in meant.items():
            reduce(getitem, path, tried)["kind"] = kinds[number % len(kinds)]
        faults = checked(model, tried)[1]
        rounds.append({fault.partition(MEANT)[0]: fault for fault in faults})
    common = set.intersection(*map(set, rounds)) if rounds else set()
    return [fault for key, fault in rounds[0].items() if key in common] if rounds else []


def _kinds_meant(
    error: ValidationError, model: type[BaseModel], data: Any
) -> dict[Location, list[str]]:
    """For each table of unknown kind: the kind of the most similar name, or all of them."""
    meant: dict[Location, list[str]] = {}
    for one in error.errors(include_url=False):
        if one["type"] in ("union_tag_invalid", "union_tag_not_found"):
            path = _followed(one, data)
            kinds = [kind for table in _tables_at(model, path) if (kind := _kind(table))]
            near = get_close_matches(str(one["ctx"].get("tag")), kinds, 1, cutoff=_SURE)
            meant[path] = near or kinds
    return meant


def _faults(error: ValidationError, model: type[BaseModel], data: Any) -> tuple[str, ...]:
    """A line for each fault of ``data``, which is not a valid ``model``."""
    faults: dict[Location, list[Any]] = {}
    for error_ in error.errors(include_url=False):
        if not _is_echo(error_):
            faults.setdefault(_followed(error_, data), []).append(error_)
    said = []
    for path, several in faults.items():
        nouns = [_noun(error_) for error_ in several]
        within = any(len(other) > len(path) and other[: len(path)] == path for other in faults)
        if all(nouns) and within:
            continue  # of the types that may stand here, the one that was meant is faulty inside
        own = next(
            (error_ for error_, noun in zip(several, nouns, strict=True) if not noun), several[0]
        )
        text = _instead(nouns, own["input"]) if all(nouns) else _text(own, model)
        said.append(f"{_place(path, data)}: {text}")
    return tuple(said)


def _shown(value: Any) -> str:
    """A value as a message quotes it."""
    match value:
        case bool():
            return "true" if value else "false"
        case dict():
            return "a table"
        case list() | tuple():
            return f"a list of {len(value)}"
        case date():
            return value.isoformat()
        case None:
            return "nothing"
        case int() if abs(value) > 10**_SHOWN:
            return f"a number of more than {_SHOWN} digits"
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]} ..."


def _is_echo(error: Any) -> bool:
    """Whether a list is reported as too short only because its entries are wrong, which is reported
    already."""
    short = error["type"] == "too_short" and isinstance(error["input"], list)
    return short and len(error["input"]) >= error["ctx"]["min_length"]


def _followed(error: Any, data: Any) -> Location:
    """The part of an error's location that exists in the data, and a missing key; without the
    kinds and names of the types that were tried."""
    path: list[int | str] = []
    node, is_new = data, True
    for part in error["loc"]:
        # a kind comes before keys, of which one may have its name
        kind = is_new and isinstance(node, dict) and node.get("kind") == part
        keys = node.keys() if isinstance(node, dict) else range(_length(node))
        is_new = part in keys and not kind
        if is_new:
            node = node[part]
            path.append(part)
    return (*path, error["loc"][-1]) if error["type"] == "missing" else tuple(path)


def _length(node: Any) -> int:
    return len(node) if isinstance(node, list | tuple) else 0


def _place(path: Location, data: Any) -> str:
    """A readable key path: exercise and check ids instead of numbers."""
    words: list[str] = []
    node = data
    for part in path:
        if isinstance(part, int):
            node = node[part] if part < len(node) else None
            name = node.get("id") if isinstance(node, dict) else None
            words[-1] = f"{words[-1]} {_shown(name)}" if name else f"{words[-1]} number {part + 1}"
        else:
            node = node.get(part) if isinstance(node, dict) else None
            words.append(part)
    return ", ".join(words) or "the file"


def _noun(error: Any) -> str:
    """What should stand in a place, if the error is that something of another type does."""
    kind = error["type"]
    if kind == "literal_error" and error["loc"][-1] != "[key]":
        return _expected(error)
    if kind.endswith(("_type", "_parsing", "_parsing_size", "_from_float")) or kind in (
        "finite_number",
        "datetime_from_date_parsing",
        "datetime_object_invalid",
    ):
        return _WANTED.get(kind.split("_")[0], "")
    return ""


def _instead(nouns: Sequence[str], given: Any) -> str:
    every = list(dict.fromkeys(nouns))
    wanted = " or ".join(filter(None, [", ".join(every[:-1]), every[-1]]))
    return f"write {wanted} here, not {_shown(given)}"


def _expected(error: Any) -> str:
    """The words that a place accepts, as TOML and YAML spell them."""
    text = str(error["ctx"]["expected"])
    return {"True": "true", "False": "false"}.get(text, text)


def _text(error: Any, model: type[BaseModel]) -> str:
    """What is wrong where the type is right, and what to do."""
    given, ctx = error["input"], error.get("ctx", {})
    match error["type"]:
        case "extra_forbidden":
            return _unknown("key", str(error["loc"][-1]), _keys(model, error["loc"][:-1]))
        case "missing":
            return "this key is required; add it"
        case "literal_error":
            return f"unknown key; write {_expected(error)}"
        case "union_tag_invalid":
            kinds = re.findall(r"'([^']*)'", ctx["expected_tags"])
            return f"kind = {ctx['tag']!r}: {_unknown('kind', str(ctx['tag']), kinds)}"
        case "union_tag_not_found":
            return 'the key kind is required; add it, such as kind = "value"'
        case "too_short" if not given:
            return "this list is empty; add an entry"
        case "too_short":
            return f"write at least {ctx['min_length']} entries, not {ctx['actual_length']}"
        case "string_too_short" if not given:
            return "this text is empty; write it"
        case "string_too_short":
            return f"write at least {ctx['min_length']} characters, not {_shown(given)}"
        case "value_error" if isinstance(given, dict | list):
            return str(ctx["error"])
        case "value_error":
            return f"{ctx['error']} (found {_shown(given)})"
        case bound if bound in _BOUNDS:
            return f"write a number {_BOUNDS[bound].format(**ctx)}, not {_shown(given)}"
    return f"{_shown(given)} is not accepted here; write another value"


def _unknown(what: str, given: str, known: Collection[str]) -> str:
    """The text for a word that is not one of ``known``."""
    return f"unknown {what}; correct its spelling or remove it{did_you_mean(given, known)}"


def _keys(model: type[BaseModel], location: Location) -> list[str]:
    """The keys that a table may have."""
    return [name for table in _tables_at(model, location) for name, _ in _fields(table)]


def _tables_at(model: type[BaseModel], location: Location) -> list[type[BaseModel]]:
    """The types that the table at a location may have."""
    tables: list[type[BaseModel]] = [model]
    for part in location:
        chosen = [table for table in tables if part == table.__name__]
        if len(tables) > 1:  # with one left, a key may have the name of its kind
            chosen += [table for table in tables if part == _kind(table)]
        if chosen:
            tables = chosen
        elif isinstance(part, str):
            fields = [field for table in tables for field in _fields(table) if field[0] == part]
            tables = [table for _, annotation in fields for table in _tables(annotation)]
    return tables


def _fields(table: type[BaseModel]) -> Iterator[tuple[str, Any]]:
    for name, field in table.model_fields.items():
        yield field.alias or name, field.annotation


def _tables(annotation: Any) -> Iterator[type[BaseModel]]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        yield annotation
    for part in get_args(annotation):
        yield from _tables(part)


def _kind(table: type[BaseModel]) -> Any:
    field = table.model_fields.get("kind")
    return next(iter(get_args(field.annotation)), None) if field else None
