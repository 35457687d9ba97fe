"""Stand-ins for packages that a notebook imports, but that the sandbox does not contain."""
