"""Facts of results of the standard library."""

from __future__ import annotations

import pytest

from np2torch.facts import notation
from np2torch.facts import values as v
from support.facts import one


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("open(p).read()", "str"),
        ("gzip.open(p, 'rt').readlines()", "list of str"),
        ("pathlib.Path(p).open().readline()", "str"),
        ("[line for line in open(p)]", "list of str"),
        ("np.array(line.split(), dtype=float)", "float64[n]"),
        ("np.asarray([line[:3], line[3:]], dtype=np.float32)", "float32[n]"),
        ("np.array([[line, line]], dtype=int)", "int64[n, m]"),
        ("list(set(range(3)) - set(p))", "list of int >= 0"),
        ("list({1} | set(q))", "list of int >= 0 | unknown"),
        ("np.broadcast_shapes((2, 1), (3,))", "tuple of (int >= 0, int >= 0)"),
        ("np.zeros(np.broadcast_shapes(np.shape(np.ones(3)), ()) + (4, 4))", "float64[n, m, k]"),
        ("np.zeros(np.broadcast_shapes(p, ()))", "float64[...]"),
    ],
)  # fmt: skip
def test_what_the_standard_library_gives(expression, expected):
    found = one(f"""
        import gzip, pathlib
        def f(p, q):
            with open(p) as file:
                for line in file:
                    show({expression})
    """)
    assert notation.show_fact(v.widen(found)) == expected
