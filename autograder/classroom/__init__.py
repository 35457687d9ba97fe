"""A class in a results folder."""
