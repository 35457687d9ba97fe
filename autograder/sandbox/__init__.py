"""Builds and drives the sandbox in which student code runs."""
