"""Calls whose result shares memory."""

from __future__ import annotations

from support.handlers import agree


def test_a_view_that_is_written():
    agree(
        """
        x = np.arange(4).reshape(2, 2)
        y = np.rot90(x)
        z = np.diagonal(x).copy()
        y = y + 1
        """,
        """
        x = torch.arange(4).reshape(2, 2)
        y = torch.rot90(x)
        z = torch.diagonal(x).clone()
        y = y + 1
        """,
    )


def test_views_that_are_read():
    agree(
        """
        x = np.arange(4)
        y = np.broadcast_to(x, (2, 4))
        z = y + np.expand_dims(x, 0)
        """,
        """
        x = torch.arange(4)
        y = torch.broadcast_to(x, (2, 4))
        z = y + torch.unsqueeze(x, 0)
        """,
    )
