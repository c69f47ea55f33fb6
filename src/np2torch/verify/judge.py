"""Two observations of one call compared: structure, types, dtypes, shapes, values, shared memory, errors, text.

Floats are compared within budgets, which are named:

    rounding      the relative last bits: 1e-12 for float64, what the bits allow for the others
    cancellation  64 last bits of the largest number among inputs and result: sums may take another order; of linear
                  algebra times the root of how many numbers the result has
    conditioning  32 times what the old side's own result moves when its inputs move by a last bit, or when what is
                  of less precision is given in double precision
    signs         columns of eigenvectors and their like, which are what they are up to a sign

Everything else is exact: integers, bools, where NaN and infinities stand, and the signs of zeros.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from np2torch.verify.calls import Observation, RaisedError
from np2torch.verify.encode import Encoded, PackedValues
from np2torch.verify.printed_text import text_difference
from np2torch.verify.returned_functions import Answer

RTOL = {"float64": 1e-12, "complex128": 1e-12, "float32": 2e-6, "complex64": 2e-6, "float16": 2e-3}
EPSILON = {name: float(np.finfo(name).eps) for name in RTOL}
SHORT_DIGITS = 16
"""Binary digits of numbers that are as likely in double precision: halves, quarters, counts."""
CANCELLATION = 64
CONDITIONING = 32
PYTHON = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}
OPAQUE = ("opaque", "function", "class")
WHOLE = (
    *OPAQUE, "str", "bytes", "dtype", "slice", "range", "sample", "again", "identity",
    "none", "ellipsis", "standard", "member",
)  # fmt: skip
"""Kinds of values that hold no others."""
TORCH_ERRORS = ("RuntimeError", "IndexError", "TypeError", "ValueError", "NotImplementedError")
"""The errors of torch where NumPy raises too."""
UNSUPPORTED = ("RuntimeError", "NotImplementedError", "TypeError")
"""The errors of torch for dtypes and shapes that it does not support; every other error is one of the code."""

NUMBERED = ("array", "scalar")
NO_ANSWER = ["member", Answer.__module__, Answer.__qualname__, Answer.NONE.name]

Values = np.ndarray[Any, Any]
Path = str


class Difference(NamedTuple):
    """One difference; `is_rounding` where it lies in the values of floats alone."""

    path: Path
    text: str
    is_rounding: bool = False

    def __str__(self) -> str:
        return f"{self.path} {self.text}".strip()


class Leaf(NamedTuple):
    """A number or an array."""

    kind: str
    dtype: str
    values: Values


class Distance(NamedTuple):
    """The distance of results that agree."""

    ulp: float = 0.0
    relative: float = 0.0

    def larger(self, other: Distance) -> Distance:
        """The larger of both."""
        return Distance(max(self.ulp, other.ulp), max(self.relative, other.relative))


class Verdict(NamedTuple):
    """The verdict on a call: "equal", "different", "loud", "lenient", "refused" by a guard, or "skipped"."""

    kind: str
    text: str = ""
    distance: Distance = Distance()
    rounding: bool = False
    """Whether only last bits of floats differ."""
    budgets: tuple[str, ...] = ()


class How(NamedTuple):
    """The differences that are allowed.

    Attributes
    ----------
    numpy_left
        Whether numbers of NumPy may be left on the new side: notes in the module say so.
    allowed
        By path, how far each number may be off.
    scale
        The largest number among the inputs.
    up_to_signs
        Whether columns and rows may have other signs.
    zero_signs
        Whether the sign of a zero counts.
    unsteady
        Paths at which the old side gives something else each time.
    is_single
        Whether float64 may hold what float32 has computed.
    is_linear
        Whether linear algebra is at work, where each number comes of all others.
    is_closed
        Whether the project alone calls the function, which writes into no memory that a result would share.
    is_of_complex
        Whether inputs are complex: which numbers become NaN, and which infinite, is up to the order of products.
    """

    numpy_left: bool = False
    allowed: Mapping[Path, Values] = {}
    scale: float = 0.0
    up_to_signs: bool = False
    zero_signs: bool = True
    unsteady: frozenset[Path] = frozenset()
    is_single: bool = False
    is_linear: bool = False
    is_of_complex: bool = False
    is_closed: bool = False

    def leaves_out(self, path: Path) -> bool:
        """Tell whether a path leads to, or through, what is not the same each time."""
        return any(path.startswith(one) and path[len(one) :][:1] in ("", ".", "[") for one in self.unsteady)


STRICT = How()


def judge(old: Observation, new: Observation, how: How = STRICT, is_strict: bool = False) -> Verdict:
    """Compare two observations of the same call.

    Parameters
    ----------
    is_strict
        For calls that people really make: each error must be of the same class, and no guard may refuse.
    """
    if old.ended or old.refused or old.raised is not None and old.raised.by == "call":
        return Verdict("skipped", old.word)
    if new.refused:
        return Verdict("skipped", new.refused)
    if new.ended:
        return Verdict("different", f"{old.word} became the end of the process: {new.ended}")
    if old.raised is not None:
        return _judge_error(old.raised, new, is_strict)
    if new.raised is not None:
        text = f"raises {new.raised.line}"
        return Verdict("refused" if new.raised.by == "guard" and not is_strict else "loud", text)
    assert old.values is not None and new.values is not None
    comparison = Comparison(old.values, new.values, how)
    found = list(comparison.differences())
    if (printed := text_difference(old.printed, new.printed)) is not None:
        found.append(Difference("printed:", printed))
    if found:
        found.sort(key=lambda one: one.is_rounding)
        return Verdict("different", str(found[0]), comparison.distance, all(one.is_rounding for one in found))
    if not comparison.leaves and not old.printed and _is_opaque(old.values.values[0]):
        return Verdict("skipped", "what comes back has no value to compare")
    return Verdict("equal", "", comparison.distance, budgets=tuple(sorted(comparison.budgets)))


def _judge_error(old: RaisedError, new: Observation, is_strict: bool) -> Verdict:
    if new.raised is None:
        return Verdict("different" if old.by == "own" or is_strict else "lenient", f"{old.line} became a result")
    same = old.name in new.raised.classes or new.raised.name in old.classes[:-2] or _base(old) in new.raised.classes
    is_not_served = new.raised.by == "guard" or new.raised.name == "NotImplementedError"  # as of complex numbers
    if old.by == "own" and not (is_not_served and not is_strict):
        is_earlier = not is_strict and new.raised.by == "outside" and new.raised.name in UNSUPPORTED
        other = Verdict("loud" if is_earlier else "different", f"{old.line} became {new.raised.line}")
        return Verdict("equal") if same else other
    if is_strict and not same and new.raised.name not in TORCH_ERRORS[:1]:
        return Verdict("different", f"{old.line} became {new.raised.line}")
    return Verdict("equal")


def _base(error: RaisedError) -> str:
    """The nearest class of Python's own above an error."""
    import builtins

    return next((name for name in error.classes if hasattr(builtins, name)), "BaseException")


