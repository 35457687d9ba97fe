"""Attacks the grader and judges whether they were contained."""
