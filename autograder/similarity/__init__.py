"""Submissions that are much alike."""
