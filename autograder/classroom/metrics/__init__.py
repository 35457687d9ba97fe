"""The time and memory that grading a class takes, as metrics."""
