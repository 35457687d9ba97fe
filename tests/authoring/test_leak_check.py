"""No file for students holds an answer, a hidden check, a hidden input or what it gives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import msgspec
import pytest
import torch

from autograder.assignment.load import load
from autograder.assignment.pretrained import prepare
from autograder.authoring import small_calls
from autograder.authoring.leak_check.search import Secret, found, sort_of
from autograder.authoring.leak_check.secret_set import SecretSet, told
from autograder.authoring.release import evidence_for, made_release
from autograder.classroom.boxes import box_for
from autograder.classroom.reference import make_context, prepare_reference
from autograder.errors import SpecError
from autograder.execution.engines.local import Inline
from autograder.grading.context import PreparedClass
from autograder.judging.diagnosis.case_trial import is_small
from autograder.notebook.formats.read import read
from autograder.notebook.template.release import read_template
from autograder.notebook.template.variant import read_variants
from autograder.student.public_evidence import (
    PublicEvidence,
    public_bytes,
    public_evidence,
    read_public,
)
from autograder.wire.messages import Outcome
from autograder.wire.tensors import to_wire
from autograder.wire.values import Array
from tests.support.courses import SMALL, write_course
from tests.support.in_process import Lent
from tests.support.tiny_course import edit

PROGRAM = "autograder/student/shell.py"


HINT = "Look at tables that are not square."
OTHER = 'title = "center works on other tables"'
FORM = """
[[exercise.check]]
id = "form"
kind = "relation"
title = "factor is a number"
points = 1
public = true
relation = "factor_is_a_number"
reads = ["factor"]

[[exercise.check]]
id = "right"
kind = "value"
title = "factor is right"
points = 1
name = "factor"

[[exercise]]
id = "sizes"
"""
RELATION = """import torch


def factor_is_a_number(seen):
    seen.number("factor")
    yield from ()
