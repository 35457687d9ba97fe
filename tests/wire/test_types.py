"""Types that bytes are decoded into: several threads may be the first to do so, together."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

from tests.support.tables import table_beside

ROOT = Path(__file__).resolve().parents[2] / "autograder"

PROGRAM = table_beside(__file__)["program"]


def test_threads_may_decode_into_a_new_type_together() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "whole\n", "")


def test_everything_decodes_into_types_that_are_resolved() -> None:
    wrong = []
    for path in ROOT.rglob("*.py"):
        text = path.read_text("utf-8")
        for node in ast.walk(ast.parse(text)) if "msgspec." in text else ():
            if isinstance(node, ast.Call) and ast.unparse(node.func).startswith("msgspec."):
                kinds = [word.value for word in node.keywords if word.arg == "type"]
                if ast.unparse(node.func).endswith((".convert", ".Decoder")):
                    kinds += node.args[-1:]
                if not all(ast.unparse(kind).startswith("resolved(") for kind in kinds):
                    wrong.append(f"{path.relative_to(ROOT)}: {ast.unparse(node)}")
    assert wrong == ["wire/types.py: msgspec.msgpack.Decoder(kind)"]  # where they are resolved
