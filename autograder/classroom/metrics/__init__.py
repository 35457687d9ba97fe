"""What grading a class takes, as metrics."""
