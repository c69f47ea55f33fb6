"""NumPy's abstract classes of scalars: markers for `issubdtype` and `isinstance`, not types of any value."""

from __future__ import annotations

import types
from typing import Any


class generic:
    """All dtypes; like the classes below a marker for `issubdtype`, not a type of any value."""


class number(generic):
    """Integers, floats and complex numbers; in annotations subscripted, as those below: `number[Any]`."""

    __class_getitem__: Any = classmethod(types.GenericAlias)


class integer(number):
    """Signed and unsigned integers."""


class signedinteger(integer):
    """int8 to int64."""


class unsignedinteger(integer):
    """uint8 to uint64."""
