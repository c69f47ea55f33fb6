"""Types of arrays."""

from __future__ import annotations

from support.handlers import agree


def test_types_of_arrays():
    agree(
        """
        from numpy.typing import ArrayLike, NDArray


        def f(x: NDArray[np.float64], y: ArrayLike = 1.0) -> np.ndarray | None:
            return x + y


        r = f(np.ones(2))
        """,
        """
        def f(x: torch.Tensor, y: shim.typing.ArrayLike = 1.0) -> torch.Tensor | None:
            return x + y


        r = f(torch.ones(2, dtype=torch.float64))
        """,
    )


def test_scalar_types():
    agree(
        """
        def f(x: np.float64 | None = None) -> np.float64 | float:
            return x


        r = f(np.ones(2)[0])
        """,
        """
        def f(x: torch.Tensor | None = None) -> torch.Tensor | float:
            return x


        r = f(torch.ones(2, dtype=torch.float64)[0])
        """,
    )
