"""A validation shown to people: in the terminal, as JSON, as a page with pictures."""

from __future__ import annotations

import html
import io
import json
import math
import re
import tomllib
from typing import get_args

import msgspec
import pytest
from rich.cells import cell_len
from rich.console import Console

from autograder.judging.verdict import Status
from autograder.reports.validation.matrix import ValidationMatrix
from autograder.reports.validation.model import (
    Distance,
    FamilyCount,
    Generated,
    Problem,
    Rule,
    Survivor,
    Validation,
    VariantRow,
    Window,
)
from autograder.reports.validation.page import validation_page
from autograder.reports.validation.rules import (
    COLOURS,
    NO_MISTAKES,
    RULES,
    SYMBOLS,
    diff_lines,
    edge,
    percent,
    place,
    survivor_entries,
)
from autograder.reports.validation.terminal import SHOWN, validation_json, validation_view
from tests.support.elements import Elements
from tests.support.made_validation import HOSTILE, MARKUP, flawless, made

HIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\ud800-\udfff]")
SEEN = r"[bold red]not markup[/] & \x1b[31mred\u202e $x^2$ \ud800 注意"  # MARKUP made visible
EMPTY = Validation("a", "A", 0.0, 0, 0, (), (), (), (), 0, 0, 0.95, (), {})
WINDOW = Window(
    "e/c",
    1e-5,
    1e-5,
    "measured",
    (Distance("equal", 0.0), Distance("float32", 3e-7)),
    (Distance("shape", math.inf), Distance("degrees", 0.02)),
)


def shown(found: Validation, width: int = 120, *, colours: bool = False) -> str:
    file = io.StringIO()
    Console(
        file=file, width=width, force_terminal=colours, color_system="standard" if colours else None
    ).print(validation_view(found))
    return file.getvalue()


def line_of(text: str, start: str) -> str:
    return next(line for line in text.splitlines() if line.lstrip("▸ ").startswith(start))


def one(sort: str, name: str, *, fails: str = "", told: tuple[str, ...] = ()) -> VariantRow:
    statuses = {check: "failed" if check in fails.split() else "passed" for check in ("e/a", "e/b")}
    return VariantRow(sort, name, "e", name, statuses, {"e": 500}, told)  # type: ignore[arg-type]


def small(*rows: VariantRow, **changes: object) -> Validation:
    return msgspec.structs.replace(EMPTY, checks=("e/a", "e/b", "f/c"), rows=rows, **changes)


@pytest.fixture(scope="module")
def page() -> str:
    return validation_page(made())


# words


def test_every_rule_and_every_status_has_its_words() -> None:
    assert set(RULES) == set(get_args(Rule))
    assert set(SYMBOLS) == set(COLOURS) == {status.value for status in Status}
    assert len(set(SYMBOLS.values())) == len(SYMBOLS)
    assert len({ground for ground, _ in COLOURS.values()}) == len(COLOURS)


def test_a_share_below_the_floor_never_reads_like_the_floor() -> None:
    shares = [percent(share) for share in (0.94996, 0.95, 0.29, 0.58, 1.0)]
    assert shares == ["94.9 %", "95 %", "29 %", "58 %", "100 %"]


def test_only_lines_after_the_first_place_of_a_diff_are_added_or_removed() -> None:
    lines = list(diff_lines("--- a\n+++ b\n@@ -1 +1 @@\n--- a comment\n+x\x1b\n y"))
    assert [kind for kind, _ in lines] == [*["where"] * 3, "removed", "added", "kept"]
    assert lines[4][1] == r"+x\x1b"


@pytest.mark.parametrize("width", [60, 200])
def test_no_line_is_wider_than_the_console_and_names_are_no_markup(width: int) -> None:
    text = shown(made(), width)
    assert max(map(cell_len, text.splitlines())) <= width
    assert not HIDDEN.search(text) and MARKUP not in text
    assert width < 200 or (SEEN in text and "<i>first</i>" in text)


def test_a_tolerance_lies_inside_its_window_or_is_told_where() -> None:
    def lies(**changes: object) -> str:
        return place(msgspec.structs.replace(WINDOW, **changes))

    assert lies() == lies(atol=3e-7) == "inside"
    assert lies(atol=2.9e-7) == "too tight"
    assert lies(atol=0.02) == "too loose"
    assert lies(wrong=(Distance("near", 3e-7),)) == "no room"
    assert edge(WINDOW, "right") == ("3e-07", "float32")
    assert edge(WINDOW, "wrong") == ("0.02", "degrees")
    nowhere = msgspec.structs.replace(WINDOW, wrong=(Distance("shape", math.inf),), right=())
    assert edge(nowhere, "wrong") == ("none would do", "")
    assert edge(nowhere, "right") == ("not known", "")


# the terminal


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_no_line_is_wider_than_the_console(width: int) -> None:
    lines = shown(made(), width).splitlines()
    assert max(map(cell_len, lines)) <= width
    assert not HIDDEN.search("".join(lines))


