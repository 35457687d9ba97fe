"""`autograder serve`: hand in and grade by hand in the browser. Nothing here runs student code."""
