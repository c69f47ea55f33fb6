"""Python's operators with NumPy's meaning when an operand is a tensor, and Python's own when none is.

A 0-D tensor stands for a NumPy scalar: it is immutable, so in-place operators return a new tensor, and an integer one
repeats lists and strings.
"""

from __future__ import annotations

import builtins
import operator
import sys
from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim import _core, _promotion, elementwise, printing, products, protocols
from np2torch.shim._casting import store
from np2torch.shim._layout import apart, may_overlap, may_overlap_itself
from np2torch.shim._marks import MARK
from np2torch.shim._promotion import FLOAT32, FLOAT64, INT64, PYTHON_DTYPES, Tensor
from np2torch.shim._scalar_arithmetic import WEAK, by_numbers
from np2torch.shim._stacking import of_doubles
from np2torch.shim._subclass_propagation import Derived
from np2torch.shim._type_resolution import is_weak_beside
from np2torch.shim.copies import element
from np2torch.shim.interop import (
    as_ndarray,
    from_numpy,
    is_foreign,
    is_matrix,
    is_numeric_array,
    numpys_dtype,
    to_numpy,
    uses_torch,
)
from np2torch.shim.subscript import getitem, setitem

__all__ = [
    "abs", "add", "and_", "augment", "augment_attribute", "chain", "contains", "divmod", "eq", "floordiv", "ge",
    "getitem", "gt", "iadd", "iand", "ifloordiv", "ilshift", "imatmul", "imod", "imul", "invert", "ior", "ipow",
    "irshift", "isub", "itruediv", "ixor", "le", "lshift", "lt", "matmul", "mod", "mul", "ne", "neg", "not_", "or_",
    "pos", "pow", "rshift", "setitem", "sub", "truediv", "xor",
]  # fmt: skip

Binary = Callable[[Any, Any], Any]
UFUNCS: dict[str, Any] = {
    "add": elementwise.add, "sub": elementwise.subtract, "mul": elementwise.multiply, "truediv": elementwise.divide,
    "floordiv": elementwise.floor_divide, "mod": elementwise.remainder, "pow": elementwise.power,
    "and_": elementwise.bitwise_and, "or_": elementwise.bitwise_or, "xor": elementwise.bitwise_xor,
    "lshift": elementwise.left_shift, "rshift": elementwise.right_shift, "matmul": products.matmul,
    "lt": elementwise.less, "le": elementwise.less_equal, "gt": elementwise.greater, "ge": elementwise.greater_equal,
    "eq": elementwise.equal, "ne": elementwise.not_equal, "neg": elementwise.negative, "pos": elementwise.positive,
    "invert": elementwise.invert, "abs": elementwise.absolute,
}  # fmt: skip
ORDERED = ("lt", "le", "gt", "ge")
NUMBERS = ("bool", "int8", "int16", "int32", "int64", "uint8", "float32", "float64", "complex64", "complex128")
"""dtypes of what arrays of subclasses hold that stay NumPy's, and so does what comes of them."""
REPEATABLE = (list, tuple, str, bytes)
SEQUENCES = (list, tuple)
TURNED: dict[str, Binary] = {
    "add": torch.add, "sub": torch.sub, "mul": torch.mul, "truediv": torch.true_divide,
    "lt": lambda a, b: torch.gt(b, a), "le": lambda a, b: torch.ge(b, a), "gt": lambda a, b: torch.lt(b, a),
    "ge": lambda a, b: torch.le(b, a),
}  # fmt: skip
"""The torch functions for a Python number to the left of a tensor that it takes its dtype from."""
PLAIN = frozenset({Tensor, *PYTHON_DTYPES})
"""The types of most operands; an operator of them has no other meaning."""
ASKING = frozenset({
    "add", "sub", "mul", "truediv", "floordiv", "pow", "matmul", "and_", "or_", "xor", "lshift", "rshift", "lt", "le",
    "gt", "ge", "eq", "ne",
})  # fmt: skip
"""The operators that ask the classes of their operands themselves, so that they need not be exchanged."""


