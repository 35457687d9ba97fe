"""nbgrader's courses: source notebooks in, release notebooks and graded folders out."""
