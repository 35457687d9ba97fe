"""Programs about the grader itself."""
