"""From a solution to the notebook that students get, and to its variants."""
