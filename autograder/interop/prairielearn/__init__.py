"""PrairieLearn's results."""
