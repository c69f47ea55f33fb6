"""The parts of the table generator: operands to try, what NumPy returns, and the casts that torch needs."""
