"""Turns values and mismatches into short sentences that a student understands."""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from autograder.judging.verdict import Mismatch, Numbers
from autograder.wire.messages import Call, Error, GivenText, Probe, Read, Test
from autograder.wire.values import (
    Array,
    Complex,
    ConstructedObject,
    DataFrame,
    Figure,
    Items,
    Mapping,
    Module,
    Opaque,
    Sparse,
    Value,
    Whole,
)

TEXT_LIMIT = 300
QUOTED = 60  # characters of a text
CONTEXT = 20  # of these, before the first difference of two texts
ARGUMENT = 80  # characters of a container among the arguments of a call
LOOKED_AT = 40  # characters to read for each one that is kept
# Text in back-quotes is not parted into sentences.
SENTENCE = re.compile(r"(?:`[^`]*`|.)+?(?:(?<=[.!?])\s+|\Z)", re.DOTALL)  # with what follows it
SHORT_SENTENCE = 20  # characters; a text up to this length may be repeated
_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth")
_BRACKETS = {"list": "[{}]", "tuple": "({})", "set": "{{{}}}", "dict": "{{{}}}"}
_ODD = {("tuple", 1): "({},)", ("set", 0): "set()"}
_LIBRARY = ("not implemented for", "Could not run")


def short(text: str, limit: int = TEXT_LIMIT) -> str:
    """The text on one line, cut with an ellipsis when it is long."""
    line = " ".join(text[: LOOKED_AT * limit].split())  # a claim may be a hundred million blanks
    return line if len(line) <= limit else line[: limit - 1] + "…"


def literal(text: str) -> str:
    """The text as a Python literal, without the back-quotes that messages put around code."""
    return repr(text).replace("`", "\\x60")


def quoted(text: str, limit: int, write: Callable[[str], str] = literal) -> str:
    """The text as a Python literal; a longer one is cut, with an ellipsis after it."""
    return write(text) if len(text) <= limit else f"{write(text[:limit])}…"


def texts_apart(one: str, other: str, write: Callable[[str], str] = literal) -> tuple[str, str]:
    """Two different texts, written from a little before the first character that differs."""
    pairs = enumerate(zip(one, other, strict=False))
    shared = next((n for n, (a, b) in pairs if a != b), min(len(one), len(other)))
    begin = shared - CONTEXT if shared > QUOTED - CONTEXT else 0
    before = "…" if begin else ""
    first, second = (before + quoted(text[begin:], QUOTED, write) for text in (one, other))
    return first, second


def shape_text(shape: Sequence[int]) -> str:
    """A shape as ``[3, 4]``."""
    return "[" + ", ".join(map(str, shape)) + "]"


def describe(value: Value) -> str:
    """A value as a noun phrase: "a float32 tensor of shape [3, 4]", "the text 'abc'"."""
    match value:
        case Array():
            kind = "NumPy array" if value.container == "ndarray" else "tensor"
            article = "an" if value.dtype.startswith("int") else "a"
            if value.container == "ndarray" and not value.shape:
                return f"{article} {value.dtype} NumPy number"
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
            return f"the text {quoted(value, 60)}"
        case ConstructedObject():
            return f"an object {brief(value)}"
        case DataFrame():
            return str(_frame_texts().describe_frame(value))
        case Sparse():
            return f"a sparse {value.container} of shape {shape_text(value.shape)}"
    return _plain(value)


def brief(value: Value) -> str:
    """An argument of a call: numbers, texts and small containers as Python literals, which evaluate
    to what was sent; arrays as dtype and shape. Text that is cut has an ellipsis outside its quotes
    and does not evaluate."""
    match value:
        case Array():
            return f"{value.dtype} {shape_text(value.shape)}"
        case float():
            return repr(value) if math.isfinite(value) else f"float('{value}')"
        case Complex():
            return f"complex({brief(value.real)}, {brief(value.imag)})"
        case Items():
            return _container(value.kind, map(brief, value.items))
        case Mapping():
            pairs = (f"{brief(key)}: {brief(item)}" for key, item in value.items)
            return _container("dict", pairs)
        case Module():
            tables = ", ".join(shape_text(e.array.shape) for e in value.entries[:3])
            return f"{short(value.type, 60)} {tables}".strip()
        case str():
            return quoted(value, 40)
        case DataFrame():
            return str(_frame_texts().brief_frame(value))
        case Sparse():
            return f"sparse {shape_text(value.shape)}"
        case ConstructedObject(target="(device)"):
            return "device"
        case ConstructedObject(target="(by columns)", args=(numbers,)):
            return f"{brief(numbers)} not contiguous"
        case ConstructedObject(target="(then)", args=(str(method), *given)):
            return f".{method}({', '.join(map(brief, given))})"
        case ConstructedObject():
            name = value.target.strip("()") if value.ours else value.target
            return then_called(name, map(brief, value.args))
    return describe(value)


def then_called(name: str, arguments: Iterable[str]) -> str:
    """How an object is made, and called before the call in question: ``Layer(2).fit(x)``. Calls
    are arguments that begin with a dot."""
    texts = list(arguments)
    own = ", ".join(text for text in texts if not text.startswith("."))
    return f"{name}({own}){''.join(text for text in texts if text.startswith('.'))}"


