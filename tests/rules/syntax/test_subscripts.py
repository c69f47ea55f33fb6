"""Subscripts where torch indexes otherwise."""

from __future__ import annotations

from support.handlers import agree


def test_reading():
    agree(
        """
        x = np.arange(12).reshape(3, 4)
        a = x[::-1]
        b = x[:, [0, 2]]
        c = x[x > 5]
        d = x[-1, ::2]
        e = x[np.array([0, 2])]
        f = x[..., None].shape
        """,
        """
        x = torch.arange(12).reshape(3, 4)
        a = torch.flip(x, dims=(0,))
        b = x[:, [0, 2]]
        c = x[x > 5]
        d = x[-1, ::2]
        e = x[torch.tensor([0, 2])]
        f = x[..., None].shape
        """,
    )


def test_small_indices():
    agree(
        """
        x = np.arange(5) * 10
        labels = np.array([1, 3], dtype=np.uint8)
        a = x[labels]
        x[labels] = 0
        n = np.int64(2)
        b = x[:n]
        """,
        """
        x = torch.arange(5) * 10
        labels = torch.tensor([1, 3], dtype=torch.uint8)
        a = x[labels.to(torch.int64)]
        x[labels.to(torch.int64)] = 0
        n = torch.tensor(2, dtype=torch.int64)
        b = x[:n]
        """,
    )


def test_an_index_of_which_nothing_is_known_may_be_a_slice_backwards():
    agree(
        """
        class Table:
            def __init__(self, columns):
                self.columns = columns

            def part(self, where):
                return [column[where] for column in self.columns]

        table = Table([np.arange(3, dtype=np.uint8), [1, 2]])
        print([list(map(int, column)) for column in table.part(slice(None, None, -1))])
        """,
        """
        class Table:
            def __init__(self, columns):
                self.columns = columns

            def part(self, where):
                return [shim.operator.getitem(column, where) for column in self.columns]

        table = Table([torch.arange(3, dtype=torch.uint8), [1, 2]])
        print([list(map(int, column)) for column in table.part(slice(None, None, -1))])
        """,
        closed=(),
    )


def test_an_index_of_which_nothing_is_known_into_what_a_call_makes():
    agree(
        """
        def size(n, key):
            return np.arange(n)[key].size

        a = size(5, slice(3, None, -1)), size(4, [1, 2]), size(3, 2), size(6, slice(1, 3))
        """,
        """
        def size(n, key):
            n = operator.index(n)
            return shim.operator.getitem(torch.arange(n), key).numel()

        a = size(5, slice(3, None, -1)), size(4, [1, 2]), size(3, 2), size(6, slice(1, 3))
        """,
        closed=(),
    )