def _is_opaque(value: Encoded) -> bool:
    return value[0] in OPAQUE or value[0] == "list" and bool(value[1]) and all(map(_is_opaque, value[1]))


# ------------------------------------------------------------------------------------------------ reading
def leaves(packed: PackedValues) -> Iterator[tuple[Path, Leaf]]:
    """Every number and array, with its path."""
    for root, value in zip(("", "argument", "object"), packed.values, strict=True):
        yield from _leaves(root, value, packed.buffers)


def numbers_in(packed: PackedValues) -> Iterator[Leaf]:
    """Every number and array among the inputs of a call."""
    for value in packed.values:
        yield from (leaf for _, leaf in _leaves("", value, packed.buffers))


def _leaves(path: Path, value: Encoded, buffers: Sequence[bytes]) -> Iterator[tuple[Path, Leaf]]:
    leaf = read_leaf(value, buffers)
    if leaf is not None:
        yield path, leaf
    for name, item in parts(value):
        yield from _leaves(f"{path}{name}", item, buffers)


def parts(value: Encoded) -> list[tuple[str, Encoded]]:
    """List the parts of a container or an object."""
    match value[0]:
        case "tuple" | "list" | "iterator" | "set" | "frozenset" | "named" | "things" | "table":
            return [(f"[{index}]", item) for index, item in enumerate(value[-1])]
        case "dict":
            return [(f"[{_shown(key)}]", item) for key, item in value[1]]
        case "object":
            return [(f".{name}", item) for name, item in value[4]]
    return []


def _shown(key: Encoded) -> str:
    return repr(key[1]) if len(key) == 2 else str(key[0])


