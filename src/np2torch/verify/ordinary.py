"""Calls as people make them, and what errors for these say: one side raises more than it should, or less."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from np2torch.verify import vary
from np2torch.verify.calls import Call, Observation
from np2torch.verify.drawn_values import Inputs
from np2torch.verify.judge import UNSUPPORTED, Verdict, numbers_in
from np2torch.verify.kinds import Kind, accepts

MOST_LOUD = 0.2
"""The share of ordinary inputs that the new side may raise for where the old one answers."""
LinesOf = Callable[[Sequence[Call]], Sequence[frozenset[int]]]
SMALL = ("bool", "uint8")
"""Dtypes of arrays that torch serves less often than floats: contracts that name them say that they are passed."""
NOT_THERE = ("KeyError", "IndexError", "ZeroDivisionError")
NARROW = ("float32", "float16", "complex64")
SHORT = (*NARROW, "bool", "int8", "uint8", "int16", "uint16")
"""Dtypes of which NumPy makes narrow floats too."""
DTYPE = re.compile("dtype|scalar type|floating point|Long|Int|Short|Byte|Char|Bool|Half|Float|Double")
"""Words by which torch says what dtypes it serves, or not."""
SIZES = re.compile(r"sizes?\b.* must match|size mismatch|shape mismatch|invalid for input of size|expanded size")
"""Words by which torch says that sizes do not fit."""
TENSOR = re.compile(r"(\w+) tensor of shape")
"""The dtype in what a guard says of what it refuses."""


class JudgedCall(NamedTuple):
    """A call, what was seen of it on either side, and the verdict."""

    inputs: Inputs | None
    call: Call
    verdict: Verdict
    old: Observation
    new: Observation

    @property
    def note(self) -> str:
        """The variation, in words."""
        return self.call.note.rpartition(": ")[2].removesuffix(", all")


def _is_certain(one: JudgedCall) -> bool:
    """Tell whether torch does not raise this error for what it does not serve: the project does, or torch never does.

    Or the call is recorded.
    """
    raised = one.new.raised
    return one.inputs is None or raised is not None and (raised.name not in UNSUPPORTED or raised.by == "own")


def narrowed_inside(found: Sequence[JudgedCall]) -> list[JudgedCall]:
    """Find calls of finite numbers that a guard refuses for a narrow float, where none is passed, nor what makes one.

    The new side has made it by itself, of what NumPy computes in double precision.
    """
    refused = [one for one in found if one.verdict.kind == "refused" and one.old.has_result and one.inputs is not None]
    return [one for one in refused if _names_narrow(one) and _is_wide_and_finite(one)]


def _names_narrow(one: JudgedCall) -> bool:
    return one.new.raised is not None and not {*TENSOR.findall(one.new.raised.message)}.isdisjoint(NARROW)


def _is_wide_and_finite(one: JudgedCall) -> bool:
    numbers = [leaf for leaf in numbers_in(one.call.packed) if leaf.kind != "bool"]
    return all(leaf.dtype not in SHORT and vary.is_finite_and_real(leaf.values) for leaf in numbers)


def is_ordinary(one: JudgedCall, arrays_expected: Sequence[bool] | None) -> bool:
    """Tell whether people make such a call: recorded, or of finite real arrays of one precision, and counts from 0.

    Parameters
    ----------
    arrays_expected
        For each parameter, whether a number is out of place; None where that does not matter.
    """
    if one.inputs is None:
        return True
    values = one.inputs.values
    if one.note not in vary.ORDINARY or len({kind for value in values for kind in _precisions(value)}) > 1:
        return False
    return all(map(_is_ordinary, values, arrays_expected or [False] * len(values)))


def _is_ordinary(value: Any, is_array_expected: bool) -> bool:
    if isinstance(value, np.ndarray):
        is_plain = value.dtype.name in ("float64", "int64", "float32") and not (is_array_expected and not value.ndim)
        return is_plain and bool(value.size) and vary.is_finite_and_real(value)
    if isinstance(value, (int, float)) and is_array_expected or _is_of_bools(value):
        return False
    return value >= 0 if type(value) is int else vary.is_finite_and_real(value)


def _is_of_bools(value: Any) -> bool:
    """Tell whether it is a list of nothing but bools: like an array of them, where numbers are computed with."""
    is_list = isinstance(value, (list, tuple)) and bool(value)
    return is_list and all(type(one) is bool or _is_of_bools(one) for one in value)


def _precisions(value: Any) -> set[str]:
    """The precisions of the floats in a value; Python's own numbers have none."""
    if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind == "f":
        return {value.dtype.name}
    return {"float64"} if isinstance(value, (list, tuple)) and "float" in repr(list(map(type, value))) else set()


