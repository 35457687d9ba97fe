"""A class made by seed: honest hand-ins of different answers and styles, and disguised copies."""

from __future__ import annotations

import ast
import builtins
import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from autograder.assignment.load import Loaded, load
from autograder.assignment.read import find
from autograder.classroom.known_mistakes import read_solution
from autograder.notebook.formats.read import read
from autograder.notebook.structure.names import parse
from autograder.notebook.structure.outline import Outline, outline_of
from autograder.notebook.template.variant import read_variants
from autograder.similarity.code import hand_in_code, template_code
from autograder.similarity.model import HandInCode
from tests.support.damage.changes import CHANGES
from tests.support.damage.submission import Base, Change, Draft, answers, right_submission

ROOT = Path(__file__).resolve().parents[2]
CHOICE = (40, 35, 25)  # the solution, an equivalent, a mistake
WORDS = (
    "table row vec weights idx ang freq out result tmp values "
    "total acc mat width item first second scale base steps data"
).split()
SAID = ("see the lecture", "TODO: check again", "this took me a while", "as on the slide", "ok now")


Disguise = Callable[[str, frozenset[str], Random], str]


def on_tree(change: Callable[[ast.Module, frozenset[str], Random], None]) -> Disguise:
    """A disguise that changes the tree."""

    @functools.wraps(change)
    def disguise(source: str, asked: frozenset[str], random: Random) -> str:
        tree = ast.parse(source)
        change(tree, asked, random)
        return ast.unparse(tree) + "\n"

    return disguise


@dataclass(frozen=True)
class Course:
    """An assignment with what its hand-ins are made from: by exercise, the solution's answer, the
    equivalents and the mistakes."""

    loaded: Loaded
    outline: Outline
    base: Base
    answers: Mapping[str, Sequence[Sequence[str]]]

    @property
    def asked(self) -> frozenset[str]:
        defines = [name for exercise in self.loaded.spec.exercise for name in exercise.defines]
        return frozenset(name.split(".")[0] for name in defines)

    def code(self, student: str, notebook: Draft) -> HandInCode:
        submission = read(Path("work.ipynb"), data=notebook.written().encode())
        return hand_in_code(student, submission, self.loaded.spec, self.outline)

    def solution(self) -> HandInCode:
        return hand_in_code("", read_solution(self.loaded), self.loaded.spec, self.outline)

    def template(self) -> HandInCode:
        return template_code(self.loaded.spec, self.outline)


def course(name: str = "embeddings-and-position") -> Course:
    loaded = load(find(name, ROOT))
    base = right_submission(loaded, 0)
    found = {
        cell["metadata"]["exercise"]: ([cell["source"]], list[str](), list[str]())
        for cell in answers(base.notebook)
    }
    for at, kind in enumerate(("equivalents", "mistakes"), start=1):
        for variant in read_variants(loaded.solutions / kind):
            found[variant.exercise][at].append(variant.code)
    outline = Outline(outline_of(read_solution(loaded), loaded.spec))
    return Course(loaded, outline, base, found)


def honest(made: Course, random: Random, *, quirks: bool = True) -> Draft:
    """One student's own work: an answer for each exercise, in the student's own style. Without
    ``quirks`` students who choose the same answer write the same statements."""
    notebook = Draft(made.base, random)
    for cell in answers(notebook):
        own, *kinds = made.answers[cell["metadata"]["exercise"]]
        every = [own, *(kind or own for kind in kinds)]
        cell["source"] = random.choice(random.choices(every, CHOICE)[0])
    steps: list[Disguise] = [commented]
    steps += [quirky] if quirks else []
    steps += [renamed] if random.random() < 0.5 else []
    steps += [printed] if random.random() < 0.5 else []
    restyle(notebook, steps, made.asked)
    return notebook


def copied(made: Course, source: Draft, random: Random, *, by: Sequence[str] = ()) -> Draft:
    """A disguised copy: by the named disguises, or by all of them."""
    copy = Draft(replace(source.base, notebook=source), random)
    wanted = by or (*DISGUISES, *MOVES)
    restyle(copy, [step for name, step in DISGUISES.items() if name in wanted], made.asked)
    for name, change in MOVES.items():
        if name in wanted:
            change(copy)
    return copy


def restyle(notebook: Draft, steps: Sequence[Disguise], asked: frozenset[str]) -> None:
    """Each answer that is Python by all of these steps."""
    for cell in answers(notebook):
        for step in steps:
            if parse(cell["source"]) is not None:
                cell["source"] = step(cell["source"], asked, notebook.random)


# of a notebook: what the damage of notebooks has for it
MOVES: dict[str, Change] = {
    "split": CHANGES["split-all-first"],
    "merged": CHANGES["merge-2"],
    "reordered": CHANGES["answers-shuffled"],
}


# ---------------------------------------------------------------- of one cell


