"""Dtypes as objects."""

from __future__ import annotations

import numpy as np
import torch

from support.guards import both
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


def test_numpys_dtype_of_an_object_of_a_library_is_compared_at_run_time():
    agree(
        """
        import scipy.sparse

        matrix = scipy.sparse.csr_matrix(np.eye(2))
        found = matrix.dtype == np.float64, "float64" != matrix.dtype, matrix.dtype.type is np.float32
        among = matrix.dtype in (np.float32, np.float64), matrix.dtype not in [float]
        del matrix
        """,
        """
        import scipy.sparse

        matrix = scipy.sparse.csr_matrix(torch.eye(2, dtype=torch.float64).numpy())
        found = (
            shim.operator.eq(matrix.dtype, torch.float64),
            shim.operator.ne(torch.float64, matrix.dtype),
            shim.operator.eq(matrix.dtype.type, torch.float32),
        )
        among = (
            shim.operator.contains((torch.float32, torch.float64), matrix.dtype),
            not shim.operator.contains([torch.float64], matrix.dtype),
        )
        del matrix
        """,
    )


def test_the_type_of_a_dtype_that_nothing_is_known_of():
    agree(
        """
        class Header:
            type = "of another kind"


        def is_known(header, event):
            return header.kind().type == np.int16, header.kind().type in (np.float32, np.int16), event.type == "click"


        class Short:
            def kind(self):
                return np.zeros(2, "i2").dtype


        found = is_known(Short(), Header())
        """,
        """
        class Header:
            type = "of another kind"


        def is_known(header, event):
            return (
                shim.attribute(header.kind(), "type") == torch.int16,
                shim.attribute(header.kind(), "type") in (torch.float32, torch.int16),
                event.type == "click",
            )


        class Short:
            def kind(self):
                return torch.zeros(2, dtype=torch.int16).dtype


        found = is_known(Short(), Header())
        """,
    )


def test_dtypes_of_what_may_stay_on_numpy_since_torch_lacks_its_order_of_bytes():
    agree(
        """
        def same(held, name, other):
            return getattr(held, name).dtype == getattr(held, other).dtype


        class Held:
            big = np.array([1, 5], dtype=">i2")
            small = np.array([1, 5], dtype="i2")


        found = same(Held(), "big", "small"), same(Held(), "big", "big"), same(Held(), "small", "small")
        """,
        """
        def same(held, name, other):
            return shim.operator.eq(getattr(held, name).dtype, getattr(held, other).dtype)


        class Held:
            # TODO(np2torch): NPT301 >i2 dtype has no torch counterpart; this array stays on NumPy.
            big = np.array([1, 5], dtype=">i2")
            small = torch.tensor([1, 5], dtype=torch.int16)


        found = same(Held(), "big", "small"), same(Held(), "big", "big"), same(Held(), "small", "small")
        """,
    )


RECORDS = """kind = np.dtype([('start', np.int64), ('size', np.float32)])


def asked(data):
    found = getattr(data, 'dtype', None)
    is_whole = getattr(data, 'dtype', None) == np.int64, data.dtype != np.float32
    return found is not None, is_whole, data.dtype in (np.int64, np.float64), data.dtype not in (np.float32,)


def of_records(n):
    rows = np.zeros(n, dtype=kind)
    return [asked(rows['start']), asked(rows['size']), asked(np.arange(n))]
"""


def test_a_dtype_of_what_stays_on_numpy_is_compared_with_torchs():
    old, new, text = both(RECORDS, "of_records")
    assert new(3) == old(3), text


OF_PROPERTIES = """import scipy.sparse


class Signal:
    def __init__(self, value):
        self.value = value

    @property
    def dtype(self):
        return self.value.dtype


def asked(signal):
    same = signal.dtype == signal.value.dtype == np.float64
    return same, signal.dtype == np.float64, signal.dtype != np.float64, np.float32 == signal.dtype != np.float64


def read(value):
    return Signal({"value": value}["value"] if value.ndim else value)


def of_unknown(value):
    signal = read(value)
    return asked(signal)


def of_signals(n):
    return [asked(Signal(x)) for x in (np.ones((n, n)), scipy.sparse.eye(n), np.ones(n, dtype=np.float32))]
"""


def test_a_dtype_of_a_library_is_compared_with_torchs_where_a_property_gives_it():
    old, new, text = both(OF_PROPERTIES, "of_signals")
    assert new(3) == old(3), text
    assert "shim.operator.eq(signal.value.dtype, torch.float64)" in text
    import scipy.sparse

    old, new, text = both(OF_PROPERTIES, "of_unknown")
    for value in (scipy.sparse.eye(3), np.ones(3), np.ones(3, dtype=np.float32)):
        assert new(value if scipy.sparse.issparse(value) else torch.from_numpy(value)) == old(value), text
