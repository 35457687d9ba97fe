"""nbgrader's courses, both ways."""
