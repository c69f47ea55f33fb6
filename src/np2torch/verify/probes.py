"""Asks torch to differentiate the new side, and to compile it to one graph."""

from __future__ import annotations

import contextlib
import ctypes
import gc
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any, NamedTuple, Protocol

import numpy as np

from np2torch.verify.decode import NotCarriedError, unpack
from np2torch.verify.encode import PackedValues
from np2torch.verify.vary import nudge

GRADIENTS, GRAPH, CASTS, QUIET, ORDER, PIVOTS, STABLE = (
    "gradients", "graph", "casts", "quiet", "order", "pivots", "stable",
)  # fmt: skip
EXACT = "exact"
EXTENDED = "extended"
"""What a call is asked for that is made in extended precision."""
FILLED = {"filled with NaN": float("nan"), "filled with ones": 1.0}
"""What a call is made within that shows where it reads memory which it never wrote: what that memory holds."""
HOLDS, WRONG, DETACHED, NOTHING, BREAKS = "hold", "wrong", "detached", "nothing", "breaks"
MOST_NUMBERS = 200
"""Numbers among the inputs up to which each derivative is compared; beyond it, one direction of all."""


class ProbeAnswer(NamedTuple):
    """The answer of a probe for one call: a word, and the reason."""

    word: str
    why: str = ""


class Observing(Protocol):
    """The part of an observer that probes use: it finds functions and makes the steps of a call."""

    device: str
    module: ModuleType | None

    def find(self, module: str, name: str) -> Any:
        """Find a name of a module."""

    def seed(self) -> None:
        """Seed all generators."""

    def take_steps(
        self, steps: list[Any], values: list[Any], results: list[Any], passed: list[Any], is_compiled: bool = False
    ) -> None:
        """Make the calls of some steps."""


def gradients(observer: Observing, call: dict[str, Any]) -> ProbeAnswer:
    """Compare the gradients of a call by autograd with numerical ones, in float64."""
    import torch
    from torch.autograd.gradcheck import GradcheckError, gradcheck

    try:
        values = unpack(PackedValues.from_json(call["packed"]), True, observer.find, observer.device)
    except (NotCarriedError, ImportError, AttributeError) as error:
        return ProbeAnswer(NOTHING, f"inputs cannot be given: {error}")
    leaves = [one.detach().clone().requires_grad_() for one in _tensors(values) if one.dtype is torch.float64]
    if not leaves:
        return ProbeAnswer(NOTHING, "it is not given float64 tensors")

    def function(*inputs: Any) -> tuple[Any, ...]:
        observer.seed()
        fresh = iter([one.clone() for one in inputs])  # it may write into them
        given = _mapped(values, lambda one: next(fresh) if one.dtype is torch.float64 else one.clone())
        results: list[Any] = []
        observer.take_steps(call["steps"], given, results, [])
        return tuple(one for one in _tensors(results[-1]) if one.dtype is torch.float64)

    try:
        found = function(*leaves)
        if not found:
            return ProbeAnswer(NOTHING, "it gives no float64 tensors")
        if not any(one.requires_grad for one in found):
            return ProbeAnswer(DETACHED, "no gradient flows from its inputs to its result")
        is_large = sum(one.numel() for one in leaves) > MOST_NUMBERS
        gradcheck(
            lambda *inputs: tuple(one for one in function(*inputs) if one.requires_grad),
            leaves, eps=1e-6, atol=1e-5, rtol=1e-3, check_undefined_grad=False, fast_mode=is_large,
        )  # fmt: skip
    except GradcheckError as error:
        return ProbeAnswer(WRONG, _first_line(error))
    except Exception as error:
        return ProbeAnswer(BREAKS, f"{type(error).__name__}: {_first_line(error)}")
    return ProbeAnswer(HOLDS)


def casts(observer: Observing, call: dict[str, Any]) -> ProbeAnswer:
    """Tell whether a call casts NaN or numbers out of range to integers in NumPy: the result is undefined."""
    try:
        values = unpack(PackedValues.from_json(call["packed"]), False, observer.find)
        observer.seed()
        with np.errstate(invalid="warn"), warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            observer.take_steps(call["steps"], values, [], [])
    except Exception as error:
        return ProbeAnswer(BREAKS, f"{type(error).__name__}: {_first_line(error)}")
    return ProbeAnswer(WRONG if any("encountered in cast" in str(one.message) for one in caught) else HOLDS)


@contextlib.contextmanager
def _replaced(module: ModuleType | None, stand_ins: Sequence[tuple[Any, Any]]) -> Iterator[None]:
    """Replace functions of NumPy by others, under each name that the module has for them."""
    owners = [np, np.linalg] if module is None else [np, np.linalg, module]
    kept: list[tuple[ModuleType, str, Any]] = []
    for one, other in stand_ins:
        for owner in owners:
            names = [name for name, found in vars(owner).items() if found is one]
            kept += [(owner, name, one) for name in names]
            for name in names:
                setattr(owner, name, other)
    try:
        yield
    finally:
        for owner, name, one in kept:
            setattr(owner, name, one)


