"""Proves an assignment: variants of its solution, graded, and the rules that must hold."""
