"""Stand-ins for packages that a notebook imports, but that the box does not hold."""
