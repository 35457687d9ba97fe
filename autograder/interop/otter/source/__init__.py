"""otter-grader's assignments, read and written."""
