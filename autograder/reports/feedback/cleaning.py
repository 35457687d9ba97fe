"""Makes text and HTML from students inert, for use in a page.

Covered: scripts, event handlers, frames, forms, SVG, style sheets and style, class and id
attributes (which could hide or imitate a mark), images that are not embedded PNG, JPEG or
GIF, links other than http, https and mailto, hidden and reordering characters also as
entities, headings above the page's own, nesting and amounts that are slow to parse.
Not covered: what a student says in plain words; the page keeps that in the notebook's frame.
"""

from __future__ import annotations

import re
from collections import Counter

import nh3

from autograder.gradebook.visible import visible

MARKUP_LIMIT = 60_000
TAGS_LIMIT = 6_000
DEPTH_LIMIT = 120

_TAGS = frozenset(
    {
        "a",
        "abbr",
        "b",
        "blockquote",
        "br",
        "caption",
        "code",
        "col",
        "colgroup",
        "dd",
        "del",
        "details",
        "div",
        "dl",
        "dt",
        "em",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "i",
        "img",
        "ins",
        "kbd",
        "li",
        "ol",
        "p",
        "pre",
        "q",
        "s",
        "samp",
        "small",
        "span",
        "strong",
        "sub",
        "summary",
        "sup",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "u",
        "ul",
        "var",
    }
)
_ATTRIBUTES = {
    "a": {"href"},
    "abbr": {"title"},
    "details": {"open"},
    "img": {"alt", "src"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
}
_VOID = frozenset({"br", "col", "hr", "img"})
# tags as the cleaner writes them: values of attributes are quoted and hold no bare < > or "
_HEADING = re.compile(r"(</?h)([1-6])(?=>)")
_IMAGE = re.compile(
    r'<img(?= |>)(?=[^>]*? src="(?P<src>[^"]*)"|)(?=[^>]*? alt="(?P<alt>[^"]*)"|)[^>]*>'
)
_LINK = re.compile(r"(?:https?://|mailto:|#)", re.IGNORECASE)
_EMBEDDED = re.compile(r"data:image/(?:png|jpeg|gif);base64,[A-Za-z0-9+/=\s]+")
_SPAN = re.compile(r"\d{1,3}")
_NO_TEXT = re.compile(
    r"<(script|style|iframe|object|template|noscript|title|svg|math)\b.*?(?:</\1\s*>|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)")
_ESCAPES = re.compile(
    r"\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]|\x1b\][^\x07\x1b]{0,400}(?:\x07|\x1b\\)|\x1b[@-Z\\^_]"
)


def plain_text(text: str) -> str:
    """Terminal output as text: colours dropped, overwritten lines as they ended, rest visible."""
    lines = _ESCAPES.sub("", text).split("\n")
    return visible("\n".join(line.rstrip("\r").rpartition("\r")[2] for line in lines))


class Cleaning:
    """Makes HTML inert. May be shared by threads."""

    def __init__(self) -> None:
        self._cleaner = nh3.Cleaner(
            tags=set(_TAGS),
            attributes=_ATTRIBUTES,
            attribute_filter=_allowed,
            url_schemes={"http", "https", "mailto", "data"},
            link_rel="noopener noreferrer nofollow",  # a link reveals nothing about the page
        )

    def clean(self, markup: str) -> str | None:
        """Inert HTML: headings two levels down, and words in place of each image that was removed.
        None when there is too much markup to parse in reasonable time."""
        if len(markup) > MARKUP_LIMIT:
            return None
        bare = _NO_TEXT.sub("", markup)
        if not _is_shallow(bare):
            return None
        clean = _IMAGE.sub(_image, _HEADING.sub(_lower, self._cleaner.clean(bare)))
        return visible(clean)  # the cleaner has written them as characters


def _lower(tag: re.Match[str]) -> str:
    return f"{tag[1]}{min(int(tag[2]) + 2, 6)}"


def _image(tag: re.Match[str]) -> str:
    """An image with a description; words where it may not be shown."""
    alt = tag["alt"] or ""
    if tag["src"] is None:
        return f"[image removed{': ' if alt else ''}{alt}]"
    return f'<img src="{tag["src"]}" alt="{alt or "Image without a description"}">'


def _allowed(tag: str, attribute: str, value: str) -> str | None:
    """The value of an attribute, or None to remove it."""
    if (tag, attribute) == ("a", "href"):
        return value if _LINK.match(value) else None
    if (tag, attribute) == ("img", "src"):
        return value if _EMBEDDED.fullmatch(value) else None
    if attribute in ("colspan", "rowspan"):
        return value if _SPAN.fullmatch(value) else None
    return value


def _is_shallow(markup: str) -> bool:
    """False for more tags, or deeper unclosed ones, than parse in linear time."""
    opened: Counter[str] = Counter()
    depth = seen = 0
    for slash, name in _TAG.findall(markup):
        seen += 1
        word = name.lower()
        if word in _VOID:
            continue
        if not slash:
            opened[word] += 1
            depth += 1
        elif opened[word]:
            opened[word] -= 1
            depth -= 1
        if depth > DEPTH_LIMIT or seen > TAGS_LIMIT:
            return False
    return True
