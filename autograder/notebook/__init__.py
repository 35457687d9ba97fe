"""Reads submissions: files to cells, cells to exercises."""
