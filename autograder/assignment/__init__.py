"""What is asked: courses, assignments, exercises and checks as an instructor declares them."""
