"""Loops that are proved independent, reductions or simple recurrences, as whole-array NumPy code."""