"""
FACTOR = "mean(dim=1, keepdim=True)\n    # END SOLUTION"


SPEC = "assignments/small/assignment.toml"
# the small assignment with a hint, and a name whose form is looked at and whose value is hidden
CHANGES = (
    (SPEC, OTHER, f'{OTHER}\nhint = "{HINT}"'),
    (SPEC, '\n[[exercise]]\nid = "sizes"\n', FORM),
    ("assignments/small/checks.py", "import torch\n", RELATION),
    ("solutions/small/solution.py", FACTOR, f"{FACTOR}\nfactor = 0.25  # SOLUTION"),
)


@pytest.fixture(scope="module")
def prepared(lent_box: Lent, tmp_path_factory: pytest.TempPathFactory) -> PreparedClass:
    folder = tmp_path_factory.mktemp("secrets")
    course = write_course(folder, SMALL)
    for name, old, new in CHANGES:
        edit(folder / name, old, new)
    course = load(course.folder)
    offer = prepare(course)
    with box_for(course, offer, require="weak") as box:
        context = make_context(course, offer, box, seed=0, draw=False, evidence=folder / "kept")
        return prepare_reference(context, Inline(), lambda what, total: None, mistakes=False)


@pytest.fixture(scope="module")
def knows(prepared: PreparedClass) -> SecretSet:
    course = prepared.context.loaded
    variants = tuple(
        v for kind in ("mistakes", "equivalents") for v in read_variants(course.solutions / kind)
    )
    solution = read(course.solution)
    return SecretSet(course.spec, solution, variants, prepared.context.cases, prepared.expected)


@pytest.fixture(scope="module")
def public(prepared: PreparedClass) -> bytes:
    course = prepared.context.loaded
    return public_bytes(evidence_for(prepared, read_template(course.solution, course.spec)))


def array_in(knows: SecretSet, generator: str) -> Array:
    (value,) = knows.cases[generator][0]
    assert isinstance(value, Array)
    return value


def result_of(knows: SecretSet, part: str) -> Array:
    assert knows.expected is not None
    record = next(p for p in knows.expected.probes if part in p.id)
    assert record.claim is not None and isinstance(record.claim.value, Array)
    return record.claim.value


def notebook(text: str) -> bytes:
    return msgspec.json.encode({"cells": [{"source": [f"{text[:9]}", text[9:]]}]})


# ---------------------------------------------------------------- words


PLANTED = {  # where something is looked for in lines, and where in longer texts
    "notebook": (
        ("return table - table.mean(dim=1, keepdim=True)", "a line of the solution of 'center'"),
        ("numbers.append(numbers[-1] * 0.75)", "a line of the solution of 'shrink'"),
        ("return table - table.mean(dim=0, keepdim=True)", "a line of code of 'columns'"),
        ("return (wide - wide.sum(1)[:, None] / wide.shape[1]).float()", "code of 'wide'"),
        ("center works on other tables", "the title of the hidden check center/tables"),
        ("Look at tables that are not square.", "the hint of the hidden check center/tables"),
    ),
    "program": (
        ("  return table - table.mean(dim=1, keepdim=True)", "a line of the solution of 'center'"),
        ("\n return (center(table) ** 2).sum(dim=1) \n", "the solution of 'sizes', verbatim"),
        ("def shrink(seed):\n\n    return [1.0 + seed] * 13\n", "code of 'no_steps', verbatim"),
        ("# center works on other tables", "the title of the hidden check"),
        ("'Look at tables that are not square.'", "the hint of the hidden check"),
    ),
}


def test_a_planted_text_is_found(knows: SecretSet) -> None:
    for text, what in PLANTED["notebook"]:
        for name, data in (
            ("small.ipynb", notebook(text)),
            ("small.py", f"  # {text}\n".encode()),
        ):
            assert any(what in one for one in told(knows, {name: data})), (name, text)
        assert [*told(knows, {"small.ipynb": notebook(text[2:])})] == []
    for text, what in PLANTED["program"]:
        for name in (PROGRAM, "autograder_student-0.dist-info/METADATA"):
            found = [*told(knows, {name: f"import torch\n{text}".encode()})]
            assert any(what in one for one in found), (name, text)


def test_a_program_may_share_a_short_line_and_notebooks_what_is_shown(knows: SecretSet) -> None:
    assert [*told(knows, {PROGRAM: b"numbers.append(numbers[-1] * 0.75)"})] == []
    given = "The table with the mean of each row taken away."
    assert [*told(knows, {"small.ipynb": notebook(given)})] == []


def test_what_a_public_check_says_or_the_author_shows_is_no_secret(knows: SecretSet) -> None:
    (center, *others) = knows.spec.exercise
    (example, *hidden) = center.check
    same = [hidden[0].model_copy(update={"title": example.title, "hint": "Rows and their sizes"})]
    changed = center.model_copy(update={"check": (example, *same, *hidden[1:])})
    spec = knows.spec.model_copy(update={"exercise": (changed, *others)})
    words = {secret.what for secret in replace(knows, spec=spec).secrets()}
    assert not any("center/tables:" in what for what in words)
    assert any("center/finite:" in what for what in words)


# ---------------------------------------------------------------- numbers and names


def test_public_evidence_as_it_is_made_tells_nothing(knows: SecretSet, public: bytes) -> None:
    assert [*told(knows, {"public.agw": public})] == []


@pytest.mark.parametrize("name", ["public.agw", PROGRAM])
def test_a_hidden_input_and_what_it_gives_are_found(knows: SecretSet, name: str) -> None:
    """Also a part of it, at any place."""
    data = array_in(knows, "tables").data
    assert any(
        "a hidden input of 'tables'" in one
        for one in found({name: b"abc" + data + b"d"}, knows.secrets())
    )
    answer = result_of(knows, "center/call/center/tables/0").data
    said = [*found({name: b"abc" + answer[:16]}, knows.secrets())]
    assert said == [f"{name}: contains the answer to 'center/call/center/tables/0'"]


def test_public_inputs_and_what_they_give_are_no_secret(knows: SecretSet) -> None:
    data = array_in(knows, "small_table").data + result_of(knows, "small_table/0").data
    assert [*found({"public.agw": data}, knows.secrets())] == []


def test_a_single_hidden_number_is_found(knows: SecretSet) -> None:
    assert knows.expected is not None
    (first, *rest) = (p for p in knows.expected.probes if "tables" in p.id)
    assert first.claim is not None
    for value, telling in ((0.8730512, True), (123_456_789, True), (0.5, False), (17, False)):
        claim = msgspec.structs.replace(first.claim, value=value)
        probes = (msgspec.structs.replace(first, claim=claim), *rest)
        run = msgspec.structs.replace(knows.expected, probes=probes)
        held = {"public.agw": b"\x00" + msgspec.msgpack.encode(value)}
        assert bool([*found(held, replace(knows, expected=run).secrets())]) is telling


def test_wide_numbers_and_parts_of_objects_are_found(knows: SecretSet) -> None:
    numbers = [0.1234567890123, 1.2345678901234, 2.3456789012345, 3.4567890123456]
    wide = to_wire([numbers, {"k": to_wire(numbers)}])
    value = to_wire({"deep": [torch.tensor(numbers, dtype=torch.float64)]})
    cases = {**knows.cases, "wide": ((value,),), "plain": ((wide,),)}
    secrets = replace(knows, cases=cases).secrets()
    held = torch.tensor(numbers, dtype=torch.float64).numpy().tobytes()
    assert any("'wide'" in one for one in found({"public.agw": held}, secrets))
    plain = msgspec.msgpack.encode(numbers)
    assert any("'plain'" in one for one in found({"public.agw": plain}, secrets))


def test_hidden_names_in_the_evidence_are_found(knows: SecretSet, public: bytes) -> None:
    plain = msgspec.msgpack.decode(public)

    def holds(**changes: object) -> list[str]:
        data = msgspec.msgpack.encode(plain | changes)
        return [
            one.removeprefix("public.agw: contains ") for one in told(knows, {"public.agw": data})
        ]

    assert holds() == []
    assert "hidden generator 'large'" in holds(cases={**plain["cases"], "large": []})[0]
    outcome = {"center/call/center/large/0": 1}
    assert "hidden generator 'large'" in holds(outcomes={**plain["outcomes"], **outcome})[0]
    listed = {"more": [{"id": "center", "check": [{"id": "finite", "points": 1}]}]}
    assert holds(**listed) == ["the id of the hidden check 'finite'"]
    assert holds(more=[{"id": "sizes", "check": [{"id": "finite"}]}]) == []


def test_an_answer_that_only_a_hidden_check_compares_is_kept_back(
    knows: SecretSet, prepared: PreparedClass, public: bytes
) -> None:
    """A public check looks at its form; the place in the evidence is there, and empty."""
    assert read_public(public).outcomes["center/read/factor"] == Outcome("returned")
    assert prepared.expected.probe("center/read/factor").claim.value == 0.25  # type: ignore[union-attr]
    context = prepared.context
    whole = public_bytes(public_evidence(context.loaded, context.cases, prepared.expected))
    (said,) = told(knows, {"public.agw": whole})
    assert said.endswith("the answer to 'center/read/factor', which only a hidden check compares")


def test_only_small_calls_of_public_checks_are_in_the_evidence(
    knows: SecretSet, public: bytes
) -> None:
    plain = msgspec.msgpack.decode(public)
    small = plain["small"]
    assert {(exercise, check) for exercise, check, _ in small} == {("center", "example")}
    exercise, check, rows = small[0]
    (table,) = msgspec.msgpack.decode(msgspec.msgpack.encode(knows.cases["small_table"][0]))
    answer = {"sizes/small/0123456789abcdef": plain["outcomes"]["center/read/factor"]}

    def holds(**changes: object) -> list[str]:
        data = msgspec.msgpack.encode(plain | changes)
        return [one.partition("contains ")[2] for one in told(knows, {"public.agw": data})]

    for other in (
        (exercise, "form", rows),
        (exercise, check, {"small_table": [table]}),
    ):
        (said,) = holds(small=[*small, other])
        assert said.endswith("that is no small call of a public check")
    assert holds(outcomes=plain["outcomes"] | answer) == [
        "the answer to 'sizes/small/0123456789abcdef', which no public check asks"
    ]


def test_a_small_call_that_gives_part_of_a_hidden_answer_is_left_out(
    prepared: PreparedClass,
) -> None:
    course, run = prepared.context.loaded, prepared.expected
    hidden = run.probe("center/call/center/tables/0")
    assert hidden is not None
    probes = [
        msgspec.structs.replace(p, claim=hidden.claim) if is_small(p.id) else p for p in run.probes
    ]
    same = replace(prepared, expected=msgspec.structs.replace(run, probes=tuple(probes)))
    template = read_template(course.solution, course.spec)
    assert evidence_for(prepared, template).small and not evidence_for(same, template).small


def test_a_small_call_that_is_part_of_a_hidden_input_makes_room_for_another(
    prepared: PreparedClass, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = read_template(prepared.context.loaded.solution, prepared.context.loaded.spec)
    first, *others = before = evidence_for(prepared, template).small
    hidden = Secret("a hidden input", msgspec.msgpack.encode(first.rows))
    monkeypatch.setattr(small_calls, "hidden_values", lambda *_: [hidden])
    found = evidence_for(prepared, template).small
    assert all(call in found for call in others if call.rows != first.rows)
    assert all(call.rows != first.rows for call in found) and len(found) == len(before)


# ---------------------------------------------------------------- the search


def test_files_are_told_apart_by_name() -> None:
    assert sort_of("public.agw") == sort_of("autograder/student/data/a.agw") == "evidence"
    assert sort_of("a.ipynb") == sort_of("a.py") == "notebook"
    assert sort_of(PROGRAM) == sort_of("autograder_student-1.dist-info/RECORD") == "program"


def test_a_secret_is_told_once_for_each_file_and_only_where_it_counts() -> None:
    secrets = [
        Secret("one", b"abc"),
        Secret("two", b"abc"),
        Secret("x", b"d", frozenset(("program",))),
    ]
    files = {"a.agw": b"--abcabcd", PROGRAM: b"d", "b.agw": b"ab"}
    assert [*found(files, secrets)] == ["a.agw: contains one", f"{PROGRAM}: contains x"]


def test_texts_of_a_notebook_are_searched_as_they_are_read() -> None:
    held = msgspec.json.encode(
        {"cells": [{"source": ['say "a', 'b"\n', "é"]}], "metadata": {"key": {"c": 12345}}}
    )
    for needle in ('say "ab"\né', "key", "12345"):
        assert [*found({"a.ipynb": held}, [Secret("it", needle.encode())])]


# ---------------------------------------------------------------- a release


def test_evidence_that_tells_stops_the_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = write_course(tmp_path, SMALL)

    def leaking(prepared: PreparedClass, template: object) -> PublicEvidence:
        made = evidence_for(prepared, template)
        return msgspec.structs.replace(made, title="center works on other tables")

    monkeypatch.setattr("autograder.authoring.release.evidence_for", leaking)
    with pytest.raises(SpecError) as bad:
        made_release(course, Inline(), lambda what, total: None)
    (problem,) = bad.value.problems
    assert problem == (
        "small: the release would give away a secret: public.agw: contains the title of the "
        "hidden check "
        "center/tables: 'center works on other tables'"
    )
