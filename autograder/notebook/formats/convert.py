"""Has texts read by jupytext in a separate process, so that hostile texts cannot stop the grader.

Covered: endless work, memory, output and a crash of that process; then there is no answer, and the
caller continues without it. The answer is read as carefully as any notebook. Not covered: systems
without resource limits, on which there is never an answer.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]

# what jupytext would load for servers, terminals and schemas takes ten times as long as the rest
_BOOT = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "sys.modules.update(dict.fromkeys(('jupyter_server', 'curses', 'rfc3987_syntax'))); "
    "from autograder.notebook.formats.converter import main; main()"
)


@dataclass(frozen=True, slots=True)
class ReaderLimits:
    """Limits on processor time and elapsed time in seconds, on memory and output in megabytes."""

    cpu_s: int = 10
    wall_s: float = 60.0
    memory_mb: int = 1024
    output_mb: int = 64


LIMITS = ReaderLimits()


def converted(
    texts: Sequence[str], *, extension: str, form: str, limits: ReaderLimits = LIMITS
) -> list[object] | None:
    """For each text its cells as jupytext sees them (unchecked JSON), None if it sees none; None
    instead of the list when the process was stopped or failed.

    ``extension`` and ``form`` are jupytext's names for the format, such as ".Rmd", "rmarkdown".
    """
    asked = json.dumps({"extension": extension, "format": form, "texts": list(texts)})
    bounds = [limits.cpu_s, limits.memory_mb, limits.output_mb]
    command = [sys.executable, "-I", "-B", "-c", _BOOT, str(PACKAGE.parent), *map(str, bounds)]
    with tempfile.TemporaryFile() as page:  # a file, because its size can be limited
        try:
            done = subprocess.run(  # noqa: S603  our own interpreter and code
                command,
                input=asked.encode(),
                stdout=page,
                stderr=subprocess.DEVNULL,
                timeout=limits.wall_s,
                check=False,
                env={"LANG": "C.UTF-8"},
                start_new_session=True,  # Ctrl-C is meant for the grader only
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        page.seek(0)
        said = page.read() if done.returncode == 0 else b""
    try:
        answer = json.loads(said)
    except (ValueError, RecursionError):
        return None
    return answer if isinstance(answer, list) and len(answer) == len(texts) else None
