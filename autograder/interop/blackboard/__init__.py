"""Blackboard's downloads and scores."""
