"""Who is meant: the order of the evidence, and what identifies nobody."""

from __future__ import annotations

from autograder.gradebook.people import NO_ROSTER, Person, Roster
from autograder.interop.downloads.delivery import Identity
from autograder.interop.downloads.matching import Match, match_all
from autograder.interop.downloads.names import folded, squashed


def matched(*identities: Identity, roster: Roster) -> list[Match]:
    return list(match_all(identities, roster).values())


def students(*identities: Identity, roster: Roster) -> list[str]:
    return [match.students[0] for match in matched(*identities, roster=roster)]


def named(name: str, own: str = "") -> Identity:
    return Identity(own or name, name=name)


def test_the_platforms_key_comes_before_id_email_and_name() -> None:
    roster = Roster(
        (
            Person("1", "Student A", keys={"canvas_id": "9"}),
            Person("9", "Student B"),
            Person("3", "Student C", email="c@x.example"),
        )
    )
    key = (("canvas_id", "9"),)
    assert students(Identity("9", key, ("9",), "Student B"), roster=roster) == ["1"]
    assert students(Identity("x", (), ("c@x.example",), "Student B"), roster=roster) == ["3"]
    assert students(Identity("x", (), ("nothing",), "B, Student"), roster=roster) == ["9"]


def test_an_id_of_another_kind_is_not_taken_for_an_equal_one() -> None:
    roster = Roster((Person("1001", keys={"canvas_id": "55"}), Person("1002")))
    found = matched(Identity("1001", (("canvas_id", "1001"),), ("1001",)), roster=roster)
    assert [m.students for m in found] == [("1001-2",)]
    keyless = Identity("1002", (("canvas_id", "1002"),), ("1002",))
    assert students(keyless, roster=roster) == ["1002"]


def test_what_several_share_identifies_nobody() -> None:
    roster = Roster(
        (
            Person("1", "Twin", email="t@x.example", keys={"username": "u"}),
            Person("2", "twin", email="T@x.example", keys={"username": "u"}),
        )
    )
    for identity in (
        Identity("k", (("username", "u"),)),
        Identity("k", texts=("t@x.example",)),
        named("TWIN", "k"),
    ):
        (match,) = matched(identity, roster=roster)
        assert (match.students, match.how) == (("k",), "nobody")
        assert match.note.startswith("k")


def test_one_name_that_two_of_the_download_claim_is_neithers() -> None:
    roster = Roster((Person("1", "Student A", keys={"moodle_id": "7"}), Person("2", "Student B")))
    both = (named("Student B", "p1"), named("Student B", "p2"))
    assert students(*both, roster=roster) == ["p1", "p2"]
    keyed = Identity("7", (("moodle_id", "7"),), name="Student A")
    assert students(keyed, named("Student A", "8"), roster=roster) == ["1", "8"]


def test_one_student_under_two_keys_is_one_where_the_roster_says_so() -> None:
    roster = Roster((Person("1", email="a@x.example", keys={"gradescope_sid": "s"}),))
    both = (
        Identity("s", (("gradescope_sid", "s"),)),
        Identity("A@X.example", (), ("A@X.example",)),
    )
    assert students(*both, roster=roster) == ["1", "1"]
    assert students(*both, roster=NO_ROSTER) == ["s", "A@X.example"]


def test_evidence_that_disagrees_is_told() -> None:
    roster = Roster((Person("1", email="a@x.example"), Person("2", email="b@x.example")))
    (match,) = matched(Identity("1", texts=("1", "b@x.example")), roster=roster)
    assert match.students == ("1",)
    assert "its email is that of 2" in match.note


def test_names_are_compared_in_every_spelling() -> None:
    roster = Roster(
        (
            Person("1", "Last-Name, First Mid"),
            Person("2", first_name="Gi̇", last_name="Straße"),
            Person("3", "Ünï Čode"),
            Person("4", "שם אחר"),
            Person("5", "Uni Kode"),
        )
    )
    spelled = {
        "1": ["First Mid Last-Name", "LAST-NAME,  first mid", "lastnamefirstmid"],
        "2": ["gi̇ STRASSE", "Strasse, Gi"],
        "3": ["Uni Code", "u\u0308ni\u0308 c\u030code"],
        "4": ["\u200fאחר, שם\u200e"],
        "5": ["UNI KODE", "unikode", "U\u0308ni Kode"],
    }
    for student, names in spelled.items():
        for name in names:
            assert students(named(name), roster=roster) == [student], name


def test_exact_names_come_before_folded_ones_but_not_where_signs_were_lost() -> None:
    roster = Roster((Person("1", "Müller"), Person("2", "Muller")))
    assert students(named("MÜLLER"), named("muller"), roster=roster) == ["1", "2"]
    roster = Roster((Person("1", "O'Apos"), Person("2", "OApos")))
    assert students(named("OApos"), roster=roster) == ["2"]
    assert students(Identity("k", name="OApos", lossy=True), roster=roster) == ["k"]


def test_names_without_letters_identify_nobody() -> None:
    roster = Roster((Person("1", "😀"), Person("2", "!?")))
    nobodies = (named("👍", "k"), Identity("l", name="", lossy=True))
    assert students(*nobodies, roster=roster) == ["k", "l"]
    assert squashed("😀 !?") == folded("😀") == ""


def test_the_unknown_never_get_an_id_that_somebody_has() -> None:
    roster = Roster((Person("ab"), Person("ab-2")))
    found = matched(
        named("AB\u200b", "A\tB"),
        Identity("aB", apart="1"),
        Identity("aB", apart="2"),
        Identity("aB", apart="2"),
        roster=Roster((*roster, Person("AB"))),
    )
    ids = [match.students[0] for match in found]
    assert len({i.casefold() for i in ids} | {"ab", "ab-2"}) == 2 + len(ids)


def test_a_group_is_its_members_only_where_it_is_nobodys_name_or_key() -> None:
    roster = Roster(
        (
            Person("1", "Team", section="B 1"),
            Person("2", section="team; b1"),
            Person("3", section="Team,Other", keys={"username": "other"}),
        )
    )
    of_other = Identity("other", (("username", "other"),), team="other")
    of_team = Identity("b1", (("username", "b1"),), team="b1")
    members = [matched(one, roster=roster)[0].students for one in (named("b1"), named("Team"))]
    assert members == [("1", "2"), ("1",)]
    members = [matched(one, roster=roster)[0].students for one in (of_other, of_team)]
    assert members == [("3",), ("1", "2")]