def test_a_line_of_the_matrix_tells_each_check_and_what_the_student_reads() -> None:
    spreads, cut = one("mistake", "spreads", fails="e/a"), one("mistake", "cut")
    rows = (
        one("mistake", "alike", fails="e/a", told=("alike",)),
        one("mistake", "other", fails="e/a e/b f/c", told=("alike",)),
        one("mistake", "both", fails="e/b", told=("x", "y")),
        one("mistake", "unknown", fails="e/b"),
        msgspec.structs.replace(spreads, statuses={**spreads.statuses, "f/c": "raised"}),
        msgspec.structs.replace(cut, statuses={"e/b": "failed"}),  # the rest was not asked
    )
    text = shown(small(*rows))
    assert [line_of(text, row.name).split()[1:] for row in rows] == [
        ["✗", "·", "0.5", "="],
        ["✗", "✗", "0.5", "≠"],
        ["·", "✗", "0.5", "~"],
        ["·", "✗", "0.5", "–"],
        ["✗", "·", "0.5", "1", "–"],  # one that it breaks in another exercise
        ["✗", "0.5", "–"],
    ]
    mutants = [one("mutant", f"m{n}", fails="e/a e/b" if n < 2 else "e/a") for n in range(12)]
    assert line_of(shown(small(*mutants)), "12 mutants").split()[2:] == ["12", "2", "0.5"]


def test_answers_in_order_are_folded_and_those_in_trouble_are_not() -> None:
    rows = [one("equivalent", f"form-{at}") for at in range(6)]
    text = shown(small(*rows, problems=(Problem("unfair", "It loses a point.", "form-4"),)))
    assert line_of(text, "5 equivalents").split() == ["5", "equivalents", "·", "·", "0.5"]
    assert line_of(text, "form-4").startswith("▸ form-4")
    assert "form-3" not in text


def test_a_problem_with_one_sort_says_nothing_of_a_namesake_of_another() -> None:
    rows = (one("mistake", "twin", fails="e/a"), one("equivalent", "twin"))
    arranged = ValidationMatrix(
        small(*rows, problems=(Problem("unfair", "It loses a point.", "twin"),))
    )
    assert [arranged.troubled(row) for row in rows] == [False, True]
    assert arranged.in_order("mistake") == (1, 1)
    assert arranged.in_order("equivalent") == (0, 1)


def test_checks_that_do_not_fit_side_by_side_stand_in_parts_that_lose_none() -> None:
    checks = tuple(f"e/check-number-{at}" for at in range(40))
    row = VariantRow("mistake", "m", "e", "m", dict.fromkeys(checks, "failed"), {"e": 0}, ("m",))
    text = shown(msgspec.structs.replace(EMPTY, checks=checks, rows=(row,)), 80)
    lines = [line.split() for line in text.splitlines() if line.split()[:1] == ["m"]]
    assert len(lines) > 1
    assert sum(line.count("✗") for line in lines) == 40
    assert "40:check-number-39" in text


def test_each_rule_is_told_once_with_its_problems_and_a_remedy(page: str) -> None:
    text = shown(made(), 200)
    for rule in ("missed", "elsewhere", "unfair", "idle", "tolerance", "kill rate", "trivial"):
        title, remedy = RULES[rule]
        assert text.count(title) == 1
        assert remedy in text
    assert text.count("Zeros number") == SHOWN
    assert f"and {24 - SHOWN} more" in text
    assert text.rstrip().endswith("Not valid: 31 problems.")
    assert Elements(page).text.count("Zeros number") == 24


def test_survivors_are_coloured_diffs_with_the_unexplained_ones_first() -> None:
    diff = "--- s\n+++ m\n@@ -1 +1 @@\n-old\n+new\n"
    survivors = (
        Survivor("first", "e", "swap", 3, diff, "Both are [bold]equal[/]."),
        Survivor("second", "e", "swap", 4, diff),
    )
    found = small(mutants=40, killed=38, survivors=survivors)
    text = shown(found)
    assert text.index("second") < text.index("first")
    assert "Explained: Both are [bold]equal[/]." in text
    assert text.count("[[survivor]]") == 1
    assert tomllib.loads(survivor_entries(found))["survivor"][0]["mutant"] == "second"
    assert "38 of 40 mutants killed: 95 %, the floor is 95 %." in text
    assert line_of(text, "mutants").split()[:3] == ["mutants", "39", "40"]
    assert "\x1b[31m    -old\x1b[0m" in shown(found, colours=True)


def test_right_answers_that_lose_are_diffs_each_shown_once(page: str) -> None:
    found = msgspec.structs.replace(made(), survivors=())
    text = shown(found, 200)
    assert line_of(text, "products").split() == ["products", "37", "2", "3"]
    assert text.count("▸ lookups-1") == text.count("▸ lookups-2") == 1 and "lookups-3" not in text
    for said in (text, Elements(page).text):
        assert "2 of 46 generated equivalents lose points." in said
    assert page.count("<h3><bdi>lookups-1") == 1 and HOSTILE not in page


