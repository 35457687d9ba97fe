"""What a notebook does to libraries, to its shell and to the interpreter changes no test that was
written for another tool: each attack earns points without the guards and nothing with them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.library_attacks import CELLS, EQUAL, IMPORTS
from tests.support.selection import rarely

ROOT = Path(__file__).resolve().parents[2]

EXAMPLES = {
    "what an exception was": ("sys.exc_info = lambda: (None, None, None)", EQUAL),
    "a prompt": ("code.InteractiveInterpreter.runcode = nothing", EQUAL),
}
FORMS = {"cell": CELLS, "examples": EXAMPLES}
Asked = tuple[tuple[str, ...], str, str, bool]  # cells, form, test, guarded
ATTACKS = [(form, name) for form, attacks in FORMS.items() for name in attacks]


def outcomes(*asked: Asked) -> list[str]:
    """What each test came to, see ``attacked_session``."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.attacked_session"],
        cwd=ROOT,
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stdout)
    return found


@pytest.fixture(scope="module")
def tried(request: pytest.FixtureRequest) -> dict[tuple[str, str], list[str]]:
    """Of each attack: the right answer, a wrong one, the same two with the attack, and the wrong
    one with the attack without guards."""
    chosen = " ".join(item.name for item in request.session.items)
    kinds = ((False, 7, True), (False, 8, True), (True, 7, True), (True, 8, True), (True, 8, False))
    asked = {
        (form, name): [
            ((IMPORTS, *([attack] if attacked else []), f"x = {x}"), form, test, guarded)
            for attacked, x, guarded in kinds
        ]
        for form, attacks in FORMS.items()
        for name, (attack, test) in attacks.items()
        if f"[{form}-{name}]" in chosen
    }
    each = list(dict.fromkeys(one for several in asked.values() for one in several))
    found = dict(zip(each, outcomes(*each), strict=True))
    return {key: [found[one] for one in several] for key, several in asked.items()}


@pytest.mark.parametrize(("form", "name"), rarely(ATTACKS, keep=8))
def test_an_attack_earns_nothing_and_costs_a_right_answer_nothing(
    tried: dict[tuple[str, str], list[str]], form: str, name: str
) -> None:
    right, wrong, right_attacked, wrong_attacked, unguarded = tried[form, name]
    assert right != wrong, "the test does not tell a right answer from a wrong one"
    assert unguarded == right, "the attack attacks nothing"
    assert wrong_attacked != right, "the attack earns points"
    if name != "names that lie":  # there the later cells bind nothing of the notebook's
        assert right_attacked == right, "the attack costs a right answer its points"
