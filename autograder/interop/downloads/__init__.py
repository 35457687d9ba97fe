"""What the readers of all platforms' downloads share."""
