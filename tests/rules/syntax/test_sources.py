"""Expressions of the dtype of one name."""

from __future__ import annotations

from support.handlers import agree


def test_are_of_one_dtype():
    agree(
        """
        def centred(x):
            return x[1:] - x[:-1], x.T + x.T, -x + x


        a = centred(np.arange(3))
        b = centred(np.arange(3.0))
        """,
        """
        def centred(x):
            return x[1:] - x[:-1], x + x, -x + x


        a = centred(torch.arange(3))
        b = centred(torch.arange(3.0, dtype=torch.float64))
        """,
    )
