"""Reads the JSON of a notebook damaged by tools or accidents, with a list of the repairs.

Covered: NaN and Infinity, control characters within texts, commas before a closing bracket, text
after the end, a notebook within other JSON (an answer of Jupyter's or Colab's interface, a text, a
list of one). Everything is done in a few passes, whatever the size. Not covered: truncated files
(an answer may be missing), comments, single quotes, merge conflicts; they are refused with the
line.
"""

from __future__ import annotations

import json
import re
from typing import Any

from autograder.errors import SubmissionError
from autograder.notebook.formats.text import Repairs

SAVE_AGAIN = "Open the notebook in Jupyter, save it and submit it again."
MAX_COMMAS = 10_000  # maximum number removed from one file
MAX_WRAPPED = 3  # layers of other JSON around a notebook

_CONFLICT = re.compile(r"^(?:<{7} |<{7}$|>{7} |>{7}$)", re.MULTILINE)
# everything up to the next superfluous comma, or to the end; a string is skipped as one unit
_TO_COMMA = re.compile(
    # A text that ends in a backslash.
    r'((?:[^",]++|"(?:[^"\\]++|\\.)*+(?:"|\\?\Z)|,(?!\s*+[\]}]))*+)(?:,|\Z)',
    re.DOTALL,
)
_BLANK = re.compile(r"\s*+")
_WRAPPERS = ("ipynb", "content", "notebook")


def load_json(text: str, file: str, repairs: Repairs) -> Any:
    """Parse a JSON file; raises SubmissionError with the place and a fix."""
    text = text.rstrip("\0")  # some file systems pad a file that was not completely written
    try:
        return _parsed(text, repairs)
    except json.JSONDecodeError as bad:
        raise SubmissionError(_damage(text, bad, file)) from None
    except RecursionError:
        raise SubmissionError(
            f"{file}: its lists and objects are nested too deeply for a notebook. {SAVE_AGAIN}"
        ) from None
    except (ValueError, MemoryError) as bad:  # an integer of thousands of digits
        raise SubmissionError(f"{file}: not a notebook ({bad}). {SAVE_AGAIN}") from None


def _parsed(text: str, repairs: Repairs) -> Any:
    """The value of ``text``, repaired where necessary; raises what ``json`` raises."""
    odd: set[str] = set()
    try:
        value = json.loads(text, parse_constant=odd.add)
    except json.JSONDecodeError as bad:
        if _CONFLICT.search(text):
            raise
        odd.clear()
        value = _mended(text, bad, odd, repairs)
    if odd:
        named = ", ".join(sorted(odd))
        repairs.note(f"The file contains {named}, which is not valid JSON; it was read anyway")
    return value


def _mended(text: str, bad: json.JSONDecodeError, odd: set[str], repairs: Repairs) -> Any:
    decoder = json.JSONDecoder(strict=False, parse_constant=odd.add)
    start = _end_of_blank(text, 0)
    try:
        value, end = decoder.raw_decode(text, start)
    except json.JSONDecodeError:
        mended = _TO_COMMA.sub(r"\1", text, count=MAX_COMMAS)
        if len(mended) == len(text):
            raise
        odd.clear()
        value, end = decoder.raw_decode(mended, start)
        repairs.note(
            f"{len(text) - len(mended)} commas before a closing bracket were removed"
            if len(text) - len(mended) > 1
            else "A comma before a closing bracket was removed"
        )
        text = mended
    if "Invalid control character" in bad.msg or not _is_strict(text, start):
        repairs.note("Control characters in strings, which JSON forbids, were accepted")
    if after := len(text[end:].strip()):
        repairs.note(f"Text after the end of the notebook was ignored ({after:,} characters)")
    return value


def _is_strict(text: str, start: int) -> bool:
    """Whether no string in the text holds a control character."""
    try:
        json.JSONDecoder().raw_decode(text, start)
    except json.JSONDecodeError:
        return False
    return True


def _end_of_blank(text: str, start: int) -> int:
    found = _BLANK.match(text, start)
    return found.end() if found else start


def _damage(text: str, bad: json.JSONDecodeError, file: str) -> str:
    """Why the text is not JSON, where, and how to fix it."""
    place = f"line {bad.lineno}, column {bad.colno}"
    if conflict := _CONFLICT.search(text):
        line = text.count("\n", 0, conflict.start()) + 1
        return (
            f"{file}: line {line} is an unresolved merge conflict marker (<<<<<<< or >>>>>>>). "
            "Keep one of the two versions, delete the markers, check that the notebook opens in "
            "Jupyter and submit it again."
        )
    if text.lstrip()[:1] == "<":
        return (
            f"{file}: this is a web page, not a notebook. Download the .ipynb file itself (in "
            "Jupyter: File, Download) and submit it again."
        )
    if bad.pos >= len(bad.doc.rstrip()) or bad.msg.startswith("Unterminated string"):
        return (
            f"{file}: the notebook is cut off: it is incomplete from {place} on ({bad.msg}). "
            f"The file was probably not completely saved or uploaded. {SAVE_AGAIN}"
        )
    return f"{file}: damaged JSON at {place} ({bad.msg}). {SAVE_AGAIN}"


def unwrapped(value: Any, file: str, repairs: Repairs) -> Any:
    """The notebook within ``value``, or ``value`` itself if none is found."""
    inner = value
    for depth in range(MAX_WRAPPED + 1):
        if isinstance(inner, dict) and ("cells" in inner or "worksheets" in inner):
            if depth:
                repairs.note("The notebook was wrapped in other JSON, which was removed")
            return inner
        if isinstance(inner, str) and inner.lstrip()[:1] == "{":
            inner = load_json(inner, file, repairs)
        elif isinstance(inner, list) and len(inner) == 1:
            inner = inner[0]
        elif isinstance(inner, dict):
            inner = next((inner[key] for key in _WRAPPERS if key in inner), None)
        else:
            break
    return value
