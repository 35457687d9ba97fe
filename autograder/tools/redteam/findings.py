"""What `autograder redteam` found, as plain data: for the table and for JSON."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from autograder.tools.redteam.attack import KINDS
from autograder.tools.redteam.run import AttackResult, AttackRound


def findings(rounds: Sequence[AttackRound]) -> dict[str, Any]:
    """Counts by class and level, and every attack that was not contained or is known."""
    return {
        "held": all(round_.held for round_ in rounds),
        "levels": [_level(round_) for round_ in rounds],
    }


def _level(round_: AttackRound) -> dict[str, Any]:
    classes = {}
    for kind in KINDS:
        own = [r for r in round_.results if r.attack.kind == kind]
        if own:
            classes[kind] = {"contained": sum(r.contained for r in own), "total": len(own)}
    return {
        "level": round_.level,
        "seconds": round(round_.seconds, 1),
        "classes": classes,
        "contained": sum(r.contained for r in round_.results),
        "total": len(round_.results),
        "class_problems": list(round_.problems),
        "not_contained": [_entry(r) for r in round_.results if not r.contained and not r.known],
        "known": [_entry(r) for r in round_.results if not r.contained and r.known],
        "no_longer_failing": [_entry(r) for r in round_.results if r.contained and r.known],
    }


def _entry(result: AttackResult) -> dict[str, Any]:
    return {
        "attack": result.attack.name,
        "title": result.attack.title,
        "problems": list(result.problems),
        "known": result.known,
    }