def _asks_class(a: Any, b: Any) -> bool:
    """Tell whether Python's operator asks the class of an operand, which is derived from ndarray."""
    return isinstance(a, Derived) or isinstance(b, Derived)


def _is_arraylike(x: Any) -> bool:
    """Tell whether NumPy would convert an operand to an array; others get to use their own operators."""
    if isinstance(x, (Tensor, list, tuple, range)) or type(x) in PYTHON_DTYPES:
        return True
    return hasattr(x, "__array__") and not is_foreign(x)


def _repetition(a: Any, b: Any) -> tuple[Any, int] | None:
    """The sequence and its count, if `a * b` repeats: an integer scalar does, and any number of a dtype's fields.

    Another one does not: as a NumPy scalar it is a TypeError, but as a 0-D array it multiplies, so a list multiplies.
    """
    for sequence, count in ((a, b), (b, a)):
        if isinstance(sequence, torch.dtype) and isinstance(count, (int, Tensor)):
            return numpys_dtype(sequence), int(count)
        if isinstance(sequence, REPEATABLE) and isinstance(count, Tensor) and count.ndim == 0:
            if _promotion.kind(count.dtype) == 1:
                return sequence, int(count)
            if isinstance(sequence, (str, bytes)):
                raise TypeError(f"can't multiply sequence by non-int of type '{str(count.dtype)[6:]}'")
    return None


def _read(x: Any, beside: Any) -> Any:
    """The tensor of a sequence of numbers beside one on the CPU, read the short way; anything else as it is."""
    if type(x) not in SEQUENCES or type(beside) is not Tensor or not beside.is_cpu:
        return x
    found = of_doubles(list(x))
    return x if found is None else found


def _kept_dtypes(name: str) -> tuple[torch.dtype, ...]:
    """The dtypes that an arithmetic operator keeps beside a Python number; a quotient of integers is float64."""
    return (FLOAT64, FLOAT32) if name.endswith("truediv") else (FLOAT64, FLOAT32, INT64)


def _binary(name: str) -> Binary:
    python, numpy = getattr(operator, name), UFUNCS[name]
    direct = dict.fromkeys(products.DIRECT, torch.matmul) if name == "matmul" else numpy.direct
    beside_numbers, turned = getattr(numpy, "scalars", False), TURNED.get(name)
    turnable = _kept_dtypes(name)
    scalars = by_numbers(name)

    def function(a: Any, b: Any, /) -> Any:
        if type(a) is not Tensor or type(b) is not Tensor or a.dtype is not b.dtype:
            if (found := scalars(a, b)) is not None:
                return found
        if type(a) is Tensor:
            if (kernel := direct.get(dtype := a.dtype)) is not None:
                if b.dtype is dtype if type(b) is Tensor else beside_numbers and is_weak_beside(b, dtype):
                    try:
                        return kernel(a, b)
                    except RuntimeError:  # the long way says what NumPy would
                        pass
        elif turned is not None and type(b) is Tensor and b.dtype in turnable and is_weak_beside(a, b.dtype):
            return turned(a, b)
        if type(a) in PLAIN and type(b) in PLAIN:
            return numpy(a, b) if type(a) is Tensor or type(b) is Tensor else python(a, b)
        return long_way(a, b)

    def long_way(a: Any, b: Any) -> Any:
        if _asks_class(a, b):
            return python(a, b)
        repeated = _repetition(a, b) if name == "mul" else None
        if repeated:
            return operator.mul(*repeated)
        if not (isinstance(a, Tensor) or isinstance(b, Tensor)):
            return _back(python(a, b), a, b, compared=name in ORDERED)
        x, y = _read(a, b), _read(b, a)
        if x is not a or y is not b:
            return function(x, y)
        own = hasattr(a, "__np2torch_tensor__")  # a polynomial
        return numpy(a, b) if _is_arraylike(a) and _is_arraylike(b) and not own else _with_foreign(python, a, b)

    return _named(function, name, f"`{python.__doc__}` with NumPy's meaning for tensors.")


