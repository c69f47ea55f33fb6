"""Dtype questions, limits, scalar constructors and shapes against NumPy."""

import ctypes
import itertools
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.shim import dtypes, methods
from np2torch.shim._core import asarray
from np2torch.shim._promotion import as_dtype
from np2torch.shim.creation import frombuffer
from np2torch.verify.compare import difference
from support.differential import agree, sample

NAMES = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
MARKERS = "generic number integer signedinteger unsignedinteger inexact floating complexfloating".split()


def both(name):
    """NumPy's spelling and torch's of a dtype or marker."""
    return (getattr(np, name), getattr(dtypes, name)) if name in MARKERS else (np.dtype(name), getattr(torch, name))


def name_of(dtype):
    return np.dtype(dtype).name if not isinstance(dtype, torch.dtype) else str(dtype)[6:]


def test_issubdtype():
    for a, b in itertools.product(NAMES + MARKERS, repeat=2):
        assert np.issubdtype(both(a)[0], both(b)[0]) == dtypes.issubdtype(both(a)[1], both(b)[1]), (a, b)
    for a, b in itertools.product([int, float, bool, complex, "f4", "i2", np.float64], [int, float, "f4", *MARKERS]):
        old, new = (getattr(np, b), getattr(dtypes, b)) if b in MARKERS else (b, b)
        assert np.issubdtype(a, old) == dtypes.issubdtype(a, new), (a, b)
        assert dtypes.issubdtype(a, old) == dtypes.issubdtype(a, new)


def test_markers_are_subscripted_in_annotations():
    for name in MARKERS[1:]:
        arguments = (Any, Any) if name == "complexfloating" else (Any,)
        theirs, ours = getattr(np, name), getattr(dtypes, name)
        assert theirs.__class_getitem__(arguments).__args__ == ours.__class_getitem__(arguments).__args__ == arguments


def test_isdtype():
    kinds = ["bool", "signed integer", "unsigned integer", "integral", "real floating", "complex floating", "numeric"]
    for name in NAMES:
        for kind in kinds:
            assert np.isdtype(np.dtype(name), kind) == dtypes.isdtype(getattr(torch, name), kind)
        assert dtypes.isdtype(getattr(torch, name), ("bool", "numeric")) and dtypes.isdtype(
            getattr(dtypes, name), name and (getattr(torch, name),)
        )
    with pytest.raises(ValueError):
        dtypes.isdtype(torch.float32, "odd")
    with pytest.raises(TypeError):
        dtypes.isdtype("f4", "numeric")


def test_promotion_and_casting():
    for a, b in itertools.product(NAMES, repeat=2):
        (old_a, new_a), (old_b, new_b) = both(a), both(b)
        assert name_of(dtypes.promote_types(new_a, new_b)) == np.promote_types(old_a, old_b).name
        assert name_of(dtypes.result_type(new_a, b)) == np.result_type(old_a, b).name
        for casting in ("no", "equiv", "safe", "same_kind", "unsafe"):
            assert dtypes.can_cast(new_a, new_b, casting) == np.can_cast(old_a, old_b, casting), (a, b, casting)
        for x in (True, 3, 300, 2.5, 1j):
            assert name_of(dtypes.result_type(new_a, x)) == np.result_type(old_a, x).name
    assert dtypes.result_type(3, 2.5) is torch.float64 and dtypes.result_type([1, 2], torch.ones(1)) is torch.float64
    assert dtypes.result_type(np.float32(1), torch.tensor(1, dtype=torch.int8)) is torch.float32
    assert dtypes.can_cast(torch.ones(1), float) and dtypes.can_cast("i4", dtypes.int64)
    for bad, error in [(lambda: dtypes.can_cast(3, "i4"), TypeError), (dtypes.result_type, ValueError)]:
        with pytest.raises(error):
            bad()
    assert (
        dtypes.dtype() is torch.float64
        and dtypes.dtype("<i4") is torch.int32
        and dtypes.dtype(dtypes.intp) is torch.int64
    )


def outcome(function, *args):
    try:
        found = function(*args)
        return repr(found if isinstance(found, list) else found.tolist())
    except (ValueError, np.exceptions.DTypePromotionError) as error:
        return str(error)


