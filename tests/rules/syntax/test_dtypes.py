"""Dtypes as objects."""

from __future__ import annotations

from support.handlers import agree


def test_their_attributes():
    agree(
        """
        x = np.ones(3, dtype=np.float32)
        kind = x.dtype.kind
        size = x.dtype.itemsize
        name = x.dtype.name
        same = x.dtype == np.float32
        """,
        """
        x = torch.ones(3, dtype=torch.float32)
        kind = shim.attribute(x.dtype, "kind")
        size = x.dtype.itemsize
        name = shim.attribute(x.dtype, "name")
        same = x.dtype == torch.float32
        """,
    )


def test_classes_that_are_called():
    agree(
        """
        numbers = list(map(np.float32, ['1.5', '2']))
        made = np.int64(3)
        """,
        """
        numbers = list(map(shim.float32, ['1.5', '2']))
        made = torch.tensor(3, dtype=torch.int64)
        """,
    )