def read_leaf(value: Encoded, buffers: Sequence[bytes]) -> Leaf | None:
    """The number or array that an encoded value is; None for everything else."""
    kind = value[0]
    if kind == "array":
        _, _, dtype, shape, buffer, offset, strides, *_ = value
        memory = np.frombuffer(buffers[buffer], np.uint8)
        return Leaf(kind, dtype, np.ndarray(shape, dtype, memory, offset, strides or None))
    if kind == "scalar":
        return Leaf(kind, value[1], np.frombuffer(base64.b64decode(value[2]), value[1])[0:1].reshape(()))
    if kind == "complex":
        return Leaf(kind, "complex128", np.array(complex(value[1], value[2])))
    if kind in PYTHON:
        is_large = kind == "int" and not -(2**63) <= value[1] < 2**63
        return Leaf(kind, PYTHON[kind], np.array(value[1], dtype=object if is_large else PYTHON[kind]))
    return None


# ------------------------------------------------------------------------------------------------ comparing
class Comparison:
    """Two packed values side by side."""

    def __init__(self, old: PackedValues, new: PackedValues, how: How) -> None:
        self.old, self.new, self.how = old, new, how
        self.distance = Distance()
        self.leaves = 0
        self.budgets: set[str] = set()
        self.owners: dict[Path, tuple[Encoded, Encoded]] = {}
        self.unseen: dict[int, str] = {}
        """The classes of objects of the new side that are opaque on the old one, by number."""

    def differences(self) -> Iterator[Difference]:
        """Every difference, and those of what shares memory."""
        yield from (one for one in self._all() if not self.how.leaves_out(one.path))

    def _all(self) -> Iterator[Difference]:
        for root, a, b in zip(("", "argument", "object"), self.old.values, self.new.values, strict=True):
            yield from self._compare(root, a, b)
        yield from self._shared()

    def _compare(self, path: Path, a: Encoded, b: Encoded) -> Iterator[Difference]:
        if b[0] in ("array", "scalar") and b[1] == "" and a[0] in ("array", "scalar") or b[0] == "scalar":
            if not self.how.numpy_left:
                yield Difference(path, "a NumPy value is left in the result")
                return
        x, y = read_leaf(a, self.old.buffers), read_leaf(b, self.new.buffers)
        if x is not None and y is not None:
            is_number = y.kind == "array" and x.kind in NUMBERED and not (x.values.ndim or y.values.ndim)
            if not (is_number and path.startswith("argument")):  # 0-D: on the new side it stands for a number
                yield from self._numbers(path, a, b, x, y)
            return
        if self._is_unseen(a, b):
            return
        if NO_ANSWER in (a, b):  # a function that the call made, called with what may be none of its arguments
            return
        if a[0] != b[0]:
            yield Difference(path, f"{_type(a)} became {_type(b)}")
            return
        yield from self._structures(path, a, b)

    def _is_unseen(self, a: Encoded, b: Encoded) -> bool:
        """Tell whether an object is opaque on one side alone, as generators of random numbers are; or met again."""
        if {a[0], b[0]} == {"object", "opaque"} and _type(a) == _type(b):
            self.unseen |= {b[1]: a[1]} if b[0] == "object" else {}
            return True
        return bool(a[0] == "opaque" and b[0] == "again" and self.unseen.get(b[1]) == a[1])

    def _structures(self, path: Path, a: Encoded, b: Encoded) -> Iterator[Difference]:
        """Compare values of one kind that are no numbers: first what they are, then what they hold."""
        text = _outer_difference(a, b)
        if text:
            yield Difference(path, text)
        if text or a[0] in WHOLE:
            return
        inner = parts(_ordered(a)), parts(_ordered(b))
        if len(inner[0]) != len(inner[1]):
            yield Difference(path, f"{len(inner[0])} items became {len(inner[1])}")
            return
        for (name, x), (_, y) in zip(*inner, strict=True):
            yield from self._compare(f"{path}{name}", x, y)

    def _numbers(self, path: Path, a: Encoded, b: Encoded, x: Leaf, y: Leaf) -> Iterator[Difference]:
        self.leaves += 1
        if x.kind in PYTHON and y.kind == "array":
            yield Difference(path, f"Python {x.kind} became a tensor")
        elif x.kind == "array" and y.kind in PYTHON:
            yield Difference(path, f"an array became Python {y.kind}")
        elif x.kind == y.kind == "array" and a[1] and (a[1] != b[1]):
            yield Difference(path, f"{a[1]} became {b[1]}")
        elif x.values.shape != y.values.shape:
            yield Difference(path, f"shape {x.values.shape} became {y.values.shape}")
        elif x.dtype != y.dtype:
            yield Difference(path, f"dtype {x.dtype} became {y.dtype}")
        elif x.values.dtype.kind in "fc":
            yield from self._floats(path, x.values, y.values)
        elif not np.array_equal(x.values, y.values):
            yield Difference(path, f"value {brief(x.values)} became {brief(y.values)}")
        has_axes = x.values.ndim and x.values.size  # without any it stands for a number, which shares nothing
        if x.kind == "array" and y.kind == "array" and len(a) > 7 and len(b) > 7 and has_axes:
            self.owners[path] = a, b

    def _floats(self, path: Path, a: Values, b: Values) -> Iterator[Difference]:
        allowed = self.how.allowed.get(path)
        if allowed is not None and allowed.shape != a.shape:
            allowed = None
        if not self._are_close(a, b, allowed) and not (self.how.up_to_signs and self._are_close_up_to_signs(a, b)):
            yield Difference(path, f"value {brief(a)} became {brief(b)}{_worst(a, b)}", True)

    def _are_close(self, a: Values, b: Values, allowed: Values | None) -> bool:
        is_complex = a.dtype.kind == "c"
        if self.how.is_of_complex or is_complex and not self.how.zero_signs:  # of infinite inputs: infinities are one
            b = np.where(np.isfinite(a) | np.isfinite(b), b, a)
        if is_complex:
            scale = float(np.abs(a[np.isfinite(a)]).max(initial=0.0))
            how, self.how = self.how, self.how._replace(scale=max(scale, self.how.scale), zero_signs=False)
            try:
                return all(self._are_close(x, y, allowed) for x, y in ((a.real, b.real), (a.imag, b.imag)))
            finally:
                self.how = how
        name = "float32" if self.how.is_single and a.dtype.itemsize == 8 else a.dtype.name
        with np.errstate(all="ignore"):
            free = np.zeros(a.shape, bool) if allowed is None else np.isinf(allowed)
            finite = np.isfinite(a) & np.isfinite(b)
            signed = (np.signbit(a) == np.signbit(b)) | (not self.how.zero_signs or not a.ndim)
            same = (a == b) & ((a != 0) | signed) | np.isnan(a) & np.isnan(b)
            wide, other = a.astype("f8"), b.astype("f8")
            gap = np.where(finite, np.abs(wide - other), 0.0)
            in_single = _is_of_single(wide) & _is_of_single(other)
            rounding = np.where(in_single, max(RTOL[name], RTOL["float32"]), RTOL[name]) * np.abs(wide)
            magnitudes = np.abs(wide[finite])
            scale = max(self.how.scale, float(magnitudes.max()) if magnitudes.size else 0.0)
            terms = a.size**0.5 if self.how.is_linear else 1.0
            cancellation = CANCELLATION * EPSILON[name] * terms * min(scale, 1e300)
            is_zero = (wide == 0) & (other == 0)
            by_rounding = same | finite & ~is_zero & (gap <= rounding)
            by_cancellation = by_rounding | finite & ~is_zero & (gap <= cancellation)
            condition = np.zeros(a.shape) if allowed is None else CONDITIONING * np.where(free, 0, allowed)
            close = by_cancellation | free | finite & (condition > 0) & (gap <= condition)
            if not close.all():
                return False
            self._note(np.where(by_rounding, gap, 0.0), wide, name)
        for budget, within in (("rounding", same), ("cancellation", by_rounding), ("conditioning", by_cancellation)):
            if not within.all():
                self.budgets.add(budget)
        return True

    def _note(self, gap: Values, wide: Values, name: str) -> None:
        finite = np.isfinite(wide) & (gap > 0)
        if finite.any():
            spacing = np.abs(np.spacing(np.abs(wide[finite]).astype(name))).astype("f8")
            ulp, relative = gap[finite] / spacing, gap[finite] / np.maximum(np.abs(wide[finite]), 1e-300)
            self.distance = self.distance.larger(Distance(float(ulp.max()), float(relative.max())))

    def _are_close_up_to_signs(self, a: Values, b: Values) -> bool:
        """The same where each column, or each row, may have another sign: a complex one, times a number of size 1."""
        if a.ndim not in (1, 2) or not a.size or a.dtype.kind not in "fc":
            return False
        self.budgets.add("signs")
        for axis in (0, -1):
            top = np.take_along_axis(a, np.expand_dims(np.abs(a).argmax(axis), axis), axis)
            peer = np.take_along_axis(b, np.expand_dims(np.abs(a).argmax(axis), axis), axis)
            with np.errstate(all="ignore"):
                product = top * np.conj(peer)
                turned = b * np.where(product == 0, 1.0, product / np.abs(product)).astype(b.dtype)
            if self._are_close(a + 0.0, turned + 0.0, None):  # zeros without signs
                return True
        return False

    def _shared(self) -> Iterator[Difference]:
        """Arrays that share memory on one side only; views that torch cannot make may be copies."""
        paths = list(self.owners.items())[:60]
        for index, (path, (a, b)) in enumerate(paths):
            for other, (c, d) in paths[index + 1 :]:
                was, now = a[7] == c[7], b[7] == d[7]
                if was == now or not (a[8] and c[8]) or now and self.how.is_closed:
                    continue
                verb = "no longer shares" if was else "shares"
                yield Difference(path or "result", f"{verb} memory with {other or 'the result'}")


