"""Augmented assignments."""

from __future__ import annotations

from support.handlers import agree


def test_of_arrays():
    agree(
        """
        x = np.arange(3)
        y = x
        x += 2
        x *= np.ones(3, dtype=int)
        z = np.ones(3)
        z /= x
        """,
        """
        x = torch.arange(3)
        y = x
        x += 2
        x *= torch.ones(3, dtype=torch.int64)
        z = torch.ones(3, dtype=torch.float64)
        z /= x
        """,
    )


def test_of_scalars():
    agree(
        """
        x = np.arange(3.0)
        top = x[1]
        top += x[2]
        x[0] -= 1
        """,
        """
        x = torch.arange(3.0, dtype=torch.float64)
        top = x[1]
        top = top + x[2]
        x[0] -= 1
        """,
    )
