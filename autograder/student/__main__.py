"""Entry point: ``python -m autograder.student check notebook.ipynb``."""

from __future__ import annotations

import sys

from autograder.student.shell import main

if __name__ == "__main__":
    sys.exit(main())
