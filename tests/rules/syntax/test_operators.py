"""Operators with the casts of NEP 50."""

from __future__ import annotations

from support.handlers import agree


def test_arithmetic():
    agree(
        """
        i, f = np.arange(1, 4), np.ones(3)
        a = i / 2
        b = i + f
        c = i**2
        d = -f
        e = i // 2 + i % 2
        h = np.float32(2) * f
        """,
        """
        i, f = torch.arange(1, 4), torch.ones(3, dtype=torch.float64)
        a = i.to(torch.float64) / 2
        b = i + f
        c = i**2
        d = -f
        e = i // 2 + i % 2
        h = torch.tensor(2, dtype=torch.float32) * f
        """,
    )


def test_comparisons():
    agree(
        """
        i, f = np.arange(3), np.ones(3)
        a = i < f
        b = i == 1
        c = (i > 0) & (f > 0)
        d = ~(i > 1)
        """,
        """
        i, f = torch.arange(3), torch.ones(3, dtype=torch.float64)
        a = i < f
        b = i == 1
        c = (i > 0) & (f > 0)
        d = ~(i > 1)
        """,
    )
