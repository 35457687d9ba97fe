"""Damage of how an answer is written: layout, comments, magics on top, prompts, endings."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.support.damage.hand_in import Base, Change, Kind, Notebook, bare, harmless, own, some
from tests.support.damage.layout import annotated, formatted, statement_ends, unparsed, with_tabs

Restyle = Callable[[str, Random], str]


def _each(restyle: Restyle) -> Change:
    """Half of the answers or more."""

    def change(notebook: Notebook, random: Random, base: Base) -> None:
        for cell in some(own(notebook), random):
            cell["source"] = restyle(cell["source"], random)

    return change


def _after_statements(source: str, random: Random, make: Callable[[Random], str]) -> str:
    """Lines put between statements, about every second time."""
    ends = set(statement_ends(source))
    made = []
    for number, line in enumerate(source.split("\n"), start=1):
        made.append(line)
        if number in ends and random.random() < 0.5:
            made.append(make(random))
    return "\n".join(made)


def _comments(source: str, random: Random) -> str:
    said = ["# TODO", "# x = 1", "        # why?", "#" * 60, "# pe = None", "#%%", "# In[3]:"]
    return _after_statements(source, random, lambda r: r.choice(said))


def _blank_lines(source: str, random: Random) -> str:
    return _after_statements(source, random, lambda r: r.choice(["", "\n\n\n", "   ", "\t"]))


def _trailing_blanks(source: str, random: Random) -> str:
    ends = set(statement_ends(source))
    lines = enumerate(source.split("\n"), start=1)
    return "\n".join(f"{line}   \t" if number in ends else line for number, line in lines)


def _long_comment(source: str, random: Random) -> str:
    """More text than a parser is given, with what looks like code in it."""
    lines = [f"# {random.getrandbits(200):060x} = 1" for _ in range(random.randint(2_000, 6_000))]
    return "\n".join([*lines, source])


def _top(line: str) -> Restyle:
    return lambda source, random: f"{line}\n{source}"


def _end(line: str) -> Restyle:
    return lambda source, random: f"{source}\n{line}"


def _prompts(source: str, random: Random) -> str:
    """Pasted from a Python shell."""
    first, *rest = source.split("\n")
    return "\n".join([f">>> {first}", *(f"... {line}" for line in rest)])


def _numbered_prompts(source: str, random: Random) -> str:
    """Pasted from IPython."""
    first, *rest = source.split("\n")
    return "\n".join([f"In [3]: {first}", *(f"   ...: {line}" for line in rest)])


def _checked(notebook: Notebook, random: Random, base: Base) -> None:
    """The course's own cell magic on top."""
    for cell in some(own(notebook), random):
        cell["source"] = f"%%check {cell['metadata']['exercise']}\n{cell['source']}"


ON_TOP = {
    "time": ("%%time", "%%time"),
    "capture": ("%%capture", "%%capture out"),
    "pip": ("!pip install", "!pip install -q transformers"),
    "matplotlib": ("%matplotlib inline", "%matplotlib inline"),
    "star-import": ("a star import", "from math import *"),
    "form": ("a Colab form title", '#@title My answer { run: "auto" }'),
    "coding": ("a line that states the encoding", "# -*- coding: utf-8 -*-"),
    "future": ("a `__future__` import", "from __future__ import annotations"),
}
AT_END = {
    "help": ("a request for Jupyter's help", "torch.cos?"),
    "semicolon": ("a value and a semicolon", "torch.ones(3);"),
    "display": ("displays and prints", "print('done')\ndisplay(torch.ones(2))\nlocals().keys()"),
    "assert": ("an assertion of the student's own that fails", "assert 1 == 2, 'hmm'"),
    "error": ("a line that fails", "undefined_name.shape"),
    "input": ("input from the user", "input('right? ')"),
    "exit": ("exit()", "exit()"),
    "loop": ("a loop that never ends", "while True:\n    pass"),
    "sleep": ("a long wait", "import time\ntime.sleep(10_000)"),
}
SHAPES: dict[str, tuple[str, Restyle]] = {
    "comments": ("with comments between the lines", _comments),
    "blank-lines": ("with blank lines between the lines", _blank_lines),
    "trailing-blanks": ("with spaces at the ends of lines", _trailing_blanks),
    "tabs": ("indented by tabs", lambda source, random: with_tabs(source)),
    "formatted": ("rewritten by a formatter", lambda source, random: formatted(source)),
    "unparsed": ("without comments and layout", lambda source, random: unparsed(source)),
    "annotated": ("with type hints", lambda source, random: annotated(source)),
    "long-comment": ("below hundreds of kilobytes of comments", _long_comment),
    "prompts": ("with the prompts of a Python shell", _prompts),
    "numbered-prompts": ("with the prompts of IPython", _numbered_prompts),
}


def _one(restyle: Restyle) -> Change:
    """One answer: what ends badly there costs a limit's time."""

    def change(notebook: Notebook, random: Random, base: Base) -> None:
        cell = random.choice(own(notebook))
        cell["source"] = restyle(cell["source"], random)

    return change


KINDS = (
    *(
        Kind(f"style-{name}", f"answers {about}", harmless(_each(restyle)))
        for name, (about, restyle) in SHAPES.items()
    ),
    *(
        Kind(
            f"style-{name}-bare",
            f"answers {about}, no metadata at all",
            bare(_each(SHAPES[name][1])),
        )
        for name, about in (
            (n, SHAPES[n][0])
            for n in ("unparsed", "annotated", "long-comment", "prompts", "numbered-prompts")
        )
    ),
    *(
        Kind(f"top-{name}", f"on top of answers: {about}", harmless(_each(_top(line))))
        for name, (about, line) in ON_TOP.items()
    ),
    Kind("top-check", "on top of answers: %%check", harmless(_checked)),
    Kind("top-check-bare", "on top of answers: %%check, no metadata at all", bare(_checked)),
    Kind(
        "top-time-bare",
        "on top of answers: %%time, no metadata at all",
        bare(_each(_top("%%time"))),
    ),
    *(
        Kind(
            f"answer-ends-{name}", f"at the end of one answer: {about}", harmless(_one(_end(line)))
        )
        for name, (about, line) in AT_END.items()
    ),
)
