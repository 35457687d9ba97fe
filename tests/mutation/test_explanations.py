"""What a mutant tells a student: plain words from closed tables, never anything of the solution."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from autograder.assignment.load import Loaded, load
from autograder.assignment.model import Exercise
from autograder.assignment.read import find
from autograder.authoring.leak_check.search import found
from autograder.authoring.leak_check.secret_set import answers
from autograder.classroom.known_mistakes import read_solution, variants_in
from autograder.mutation.mutants import Mutant, mutants, mutate
from autograder.mutation.operators import OPERATORS
from autograder.notebook.formats.read import read
from autograder.notebook.template.variant import solution_cells
from tests.mutation.test_mutants import EXAMPLES, exercise

ROOT = Path(__file__).resolve().parents[2]
ASSIGNMENTS = (
    "embeddings-and-position",
    "embedding-layer",
    "embedding-fundamentals",
    "rotary-and-unembedding",
)
# words of the closed tables that are also names in Python or PyTorch
OF_LIBRARIES = {"dtype", "optimizer", "outer", "sorted"}
PLAIN = re.compile(r"[A-Za-z012][A-Za-z', 012]*[A-Za-z0-2]")
MOST_WORDS = 18
NOTHING = re.compile(r"^\+ *return None", re.MULTILINE)  # every check says so itself


@cache
def loaded(name: str) -> Loaded:
    return load(find(name, ROOT))


@cache
def of_assignment(name: str) -> tuple[Mutant, ...]:
    return mutants(read_solution(loaded(name)), loaded(name).spec)


def of_examples(operator: str) -> Iterator[Mutant]:
    for _, source, _, checks in (example for example in EXAMPLES if example.operator == operator):
        yield from (m for m in mutate(source, exercise(*checks)) if m.operator == operator)


@pytest.mark.parametrize("operator", OPERATORS)
def test_each_operator_explains_its_mutants(operator: str) -> None:
    assert any(mutant.explanation for mutant in of_examples(operator))


def test_an_explanation_is_a_short_clause_in_plain_words() -> None:
    every = [mutant for name in ASSIGNMENTS for mutant in of_assignment(name)]
    every += [mutant for operator in OPERATORS for mutant in of_examples(operator)]
    said = {mutant.explanation for mutant in every if mutant.explanation}
    assert len(said) > 150
    assert [words for words in sorted(said) if not PLAIN.fullmatch(words)] == []
    assert [words for words in sorted(said) if len(words.split()) > MOST_WORDS] == []
    silent = [mutant for mutant in every if not mutant.explanation]
    unsaid = [mutant for mutant in silent if not NOTHING.search(mutant.diff)]
    assert len(unsaid) < 0.05 * len(every)


@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_no_explanation_has_a_word_of_the_solution(name: str) -> None:
    """Neither one of its lines, as in files for students, nor a name that the template lacks."""
    solution = read_solution(loaded(name))
    shown = words("\n".join(cell.source for cell in read(loaded(name).template).cells))
    for exercise_id in {mutant.exercise for mutant in of_assignment(name)}:
        (cell,) = solution_cells(solution, exercise_id)
        said = [m.explanation for m in of_assignment(name) if m.exercise == exercise_id]
        secret = names(ast.parse(cell.source)) - shown - OF_LIBRARIES
        assert words("\n".join(said)) & secret == set()
    every = "\n".join(mutant.explanation for mutant in of_assignment(name))
    secrets = tuple(answers(solution, variants_in(loaded(name), "mistakes")))
    assert list(found({"explanations.md": every.encode()}, secrets)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ASSIGNMENTS)
def test_explanations_stay_when_everything_in_the_solution_has_another_name(name: str) -> None:
    solution = read_solution(loaded(name))
    for spec in loaded(name).spec.exercise:
        for cell in solution_cells(solution, spec.id):
            tree = ast.parse(cell.source)
            before = ast.unparse(tree)
            after = ast.unparse(_Renamed(local_names(tree)).visit(tree))
            assert explanations(before, spec) == explanations(after, spec)


def explanations(source: str, spec: Exercise) -> Counter[str]:
    return Counter(mutant.explanation for mutant in mutate(source, spec))


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text))


def names(tree: ast.Module) -> set[str]:
    """Every name, attribute, argument and text of a program."""
    found = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=text) | ast.Attribute(attr=text) | ast.arg(arg=text):
                found.add(text)
            case ast.keyword(arg=str(text)) | ast.Constant(value=str(text)):
                found |= words(text)
    return found


def local_names(tree: ast.Module) -> frozenset[str]:
    """The parameters and variables of a cell's functions."""
    found: set[str] = set()
    for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
        for node in ast.walk(function):
            match node:
                case ast.arg(arg=name) | ast.Name(id=name, ctx=ast.Store()) if name != "self":
                    found.add(name)
    return frozenset(found)


class _Renamed(ast.NodeTransformer):
    def __init__(self, chosen: frozenset[str]) -> None:
        self.chosen = chosen

    def visit_Name(self, node: ast.Name) -> ast.AST:
        node.id = f"zz_{node.id}" if node.id in self.chosen else node.id
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.arg = f"zz_{node.arg}" if node.arg in self.chosen else node.arg
        return node
