"""The house has one staircase: a module may import only what its row allows.

This table is the architecture document: a new edge is a change to this file, so that it
is seen in review.
"""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from autograder.sandbox import premises

ROOT = Path(__file__).resolve().parent.parent / "autograder"

# package or module -> the ones of ours that it may import (itself is always allowed);
# "package.module" is a module with a row of its own, which its package's does not cover
ALLOWED: dict[str, set[str]] = {
    "__init__": set(),
    "__main__": set(),  # it has the command line by name
    "errors": set(),
    "files": {"errors"},
    "wire": set(),
    "runner": {"wire"},
    "spec": {"wire", "errors", "files"},
    "notebook": {"wire", "errors", "spec", "sandbox"},
    "sandbox": {"wire", "errors", "files"},
    "engines": set(),
    "interrupts": {"errors", "engines"},
    "verdict": {"wire"},
    "checks": {"wire", "errors", "spec", "sandbox", "verdict"},
    "diagnosis": {"wire", "spec", "sandbox", "checks", "verdict"},
    "evidence": {"wire", "errors", "files", "sandbox", "stored"},
    "judge": {"spec", "sandbox", "checks", "verdict"},
    "gradebook": {"wire", "errors", "spec", "sandbox", "verdict"},
    "report": {
        "wire", "errors", "spec", "verdict", "checks", "gradebook", "validate.model",
        "similar.model",
    },
    "validate.model": set(),  # a row of its own: what is shown, apart from what makes it
    "validate.formless": set(),  # a program of its own: its text goes into the box
    "validate": {
        "jobs", "devices", "bank",
        "errors", "spec", "notebook", "wire", "sandbox", "engines", "checks", "diagnosis",
        "evidence", "judge", "verdict", "gradebook", "setting", "pipeline", "classroom",
        "validate.model",
    },
    "setting": {
        "checks", "diagnosis", "orders", "wire", "spec", "notebook", "sandbox", "evidence",
        "gradebook", "verdict",
    },
    "devices": {"wire", "errors", "spec", "sandbox", "engines", "evidence", "setting", "took"},
    "jobs": {"wire", "spec", "checks", "notebook", "sandbox", "setting", "devices"},
    "hosted": {
        "bank", "checks", "classroom", "diagnosis", "engines", "errors", "evidence", "files",
        "gradebook", "interop.gradescope", "jobs", "judge", "notebook", "orders", "pipeline",
        "report", "sandbox", "setting", "spec", "verdict", "wire",
    },
    "on_gradescope": {
        "classroom", "engines", "errors", "files", "gradebook", "hosted", "interop.gradescope",
        "sandbox", "setting", "spec",
    },
    "for_gradescope": {"errors", "grader_wheel", "interop.gradescope", "packaging", "spec"},
    "interop.nbgrader_course": {
        "errors", "gradebook", "interop.exports", "notebook", "sandbox", "spec",
        "verdict",
    },
    "for_nbgrader": {
        "bank", "book", "brought", "classroom", "devices", "errors", "evidence", "gradebook",
        "interop.nbgrader_course", "jobs", "notebook", "public", "sandbox", "setting", "spec",
        "workspace",
    },
    "interop.gradescope": {
        "errors", "gradebook", "interop.downloads", "notebook", "report", "verdict",
        "wire",
    },
    "stored_answers": {
        "classroom", "errors", "evidence", "files", "notebook", "sandbox", "setting", "spec",
        "student",
    },
    "on_otter": {
        "bank", "checks", "classroom", "engines", "errors", "files", "gradebook",
        "grader_wheel", "notebook", "pipeline", "public", "sandbox", "spec",
        "stored_answers", "student", "wheel", "wire",
    },
    "pytest_plugin": set(),
    "on_pytest": {
        "checks", "classroom", "engines", "errors", "files", "gradebook", "notebook", "pipeline",
        "report", "sandbox", "setting", "spec", "stored_answers", "student", "verdict",
    },
    "interop.otter": {"errors", "notebook", "spec"},
    "grader_wheel": {"packaging", "wheel"},
    "elsewhere": {
        "classroom", "cluster", "devices", "engines", "errors", "evidence", "sandbox", "setting",
        "spec",
    },
    "cluster": {"wire", "errors", "evidence", "sandbox"},
    "brought": {"wire", "errors", "spec", "notebook"},
    "pipeline": {
        "wire", "checks", "errors", "notebook", "sandbox", "engines", "diagnosis", "evidence",
        "judge", "gradebook", "setting", "jobs", "orders", "took",
    },
    "orders": {"errors", "spec", "notebook", "sandbox", "verdict", "took"},
    "took": {"sandbox", "gradebook"},
    "metrics": {"errors", "files", "sandbox", "setting", "took"},
    "stored": {"wire", "sandbox"},
    "store_url": {"errors"},
    "object_store": {"errors", "evidence", "files", "store_url"},
    "bank": {
        "wire", "errors", "spec", "notebook", "sandbox", "engines", "diagnosis", "setting", "jobs",
        "devices",
    },
    "recall": {
        "spec", "notebook", "sandbox", "checks", "verdict", "diagnosis", "evidence", "gradebook",
        "setting", "jobs", "orders", "workspace", "stored", "wire",
    },
    "regrade": {
        "errors", "engines", "evidence", "diagnosis", "gradebook", "pipeline", "setting", "outcome",
        "workspace", "classroom", "bank", "recall", "sandbox", "stored",
    },
    "workspace": {"wire", "errors", "files", "notebook", "gradebook", "store_url"},
    "seed_pool": {"wire", "evidence", "files", "spec", "workspace"},
    "watching": set(),
    "intake": {"errors", "gradebook", "interop.downloads", "setting", "spec"},
    "nobody_lost": {"errors", "files", "intake", "interop.downloads", "workspace"},
    "class_page": {
        "bank", "errors", "book", "notebook", "report", "setting", "similar", "similar.model",
        "spec", "workspace",
    },
    "book": {"errors", "files", "gradebook", "spec", "store_url", "workspace"},
    "outcome": {"files", "spec", "notebook", "setting", "gradebook", "report", "workspace"},
    "classroom": {
        "object_store", "jobs", "devices", "bank", "brought", "checks", "recall", "metrics",
        "interrupts", "seed_pool",
        "errors", "spec", "notebook", "sandbox", "engines", "diagnosis", "evidence", "judge",
        "verdict", "gradebook", "pipeline", "setting", "outcome", "workspace", "wire",
    },
    "bench": {
        "jobs", "bank",
        "runner",  # bench/plain.py is a program of its own: what the box is compared with
        "errors", "spec", "notebook", "sandbox", "engines", "evidence", "gradebook",
        "pipeline", "setting", "classroom", "wire", "outcome", "workspace",
        "elsewhere", "files", "traces", "intake", "metrics",
    },
    "traces": {"sandbox"},
    "redteam": {
        "traces",
        "errors", "spec", "notebook", "sandbox", "engines", "evidence", "gradebook", "setting",
        "classroom", "files", "workspace",
    },
    "excerpt": {"errors"},
    "public": {"errors", "wire", "spec", "sandbox", "checks", "notebook", "excerpt"},
    "student": {
        "wire", "errors", "runner", "spec", "notebook", "sandbox", "checks", "judge",
        "verdict", "gradebook", "report", "public", "orders",
    },
    "packaging": set(),
    "wheel": set(),
    "blank": {"wire", "jobs", "notebook", "sandbox", "setting", "spec"},
    "secrecy": {"wire", "checks", "notebook", "sandbox", "spec"},
    "authoring": {
        "bank", "checks", "classroom", "devices", "diagnosis", "engines", "errors", "evidence",
        "files", "judge", "notebook", "pipeline", "public", "report", "sandbox", "setting", "spec",
        "student", "validate", "validate.model", "verdict", "wire",
    },
    "release": {
        "authoring",
        "errors", "files", "notebook", "engines", "spec", "classroom", "public", "blank",
        "packaging", "bank", "sandbox", "secrecy", "setting", "wheel",
    },
    "interop": set(),
    "interop.downloads": {"errors", "notebook", "gradebook"},
    "interop.exports": {"wire", "errors", "gradebook", "interop.gradescope", "report"},
    "interop.marksheet": {
        "errors", "gradebook", "interop.exports", "interop.marksheet_workbook", "notebook", "spec",
        "verdict",
    },
    "interop.marksheet_workbook": {"errors"},
    "interop.returned": {"gradebook", "interop.downloads", "notebook"},
    "similar.model": set(),
    "similar": {"spec", "notebook", "gradebook", "verdict", "similar.model"},
    "commands": {
        "authoring", "object_store", "store_url",
        "release", "errors", "files", "spec", "notebook", "sandbox", "engines", "gradebook",
        "report", "classroom", "workspace", "bench", "redteam", "validate",
        "student", "interop.downloads", "interop.exports", "interop.returned",
        "interop.marksheet", "book", "intake", "watching", "regrade", "bank",
        "brought", "class_page", "elsewhere", "for_gradescope", "for_nbgrader", "on_otter",
        "interop.gradescope", "interop.otter", "interop.nbgrader_course", "metrics",
        "interrupts", "nobody_lost", "seed_pool",
    },
    "cli": {"commands", "errors", "interrupts"},
}  # fmt: skip
# outside packages, where they are allowed (the standard library is, everywhere)
THIRD_PARTY: dict[str, set[str]] = {
    "wire": {"msgspec", "torch", "numpy"},
    "runner": {"msgspec", "torch", "numpy", "IPython", "matplotlib", "traitlets"},
    "spec": {"pydantic", "numpy", "torch"},
    "notebook": {"msgspec", "nbformat", "jupytext"},
    "sandbox": {"msgspec", "torch"},
    "verdict": {"msgspec"},
    "validate.model": {"msgspec"},
    "validate.formless": {"torch", "numpy"},
    "validate": {"msgspec"},
    "public": {"msgspec"},
    "student": {"msgspec", "torch", "numpy", "IPython", "matplotlib"},
    "checks": {"msgspec", "torch", "numpy"},
    "diagnosis": {"msgspec", "numpy"},
    "evidence": {"msgspec"},
    "gradebook": {"msgspec", "sqlalchemy", "alembic"},
    "interop.downloads": {"yaml"},
    "similar.model": {"msgspec"},
    "similar": {"numpy"},
    "interop.exports": {"msgspec", "openpyxl", "pydantic"},
    "interop.marksheet": {"msgspec"},
    "interop.marksheet_workbook": {"openpyxl"},
    "report": {
        "msgspec", "nbformat", "nbconvert", "bleach", "jinja2", "markupsafe", "matplotlib",
        "numpy", "rich", "traitlets",
    },
    "bank": {"msgspec"},
    "stored": {"msgspec"},
    "object_store": {"fsspec"},
    "recall": {"msgspec"},
    "regrade": {"msgspec"},
    "setting": {"msgspec"},
    "orders": {"msgspec"},
    "jobs": {"msgspec"},
    "cluster": {"msgspec", "dask", "distributed"},
    "hosted": {"msgspec"},
    "on_otter": {"msgspec", "nbformat", "yaml"},
    "pytest_plugin": {"pytest"},
    "on_pytest": {"pytest"},
    "interop.otter": {"nbformat", "pydantic", "tomli_w", "yaml"},
    "interop.nbgrader_course": {"msgspec", "nbformat", "tomli_w"},
    "interop.gradescope": {"msgspec"},
    "devices": {"msgspec"},
    "blank": {"msgspec"},
    "secrecy": {"msgspec", "numpy"},
    "authoring": {"msgspec"},
    "release": {"msgspec", "nbformat"},
    "classroom": {"msgspec"},
    "workspace": {"msgspec"},
    "seed_pool": {"msgspec"},
    "nobody_lost": {"msgspec"},
    "metrics": {"msgspec", "prometheus_client", "rich"},
    "bench": {"msgspec", "nbformat", "rich"},
    "redteam": {"msgspec"},
    "commands": {"typer", "rich"},
    "cli": {"typer"},
}  # fmt: skip
BANNED = {"pickle", "cPickle", "marshal", "shelve", "dill", "cloudpickle", "joblib"}
BANNED_CALLS = {"eval", "exec", "__import__"}
BANNED_ATTRIBUTES = {("torch", "load"), ("torch", "save"), ("numpy", "load"), ("np", "load")}


