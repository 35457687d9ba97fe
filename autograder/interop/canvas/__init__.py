"""Canvas' downloads and scores."""
