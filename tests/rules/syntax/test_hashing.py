"""Keys and members by value."""

from __future__ import annotations

from support.handlers import agree


def test_keys():
    agree(
        """
        x = np.array([1, 2, 2])
        counts = {}
        for one in x:
            counts[one] = counts.get(one, 0) + 1
        kinds = {one for one in x}
        names = {x[0]: 'a'}
        """,
        """
        x = torch.tensor([1, 2, 2])
        counts = {}
        for one in x:
            counts[one.item()] = counts.get(one.item(), 0) + 1
        kinds = {one.item() for one in x}
        names = {x[0].item(): 'a'}
        """,
    )


def test_functions_that_remember():
    agree(
        """
        import functools


        @functools.lru_cache
        def double(x):
            return 2 * x


        x = np.array([1.0, 1.0])
        y = [double(one) for one in x]
        hits = double.cache_info().hits
        """,
        """
        import functools


        @shim.by_value(functools.lru_cache)
        def double(x):
            return 2 * x


        x = torch.tensor([1.0, 1.0], dtype=torch.float64)
        y = [double(one) for one in x]
        hits = double.cache_info().hits
        """,
    )
