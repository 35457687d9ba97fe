"""The numbers that the flagship's checks rest on, measured on the code that is shipped.

A fact that the lesson states, a tolerance with its reason, or a sample hand-in that no
longer agrees with the code fails here.
"""

from __future__ import annotations

import importlib.util
import math
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import matplotlib as mpl
import msgspec
import numpy as np
import pytest
import torch
import torch.nn as nn
import torch.nn.functional as F

from autograder.assignment.kinds import FunctionCheck, RelationCheck
from autograder.assignment.load import Loaded
from autograder.evidence.records import Run
from autograder.grading.context import GradingContext
from autograder.grading.job import run_solution
from autograder.judging.checks.finding import Reference
from autograder.judging.checks.registry import examine, probes
from autograder.judging.verdict import Status
from autograder.notebook.formats.read import read
from autograder.notebook.template.variant import read_variants
from autograder.wire.messages import Outcome, Probe
from autograder.wire.tensors import to_wire
from autograder.wire.values import Array, Complex, Items, Opaque, Value, Whole

mpl.use("Agg")

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "assignments" / "embeddings-and-position"
SOLUTIONS = ROOT / "solutions" / "embeddings-and-position"
PE = "positional_encoding"
Encoding = Callable[[int, int], torch.Tensor]

EQUIVALENTS = [v for v in read_variants(SOLUTIONS / "equivalents") if v.exercise == PE]
MISTAKES = {v.name: v for v in read_variants(SOLUTIONS / "mistakes") if v.exercise == PE}
WRONG_FORMULAS = (
    "encoding_swapped",
    "encoding_halves",
    "encoding_exponent_halved",
    "encoding_exponent_doubled",
    "encoding_base_1000",
    "encoding_base_e",
    "encoding_degrees",
    "encoding_from_one",
    "encoding_one_minus_cosine",
    "encoding_integer_division",
    "encoding_transposed",
)
SIZES = {
    "example": (4, 8),
    "small": (20, 64),
    "medium": (512, 128),
    "long": (10000, 64),
    "odd-width": (6, 7),
}


def encoding_of(code: str) -> Encoding:
    """The function that a cell's code defines."""
    names: dict[str, Any] = {"math": math, "np": np, "torch": torch, "F": F, "nn": nn}
    exec(compile(code, "cell", "exec"), names)
    made: Encoding = names["sinusoidal_positional_encoding"]
    return made


def exact(length: int, width: int) -> torch.Tensor:
    """The encoding in float64, [length, width]."""
    column = torch.arange(width)
    position = torch.arange(length, dtype=torch.float64).unsqueeze(1)
    angle = position / 10000.0 ** ((column - column % 2).double() / width)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


def error(encoding: Encoding, size: tuple[int, int], other: torch.Tensor) -> float:
    return float((encoding(*size).double() - other.double()).abs().max())


