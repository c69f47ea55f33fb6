"""Functions that compute element by element, where people let them run in NumPy."""

from __future__ import annotations

from support.handlers import agree

BEFORE = """
def product(q, r):
    a, b, c, d = q
    e, f, g, h = r
    return np.array([
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    ])


p = product(np.arange(4.0), np.ones(4))
"""


def test_a_decorator_stands_over_the_text_that_it_was():
    body = BEFORE.partition("p = ")[0].strip()
    call = "product(torch.arange(4.0, dtype=torch.float64), torch.ones(4, dtype=torch.float64))"
    agree(BEFORE, f"@shim.by_elements\n{body}\n\n\np = {call}", functions="numpy")
