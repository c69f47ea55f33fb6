"""Find the smallest cast that makes torch reproduce NumPy: try the candidates in order, keep the first that survives.

A candidate survives if dtype, rank and values agree in every trial in which NumPy answers.
"""

from __future__ import annotations

import operator
import re
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import torch

from np2torch.facts.tables import Operand, Recipe
from tables import operands as ops
from tables.pairs import INPLACE, PAIRS, Pair

warnings.simplefilter("ignore")
np.seterr(all="ignore")
torch.set_num_threads(1)

RTOL = {"float16": 2e-3, "float32": 2e-6, "float64": 1e-12, "complex64": 2e-6, "complex128": 1e-12}
LOOSE = 50.0  # sums in another order, factorisations: relative to the largest element
Call = Callable[..., Any]


@cache
def forms(pair: Pair) -> tuple[tuple[Call, Call, bool], ...]:
    """Both sides of every form as functions, and whether the torch side takes a dtype argument."""
    return tuple(
        (
            eval(f"lambda a, b=None: {left}", {"np": np}),
            eval(f"lambda a, b=None, dt=None: {right}", {"torch": torch}),
            re.search(r"\bdt\b", right) is not None,
        )
        for left, right in pair.forms
    )


def agree(old: Any, new: Any, exact: bool, scale: float = 0.0) -> bool:
    """Whether a torch result equals a NumPy one in dtype, rank and value; signed zeros are one zero.

    Unless `exact`, the tolerance is relative to the largest element of the result, or to `scale` if that is larger.
    """
    if isinstance(old, tuple):
        same = isinstance(new, tuple) and len(old) == len(new)
        return same and all(agree(a, b, exact, scale) for a, b in zip(old, new, strict=True))
    if not isinstance(new, torch.Tensor):
        return False
    left = np.asarray(old)
    if str(new.dtype)[6:] != left.dtype.name or tuple(new.shape) != left.shape:
        return False
    right = new.detach().resolve_conj().resolve_neg().numpy()
    if left.dtype.kind in "biu":
        return np.array_equal(left, right)
    return left.tobytes() == right.tobytes() or _close(left, right, exact, scale)


def _close(left: np.ndarray[Any, Any], right: np.ndarray[Any, Any], exact: bool, scale: float) -> bool:
    finite = np.isfinite(left)
    if not np.array_equal(finite, np.isfinite(right)):
        return False
    rtol = RTOL[left.dtype.name]
    tiny = np.finfo(left.dtype).smallest_normal
    if left.dtype.kind == "f":
        if not np.array_equal(left[~finite], right[~finite], equal_nan=True):
            return False
        left, right = left.astype(np.float64), right.astype(np.float64)
    size = abs(left[finite])
    gap = abs(left[finite] - right[finite])
    bound = size if exact else LOOSE * size.max(initial=scale)
    return bool(np.all(gap <= rtol * bound + tiny))


def attempt(call: Call, *args: Any) -> tuple[bool, Any]:
    """(whether it answered, the answer)."""
    try:
        return True, call(*args)
    except Exception:  # NumPy and torch refuse with every class of exception; all that counts is that they do
        return False, None


def apply(recipe: Recipe, call: Call, takes_dtype: bool, args: list[Any]) -> Any:
    """Run the torch side with the casts of a recipe."""
    cast = [a if r is None else a.to(getattr(torch, r)) for a, r in zip(args, recipe.casts, strict=True)]
    extra = {"dt": getattr(torch, recipe.dtype_argument)} if recipe.dtype_argument and takes_dtype else {}
    out = call(*cast, **extra)
    if recipe.result_cast is None:
        return out
    if not fits(str(out.dtype)[6:], recipe.result_cast, "same_kind"):
        raise TypeError(f"{out.dtype} to {recipe.result_cast} drops a part of the value")
    return out.to(getattr(torch, recipe.result_cast))


def dtype_name(which: Operand) -> str:
    """The dtype of an operand as NumPy would make an array of it."""
    return which[0] if not isinstance(which, str) else {"pybool": "bool", "pyint": "int64", "pyfloat": "float64"}.get(
        which, "complex128"
    )


def promoted(operands: tuple[Operand, ...]) -> str:
    """NumPy's common dtype, Python numbers weak."""
    return str(np.result_type(*(ops.ZEROS[o] if isinstance(o, str) else np.dtype(o[0]) for o in operands)).name)


def fits(source: str, target: str, casting: Any) -> bool:
    """Whether a cast can be part of the truth, whatever the few values of the trials say.

    NumPy casts operands safely and results within their kind. Whole numbers may go through any other width: wrapping
    around is a ring homomorphism, so it is often right, and where it is not the edge values show it.
    """
    return bool(np.can_cast(source, target, casting)) or (source[0] in "bui" and target[0] in "ui")


