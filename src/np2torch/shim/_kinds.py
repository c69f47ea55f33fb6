"""NumPy's abstract classes of scalars: markers for `issubdtype` and `isinstance`, not types of any value."""

from __future__ import annotations

import types
from typing import Any


class Kind(type):
    """The class of these markers.

    What stands for a NumPy scalar is an instance of those that it belongs to, also where a program asks by a tuple
    of classes that it was given: `isinstance(x, kinds)`.
    """

    def __instancecheck__(cls, instance: Any) -> bool:
        from np2torch.shim.protocols import isinstance as is_instance

        return is_instance(instance, cls)


class generic(metaclass=Kind):
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
