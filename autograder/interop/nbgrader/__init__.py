"""Import from and export to nbgrader courses."""
