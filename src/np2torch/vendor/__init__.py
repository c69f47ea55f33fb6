"""Copies of the shim in packages that are to run without np2torch."""
