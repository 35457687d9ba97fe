"""What all readers of platforms' downloads share."""
