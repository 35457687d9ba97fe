"""What a student sees of a grade, as a page, a panel or text."""
