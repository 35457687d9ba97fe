"""What the gradebook has of a class: everybody's grade, standings, and the roster."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from autograder.gradebook.grade import Grade, as_points
from autograder.gradebook.people import NO_ROSTER, Roster
from autograder.gradebook.standing import Standing
from autograder.reports.feedback.words import plural


@dataclass(frozen=True, slots=True)
class ClassResults:
    """Everybody's grade. Without ``standings`` the scores are the automatic ones."""

    grades: Sequence[Grade]
    standings: Sequence[Standing] = ()
    roster: Roster = NO_ROSTER

    def scores(self) -> tuple[list[int], int, str, str]:
        """The scores and their maximum in thousandths, what kind of scores they are, and a sentence
        for the headline: final scores once no manual grading is pending, automatic points until
        then."""
        if not self.standings:
            most = max((grade.max_score for grade in self.grades), default=0)
            scored = [grade.score for grade in self.grades if grade.score is not None]
            return scored, most, "automatic points", ""
        most = max(standing.max_score for standing in self.standings)
        waiting = [standing for standing in self.standings if standing.state == "open"]
        if not waiting:  # guard: the class report shows automatic points until nobody waits
            final = [standing.score for standing in self.standings if standing.state == "final"]
            said = "Final scores: no manual grading is pending."
            return [score for score in final if score is not None], most, "final scores", said
        automatic = [
            standing.automatic for standing in self.standings if standing.state in ("open", "final")
        ]
        by_hand = most - max(grade.max_score for grade in self.grades)
        worth = f", excluding {shown_points(by_hand)} for manual grading" if by_hand else ""
        said = (
            f"Automatic points, out of {shown_points(most)} in total{worth}. Manual grading is "
            f"pending for {len(waiting)} of {plural(len(automatic), 'student')}; final scores "
            "appear here once it is finished."
        )
        return [score for score in automatic if score is not None], most, "automatic points", said

    def counts(self) -> dict[str, int]:
        """How many students there are in each state."""
        status = Counter(grade.status for grade in self.grades)
        states = Counter(standing.state for standing in self.standings)
        found = {"submitted": len(self.grades)}
        found |= {word: status[word] for word in ("graded", "ungraded", "rejected")}
        if self.standings:
            found |= {"absent": states["absent"], "excused": states["excused"]}
            found |= {"waiting for manual grading": states["open"]}
        return found

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
