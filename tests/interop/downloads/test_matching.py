"""Who is meant: the order of the evidence, and what identifies nobody."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from autograder.gradebook.people import Person, Roster
from autograder.interop.downloads.delivery import Identity
from autograder.interop.downloads.matching import match_all
from autograder.interop.downloads.names import folded, squashed

CASES = yaml.safe_load(Path(__file__).with_name("identities.yaml").read_text("utf-8"))


def identity(told: dict[str, Any]) -> Identity:
    keys, texts = tuple(told.get("keys", {}).items()), tuple(told.get("texts", ()))
    usual = {"own": told.get("name", "")}
    return Identity(**{**usual, **told, "keys": keys, "texts": texts})


@pytest.mark.parametrize("name", CASES)
def test_who_is_meant(name: str) -> None:
    roster = Roster(tuple(Person(**person) for person in CASES[name]["roster"]))
    for call in CASES[name]["calls"]:
        matches = list(match_all([*map(identity, call["of"])], roster).values())
        assert [list(match.students) for match in matches] == call["are"], call
        for match in matches:
            assert match.how == call.get("how", match.how)
            assert call.get("note", "") in match.note


def test_signs_without_letters_fold_to_nothing() -> None:
    assert squashed("😀 !?") == folded("😀") == ""


def test_the_unknown_never_get_an_id_that_somebody_has() -> None:
    roster = Roster((Person("ab"), Person("ab-2"), Person("AB")))
    unknown = [Identity("A\tB", name="AB\u200b")]
    unknown += [Identity("aB", apart=apart) for apart in ("1", "2", "2")]
    ids = [match.students[0] for match in match_all(unknown, roster).values()]
    assert len({id_.casefold() for id_ in ids} | {"ab", "ab-2"}) == 2 + len(ids)
