"""What the gradebook has of a class: everybody's grade, standings, and the roster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from autograder.gradebook.grade import Grade, as_points
from autograder.gradebook.people import NO_ROSTER, Roster
from autograder.gradebook.standing import Standing
from autograder.reports.feedback.words import plural


@dataclass(frozen=True, slots=True)
class ClassResults:
    """Everybody's grade. Without ``standings`` the scores are the automatic ones. ``pages``: the
    address of each student's feedback, relative to the class report."""

    grades: Sequence[Grade]
    standings: Sequence[Standing] = ()
    roster: Roster = NO_ROSTER
    pages: Mapping[str, str] = field(default_factory=dict)

    def scores(self) -> tuple[list[int], int, str]:
        """The scores and their maximum in thousandths, and what they are in words: final scores
        once no manual grading is pending, automatic points until then."""
        if not self.standings:
            scored = [grade.score for grade in self.grades if grade.score is not None]
            most = max((grade.max_score for grade in self.grades), default=0)
            said = f"Automatic points of {plural(len(scored), 'student')}." if scored else ""
            return scored, most, said
        most = max(standing.max_score for standing in self.standings)
        waiting = sum(standing.state == "open" for standing in self.standings)
        if not waiting:  # the class report shows automatic points until nobody waits
            final = [s.score for s in self.standings if s.state == "final" and s.score is not None]
            said = f"Final scores of {plural(len(final), 'student')}: no manual grading is pending."
            return final, most, said
        counted = [one for one in self.standings if one.state in ("open", "final")]
        by_hand = most - max(grade.max_score for grade in self.grades)
        verb = "is" if by_hand == 1000 else "are"
        worth = f", of which {shown_points(by_hand)} {verb} given by hand" if by_hand else ""
        said = (
            f"Automatic points of {plural(len(counted), 'student')}; the maximum is "
            f"{shown_points(most)}{worth}. Manual grading is pending for {waiting} of them; final "
            "scores appear here once it is finished."
        )
        return [one.automatic for one in counted if one.automatic is not None], most, said

    def counts(self) -> dict[str, int]:
        """How many there are of each kind of submission and student, without those of which there
        are none."""
        status = Counter(grade.status for grade in self.grades)
        states = Counter(standing.state for standing in self.standings)
        rare = {word: status[word] for word in ("ungraded", "rejected")}
        rare |= {"absent": states["absent"], "excused": states["excused"]}
        rare |= {"waiting for manual grading": states["open"]}
        found = {"submitted": len(self.grades), "graded": status["graded"]}
        return found | {word: count for word, count in rare.items() if count}

    def absent(self) -> list[tuple[str, str]]:
        """Ids of those who submitted nothing, each with a note; from the roster without
        standings."""
        if self.standings:
            return sorted(
                (standing.student, standing.note)
                for standing in self.standings
                if standing.state == "absent"
            )
        there = {grade.student for grade in self.grades}
        return sorted((person.id, "") for person in self.roster if person.id not in there)

    def names(self) -> frozenset[str]:
        """Everything that identifies a student, to be kept out of examples."""
        known = {grade.student for grade in self.grades}
        known |= {grade.submission.file for grade in self.grades}
        for one in self.roster:
            known |= {one.id, one.full_name, one.first_name, one.last_name, one.email.split("@")[0]}
            known |= set(one.keys.values())
        return frozenset(known)


def shown_points(amount: float | None) -> str:
    """Thousandths as points with at most two decimals, or a dash."""
    return "–" if amount is None else f"{round(as_points(round(amount)), 2):g}"
