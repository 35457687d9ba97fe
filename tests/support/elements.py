"""The elements of a page and its text."""

from __future__ import annotations

from html.parser import HTMLParser


class Elements(HTMLParser):
    """All elements of a page with their attributes, in order, and the text between them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.parts: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.found]

    @property
    def attributes(self) -> list[tuple[str, str | None]]:
        return [one for _, given in self.found for one in given.items()]

    @property
    def text(self) -> str:
        return "".join(self.parts)

    @property
    def words(self) -> str:
        """The text with one space where there is any, also between elements."""
        return " ".join(" ".join(self.parts).split())
