"""Courses, assignments, exercises and checks as an instructor declares them."""
