"""What a run yielded: its records, and the stores that keep them, local or by URL."""
