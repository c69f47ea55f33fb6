"""Membership by value."""

from __future__ import annotations

from support.handlers import agree


def test_of_scalars():
    agree(
        """
        x = np.array([1, 2, 3])
        a = x[0] in (1, 5)
        b = 2 in x
        c = x[1] in {2: 'two'}
        d = x[0] not in [x[1], x[2]]
        """,
        """
        x = torch.tensor([1, 2, 3])
        a = x[0] in (1, 5)
        b = 2 in x
        c = x[1].item() in {2: 'two'}
        d = x[0] not in [x[1], x[2]]
        """,
    )
