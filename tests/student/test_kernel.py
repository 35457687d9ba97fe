"""A Grader in a real kernel: one output for each check, figures as they are shown, ``%%check``."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

from autograder.notebook.structure.outline import TemplateCell
from autograder.wire.messages import Outcome
from autograder.wire.values import Items
from tests.support.small_public import function, made, written

ROOT = Path(__file__).resolve().parents[2]
RELATIONS = """
from autograder.judging.checks.relation import RelationView

def told(seen: RelationView):
    shown = [panel.title for figure in seen.figures() for panel in figure.panels]
    yield f"titles {shown}, printed {seen.printed()!r}."
"""
SHOWN = Outcome("returned", Items("tuple", (Items("list", ()), "")))
TOLD = {"id": "told", "kind": "relation", "relation": "told", "figures": True}


class Kernel:
    """One kernel; the outputs of a cell are messages' types with their contents."""

    def __init__(self, folder: Path) -> None:
        env = os.environ | {"OMP_NUM_THREADS": "1", "PYTHONPATH": str(ROOT)}
        env.pop("MPLBACKEND", None)
        self.folder = folder
        self.manager = KernelManager(kernel_name="python3")
        self.manager.start_kernel(cwd=str(folder), env=env)
        client = self.manager.client()
        assert isinstance(client, BlockingKernelClient)
        self.client = client
        client.start_channels()
        client.wait_for_ready(timeout=120)

    def send(self, source: str, cell_id: str = "") -> str:
        """Ask for a cell; the request's id."""
        client = self.client
        content = {
            "code": source,
            "silent": False,
            "store_history": True,
            "allow_stdin": False,
            "user_expressions": {},
            "stop_on_error": False,
        }
        message = client.session.msg("execute_request", content)
        message["metadata"]["cellId"] = cell_id
        client.shell_channel.send(message)
        return str(message["header"]["msg_id"])

    def outputs(self, request: str) -> list[tuple[str, dict[str, Any]]]:
        """What a cell gave, in order."""
        found = []
        while True:
            message = self.client.get_iopub_msg(timeout=120)
            kind, content = message["msg_type"], message["content"]
            if message["parent_header"].get("msg_id") != request:
                continue
            if kind == "status" and content["execution_state"] == "idle":
                return found
            if kind not in ("status", "execute_input"):
                found.append((kind, content))

    def run(self, source: str, cell_id: str = "") -> list[tuple[str, dict[str, Any]]]:
        return self.outputs(self.send(source, cell_id))

    def panel(self, source: str, cell_id: str = "") -> str:
        """The plain text of a cell's one output, on one line."""
        outputs = self.run(source, cell_id)
        assert [kind for kind, _ in outputs] == ["display_data"], outputs
        data = outputs[0][1]["data"]
        assert data["text/html"].startswith('<div class="autograder"')
        return " ".join(data["text/plain"].split())

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("course")
    checks = {
        "double": [function("double", "numbers")],
        "curve": [TOLD],
        "other": [TOLD],
    }
    outline = [
        TemplateCell("code", "", "import math  # given\nGIVEN = math.pi  # as it is"),
        TemplateCell("code", "curve", "# draw the curve of the numbers\n# label both axes"),
    ]
    evidence = made(
        checks,
        "def double(x): return 2 * x",
        cases={"numbers": [(1.5,)]},
        relations=RELATIONS,
        figures=SHOWN,
        outline=outline,
        defines={"curve": ("curve",), "other": ("other",)},
    )
    written(place, evidence)
    return place


@pytest.fixture(scope="module")
def kernel(folder: Path) -> Iterator[Kernel]:
    made = Kernel(folder)
    try:
        assert made.run("%load_ext autograder.student") == []
        ((_, content),) = made.run("%%check double\npass")
        assert "there is no Grader yet" in content["evalue"]
        made.run("from matplotlib import pyplot as plt")
        assert made.run('from autograder.student import Grader\ngrader = Grader("small")') == []
        yield made
    finally:
        made.close()


def draw(title: str, *more: str) -> str:
    return "\n".join([f"plt.plot([1, 2]); plt.title({title!r})", *more])


def test_a_check_is_one_output_and_no_value(kernel: Kernel) -> None:
    kernel.run("def double(x):\n    print('said')\n    return 2 * x")
    assert kernel.panel('grader.check("double")').startswith("✓ Exercise double: Correct")
    assert kernel.panel('value = grader.check("double")')
    assert kernel.run("value") == []
    assert "✓ Exercise double" in kernel.panel("grader.check_all()")
    assert "You have earned 1 of 3 points" in kernel.panel("grader.progress()")


def test_an_error_has_the_line_of_the_students_cell(kernel: Kernel) -> None:
    kernel.run("def double(x):\n    one = 1\n    return one / 0")
    assert "ZeroDivisionError: division by zero (line 3: `return one / 0`)" in kernel.panel(
        'grader.check("double")'
    )


