"""Operators with one operand."""

from __future__ import annotations

from support.handlers import agree


def test_negatives_and_complements():
    agree(
        """
        f, i, z = np.ones(3), np.arange(3), np.zeros(2) + 1j
        b, u = i > 1, i.astype(np.uint16)
        a = -f
        c = ~i
        d = ~b
        e = -z
        g = -u
        """,
        """
        f, i, z = torch.ones(3, dtype=torch.float64), torch.arange(3), torch.zeros(2, dtype=torch.float64) + 1j
        b, u = i > 1, i.to(torch.uint16)
        a = -f
        c = ~i
        d = ~b
        e = shim.operator.neg(z)
        g = shim.operator.neg(u)
        """,
    )


def test_a_positive_array_is_another_array():
    agree(
        """
        f = np.ones(3)
        g = +f
        g[0] = 2.0
        """,
        """
        f = torch.ones(3, dtype=torch.float64)
        g = f.clone()
        g[0] = 2.0
        """,
    )
