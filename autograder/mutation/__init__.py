"""Mutants: the solution with one small fault each, made by rule."""
