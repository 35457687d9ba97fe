"""Types that bytes are decoded into: several threads may be the first to do so, together."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = '''
import sys, threading, types
import msgspec
from autograder.wire.types import resolved

sys.setswitchinterval(1e-6)
MODULE = """
from __future__ import annotations
import msgspec

class Outer(msgspec.Struct):
    number: int
    inner: tuple[Inner, ...]

class Inner(msgspec.Struct):
    named: dict[str, Innermost]

class Innermost(msgspec.Struct):
    values: list[float] | None
"""
BYTES = msgspec.msgpack.encode({"number": 1, "inner": [{"named": {"a": {"values": [1.0]}}}]})

def decode(module, begin):
    begin.wait()
    msgspec.msgpack.decode(BYTES, type=resolved(module.Outer))

for number in range(300):
    module = sys.modules[f"fresh_{number}"] = types.ModuleType(f"fresh_{number}")
    exec(MODULE, vars(module))
    begin = threading.Barrier(4)
    threads = [threading.Thread(target=decode, args=(module, begin)) for _ in range(4)]
    for thread in threads: thread.start()
    for thread in threads: thread.join()
print("whole")
'''


def test_threads_may_decode_into_a_new_type_together() -> None:
    ran = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (0, "whole\n", "")