def module_of(name: str) -> ModuleType:
    """A file of the assignment's folder, imported."""
    spec = importlib.util.spec_from_file_location(f"flagship_{name}", FOLDER / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def lesson(flagship: Loaded) -> Mapping[str, Any]:
    """What the solution defines, the stretch exercise apart; none of its cells may raise."""
    names: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for cell in read(flagship.solution).cells:
            if cell.kind == "code" and cell.exercise != "pretrained_neighbours":
                exec(compile(cell.source, f"cell {cell.number}", "exec"), names)
    return names


@pytest.fixture(scope="module")
def encoding(lesson: Mapping[str, Any]) -> Encoding:
    made: Encoding = lesson["sinusoidal_positional_encoding"]
    return made


@pytest.fixture(scope="module")
def allowed(flagship: Loaded) -> Mapping[str, float]:
    """The stated tolerance of each check that compares encodings."""
    checks = next(e.check for e in flagship.spec.exercise if e.id == PE)
    return {c.id: c.tolerance.atol for c in checks if isinstance(c, FunctionCheck) and c.tolerance}


# ------------------------------------------------------------------ tolerances


@pytest.mark.parametrize("check", SIZES)
@pytest.mark.parametrize("equivalent", EQUIVALENTS, ids=lambda v: v.name)
def test_every_correct_encoding_lies_well_within_the_tolerance(
    allowed: Mapping[str, float], encoding: Encoding, equivalent: Any, check: str
) -> None:
    size = SIZES[check]
    assert error(encoding_of(equivalent.code), size, encoding(*size)) <= allowed[check] / 2


@pytest.mark.parametrize("check", SIZES)
@pytest.mark.parametrize("mistake", WRONG_FORMULAS)
def test_every_wrong_encoding_lies_ten_times_beyond_the_tolerance(
    allowed: Mapping[str, float], encoding: Encoding, mistake: str, check: str
) -> None:
    size = SIZES[check]
    assert error(encoding_of(MISTAKES[mistake].code), size, encoding(*size)) > 10 * allowed[check]


@pytest.mark.parametrize("check", ["small", "medium", "long"])
def test_the_tolerance_is_about_four_times_the_measured_float32_spread(
    allowed: Mapping[str, float], encoding: Encoding, check: str
) -> None:
    size = SIZES[check]
    forms = [encoding, *(encoding_of(v.code) for v in EQUIVALENTS)]
    spread = max(error(form, size, exact(*size)) for form in forms)
    assert 2.5 <= allowed[check] / spread <= 8


def test_float16_fails_small_tables_by_its_values_and_float64_passes_them(
    allowed: Mapping[str, float], encoding: Encoding
) -> None:
    half = encoding_of(MISTAKES["encoding_float16"].code)
    double = encoding_of(MISTAKES["encoding_float64"].code)
    assert error(half, (20, 64), encoding(20, 64)) > 10 * allowed["small"]
    for check, size in SIZES.items():
        assert error(double, size, encoding(*size)) <= allowed[check]


def test_the_fixed_tolerance_of_1e_5_would_fail_correct_long_tables() -> None:
    power = encoding_of(next(v.code for v in EQUIVALENTS if v.name == "encoding_pow"))
    assert error(power, (10000, 64), exact(10000, 64)) > 1e-4


def test_every_tolerance_says_how_it_was_measured(flagship: Loaded) -> None:
    stated = [
        tolerance.why
        for exercise in flagship.spec.exercise
        for check in exercise.check
        if (tolerance := getattr(check, "tolerance", None)) is not None
    ]
    assert len(stated) > 10
    assert all(any(digit in why for digit in "0123456789") for why in stated)


# ------------------------------------------------------------------ the encoding


def test_row_zero_is_zero_one_zero_one(encoding: Encoding) -> None:
    assert encoding(4, 8)[0].tolist() == [0, 1] * 4


@pytest.mark.parametrize("size", [(1, 2), (20, 64), (6, 7), (5, 1), (9, 3), (0, 8)])
def test_the_encoding_has_the_asked_shape_and_is_float32(
    encoding: Encoding, size: tuple[int, int]
) -> None:
    table = encoding(*size)
    assert tuple(table.shape) == size
    assert table.dtype == torch.float32
    assert table.numel() == 0 or error(encoding, size, exact(*size)) < 1e-6


def test_the_encoding_is_float32_whatever_the_default_dtype(encoding: Encoding) -> None:
    torch.set_default_dtype(torch.float64)
    try:
        assert encoding(4, 6).dtype == torch.float32
    finally:
        torch.set_default_dtype(torch.float32)


def test_an_odd_width_ends_in_a_sine(encoding: Encoding) -> None:
    last = torch.sin(torch.arange(9, dtype=torch.float64) / 10000.0 ** (6 / 7))
    assert torch.allclose(encoding(9, 7)[:, 6].double(), last, atol=1e-7)


def test_rows_are_bounded_distinct_and_of_squared_length_half_the_width(
    encoding: Encoding,
) -> None:
    table = encoding(200, 64).double()
    assert float(table.abs().max()) <= 1.0
    assert len(torch.unique(table, dim=0)) == 200
    assert torch.allclose((table * table).sum(1), torch.full((200,), 32.0).double(), atol=1e-5)


def test_a_step_of_k_positions_is_one_rotation_for_all_positions(encoding: Encoding) -> None:
    table, k = encoding(128, 64).double(), 9
    turn = k / 10000.0 ** (torch.arange(0, 64, 2, dtype=torch.float64) / 64)
    sine, cosine = table[:-k, 0::2], table[:-k, 1::2]
    assert torch.allclose(sine * turn.cos() + cosine * turn.sin(), table[k:, 0::2], atol=4e-5)
    assert torch.allclose(cosine * turn.cos() - sine * turn.sin(), table[k:, 1::2], atol=4e-5)


def test_the_dot_product_of_two_rows_depends_on_their_distance_alone(encoding: Encoding) -> None:
    products = encoding(100, 64).double() @ encoding(100, 64).double().T
    for distance in (1, 7, 40):
        along = torch.diagonal(products, distance)
        assert float(along.max() - along.min()) < 2e-4


def test_the_first_columns_change_fastest(encoding: Encoding, lesson: Mapping[str, Any]) -> None:
    turns = torch.diff(torch.sign(encoding(2000, 64)[:, 1::2]), dim=0).abs().sum(0)
    assert bool((turns[:-1] >= turns[1:]).all()) and turns[0] > 100 * turns[-1]
    assert lesson["frequency_order"] == "first columns"


def test_a_formula_goes_on_and_a_learned_table_ends(encoding: Encoding) -> None:
    assert tuple(encoding(5000, 64).shape) == (5000, 64)
    with pytest.raises(IndexError):
        nn.Embedding(1000, 8)(torch.tensor([1000]))


# ------------------------------------------------------------------ counts, one-hot, bags


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rows", "columns", "count"),
    [
        (10, 4, 40),
        (50000, 768, 38_400_000),
        (50257, 768, 38_597_376),
        (1024, 768, 786_432),
        (128, 64, 8_192),
    ],
)
def test_an_embedding_has_rows_times_columns_parameters(
    rows: int, columns: int, count: int
) -> None:
    table = nn.Embedding(rows, columns, device="meta")
    assert sum(p.numel() for p in table.parameters()) == count