def _outer_difference(a: Encoded, b: Encoded) -> str:
    """How two values of one kind differ in what they are; empty where they do not."""
    match a[0]:
        case "str":
            return "" if text_difference(a[1], b[1]) is None else f"{a[1][:40]!r} became {b[1][:40]!r}"
        case "dict":
            keys = [[_key(key) for key, _ in value[1]] for value in (a, b)]
            same = len(keys[0]) == len(keys[1]) and text_difference("\n".join(keys[0]), "\n".join(keys[1])) is None
            return "" if same else f"keys {keys[0]} became {keys[1]}"
        case "object":
            names = [sorted(name for name, _ in value[4]) for value in (a, b)]
            same = a[3] == b[3] and names[0] == names[1]
            return "" if same else f"{a[3]} with {names[0]} became {b[3]} with {names[1]}"
        case "things":
            return "" if a[2] == b[2] else f"shape {a[2]} became {b[2]}"
        case "function" | "class" | "opaque" | "member" | "table":
            last = [_class_name(value) for value in (a, b)]
            return "" if last[0] == last[1] else f"{_type(a)} became {_type(b)}"
        case "bytes" | "dtype" | "slice" | "range" | "sample" | "standard":
            return "" if a == b else f"{a[1:]} became {b[1:]}"
    return ""