@pytest.mark.parametrize("spelling", ["g", "G", object, "U5", "M8[s]", ">f8", [("a", "i4")], np.longdouble])
def test_dtypes_torch_lacks(spelling):
    """They stay NumPy's where they are named; a tensor is refused, an array is NumPy's own."""
    found = dtypes.dtype(spelling)
    assert found == np.dtype(spelling)
    for ours, theirs in [(dtypes.floating, np.floating), (dtypes.inexact, np.inexact), (dtypes.generic, np.generic)]:
        assert dtypes.issubdtype(spelling, ours) == np.issubdtype(spelling, theirs)
    assert dtypes.issubdtype(found, spelling)
    assert dtypes.issubdtype(torch.float64, spelling) == np.issubdtype("f8", spelling)
    for casting, other in itertools.product(("no", "equiv", "safe", "same_kind", "unsafe"), ("f4", "u1", "O")):
        for kept in (spelling, found):
            assert dtypes.can_cast(kept, other, casting) == np.can_cast(spelling, other, casting)
            assert dtypes.can_cast(dtypes.dtype(other), kept, casting) == np.can_cast(other, spelling, casting)
    for limits in ("finfo", "iinfo"):
        said = [outcome(lambda side: [side(np.dtype(spelling)).max], getattr(side, limits)) for side in (dtypes, np)]
        assert said[0] == said[1]
    for name in ("result_type", "promote_types"):
        sides = (getattr(dtypes, name), found), (getattr(np, name), spelling)
        said = [outcome(lambda promoted, one: [name_of(promoted(one, "f4"))], *side) for side in sides]
        assert said[0] == said[1]
    with pytest.raises(TypeError):
        asarray([1], as_dtype(found))
    read = outcome(np.frombuffer, bytes(range(32)), spelling)  # swapped bytes are not read as they stand
    assert outcome(frombuffer, bytes(range(32)), found) == read
    with pytest.raises(TypeError):
        dtypes.dtype("no such dtype")


@pytest.mark.parametrize(
    "x", [10, -260, 3.1, 1e50, 1j, True, 2**40, -(2**40), 0, 255, 256, float("inf"), float("nan"), 65504.0, 1e6, 1e300j]
)
def test_min_scalar_type(x):
    assert name_of(dtypes.min_scalar_type(x)) == np.min_scalar_type(x).name


def test_common_type():
    for a, b in itertools.product(NAMES[1:], repeat=2):
        x, y = sample(a, (2,)), sample(b, (2,))
        assert (
            name_of(dtypes.common_type(torch.from_numpy(x), torch.from_numpy(y))) == np.dtype(np.common_type(x, y)).name
        )
    with pytest.raises(TypeError):
        dtypes.common_type([True])


def test_limits():
    attributes = """bits eps epsneg iexp machep max maxexp min minexp negep nexp nmant precision resolution
    smallest_normal smallest_subnormal tiny"""
    for name in ("float16", "float32", "float64", "complex64", "complex128"):
        old, new = np.finfo(name), dtypes.finfo(getattr(torch, name))
        for attribute in attributes.split():
            assert difference(getattr(old, attribute), getattr(new, attribute)) is None, (name, attribute)
        assert name_of(new.dtype) == old.dtype.name
    for name in NAMES[1:9]:
        old, new = np.iinfo(name), dtypes.iinfo(name)
        assert (old.min, old.max, old.bits, old.kind) == (new.min, new.max, new.bits, new.kind)
    assert dtypes.finfo(1.0).eps == 2**-52 and dtypes.finfo(torch.ones(1)).bits == 32 and dtypes.iinfo(3).bits == 64
    for bad in (lambda: dtypes.finfo(int), lambda: dtypes.iinfo(float)):
        with pytest.raises(ValueError):
            bad()
    with pytest.raises(AttributeError):
        dtypes.finfo(float).odd  # noqa: B018


