"""An assignment's files: read whole, or refused with every problem, its place and a remedy."""

from __future__ import annotations

import json
import os
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

import jsonschema  # type: ignore[import-untyped]
import numpy as np
import pytest
import torch

from autograder.assignment.kinds import Check, Tolerance
from autograder.assignment.load import Loaded, load, make_cases
from autograder.assignment.measured import write_measured
from autograder.assignment.model import Assignment, thousandths
from autograder.assignment.pretrained import prepare
from autograder.assignment.read import find
from autograder.errors import SpecError, UsageError
from autograder.wire.tensors import from_wire
from autograder.wire.values import Array, Module
from tests.support.tables import rows_beside

HEAD = 'format = 1\nid = "tiny"\ntitle = "A tiny assignment"\n'
INPUTS = "def numbers(rng):\n    return [(int(n),) for n in rng.integers(0, 10**9, 3)]\n"
CHECKS = "def agrees(seen):\n    yield from ()\n"


def exercise(id_: str = "sums", *, title: str = "A sum", **more: str) -> str:
    keys = {"id": f'"{id_}"', "title": f'"{title}"', "defines": '["total"]', **more}
    return "\n[[exercise]]\n" + "".join(f"{k} = {v}\n" for k, v in keys.items() if v)


def check(id_: str = "total", **more: str) -> str:
    """A value check; keys are TOML, an empty one is left out."""
    keys = {"id": f'"{id_}"', "kind": '"value"', "title": '"the total"', "points": "1"}
    keys |= {"name": '"total"', **more}
    return "[[exercise.check]]\n" + "".join(f"{k} = {v}\n" for k, v in keys.items() if v)


