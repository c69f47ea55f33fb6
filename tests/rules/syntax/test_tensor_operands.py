"""Lists and numbers that become tensors where they stand."""

from __future__ import annotations

from support.handlers import agree


def test_beside_arrays():
    agree(
        """
        def shifted(x):
            return x + 0.5, x * 2, [1, 2] + x


        a = shifted(np.array([1, 2]))
        b = shifted(np.array([1.0, 2.0]))
        c = np.arange(2) + np.array([0.5, 1.5]) * [1, 2]
        """,
        """
        def shifted(x):
            return x.to(torch.float64) + 0.5, x * 2, torch.tensor([1, 2]) + x


        a = shifted(torch.tensor([1, 2]))
        b = shifted(torch.tensor([1.0, 2.0], dtype=torch.float64))
        c = torch.arange(2) + torch.tensor([0.5, 1.5], dtype=torch.float64) * torch.tensor([1, 2])
        """,
    )
