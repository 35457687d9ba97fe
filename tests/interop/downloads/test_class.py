"""One class in eight formats: every download with its roster means the same."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from autograder.interop.arrivals import read_arrivals
from autograder.interop.downloads.attempts import chosen, in_order, not_handed_in
from autograder.interop.downloads.roster import read_roster
from tests.support.class_of_sixty import rosters
from tests.support.class_of_sixty.klass import ABSENT, ASSIGNMENT, ZONE, Klass, klass
from tests.support.class_of_sixty.layouts import ALL_ATTEMPTS, PLATFORMS, lay_out, told


@pytest.fixture(scope="module")
def sixty() -> Klass:
    return klass()


def test_the_class_has_what_it_is_for(sixty: Klass) -> None:
    assert len(sixty.students) == 62
    assert sum(bool(s.attempts) for s in sixty.students) == 60
    assert len({s.id for s in sixty.students}) == 62 > len({s.name for s in sixty.students})
    assert {len(s.attempts) for s in sixty.students} == {0, 1, 2, 3}
    offsets = {a.at.astimezone(ZONE).utcoffset() for s in sixty.students for a in s.attempts}
    assert len(offsets) == 2
    assert {a.late for s in sixty.students for a in s.attempts} == {True, False}
    assert klass() == sixty
    assert klass(61) != sixty


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("platform", PLATFORMS)
def test_every_layout_means_the_same_class(
    sixty: Klass, platform: str, zipped: bool, tmp_path: Path
) -> None:
    paths, roster_path = lay_out(sixty, platform, tmp_path, zipped=zipped)
    roster = read_roster(roster_path)
    assert [person.id for person in roster] == [student.id for student in sixty.students]
    read = read_arrivals(paths, roster=roster, timezone=ZONE, expected_name=ASSIGNMENT)
    assert (read.platform, read.lost) == (platform, ())
    assert all(note.startswith("skipped, not") for note in read.notes)
    assert bool(read.notes) == (platform in ("nbgrader", "plain"))  # release/ and README.md
    got: dict[str, tuple[object, ...]] = {}
    for arrival in sorted(read.arrivals, key=in_order):
        one = (hashlib.sha256(arrival.found.load()).hexdigest(), arrival.submitted_at)
        got[arrival.student] = (*got.get(arrival.student, ()), one)
        assert arrival.found.student == arrival.student
    assert got == told(sixty, platform)
    absent = tuple(sixty.students[place].id for place in ABSENT)
    assert not_handed_in(roster, read.arrivals) == absent
    last = {a.student: a.arrivals[0] for a in chosen(read.arrivals, "last")}
    for student in sixty.students:
        if student.attempts:
            final = student.attempts[-1]
            assert last[student.id].found.load() == final.data
            if platform in (*ALL_ATTEMPTS, "gradescope"):
                assert last[student.id].attempt == final.number
            assert last[student.id].late == (final.late if platform == "canvas" else None)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_no_roster_gives_a_file_to_somebody_elses_name(
    sixty: Klass, platform: str, tmp_path: Path
) -> None:
    owner = {hashlib.sha256(a.data).hexdigest(): s.id for s in sixty.students for a in s.attempts}
    files = {digest for attempts in told(sixty, platform).values() for digest, _ in attempts}
    paths, _ = lay_out(sixty, platform, tmp_path, zipped=False)
    first = PLATFORMS.index(platform)
    for other in (PLATFORMS * 2)[first : first + 6 : 2]:
        (tmp_path / other).mkdir(exist_ok=True)
        roster = read_roster(rosters.write(sixty, other, tmp_path / other))
        ids = {person.id for person in roster}
        read = read_arrivals(paths, roster=roster, timezone=ZONE)
        seen: dict[str, str] = {}
        for arrival in read.arrivals:
            digest = hashlib.sha256(arrival.found.load()).hexdigest()
            assert arrival.student == owner[digest] or arrival.student not in ids
            assert seen.setdefault(arrival.student, owner[digest]) == owner[digest]
        assert {hashlib.sha256(a.found.load()).hexdigest() for a in read.arrivals} == files
        unmatched = sum(a.student not in ids for a in read.arrivals)
        assert len([note for note in read.notes if "not in the roster" in note]) <= unmatched
        assert unmatched == 0 or read.notes