def _class_name(value: Encoded) -> str:
    return str(value[1 if value[0] == "table" else -1]).rpartition(".")[2]


def _ordered(value: Encoded) -> Encoded:
    """Put the attributes of an object in the order of their names, and the items of a set in order."""
    if value[0] == "object":
        return [*value[:4], sorted(value[4], key=lambda pair: str(pair[0]))]
    return [value[0], sorted(value[1], key=_key)] if value[0] in ("set", "frozenset") else value


def _type(value: Encoded) -> str:
    match value[0]:
        case "array":
            return value[1] or "array"
        case "scalar":
            return f"NumPy {value[1]}"
        case "named" | "object" | "class" | "function":
            return str(value[3] if value[0] == "object" else value[2])
        case "opaque" | "things" | "table":
            return str(value[1])
    return str(value[0])


def _key(value: Encoded) -> str:
    """The text of what is hashed: a number of NumPy and one of Python, which become each other, have the same."""
    match value:
        case ["again" | "object" as kind, *_]:
            return str(kind)  # its number is its place among others
        case ["scalar", dtype, data]:
            return str(np.frombuffer(base64.b64decode(data), dtype)[0].item())
        case ["bool" | "int" | "float", number]:
            return str(number)
        case ["complex", real, imaginary]:
            return str(complex(real, imaginary))
        case ["tuple" | "frozenset" as kind, items]:
            keys = [_key(item) for item in items]
            return f"{kind}({', '.join(keys if kind == 'tuple' else sorted(keys))})"
    return str(value[1:])


def _is_of_single(values: Values) -> Values:
    """Find the numbers that have the digits of float32 and no more, as no result in double precision has."""
    narrow = values.astype("f4").astype("f8") == values
    digits = np.frexp(values)[0] * 2.0**SHORT_DIGITS
    return np.asarray(narrow & (digits != np.floor(digits)))


def brief(values: Values) -> str:
    """Numbers in a few words."""
    text = np.array2string(np.asarray(values), threshold=8, edgeitems=3, precision=17).replace("\n", "")
    return text if len(text) <= 70 else text[:67] + "..."


def _worst(a: Values, b: Values) -> str:
    """Name the position with the largest difference, for an array of more than a few elements."""
    if a.size <= 6:
        return ""
    with np.errstate(all="ignore"):
        gap = np.abs(a - b)
        place = int(np.nan_to_num(np.where(np.isnan(a) != np.isnan(b), np.inf, gap), nan=0.0).argmax())
    index = tuple(int(one) for one in np.unravel_index(place, a.shape))
    return f" (at {list(index)}: {a.reshape(-1)[place]!s} and {b.reshape(-1)[place]!s})"