ARRAYS = (np.ndarray, list, tuple)
NUMBERS = ("int", "float", "complex", "scalar")


def often(found: Sequence[JudgedCall], kinds: type | tuple[type, ...]) -> list[bool]:
    """For each parameter, whether some of the calls that the old side answers pass a value of these kinds."""
    answered = [one.inputs.values for one in found if one.inputs is not None and one.old.has_result]
    return [
        6 * sum(isinstance(value, kinds) and getattr(value, "shape", None) != () for value in column) > len(column)
        for column in zip(*answered, strict=True)
    ]


def _is_array_for_text(one: JudgedCall, texts: Sequence[bool]) -> bool:
    """Tell whether an array stands where the other calls pass text."""
    values = one.inputs.values if one.inputs is not None else ()
    return any(is_text and isinstance(value, ARRAYS) for value, is_text in zip(values, texts, strict=False))


def too_lenient(found: Sequence[JudgedCall]) -> list[JudgedCall]:
    """Find ordinary calls for which only the old side raises, by an error that says that something is not there."""
    lenient = [one for one in found if one.verdict.kind == "lenient" and is_ordinary(one, None)]
    return [one for one in lenient if one.old.raised is not None and one.old.raised.name in NOT_THERE]


def too_loud(
    found: Sequence[JudgedCall],
    kinds: Sequence[tuple[Kind, ...]] = (),
    shapes: Sequence[tuple[str, ...]] = (),
    lines_of: LinesOf | None = None,
) -> list[JudgedCall]:
    """Find ordinary calls for which only the new side raises, if these are more than a few, or all of one kind.

    Parameters
    ----------
    shapes
        For each parameter the shapes that its documentation names: others are out of place.
    lines_of
        Gives the lines of the old side that calls come to.
    """
    expected, ordinary = _arrays_expected(found, kinds), _ordinary(found)
    shapes = _answered_shapes(found, shapes)
    certain = [one for one in ordinary if one.verdict.kind == "loud" and _is_certain(one)]
    if certain:
        return certain
    ordinary = [one for one in ordinary if is_ordinary(one, expected) and _is_documented(one, shapes)]
    loud = [one for one in ordinary if one.verdict.kind == "loud"]
    if another := [one for one in loud if one.old.raised is not None]:  # another class of error
        return another
    if len(loud) > MOST_LOUD * len(ordinary):
        return loud
    if unfit := _of_served_sizes(ordinary, loud):
        return unfit
    if whole := _of_whole_kinds(ordinary, loud, kinds) or _at_lost_lines(ordinary, loud, lines_of):
        return whole
    small = _of_small_dtypes(found, kinds)
    return _at_lost_lines(small, [one for one in small if one.verdict.kind == "loud"], lines_of)


def _ordinary(found: Sequence[JudgedCall]) -> list[JudgedCall]:
    """Find the ordinary calls that the old side answers, or for which the new one raises something else.

    Those of which nothing is said are left out: where a call that comes before raises, for one.
    """
    texts = often(found, str)
    said = [one for one in found if one.verdict.kind == "loud" or one.old.has_result and one.verdict.kind != "skipped"]
    return [one for one in said if is_ordinary(one, None) and not _is_array_for_text(one, texts)]


