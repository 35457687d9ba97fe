"""A made-up class of sixty, laid out in every download format that is read."""
