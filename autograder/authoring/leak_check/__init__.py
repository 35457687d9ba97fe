"""Searches files for students for what they must not hold."""
