"""What the cells of a notebook are: which exercise, which names, in which order."""
