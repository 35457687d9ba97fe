"""Names the known mistake behind a wrong answer."""