def modules() -> dict[Path, str]:
    paths = sorted(ROOT.rglob("*.py"))
    return {path: row(".".join(path.relative_to(ROOT).with_suffix("").parts)) for path in paths}


def row(name: str) -> str:
    """The row of a module of ours: its own where it has one, else its package's."""
    package, _, rest = name.partition(".")
    own = f"{package}.{rest.partition('.')[0]}"
    return own if own in ALLOWED else package


def imports(path: Path) -> set[str]:
    """Every import, at any depth: hiding one in a function does not hide it here."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_every_module_is_in_the_table() -> None:
    assert set(modules().values()) <= set(ALLOWED)


def test_imports_are_those_of_the_table() -> None:
    """None that it does not allow, and it allows none that nobody needs."""
    ours: dict[str, set[str]] = {package: set() for package in ALLOWED}
    others: dict[str, set[str]] = {package: set() for package in ALLOWED}
    for path, package in modules().items():
        for name in imports(path):
            top, _, rest = name.partition(".")
            if top == "autograder":
                ours[package] |= {row(rest)} - {package}
            elif top not in sys.stdlib_module_names:
                others[package].add(top)
    assert {package: found for package, found in ours.items() if found} == {
        package: allowed for package, allowed in ALLOWED.items() if allowed
    }
    assert {package: found for package, found in others.items() if found} == THIRD_PARTY


def test_a_module_with_a_row_of_its_own_is_not_its_package() -> None:
    assert row("validate.model.Validation") == "validate.model"
    assert row("validate.__init__") == row("validate.other.model") == "validate"


def test_nothing_that_executes_what_it_reads_is_used_on_any_side() -> None:
    wrong = []
    for path in modules():
        wrong += [f"{path}: {name}" for name in imports(path) if name.split(".")[0] in BANNED]
        for node in ast.walk(ast.parse(path.read_text())):
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
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("msgspec."):
                kinds = [k.value for k in node.keywords if k.arg == "type"]
                if node.func.attr in ("convert", "Decoder"):  # type: ignore[attr-defined]
                    kinds += node.args[-1:]
                if not all(ast.unparse(kind).startswith("resolved(") for kind in kinds):
                    wrong.append(f"{path.relative_to(ROOT)}: {ast.unparse(node)}")
    assert wrong == ["wire/types.py: msgspec.msgpack.Decoder(kind)"]  # where it is done


def test_no_test_compares_clocks_by_itself() -> None:
    """What a task costs depends on the machine: tests/effort.py takes that into account."""
    tests = Path(__file__).parent
    spent = re.compile(r"(process_time|perf_counter|thread_time)(_ns)?\(\) - ")
    ours = (path for path in tests.rglob("*.py") if "attacks" not in path.parts)
    assert [path.name for path in ours if spent.search(path.read_text())] == ["effort.py"]


def test_the_table_has_no_cycle() -> None:
    done: set[str] = set()
    while len(done) < len(ALLOWED):
        ready = {package for package, needs in ALLOWED.items() if needs <= done} - done
        assert ready, f"cycle among {set(ALLOWED) - done}"
        done |= ready


def test_the_package_root_is_empty() -> None:
    assert (ROOT / "__init__.py").read_text() == ""  # importing the runner in the box runs it


def test_the_box_receives_exactly_wire_and_runner(tmp_path: Path) -> None:
    inside = {name.removesuffix(".py") for name in premises.INSIDE}
    assert inside == {"__init__", "wire", "runner"}
    for package in inside:
        assert ALLOWED[package] <= inside
    premises.copy_inside(tmp_path / "autograder")
    held = {path.name for path in (tmp_path / "autograder").iterdir()}
    assert held == {"__init__.py", "wire", "runner"}


def test_the_runner_is_reached_only_by_the_zygote_by_name() -> None:
    reached = "autograder.runner"
    users = [p for p in modules() if any(n.startswith(reached) for n in imports(p))]
    inside = {p for p, package in modules().items() if package in ("runner", "student")}
    plain = ROOT / "bench" / "plain.py"  # the program that the bench compares with
    assert set(users) <= inside | {plain}
    assert '"autograder.runner.warm"' in (ROOT / "sandbox" / "zygote.py").read_text()


def test_only_the_command_lines_print() -> None:
    wrong = []
    for path, package in modules().items():
        if path == ROOT / "student" / "shell.py":
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            named = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if named and node.func.id == "print" and package != "cli":  # type: ignore[attr-defined]
                wrong.append(f"{path.name}:{node.lineno}")
    assert wrong == []


def test_the_flow_fits_on_a_page() -> None:
    lines = (ROOT / "pipeline.py").read_text().splitlines()
    assert len(lines) <= 140
