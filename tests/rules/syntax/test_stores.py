"""Stores beside others, in a chain, as targets of loops."""

from __future__ import annotations

from support.handlers import agree


def test_several_targets():
    agree(
        """
        x = np.arange(4)
        x[1:], x[0] = x[:-1], x[-1]
        y = np.zeros(4, dtype=int)
        y[1:] = z = x[:-1]
        for y[0] in [5, 6]:
            pass
        """,
        """
        x = torch.arange(4)
        x[1:], x[0] = x[:-1].clone(), x[-1].clone()
        y = torch.zeros(4, dtype=torch.int64)
        y[1:] = z = x[:-1]
        for y[0] in [5, 6]:
            pass
        """,
    )
