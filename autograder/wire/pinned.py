"""Torch settings that are the same for every call, on every machine, as data.

They are part of the key of a run's evidence, so changing one runs everything again.
"""

from __future__ import annotations

# name -> value; runner/pinned.py has the function for each name
PINNED: tuple[tuple[str, str], ...] = (
    ("float32 precision", "ieee"),
    ("float32 matmul precision", "highest"),
    ("cuDNN TF32", "off"),
    ("cuDNN benchmark", "off"),
    ("float16 reduced-precision sums", "off"),
    ("bfloat16 reduced-precision sums", "off"),
    ("deterministic algorithms", "warn only"),
    ("fill uninitialized memory", "off"),
    ("threads", "1"),
)
