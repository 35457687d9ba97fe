"""otter-grader: assignments in and out, submissions from its exports, scores in its columns."""
