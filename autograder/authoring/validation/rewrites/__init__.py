"""Ways of writing an answer that mean the same."""
