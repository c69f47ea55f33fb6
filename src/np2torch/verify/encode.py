"""Python values as JSON: what the two sides get and give, in a form that names neither NumPy nor torch.

A value is a list that begins with its kind:

    ["none"] ["bool", true] ["int", 3] ["float", 0.5] ["complex", 1.0, 2.0] ["str", "a"] ["bytes", "base64"]
    ["ellipsis"] ["slice", start, stop, step] ["range", 0, 3, 1]
    ["array", class, dtype, shape, buffer, offset, strides]   in bytes; class "" for NumPy's own, "Tensor" for torch's
    ["array", class, dtype, shape, buffer, 0, [], owner, plain]   the same stored in order; `owner` is whose memory it
                                                              was, `plain` whether it can be written and has no
                                                              negative step
    ["scalar", dtype, base64]                                  a NumPy scalar
    ["things", dtype, shape, items]                            an array of strings, objects or dates
    ["tuple", items] ["list", items] ["set", items] ["frozenset", items] ["dict", [[key, value], ...]]
    ["named", module, class, items]                            a named tuple
    ["iterator", items]                                        what a generator gives, the first items
    ["dtype", name] ["function", module, name] ["class", module, name]
    ["object", number, module, class, [[attribute, value], ...]]
    ["again", number]                                          a list, dict or object that was met before: these are
                                                              counted in the order of their beginnings
    ["identity", number]                                       the `id` of one that was met before
    ["sample", name]                                           a function of `samples`
    ["standard", class, text]                                  a date, an exact number, a path
    ["member", module, class, name]                            a member of an enumeration
    ["generator", class, state]                                a generator of random numbers of NumPy, as an input
    ["table", class, [index, names, column, ...]]              a Series or DataFrame of pandas: the names of its index
                                                              and of itself, or its columns; arrays of class "pandas"
    ["opaque", class]                                          nothing in it can be compared

Arrays that share memory name the same buffer, so that overlap is kept. Nothing is pickled.
"""

from __future__ import annotations

import base64
import ctypes
import importlib.util
import itertools
import os
import sys
from collections.abc import Iterator
from enum import Enum
from io import IOBase
from types import BuiltinFunctionType, FunctionType, MemberDescriptorType, MethodType, ModuleType
from typing import Any, NamedTuple

import numpy as np

Encoded = list[Any]
"""A value, as above."""
NUMBERS = "biufc"
PLAIN = {bool: "bool", int: "int", float: "float", str: "str"}
SAMPLES = "np2torch.verify.samples"
SHIM = "np2torch.shim"
OF_NUMPY = (np.ufunc, type(np.sum))
"""The types of NumPy's functions."""
CONTAINERS = {tuple: "tuple", list: "list", set: "set", frozenset: "frozenset"}
MOST_BYTES = 4_000_000
"""The memory for arrays of one call, in a recording or as a result."""
MOST_ITEMS = 10_000
"""Items of an iterator, and of a list."""
MOST_DEPTH = 40
MOST_VALUES = 5_000
"""Values after which no object is looked into: one of a library, such as axes of matplotlib, reaches half a million."""
MOST_DIGITS = 4000


def _is_of_shim(value: Any) -> bool:
    """Tell a function that stands for one of NumPy's."""
    module = value.__module__ if isinstance(value, FunctionType) else type(value).__module__
    return str(module).startswith(SHIM) and hasattr(value, "__name__")


class TooLargeError(ValueError):
    """A value that is too large to be compared or recorded."""


class MadeObject:
    """An object of a class of the project as a side gave it, to be passed on: nothing of the project is imported here.

    Attributes
    ----------
    encoded
        What it was encoded as: its attributes are numbers and words.
    """

    def __init__(self, encoded: Encoded) -> None:
        self.encoded = encoded

    @property
    def class_name(self) -> str:
        """The name of its class."""
        return str(self.encoded[3])


class Table:
    """A Series or DataFrame of pandas by what it holds, to be made on a side: pandas need not be installed here.

    Attributes
    ----------
    kind
        "Series" or "DataFrame".
    index
        A range, or an array.
    names
        Of the index, then of the Series or of each column.
    """

    def __init__(self, kind: str, index: Any, names: tuple[Any, ...], columns: list[Any]) -> None:
        self.kind = kind
        self.index = index
        self.names = names
        self.columns = columns


