"""A finished solution notebook becomes a draft of an assignment, to be edited."""
