"""Stores that share memory with what they read."""

from __future__ import annotations

from support.handlers import agree


def test_are_buffered():
    agree(
        """
        x = np.arange(5)
        x[1:] = x[:-1]
        y = np.arange(6.0)
        y[::2] += y[1::2]
        z = np.eye(3)
        z[:] = z.T * 2
        """,
        """
        x = torch.arange(5)
        x[1:] = x[:-1].clone()
        y = torch.arange(6.0, dtype=torch.float64)
        y[::2] += y[1::2].clone()
        z = torch.eye(3, dtype=torch.float64)
        z[:] = z.T * 2
        """,
    )
