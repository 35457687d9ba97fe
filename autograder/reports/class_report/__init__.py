"""A class on one page, for its instructor."""
