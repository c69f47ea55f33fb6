"""Errors that are certain."""

from __future__ import annotations

from support.handlers import agree


def test_are_numpys():
    agree(
        """
        x = np.arange(6)
        found = []
        for number in range(3):
            try:
                if number == 0:
                    x.reshape(4, 2)
                elif number == 1:
                    np.ones(2) + np.ones(3)
                elif np.ones(2):
                    pass
            except ValueError as error:
                found.append(type(error).__name__)
        """,
        """
        x = torch.arange(6)
        found = []
        for number in range(3):
            try:
                if number == 0:
                    shim.reshape(x, (4, 2))
                elif number == 1:
                    shim.operator.add(torch.ones(2, dtype=torch.float64), torch.ones(3, dtype=torch.float64))
                elif shim.truth(torch.ones(2, dtype=torch.float64)):
                    pass
            except (ValueError, RuntimeError) as error:
                found.append(type(error).__name__)
        """,
    )
