"""JUnit XML as section 6.1 of the format page has it, with points as properties."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from decimal import Decimal

from tests.support.strict_readers.text import Rejected, number

_CASE = ("properties", "failure", "error", "skipped", "system-out", "system-err")


@dataclass(frozen=True)
class Case:
    student: str
    exercise: str
    outcome: str
    points: Decimal | None
    most: Decimal | None


def read(data: bytes) -> tuple[dict[str, dict[str, str]], tuple[Case, ...]]:
    """The properties of each suite by its name, and all test cases."""
    try:
        root = ET.fromstring(data)
    except ET.ParseError as bad:
        raise Rejected(str(bad)) from None
    if root.tag != "testsuites":
        raise Rejected(root.tag)
    suites: dict[str, dict[str, str]] = {}
    cases: list[Case] = []
    for suite in root:
        name = suite.attrib["name"]
        if suite.tag != "testsuite" or name in suites:
            raise Rejected(f"{suite.tag} {name!r}: twice, or no suite")
        suites[name] = _properties(suite)
        own = [_case(case) for case in suite.findall("testcase")]
        for word, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
            if int(suite.attrib[word]) != sum(case.outcome == tag for case in own):
                raise Rejected(f"{name!r}: {word} is wrong")
        if int(suite.attrib["tests"]) != len(own):
            raise Rejected(f"{name!r}: tests is wrong")
        cases += own
    if len({(case.student, case.exercise) for case in cases}) != len(cases):
        raise Rejected("a test case stands there twice")
    return suites, tuple(cases)


def _properties(parent: ET.Element) -> dict[str, str]:
    return {p.attrib["name"]: p.attrib["value"] for p in parent.findall("properties/property")}


def _case(case: ET.Element) -> Case:
    tags = [child.tag for child in case]
    if not set(tags) <= set(_CASE) or not set(case.attrib) <= {"classname", "name", "time"}:
        raise Rejected(f"{tags} {case.attrib}")
    outcomes = [tag for tag in tags if tag in ("failure", "error", "skipped")]
    if len(outcomes) > 1:
        raise Rejected("more than one outcome")
    held = _properties(case)
    points = number(held["points"]) if "points" in held else None
    most = number(held["max_points"]) if "max_points" in held else None
    if not outcomes and points is None:
        raise Rejected("passed, and no points: a reader would take it for 1")
    return Case(
        case.attrib["classname"], case.attrib["name"], (outcomes or ["passed"])[0], points, most
    )
