"""Methods and protocols of NumPy scalars."""

from __future__ import annotations

from support.handlers import agree


def test_of_numbers():
    agree(
        """
        import math

        x = np.array([1.5, 2.0])
        a = x[1].is_integer()
        b = math.trunc(x[0])
        c = divmod(x[0], x[1])
        d = float.hex(x[0])
        i = np.array([3, 4])
        e = i[0].numerator
        f = i[0].bit_count()
        """,
        """
        x = torch.tensor([1.5, 2.0], dtype=torch.float64)
        a = x[1].item().is_integer()
        b = math.trunc(x[0].item())
        c = shim.divmod(x[0], x[1])
        d = float.hex(x[0].item())
        i = torch.tensor([3, 4])
        e = shim.attribute(i[0], "numerator")
        f = i[0].item().bit_count()
        """,
    )
