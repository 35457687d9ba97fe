"""How what came back from a child is read."""

from __future__ import annotations

from autograder.sandbox.isolation.premises import HIDING, clean_environment
from autograder.sandbox.processor import VARIABLES
from tests.support.conformance.kind import OUTPUT_BYTES, WORKED, Seen

REFUSALS = {
    "PermissionError",
    "OSError",
    "FileNotFoundError",
    "AssertionError",
    "ValueError",
    "ProcessLookupError",
    "ZeroDivisionError",
    "NotADirectoryError",
    "ConnectionRefusedError",
}
OWN = {  # names of the environment
    "HF_HUB_OFFLINE",
    "TRANSFORMERS_OFFLINE",
    "HF_HOME",
    "MPLCONFIGDIR",
    "MPLBACKEND",
    *HIDING,
    "CUDA_CACHE_PATH",
}


def refused(seen: Seen) -> bool:
    """It raised one of the errors of a refusal, and did not get to its last line."""
    return never_worked(seen) and seen.text.split(":")[0] in REFUSALS


def never_worked(seen: Seen) -> bool:
    return WORKED not in seen.text


def bounded(seen: Seen) -> bool:
    """It did not get to its last line; the cell or the whole child was ended."""
    return never_worked(seen) and (bool(seen.stop) or bool(seen.text))


def refused_or_full(seen: Seen) -> bool:
    return refused(seen) or stopped(seen, ["disk"])


def stopped(seen: Seen, causes: list[str]) -> bool:
    """For one of these causes, without an answer."""
    return seen.stop in causes and not seen.answered and not seen.alive


def no_memory(seen: Seen) -> bool:
    return "got it" not in seen.text and "memory" in (seen.text + seen.sentence).lower()


def little_output(seen: Seen) -> bool:
    return seen.kept <= OUTPUT_BYTES and seen.dropped > 900_000


def interrupted(seen: Seen) -> bool:
    return seen.stop == "cpu" and seen.alive and seen.cpu_s < 10


def stopped_by_clock(seen: Seen) -> bool:
    return seen.stop == "wall" and seen.wall_s < 60


def noticed(seen: Seen) -> bool:
    return stopped(seen, ["died", "protocol"])


def unanswered(seen: Seen) -> bool:
    return not seen.answered and bool(seen.stop)


def clean(seen: Seen) -> bool:
    """No name but ours, what matplotlib and torch set by themselves, and what holds numeric
    libraries to a processor's capability."""
    names = set(seen.text.strip("[]\n").replace("'", "").split(", "))
    extra = names - set(clean_environment()) - set(VARIABLES) - OWN
    return not {n for n in extra if not n.startswith(("KMP_", "TORCH", "LC_"))}


def empty(seen: Seen) -> bool:
    """At least four sets of capabilities, all of them empty."""
    words = seen.text.split()
    return len(words) >= 8 and set(words[1::2]) == {"0" * 16}
