"""The assignment that the class of sixty works on."""

from __future__ import annotations

TOML = """
format = 1
id = "homework"
title = "Sums"

[[exercise]]
id = "sums"
title = "Add up"
defines = ["total", "count"]

[[exercise.check]]
id = "total"
kind = "value"
title = "`total` is the sum"
points = 3.25
public = true
name = "total"

[[exercise.check]]
id = "count"
kind = "value"
title = "`count` is how many there are"
points = 1.5
name = "count"
"""
SOLUTION = """# %% exercise="sums"
# BEGIN SOLUTION
total = 1 + 2 + 3
count = 3
# END SOLUTION
"""
