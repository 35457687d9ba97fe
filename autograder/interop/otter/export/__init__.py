"""Our assignments as otter-grader's."""
