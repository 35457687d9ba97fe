"""Cost of the grader, as ratios and differences taken within one interleaved run."""
