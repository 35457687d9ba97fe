"""The border: messages and values that travel between the grader and the sandbox."""
