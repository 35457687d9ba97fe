"""Brightspace's downloads and scores."""