def _with_foreign(python: Binary, a: Any, b: Any) -> Any:
    """A tensor and a matrix of SciPy's, or another object with its own operators; an ndarray comes back as a tensor.

    A fraction or an expression of symbols meets an ndarray, or a NumPy scalar: what comes of it may be an array of
    objects. The project's own classes are given tensors.
    """
    other = b if isinstance(a, Tensor) else a
    if not is_foreign(other) and not uses_torch(vars(sys.modules.get(type(other).__module__, operator))):
        return from_numpy(python(*(as_ndarray(x) if isinstance(x, Tensor) else x for x in (a, b))))
    a, b = (x.numpy(force=True) if isinstance(x, Tensor) and is_foreign(other) else x for x, other in ((a, b), (b, a)))
    found = python(a, b)
    made = type(found).__module__ == "numpy" and hasattr(found, "strides") and not is_matrix(found)
    return _core.asarray(found) if made else found


def _back(found: Any, *operands: Any, compared: bool = False) -> Any:
    """Numbers and masks that come of arrays of strings or objects are tensors, and all masks of comparisons."""
    arrays = [x for x in operands if hasattr(x, "strides")]
    numbers = all(is_numeric_array(x) or getattr(x, "dtype", None) in NUMBERS for x in arrays)
    if type(found).__module__ == "numpy" and (compared and found.ndim or not numbers):
        return from_numpy(found)
    return found


def _named(function: Callable[..., Any], name: str, doc: str) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _dtypes(a: Any, b: Any) -> tuple[Any, Any]:
    """A dtype and what else names one, as in `x.dtype == "f8"`; None is float64 to NumPy."""
    if isinstance(a, torch.dtype) is isinstance(b, torch.dtype):
        return a, b
    try:
        return _promotion.as_dtype(a) or torch.float64, _promotion.as_dtype(b) or torch.float64
    except TypeError:
        return a, b


_BLIND = (object.__eq__, type(None).__eq__, set.__eq__, dict.__eq__)
"""The methods that know nothing of numbers, or find them all unequal."""


def _asked(python: Binary, a: Any, b: Any) -> Any:
    """Ask another object what it is equal to, element by element, as `pytest.approx` says itself."""
    tensor, other = (a, b) if isinstance(a, Tensor) else (b, a)
    if not tensor.ndim:
        return python(tensor.item(), other) if tensor is a else python(other, tensor.item())
    if getattr(type(other), "__array_ufunc__", True) is None:
        return python(a, b)
    if is_foreign(other):
        return _with_foreign(python, a, b)
    found = [bool(python(x, other)) for x in tensor.flatten().tolist()]
    return torch.tensor(found, dtype=torch.bool, device=tensor.device).reshape(tensor.shape)


def _beside_other(python: Binary, unequal: bool, a: Any, b: Any) -> Any:
    """A tensor and what is no array of numbers: as that says itself, else unequal, element by element."""
    tensor, other = (a, b) if isinstance(a, Tensor) else (b, a)
    if not _is_arraylike(other) and type(other).__eq__ not in _BLIND and not isinstance(other, (str, bytes)):
        return _asked(python, a, b)
    if tensor.ndim or isinstance(other, (str, bytes)):
        return torch.full(tensor.shape, unequal, device=tensor.device)
    return unequal


ALIKE = frozenset({torch.dtype, str})
"""What is compared with its like as Python does it."""


