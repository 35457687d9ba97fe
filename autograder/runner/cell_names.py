"""How a student's own code is recognised: by the file name that its cell was compiled under."""

from __future__ import annotations

import os
import tempfile

HERE = "<cell "  # in our shell; a number follows
AS_WRITTEN = " as written"  # after a name in linecache: the cell before its magics became Python
# in our shell, in IPython, and in a notebook's kernel
CELLS = (
    HERE,
    "<ipython-input-",
    os.path.join(tempfile.gettempdir(), f"ipykernel_{os.getpid()}", ""),  # noqa: PTH118
)
