"""Something that is true of the arguments of some calls, in words and as a test."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from autograder.judging.diagnosis.call_arguments import Arguments, CallArguments
from autograder.judging.diagnosis.subjects import Subject

Test = Callable[[CallArguments], bool | None]  # None: it does not apply


@dataclass(frozen=True, eq=False)
class Property:
    """A property of a call's arguments, named after its subject, whose name fills the gaps of
    ``phrase``.

    ``implied``: the keys of properties that follow from it; ``compares``: it is about two values or
    two calls, which makes it less simple.
    """

    subject: Subject
    phrase: str
    test: Test
    implied: frozenset[str] = frozenset()
    compares: bool = False

    @property
    def key(self) -> str:
        """Identifies it among the properties of the same calls."""
        return key(self.subject, self.phrase)

    @property
    def words(self) -> str:
        """A clause that completes "wrong in all 9 calls in which ..."."""
        return self.subject.fill(self.phrase)

    def holds(self, args: Arguments) -> bool | None:
        """Whether it is true of these arguments; None where it does not apply."""
        return self.test(CallArguments(args))


def key(subject: Subject, phrase: str) -> str:
    """The key of the property of a subject in these words."""
    return f"{subject.name}: {phrase}"


def keys(subject: Subject, phrases: Iterable[str]) -> frozenset[str]:
    """The keys of several properties of one subject."""
    return frozenset(key(subject, phrase) for phrase in phrases)


def opposite(test: Test) -> Test:
    """True where the test is false; neither is where it does not apply."""

    def negated(call: CallArguments) -> bool | None:
        held = test(call)
        return None if held is None else not held

    return negated
