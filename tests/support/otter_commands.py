"""Runs several command lines of otter in one process, so that it is loaded once.

    echo '[["folder", "run", "-a", "autograder.zip", ...], ...]' | python otter_commands.py

A line "END ..." after each says how it ended: as JSON "" or the error.
"""

from __future__ import annotations

import json
import os
import sys

from otter.cli import cli  # type: ignore[import-not-found]


def main() -> None:
    """As said above."""
    for folder, *arguments in json.load(sys.stdin):
        os.chdir(folder)
        try:
            cli(arguments, standalone_mode=False)
            end = ""
        except Exception as error:
            end = f"{type(error).__name__}: {error}"
        print("\nEND " + json.dumps(end), flush=True)


if __name__ == "__main__":
    main()