def call_text(target: str, args: Sequence[Value]) -> str:
    """A call as Python code: ``f(20, float32 [3, 4])``, ``Layer(50, 8)(int64 [2, 5])``."""
    first, _, method = target.partition(".")
    if method and args and isinstance(args[0], ConstructedObject) and args[0].target == first:
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
        case Test() | GivenText():
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
        case "order":
            return f"the {expected} are right, but in another order ({actual})"
        case "changed":
            return "it was changed in place"
        case "missing":
            return f"{expected} is missing"
        case "unexpected":
            return f"{actual} is not expected"
    if mismatch.numbers is None or mismatch.numbers.total == 1:
        return f"expected {expected}, got {actual}"
    return _many(mismatch.numbers, expected, actual)


def sentence(mismatch: Mismatch, *, subject: str = "") -> str:
    """One sentence about one mismatch; ``subject`` replaces its own ``where``."""
    if mismatch.text:
        return mismatch.text
    subject = subject or _subject(mismatch.where)
    return f"{subject}{_path(mismatch.path)}: {difference(mismatch)}."


def sentences(mismatches: Sequence[Mismatch], *, subject: str = "", most: int = 3) -> str:
    """Sentences for the first ``most`` different mismatches, each sentence once."""
    several: dict[str, Mismatch] = {}
    for mismatch in mismatches:
        several.setdefault(sentence(mismatch, subject=subject), mismatch)
    texts: list[str] = []
    last = None
    for text, mismatch in list(several.items())[:most]:
        about = None if mismatch.text else subject or _subject(mismatch.where)
        if about is not None and about == last and mismatch.path:  # the subject is said once
            inside = f"{_path(mismatch.path).removeprefix(', ')}: {difference(mismatch)}."
            texts[-1] = f"{texts[-1].removesuffix('.')}; {inside}"
        else:
            texts.append(text)
        last = about
    said: set[str] = set()
    kept = []
    for part in SENTENCE.findall(" ".join(texts)):
        # A sentence of a message is said once.
        if part.strip() not in said or len(part) <= SHORT_SENTENCE:
            kept.append(part)
        said.add(part.strip())
    return "".join(kept).rstrip()


def _subject(where: str) -> str:
    """Where a difference is: code in back-quotes, words with a capital letter."""
    is_code = " " not in where.partition("(")[0]
    return f"`{where}`" if is_code else where[:1].upper() + where[1:]


def numbers_text(expected: Any, actual: Any) -> tuple[str, str]:
    """Two different numbers with as many digits as it takes to see the difference, at least six."""
    for digits in (6, 9, 17):
        texts = _digits(expected, digits), _digits(actual, digits)
        if texts[0] != texts[1] and _apart(expected, actual, digits):
            return texts
    return texts_apart(str(expected), str(actual), str)


def raised(error: Error, *, ticks: str = "`") -> str:
    """An exception on one line, with the student's line if it is known, between ``ticks``."""
    name = error.types[0] if error.types else "an exception"
    text = f"{short(name, 60)}: {short(error.text)}" if error.text.strip() else short(name, 60)
    if error.line > 0 and error.source.strip():
        return f"{text} (line {error.line}: {ticks}{short(error.source, 120)}{ticks})"
    return text


def not_filled_in(error: Error) -> bool:
    """Whether an exception is the template's own; torch raises the same class for dtypes."""
    if "NotImplementedError" not in error.types:
        return False
    return not any(words in error.text for words in _LIBRARY)


def _forgotten(mismatch: Mismatch) -> bool:
    return mismatch.actual == "None" and mismatch.where.startswith("result") and not mismatch.path


def _many(numbers: Numbers, expected: str, actual: str) -> str:
    counted = numbers.counted
    there = f"at {shape_text(numbers.at)}: expected {expected}, got {actual}"
    odd = f" ({numbers.non_finite} not finite)" if numbers.non_finite else ""
    if numbers.non_finite == numbers.wrong:
        return f"{counted}{odd}; the first {there}"
    return f"{counted}{odd}, largest difference {numbers.max_abs:.3g} {there}"


def _path(path: tuple[str | int, ...]) -> str:
    """The way into a value; a part that begins with a comma is in words, as of a data frame."""
    return "".join(
        part
        if isinstance(part, str) and part.startswith(", ")
        else f"[{quoted(part, 40) if isinstance(part, str) else short(str(part), 40)}]"
        for part in path
    )


def _plain(value: Whole | Complex | Any) -> str:
    if isinstance(value, Whole):
        return short(value.text, 30)
    if isinstance(value, Complex):
        return str(complex(value.real, value.imag))
    return short(str(value), 30)


def _apart(one: Any, other: Any, digits: int) -> bool:
    """Whether so many digits show the difference of two numbers. Integers are written in full."""
    if isinstance(one, int) and isinstance(other, int):
        return True
    try:
        return f"{one:.{digits}g}" != f"{other:.{digits}g}"
    except OverflowError:  # an integer beyond all floats
        return True


def _digits(value: Any, digits: int) -> str:
    if isinstance(value, bool | int):
        return short(str(value), 30)
    return f"{value:.{digits}g}"


def _container(kind: str, parts: Iterable[str]) -> str:
    """A container of these parts, with as many of them as there is room for."""
    kept: list[str] = []
    room = ARGUMENT
    for part in parts:
        room -= len(part) + 2
        if room < 0:
            return _BRACKETS[kind].format(", ".join([*kept, "…"]))
        kept.append(part)
    return _ODD.get((kind, len(kept)), _BRACKETS[kind]).format(", ".join(kept))


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or one + 's'}"


def _frame_texts() -> Any:
    """The module that describes data frames: it needs NumPy, which commands that only print grades
    would have to wait for."""
    return importlib.import_module("autograder.judging.checks.frame_texts")
