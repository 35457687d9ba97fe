"""Brings otter-grader's assignments here: a master notebook or an autograder.zip, read as data."""