def written(
    folder: Path, toml: str, *, inputs: str | None = None, checks: str | None = None
) -> Path:
    """An assignment's folder with these files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "assignment.toml").write_text(toml)
    for name, text in (("inputs.py", inputs), ("checks.py", checks)):
        if text is not None:
            (folder / name).write_text(text)
    return folder


def problems(folder: Path) -> Sequence[str]:
    """What is wrong with a folder, each in one line that names a file."""
    with pytest.raises(SpecError) as refused:
        make_cases(load(folder), 1)
    assert all(str(folder) in problem for problem in refused.value.problems)
    return refused.value.problems


def the_problem(folder: Path) -> str:
    (only,) = problems(folder)
    return only


def test_a_small_assignment_is_read_whole(tmp_path: Path) -> None:
    call = {"kind": '"function"', "name": "", "call": '"double"', "inputs": '"numbers"'}
    relation = {"kind": '"relation"', "name": "", "relation": '"agrees"', "points": '"0.125"'}
    relation["needs"] = '["doubles"]'
    toml = HEAD + exercise() + check() + check("doubles", **call) + check("agrees", **relation)
    folder = written(tmp_path / "tiny", toml, inputs=INPUTS, checks=CHECKS)
    loaded = load(folder)
    assert [c.id for c in loaded.spec.exercise[0].check] == ["total", "doubles", "agrees"]
    assert loaded.spec.exercise[0].max_score == 2125
    assert set(loaded.generators) == {"numbers"} and set(loaded.relations) == {"agrees"}


# ---------------------------------------------------------------- all problems at once


@pytest.mark.parametrize("end", ["", "\n", "\n[limits]\n"])
def test_a_duplicate_key_is_named_with_its_line(tmp_path: Path, end: str) -> None:
    toml = 'id = "tiny"\ntitle = "Tiny"\nid = "other"' + end
    folder = written(tmp_path / "tiny", toml, inputs=INPUTS, checks=CHECKS)
    assert "duplicate key 'id' (line 3). Remove one of them" in the_problem(folder)
    toml = 'id = "tiny"\nid = """o\nther"""' + end
    folder = written(tmp_path / "more", toml, inputs=INPUTS, checks=CHECKS)
    assert ": this is defined a second time" in the_problem(folder)


def test_every_problem_is_told_at_once_with_its_place_and_a_remedy(tmp_path: Path) -> None:
    toml = (
        HEAD
        + "[limits]\ncell_cpu_s = -1\n"
        + exercise()
        + check(colour='"red"')
        + check("far", points="", tolerance="{ rtol = 1e-5, why = 'measured on two machines' }")
        + exercise("waves", title="Waves", defines='["2nd"]')
        + check("shape", kind='"shape"', colour='"red"', points="-1")
        + check("calls", kind='"function"', name="", call='"wave"', inputs='"lengths"')
        + check("after", needs='["later"]')
        + check("later")
        + exercise("sums")
        + check(kind='"relation"', name="", relation='"agreed"')
    )
    folder = written(tmp_path / "tiny", toml, inputs=INPUTS, checks=CHECKS)
    expected = [
        ("limits, cell_cpu_s", "write a number above 0, not -1"),
        ("exercise 'sums', check 'total', colour", "correct its spelling or remove it"),
        ("exercise 'sums', check 'far', points", "this key is required; add it"),
        ("exercise 'sums', check 'far', tolerance, atol", "this key is required; add it"),
        ("exercise 'waves', defines number 1", "not a Python name; write one such as"),
        ("exercise 'waves', check 'shape'", "kind = 'shape': unknown kind"),
        ("exercise 'waves', check 'shape', colour", "correct its spelling or remove it"),
        ("exercise 'waves', check 'shape', points", "write a number of at least 0, not -1"),
        ("exercise 'waves', check 'calls'", "inputs.py has no such function"),
        ("exercise 'waves', check 'after'", "needs = 'later' does not name an earlier check"),
        ("exercise id 'sums' is used 2 times", "must be unique"),
        ("exercise 'sums', check 'total': relation = 'agreed'", "checks.py has no such function"),
    ]
    found = problems(folder)
    for place, remedy in expected:
        assert [p for p in found if place in p and remedy in p], (place, found)
    assert len(found) == len(expected), found
    assert all(p.startswith(f"{folder / 'assignment.toml'}: ") for p in found)


def test_problems_of_all_three_files_are_told_together(tmp_path: Path) -> None:
    toml = HEAD + exercise() + check(points="-1")
    folder = written(tmp_path / "tiny", toml, inputs="import nowhere\n", checks="def agrees(:\n")
    told = "\n".join(problems(folder))
    assert told.count("\n") == 2 and "assignment.toml" in told
    assert "inputs.py: cannot be imported: ModuleNotFoundError" in told
    assert "checks.py, line 1: invalid syntax: `def agrees(:`; correct this" in told


# ---------------------------------------------------------------- one problem each


@pytest.mark.parametrize(("slip", "said"), rows_beside(__file__)["slips"])
def test_a_slip_in_the_toml_is_named_with_its_line_and_what_is_expected(
    tmp_path: Path, slip: str, said: str
) -> None:
    folder = written(tmp_path / "tiny", HEAD + exercise() + slip + "\n")
    assert said in the_problem(folder)
    assert the_problem(folder).startswith(f"{folder / 'assignment.toml'}, line ")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    assert "cannot be read" in the_problem(written(tmp_path, "") / "..")
    (tmp_path / "assignment.toml").write_bytes(b'title = "\xff"')
    assert "cannot be read" in the_problem(tmp_path)
    measured = HEAD + exercise() + check(tolerance='"measured"')
    (written(tmp_path, measured) / "measured.toml").write_text("[sums\n")
    assert "measured.toml: cannot be read" in problems(tmp_path)[0]


def bounds(rtol: str, atol: str, why: str = "long enough a reason") -> str:
    return check(tolerance=f"{{ rtol = {rtol}, atol = {atol}, why = '{why}' }}")


RELATION = {"kind": '"relation"', "name": "", "relation": '"agrees"'}


WRONG = {
    "two checks of one id": (check() + check(), "'total': duplicate id"),
    "a check that needs itself": (check(needs='["total"]'), "does not name an earlier check"),
    "a check that needs nobody": (check(needs='["ghost"]'), "needs = 'ghost'"),
    "a ten-thousandth of a point": (check(points='"0.0001"'), "at most three decimals"),
    "an id with a slash": (check("a/b"), "check 'a/b', id"),
    "no kind": (check(kind=""), "the key kind is required; add it"),
    "a name with a call in it": (check(name='"f()"'), "name: this is not a Python name"),
    "calls of unknown inputs": (
        check(**RELATION, calls='[{ call = "f", inputs = "ghosts" }]'),
        "inputs = 'ghosts', but inputs.py has no such function",
    ),
    "no check at all": ("", "exercise 'sums', check: this key is required"),
    "a bound without the other": (
        check(tolerance="{ atol = 1e-5, why = 'long enough' }"),
        "check 'total', tolerance, rtol: this key is required",
    ),
    "a reason that is none": (bounds("1e-5", "0.0", "so"), "check 'total', tolerance"),
    "a negative bound": (bounds("-1e-5", "0.0"), "check 'total', tolerance"),
    "a relative bound above one": (bounds("2.0", "0.0"), "check 'total', tolerance"),
    "an endless bound": (bounds("0.1", "inf"), "check 'total', tolerance"),
    "a bound that is no number": (bounds("nan", "0.0"), "check 'total', tolerance"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_check_is_refused(tmp_path: Path, what: str) -> None:
    toml, told = WRONG[what]
    folder = written(tmp_path, HEAD + exercise() + toml, inputs=INPUTS, checks=CHECKS)
    assert told in the_problem(folder)


@pytest.mark.parametrize(
    "toml",
    [
        "",
        'exercise = "x"',
        "exercise = [1]",
        "[exercise]\nid = 3",
        HEAD + exercise() + check(id="[{}]", needs="[[1]]", calls="[3]", relation="{}"),
        HEAD + exercise() + check(needs="3", inputs="[]", calls="3"),
    ],
)
def test_a_file_of_quite_another_kind_is_refused_politely(tmp_path: Path, toml: str) -> None:
    assert problems(written(tmp_path, toml))


# ---------------------------------------------------------------- inputs.py

ONE_CALL = check("calls", kind='"function"', name="", call='"f"', inputs='"made"')


BAD_INPUTS = [
    ("    return [(1 / 0,)]", "raised ZeroDivisionError"),
    ("    pass", "raised TypeError"),
    ("    return []", "a list of at least one tuple"),
    ("    return [1, 2]", "a list of at least one tuple"),
    ("    return [[1]]", "a list of at least one tuple"),
    ("    return [(object(),)]", "an argument of type object cannot be sent to the sandbox"),
    ("    return [([{'key': (print,)}],)]", "type builtin_function_or_method"),
    ("    return [(torch.nn.Linear(1, 1),)]", "a module of type Linear cannot be sent"),
    ("    return [(torch.eye(2).to_sparse(),)]", "type Tensor"),
]


@pytest.mark.parametrize(("body", "told"), BAD_INPUTS)
def test_inputs_that_cannot_be_sent_are_refused(tmp_path: Path, body: str, told: str) -> None:
    inputs = f"import torch\ndef made(rng):\n{body}\n"
    said = the_problem(written(tmp_path, HEAD + exercise() + ONE_CALL, inputs=inputs))
    assert told in said and f"{tmp_path / 'inputs.py'}: made: " in said
    more = inputs + "def more(rng):\n    return [(print, max)]\ndef less():\n    return [(1,)]\n"
    every = problems(written(tmp_path, HEAD + exercise() + ONE_CALL, inputs=more))
    assert len(every) == 4 and said in every


def test_inputs_that_were_just_changed_are_read_anew(tmp_path: Path) -> None:
    """Also within a second and at the same size, which is all that compiled files tell of."""
    inputs = "def made(rng):\n    return [(1,)]\n"
    toml = HEAD + exercise() + ONE_CALL
    found = []
    for text in (inputs, inputs.replace("1", "2")):
        folder = written(tmp_path, toml, inputs=text)
        os.utime(folder / "inputs.py", (10**9, 10**9))
        found.append(make_cases(load(folder), 1)["made"])
    assert found == [((1,),), ((2,),)]


def test_cases_depend_on_the_seed_and_the_generator_alone(tmp_path: Path) -> None:
    inputs = INPUTS + INPUTS.replace("numbers", "others") + "def _hidden(rng):\n    return 1 / 0\n"
    loaded = load(written(tmp_path, HEAD + exercise() + check(), inputs=inputs))
    once, again, other = (make_cases(loaded, seed) for seed in (1, 1, 2))
    assert once == again
    assert once["numbers"] != other["numbers"] and once["numbers"] != once["others"]
    assert set(once) == {"numbers", "others"}
    alone = make_cases(load(written(tmp_path / "b", HEAD + exercise() + check(), inputs=INPUTS)), 1)
    assert alone["numbers"] == once["numbers"]


def test_all_that_may_be_sent_can_be_sent(tmp_path: Path) -> None:
    inputs = (
        "import numpy as np, torch\ndef made(rng):\n"
        "    return [(1, 2.5, 'a', True, None, [1, (2,)], torch.ones(2), np.ones(2), 10**40),\n"
        "            (torch.nn.Embedding(3, 2),)]\n"
    )
    first, second = make_cases(
        load(written(tmp_path, HEAD + exercise() + ONE_CALL, inputs=inputs)), 1
    )["made"]
    plain = [from_wire(value) for value in first]
    assert plain[:6] == [1, 2.5, "a", True, None, [1, (2,)]]
    assert isinstance(plain[6], torch.Tensor) and isinstance(plain[7], np.ndarray)
    assert plain[8] == 10**40
    assert isinstance(second[0], Module) and isinstance(second[0].entries[0].array, Array)


# ---------------------------------------------------------------- finding, the schema, models


def test_an_assignment_is_found_by_id_from_anywhere_below_and_by_folder(tmp_path: Path) -> None:
    folder = written(tmp_path / "assignments" / "tiny", HEAD + exercise() + check())
    deep = tmp_path / "out" / "monday"
    deep.mkdir(parents=True)
    assert find("tiny", deep) == find(str(folder), Path("/")) == folder.resolve()
    assert find("embeddings-and-position", deep).is_dir()  # the package brings its own
    known = r"no assignment 'tiney'.*\(.*embeddings-and-position, .*tiny"
    with pytest.raises(UsageError, match=known):
        find("tiney", tmp_path)


def test_points_are_exact_thousandths(tmp_path: Path) -> None:
    toml = HEAD + exercise() + "".join(check(f"c{n}", points="0.1") for n in range(3))
    (made,) = load(written(tmp_path, toml)).spec.exercise
    assert made.max_score == 300 and {thousandths(c.points) for c in made.check} == {100}


def test_from_one_folder_too_high_the_course_to_change_to_is_named(tmp_path: Path) -> None:
    for course in ("my course", "all/other"):
        written(tmp_path / course / "assignments" / "tiny", HEAD + exercise() + check())
    with pytest.raises(UsageError, match="run `cd all/other` or `cd 'my course'` first"):
        find("tiny", tmp_path)
    with pytest.raises(UsageError, match="run `cd other` first"):
        find("tiny", tmp_path / "all")
    with pytest.raises(UsageError, match=r"tiney.*; courses are in all/other, my course\)"):
        find("tiney", tmp_path)


def test_a_tolerance_to_be_measured_must_have_been_measured(tmp_path: Path) -> None:
    measured = HEAD + exercise() + check(tolerance='"measured"')
    folder = written(tmp_path / "assignments" / "tiny", measured)
    with pytest.raises(SpecError, match=r"check 'total': tolerance = \"measured\".*--measure"):
        load(folder)
    assert load(folder, measuring=True).wanted.missing == {"sums/total"}
    why = Tolerance(rtol=0.0, atol=1e-5, why='It says "enough", and \\ too.')
    write_measured(folder, "tiny", {"sums/total": why})
    loaded = load(folder)
    assert loaded.spec.exercise[0].check[0].tolerance == why  # type: ignore[union-attr]
    assert (loaded.wanted.measured, loaded.wanted.missing) == ({"sums/total"}, frozenset())


def test_the_solution_lies_beside_or_under_solutions(tmp_path: Path) -> None:
    folder = written(tmp_path / "assignments" / "tiny", HEAD + exercise() + check())
    away = tmp_path / "solutions" / "tiny"
    assert (load(folder).solution, load(folder).solutions) == (away / "solution.py", away)
    (folder / "solution.py").write_text("")
    assert (load(folder).solution, load(folder).solutions) == (folder / "solution.py", folder)
    assert load(folder).template == tmp_path / "student_templates" / "tiny.ipynb"


def test_the_schema_is_one_and_knows_every_kind_of_check(flagship: Loaded) -> None:
    schema = json.loads(json.dumps(Assignment.model_json_schema()))
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    union = get_args(get_args(Check)[0])
    kinds = {get_args(kind.model_fields["kind"].annotation)[0] for kind in union}
    checks = schema["$defs"]["Exercise"]["properties"]["check"]["items"]
    assert checks["discriminator"]["mapping"].keys() == kinds
    data = tomllib.loads((flagship.folder / "assignment.toml").read_text())
    validator.validate(data)
    data["exercise"][0]["check"][0]["colour"] = "red"
    assert not validator.is_valid(data)


def test_a_package_that_is_not_there_leaves_its_exercise_out(tmp_path: Path) -> None:
    toml = HEAD + exercise(requires='["no_such_package"]') + check() + exercise("b") + check()
    offer = prepare(load(written(tmp_path, toml)))
    assert offer.unavailable == {"sums"} and offer.folder is None


def test_a_model_that_nobody_makes_is_a_problem(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    toml = 'model = "small"\n' + HEAD + exercise(requires='["numpy"]') + check()
    folder = written(tmp_path / "a", toml)
    with pytest.raises(SpecError, match=r"model = 'small'.*make_model\.py; add one"):
        prepare(load(folder))
    (folder / "make_model.py").write_text("def make(folder):\n    raise OSError('no space')\n")
    with pytest.raises(SpecError, match=r"make\(\) failed[\s\S]*no space"):
        prepare(load(folder))
    maker = "def make(folder):\n    (folder / 'weights').write_text('1')\n"
    (folder / "make_model.py").write_text(maker)
    offer = prepare(load(folder))
    assert offer.folder is not None and (offer.folder / "weights").read_text() == "1"
    made = offer.folder.stat().st_mtime_ns
    assert prepare(load(folder)) == offer and offer.folder.stat().st_mtime_ns == made
    own = folder / "models"
    own.mkdir()
    assert prepare(load(folder)).folder == own
