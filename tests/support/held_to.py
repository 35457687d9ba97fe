"""Runs a command with numeric libraries held to a processor's capability.

    python -m tests.support.held_to least COMMAND ...

``least`` is the least that this processor can be held to, which is another than its own on every
x86-64 machine of the last ten years; on others nothing is run. Boxes that the command makes are
held to it as well.
"""

from __future__ import annotations

import os
import sys

from autograder.sandbox.processor import capabilities, held_to


def main(wanted: str, *command: str) -> None:
    """Replace this process by the command."""
    names = capabilities()
    if len(names) == 1:
        print(f"not tried: this processor cannot be held to less than {names[0]}")
        return
    capability = names[0] if wanted == "least" else wanted
    if capability not in names:
        sys.exit(f"this processor can be held to {', '.join(names)}, not to {wanted!r}")
    os.execvpe(command[0], command, {**os.environ, **held_to(capability)})


if __name__ == "__main__":
    main(*sys.argv[1:])
