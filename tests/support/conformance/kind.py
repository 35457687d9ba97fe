"""What a behaviour is, and what comes back from trying it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from autograder.sandbox.box import Box
from autograder.sandbox.child import Child, ChildAnswer
from autograder.wire.messages import Begin, CellDone, Limits, RunCell

LIMITS = Limits(
    cell_cpu_s=5,
    cell_wall_s=20,
    submission_wall_s=60,
    memory_mb=512,
    disk_mb=16,
    files=200,
    open_files=64,
    processes=32,
    reply_mb=8,
)
OUTPUT_BYTES = 10_000
WORKED = "it worked"


@dataclass(frozen=True, kw_only=True)
class Seen:
    """What came back from the last cell. ``text`` is what it printed, or ``Error: words``."""

    text: str = ""
    stop: str = ""  # the cause
    sentence: str = ""
    alive: bool = True
    answered: bool = True
    kept: int = 0  # bytes of output
    dropped: int = 0
    wall_s: float = 0.0
    cpu_s: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Place:
    """A box and what stands around it: files, ports and names that belong to the test."""

    box: Box
    names: dict[str, str]  # what ``$name`` in a source stands for
    layers: frozenset[str]  # in force, with the words for what the machine itself gives
    kept: list[Child]  # at most one, for what leaves nothing behind

    def spawn(self) -> Child:
        child = self.box.spawn(LIMITS)
        child.ask(Begin(1, OUTPUT_BYTES, False), cpu_s=5, wall_s=20)
        return child

    def shared(self) -> Child:
        """One child for all behaviours that leave nothing behind; a new one once it ended."""
        if not self.kept or self.kept[0].ask(RunCell(1, ""), cpu_s=5, wall_s=20).answer is None:
            self.kept[:] = [self.spawn()]
        return self.kept[0]


@dataclass(frozen=True, kw_only=True)
class Behaviour:
    """One thing that must be so, however the box is made.

    ``cells``: student code; ``question``: what the outside does, with it or without. ``by`` names
    what brings it about; any of them suffices, ``a+b`` means both. Where none of them
    stands it is a known failure, and ``harmless`` tells that it may be tried there.
    ``sure`` is False where the machine itself may lack what is tried, or refuse it. What
    is brought about outside of the box and slow to show is tried in one box alone: ``once``.
    ``shared`` ones leave nothing behind, so that one child serves for all of them.
    """

    name: str
    cells: tuple[str, ...] = ()
    question: Callable[[Place, Sequence[str]], Seen] | None = None
    holds: Callable[[Seen], bool]
    by: tuple[str, ...] = ("always",)  # no layer: the zygote, the runner, the driver, the watch
    harmless: bool = True
    sure: bool = True
    once: bool = False
    shared: bool = False
    cpu_s: float = 5
    wall_s: float = 20


def run(child: Child, source: str, *, cpu_s: float = 5, wall_s: float = 20) -> Seen:
    """Run a cell and put down what came back."""
    return seen(child.ask(RunCell(1, source), cpu_s=cpu_s, wall_s=wall_s))


def seen(answered: ChildAnswer) -> Seen:
    stop, answer = answered.stop, answered.answer
    text, kept, dropped = "", 0, 0
    if isinstance(answer, CellDone):
        content = b"".join(o.content for o in answer.outputs)
        text, kept, dropped = content.decode(errors="replace"), len(content), answer.dropped
        if answer.error is not None:
            text = f"{answer.error.types[0]}: {answer.error.text}"
    return Seen(
        text=text,
        stop=stop.cause if stop is not None else "",
        sentence=stop.text if stop is not None else "",
        alive=answered.alive,
        answered=answer is not None,
        kept=kept,
        dropped=dropped,
        wall_s=answered.spent.wall_s,
        cpu_s=answered.spent.cpu_s,
    )
