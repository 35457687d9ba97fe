"""A class as JUnit XML."""