def candidates(operands: tuple[Operand, ...], answer: str, takes_dtype: bool) -> Iterator[Recipe]:
    """Recipes from the smallest edit to the largest; of equal ones, NumPy's own dtypes first."""
    natural, others = _targets(promoted(operands), answer)
    keep: tuple[str | None, ...] = (None,) * len(operands)
    casts = [*_casts(operands, natural), *_casts(operands, others)]
    yield Recipe(keep)
    if takes_dtype:
        yield Recipe(keep, None, answer)
    yield from map(Recipe, casts)
    yield Recipe(keep, answer)
    # An integer answer by way of floats would be exact for the small numbers of a trial only.
    through = [t for t in (*natural, *others) if fits(t, answer, "same_kind")]
    if takes_dtype:
        yield from (Recipe(keep, answer, target) for target in through)
    yield from (Recipe(cast, answer) for cast in casts if {*cast} <= {None, *through})


def _targets(common: str, answer: str) -> tuple[list[str], list[str]]:
    """The dtypes to cast to: those that NumPy computes in, and others."""
    floating = common if common[0] in "fc" else "float64"
    natural = [common] if answer == "bool" else [answer, common]
    if answer[0] == "c" and common[0] != "c":  # a transform: real input may stay real
        natural = [{"complex64": "float32", "complex128": "float64"}[answer], answer]
    others = dict.fromkeys(("int64", floating, "float64", "float32"))
    return list(dict.fromkeys(natural)), [one for one in others if one not in natural]


def _casts(operands: tuple[Operand, ...], targets: list[str]) -> Iterator[tuple[str | None, ...]]:
    """Casts of one operand or of all to a dtype that holds them, by the dtype of each."""
    real = [i for i, o in enumerate(operands) if not ops.is_number(o)]
    for chosen in [(i,) for i in real] + ([tuple(real)] if len(real) > 1 else []):
        names = [dtype_name(operands[i]) for i in chosen]
        for target in targets:
            if any(name != target for name in names) and all(fits(name, target, "safe") for name in names):
                yield tuple(target if i in chosen else None for i in range(len(operands)))


def arguments(pair: Pair, operands: tuple[Operand, ...], trial: int) -> list[Any]:
    """The operands of one trial as NumPy gets them."""
    args = [ops.operand(o, pair.shape, (pair.left, pair.right)[i], i, trial) for i, o in enumerate(operands)]
    for i, o in enumerate(operands):
        if o == "pyfloat" and dtype_name(operands[1 - i]) == "float16" and np.isfinite(args[i]):
            args[i] = min(args[i], 6e4)  # beyond that is the business of range_safe
        if o == "pyint" and dtype_name(operands[1 - i])[0] == "u":
            args[i] = abs(args[i])
    if pair.right == "near" and trial % 2:
        moved = trial // 2 % 2
        args[moved] = ops.near(args[1 - moved], operands[moved], pair.shape, trial)
    return args


def trials(pair: Pair, operands: tuple[Operand, ...]) -> Iterator[int]:
    """The trials fit for these operands; specials only for real floats, where both libraries define them."""
    names = [dtype_name(o) for o in operands]
    single = any(isinstance(o, str) or o[1] for o in operands)
    yield from range(ops.TRIALS if not single else ops.MOST_TRIALS if pair.right == "near" else ops.MORE_TRIALS)
    if pair.specials and any(n[0] == "f" for n in names) and not any(n[0] == "c" for n in names):
        yield ops.SPECIAL


Case = tuple[tuple[Operand, ...], int, int, Any]


def answers(pair: Pair, operands: tuple[Operand, ...]) -> list[Case]:
    """NumPy's answers as (operands, form, trial, answer); the trials in which it raises are left out."""
    found = []
    for trial in trials(pair, operands):
        args = arguments(pair, operands, trial)
        for i, (call, _, _) in enumerate(forms(pair)):
            ok, out = attempt(call, *args)
            if ok:
                found.append((operands, i, trial, tuple(out) if isinstance(out, tuple | list) else out))
    return found


def find(pair: Pair, operands: tuple[Operand, ...]) -> Recipe | None:
    """The first recipe that reproduces NumPy in every trial, with its flags; None if none does."""
    if all(map(ops.is_number, operands)):
        return None  # no tensor anywhere: that is Python's business
    expected = answers(pair, operands)
    if not expected:
        return None
    if all(isinstance(o, str) or o[1] for o in operands):
        # torch promotes 0-D tensors among themselves as it does arrays, and arrays show more values at a time.
        expected += answers(pair, tuple(o if isinstance(o, str) else (o[0], False) for o in operands))
    first = expected[0][3]
    answer = np.asarray(first[0] if isinstance(first, tuple) else first).dtype.name
    takes_dtype = any(form[2] for form in forms(pair))
    for recipe in candidates(operands, answer, takes_dtype):
        if isinstance(first, tuple) and recipe.result_cast:
            continue
        if all(holds(pair, recipe, *case) for case in expected):
            return flagged(pair, operands, recipe, sides(pair, recipe))
    return None


