"""The fixed words of reports: what each status is called, and where a check was tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from autograder.gradebook.devices import DeviceTally
from autograder.gradebook.grade import as_points
from autograder.gradebook.visible import visible
from autograder.judging.verdict import DeviceOutcome, Status

NOT_TRIED = frozenset({Status.BROKEN, Status.BLANK})  # there was nothing to check
AT_FAULT = NOT_TRIED | {Status.FAILED, Status.RAISED, Status.MISSING, Status.STOPPED}

STUDENT_WORDS: Mapping[Status, str] = MappingProxyType(
    {
        Status.PASSED: "Correct",
        Status.FAILED: "Not right yet",
        Status.RAISED: "Raised an error",
        Status.BROKEN: "Your cell did not run",
        Status.MISSING: "Name not found",
        Status.BLANK: "Not attempted",
        Status.STOPPED: "Stopped at a limit",
        Status.SKIPPED: "Not checked",
        Status.UNGRADED: "Not graded yet",
        Status.MANUAL: "Graded by hand",
    }
)
PARTLY = "Partly right"
PREDICTED = "Prediction made"  # right or wrong

HIDDEN_WORDS: Mapping[Status, str] = MappingProxyType(
    {
        Status.FAILED: "gave wrong values",
        Status.RAISED: "ended with an exception",
        Status.BROKEN: "not run because your cell raised an error",
        Status.MISSING: "did not find a name that the exercise asks for",
        Status.BLANK: "found nothing filled in",
        Status.STOPPED: "reached a time or memory limit",
        Status.SKIPPED: "not run because an earlier check did not pass",
        Status.UNGRADED: "not graded yet, through no fault of yours",
    }
)

UNGRADED_REASON = (
    "This submission could not be graded completely, through no fault of yours. "
    "The course staff will look into it. This does not cost you any points."
)
REJECTED_REMEDY = (
    "Open the notebook in Jupyter, choose Restart and Run All, save it as .ipynb, and submit the "
    "saved file. If it does not open in Jupyter either, start again from the template and copy "
    "your cells into it."
)


def student_words(
    status: Status, score: int | None, *, left_out: bool = False, predicted: bool = False
) -> str:
    """A status in words for students; a wrong result with some points is partly right.

    ``predicted``: the status is of predictions alone, which are neither correct nor wrong.
    """
    if left_out:
        return "Left out for everybody"
    if predicted and status is Status.PASSED:
        return PREDICTED
    if status in AT_FAULT and score:
        return PARTLY
    return STUDENT_WORDS[status]


def tone(status: Status, score: int | None) -> str:
    """The look of a status: good, part, bad or calm. It is always shown together with words."""
    if status is Status.PASSED:
        return "good"
    if status in AT_FAULT and score:
        return "part"
    return "bad" if status in AT_FAULT and status is not Status.BLANK else "calm"


def amount(score: int | None, max_score: int) -> str:
    """``3.5 of 5``; a dash for a score that does not exist."""
    return f"{'–' if score is None else as_points(score)} of {as_points(max_score)}"


def where_tried(devices: Sequence[DeviceOutcome]) -> str:
    """On which devices a check was tried and on which not, in a sentence or two; "" for none."""
    if not devices:
        return ""
    tried = [_called(ran) for ran in devices if ran.result in ("right", "wrong")]
    said = [f"Tried on {_listed(tried)}."] if tried else []
    said += [
        f"Not simulated: {visible(ran.note)}. Behavior on accelerators was not checked."
        for ran in devices
        if ran.result == "not simulated"
    ]
    real = [ran for ran in devices if ran.how == "real" and ran.device != "cpu"]
    if not any(ran.result in ("right", "wrong") for ran in real):
        said.append("Not tested on a GPU: " + _why_not(real))
    return " ".join(said)


def where_class_tried(devices: Sequence[DeviceTally]) -> str:
    """How many device checks of a class have a result, by device; "" if it has none."""
    if not devices:
        return ""
    said = [
        f"{device.tried} on {_called(DeviceOutcome(device.device, device.how, 'right'))}"
        for device in devices
        if device.tried
    ]
    lacking = sum(device.results.get("not simulated", 0) for device in devices)
    text = f"Device checks with a result: {_listed(said) if said else 'none'}."
    if lacking:
        text += f" {lacking} could not be simulated."
    if not any(
        device.tried for device in devices if device.how == "real" and device.device != "cpu"
    ):
        text += " None was tested on a GPU."
    return text


def _why_not(real: Sequence[DeviceOutcome]) -> str:
    if any(ran.result == "not reached" for ran in real):
        return "it had already failed."
    return "the grading machine has none."


def _called(ran: DeviceOutcome) -> str:
    name = {"cpu": "the CPU", "cuda": "CUDA", "mps": "MPS"}.get(ran.device, visible(ran.device))
    words = {"real": "{0}", "simulated": "simulated {0}", "beside": "{0} beside an accelerator"}
    return words[ran.how].format(name)


def _listed(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"


def plural(count: int, word: str) -> str:
    """``1 point``, ``2 points``."""
    return f"{count} {word}" if count == 1 else f"{count} {word}s"
