"""The classes of arrays that stay on NumPy."""

from __future__ import annotations

from support.handlers import agree


def test_of_texts():
    agree(
        """
        x = np.array(['a', 'b'])
        is_array = type(x) is np.ndarray
        is_text = issubclass(x.dtype.type, np.character)
        kind = x.dtype.kind
        """,
        """
        # TODO(np2torch): NPT301 the elements have no torch dtype; this array stays on NumPy.
        x = np.array(['a', 'b'])
        # TODO(np2torch): NPT305 asked of an array that stays on NumPy; NumPy's class is kept.
        is_array = type(x) is np.ndarray
        # TODO(np2torch): NPT304 np.character has no torch counterpart; kept on NumPy.
        is_text = issubclass(x.dtype.type, np.character)
        kind = x.dtype.kind
        """,
    )