def test_the_solution_counts_right(lesson: Mapping[str, Any]) -> None:
    names = ("big_params", "doubled_vocab_params", "halved_dim_params")
    assert [lesson[name] for name in names] == [38_400_000, 76_800_000, 19_200_000]


def test_one_hot_times_matrix_is_exactly_the_row() -> None:
    table = torch.randn(50, 16, generator=torch.Generator().manual_seed(1))
    for row in range(50):
        assert torch.equal(F.one_hot(torch.tensor(row), 50).float() @ table, table[row])
    assert torch.equal(torch.eye(50) @ table, table)


def test_one_hot_vectors_are_at_right_angles_and_equally_far_apart() -> None:
    identity = torch.eye(6)
    distances = torch.cdist(identity, identity)
    others = ~torch.eye(6, dtype=torch.bool)
    assert float((identity @ identity.T)[others].abs().max()) == 0
    assert torch.allclose(distances[others], torch.tensor(math.sqrt(2)))
    assert 512 * 50_000 == 25_600_000


def test_positions_change_rows_but_not_sums(lesson: Mapping[str, Any], encoding: Encoding) -> None:
    table = torch.randn(4, 16, generator=torch.Generator().manual_seed(2)).double()
    first, second = (table[lesson[name]] for name in ("ids_first", "ids_second"))
    waves = encoding(5, 16).double()
    assert sorted(first.tolist()) == sorted(second.tolist())
    assert sorted((first + waves).tolist()) != sorted((second + waves).tolist())
    assert torch.allclose((first + waves).sum(0), (second + waves).sum(0), atol=1e-12)
    assert (lesson["equal_without_positions"], lesson["equal_with_positions"]) == (True, False)


# ------------------------------------------------------------------ relations never fail us


def _weird() -> Iterator[Value]:
    """Values that a relation does not expect."""
    yield from (None, True, -7, math.nan, math.inf, "text", Whole("9" * 400), Complex(1.0, 2.0))
    yield Opaque("Widget", "<widget>")
    yield Items("list", ())
    yield Items("list", (Items("tuple", ("king", math.nan)), Items("tuple", ("queen",))))
    yield Items("list", (1.0, Items("list", (2.0, "x"))))
    for shape in ((0,), (4,), (5, 64), (128, 64), (2, 3, 4)):
        yield to_wire(torch.full(shape, math.nan))
        yield to_wire(torch.zeros(shape, dtype=torch.complex64))
        yield to_wire(torch.ones(shape, dtype=torch.bool))


def _with(run: Run, probe: Probe, value: Value) -> Run:
    """The run with another answer to one probe."""
    claim = Outcome("returned", value, changed=(0, 99))
    records = tuple(
        msgspec.structs.replace(r, claim=claim) if r.id == probe.id else r for r in run.probes
    )
    return msgspec.structs.replace(run, probes=records)


def _not_a_number(value: Value) -> Value:
    """The same array with NaN in every place; other values as they are."""
    if not isinstance(value, Array) or not value.dtype.startswith("float"):
        return value
    width = {"float32": np.float32, "float64": np.float64}[value.dtype]
    size = len(value.data) // np.dtype(width).itemsize
    return msgspec.structs.replace(value, data=np.full(size, np.nan, width).tobytes())


