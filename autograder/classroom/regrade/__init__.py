"""Judges a graded class again from stored evidence."""
