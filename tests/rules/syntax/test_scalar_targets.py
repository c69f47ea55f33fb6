"""Stores into what may be a NumPy scalar."""

from __future__ import annotations

from support.handlers import agree


def test_raise_a_type_error():
    agree(
        """
        def clipped(x):
            y = np.abs(x)
            try:
                y[y > 1] = 1
            except TypeError:
                y = min(y, 1)
            return y


        a = clipped(np.array([0.5, 3.0]))
        b = clipped(2.0)
        """,
        """
        def clipped(x):
            y = torch.abs(torch.as_tensor(x, dtype=torch.float64))
            try:
                shim.assignable(y)[y > 1] = 1
            except TypeError:
                y = min(y, 1)
            return y


        a = clipped(torch.tensor([0.5, 3.0], dtype=torch.float64))
        b = clipped(2.0)
        """,
    )
