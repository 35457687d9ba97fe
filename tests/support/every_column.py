"""A table with a column of every kind that crosses the border, each with three rows."""

from __future__ import annotations

import datetime as dt
from typing import Any

import numpy as np
import pandas as pd

DAYS = ["2024-01-31", None, "2024-12-24"]
ZONED = pd.Series(pd.to_datetime(DAYS, utc=True)).dt.tz_convert("Europe/Berlin")
COLUMNS: dict[str, Any] = {
    "whole": [1, -2, 2**62],
    "narrow": np.array([1, 2, 3], np.int32),
    "unsigned": np.array([1, 2, 255], np.uint8),
    "float": [1.5, np.nan, np.inf],
    "half": np.array([1.5, 2, 3], np.float16),
    "complex": [1j, 2, 3],
    "text": ["a", None, "grüße\ud83d"[:5]],
    "objects of text": pd.Series(["a", None, "a"], dtype=object),
    "string": pd.array(["a", None, "b"], dtype="string"),
    "bool": [True, False, True],
    "objects of bool": pd.Series([True, None, False], dtype=object),
    "Int64": pd.array([1, None, 3], dtype="Int64"),
    "UInt8": pd.array([1, None, 3], dtype="UInt8"),
    "Float64": pd.array([1.5, None, 3], dtype="Float64"),
    "boolean": pd.array([True, None, False], dtype="boolean"),
    "time": pd.to_datetime(DAYS),
    "nanoseconds": pd.to_datetime(DAYS).astype("datetime64[ns]"),
    "zoned": ZONED,
    "duration": pd.to_timedelta([1, None, 90], unit="min"),
    "date": [dt.date(2024, 1, 31), None, dt.date(1999, 1, 1)],
    "period": pd.period_range("2024-01", periods=3, freq="M"),
    "category": pd.Categorical(["x", None, "y"], categories=["y", "x", "w"], ordered=True),
    "category of numbers": pd.Categorical([3, 1, 3]),
    "mixed": pd.Series([1, "a", 2.5], dtype=object),
    "huge": pd.Series([2**70, "a", None], dtype=object),
}
TABLE = pd.DataFrame(COLUMNS)
