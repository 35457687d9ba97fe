"""How a student's own code is known: by the file name that its cell was compiled under."""

from __future__ import annotations

import os
import tempfile

HERE = "<cell "  # in the shell of ours; a number follows
# there, in IPython, and in the kernel of a notebook
CELLS = (
    HERE,
    "<ipython-input-",
    os.path.join(tempfile.gettempdir(), f"ipykernel_{os.getpid()}", ""),  # noqa: PTH118
)
