"""Calls of methods of arrays."""

from __future__ import annotations

from pathlib import Path

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from support.handlers import agree


def test_native_ones():
    agree(
        """
        x = np.arange(6.0).reshape(2, 3)
        a = x.sum(axis=0)
        b = x.T.copy()
        c = x.astype(np.int64)
        d = x.max()
        x.sort(axis=1)
        x.fill(2.0)
        """,
        """
        x = torch.arange(6.0, dtype=torch.float64).reshape(2, 3)
        a = x.sum(dim=0)
        b = x.T.clone()
        c = x.to(torch.int64, copy=True)
        d = x.max()
        shim.invoke(x, "sort", axis=1)
        x.fill_(2.0)
        """,
    )


def test_those_of_the_shim():
    agree(
        """
        x = np.array([3, 1, 2])
        a = x.argsort(kind='stable')
        b = x.searchsorted(2)
        c = x.nonzero()[0]
        d = x.item(1)
        """,
        """
        x = torch.tensor([3, 1, 2])
        a = x.argsort(stable=True)
        b = shim.searchsorted(x, 2)
        c = x.nonzero(as_tuple=True)[0]
        d = shim.invoke(x, "item", 1)
        """,
    )


def test_the_byte_order_of_an_unknown_dtype_is_decided_at_run_time():
    agree(
        """
        def ordered(column, order):
            return column.kind.newbyteorder(order) == column.kind

        class Column:
            kind = np.dtype(np.int16)

        a, b = ordered(Column, "<"), ordered(Column, ">")
        """,
        """
        def ordered(column, order):
            return shim.invoke(column.kind, "newbyteorder", order) == column.kind

        class Column:
            kind = torch.int16

        a, b = ordered(Column, "<"), ordered(Column, ">")
        """,
        closed=(),
    )


def test_view_without_arguments_of_anything() -> None:
    text = "import numpy as np\n\n\ndef f(x):\n    return x.kept.view(), np.pi\n"
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings())
    assert 'shim.invoke(x.kept, "view")' in done.after


def test_operators_spelled_as_methods_the_other_way_round():
    """`Tensor.__radd__` follows torch's promotion: an int64 and a float32 tensor would give float32."""
    agree(
        """
        def reflected(x, y):
            return x.__radd__(y), x.__rsub__(y), x.__rtruediv__(y), x.__rpow__(y), x.__rfloordiv__(2)

        a, b, c, d, e = reflected(np.array([1, 2]), np.array([1.5, 4.0], dtype=np.float32))
        """,
        """
        def reflected(x, y):
            return (
                shim.operator.add(y, x),
                shim.operator.sub(y, x),
                shim.operator.truediv(y, x),
                shim.operator.pow(y, x),
                shim.operator.floordiv(2, x),
            )

        a, b, c, d, e = reflected(torch.tensor([1, 2]), torch.tensor([1.5, 4.0], dtype=torch.float32))
        """,
    )


def test_conversions_to_numbers_spelled_as_methods():
    """torch takes one element of what has axes, and no integer above int64; it has no `abs` of wide unsigned ones."""
    agree(
        """
        def numbers(x):
            return x.__int__(), x.__float__(), x.__complex__()

        def index(x):
            try:
                return x.__index__()
            except TypeError:
                return x.__abs__()

        held = [np.array(3), np.array(True), np.array(2**63 + 5, dtype=np.uint64), np.array(1.5)]
        a = [numbers(one) for one in held]
        b = [index(one) for one in [*held, np.array([3], dtype=np.uint16)]]
        """,
        """
        def numbers(x):
            return shim.invoke(x, "__int__"), shim.invoke(x, "__float__"), shim.invoke(x, "__complex__")

        def index(x):
            try:
                return shim.invoke(x, "__index__")
            except TypeError:
                return shim.operator.abs(x)

        held = [
            torch.tensor(3),
            torch.tensor(True),
            shim.array(2**63 + 5, dtype=torch.uint64),
            torch.tensor(1.5, dtype=torch.float64),
        ]
        a = [numbers(one) for one in held]
        b = [index(one) for one in [*held, torch.tensor([3], dtype=torch.uint16)]]
        """,
    )
