"""Python's functions on arrays and NumPy scalars."""

from __future__ import annotations

from support.handlers import agree


def test_of_scalars():
    agree(
        """
        x = np.array([1.5, -2.0])
        a = abs(x[1])
        b = round(x[0])
        c = max(x[0], x[1])
        d = int(x.sum())
        print(len(x), float(x[0]), str(x[0]))
        """,
        """
        x = torch.tensor([1.5, -2.0], dtype=torch.float64)
        a = abs(x[1])
        b = round(x[0].item())
        c = max(x[0], x[1])
        d = int(x.sum())
        print(len(x), float(x[0]), str(x[0].item()))
        """,
    )


def test_of_arrays():
    agree(
        """
        x = np.array([[1, 2], [3, 4]])
        rows = list(x)
        total = sum(x)
        is_array = isinstance(x, np.ndarray)
        """,
        """
        x = torch.tensor([[1, 2], [3, 4]])
        rows = list(x)
        total = sum(x)
        is_array = isinstance(x, torch.Tensor)
        """,
    )


def test_int_of_what_may_be_a_uint64_beyond_int64():
    agree(
        """
        def first(values):
            return int(values[0])

        print(first(np.array([2**63 + 1], dtype=np.uint64)))
        """,
        """
        def first(values):
            return int(shim.only_scalar(values[0]))

        print(first(shim.array([2**63 + 1], dtype=torch.uint64)))
        """,
    )


def test_whole_numbers_of_scalars_and_numbers():
    agree(
        """
        x = np.array([1.5, -2.25, 7.0])
        a = int(np.floor(x[0]))
        b = int(np.ceil(2.5))
        c = [int(np.trunc(one)) for one in x]
        d = int(np.floor(np.array([3, 4])[1]))
        """,
        """
        x = torch.tensor([1.5, -2.25, 7.0], dtype=torch.float64)
        a = math.floor(x[0])
        b = math.ceil(2.5)
        c = [int(one) for one in x]
        d = int(torch.floor(torch.tensor([3, 4])[1]))
        """,
    )
