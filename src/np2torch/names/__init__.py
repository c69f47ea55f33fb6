"""Which names are NumPy: the public API by dotted name, its aliases, and the project's module names."""
