"""NumPy's own test files run three ways: as they are, converted by np2torch, and on `torch._numpy`."""
