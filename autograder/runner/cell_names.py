"""How a student's own code is recognised: by the file name that its cell was compiled under."""

from __future__ import annotations

import os
import tempfile

HERE = "<cell "  # in our shell; a number follows
# in our shell, in IPython, and in a notebook's kernel
CELLS = (
    HERE,
    "<ipython-input-",
    os.path.join(tempfile.gettempdir(), f"ipykernel_{os.getpid()}", ""),  # noqa: PTH118
)
