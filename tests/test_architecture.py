"""Imports run one way: a package may import only what its row of the table allows.

This table is the architecture document: a new edge is a change to this file, so that it
is seen in review.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

from autograder.sandbox.isolation import premises
from tests.support.imports import ROOT, imported_modules, imports, modules, room, tree
from tests.support.without_torch import python_without_torch

# Packages and modules from the ground up, and the ones of ours that each may import beside itself.
ALLOWED: dict[str, str] = {
    "__init__": "",
    "errors": "",
    "files": "errors",
    "wire": "",
    "runner": "wire",
    "assignment": "errors files wire",
    "evidence": "errors files wire",
    "sandbox": "errors files wire evidence",
    "notebook": "errors wire assignment evidence",
    "judging": "errors wire assignment evidence",
    "gradebook": "errors wire assignment evidence judging",
    "execution": "errors wire evidence sandbox",
    "mutation": "assignment notebook",
    "grading": "errors wire assignment evidence sandbox notebook judging gradebook execution "
    "mutation",
    "similarity": "assignment notebook judging gradebook",
    "reports": "errors wire assignment judging gradebook similarity",
    "pipeline": "errors evidence notebook judging gradebook execution grading",
    "classroom": "errors files wire assignment evidence sandbox notebook judging gradebook "
    "execution grading mutation similarity reports pipeline",
    "student": "errors wire runner assignment evidence notebook judging gradebook grading reports",
    "authoring": "errors files wire assignment evidence sandbox notebook judging gradebook "
    "execution grading mutation reports pipeline classroom student",
    "interop": "errors files wire assignment evidence sandbox notebook judging gradebook execution "
    "grading reports pipeline classroom student authoring",
    "web": "errors files wire assignment evidence sandbox notebook judging gradebook execution "
    "grading reports classroom interop",
    "commands": "errors files assignment evidence sandbox gradebook execution reports "
    "classroom student authoring interop web",
    "cli": "errors execution authoring commands",
    "__main__": "",  # it has the command line by name
}
# Within a package: a part, and the parts of it that it must not import.
BELOW: dict[str, str] = {
    "judging.checks": "judging.diagnosis judging.judge",
    "judging.diagnosis": "judging.judge",
    "reports.feedback": "reports.class_report reports.validation reports.terminal",
    "reports.validation.model": "reports.validation reports.feedback",
    "similarity.model": "similarity",
}
# What the tools' folders below interop share; none of them imports another tool's.
SHARED = {"arrange", "downloads", "exports", "folder_files", "marksheet", "stored_reference"}
# The modules that import torch. No other module imports one of these at its top: they are imported
# by name where torch is used, or run as programs.
OF_TORCH = """
    judging.checks.kernel_survey
    runner.dressed runner.gradients runner.modes runner.parameters runner.pinned runner.places
    runner.real_device runner.simulated_device runner.stand_ins runner.torch_toolkit
    sandbox.device_question student.torch_objects student.torch_settings
    wire.lacking wire.tensors
