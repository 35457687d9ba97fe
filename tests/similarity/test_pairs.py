"""Copies come before all pairs of honest hand-ins; what a class shares is no evidence."""

from __future__ import annotations

import functools
from random import Random

import msgspec
import pytest

from autograder.gradebook.grade import Grade
from autograder.judging.verdict import Mismatch, Status
from autograder.similarity import fingerprint, normal
from autograder.similarity.fingerprint import MAX_WORDS, fingerprints, given_by, word_fragments
from autograder.similarity.model import LOOK, CodeCell, HandInCode, Pair
from autograder.similarity.pairs import likeness, ranked_pairs
from tests.support.copied_class import DISGUISES, MOVES, Course, copied, course, honest
from tests.support.damage.submission import Draft
from tests.support.effort import costs_at_most
from tests.support.made_grades import check, exercise, grade

STUDENTS, COPIES = 60, 6


@functools.cache
def made() -> Course:
    return course()


def ranked(class_: dict[str, Draft], **keys: object) -> tuple[Pair, ...]:
    codes = [made().code(student, submission) for student, submission in class_.items()]
    given = given_by(made().template(), made().asked)
    return ranked_pairs(codes, given, common=[made().solution()], **keys)  # type: ignore[arg-type]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "quirks"), [(1, True), (2, True), (3, False)])
def test_copies_stand_above_every_pair_of_honest_hand_ins(seed: int, quirks: bool) -> None:
    random = Random(seed)
    class_ = {
        f"student-{at:02}": honest(made(), random, quirks=quirks) for at in range(STUDENTS - COPIES)
    }
    planted = set()
    for at, source in enumerate(random.sample(sorted(class_), COPIES)):
        class_[f"student-{STUDENTS - COPIES + at:02}"] = copied(made(), class_[source], random)
        planted.add((source, f"student-{STUDENTS - COPIES + at:02}"))
    found = ranked(class_, most=COPIES + 1)
    assert {(one.left, one.right) for one in found[:COPIES]} == planted
    assert found[COPIES - 1].score > LOOK > found[COPIES].score


@pytest.mark.parametrize("disguise", [*DISGUISES, *MOVES])
def test_a_disguise_changes_little(disguise: str) -> None:
    random = Random(7)
    given = given_by(made().template(), made().asked)
    source, other = honest(made(), random), honest(made(), random)
    copy = copied(made(), source, random, by=[disguise])
    assert copy.cells != source.cells
    prints = [fingerprints(made().code("x", one), given) for one in (source, copy, other)]
    assert likeness(prints[0], prints[1]) > 0.9
    assert likeness(prints[0], prints[2]) < 0.6


def test_passages_show_the_same_code_on_both_sides() -> None:
    random = Random(5)
    class_ = {f"s{at}": honest(made(), random) for at in range(8)}
    class_["copy"] = copied(made(), class_["s3"], random, by=["commented"])
    pair = ranked(class_)[0]
    assert (pair.left, pair.right) == ("copy", "s3")
    codes = {name: made().code(name, class_[name]) for name in ("copy", "s3")}
    assert pair.passages
    for passage in pair.passages:
        texts = []
        for name, place in (("copy", passage.left), ("s3", passage.right)):
            lines = codes[name].cell(place.cell).split("\n")[place.first - 1 : place.last]
            texts.append([line for line in lines if line.strip() and line.strip()[0] != "#"])
        assert texts[0] and texts[0] == texts[1]
    shown = {exercise for exercise, score in pair.exercises.items() if score > 0.5}
    assert {passage.exercise for passage in pair.passages} <= pair.exercises.keys()
    assert len(shown) > 4


# ---------------------------------------------------------------- small classes


def small(student: str, *cells: str) -> HandInCode:
    made_cells = (CodeCell(at, source, ("e",)) for at, source in enumerate(cells, start=1))
    return HandInCode(student, tuple(made_cells))


TEMPLATE = HandInCode(
    "", (CodeCell(1, "import torch\n"), CodeCell(2, "def f(x):\n    pass\n", ("e",)))
)
ODD = "def f(x):\n    y = torch.roll(x, 3) * x.sum()\n    return torch.where(y > 1, y, x - y)\n"


def of(*hand_ins: HandInCode, **keys: object) -> tuple[Pair, ...]:
    return ranked_pairs(hand_ins, given_by(TEMPLATE, {"f"}), **keys)  # type: ignore[arg-type]


def different(count: int) -> list[HandInCode]:
    """Hand-ins of which no two are alike."""
    names = ("sin", "cos", "exp", "tanh", "relu", "sigmoid", "sqrt", "floor", "ceil", "abs")
    return [
        small(f"d{at}", f"def f(x):\n    return torch.{names[at % 10]}(x) + {'x *' * at} x\n")
        for at in range(count)
    ]


def test_what_the_class_shares_is_no_evidence() -> None:
    twins = [small("a", ODD), small("b", ODD)]
    alone = of(*twins, *different(10))[0]
    among = of(*twins, *(small(f"c{at}", ODD) for at in range(10)))
    assert (alone.left, alone.right) == ("a", "b")
    assert alone.evidence > 5 * max((one.evidence for one in among), default=0)
    assert all(one.score < 0.1 for one in among)


def test_what_equals_the_solution_weighs_less() -> None:
    twins = [small("a", ODD), small("b", ODD), *different(6)]
    assert of(*twins)[0].evidence > of(*twins, common=[small("", ODD)])[0].evidence


