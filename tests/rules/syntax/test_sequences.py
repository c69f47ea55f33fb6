"""Lists beside arrays."""

from __future__ import annotations

from support.handlers import agree


def test_in_operators():
    agree(
        """
        x = np.array([1.0, 2.0])
        a = x - [1, 2]
        b = [1, 2] * x
        c = (x <= [1, 3]).all()
        d = (x == [1, 2]).sum()
        """,
        """
        x = torch.tensor([1.0, 2.0], dtype=torch.float64)
        a = x - torch.tensor([1, 2])
        b = torch.tensor([1, 2]) * x
        c = shim.operator.le(x, [1, 3]).all()
        d = shim.operator.eq(x, [1, 2]).sum()
        """,
    )