def table_of(value: Any) -> Table | None:
    """Give what a Series or DataFrame holds; None for all else, and where its dtypes are no dtypes of NumPy."""
    pandas = sys.modules.get("pandas")
    if pandas is None or type(value) not in (getattr(pandas, "Series", None), getattr(pandas, "DataFrame", None)):
        return None
    is_series = type(value) is pandas.Series
    columns = [value] if is_series else [value.iloc[:, at] for at in range(value.shape[1])]
    is_plain = all(isinstance(one.dtype, np.dtype) for one in (value.index, *columns))
    if not is_plain or isinstance(value.index, pandas.MultiIndex):
        return None
    index = value.index
    index = range(index.start, index.stop, index.step) if isinstance(index, pandas.RangeIndex) else index.to_numpy()
    names = value.index.name, *([value.name] if is_series else value.columns)
    return Table(type(value).__name__, index, names, [one.to_numpy() for one in columns])


class PackedValues(NamedTuple):
    """Encoded values and the memory of their arrays."""

    values: list[Encoded]
    buffers: list[bytes]

    def as_json(self) -> dict[str, Any]:
        """The same, with memory in base64."""
        return {"values": self.values, "buffers": [base64.b64encode(one).decode() for one in self.buffers]}

    @classmethod
    def from_json(cls, given: dict[str, Any]) -> PackedValues:
        """Read what `as_json` gives."""
        return cls(given["values"], [base64.b64decode(one) for one in given["buffers"]])


def pack(values: list[Any], is_layout_kept: bool = False, is_untouched: bool = False) -> PackedValues:
    """Encode values together, so that what they share is seen.

    Parameters
    ----------
    is_layout_kept
        Whether strides and gaps are kept, as for inputs; otherwise each array is stored in order.
    is_untouched
        Whether somebody else needs the values: what an iterator gives is left to that.

    Raises
    ------
    TooLargeError
        Where the arrays take too much memory, or containers have too many items.
    """
    encoder = _Encoder(is_layout_kept, is_untouched)
    return PackedValues([encoder(value) for value in values], [bytes(one) for one in encoder.buffers])


def standard() -> Any:
    """The module of that name beside this one, which may have been loaded by its path into a traced program."""
    found = sys.modules.get("np2torch.verify.standard") or sys.modules.get("_np2torch_standard")
    if found is None:
        path = os.path.join(os.path.dirname(__file__), "standard.py")
        spec = importlib.util.spec_from_file_location("_np2torch_standard", path)
        assert spec is not None and spec.loader is not None
        found = sys.modules["_np2torch_standard"] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(found)
    return found


def attributes_of(value: Any) -> dict[str, Any] | None:
    """Give the attributes of an object of a class written in Python, those in slots too; None for others."""
    classes = [vars(cls) for cls in type(value).__mro__ if "__slots__" in vars(cls)]
    if not classes and not hasattr(value, "__dict__"):
        return None
    slots = [name for names in classes for name, one in names.items() if isinstance(one, MemberDescriptorType)]
    held = {name: getattr(value, name) for name in slots if hasattr(value, name)}
    return held | getattr(value, "__dict__", {})


GENERATORS = ("PCG64", "MT19937")


def _generator(value: Any) -> Encoded:
    """A generator of random numbers by its state, where the shim has its kind too."""
    is_old = isinstance(value, np.random.RandomState)
    state = value.get_state(legacy=False) if is_old else value.bit_generator.state
    if state["bit_generator"] not in GENERATORS:
        return ["opaque", type(value).__qualname__]
    words = {name: item.tolist() if isinstance(item, np.ndarray) else item for name, item in state["state"].items()}
    return ["generator", type(value).__qualname__, {**state, "state": words}]


