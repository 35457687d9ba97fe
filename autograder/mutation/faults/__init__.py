"""Small faults for mutants of a solution."""
