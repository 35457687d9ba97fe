"""Runs inside the sandbox, in the same interpreter as the student's code.

Assume that the student can rewrite every line of this package while it runs. So it is given no
expected value, no tolerance and no points; what it sends is a list of claims. Its own protection
(bindings taken before any cell runs, bounded outputs) helps honest students with unlucky code; no
verdict relies on it.
"""
