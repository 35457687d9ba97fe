"""LTI 1.3 score messages."""
