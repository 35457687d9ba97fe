"""Searches the files for students for secrets of the assignment."""
