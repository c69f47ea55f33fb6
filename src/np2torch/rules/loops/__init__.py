"""Loops that go element by element, and what it takes to run them in NumPy on the memory of the tensors.

`vocabulary` says what may stand in such a loop, `sources` what its names and attributes hold, `flow` which names go in
and come out, `regions` decides.
"""
