"""Entry point: what must stand before others are imported, then the command line.

The grader judges in threads; OpenMP would give each of them a team of its own, and on a
busy machine teams that wait for each other cost more than they save. Every notebook is read with
jsonschema, which beside JupyterLab finds a grammar of URIs and builds it at once: that would double
the processor time in which a command starts, for formats that no schema of notebooks asks for.
"""

from __future__ import annotations

import importlib
import os
import sys


def main() -> None:
    """Run the command."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]  # cannot be imported
    importlib.import_module("autograder.cli").main()


if __name__ == "__main__":
    main()
