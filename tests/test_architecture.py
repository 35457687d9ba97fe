"""Which part of the package may import what: ten rules at most."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from autograder.sandbox.isolation import premises

ROOT = Path(__file__).resolve().parent.parent / "autograder"

# From the ground up: each imports only itself and what stands before it.
LAYERS = """
    wire runner errors files assignment evidence notebook judging gradebook mutation similarity
    reports sandbox execution grading student pipeline classroom authoring interop web
    commands cli __main__
""".split()
# A part, and what it never imports although the order would allow it.
NEVER = {
    "judging": "notebook",  # it sees what a submission did, never the submission
    "judging.checks": "judging.diagnosis judging.judge",
    "judging.diagnosis": "judging.judge",
    "reports.feedback": "reports.class_report reports.validation reports.terminal",
    "sandbox": "assignment notebook judging gradebook",  # it knows jobs, not courses
    "web": "student pipeline authoring",
}
# What only these parts import: the code that runs in the box, and packages that may be missing.
ONLY = {
    "runner": "runner student",
    "pytest": "interop.pytest",
    "starlette": "web",
    "uvicorn": "commands.serve",
    **dict.fromkeys(("dask", "distributed"), "execution.dask"),
    **dict.fromkeys(("authlib", "joserfc", "jupyterhub", "requests", "tornado"), "web.sign_in"),
}
# Torch takes seconds to load and may be missing: only these modules import it at the top, and no
# others import them there.
TORCH = """
    judging.checks.kernel_survey sandbox.device_question wire.lacking wire.tensors
    runner.dressed runner.gradients runner.parameters runner.pinned runner.places
    runner.real_device runner.simulated_device runner.stand_ins runner.torch_toolkit
    student.torch_objects student.torch_settings
""".split()
BANNED = "pickle cPickle marshal shelve dill cloudpickle joblib"  # they execute what they read
BANNED_CALLS = r"(?<![\w.])(eval|exec|__import__|torch\.(load|save)|np\.load|numpy\.load)\("
TOOLS = {path.name for path in (ROOT / "interop").iterdir() if path.is_dir()}
TOOLS -= {"downloads", "exports", "marksheet"}  # parts that the tools' folders share
_IMPORT = re.compile(r"^( *)(?:from (\S+) )?import (?:\(([^)]*)\)|(.+)$)", re.MULTILINE)


@cache
def modules() -> dict[str, str]:
    """The text of each module, by its name in the package."""
    names = {path: path.relative_to(ROOT).with_suffix("").parts for path in ROOT.rglob("*.py")}
    return {".".join(name): path.read_text("utf-8") for path, name in names.items()}


@cache
def imports(module: str, *, top: bool = False) -> list[str]:
    """What a module imports, of ours by its name in the package; the ``top`` alone, or everywhere.

    It is found in the text, because to parse the whole package takes seconds.
    """
    found = []
    text = re.sub(r'"""(?s:.*?)"""', "", modules()[module])
    for indent, source, several, one in _IMPORT.findall(text):
        assert not source.startswith("."), f"{module}: relative import"
        if not (top and indent):
            names = re.sub("#.*", "", several or one).split(",")
            found += [f"{source}.{name.split()[0]}" for name in names if name.strip()]
    return [name.removeprefix(".").removeprefix("autograder.") for name in found]


def of(name: str, parts: Iterable[str]) -> bool:
    """Whether a module, or a name in one, belongs to one of these parts."""
    return f"{name}.".startswith(tuple(f"{part}." for part in parts))


def forbidden(module: str) -> Iterator[str]:
    """What a module must not import anywhere."""
    own = module.partition(".")[0]
    yield from LAYERS if own == "__init__" else LAYERS[LAYERS.index(own) + 1 :]
    yield from BANNED.split()
    for part, never in NEVER.items():
        yield from never.split() if of(module, [part]) else ()
    for name, parts in ONLY.items():
        yield from () if of(module, parts.split()) else [name]
    if of(module, tools := {f"interop.{tool}" for tool in TOOLS}):
        yield from (tool for tool in tools if not of(module, [tool]))


def test_no_module_imports_what_it_must_not() -> None:
    wrong = {m: [n for n in imports(m) if of(n, forbidden(m))] for m in modules()}
    assert {module: names for module, names in wrong.items() if names} == {}


def test_torch_is_imported_at_the_top_of_few_modules() -> None:
    others = [module for module in modules() if not of(module, TORCH)]
    wrong = {m: [n for n in imports(m, top=True) if of(n, ["torch", *TORCH])] for m in others}
    assert {module: names for module, names in wrong.items() if names} == {}


def test_no_modules_import_each_other_in_a_circle() -> None:
    left = {m: {*imports(m), *(n.rpartition(".")[0] for n in imports(m))} for m in modules()}
    while ready := {module for module, used in left.items() if not used & left.keys()}:
        left = {module: used for module, used in left.items() if module not in ready}
    assert left == {}


def test_nothing_is_called_that_executes_what_it_reads() -> None:
    assert [module for module, text in modules().items() if re.search(BANNED_CALLS, text)] == []


def test_the_box_receives_wire_and_runner_alone(tmp_path: Path) -> None:
    premises.copy_inside(tmp_path / "autograder")
    received = {path.name for path in (tmp_path / "autograder").iterdir()}
    assert received == {"__init__.py", "wire", "runner"}
    assert modules()["__init__"] == ""  # importing the runner in the box runs it
