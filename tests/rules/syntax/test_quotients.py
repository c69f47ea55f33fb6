"""Quotients of numbers and tensors."""

from __future__ import annotations

from support.handlers import agree


def test_are_rounded_once():
    agree(
        """
        x = np.array([3.0, 7.0], dtype=np.float32)
        a = 1 / x
        b = 0.1 / x
        c = x / 3
        i = np.array([3, 7])
        d = 1 / i
        """,
        """
        x = torch.tensor([3.0, 7.0], dtype=torch.float32)
        a = 1 / x
        b = torch.div(0.1, x)
        c = x / 3
        i = torch.tensor([3, 7])
        d = 1 / i.to(torch.float64)
        """,
    )
