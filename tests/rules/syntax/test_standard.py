"""The standard library on arrays."""

from __future__ import annotations

from support.handlers import agree


def test_random_and_statistics():
    agree(
        """
        import operator
        import statistics

        x = np.array([1, 2, 4])
        m = statistics.mean(x.tolist())
        operator.setitem(x, 0, 7)
        back = [one for one in reversed(x)]
        g = operator.itemgetter(1)(x)
        """,
        """
        import operator
        import statistics

        x = torch.tensor([1, 2, 4])
        m = statistics.mean(x.tolist())
        shim.operator.setitem(x, 0, 7)
        back = [one for one in reversed(x.clone())]
        g = operator.itemgetter(1)(x.clone())
        """,
    )


def test_itertools_and_heapq():
    agree(
        """
        import heapq
        import itertools

        x = np.array([3, 1, 2])
        least = heapq.nsmallest(2, x)
        sums = list(itertools.accumulate(x))
        pairs = list(itertools.product(x, [0]))
        """,
        """
        import heapq
        import itertools

        x = torch.tensor([3, 1, 2])
        least = heapq.nsmallest(2, x.clone())
        sums = list(itertools.accumulate(x))
        pairs = list(itertools.product(x, [0]))
        """,
    )
