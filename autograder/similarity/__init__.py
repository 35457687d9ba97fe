"""Very similar submissions."""
