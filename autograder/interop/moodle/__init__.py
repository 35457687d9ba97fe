"""Moodle's downloads and scores."""
