"""Evidence to verdicts."""
