"""New course folders, and small assignments that work as they are."""
