"""Draws by NumPy's own generator, where NumPy is there: the same numbers, many times faster than ours.

From the first draw of many numbers on NumPy's generator has the state. It comes back when somebody asks our bit
generator for it, or for a word, so that the stream is one whoever draws. Without NumPy, for few numbers, and for other
bit generators ours draws.
"""

from __future__ import annotations

import functools
import inspect
import math
import sys
import threading
from collections.abc import Callable
from typing import Any

import torch

from np2torch.shim.interop import elsewhere, from_numpy, mapped, to_numpy
from np2torch.shim.random._libm import Tensor
from np2torch.shim.random.bit_generator import BitGenerator
from np2torch.shim.random.mt19937 import MT19937
from np2torch.shim.random.pcg64 import PCG64
from np2torch.shim.random.source import LegacySource, ModernSource

FEWEST = 12
"""Draws from which on the state's way to NumPy is worth it; of draws of single numbers it takes twice as many."""
PLAIN = (int, float, bool, str, type(None), torch.dtype)
OF_ITS_OWN = (int, float, bool, type(None))
"""The types of Python that NumPy's generator returns."""
_LOCK = threading.RLock()


@functools.cache
def _numpys() -> Any:
    """NumPy's module; None without NumPy."""
    try:
        from numpy import random
    except ImportError:
        return None
    return random


class Lent:
    """NumPy's generator that has the state of one of our bit generators, or had it last.

    Parameters
    ----------
    bits
        The bit generator.
    source
        Who draws from it: another one needs a generator of its own.
    """

    def __init__(self, bits: BitGenerator, source: Any) -> None:
        self.bits, self.source = bits, source
        self.legacy = type(source) is LegacySource
        random = _numpys()
        self.twin = random.RandomState(random.MT19937(0)) if self.legacy else random.Generator(random.PCG64(0))
        self.kept: dict[str, Any] = {}

    def give(self, seed: int | None = None) -> None:
        """Hand the state to NumPy's generator, or let it begin anew."""
        if seed is not None:
            self.twin.seed(seed)
            vars(self.source).pop("spare")
        elif self.legacy:
            spare = self.source.spare
            key, position = self.bits.words_and_position()
            words = sys.modules["numpy"].array(key, dtype="u4")
            self.twin.set_state(("MT19937", words, position, int(spare is not None), spare or 0.0))
            vars(self.source).pop("spare")
        else:
            self.twin.bit_generator.state = self.bits.state
        self.kept = {name: vars(self.bits).pop(name) for name in self.bits.HELD}
        self.bits.lent = self

    def back(self) -> None:
        """Take the state back, if it is not back already."""
        with _LOCK:
            if self.bits.lent is not self:
                return
            del self.bits.lent
            vars(self.bits).update(self.kept)
            if self.legacy:
                _, key, position, has_gauss, gauss = self.twin.get_state()
                self.bits._load(key.tolist(), position)
                self.source.spare = gauss if has_gauss else None
            else:
                self.bits.state = self.twin.bit_generator.state


def _twin_of(source: Any, count: int) -> Any:
    """NumPy's generator with the state of a source, to be used under the lock; None where ours is to draw."""
    bits: BitGenerator = source.bits
    lent = bits.lent
    if lent is not None and lent.source is source:
        return lent.twin
    kind: Any = MT19937 if type(source) is LegacySource else PCG64 if type(source) is ModernSource else None
    if type(bits) is not kind:
        return None
    if count < FEWEST:
        bits.asked += 1
        if bits.asked < 2 * FEWEST:
            return None
    if _numpys() is None:
        return None
    bits.asked = 0
    last = _latest(source)
    last.give()
    return last.twin


def _latest(source: Any) -> Lent:
    """Take the state back, and give the `Lent` that next hands it to NumPy's generator."""
    bits = source.bits
    bits.recall()
    last: Lent | None = vars(bits).get("last")
    if last is None or last.source is not source:
        last = bits.last = Lent(bits, source)
    return last


def twin(source: Any) -> Any:
    """NumPy's generator with the state of a source; None where ours is to draw."""
    with _LOCK:
        return _twin_of(source, FEWEST)