def test_a_solution_that_fails_is_all_that_is_shown() -> None:
    found = msgspec.structs.replace(
        EMPTY, problems=(Problem("solution", "solution.py, line 3: wrong"),)
    )
    for text in (shown(found), Elements(validation_page(found)).text):
        assert "solution.py, line 3: wrong" in text and "Not valid: 1 problem" in text
        assert "Diagnosis" not in text and "mutants" not in text.lower()


def test_an_assignment_without_problems_is_valid() -> None:
    text = shown(flawless(), 200)
    assert "Valid: this assignment is ready to use." in text
    assert "Fix: " not in text
    for valid in (EMPTY, msgspec.structs.replace(flawless(), rows=flawless().rows[:4])):
        text = Elements(validation_page(valid)).text
        assert "No mutant survives." in text
        assert "Not valid" not in text and "Fix." not in text
    assert "Valid" in shown(EMPTY) and json.loads(validation_json(EMPTY))["rows"] == []


# JSON


def test_json_is_the_same_whatever_the_order_in_which_statuses_came() -> None:
    found = made()
    turned = msgspec.structs.replace(
        found,
        rows=tuple(
            msgspec.structs.replace(row, statuses=dict(reversed(row.statuses.items())))
            for row in found.rows
        ),
    )
    assert validation_json(turned) == validation_json(found)
    assert r"\\ud800" in validation_json(found)


# the page


def test_nothing_in_a_validation_becomes_a_tag_of_the_page(page: str) -> None:
    seen = Elements(page)
    danger = "script i b iframe object form link base svg img"
    assert not {*seen.tags} & {*danger.split()}
    assert HOSTILE not in page
    assert html.escape(HOSTILE) in page.replace("&#39;", "&#x27;")
    assert not [name for name, _ in seen.attributes if name.startswith("on")]
    assert all((to or "#").startswith("#") for name, to in seen.attributes if name == "href")
    assert not HIDDEN.search(page)
    page.encode()


def test_the_tables_of_the_page_hold_every_variant_and_tolerance(page: str) -> None:
    text, found = Elements(page).text, made()
    variants = [row.name for row in found.rows if row.sort != "mutant" and row.name != MARKUP]
    for name in (*variants, *(window.check for window in found.windows), SEEN):
        assert name in text


def test_every_status_has_a_colour_a_symbol_and_its_word() -> None:
    rows = (
        msgspec.structs.replace(one("mistake", status), statuses={"e/a": status})
        for status in COLOURS
    )
    page = validation_page(small(*rows))
    for status, (ground, ink) in COLOURS.items():
        assert f".words .troubled td.{status} {{ background: {ground}; color: {ink}; }}" in page
        word = f'<span class="word">{status}</span>'
        assert f'<td class="status {status}">{SYMBOLS[status]} {word}</td>' in page
        assert f">{SYMBOLS[status]}</span> {status}</li>" in page  # in the key


def test_the_page_counts_what_is_in_order_and_shows_it_below() -> None:
    """Names are broken after hyphens and underscores; columns without a text are left out."""
    trivial = [one("trivial", f"e-trivial_{n}", fails="e/a") for n in range(3)]
    found = small(one("solution", "solution"), *trivial, one("mistake", "m", told=("m",)))
    page = validation_page(found)
    table, _, below = page.partition("<details><summary>The 3 trivial answers in order")
    assert "3 trivial answers in order, failed by</th><td>3</td><td>0</td>" in table
    name = "e-<wbr>trivial_<wbr>2"
    assert name not in table and name in below
    assert ">Costs</th>" in table and ">Failed elsewhere</th>" not in page
    assert (
        "Equivalents" not in page and "skipped" not in Elements(table).text.partition("Summary")[2]
    )


def test_the_terminal_names_no_colour_and_no_family_of_which_there_is_none() -> None:
    families = {"flow": FamilyCount(6, 0, 0), "axes": FamilyCount(0, 0, 0)}
    found = small(one("solution", "solution"), generated=Generated(families))
    text = shown(found)
    assert "blue" not in text and "axes" not in text and line_of(text, "flow").split()[1] == "6"
    assert "mutants  " not in text and "ungraded" not in text
    assert "axes" not in validation_page(found)


def test_known_mistakes_are_counted_in_words_and_none_is_a_sentence() -> None:
    none = small(one("equivalent", "loop"), mutants=1, diagnosis={})
    page = Elements(validation_page(none)).text
    assert NO_MISTAKES in " ".join(shown(none).split()) and NO_MISTAKES in page
    assert "not recognised" not in page
    assert "how feedback names" not in " ".join(shown(none).split())
    named = small(one("mistake", "a", told=("a",)), diagnosis={"right": 1, "none": 0})
    said = " ".join(shown(named).split())
    assert "Diagnosis of 1 known mistake: 1 named correctly." in said
    assert "how feedback names" in said and "other:" not in said
