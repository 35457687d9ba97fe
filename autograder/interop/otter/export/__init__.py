"""Our assignments as otter-grader assignments."""