def order(source: Any, n: int) -> Tensor | None:
    """A shuffled range, by NumPy's generator; None where ours is to draw."""
    with _LOCK:
        twin = _twin_of(source, n)
        return None if twin is None else torch.from_numpy(twin.permutation(n))


def reseeded(source: Any, seed: Any) -> bool:
    """Seed NumPy's generator, where there is one and the seed is an integer of its range."""
    if type(seed) is not int or not 0 <= seed < 2**32 or type(source) is not LegacySource:
        return False
    if sys.maxsize < FEWEST or type(source.bits) is not MT19937 or _numpys() is None:
        return False
    with _LOCK:
        lent = source.bits.lent
        if lent is not None and lent.source is source:
            lent.twin.seed(seed)
        else:
            _latest(source).give(seed)
        return True


def legacy_state(source: Any) -> Any:
    """The state as NumPy's tuple, where NumPy's generator has it; None elsewhere."""
    with _LOCK:
        lent = source.bits.lent
        return None if lent is None or lent.source is not source else lent.twin.get_state()


def in_bulk(method: Callable[..., Any]) -> Callable[..., Any]:
    """Let a drawing method call NumPy's method of the same name where that is faster."""
    name = method.__name__
    names = list(inspect.signature(method).parameters)
    at = names.index("size") - 1 if "size" in names else None
    is_shape = name in ("rand", "randn")
    out_at = names.index("out") - 1 if "out" in names else 99

    @functools.wraps(method)
    def drawn(self: Any, *args: Any, **kwargs: Any) -> Any:
        is_new = len(args) <= out_at and kwargs.get("out") is None
        if is_new and elsewhere() is not None:
            return _sent(functools.partial(drawn, self), args, kwargs)
        if not args and not kwargs:
            return _one(method, self)
        if not is_new:
            return method(self, *args, **kwargs)
        if is_shape:
            size: Any = args
        else:
            size = kwargs.get("size") if "size" in kwargs or at is None or len(args) <= at else args[at]
            if at is None and args and type(args[0]) is int:
                size = args[0]
        if not all(map(_is_plain, args)) or kwargs and not all(map(_is_plain, kwargs.values())):
            return method(self, *args, **kwargs)
        with _LOCK:
            twin = _twin_of(self._source, _count(size, args))
            if twin is not None:
                found = getattr(twin, name)(*map(_given, args), **{key: _given(x) for key, x in kwargs.items()})
                return found if type(found) in OF_ITS_OWN else from_numpy(found)
        return method(self, *args, **kwargs)

    return drawn


def _one(method: Callable[..., Any], generator: Any) -> Any:
    """Draw what a method gives that is asked for nothing special."""
    with _LOCK:
        twin = _twin_of(generator._source, 1)
        if twin is not None:
            found = getattr(twin, method.__name__)()
            return found if type(found) in OF_ITS_OWN else from_numpy(found)
    return method(generator)


def _sent(draw: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Draw NumPy's numbers on the CPU, and send them to the default device."""
    place = elsewhere()
    with torch.device("cpu"):
        found = draw(*mapped(args, _near), **mapped(kwargs, _near))
    return found.to(place) if isinstance(found, Tensor) else found


def _near(leaf: Any) -> Any:
    return leaf.cpu() if isinstance(leaf, Tensor) else leaf


def _given(x: Any) -> Any:
    return x if type(x) in OF_ITS_OWN else to_numpy(x)


def _count(size: Any, args: tuple[Any, ...]) -> int:
    """Count the numbers that are asked for, as far as that is easily told."""
    if type(size) is int:
        return size
    if isinstance(size, tuple) and all(type(one) is int for one in size):
        return math.prod(size)
    return max((one.numel() for one in args if type(one) is Tensor), default=1) if size is None else 0


def _is_plain(x: Any) -> bool:
    """Tell whether it is a number, a dtype, or a tensor that NumPy can read."""
    if type(x) is Tensor:
        return x.device.type == "cpu" and not x.requires_grad and not x.is_conj() and x.layout is torch.strided
    if type(x) in (tuple, torch.Size):
        return all(type(one) is int for one in x)
    return isinstance(x, PLAIN) or x is int or x is bool