def _at_lost_lines(
    ordinary: Sequence[JudgedCall], loud: Sequence[JudgedCall], lines_of: LinesOf | None
) -> list[JudgedCall]:  # fmt: skip
    """Give the loud calls at lines of the old side where the new one raises whenever an ordinary call comes there.

    Or on a path: another call may come to each of its lines, and none to all of them.
    """
    if not loud or lines_of is None:
        return []
    lines = dict(zip(map(id, ordinary), lines_of([one.call for one in ordinary]), strict=True))
    if on_paths := _of_whole(lambda one: str(sorted(lines[id(one)])), ordinary, loud):
        return on_paths
    met = Counter(line for one in ordinary for line in lines[id(one)])
    lost = Counter(line for one in loud for line in lines[id(one)])
    whole = {line for line, count in lost.items() if count == met[line] > 2}
    return [one for one in loud if lines[id(one)] & whole]


def _arrays_expected(found: Sequence[JudgedCall], kinds: Sequence[tuple[Kind, ...]]) -> list[bool]:
    """For each parameter, whether numbers are out of place."""
    expected = often(found, ARRAYS)
    for at, accepted in enumerate(kinds[: len(expected)]):  # a number that the contract names is never out of place;
        names = {kind.name for kind in accepted}  # but for guards, which take all that makes an array, lists too
        expected[at] &= "lists" in names or not names & set(NUMBERS)
    return expected


def _answered_shapes(found: Sequence[JudgedCall], shapes: Sequence[tuple[str, ...]]) -> Sequence[tuple[str, ...]]:
    """The shapes that documentation names, unless the old side raises whenever it is passed these: then it is wrong."""
    documented = [one for one in found if one.inputs is not None and _is_documented(one, shapes)]
    is_wrong = bool(documented) and not any(one.old.has_result for one in documented)
    return () if is_wrong else shapes


def _is_documented(one: JudgedCall, shapes: Sequence[tuple[str, ...]]) -> bool:
    """Tell whether values have the shapes that documentation names; None and defaults stand for none."""
    values = one.inputs.values if one.inputs is not None else ()
    return all(_has_shape(value, named) for value, named in zip(values, shapes, strict=False) if named)


def _has_shape(value: Any, named: Sequence[str]) -> bool:
    if not isinstance(value, (np.ndarray, np.number, list, tuple, int, float)):
        return True
    try:
        shape = np.shape(value)
    except ValueError:  # rows of several lengths
        return False
    sizes = [one.split(",") for one in named]
    fitting = [one for one in sizes if len(one) == len(shape)]
    return any(all(not a.isdigit() or int(a) == b for a, b in zip(one, shape, strict=True)) for one in fitting)


def _of_small_dtypes(found: Sequence[JudgedCall], kinds: Sequence[tuple[Kind, ...]]) -> list[JudgedCall]:
    """Find ordinary calls but for one array of bools or bytes, whose dtype the contract of its parameter names."""
    said = [one for one in found if one.inputs is not None and one.old.has_result and one.verdict.kind != "skipped"]
    return [one for one in said if one.note in vary.ORDINARY and _is_of_small_dtype(one, kinds)]


def _is_of_small_dtype(one: JudgedCall, kinds: Sequence[tuple[Kind, ...]]) -> bool:
    values = one.inputs.values if one.inputs is not None else ()
    small = [at for at, value in enumerate(values) if isinstance(value, np.ndarray) and value.dtype.name in SMALL]
    named = [at for at in small if at < len(kinds) and any(values[at].dtype.name in kind.dtypes for kind in kinds[at])]
    others = [value for at, value in enumerate(values) if at not in small]
    return len(small) == len(named) == 1 and bool(values[small[0]].size) and all(_is_ordinary(x, False) for x in others)


