"""Public functions that go on taking ndarrays."""

from __future__ import annotations

from support.handlers import agree

BEFORE = """
def double(x):
    return 2 * np.abs(x)


class Table:
    def rows(self, x):
        return np.sort(x)


{call}
"""


def test_a_decorator_from_the_shim():
    agree(
        BEFORE.format(call="a = double(np.ones(2))"),
        """
        @shim.public
        def double(x):
            return 2 * shim.abs(x)


        @shim.public
        class Table:
            def rows(self, x):
                return shim.sort(x)


        a = double(torch.ones(2, dtype=torch.float64))
        """,
        public_api="ndarray",
    )


def test_none_where_tensors_are_wanted():
    agree(
        BEFORE.format(call="a, b = double(np.ones(2)), Table().rows(np.ones(2))"),
        """
        def double(x):
            return 2 * torch.abs(x)


        class Table:
            def rows(self, x):
                return torch.sort(x).values


        a, b = double(torch.ones(2, dtype=torch.float64)), Table().rows(torch.ones(2, dtype=torch.float64))
        """,
    )