def test_a_wrong_name_is_told_without_a_traceback(kernel: Kernel) -> None:
    ((kind, content),) = kernel.run('grader.check("othr")')
    assert kind == "error"
    assert content["traceback"] == [
        "there is no exercise 'othr'; the exercises are: other, curve, double"
    ]


def test_a_checked_cell_runs_and_is_checked(kernel: Kernel) -> None:
    outputs = kernel.run("%%check double\ndef double(x): return 3 * x\nprint('ran')\n40 + 2")
    assert [kind for kind, _ in outputs] == ["stream", "execute_result", "display_data"]
    assert "Not right yet" in outputs[-1][1]["data"]["text/plain"]
    kernel.run("def double(x): return 2 * x")
    assert "Correct" in kernel.panel("%%check\ndef double(x): return x + x")


def test_a_checked_cell_that_fails_is_not_checked(kernel: Kernel) -> None:
    outputs = kernel.run("%%check double\n1 / 0")
    assert [(kind, content["ename"]) for kind, content in outputs] == [
        ("error", "ZeroDivisionError"),
        ("error", "CellFailed"),
    ]
    ((_, content),) = kernel.run("%%check nothing\nran = True")
    assert content["ename"] == "GraderError" and kernel.run("ran")[0][1]["ename"] == "NameError"


def test_figures_and_prints_belong_to_the_cell_that_shows_them(kernel: Kernel) -> None:
    outputs = kernel.run(draw("first", "print('some', 'words')", "3 + 4"), "curve")
    assert [kind for kind, _ in outputs] == ["stream", "execute_result", "display_data"]
    kernel.run(draw("second", "plt.show()", "plt.close()", "print('else')"), "other")
    said = kernel.panel('grader.check("curve")', "check-curve")
    assert r"titles ['first'], printed 'some words\n7\n'." in said
    said = kernel.panel('grader.check("other")', "check-other")
    assert r"titles ['second'], printed 'else\n'." in said
    kernel.run(draw("again", "None"), "curve")  # in place of what it showed before
    assert "titles ['again'], printed ''." in kernel.panel('grader.check("curve")')


def test_cells_without_ids_are_known_by_names_and_by_the_template(kernel: Kernel) -> None:
    kernel.run(draw("by name", "other = 1"))
    assert "['second', 'by name']" in kernel.panel('grader.check("other")')
    kernel.run("# draw the curve of the numbers\n# label both axes\n" + draw("by its text"))
    assert "['again', 'by its text']" in kernel.panel('grader.check("curve")')
    kernel.run("%%check other\n" + draw("by the magic", "curve = 1"))
    assert "'by the magic']" in kernel.panel('grader.check("other")')
    kernel.run("import math  # given\nGIVEN = math.pi  # as it is\n" + draw("given"))
    titles, _, _ = kernel.panel('grader.check("other")').partition(", printed")
    assert "by the magic" in titles and "given" not in titles


def test_a_displayed_figure_counts_once(kernel: Kernel) -> None:
    kernel.run(draw("shown", "display(plt.gcf())", "plt.xlabel('x')"), "curve")
    assert kernel.panel('grader.check("curve")').count("'shown'") == 1


def test_what_checks_display_is_no_cells(kernel: Kernel) -> None:
    drawn = "figure = plt.figure(); plt.plot([3]); plt.title('inside'); display(figure)"
    kernel.run(f"def double(x):\n    {drawn}; print('hidden'); return 2 * x")
    kernel.panel('grader.check("double")', "other")
    text = kernel.panel('grader.check("other")')
    assert "inside" not in text and "hidden" not in text


@pytest.mark.slow
def test_figures_of_any_other_backend_stay_open(folder: Path) -> None:
    """What a cell makes or changes is taken. In a kernel that never had the inline backend."""
    fresh = Kernel(folder)
    try:
        fresh.run("%load_ext autograder.student\n%matplotlib agg")
        fresh.run("from matplotlib import pyplot as plt")
        fresh.run('from autograder.student import Grader\ngrader = Grader("small")')
        fresh.run(draw("one"), "curve")
        fresh.run("plt.gcf()", "other")
        fresh.run("text = 1", "third")
        assert "titles ['one'], printed" in fresh.panel('grader.check("curve")')
        fresh.run("plt.title('two');", "other")
        assert "titles ['two'], printed" in fresh.panel('grader.check("other")')
        assert fresh.run("len(plt.get_fignums())")[0][1]["data"]["text/plain"] == "1"
    finally:
        fresh.close()


def test_an_interrupt_stops_a_check_and_nothing_else(kernel: Kernel) -> None:
    kernel.run(
        "import os, time\ndef double(x):\n    os.mkdir('begun')\n    while True: time.sleep(0.01)"
    )
    request = kernel.send('grader.check("double")')
    while not (kernel.folder / "begun").exists():
        time.sleep(0.05)
    kernel.manager.interrupt_kernel()
    ((kind, content),) = kernel.outputs(request)
    text = " ".join(content["data"]["text/plain"].split())
    assert kind == "display_data" and "you stopped it" in text and "in line 4 (`while True:" in text
    assert kernel.run("1 + 1")[0][1]["data"]["text/plain"] == "2"
