"""Names of students: readable ids from file names, and safe file names from ids."""

from __future__ import annotations

import hashlib
import re
import unicodedata

from autograder.notebook.formats.text import without_surrogates

MAX_NAME = 80  # bytes of UTF-8, so that suffixes fit into a directory entry of 255
DIGEST = 10  # hexadecimal digits that distinguish changed names

_EXTRA = frozenset(" ._-()@+,=")
_RESERVED = re.compile(r"(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$)(\..*)?", re.I)


def student_id(stem: str) -> str:
    """A student id from a file's stem: composed Unicode without control characters."""
    text = unicodedata.normalize("NFC", without_surrogates(stem))
    kept = "".join(c for c in text if unicodedata.category(c)[0] not in "CZ" or c == " ")
    return " ".join(kept.split()) or "unnamed"


def safe_name(student: str) -> str:
    """``student`` as a file name on any system: unchanged if it is safe, else made safe and
    extended by a digest of the original, so that two students never share a name.

    Covered: separators, control characters, leading dots and dashes, trailing dots and spaces,
    names that Windows reserves, over-long names, characters with a meaning in URLs. Not covered:
    two ids that differ only in case (``find`` never gives such).
    """
    text = unicodedata.normalize("NFC", without_surrogates(student))
    mended = "".join(c if _plain(c) else "_" for c in text)
    mended = mended.strip(" .").lstrip("-. ")
    if _RESERVED.fullmatch(mended):
        mended = f"_{mended}"
    if mended and mended == student and len(mended.encode()) <= MAX_NAME:
        return mended
    digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST]
    short = mended.encode()[: MAX_NAME - DIGEST - 1].decode(errors="ignore").rstrip(" .")
    return f"{short or 'student'}~{digest}"  # plain names do not contain "~"


def _plain(character: str) -> bool:
    """A letter, a digit, a mark on a letter, or one of a few harmless signs."""
    marks = unicodedata.category(character).startswith("M")
    return marks or character.isalnum() or character in _EXTRA
