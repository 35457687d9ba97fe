"""Which figures of a notebook are seen, and whose they are, inside a real box."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.sandbox.box import Box
from autograder.sandbox.child import Child
from autograder.wire.messages import GIVEN, Begin, CellDone, Figures, Limits, Outcome, RunCell
from autograder.wire.values import Figure, Items

START = "import numpy as np\nfrom matplotlib import pyplot as plt\ntable = np.eye(3)\n"


@pytest.fixture
def child(plain_box: Box) -> Iterator[Child]:
    made = plain_box.spawn(Limits(cell_cpu_s=10, cell_wall_s=30, memory_mb=1024))
    made.ask(Begin(1, 10_000, True), cpu_s=5, wall_s=20)
    run(made, START, exercise="start")
    yield made
    made.end()


def run(child: Child, source: str, *, exercise: str = "draw") -> CellDone:
    answer = child.ask(RunCell(1, source, exercise), cpu_s=10, wall_s=30).answer
    assert isinstance(answer, CellDone) and answer.error is None, answer
    return answer


def shown(child: Child, *, exercise: str = "draw") -> list[str]:
    """The x label of the first panel of every figure, and how many images it has."""
    answer = child.ask(Figures(exercise), cpu_s=5, wall_s=20).answer
    assert isinstance(answer, Outcome)
    if answer.status == "missing":
        return []
    assert isinstance(answer.value, Items)
    panels = [f.panels[0] for f in answer.value.items if isinstance(f, Figure) and f.panels]
    return [f"{panel.xlabel}{len(panel.images)}" for panel in panels]


IMAGE = "plt.imshow(table); plt.xlabel('a')"
SEEN: dict[str, tuple[tuple[str, ...], list[str]]] = {  # the cells, and what is seen afterwards
    **{
        f"an image by {draw}": ((f"plt.{draw}(table); plt.xlabel('a')",), ["a1"])
        for draw in ("imshow", "matshow", "pcolormesh", "pcolor")
    },
    "shown and then closed": ((f"{IMAGE}; plt.show(); plt.close()",), ["a1"]),
    "a new one begins after show": (
        (f"{IMAGE}; plt.show(); plt.plot([1]); plt.xlabel('b')",),
        ["a1", "b0"],
    ),
    "closed unseen": ((f"{IMAGE}; plt.close()",), []),
    "finished in a later cell": (
        ("figure, axes = plt.subplots()", "axes.imshow(table); axes.set_xlabel('a'); figure"),
        ["0", "a1"],
    ),
    "open and displayed": (("figure, axes = plt.subplots(); axes.imshow(table); figure",), ["1"]),
    "an image after many curves": (
        (
            "for _ in range(18): plt.plot([1]); plt.show()",
            "for _ in range(18): plt.figure(); plt.plot([1])\nplt.figure()\nplt.imshow(table)",
        ),
        [*["0"] * 15, "1"],
    ),
}


@pytest.mark.parametrize("case", SEEN)
def test_a_figure_is_seen_where_a_notebook_shows_it(child: Child, case: str) -> None:
    cells, expected = SEEN[case]
    for source in cells:
        run(child, source)
    assert shown(child) == expected


def test_a_drawn_figure_has_a_palette_and_is_light(child: Child) -> None:
    done = run(child, "plt.figure(figsize=(10, 4)); plt.imshow(np.arange(900).reshape(30, 30))")
    (png,) = [output.content for output in done.outputs if output.mime == "image/png"]
    assert png[25] == 3  # the kind of colours in its header
    assert len(png) < 12_000


@pytest.mark.parametrize("last", ["display(figure)", "figure"])
def test_a_figure_without_pyplot_is_seen_when_it_is_displayed(child: Child, last: str) -> None:
    made = "from matplotlib.figure import Figure\nfigure = Figure(); axes = figure.subplots()\n"
    outputs = run(child, f"{made}axes.imshow(table); axes.set_xlabel('a')\n{last}").outputs
    assert shown(child) == ["a1"]
    assert [output.mime for output in outputs] == ["image/png"]


def test_an_exercise_has_its_own_figures_and_else_those_of_no_other(child: Child) -> None:
    run(child, "plt.plot([1]); plt.xlabel('given')", exercise=GIVEN)
    run(child, "plt.plot([1]); plt.xlabel('other')", exercise="other")
    assert shown(child) == ["other0"]
    run(child, "plt.plot([1]); plt.xlabel('nobody')", exercise="")
    assert shown(child) == ["nobody0"]
    run(child, "plt.plot([1]); plt.xlabel('own')")
    assert shown(child) == ["own0"]


def printed(child: Child, exercise: str) -> str:
    answer = child.ask(Figures(exercise, True), cpu_s=5, wall_s=20).answer
    assert isinstance(answer, Outcome) and isinstance(answer.value, Items)
    return str(answer.value.items[1])


def test_what_is_printed_in_own_cells_in_free_ones_and_with_the_figures_counts(
    child: Child,
) -> None:
    for exercise in (GIVEN, "silent", "", "draw"):
        run(child, f"print({exercise!r}, 'alone')", exercise=exercise)
    run(child, "plt.plot([1]); print('together');", exercise="other")
    assert printed(child, "draw") == "draw alone\n alone\ntogether\n"
    run(child, "plt.plot([1]);")
    assert printed(child, "draw") == "draw alone\n alone\n"


def test_what_is_printed_just_before_an_exercise_counts_as_its_own(child: Child) -> None:
    for exercise in ("other", "other", GIVEN, "other", "draw", GIVEN, "last"):
        run(child, f"plt.plot([1]); print({exercise!r});", exercise=exercise)
    assert printed(child, "draw") == "other\ndraw\n"
    assert printed(child, "last") == "last\n"


def test_many_figures_of_another_exercise_leave_room(child: Child) -> None:
    run(child, "for _ in range(20): plt.plot([1]); plt.show()", exercise="other")
    run(child, "plt.imshow(table); plt.xlabel('a')")
    assert shown(child) == ["a1"]
