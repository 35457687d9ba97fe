"""The kinds of check: what each asks of a submission, and what it makes of the answers."""