def _relations(context: GradingContext) -> Iterator[tuple[str, RelationCheck]]:
    for exercise in context.loaded.spec.exercise:
        for check in exercise.check:
            if isinstance(check, RelationCheck) and exercise.id not in context.unavailable:
                yield exercise.id, check


@pytest.fixture(scope="module")
def expected(context: GradingContext) -> Run:
    return run_solution(context, read(context.loaded.solution))


@pytest.mark.slow
def test_no_value_of_a_student_makes_a_relation_fail(
    context: GradingContext, expected: Run
) -> None:
    weird, relations = list(_weird()), context.loaded.relations
    for exercise, check in _relations(context):
        for probe in probes(check, exercise, context.cases):
            for value in weird:
                found = examine(
                    check,
                    exercise,
                    _with(expected, probe, value),
                    Reference(expected, context.cases, relations),
                )
                assert found.status is not Status.UNGRADED, (check.id, probe.id, value, found)


def _alone(check: RelationCheck) -> RelationCheck:
    """The check without the stand-ins that excuse what an earlier part got wrong."""
    elsewhere = tuple(
        one.model_copy(update={"check": one.check.model_copy(update={"parts": ()})})
        for one in check.elsewhere
    )
    return check.model_copy(update={"parts": (), "again": (), "elsewhere": elsewhere})


NOT_OF_NUMBERS = ("encoding_is_float32", "embed_tokens_leaves_arguments")
"""What these ask, the type of a table and what became of arguments, NaN does not answer."""


def test_no_relation_lets_nan_pass(context: GradingContext, expected: Run) -> None:
    tried = 0
    for exercise, named in _relations(context):
        check = _alone(named)
        for probe in probes(check, exercise, context.cases):
            record = expected.probe(probe.id)
            assert record is not None and record.claim is not None
            spoilt = _not_a_number(record.claim.value)
            looked_at = check.relation not in NOT_OF_NUMBERS
            carried = exercise == "input_pipeline" and "sinusoidal" in probe.id
            if spoilt == record.claim.value or not looked_at or carried:
                continue
            tried += 1
            found = examine(
                check,
                exercise,
                _with(expected, probe, spoilt),
                Reference(expected, context.cases, context.loaded.relations),
            )
            assert found.status is Status.FAILED, (check.id, probe.id)
    assert tried > 20


def test_a_constant_encoding_is_not_carried_forward(context: GradingContext, expected: Run) -> None:
    """Vectors plus the same row everywhere are wrong even if the own function is that wrong."""
    exercise, named = next(
        (e, c) for e, c in _relations(context) if c.relation == "embed_tokens_adds_positions"
    )
    check = _alone(named)
    asked = probes(check, exercise, context.cases)
    embed, own = (p for p in asked if p.id.endswith("/0"))
    flat = torch.ones(5, 64)
    run = _with(expected, own, to_wire(flat))
    record = expected.probe(embed.id)
    assert record is not None and record.claim is not None
    right = record.claim.value
    assert isinstance(right, Array)
    vectors = np.frombuffer(right.data, np.float32).reshape(5, 64) - exact(5, 64).numpy()
    wrong = to_wire(torch.from_numpy(vectors.astype(np.float32)) + flat)
    found = examine(
        check,
        exercise,
        _with(run, embed, wrong),
        Reference(expected, context.cases, context.loaded.relations),
    )
    assert found.status is Status.FAILED


# ------------------------------------------------------------------ the files


def test_the_assignment_is_worth_sixty_two_points(flagship: Loaded) -> None:
    assert sum(e.max_score for e in flagship.spec.exercise if not e.stretch) == 62_000


def test_the_sample_hand_ins_are_what_make_examples_makes() -> None:
    made = module_of("make_examples").examples()
    assert len(made) > 12
    for name, content in made.items():
        assert (FOLDER / "examples" / name).read_bytes() == content, f"run make_examples.py: {name}"


def test_the_tiny_model_is_the_same_bytes_each_time_and_readable_by_all(tmp_path: Path) -> None:
    maker = module_of("make_model")
    for folder in ("once", "again"):
        maker.make(tmp_path / folder)
    files = sorted(p.relative_to(tmp_path / "once") for p in (tmp_path / "once").rglob("*.*"))
    assert {"model.safetensors", "tokenizer.json", "config.json"} <= {p.name for p in files}
    for file in files:
        first, second = (tmp_path / folder / file for folder in ("once", "again"))
        assert first.is_dir() or first.read_bytes() == second.read_bytes()
        assert first.stat().st_mode & 0o004
