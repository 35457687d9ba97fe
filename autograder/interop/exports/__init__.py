"""What all writers of scores share."""
