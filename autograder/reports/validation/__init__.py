"""The validation of an assignment, in a terminal and as a page."""
