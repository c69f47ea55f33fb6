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
        c = torch.sum(x, dim=1)
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
        eps = torch.tensor(torch.finfo(torch.float32).eps, dtype=torch.float32)
        """,
    )


def test_limits_of_double_precision_widen_single_precision():
    agree(
        """
        EPS = np.finfo(float).eps
        x = np.ones(3, np.float32)
        a = EPS * x
        b = x / (np.sum(x) + np.finfo(np.float64).eps)
        c = EPS ** (1.0 / x[0])
        """,
        """
        EPS = torch.tensor(torch.finfo(torch.float64).eps, dtype=torch.float64)
        x = torch.ones(3, dtype=torch.float32)
        a = EPS * x.to(torch.float64)
        b = x.to(torch.float64) / (torch.sum(x) + torch.tensor(torch.finfo(torch.float64).eps, dtype=torch.float64))
        c = EPS ** (1.0 / x[0])
        """,
    )