VALUES = [
    0, 1, -1, 3.7, -3.7, True, "12", 1 + 0j, 300, 1e50, float("nan"), [1.5, 2], [], np.float64(2.5), np.int64(300),
    np.array([1, 0]), (1, 2), np.array([1.5, -2.5], "f"), "1.5", None, [[True]], 300.0, b"7",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_scalars(name):
    for value in VALUES:
        if (value is None and name[0] in "bc") or (isinstance(value, bytes) and name[0] == "c"):
            continue
        if isinstance(value, np.ndarray) and name.startswith("uint"):  # negative floats: undefined in C
            continue
        agree(getattr(np, name), getattr(dtypes, name), value)
    agree(getattr(np, name), getattr(dtypes, name))
    assert dtypes.dtype(getattr(dtypes, name)) is getattr(torch, name)


def test_scalar_copies():
    assert dtypes.complex128(1, 2) == 1 + 2j and dtypes.intp is dtypes.int64 and dtypes.bool_ is dtypes.bool
    x = torch.tensor(1.0)
    dtypes.float32(x).add_(1)
    assert x == 1
    assert dtypes.float64 == torch.float64


def test_python_objects():
    for x in (3, 2.5, [1, 2], [[1, 2, 3]], np.zeros((2, 3)), np.float64(2), np.zeros(0), (1,)):
        for name in ("shape", "ndim", "size", "iterable"):
            agree(getattr(np, name), getattr(dtypes, name), x)
        for axis in (0, -1, 1, 2):
            agree(np.size, dtypes.size, x, axis)
    for x in (3, 2.5, 1j, True, "a", b"a", None, [1], (1,), np.float64(2), np.zeros(2)):
        agree(np.isscalar, dtypes.isscalar, x)
    for x in (np.zeros((2, 3)), np.zeros((2, 1)), np.zeros(3)):
        agree(np.isfortran, dtypes.isfortran, x)
    assert dtypes.isfortran(torch.ones(2, 3).T) and not dtypes.isfortran(torch.ones(4, 6)[::2, ::2].T)


@pytest.mark.parametrize("order", [">", "<", "=", "S"])
def test_another_byte_order_is_numpys_own(order: str) -> None:
    old = np.arange(3, dtype=np.int32)
    new = torch.arange(3, dtype=torch.int32)
    told, made = old.dtype.newbyteorder(order), methods.attribute(new.dtype, "newbyteorder")(order)
    assert made is torch.int32 if told.isnative else made == told
    assert methods.invoke(new.dtype, "newbyteorder", order) == made
    assert methods.invoke(methods.invoke(new, "astype", made), "tobytes") == old.astype(told).tobytes()
    assert methods.invoke(old, "astype", torch.float64).dtype == np.float64


def test_a_type_of_ctypes_is_the_dtype_that_torch_has_for_it():
    sizes = {dtypes.dtype(ctypes.c_float): 1, dtypes.dtype(ctypes.c_double): 2}
    assert sizes[torch.ones(1, dtype=torch.float64).dtype] == 2
    assert dtypes.dtype(">f8") == np.dtype(">f8")


@pytest.mark.parametrize("spelling", [">i4", "<i4", ">u2", ">f8", ">c8", "g", "S3", "M8[s]", "?"])
def test_a_dtype_of_swapped_bytes_is_below_what_it_ever_is(spelling):
    for name in "number integer floating signedinteger unsignedinteger inexact complexfloating generic".split():
        ours, theirs = (getattr(side, name) for side in (dtypes, np))
        assert dtypes.issubdtype(np.dtype(spelling), ours) == np.issubdtype(spelling, theirs)
    for name in ("int32", "uint16", "float64", "complex64"):
        ours = dtypes.issubdtype(np.dtype(spelling), getattr(torch, name))
        assert ours == np.issubdtype(spelling, getattr(np, name))


@pytest.mark.parametrize("low", ["U3", "S3", "M8[s]", "m8", "O", "g", ">f8", "f8", "i4", "?"])
def test_dtypes_that_torch_lacks_are_below_what_they_are_below_in_numpy(low):
    found = np.dtype(low)
    ours = getattr(torch, found.name, found) if found.isnative else found
    for high in (str, bytes, object, float, "U", np.str_, np.character, np.flexible, np.datetime64, np.dtype("U3")):
        assert dtypes.issubdtype(ours, high) == np.issubdtype(found, high), high
    for name in ("number", "generic", "signedinteger", "inexact"):
        assert dtypes.issubdtype(ours, getattr(dtypes, name)) == np.issubdtype(found, getattr(np, name)), name
    assert not dtypes.issubdtype(np.dtype("U3"), torch.float64)


def test_what_stands_for_a_scalar_is_an_instance_of_the_markers() -> None:
    """A program may ask by classes that it was given."""
    kinds = (int, shim.integer)
    assert isinstance(torch.tensor(2), kinds) and isinstance(3, kinds)
    assert not isinstance(torch.tensor(2.0), kinds) and not isinstance(torch.zeros(2, dtype=torch.int64), kinds)
    assert not isinstance(2.5, shim.floating) and isinstance(torch.tensor(2.5), shim.inexact)
