"""A class as a file for another platform, from its gradebook."""

from __future__ import annotations

from dataclasses import replace

from autograder.classroom.gradebook_of_class import ClassGradebook
from autograder.interop.exports.model import Exported, Options
from autograder.interop.score_formats import FORMATS, export
from autograder.reports.feedback.feedback import feedback


def export_class(name: str, book: ClassGradebook, options: Options) -> Exported:
    """A class as ``export`` writes it, with what its gradebook knows: when it was due, and a
    student's feedback."""
    takes = FORMATS[name].takes if name in FORMATS else ()
    if "due" in takes and book.assignment.late is not None:
        options = replace(options, due=book.assignment.late.due_at)
    if "feedback" in takes:
        found = {
            g.student: feedback(g, book.assignment)
            for g in book.grades()
            if g.student == options.student
        }
        options = replace(options, feedback=found)
    return export(name, book.standings(), book.roster(), options)
