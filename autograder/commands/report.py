"""The command `report`."""

from __future__ import annotations

from autograder.assignment.load import load
from autograder.classroom.class_report import class_page
from autograder.classroom.gradebook_of_class import open_book
from autograder.commands.console import ResultsArg, UrlOption, err, out, say
from autograder.files import write_atomic
from autograder.interop.arrange import arrange
from autograder.reports.terminal.progress import progress


def report(
    folder: ResultsArg,
    url: UrlOption = "",
) -> None:
    """Write a report on the class: common mistakes, difficult checks, similar submissions.

    The page is class.html in the results folder."""
    with open_book(folder, url) as book, progress(err, "Comparing the submissions"):
        loaded = load(book.workspace.assignment_folder())
        page = class_page(book, loaded, arrange, ())
        target = book.workspace.folder / "class.html"
    write_atomic(target, page.encode("utf-8", "replace"))
    say(out, f"wrote {target}")