def _of_whole_kinds(
    ordinary: Sequence[JudgedCall], loud: Sequence[JudgedCall], kinds: Sequence[tuple[Kind, ...]]
) -> list[JudgedCall]:  # fmt: skip
    """Give the loud calls of a kind that is never served: of one variation of a parameter, some axes, some dtypes."""
    found = [one for kind in (_variation, _ranks) for one in _of_whole(kind, ordinary, loud)]
    of_dtypes = [one for one in loud if _speaks_of_dtypes(one) and _is_named(one, kinds)]
    found = found or _of_whole(_dtypes, ordinary, of_dtypes)
    of_one = (_of_whole(partial(_dtype_at, at=at), ordinary, of_dtypes) for at in range(len(kinds)))
    return found or next(filter(None, of_one), [])


def _of_served_sizes(ordinary: Sequence[JudgedCall], loud: Sequence[JudgedCall]) -> list[JudgedCall]:
    """Give the loud calls in which torch says that sizes do not fit, where others of the same sizes are served."""
    unfit = [one for one in loud if one.new.raised is not None and SIZES.search(one.new.raised.message)]
    served = {_sizes(one) for one in ordinary if one.verdict.kind == "equal"} if unfit else set()
    return [one for one in unfit if _sizes(one) in served]


def _sizes(one: JudgedCall) -> tuple[str, ...]:
    """The sizes of all that is passed: of arrays and lists their shapes, whole numbers and words themselves."""
    return tuple(map(_size_of, one.inputs.values)) if one.inputs is not None else (one.call.note,)


def _size_of(value: Any) -> str:
    try:
        if isinstance(value, ARRAYS):
            return str(np.shape(value))
    except ValueError:  # rows of several lengths
        return "rows"
    return repr(value) if type(value) in (int, bool, str) else type(value).__name__


def _is_named(one: JudgedCall, kinds: Sequence[tuple[Kind, ...]]) -> bool:
    """Tell whether the contract names the dtypes of all arrays, and of the arrays that lists become."""
    values = one.inputs.values if one.inputs is not None else ()
    pairs = [(value, kind) for value, kind in zip(values, kinds, strict=False) if isinstance(value, ARRAYS)]
    return all(accepts(kind, np.asarray(value)) for value, kind in pairs)


def _speaks_of_dtypes(one: JudgedCall) -> bool:
    """Tell whether torch's error is about a dtype."""
    return one.new.raised is not None and DTYPE.search(one.new.raised.message) is not None


def _of_whole(
    kind: Callable[[JudgedCall], str], ordinary: Sequence[JudgedCall], loud: Sequence[JudgedCall]
) -> list[JudgedCall]:
    kinds, by_kind = Counter(map(kind, ordinary)), Counter(map(kind, loud))
    whole = {name for name, count in by_kind.items() if name and count == kinds[name] > 2}
    return [one for one in loud if kind(one) in whole]


def _variation(one: JudgedCall) -> str:
    """The parameter that was varied, and how."""
    return one.call.note


def _ranks(one: JudgedCall) -> str:
    """The numbers of axes of the arrays that are passed, and where numbers are."""
    values = one.inputs.values if one.inputs is not None else ()
    ranks = {at: value.ndim for at, value in enumerate(values) if isinstance(value, np.ndarray)}
    numbers = {at: type(value).__name__ for at, value in enumerate(values) if type(value) in (int, float, complex)}
    return " ".join(f"{at}:{kind}" for at, kind in sorted((ranks | numbers).items()))


def _dtypes(one: JudgedCall) -> str:
    """The dtypes of what is passed, of lists what NumPy makes of them; Python's own numbers by their type."""
    return " ".join(_dtype(value) for value in one.inputs.values) if one.inputs is not None else ""


def _dtype_at(one: JudgedCall, at: int) -> str:
    """The dtype of the array that is passed for one parameter, whatever the others are."""
    values = one.inputs.values if one.inputs is not None else ()
    return _dtype(values[at]) if at < len(values) and isinstance(values[at], np.ndarray) else ""


def _dtype(value: Any) -> str:
    try:
        return str(np.asarray(value).dtype) if isinstance(value, ARRAYS) else type(value).__name__
    except ValueError:  # rows of several lengths
        return "rows"
