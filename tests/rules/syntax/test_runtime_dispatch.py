"""What is decided at run time."""

from __future__ import annotations

from support.handlers import agree


def test_operators_and_subscripts():
    agree(
        """
        def pick(x, at):
            return x[at] + x[0] * 2


        a = pick([1, 2], 1)
        b = pick(np.arange(3), 1)
        c = pick((1.0, 2.0), 0)
        """,
        """
        def pick(x, at):
            return shim.operator.add(x[at], x[0] * 2)


        a = pick([1, 2], 1)
        b = pick(torch.arange(3), 1)
        c = pick((1.0, 2.0), 0)
        """,
    )


def test_methods():
    agree(
        """
        def total(x):
            return x.sum() if hasattr(x, 'sum') else sum(x)


        a = total([1, 2])
        b = total(np.arange(3))
        """,
        """
        def total(x):
            return x.sum() if hasattr(x, 'sum') else sum(x)


        a = total([1, 2])
        b = total(torch.arange(3))
        """,
    )
