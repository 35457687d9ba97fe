"""The kinds of check: what each asks of a submission, and how it judges the answers."""
