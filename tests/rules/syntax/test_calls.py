"""Calls of NumPy's functions."""

from __future__ import annotations

from support.handlers import agree


def test_with_arguments_by_name():
    agree(
        """
        x = np.arange(6.0).reshape(2, 3)
        a = np.sum(a=x, axis=0)
        b = np.clip(x, 1, None)
        c = np.add.reduce(x, axis=1)
        d = np.concatenate([x, x], axis=1)
        """,
        """
        x = torch.arange(6.0, dtype=torch.float64).reshape(2, 3)
        a = torch.sum(x, dim=0)
        b = torch.clip(x, min=1)
        c = shim.add.reduce(x, axis=1)
        d = torch.cat([x, x], dim=1)
        """,
    )


def test_what_has_no_spelling():
    agree(
        """
        x = np.arange(3.0)
        a = np.interp([0.5], x, x)
        b = np.sort(x, kind='stable')
        eps = np.finfo(np.float32).eps
        """,
        """
        x = torch.arange(3.0, dtype=torch.float64)
        a = shim.interp([0.5], x, x)
        b = torch.sort(x).values
        eps = shim.finfo(torch.float32).eps
        """,
    )
