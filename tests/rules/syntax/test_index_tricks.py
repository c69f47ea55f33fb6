"""`np.r_` and `np.c_`."""

from __future__ import annotations

from support.handlers import agree


def test_rows():
    agree(
        """
        a = np.r_[1.2, 9.4]
        b = np.r_[0:3]
        c = np.r_[0:1:0.25]
        d = np.r_[a, 0.0]
        """,
        """
        a = torch.tensor([1.2, 9.4], dtype=torch.float64)
        b = torch.arange(0, 3)
        c = torch.arange(0, 1, 0.25, dtype=torch.float64)
        d = torch.cat((a, torch.tensor([0.0], dtype=torch.float64)))
        """,
    )


def test_columns():
    agree(
        """
        x, y = np.zeros(3), np.ones(3)
        a = np.c_[x, y]
        b = np.c_[a, x]
        """,
        """
        x, y = torch.zeros(3, dtype=torch.float64), torch.ones(3, dtype=torch.float64)
        a = torch.column_stack((x, y))
        b = torch.column_stack((a, x))
        """,
    )
