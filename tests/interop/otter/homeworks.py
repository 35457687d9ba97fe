"""Homework for the real otter-grader: what stands in homeworks.txt, as notebooks."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat

from tests.support import otter_sources as cells
from tests.support.cases import read_files
from tests.support.cell_text import read_cells

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


_PARTS = read_files(Path(__file__).with_suffix(".txt"))


def _of(kind: str, name: str) -> dict[str, str]:
    """The parts of this kind that belong to a homework, by their own name."""
    begins = f"{kind} {name}/"
    return {
        title.removeprefix(begins): text.rstrip("\n") + "\n"
        for title, text in _PARTS.items()
        if title.startswith(begins)
    }


def _homework(name: str, text: str) -> Homework:
    (_, settings), *every = read_cells(text)
    questions: list[dict[str, Any]] = []
    for title, source in every:
        if title.startswith("question "):
            named = title.removeprefix("question ")
            questions.append({"name": named, "settings": source, "tests": []})
        elif title == "answer":
            questions[-1]["answer"] = source
        else:
            code, *shown = re.split(r"^# -> ", source, flags=re.MULTILINE)
            questions[-1]["tests"].append((code.rstrip("\n"), *map(json.loads, shown)))
    students = {student: _answers(cells) for student, cells in _of("submission", name).items()}
    return Homework(name, settings, questions, students, _of("file", name))


def _answers(text: str) -> Answers:
    answers: dict[str, list[str]] = {}
    for title, source in read_cells(text):
        answers.setdefault(title.removeprefix("no "), []).extend(
            [] if title.startswith("no ") else [source]
        )
    return answers


HOMEWORKS = tuple(
    _homework(title.removeprefix("homework "), text)
    for title, text in _PARTS.items()
    if title.startswith("homework ")
)
