"""The allowed difference between a result in a dtype and the same result in float64, unless a check
states its own.

Wider than the usual tolerances, which are for single operations: here whole functions are run in a
dtype. The numbers are measured or torch's own; each entry gives its source.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from autograder.assignment.kinds import PrecisionCheck, Tolerance

_FLOAT32 = (
    "float32 against float64: sums of products are within 1e-6 of their size, and a chain of them "
    "within 1e-4; atol is that of torch.testing. Tables of angles from exp, pow or a division "
    "differ by 1.2e-7, one rounding of a number near 1, for each row of the table."
)
_OLDER = (
    "As float32: a table that was made in float32 is right in a float64 model too, and is not "
    "more exact than float32."
)
_FLOAT16 = (
    "A layer norm of a product plus a table, 4 x 64 rows of 256 numbers, is off by 3.2e-3 in "
    "float16 (measured); the 1e-3 of torch.testing is for one operation."
)
_BFLOAT16 = (
    "A layer norm of a product plus a table, 4 x 64 rows of 256 numbers, is off by 2.6e-2 in "
    "bfloat16 (measured); the 1.6e-2 of torch.testing is for one operation."
)
USUAL: Mapping[str, Tolerance] = MappingProxyType(
    {
        "float64": Tolerance(rtol=1e-4, atol=1e-5, atol_per_row=1.2e-7, why=_OLDER),
        "float32": Tolerance(rtol=1e-4, atol=1e-5, atol_per_row=1.2e-7, why=_FLOAT32),
        "float16": Tolerance(rtol=1e-2, atol=1e-2, why=_FLOAT16),
        "bfloat16": Tolerance(rtol=5e-2, atol=5e-2, why=_BFLOAT16),
    }
)
_PARTS = {"complex64": "float32", "complex128": "float64"}


def tolerance_for(check: PrecisionCheck, dtype: str) -> Tolerance | None:
    """The check's own tolerance for a dtype, else the usual one; None for integers and text.

    A complex number counts as its parts do.
    """
    real = _PARTS.get(dtype, dtype)
    own = {str(name): tolerance for name, tolerance in check.tolerances.items()}
    return own.get(real) or USUAL.get(real)
