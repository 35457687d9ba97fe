"""Right results changed in a simple way: what the changes are, and which one holds."""
