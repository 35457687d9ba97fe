"""Builds the packages that are handed out: the student's wheel and the grader's."""
