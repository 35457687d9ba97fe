"""Homework for the real otter-grader: what stands in homeworks.yaml, as notebooks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat
import yaml

from tests.support import otter_sources as cells

Answers = Mapping[str, Sequence[str]]


@dataclass(frozen=True)
class Homework:
    """A master, the files beside it, and what students submit.

    A submission is the notebook that otter makes for students with the right answers, but for the
    questions that it names: their cells stand there, and none where the list is empty.
    """

    name: str
    settings: str
    questions: Sequence[Mapping[str, Any]]
    submissions: Mapping[str, Answers]
    files: Mapping[str, str] = field(default_factory=dict)

    def master(self) -> bytes:
        made = [cells.config(f"name: {self.name}\n{self.settings}"), cells.text("# Homework")]
        for question in self.questions:
            tests = [cells.code(*test) for test in question["tests"]]
            solution = f"# BEGIN SOLUTION\n{question['answer']}\n# END SOLUTION"
            settings = question.get("settings", "")
            made += cells.question(*tests, name=question["name"], more=settings, solution=solution)
        return cells.notebook(*made)

    def submission(self, student_notebook: bytes, answers: Answers) -> bytes:
        """The student notebook, filled in."""
        notebook = nbformat.reads(student_notebook.decode(), as_version=4)
        open_questions = iter(self.questions)
        filled = []
        for cell in notebook.cells:
            if "otter_answer_cell" not in cell.metadata.get("tags", ()):
                filled.append(cell)
                continue
            question = next(open_questions)
            for source in answers.get(question["name"], [question["answer"]]):
                filled.append(nbformat.v4.new_code_cell(source, metadata=cell.metadata))
        assert next(open_questions, None) is None
        for cell in filled:
            cell.pop("id", None)  # this notebook's format has none
        notebook.cells = filled
        return nbformat.writes(notebook).encode()


_EVERY = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
ARCHIVE: Mapping[str, Any] = _EVERY.pop("archive")
HOMEWORKS = tuple(Homework(name, **homework) for name, homework in _EVERY.items())


def archive_submission(sources: Sequence[str]) -> bytes:
    """A notebook of these cells that asks otter after each."""
    checks = ('grader.check("by_hand")', 'grader.check("by_function")')
    first = "import otter\ngrader = otter.Notebook()"
    return cells.notebook(*map(cells.code, [first, *sources, *checks]))
