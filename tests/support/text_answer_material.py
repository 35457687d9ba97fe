"""An assignment with two answers in Markdown cells, one of them beside code."""

from __future__ import annotations

from autograder.assignment.model import Assignment

SOLUTION = """
# %% [markdown]
# # Order
#
# Read this first.

# %% locked=true
import math

# %% [markdown]
# ## 1 Why does the order of the words matter?
# Write two sentences.

# %% [markdown] exercise="why"
# **Your answer**
#
# <!-- BEGIN SOLUTION -->
# Without positions, every order has the same sum.
# <!-- END SOLUTION -->

# %% [markdown]
# ## 2 Write `double`, and say what it costs.

# %% exercise="double"
def double(x):
    # BEGIN SOLUTION
    return x * 2
    # END SOLUTION

# %% [markdown] exercise="double"
# <!-- BEGIN SOLUTION -->
# One multiplication.
# <!-- END SOLUTION -->

# %% [markdown]
# That is all, thank you.
"""


def assignment() -> Assignment:
    written = {"kind": "written", "title": "Text", "points": 1, "rubric": "One point for it."}
    value = {"kind": "value", "id": "v", "title": "It is there", "points": 1, "name": "double"}
    return Assignment.model_validate(
        {
            "format": 1,
            "id": "order",
            "title": "Order",
            "exercise": [
                {"id": "why", "title": "Why", "defines": [], "check": [{"id": "w", **written}]},
                {
                    "id": "double",
                    "title": "Double",
                    "defines": ["double"],
                    "check": [value, {"id": "cost", **written}],
                },
            ],
        }
    )