def quietly(module: ModuleType | None) -> contextlib.AbstractContextManager[None]:
    """Let code that asks NumPy to raise for results that are not finite ask in vain."""
    stand_ins = [(np.errstate, lambda **_: contextlib.nullcontext()), (np.seterr, lambda **_: {})]
    return _replaced(module, stand_ins)


@contextlib.contextmanager
def stably(module: ModuleType | None) -> Iterator[None]:
    """Let `argsort` keep the order of ties where no kind of sort is named: NumPy promises no order, torch's is this."""
    sort = np.ndarray.argsort

    def stable(a: Any, axis: Any = -1, kind: Any = None, order: Any = None, **named: Any) -> Any:
        is_open = kind is None and named.get("stable") is None
        return sort(a, axis, "stable" if is_open else kind, order, **({} if is_open else named))

    with _method_replaced(np.ndarray, "argsort", stable):
        yield


@contextlib.contextmanager
def _method_replaced(owner: type, name: str, method: Callable[..., Any]) -> Iterator[None]:
    """Replace a method of a class that is written in C: the class refuses to be changed, the dict within does not."""
    (members,) = gc.get_referents(vars(owner))

    def place(one: Any) -> None:
        members[name] = one
        ctypes.pythonapi.PyType_Modified(ctypes.py_object(owner))  # Python keeps what it looked up

    kept = members[name]
    place(method)
    try:
        yield
    finally:
        place(kept)


def fill_unwritten(value: float) -> Callable[[ModuleType | None], contextlib.AbstractContextManager[None]]:
    """Let `empty` and `empty_like` give arrays that hold one number, integers 0 for NaN."""

    def holding(function: Callable[..., Any]) -> Callable[..., Any]:
        def make(*args: Any, **named: Any) -> Any:
            found = function(*args, **named)
            if found.dtype.kind in "biufc":
                found.fill(value if found.dtype.kind in "fc" or value == value else 0)
            return found

        return make

    return lambda module: _replaced(module, [(one, holding(one)) for one in (np.empty, np.empty_like)])


@contextlib.contextmanager
def exactly(module: ModuleType | None) -> Iterator[None]:
    """Let sums of float64 be rounded once: whether what is left of equal numbers is zero is up to their order."""

    def widen(function: Callable[..., Any]) -> Callable[..., Any]:
        def compute(a: Any, *args: Any, **named: Any) -> Any:
            is_double = isinstance(a, np.ndarray) and a.dtype == np.float64
            found = function(a.astype(np.longdouble) if is_double else a, *args, **named)
            return found.astype(np.float64) if is_double and found.dtype == np.longdouble else found

        return compute

    with contextlib.ExitStack() as stack:
        stack.enter_context(_replaced(module, [(getattr(np, name), widen(getattr(np, name))) for name in ADDING]))
        for name in ADDING:
            stack.enter_context(_method_replaced(np.ndarray, name, widen(getattr(np.ndarray, name))))
        yield


CONDITIONED = ("inv", "pinv", "solve", "lstsq", "eig", "eigh", "eigvals", "eigvalsh", "svd", "qr", "cholesky", "det")
"""Functions of one matrix whose results hang on its last bits where it is ill-conditioned."""
MOVED = tuple(f"matrices moved, {number}" for number in range(6))
"""Calls in which what linear algebra is given is moved by last bits, each time by others."""


def move_matrices(seed: int) -> Callable[[ModuleType | None], contextlib.AbstractContextManager[None]]:
    """Let linear algebra take matrices that lie beside those it is given: some are made of no input that could move."""
    rng = np.random.default_rng(seed)

    def moving(function: Callable[..., Any]) -> Callable[..., Any]:
        return lambda a, *args, **named: function(nudge(a, rng), *args, **named)

    stand_ins = [(getattr(np.linalg, name), moving(getattr(np.linalg, name))) for name in CONDITIONED]
    return lambda module: _replaced(module, stand_ins)


AROUND = {
    QUIET: quietly, STABLE: stably, EXACT: exactly,
    **{name: fill_unwritten(value) for name, value in FILLED.items()},
    **{name: move_matrices(seed) for seed, name in enumerate(MOVED)},
}  # fmt: skip
"""What a call is made within that is asked for by name."""
ADDING = ("sum", "mean", "var", "std")
"""Functions and methods that add up."""
SEARCHED = {"searchsorted": 0, "interp": 1, "digitize": 1, "histogram": 1}
"""Functions that search, and the place of the array that has to be in ascending order."""
FACTORED = ("det", "slogdet", "inv", "solve")
"""Functions that eliminate with pivots."""