def _equality(name: str) -> Binary:
    """`==` or `!=`: what cannot be compared is unequal, element by element."""
    python, numpy, unequal = getattr(operator, name), UFUNCS[name], name == "ne"
    kernel = torch.ne if unequal else torch.eq
    scalars = by_numbers(name)

    def function(a: Any, b: Any, /) -> Any:
        if type(b) in WEAK and (found := scalars(a, b)) is not None:
            return found
        if type(a) is Tensor and a.dtype is FLOAT64:
            if b.dtype is FLOAT64 if type(b) is Tensor else is_weak_beside(b, FLOAT64):
                try:
                    return kernel(a, b)
                except RuntimeError:  # the long way says what NumPy would
                    pass
        if type(a) in PLAIN and type(b) in PLAIN:
            return numpy(a, b) if type(a) is Tensor or type(b) is Tensor else python(a, b)
        return long_way(a, b)

    def long_way(a: Any, b: Any) -> Any:
        if type(a) is type(b) and type(a) in ALIKE or _asks_class(a, b):
            return python(a, b)
        if not (isinstance(a, Tensor) or isinstance(b, Tensor)):
            return _back(python(*_dtypes(a, b)), a, b, compared=True)
        if _is_arraylike(a) and _is_arraylike(b):
            try:
                return numpy(a, b)
            except TypeError:  # a list of strings and the like
                pass
        return _beside_other(python, unequal, a, b)

    return _named(function, name, f"`{python.__doc__}` with NumPy's meaning for tensors.")


def _unary(name: str) -> Callable[[Any], Any]:
    python, numpy = getattr(operator, name), UFUNCS[name]
    direct = numpy.direct

    def function(a: Any, /) -> Any:
        if type(a) is Tensor and (kernel := direct.get(a.dtype)) is not None and (found := kernel(a)) is not a:
            return found
        return numpy(a) if isinstance(a, Tensor) else python(a)

    return _named(function, name, f"`{python.__doc__}` with NumPy's meaning for tensors.")


INSIDE: dict[str, Binary] = {
    "iadd": Tensor.add_, "isub": Tensor.sub_, "imul": Tensor.mul_, "itruediv": Tensor.div_
}  # fmt: skip
"""The methods that compute in the memory of their first operand."""


def _is_computed_inside(inside: Binary, a: Tensor, b: Any) -> bool:
    """Let torch write the result over the first operand, where nothing else is in that memory, and no gradient.

    A read-only tensor is none of the class asked for.
    """
    if type(a) is not Tensor or not a.ndim or a.requires_grad or may_overlap_itself(a):
        return False
    if type(b) is not Tensor:
        fits = is_weak_beside(b, a.dtype)
    else:
        alike = b.dtype is a.dtype and not b.requires_grad and (not b.ndim or b.shape == a.shape)
        fits = alike and not may_overlap(a, b)
    if fits:
        try:
            inside(a, b)
        except RuntimeError:  # the long way says what NumPy would
            return False
    return fits


def _check_matrix(b: Any) -> None:
    """Raise for the right operand of `@=` that has fewer than two axes."""
    if (b.ndim if hasattr(b, "ndim") else _core.asarray(b).ndim) < 2:
        raise ValueError("inplace matrix multiplication requires the first operand to have at least one and "
                         "the second at least two dimensions.")  # fmt: skip


def _inplace(name: str) -> Binary:
    """`a += b` and its like: arrays are written to (after the result is known), scalars replaced."""
    python, plain = getattr(operator, name), globals()[name[1:] if name not in ("iand", "ior") else name[1:] + "_"]
    numpy, inside = UFUNCS[plain.__name__], INSIDE.get(name, python)
    dtypes = () if inside is python else _kept_dtypes(name)

    def function(a: Any, b: Any, /) -> Any:
        if isinstance(a, Tensor) and (a.ndim or hasattr(a, MARK)):
            if a.dtype in dtypes and _is_computed_inside(inside, a, b):
                return a
            if name == "imatmul":
                _check_matrix(b)
            found = (plain if type(b) in PLAIN else numpy)(apart(a), b)
            found = found if isinstance(found, Tensor) else _core.asarray(found, _core.narrowed(found))
            return store(a, found, "same_kind", plain.__name__)
        if name == "imul" and (repeated := _repetition(a, b)) and isinstance(a, list):
            return python(*repeated)
        if isinstance(a, Tensor) or (isinstance(b, Tensor) and (_is_arraylike(a) or isinstance(a, REPEATABLE))):
            return plain(a, b)
        return python(a, to_numpy(b) if isinstance(b, Tensor) and is_foreign(a) else b)

    return _named(function, name, f"`{python.__doc__}` with NumPy's meaning for tensors.")


