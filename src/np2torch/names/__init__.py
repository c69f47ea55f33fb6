"""NumPy's names and the project's: the public API by dotted name, its aliases, and the names of modules."""