def order(observer: Observing, call: dict[str, Any]) -> ProbeAnswer:
    """Ask whether a call searches in an array that is not in order: then any place may be the right one."""

    def is_right(name: str, args: tuple[Any, ...], named: dict[str, Any]) -> bool:
        place = SEARCHED[name]
        return _is_in_order(args[place] if len(args) > place else named.get("bins", named.get("a", named.get("xp"))))

    return _watched(observer, call, np, SEARCHED, is_right)


def pivots(observer: Observing, call: dict[str, Any]) -> ProbeAnswer:
    """Ask whether a call divides by subnormal pivots: torch multiplies by the reciprocal, which is infinite."""
    return _watched(observer, call, np.linalg, FACTORED, lambda _, args, named: _have_reciprocals(args, named))


def _watched(
    observer: Observing,
    call: dict[str, Any],
    owner: ModuleType,
    names: Iterable[str],
    is_right: Callable[[str, tuple[Any, ...], dict[str, Any]], bool],
) -> ProbeAnswer:
    """Make a call, and tell whether all that is passed to some functions of NumPy is right."""
    seen: list[bool] = []

    def watch(name: str) -> Callable[..., Any]:
        function = getattr(owner, name)

        def watching(*args: Any, **named: Any) -> Any:
            seen.append(is_right(name, args, named))
            return function(*args, **named)

        return watching

    try:
        values = unpack(PackedValues.from_json(call["packed"]), False, observer.find)
        observer.seed()
        with _replaced(observer.module, [(getattr(owner, name), watch(name)) for name in names]):
            observer.take_steps(call["steps"], values, [], [])
    except Exception as error:
        return ProbeAnswer(BREAKS, f"{type(error).__name__}: {_first_line(error)}")
    return ProbeAnswer(NOTHING if not seen else HOLDS if all(seen) else WRONG)


def _have_reciprocals(args: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Tell whether no pivot of the matrices that are passed is subnormal, or zero where all numbers are tiny."""
    found = np.asarray(args[0] if args else named.get("a"), dtype="complex128")
    if found.ndim < 2 or found.shape[-1] != found.shape[-2] or not np.isfinite(found).all():
        return True
    return all(map(_has_reciprocals, found.reshape(-1, *found.shape[-2:])))


def _has_reciprocals(matrix: np.ndarray[Any, Any]) -> bool:
    rest, info = matrix.copy(), np.finfo("float64")
    is_tiny = np.abs(rest).max(initial=0.0) * info.eps < info.tiny
    for at in range(len(rest)):
        best = at + int(np.abs(rest[at:, at]).argmax())
        rest[[at, best]] = rest[[best, at]]
        pivot = rest[at, at]
        if not pivot and not is_tiny:
            return True
        if abs(pivot) < info.tiny:
            return not rest.any()
        rest[at + 1 :] -= rest[at + 1 :, at : at + 1] / pivot * rest[at]
    return True


def _is_in_order(value: Any) -> bool:
    found = np.asarray(value) if isinstance(value, (np.ndarray, list, tuple)) else np.zeros(0)
    if found.ndim != 1 or found.dtype.kind not in "iuf":
        return found.dtype.kind in "iufb"
    steps = np.diff(found)
    return bool((steps >= 0).all() or (steps <= 0).all())


def _first_line(error: Exception) -> str:
    return next((line.strip() for line in str(error).splitlines() if line.strip()), "")[:160]


def _tensors(value: Any) -> Iterator[Any]:
    """The tensors in nested containers."""
    import torch

    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _tensors(item)
    elif isinstance(value, dict):
        yield from _tensors(list(value.values()))


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """The same containers with other tensors."""
    import torch

    if isinstance(value, torch.Tensor):
        return change(value)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_mapped(item, change) for item in value))
    if isinstance(value, (list, tuple)):
        return type(value)(_mapped(item, change) for item in value)
    if isinstance(value, dict):
        return {key: _mapped(item, change) for key, item in value.items()}
    return value


ASKED = {GRADIENTS: gradients, CASTS: casts, ORDER: order, PIVOTS: pivots}
"""The questions that are answered in a word, by name."""


def compile_graph(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function as one graph; where it cannot be one, calling it raises."""
    import torch

    torch._dynamo.config.suppress_errors = False
    return torch.compile(function, fullgraph=True, backend="aot_eager")


def break_of(error: BaseException) -> str:
    """Give the reason for which a function is no single graph; empty for its own errors."""
    import torch

    dynamo = torch._dynamo.exc
    if not isinstance(error, (dynamo.TorchDynamoException, dynamo.InternalTorchDynamoError)):
        return ""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    place = next((line for line in reversed(lines) if line.startswith("File ")), "")
    return f"{lines[0] if lines else type(error).__name__}{f' ({place})' if place else ''}"[:200]