add, sub, mul, truediv = _binary("add"), _binary("sub"), _binary("mul"), _binary("truediv")
floordiv, matmul, _remainder = _binary("floordiv"), _binary("matmul"), _binary("mod")
and_, or_, xor, lshift, rshift = (_binary(name) for name in ("and_", "or_", "xor", "lshift", "rshift"))


def mod(a: Any, b: Any, /) -> Any:
    """`a % b` with NumPy's meaning for tensors; a template writes them as NumPy does."""
    return a % printing.printable(b) if isinstance(a, (str, bytes)) else _remainder(a, b)


def divmod(a: Any, b: Any, /) -> Any:
    """`divmod(a, b)` with NumPy's meaning for tensors."""
    if isinstance(a, Tensor) or isinstance(b, Tensor):
        return elementwise.divmod(a, b)
    return builtins.divmod(a, b)


_power = _binary("pow")


def pow(a: Any, b: Any, /) -> Any:
    """`a ** b` with NumPy's meaning for tensors; the square of a bool array is int8, as NumPy's short cut has it."""
    if type(b) is int and b == 2 and isinstance(a, Tensor) and not isinstance(a, Derived):
        if a.ndim and a.dtype is torch.bool:
            return elementwise.square(a)
    return _power(a, b)


lt, le, gt, ge = _binary("lt"), _binary("le"), _binary("gt"), _binary("ge")
eq, ne = _equality("eq"), _equality("ne")
neg, pos, invert, abs = _unary("neg"), _unary("pos"), _unary("invert"), _unary("abs")
iadd, isub, imul, itruediv = _inplace("iadd"), _inplace("isub"), _inplace("imul"), _inplace("itruediv")
ifloordiv, imod, ipow, imatmul = _inplace("ifloordiv"), _inplace("imod"), _inplace("ipow"), _inplace("imatmul")
iand, ior, ixor, ilshift, irshift = (_inplace(name) for name in ("iand", "ior", "ixor", "ilshift", "irshift"))


def not_(a: Any, /) -> bool:
    """`not a`; an array of more or less than one element has no truth value (ValueError)."""
    return not protocols.truth(a)


def contains(a: Any, b: Any, /) -> bool:
    """`b in a`: any element equal, in arrays and in sequences; dicts and sets look a NumPy scalar up by value."""
    if isinstance(a, Tensor):
        if not a.ndim:
            raise TypeError(f"argument of type '{str(a.dtype)[6:]}' is not iterable")
        if not _is_arraylike(b):
            return False
        found = eq(a, b)
        return bool(found.any()) if isinstance(found, Tensor) else bool(found)
    if isinstance(a, (list, tuple)):
        return any(item is b or protocols.truth(eq(item, b)) for item in a)
    return operator.contains(a, protocols.key(b))


_SIGNS = {"+": "add", "-": "sub", "*": "mul", "/": "truediv", "//": "floordiv", "%": "mod", "@": "matmul"}


def chain(first: Any, /, *rest: Any) -> Any:
    """`a + b - c`, written `chain(a, "+", b, "-", c)`: worked off from left to right, however long it is."""
    for sign, value in zip(rest[::2], rest[1::2], strict=True):
        first = globals()[_SIGNS[sign]](first, value)  # as it is by now: classes of tensors exchange it
    return first


def augment(owner: Any, index: Any, function: Binary, value: Any = None, /, *,
            later: Callable[[], Any] | None = None) -> None:  # fmt: skip
    """`owner[index] += value`, by `iadd` and its like, where owner and index must be evaluated once only.

    Parameters
    ----------
    later
        Gives the value once a copy of the element has been read, where computing the value writes the element.
    """
    item = getitem(owner, index)
    setitem(owner, index, function(item, value) if later is None else function(element(item), later()))


def augment_attribute(owner: Any, name: str, function: Binary, value: Any, /) -> None:
    """`owner.name += value`, by `iadd` and its like, where owner must be evaluated once only."""
    setattr(owner, name, function(getattr(owner, name), value))
