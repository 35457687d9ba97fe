"""Turns values and mismatches into short sentences that a student understands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.verdict import Mismatch, Numbers
from autograder.wire.messages import Call, Error, Known, Probe, Read, Test
from autograder.wire.values import (
    Array,
    Complex,
    Figure,
    Items,
    Made,
    Mapping,
    Module,
    Opaque,
    Value,
    Whole,
)

TEXT_LIMIT = 300
LOOKED_AT = 40  # characters that are looked at for each one that is kept
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_BRACKETS = {"list": "[{}]", "tuple": "({})", "set": "{{{}}}"}
_LIBRARY = ("not implemented for", "Could not run")


def short(text: str, limit: int = TEXT_LIMIT) -> str:
    """The text on one line, cut with an ellipsis when it is long."""
    line = " ".join(text[: LOOKED_AT * limit].split())  # a claim may be a hundred million blanks
    return line if len(line) <= limit else line[: limit - 1] + "…"


def shape_text(shape: Sequence[int]) -> str:
    """A shape as ``[3, 4]``."""
    return "[" + ", ".join(map(str, shape)) + "]"


def describe(value: Value) -> str:
    """A value as a noun phrase: "a float32 tensor of shape [3, 4]", "the text 'abc'"."""
    match value:
        case Array():
            kind = "NumPy array" if value.container == "ndarray" else "tensor"
            article = "an" if value.dtype.startswith("int") else "a"
            return f"{article} {value.dtype} {kind} of shape {shape_text(value.shape)}"
        case Items():
            return f"a {value.kind} of {_count(len(value.items), 'item')}"
        case Mapping():
            return f"a dictionary of {_count(len(value.items), 'entry', 'entries')}"
        case Module():
            return f"a module of type {short(value.type, 60)}"
        case Figure():
            return "a figure"
        case Opaque():
            return f"an object of type {short(value.type, 60)}"
        case str():
            return f"the text {short(value, 60)!r}"
        case Made():
            return f"an object {brief(value)}"
    return _plain(value)


def brief(value: Value) -> str:
    """An argument of a call: numbers and short texts as they are, arrays as dtype and shape."""
    match value:
        case Array():
            return f"{value.dtype} {shape_text(value.shape)}"
        case Items() if len(value.items) <= 8:
            inner = ", ".join(brief(item) for item in value.items)
            return short(_BRACKETS[value.kind].format(inner), 80)
        case Mapping() | Items():
            return describe(value).removeprefix("a ")
        case Module():
            tables = ", ".join(shape_text(e.array.shape) for e in value.entries[:3])
            return f"{short(value.type, 60)} {tables}".strip()
        case str():
            return repr(short(value, 40))
        case Made(target="(device)"):
            return "device"
        case Made():
            name = value.target.strip("()") if value.ours else value.target
            return f"{name}({', '.join(brief(arg) for arg in value.args)})"
    return describe(value)


def call_text(target: str, args: Sequence[Value]) -> str:
    """A call as one reads it: ``f(20, float32 [3, 4])``, ``Layer(50, 8)(int64 [2, 5])``."""
    first, _, method = target.partition(".")
    if method and args and isinstance(args[0], Made) and args[0].target == first:
        what = brief(args[0]) if method == "forward" else f"{brief(args[0])}.{method}"
        return f"{what}({', '.join(brief(arg) for arg in args[1:])})"
    return f"{target}({', '.join(brief(arg) for arg in args)})"


def asked(probe: Probe) -> str:
    """What a probe asks for, in back-quotes."""
    match probe.request:
        case Read(name=name):
            return f"`{name}`"
        case Call(target=target, args=args):
            return f"`{call_text(target, args)}`"
        case Test() | Known():
            return "The test"
    return "The figure"


def position(index: int) -> str:
    """The place of an argument in words; ``index`` counts from 0."""
    return _ORDINALS[index] if 0 <= index < len(_ORDINALS) else f"number {index + 1}"


def difference(mismatch: Mismatch) -> str:
    """What differs, as a clause without a subject."""
    expected, actual = mismatch.expected, mismatch.actual
    match mismatch.kind:
        case "shape":
            return f"the shape is {actual}; expected {expected}"
        case "dtype":
            return f"the dtype is {actual}; expected {expected}"
        case "type":
            hint = " (is a `return` missing?)" if _forgotten(mismatch) else ""
            return f"it is {actual}; expected {expected}{hint}"
        case "missing":
            return f"{expected} is missing"
        case "unexpected":
            return f"{actual} is not expected"
    if mismatch.numbers is None or mismatch.numbers.total == 1:
        return f"expected {expected}, got {actual}"
    return _many(mismatch.numbers, expected, actual)


def sentence(mismatch: Mismatch, *, subject: str = "") -> str:
    """One sentence on one mismatch; ``subject`` takes the place of its own ``where``."""
    if mismatch.text:
        return mismatch.text
    subject = subject or f"`{mismatch.where}`"
    return f"{subject}{_path(mismatch.path)}: {difference(mismatch)}."


def numbers_text(expected: Any, actual: Any) -> tuple[str, str]:
    """Two numbers with as few digits as tell them apart, at least six."""
    for digits in (6, 9, 17):
        texts = _digits(expected, digits), _digits(actual, digits)
        if texts[0] != texts[1]:
            break
    return texts


def raised(error: Error) -> str:
    """An exception on one line, with the student's line where it is known."""
    name = error.types[0] if error.types else "an exception"
    text = f"{short(name, 60)}: {short(error.text)}" if error.text.strip() else short(name, 60)
    if error.line > 0 and error.source.strip():
        return f"{text} (line {error.line}: `{short(error.source, 120)}`)"
    return text


def not_filled_in(error: Error) -> bool:
    """Whether an exception is the template's own; torch raises the same class for dtypes."""
    if "NotImplementedError" not in error.types:
        return False
    return not any(words in error.text for words in _LIBRARY)


def _forgotten(mismatch: Mismatch) -> bool:
    return mismatch.actual == "None" and mismatch.where.startswith("result") and not mismatch.path


def _many(numbers: Numbers, expected: str, actual: str) -> str:
    if numbers.wrong == numbers.total:
        counted = f"all {numbers.total} numbers differ"
    else:
        verb = "differs" if numbers.wrong == 1 else "differ"
        counted = f"{numbers.wrong} of {numbers.total} numbers {verb}"
    there = f"at {shape_text(numbers.at)}: expected {expected}, got {actual}"
    odd = f" ({numbers.non_finite} not finite)" if numbers.non_finite else ""
    if numbers.non_finite == numbers.wrong:
        return f"{counted}{odd}; the first {there}"
    return f"{counted}{odd}, largest difference {numbers.max_abs:.3g} {there}"


def _path(path: tuple[str | int, ...]) -> str:
    return "".join(f"[{short(repr(part), 40)}]" for part in path)


def _plain(value: Whole | Complex | Any) -> str:
    if isinstance(value, Whole):
        return short(value.text, 30)
    if isinstance(value, Complex):
        return f"{complex(value.real, value.imag):.6g}"
    return f"{value:.6g}" if isinstance(value, float) else short(str(value), 30)


def _digits(value: Any, digits: int) -> str:
    if isinstance(value, bool | int):
        return short(str(value), 30)
    return f"{value:.{digits}g}"


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"
