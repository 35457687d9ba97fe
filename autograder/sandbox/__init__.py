"""Builds and drives the box in which student code runs."""