"""
# Outside packages other than torch, where they are allowed (the standard library is, everywhere).
THIRD_PARTY: dict[str, str] = {
    "wire": "msgspec numpy",
    "runner": "IPython PIL matplotlib msgspec numpy traitlets",
    "assignment": "numpy pydantic",
    "evidence": "msgspec",
    "evidence.object_store": "fsspec",
    "sandbox": "msgspec",
    "notebook": "jupytext msgspec nbformat",
    "judging": "msgspec numpy",
    "gradebook": "alembic msgspec sqlalchemy",
    "execution.dask": "dask distributed msgspec",
    "grading": "msgspec",
    "similarity": "msgspec numpy",
    "reports": "jinja2 markupsafe msgspec rich",
    "reports.feedback": (
        "PIL jinja2 latex2mathml markupsafe matplotlib msgspec nbconvert nbformat nh3 numpy "
        "pygments traitlets"
    ),
    "classroom": "msgspec",
    "classroom.metrics": "msgspec prometheus_client rich",
    "student": "IPython matplotlib msgspec numpy",
    "authoring": "msgspec nbformat numpy",
    "authoring.draft": "numpy tomli_w",
    "authoring.packages": "hatchling packaging tomli_w",
    "authoring.validation.formless": "numpy",  # a program of its own: it goes into the box
    "interop.downloads": "yaml",
    "interop.exports": "msgspec openpyxl",
    "interop.gradescope": "msgspec",
    "interop.lti": "pydantic urllib3",
    "interop.marksheet": "msgspec openpyxl",
    "interop.nbgrader": "msgspec nbformat tomli_w",
    "interop.otter": "msgspec nbformat pydantic tomli_w yaml",
    "interop.pytest": "pytest",
    "interop.received": "msgspec",
    "web": "jinja2 markupsafe msgspec prometheus_client sqlalchemy starlette",
    "web.sign_in": "authlib joserfc jupyterhub msgspec pydantic requests tornado",
    "commands": "rich typer",
    "commands.serve": "typer uvicorn",
    "cli": "typer",
}
BANNED = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
BANNED_CALLS = {"eval", "exec", "__import__"}
BANNED_ATTRIBUTES = {("torch", "load"), ("torch", "save"), ("numpy", "load"), ("np", "load")}


def within(module: str, parts: str | set[str]) -> bool:
    """Whether a module is one of these parts or lies in one."""
    every = parts.split() if isinstance(parts, str) else parts
    return any(module == part or module.startswith(f"{part}.") for part in every)


def test_imports_are_those_of_the_table() -> None:
    """None that it does not allow, and it allows none that nobody needs."""
    used: dict[str, set[str]] = {package: set() for package in ALLOWED}
    for module, needed in imported_modules().items():
        used[room(module)] |= {room(one) for one in needed} - {room(module)}
    assert used == {package: set(allowed.split()) for package, allowed in ALLOWED.items()}


def test_imports_run_upwards_only() -> None:
    below: set[str] = set()
    for package, allowed in ALLOWED.items():
        assert set(allowed.split()) <= below
        below.add(package)
    assert len(ALLOWED) <= 30


def test_no_part_imports_what_lies_above_it() -> None:
    wrong = [
        (module, one)
        for part, above in BELOW.items()
        for module, needed in imported_modules().items()
        for one in needed
        if within(module, part) and within(one, above) and not within(one, part)
    ]
    assert wrong == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    waiting = dict(imported_modules())
    while ready := {module for module, needed in waiting.items() if not needed & set(waiting)}:
        waiting = {module: needed for module, needed in waiting.items() if module not in ready}
    assert waiting == {}


def test_no_tool_imports_another_tools_folder() -> None:
    """Each format can be read, changed and removed by itself."""
    folders = {path.name for path in (ROOT / "interop").iterdir() if path.is_dir()}
    wrong = []
    for module, needed in imported_modules().items():
        if within(module, "interop"):
            own = module.split(".")[1]
            others = {one for one in needed if within(one, "interop")}
            reach = {other.split(".")[1] for other in others} - {own} - SHARED
            if own in folders:
                wrong += [(module, one) for one in reach]
    assert wrong == []


def test_outside_packages_are_those_of_their_table() -> None:
    used: dict[str, set[str]] = {part: set() for part in THIRD_PARTY}
    for path, module in modules().items():
        ours = {"autograder", "torch"}
        outside = {room(name) for name in imports(path)} - ours - sys.stdlib_module_names
        if outside:
            part = max((p for p in THIRD_PARTY if within(module, p)), key=len, default=module)
            used.setdefault(part, set()).update(outside)
    assert used == {part: set(allowed.split()) for part, allowed in THIRD_PARTY.items()}


def test_torch_is_imported_by_few_modules_that_no_others_import() -> None:
    wrong = []
    for path, module in modules().items():
        top = [node for node in tree(path).body if isinstance(node, ast.Import | ast.ImportFrom)]
        names = {str(getattr(node, "module", "")) for node in top}
        names |= {alias.name for node in top for alias in node.names}
        names |= {f"{name}.{alias.name}" for name in names for n in top for alias in n.names}
        own = {name.removeprefix("autograder.") for name in names if name.startswith("autograder.")}
        uses = "torch" in map(room, names) or any(within(name, OF_TORCH) for name in own)
        if uses and not within(module, OF_TORCH):
            wrong.append(module)
    assert wrong == []


def test_without_torch_every_other_module_can_be_imported(tmp_path: Path) -> None:
    python = python_without_torch(tmp_path)
    left_out = f"{OF_TORCH} execution.dask __main__"
    names = [f"autograder.{m}" for m in modules().values() if not within(m, left_out)]
    code = f"import importlib\nfor name in {names}: importlib.import_module(name)"
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_nothing_that_executes_what_it_reads_is_used_on_any_side() -> None:
    wrong = []
    for path in modules():
        wrong += [f"{path}: {name}" for name in imports(path) if name.split(".")[0] in BANNED]
        for node in ast.walk(tree(path)):
            if not isinstance(node, ast.Call):
                continue
            function = node.func
            if isinstance(function, ast.Name) and function.id in BANNED_CALLS:
                wrong.append(f"{path}:{node.lineno}: {function.id}()")
            owner = getattr(getattr(function, "value", None), "id", "")
            if (owner, getattr(function, "attr", "")) in BANNED_ATTRIBUTES:
                wrong.append(f"{path}:{node.lineno}: {ast.unparse(function)}()")
    assert wrong == []


def test_types_are_resolved_before_bytes_are_decoded_into_them() -> None:
    """msgspec crashes where two threads are the first to decode into a type."""
    wrong = []
    for path in modules():
        for node in ast.walk(tree(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("msgspec."):
                kinds = [k.value for k in node.keywords if k.arg == "type"]
                if node.func.attr in ("convert", "Decoder"):  # type: ignore[attr-defined]
                    kinds += node.args[-1:]
                if not all(ast.unparse(kind).startswith("resolved(") for kind in kinds):
                    wrong.append(f"{path.relative_to(ROOT)}: {ast.unparse(node)}")
    assert wrong == ["wire/types.py: msgspec.msgpack.Decoder(kind)"]  # where it is done


def test_no_test_compares_clocks_by_itself() -> None:
    """What a task costs depends on the machine: tests/support/effort.py takes that into account."""
    tests = Path(__file__).parent
    spent = re.compile(r"(process_time|perf_counter|thread_time)(_ns)?\(\) - ")
    ours = (path for path in tests.rglob("*.py") if not {"snippets", "benchmarks"} & {*path.parts})
    assert [path.name for path in ours if spent.search(path.read_text())] == ["effort.py"]


def test_the_package_root_is_empty() -> None:
    assert (ROOT / "__init__.py").read_text() == ""  # importing the runner in the box runs it


def test_the_box_receives_exactly_wire_and_runner(tmp_path: Path) -> None:
    inside = {name.removesuffix(".py") for name in premises.INSIDE}
    assert inside == {"__init__", "wire", "runner"}
    for package in inside:
        assert set(ALLOWED[package].split()) <= inside
    premises.copy_inside(tmp_path / "autograder")
    held = {path.name for path in (tmp_path / "autograder").iterdir()}
    assert held == {"__init__.py", "wire", "runner"}


def test_the_runner_is_reached_only_by_the_zygote_by_name() -> None:
    reached = "autograder.runner"
    users = [p for p in modules() if any(n.startswith(reached) for n in imports(p))]
    inside = {p for p, module in modules().items() if room(module) in ("runner", "student")}
    assert set(users) <= inside
    assert '"autograder.runner.warm"' in (ROOT / "sandbox" / "zygote.py").read_text()


def test_only_the_command_lines_print() -> None:
    wrong = []
    for path, module in modules().items():
        if path == ROOT / "student" / "shell.py":
            continue
        for node in ast.walk(tree(path)):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if named and node.func.id == "print" and module != "cli":  # type: ignore[attr-defined]
                wrong.append(f"{path.name}:{node.lineno}")
    assert wrong == []


def test_the_flow_fits_on_a_page() -> None:
    lines = (ROOT / "pipeline.py").read_text().splitlines()
    assert len(lines) <= 160


def test_no_public_class_name_stands_in_two_modules() -> None:
    """But for the shims, which stand in for classes that students import."""
    places: dict[str, list[str]] = {}
    for path, module in modules().items():
        for node in tree(path).body:
            public = isinstance(node, ast.ClassDef) and not node.name.startswith("_")
            if public and not within(module, "runner.shims"):
                places.setdefault(node.name, []).append(module)  # type: ignore[attr-defined]
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_public_docstrings_stand_on_their_own() -> None:
    wrong = []
    for path, module in modules().items():
        for node in ast.walk(tree(path)):
            if not isinstance(node, ast.FunctionDef | ast.ClassDef) or node.name.startswith("_"):
                continue
            if (ast.get_docstring(node) or "").startswith(("The same", "As in ", "As ``")):
                wrong.append(f"{module}.{node.name}")
    assert wrong == []


def test_the_picture_of_the_packages_is_up_to_date() -> None:
    from tests.support.house import drawing

    assert (ROOT.parent / "docs/house.svg").read_text("utf-8") == drawing()
