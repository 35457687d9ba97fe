"""Other tools: a folder for each, and what they share."""
