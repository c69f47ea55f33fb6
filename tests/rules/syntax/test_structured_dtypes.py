"""Structured dtypes under a name."""

from __future__ import annotations

from support.handlers import agree


def test_stay_numpys():
    agree(
        """
        kind = np.dtype([('x', float), ('n', int)])
        rows = np.zeros(2, dtype=kind)
        rows['x'] = 1.5
        total = float(rows['x'].sum())
        names = kind.names
        del kind
        """,
        """
        # TODO(np2torch): NPT302 structured dtype has no torch counterpart; `rows` stays a NumPy array.
        kind = np.dtype([('x', float), ('n', int)])
        rows = np.zeros(2, dtype=kind)
        rows['x'] = 1.5
        total = float(rows['x'].sum())
        names = kind.names
        del kind
        """,
    )


def test_fields_that_are_computed_stay_numpys():
    agree(
        """
        kind = np.dtype({'names': ['start', 'stop'], 'formats': [np.int64] * 2})
        size = kind.itemsize
        del kind
        """,
        """
        # TODO(np2torch): NPT302 structured dtype has no torch counterpart; what is made with it stays a NumPy array.
        kind = np.dtype({'names': ['start', 'stop'], 'formats': [np.int64] * 2})
        size = kind.itemsize
        del kind
        """,
    )
