"""Gradescope: its downloads, its results, and the autograder package."""
