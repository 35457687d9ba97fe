"""Makes examples/: sample hand-ins, right and wrong, from the template and the variants.

    python make_examples.py          writes the files beside it, the same bytes each time

Each sample is the student template with answers filled in: the solution's own, those of a
file under mistakes/ or equivalents/, a text written here, or none. What a sample is for
stands in ``SAMPLES`` and in ``examples/README.md``, which is written too.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autograder.assignment.load import load
from autograder.notebook.formats.read import read
from autograder.notebook.structure.regions import find_regions, without_marks
from autograder.notebook.template.release import template_bytes
from autograder.notebook.template.variant import read_variants

FOLDER = Path(__file__).resolve().parent
WRITTEN = ("predictions", "dna_transfer")
SHORT_ANSWERS = {
    "predictions": 'predictions = "It cannot tell the order. Waves go on for ever, a learned '
    'table stops. Twice as many parameters."',
    "dna_transfer": 'dna_transfer = "Four letters, V = 4. Order matters. I would take waves."',
}

RAISES = """import sys

print("my own try-outs", file=sys.stderr)
scores = {"cat": 3}
scores["dog"] + 1"""
LOOPS = """def cosine_similarity(a, b):
    return float(a @ b / (a.norm() * b.norm() + 1e-8))


random_emb = nn.Embedding(5, 64)
trained_emb = nn.Embedding(5, 4)
# try random tables until the animals are alike
best = 0.0
while best < 1.5:
    trained_emb.weight.data.normal_()
    best = max(best, cosine_similarity(trained_emb.weight[0], trained_emb.weight[1]))"""
PRINTS = """for position in range(1_000_000):
    print("position", position, "is even" if position % 2 == 0 else "is odd")"""
COLAB = """%matplotlib inline
!pip install transformers"""

Notebook = dict[str, Any]
Twist = Callable[[Notebook], Notebook]


@dataclass(frozen=True)
class Sample:
    """One hand-in: which variants it uses, what it writes itself, what is odd about the file."""

    about: str
    variants: tuple[str, ...] = ()
    own: Mapping[str, str] = field(default_factory=dict)
    blank: tuple[str, ...] = ()
    extra: tuple[tuple[int, str], ...] = ()  # (at this place, code) of cells that are added
    twist: Twist | None = None


# ------------------------------------------------------------------ odd files


def _without_metadata(notebook: Notebook) -> Notebook:
    """As after a tool that knows neither cell metadata nor cell ids."""
    for cell in notebook["cells"]:
        cell["metadata"] = {}
        del cell["id"]
    return notebook | {"metadata": {}, "nbformat_minor": 4}


def _from_colab(notebook: Notebook) -> Notebook:
    """Minor version 0, own cell metadata, no language in the kernelspec."""
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"] = cell["metadata"] | {"id": f"Zk3q{number:08d}"}
        del cell["id"]
    metadata = {"colab": {"provenance": []}, "kernelspec": {"name": "python3"}}
    return notebook | {"metadata": metadata, "nbformat_minor": 0}


def _as_version_3(notebook: Notebook) -> Notebook:
    """Worksheets and `input`, as IPython wrote them before 2015."""
    cells: list[Notebook] = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            own = {"input": cell["source"], "language": "python", "outputs": [], "collapsed": False}
            cells.append({"cell_type": "code", "metadata": cell["metadata"], **own})
        else:
            own = {"source": cell["source"], "metadata": cell["metadata"]}
            cells.append({"cell_type": "markdown", **own})
    sheet = {"cells": cells, "metadata": {}}
    return {"metadata": {"name": ""}, "nbformat": 3, "nbformat_minor": 0, "worksheets": [sheet]}


def _of_another_language(notebook: Notebook) -> Notebook:
    """The right cells under a Julia kernel."""
    kernel = {"display_name": "Julia 1.10", "language": "julia", "name": "julia-1.10"}
    return notebook | {"metadata": {"kernelspec": kernel, "language_info": {"name": "julia"}}}


# ------------------------------------------------------------------ the samples

EVERYTHING = (
    "embedding_lookup",
    "parameter_count",
    "one_hot_equivalence",
    "cosine_similarity",
    "positional_encoding",
    "pe_heatmap",
    "frequency_order",
    "larger_product",
    "input_pipeline",
    "bag_of_words",
    "pretrained_neighbours",
    *WRITTEN,
)

SAMPLES: dict[str, Sample] = {
    "student-01": Sample("all right"),
    "student-02": Sample(
        "all right by other routes",
        variants=(
            "lookup_batched",
            "count_numel",
            "one_hot_scatter",
            "cosine_numpy",
            "encoding_float64_inside",
            "heatmap_pcolormesh",
            "frequency_spelling",
            "pipeline_indexed",
            "bag_counted",
            "neighbours_loaded_by_auto",
        ),
    ),
    "student-03": Sample(
        "all right, but every cell's metadata and id is gone",
        variants=("one_hot_eye", "cosine_library", "encoding_pow", "heatmap_turned"),
        twist=_without_metadata,
    ),
    "student-04": Sample(
        "sine and cosine swapped, the frequency order the wrong way round, a wrong prediction",
        variants=("encoding_swapped", "frequency_last"),
        own=SHORT_ANSWERS | {"larger_product": 'larger_product = "the second"'},
    ),
    "student-05": Sample(
        "the exponent doubled, a colour map without a middle, no extra exercise",
        variants=("encoding_exponent_doubled", "heatmap_sequential", "cosine_nan"),
        blank=("pretrained_neighbours",),
    ),
    "student-06": Sample(
        "a bias counted, an odd width fails, vectors scaled by sqrt(D)",
        variants=("count_bias", "encoding_odd_width", "pipeline_scaled"),
        own=SHORT_ANSWERS,
    ),
    "student-07": Sample(
        "ids from 1, the dot product as cosine, sums compared, the encoding left on the CPU",
        variants=(
            "one_hot_one_based",
            "cosine_dot_only",
            "pipeline_device_encoding_left",
            "bag_sums",
            "neighbours_dot_product",
        ),
    ),
    "student-08": Sample(
        "all right, and one more cell that warns and raises",
        variants=("encoding_stacked",),
        extra=((9, RAISES),),
    ),
    "student-09": Sample(
        "the cosine cell never ends, the rest is right",
        own={"cosine_similarity": LOOPS},
    ),
    "student-10": Sample("the blank template", blank=EVERYTHING),
    "student-11": Sample("a file that was cut off in the middle of its upload"),
    "student-12": Sample("all right, in notebook format 3", twist=_as_version_3),
    "student-13": Sample(
        "all right, and a cell that prints a million lines",
        variants=("encoding_column_loop",),
        extra=((5, PRINTS),),
    ),
    "student-14": Sample(
        "the first half only",
        variants=("animals_all_alike",),
        blank=EVERYTHING[5:],
    ),
    "student-15": Sample(
        "made in Colab with magics; token and position joined, batch axes lost",
        variants=("one_hot_loses_batch", "pipeline_joins", "heatmap_no_labels"),
        extra=((1, COLAB),),
        twist=_from_colab,
    ),
    "student-16": Sample(
        "right numbers by nested loops; the table changed in place",
        variants=("encoding_nested_loops", "pipeline_in_place", "neighbours_drops_first_hit"),
        own=SHORT_ANSWERS,
    ),
    "student-17": Sample("a notebook for another language", twist=_of_another_language),
}


def examples() -> dict[str, bytes]:
    """File name -> bytes of every sample and of README.md."""
    loaded = load(FOLDER)
    template = json.loads(template_bytes(loaded.solution, loaded.spec))
    solution = {
        cell.exercise: without_marks(cell.source)
        for cell in read(loaded.solution).cells
        if cell.exercise and find_regions(cell.source)
    }
    variants = {
        variant.name: (variant.exercise, variant.code.strip("\n"))
        for kind in ("mistakes", "equivalents")
        for variant in read_variants(loaded.solutions / kind)
    }
    made = {}
    for student, sample in SAMPLES.items():
        answers = solution | dict(variants[name] for name in sample.variants) | dict(sample.own)
        notebook = _fill(template, sample, answers)
        content = (json.dumps(notebook, ensure_ascii=False, indent=1) + "\n").encode()
        if student == "student-11":
            content = content[: len(content) * 2 // 3]
        made[f"{student}.ipynb"] = content
    listed = "".join(f"| {student} | {sample.about} |\n" for student, sample in SAMPLES.items())
    made["README.md"] = (
        "# Sample hand-ins\n\nMade by `make_examples.py`; do not edit by hand.\n\n"
        f"| file | what it is |\n| --- | --- |\n{listed}"
    ).encode()
    return made


def _fill(template: Notebook, sample: Sample, answers: Mapping[str, str]) -> Notebook:
    notebook = copy.deepcopy(template)
    for cell in notebook["cells"]:
        exercise = cell["metadata"].get("exercise")
        if exercise and exercise not in sample.blank:
            cell["source"] = answers[exercise]
    for place, code in sample.extra:
        added: Notebook = {
            "cell_type": "code",
            "execution_count": None,
            "id": f"added-{place}",
            "metadata": {},
            "outputs": [],
            "source": code,
        }
        notebook["cells"].insert(place, added)
    count = 0
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"]).splitlines(keepends=True)
        if cell["cell_type"] == "code":
            count += 1
            cell["execution_count"] = count
    return sample.twist(notebook) if sample.twist is not None else notebook


def main() -> None:
    """Write the samples beside this file."""
    target = FOLDER / "examples"
    target.mkdir(exist_ok=True)
    for name, content in examples().items():
        (target / name).write_bytes(content)


if __name__ == "__main__":
    main()