@on_tree
def quirky(tree: ast.Module, asked: frozenset[str], random: Random) -> None:
    """A way of one's own: other numbers in a table, steps that have a name. The code is compared
    and never run."""
    for n in ast.walk(tree):
        if isinstance(n, ast.List) and len(n.elts) > 3:
            for elt in n.elts:
                if isinstance(elt, ast.Constant) and isinstance(elt.value, float):
                    elt.value = round(elt.value + random.randint(-3, 3) / 20, 2)
    for n in [*ast.walk(tree)]:
        if isinstance(n, ast.FunctionDef | ast.Module) and random.random() < 0.7:
            _named_step(n.body, random)


def _named_step(body: list[ast.stmt], random: Random) -> None:
    """Some part of a statement gets a name in a line of its own."""
    places = []
    for at, one in enumerate(body):
        if isinstance(one, ast.Assign | ast.Return) and one.value is not None:
            for n in ast.walk(one.value):
                for field, kid in ast.iter_fields(n):
                    if isinstance(kid, ast.BinOp | ast.Call | ast.Subscript):
                        places.append((at, n, field, kid))
    if places:
        at, parent, field, kid = random.choice(places)
        name = random.choice(WORDS)
        setattr(parent, field, ast.Name(name, ast.Load()))
        step = ast.Assign([ast.Name(name, ast.Store())], kid, lineno=1)
        body.insert(at, step)


@on_tree
def renamed(tree: ast.Module, asked: frozenset[str], random: Random) -> None:
    """Other names for what a cell names itself; comments and format go."""
    own = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
    own |= {n.arg for n in ast.walk(tree) if isinstance(n, ast.arg)}
    own |= {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    own -= {k.arg for k in ast.walk(tree) if isinstance(k, ast.keyword) and k.arg}
    own -= asked | set(dir(builtins)) | {"self"}
    new = {name: f"{random.choice(WORDS)}_{at}" for at, name in enumerate(sorted(own))}
    for n in ast.walk(tree):
        match n:
            case ast.Name(id=name):
                n.id = new.get(name, name)
            case ast.arg(arg=name):
                n.arg = new.get(name, name)
            case ast.FunctionDef(name=name):
                n.name = new.get(name, name)


def reformatted(source: str, asked: frozenset[str], random: Random) -> str:
    """The same tree, written as another tool would; docstrings and comments go."""
    tree = ast.parse(source)
    for n in ast.walk(tree):
        if isinstance(n, ast.FunctionDef) and ast.get_docstring(n) and len(n.body) > 1:
            n.body = n.body[1:]
    lines = ast.unparse(tree).replace("    ", "\t").split("\n")
    return "\n".join(line.replace(" = ", " =  ") for line in lines) + "\n"


def commented(source: str, asked: frozenset[str], random: Random) -> str:
    """Other comments: each may come before any line that begins a statement at the top."""
    lines: list[str] = []
    for line in source.split("\n"):
        if line.strip().startswith("#"):
            continue
        if line[:1].isalpha() and not line.startswith(("else", "elif", "except")):
            lines += [f"# {random.choice(SAID)}"] if random.random() < 0.4 else []
        lines.append(line)
    return "\n".join(lines)


def printed(source: str, asked: frozenset[str], random: Random) -> str:
    """Something is printed at the end."""
    names = [
        n.id
        for one in ast.parse(source).body
        if isinstance(one, ast.Assign)
        for n in one.targets
        if isinstance(n, ast.Name)
    ]
    return f"{source.rstrip()}\nprint({names[0]!r}, {names[0]})\n" if names else source


def padded(source: str, asked: frozenset[str], random: Random) -> str:
    """Code that does nothing: unused values, a function that nobody calls."""
    word, number = random.choice(WORDS), random.randint(3, 99)
    dead = [
        f"unused_{word} = [{number}, {number + 1}]\n",
        f"def never_{word}(x):\n    return x * {number} + len(str(x))\n\n",
        f"for extra_{word} in range({number}):\n    extra_{word} += 1\n",
        f"check_{word} = {number} > 2 and not False\n",
    ]
    chosen = random.sample(dead, 2)
    return f"{chosen[0]}\n{source.rstrip()}\n\n{chosen[1]}"


@on_tree
def shuffled(tree: ast.Module, asked: frozenset[str], random: Random) -> None:
    """Neighbouring plain assignments that do not need each other change places."""
    body = tree.body
    for at in range(len(body) - 1):
        one, other = body[at], body[at + 1]
        if isinstance(one, ast.Assign) and isinstance(other, ast.Assign):
            sets = [{n.id for n in ast.walk(s) if isinstance(n, ast.Name)} for s in (one, other)]
            targets = [[n for target in s.targets for n in ast.walk(target)] for s in (one, other)]
            binds = [{n.id for n in nodes if isinstance(n, ast.Name)} for nodes in targets]
            if not (binds[0] & sets[1] or binds[1] & sets[0]):
                body[at], body[at + 1] = other, one


DISGUISES: dict[str, Disguise] = {
    step.__name__: step for step in (shuffled, renamed, reformatted, padded, printed, commented)
}
