"""Runs people's own programs on NumPy and records what goes into functions and what comes out."""
