"""Damage by wrapping: an answer's code inside a function, a block or a class, with the same
names in the end."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.support.damage.hand_in import Base, Change, Kind, Notebook, bare, harmless, own, some
from tests.support.damage.layout import indented
from tests.support.damage.names import defined, needed, used, used_inside

Wrap = Callable[[str], str]


def _names(source: str) -> list[str]:
    return sorted(defined(source))


def _function_with_globals(source: str) -> str:
    names = ", ".join(_names(source))
    says = f"    global {names}\n" if names else ""
    return f"def solve():\n{says}{indented(source)}\n    return None\n\n\nsolve()"


def _function_that_returns(source: str) -> str:
    names = ", ".join(_names(source))
    if not names:
        return f"def solve():\n{indented(source)}\n    return None\n\n\nsolve()"
    return f"def solve():\n{indented(source)}\n    return {names}\n\n\n{names} = solve()"


def _dictionary(source: str) -> str:
    """Returned as a dictionary and taken out one by one."""
    names = _names(source)
    made = ", ".join(f"{name!r}: {name}" for name in names)
    taken = "\n".join(f"{name} = answers[{name!r}]" for name in names)
    head = f"def solve():\n{indented(source)}\n    return {{{made}}}\n\n\nanswers = solve()"
    return f"{head}\n{taken}"


def _class(source: str) -> str:
    taken = "\n".join(f"{name} = Answer.{name}" for name in _names(source))
    return f"class Answer:\n{indented(source)}\n    done = True\n\n\n{taken}"


def _async(source: str) -> str:
    names = ", ".join(_names(source))
    says = f"    global {names}\n" if names else ""
    return f"async def main():\n{says}{indented(source)}\n    return None\n\n\nawait main()"


def _block(head: str, tail: str = "") -> Wrap:
    def wrap(source: str) -> str:
        return f"{head}\n{indented(source)}\n    pass{tail}"

    return wrap


def _nested(source: str) -> str:
    return _block("if True:")(_block("try:", "\nfinally:\n    pass")(source))


BLOCKS: dict[str, tuple[str, Wrap]] = {
    "function": ("a function with `global` names that is called", _function_with_globals),
    "returned": ("a function that returns the names", _function_that_returns),
    "dictionary": ("a function that returns a dictionary of the names", _dictionary),
    "async": ("an async function that is awaited", _async),
    "if": ("`if True:`", _block("if True:")),
    "main": ("`if __name__ == '__main__':`", _block("if __name__ == '__main__':")),
    "try": (
        "`try:` with an `except` that swallows all",
        _block("try:", "\nexcept Exception as problem:\n    print(problem)"),
    ),
    "for": ("`for _ in range(1):`", _block("for _ in range(1):")),
    "while": ("`while True:` with a `break`", _block("while True:", "\n    break")),
    "warnings": (
        "`with warnings.catch_warnings():`",
        _block("import warnings\n\nwith warnings.catch_warnings():"),
    ),
    "nested": ("`try:` in `if True:`", _nested),
}


def _gives_back(source: str) -> bool:
    """Whether a cell uses a name and then binds it anew: a local one is not there before."""
    return bool(needed(source) & defined(source))


def _wrap(name: str) -> Change:
    """Half of the answers or more; only with `global` also those that give a name back."""

    def change(notebook: Notebook, random: Random, base: Base) -> None:
        cells = own(notebook)
        if name in ("returned", "dictionary"):
            cells = [cell for cell in cells if not _gives_back(cell["source"])]
        for cell in some(cells, random):
            cell["source"] = BLOCKS[name][1](cell["source"])

    return change


def _no_grad(notebook: Notebook, random: Random, base: Base) -> None:
    """Not those that train, or call what trains: nothing learns without gradients."""
    training = [
        cell for cell in own(notebook) if "grad" in cell["source"] or "backward" in cell["source"]
    ]
    names = set().union(*(defined(cell["source"]) for cell in training))
    suited = [
        cell for cell in own(notebook) if cell not in training and not used(cell["source"]) & names
    ]
    for cell in some(suited, random):
        cell["source"] = _block("with torch.no_grad():")(cell["source"])


def _in_class(notebook: Notebook, random: Random, base: Base) -> None:
    """Not those whose functions use each other: they see nothing of a class around them."""
    suited = [
        cell
        for cell in own(notebook)
        if not used_inside(cell["source"]) & defined(cell["source"])
        and not _gives_back(cell["source"])
    ]
    for cell in some(suited, random):
        cell["source"] = _class(cell["source"])


KINDS = (
    *(
        Kind(f"wrap-{name}", f"answers inside {about}", harmless(_wrap(name)))
        for name, (about, _) in BLOCKS.items()
    ),
    *(
        Kind(f"wrap-{name}-bare", f"answers inside {about}, no metadata at all", bare(_wrap(name)))
        for name, (about, _) in BLOCKS.items()
        if name in ("function", "returned", "dictionary", "async", "if", "try")
    ),
    Kind("wrap-no-grad", "answers inside `with torch.no_grad():`", harmless(_no_grad)),
    Kind("wrap-class", "answers inside a class, the names taken out of it", harmless(_in_class)),
    Kind("wrap-class-bare", "the same, no metadata at all", bare(_in_class)),
)