def holds(pair: Pair, recipe: Recipe, operands: tuple[Operand, ...], form: int, trial: int, expected: Any) -> bool:
    """Whether torch with this recipe gives the expected answer."""
    _, call, takes_dtype = forms(pair)[form]
    args = [ops.on_torch(a) for a in arguments(pair, operands, trial)]
    ok, out = attempt(apply, recipe, call, takes_dtype, args)
    # A sum may cancel: what it may miss by depends on what went in.
    sizes = [float(a.to(torch.complex128).abs().max()) for a in args] if pair.shape == "rows" else []
    scale = max((size for size in sizes if np.isfinite(size)), default=0.0)
    return ok and agree(expected, tuple(out) if isinstance(expected, tuple) else out, pair.exact, scale)


Answer = tuple[bool, Any]
Sides = tuple[Callable[[list[Any]], Answer], Callable[[list[Any]], Answer]]


def sides(pair: Pair, recipe: Recipe) -> Sides:
    """NumPy's and torch's way from the operands to (whether it answered, the answer)."""
    left, right, takes_dtype = forms(pair)[0]
    return (
        lambda args: attempt(left, *args),
        lambda args: attempt(apply, recipe, right, takes_dtype, list(map(ops.on_torch, args))),
    )


def flagged(pair: Pair, operands: tuple[Operand, ...], recipe: Recipe, both: Sides) -> Recipe:
    """The recipe with what it does at zeros and out of range."""
    return Recipe(
        recipe.casts, recipe.result_cast, recipe.dtype_argument,
        zero_safe(pair, operands, both), range_safe(pair, operands, both),
    )  # fmt: skip


def zero_safe(pair: Pair, operands: tuple[Operand, ...], both: Sides) -> bool:
    """Whether torch also agrees with zeros among divisors, or as the base of a power."""
    if "divisor" not in (pair.left, pair.right) and "base" not in (pair.left, pair.right):
        return True
    args = arguments(pair, operands, ops.ZERO)
    (ok, old), (done, new) = both[0](args), both[1](args)
    return agree(old, new, pair.exact) if ok and done else ok == done


def range_safe(pair: Pair, operands: tuple[Operand, ...], both: Sides) -> bool:
    """Whether Python numbers beyond the other operand's range never make torch silently differ."""
    weak = next((i for i, o in enumerate(operands) if o in ops.OUT_OF_RANGE), None)
    if weak is None:
        return True
    other = dtype_name(operands[1 - weak])
    for number in ops.OUT_OF_RANGE[str(operands[weak])]:
        if other[0] == "c" or (other[0] in "iu" and np.iinfo(other).min <= number <= np.iinfo(other).max):
            continue
        args = arguments(pair, operands, 0)
        args[weak] = number
        (ok, old), (done, new) = both[0](args), both[1](args)
        if done and not (ok and agree(old, new, pair.exact)):  # where torch raises, it is not silent
            return False
    return True


def sides_inplace(name: str, recipe: Recipe) -> Sides:
    """The same for `left op= right`: the answer is what has become of the left operand itself."""
    change = getattr(operator, INPLACE[name])

    def numpy(args: list[Any]) -> Answer:
        target = np.array(args[0])
        return attempt(change, target, args[1])[0], target

    def torch_side(args: list[Any]) -> Answer:
        target, other = map(ops.on_torch, args)
        cast = recipe.casts[1]
        return attempt(lambda: change(target, other if cast is None else other.to(getattr(torch, cast))))[0], target

    return numpy, torch_side


def raises(pair: Pair, operands: tuple[Operand, ...]) -> bool:
    """Whether torch, with no cast, refuses operands of these dtypes whatever their values are."""
    if all(map(ops.is_number, operands)):
        return False
    bare = Recipe((None,) * len(operands))
    for trial in trials(pair, operands):
        args = [ops.on_torch(a) for a in arguments(pair, operands, trial)]
        for _, call, takes_dtype in forms(pair):
            if attempt(apply, bare, call, takes_dtype, args)[0]:
                return False
    return True


def find_inplace(name: str, left: Operand, right: Operand) -> Recipe | None:
    """The recipe for `left op= right`; None where NumPy refuses in every trial."""
    if isinstance(left, str):
        return None
    pair, operands = PAIRS[f"{name}/2"], (left, right)
    numpy, _ = sides_inplace(name, Recipe((None, None)))
    tried = [(args, *numpy(args)) for args in (arguments(pair, operands, t) for t in trials(pair, operands))]
    expected = [(args, out) for args, ok, out in tried if ok]
    if not expected:
        return None
    for recipe in candidates(operands, left[0], False):
        if recipe.casts[0] is not None or recipe.result_cast is not None:
            continue
        both = sides_inplace(name, recipe)
        answered = ((out, *both[1](args)) for args, out in expected)
        if all(done and agree(out, new, pair.exact) for out, done, new in answered):
            return flagged(pair, operands, recipe, both)
    return None