class _Encoder:
    def __init__(self, is_layout_kept: bool, is_untouched: bool) -> None:
        self.buffers: list[bytes] = []
        self.owners: list[tuple[int, int, int]] = []  # beginning and end of memory, and its buffer
        self.objects: dict[int, int] = {}
        self.alive: list[Any] = []  # ids are unique among living objects only
        self.depth = 0
        self.size = 0
        self.count = 0
        self.is_layout_kept = is_layout_kept
        self.is_untouched = is_untouched

    def __call__(self, value: Any) -> Encoded:
        if self.depth > MOST_DEPTH:
            return ["opaque", "too deep"]
        self.depth += 1
        self.count += 1
        try:
            return self._encode(value)
        finally:
            self.depth -= 1

    def _encode(self, value: Any) -> Encoded:
        if self.is_layout_kept and isinstance(value, (np.random.RandomState, np.random.Generator)):
            return _generator(value)
        kind = type(value)
        if value is None or value is ...:
            return ["none"] if value is None else ["ellipsis"]
        if kind in PLAIN:
            return self._whole(value) if kind is int else self._plain(value)
        if kind is complex:
            return ["complex", value.real, value.imag]
        if kind is bytes:
            return ["bytes", base64.b64encode(value).decode()]
        if kind in (slice, range):
            return [kind.__name__, *map(self, (value.start, value.stop, value.step))]
        if isinstance(value, np.ndarray):
            return self._array(value)
        if isinstance(value, np.generic):
            return self._scalar(value)
        torch = sys.modules.get("torch")
        if torch is not None and isinstance(value, torch.Tensor):
            return self._tensor(value, torch)
        if isinstance(value, np.dtype) or torch is not None and isinstance(value, torch.dtype):
            return ["dtype", value.name if isinstance(value, np.dtype) else str(value).removeprefix("torch.")]
        if isinstance(value, (tuple, list, set, frozenset, dict)):
            return self._container(value)
        return self._other(value)

    def _plain(self, value: Any) -> Encoded:
        kind = type(value)
        return [PLAIN[kind], value if kind is not str else value.encode("utf-8", "replace").decode()]

    def _whole(self, value: int) -> Encoded:
        if value.bit_length() > MOST_DIGITS:
            raise TooLargeError("an integer of thousands of digits")
        return ["identity", self.objects[value]] if value in self.objects else ["int", value]

    def _other(self, value: Any) -> Encoded:
        if (form := standard().FORMS.get(type(value))) is not None:
            return ["standard", type(value).__qualname__, form.write(value)]
        if (carried := self._carried(value)) is not None:
            return carried
        if isinstance(value, Enum):
            return ["member", type(value).__module__, type(value).__qualname__, value.name]
        if isinstance(value, type) and issubclass(value, np.generic):
            return ["dtype", np.dtype(value).name if value.__subclasses__() == [] else value.__name__]
        if isinstance(value, type):
            return ["class", value.__module__, value.__qualname__]
        if isinstance(value, OF_NUMPY) or _is_of_shim(value):
            return ["function", "numpy", value.__name__]
        if isinstance(value, FunctionType) and value.__module__ == SAMPLES:
            return ["sample", value.__name__]
        if isinstance(value, (FunctionType, BuiltinFunctionType)):
            return ["function", value.__module__ or "", value.__qualname__]
        if isinstance(value, Iterator) and not hasattr(value, "__dict__") and not isinstance(value, IOBase):
            is_left = self.is_untouched
            return ["opaque", "iterator"] if is_left else ["iterator", self._items(itertools.islice(value, MOST_ITEMS))]
        attributes = None if isinstance(value, (MethodType, ModuleType)) else attributes_of(value)
        if attributes is None:
            return ["opaque", type(value).__qualname__]
        return self._object(value, attributes)

    def _object(self, value: Any, attributes: dict[str, Any]) -> Encoded:
        if id(value) in self.objects:
            return ["again", self.objects[id(value)]]
        number = self.objects[id(value)] = len(self.objects)
        self.alive.append(value)
        if self.count > MOST_VALUES:
            return ["opaque", type(value).__qualname__]
        pairs = [[str(name), self(item)] for name, item in list(attributes.items())]
        is_wrapped = type(value).__module__.startswith(SHIM)  # a policy says what it stands for
        cls = value.__class__ if is_wrapped else type(value)
        return ["object", number, cls.__module__, cls.__qualname__, pairs]

    def _carried(self, value: Any) -> Encoded | None:
        """Encode what stands for an object of a side, and tables; None for all else."""
        if isinstance(value, MadeObject):
            return self._made(value)
        table = value if isinstance(value, Table) else table_of(value)
        return None if table is None else self._table(table)

    def _table(self, value: Table) -> Encoded:
        arrays = [self(one) for one in (value.index, *value.columns)]
        for one in arrays:
            one[1:2] = ["pandas"] if one[0] == "array" else one[1:2]
        return ["table", value.kind, [arrays[0], self(value.names), *arrays[1:]]]

    def _made(self, value: MadeObject) -> Encoded:
        """Encode an object that comes from a side by its number among these values."""
        if id(value) in self.objects:
            return ["again", self.objects[id(value)]]
        number = self.objects[id(value)] = len(self.objects)
        self.alive.append(value)
        return ["object", number, *value.encoded[2:]]

    def _items(self, items: Any) -> list[Encoded]:
        found = [self(item) for item in itertools.islice(items, MOST_ITEMS + 1)]
        if len(found) > MOST_ITEMS:
            raise TooLargeError(f"more than {MOST_ITEMS} items")
        return found

    def _container(self, value: Any) -> Encoded:
        if id(value) in self.objects:
            return ["again", self.objects[id(value)]]
        if isinstance(value, (list, dict)):  # they may hold themselves
            self.objects[id(value)] = len(self.objects)
            self.alive.append(value)
        if isinstance(value, dict):
            pairs = [[self(key), self(item)] for key, item in itertools.islice(value.items(), MOST_ITEMS)]
            return ["dict", pairs]
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return ["named", type(value).__module__, type(value).__qualname__, self._items(value)]
        items = self._items(value)
        if isinstance(value, (set, frozenset)) and not self.is_layout_kept:  # inputs keep their order
            items.sort(key=repr)
        return [next(name for kind, name in CONTAINERS.items() if isinstance(value, kind)), items]

    def _scalar(self, value: Any) -> Encoded:
        if value.dtype.kind not in NUMBERS or value.dtype.itemsize > 16 or value.dtype.char in "gG":
            return ["things", value.dtype.str, [], [["str", str(value)]]]
        return ["scalar", value.dtype.name, base64.b64encode(value.tobytes()).decode()]

    def _array(self, value: Any) -> Encoded:
        name = "" if type(value) is np.ndarray else type(value).__qualname__
        if value.dtype.kind not in NUMBERS or value.dtype.char in "gG":
            items = self._items(value.reshape(-1).tolist()) if value.dtype.kind == "O" else None
            items = [["str", str(item)] for item in value.reshape(-1)[:MOST_ITEMS]] if items is None else items
            return ["things", value.dtype.str, list(value.shape), items]
        plain = np.asarray(value)
        if not plain.dtype.isnative:
            plain = plain.astype(plain.dtype.newbyteorder("="))
        low, high = np.lib.array_utils.byte_bounds(plain)
        base = plain
        while isinstance(base.base, np.ndarray):
            base = base.base
        begin, end = np.lib.array_utils.byte_bounds(base) if base.size else (low, high)
        if not (begin <= low and high <= end):
            begin, end = low, high
        return self._stored(name, plain, (begin, end))

    def _tensor(self, value: Any, torch: Any) -> Encoded:
        plain = value.detach()
        is_plain = type(value) is torch.Tensor or type(value).__name__ == "ReadOnly"  # the shim's, of NumPy's one class
        name = "Tensor" if is_plain else type(value).__qualname__
        storage = plain.untyped_storage()
        begin = storage.data_ptr()
        plain = plain.resolve_conj().resolve_neg().cpu()
        if plain.dtype is torch.bfloat16:
            plain = plain.to(torch.float32)
            name += ":bfloat16"
        return self._stored(name, plain.numpy(), (begin, begin + storage.nbytes()))

    def _stored(self, name: str, array: Any, memory: tuple[int, int]) -> Encoded:
        """An array, with the buffer that has its memory."""
        begin, end = memory
        keeps = self.is_layout_kept and array.size and end - begin <= 16 * array.nbytes + 4096
        overlapping = [(low, high, found) for low, high, found in self.owners if low < end and begin < high]
        buffer = next((found for low, high, found in overlapping if not keeps or low <= begin and end <= high), None)
        shape, dtype = list(array.shape), array.dtype.name
        if keeps:
            if buffer is None:
                buffer = self._add(ctypes.string_at(begin, end - begin), memory)
            first = next(low for low, high, found in self.owners if found == buffer)
            address = array.__array_interface__["data"][0]
            return ["array", name, dtype, shape, buffer, address - first, list(array.strides)]
        own = self._add(np.ascontiguousarray(array).tobytes(), memory, buffer)
        is_writable_view = array.flags.writeable and all(step >= 0 for step in array.strides)
        return ["array", name, dtype, shape, own, 0, [], buffer if buffer is not None else own, is_writable_view]

    def _add(self, data: bytes, memory: tuple[int, int], owner: int | None = None) -> int:
        self.size += len(data)
        if self.size > MOST_BYTES:
            raise TooLargeError(f"arrays of more than {MOST_BYTES // 1_000_000} MB")
        self.buffers.append(data)
        if memory[1] > memory[0]:
            self.owners.append((*memory, len(self.buffers) - 1 if owner is None else owner))
        return len(self.buffers) - 1
