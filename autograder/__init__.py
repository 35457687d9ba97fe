"""Grades Jupyter notebooks: isolated runs, numeric checks, feedback that explains."""

DISTRIBUTION = "boxgrader"  # what pip installs; `autograder` in its index is another project