def test_the_templates_own_code_is_no_evidence() -> None:
    untouched = [small(name, TEMPLATE.cells[1].source) for name in "abc"]
    assert of(*untouched, *different(3)) == of(*different(3))
    given = given_by(TEMPLATE, {"f"})
    assert fingerprints(untouched[0], given).structure == ()


def test_numbers_that_somebody_made_up_are_evidence() -> None:
    tables = [
        "f = torch.tensor([0.93, 0.11, -0.72, 0.35])\n",
        "f = torch.tensor(\n    [0.93, 0.11,  # mine\n     -0.72, 0.35])\n",
        "f = torch.tensor([0.9, 0.2, -0.7, 0.5])\n",
    ]
    hand_ins = [small(name, text) for name, text in zip("abc", tables, strict=True)]
    first, *rest = of(*hand_ins, *different(8))
    assert (first.left, first.right) == ("a", "b")
    assert all(first.evidence > one.evidence for one in rest)


def test_the_order_of_the_hand_ins_changes_nothing() -> None:
    hand_ins = [small("b", ODD), small("a", ODD), *different(5)]
    assert msgspec.json.encode(of(*hand_ins)) == msgspec.json.encode(of(*reversed(hand_ins)))
    assert of(*hand_ins, small("a", "f = 1")) == of(*hand_ins)  # the first hand-in counts


def test_nobody_and_one_make_no_pair() -> None:
    assert of() == of(small("a", ODD)) == of(small("a", ODD), small("b")) == ()


# ---------------------------------------------------------------- wrong answers


def graded(student: str, status: Status, actual: str) -> Grade:
    wrong = (Mismatch("result of call 1", "value", "1", actual),) if actual else ()
    return grade(student, exercise("e", check("c", status, 0, mismatches=wrong)))


def test_the_same_wrong_answer_is_evidence_and_the_same_right_one_is_not() -> None:
    class_ = different(8)
    wrong = [graded("d0", Status.FAILED, "7.25"), graded("d1", Status.FAILED, "7.25")]
    wrong += [graded(f"d{at}", Status.FAILED, f"{at}") for at in range(2, 8)]
    right = [graded(f"d{at}", Status.PASSED, "") for at in range(8)]
    first = of(*class_, grades=wrong)[0]
    assert (first.left, first.right) == ("d0", "d1")
    assert [(answer.exercise, answer.check, answer.others) for answer in first.answers] == [
        ("e", "c", 0)
    ]
    assert of(*class_, grades=right) == of(*class_)
    common = [graded(f"d{at}", Status.FAILED, "7.25") for at in range(8)]
    assert not any(one.answers for one in of(*class_, grades=common))


# ---------------------------------------------------------------- hostile code

BROKEN = ODD + "def (:\n"
HOSTILE = (
    "f = " + "(" * 5_000 + ")" * 5_000,
    "f = " + "-" * 50_000 + "1",
    "f = " + "+".join(["x"] * 20_000),
    "f = " + "a." * 20_000 + "b",
    "f = 1\n" * 200_000,
    "f = '''" + "x" * 500_000,
    "\0\ud800\u202e def",
    "if x:\n" * 1 + "".join(" " * depth + "if x:\n" for depth in range(1, 95)) + " " * 95 + "f = 1",
    "lambda: " * 3_000 + "1",
    "f = [" + "[0.5, 1.5, 2.5, 3.5], " * 20_000 + "]",
    "'" * 100_000,
    "f" + "(x)" * 3_000,
)


@pytest.mark.parametrize("evil", HOSTILE, ids=lambda text: repr(text[:12]))
def test_hostile_code_costs_little_and_hides_nobody(evil: str) -> None:
    with costs_at_most(6):
        found = of(small("a", ODD, evil), small("b", ODD), small("c", evil), *different(6))
    assert ("a", "b") in {(one.left, one.right) for one in found}


def test_code_that_is_no_python_is_compared_by_its_words() -> None:
    renamed = BROKEN.replace("y", "value").replace("x", "table") + "# other\n"
    first = of(small("a", BROKEN), small("b", renamed), *different(8))[0]
    assert (first.left, first.right, first.by_tokens) == ("a", "b", True)
    assert first.passages


def test_a_large_hand_in_is_not_taken_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    given = given_by(TEMPLATE, {"f"})
    assert fingerprints(small("a", ODD), given).parsed
    monkeypatch.setattr(fingerprint, "MAX_CHARACTERS", 40)
    large = fingerprints(small("a", ODD), given)
    assert not large.parsed and large.words and not large.structure


def test_the_words_of_a_hand_in_are_bounded() -> None:
    assert len(list(word_fragments("x + " * 20_000, 1, frozenset()))) < MAX_WORDS


def test_what_lies_too_deep_is_all_alike() -> None:
    given = given_by(TEMPLATE, {"f"})
    deep = "f = " + "abs(" * 150 + "{0}(1)" + ")" * 150
    prints = [fingerprints(small("a", deep.format(n)), given) for n in ("len", "sum")]
    assert normal.MAX_DEPTH < 150
    assert prints[0].structure == prints[1].structure


def test_a_class_without_exercises_to_compare_has_no_pairs() -> None:
    cells = (CodeCell(1, "x = 1\ny = x + 1\n", (), False),)
    codes = [HandInCode(f"student-0{number}", cells) for number in (1, 2)]
    assert ranked_pairs(codes, given_by(HandInCode("", ()), ())) == ()
