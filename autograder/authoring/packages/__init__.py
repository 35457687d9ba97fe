"""Builds the distributed packages: the student's wheel and the grader's."""
