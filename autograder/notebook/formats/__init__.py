"""Notebook files in every format, read without trusting them."""
