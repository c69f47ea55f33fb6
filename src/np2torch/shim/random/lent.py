"""Our streams lent to libraries: generators of NumPy's that draw their words from ours, so that both go on as one.

NumPy takes any object for a bit generator that has a lock and a capsule with the functions that give words.
"""

from __future__ import annotations

import ctypes
import threading
import weakref
from collections.abc import Callable
from typing import Any

from np2torch.shim.interop import to_numpy
from np2torch.shim.random.bit_generator import BitGenerator
from np2torch.shim.random.source import LegacySource

_WORD64 = ctypes.CFUNCTYPE(ctypes.c_uint64, ctypes.c_void_p)
_WORD32 = ctypes.CFUNCTYPE(ctypes.c_uint32, ctypes.c_void_p)
_DOUBLE = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p)
_NAME = b"BitGenerator"
NO_WORDS = {"bit_generator": "MT19937", "state": None}


class _Functions(ctypes.Structure):
    """NumPy's `bitgen_t`."""

    _fields_ = tuple(
        (name, ctypes.c_void_p) for name in ("state", "next_uint64", "next_uint32", "next_double", "next_raw")
    )


class Lender:
    """The interface that NumPy asks of a bit generator, answered by one of ours."""

    def __init__(self, bits: BitGenerator) -> None:
        self._bits = bits
        self.owner: Callable[[], Any] = lambda: None
        self.lock = threading.RLock()
        self.wanted = True
        self._kept = (
            _WORD64(lambda _: bits.next64()), _WORD32(lambda _: bits.next32()), _DOUBLE(lambda _: bits.next_double()),
            _WORD64(lambda _: int(bits.random_raw())),
        )  # fmt: skip
        self._functions = _Functions(None, *(ctypes.cast(one, ctypes.c_void_p) for one in self._kept))
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
        self.capsule = make(ctypes.addressof(self._functions), _NAME, None)

    @property
    def seed_seq(self) -> Any:
        """Give the seed sequence that the words began with."""
        return self._bits.seed_seq

    @property
    def state(self) -> Any:
        """The state as NumPy's dictionary, without the words where these are not `wanted`."""
        return to_numpy(self._bits.state) if self.wanted else {**NO_WORDS}

    @state.setter
    def state(self, value: dict[str, Any]) -> None:
        if value["state"] is not None:
            self._bits.state = value


class LentSource(LegacySource):
    """A source that keeps the second normal of a pair where NumPy's generator looks for it."""

    _lender: Lender
    _twin: Any

    @property
    def spare(self) -> float | None:
        """The one that is left."""
        self._lender.wanted = False
        try:
            state = self._twin.get_state(legacy=False)
        finally:
            self._lender.wanted = True
        return state["gauss"] if state["has_gauss"] else None

    @spare.setter
    def spare(self, value: float | None) -> None:
        self._twin.set_state({**NO_WORDS, "has_gauss": int(value is not None), "gauss": value or 0.0})

    def __reduce__(self) -> Any:
        """Copy the stream, which goes on by itself."""
        return _own, (self.bits, self.spare)


def _own(bits: BitGenerator, spare: float | None) -> LegacySource:
    made = LegacySource(bits)
    made.spare = spare
    return made


_LENT: weakref.WeakKeyDictionary[Any, Any] = weakref.WeakKeyDictionary()


def lent(stream: Any) -> Any:
    """NumPy's generator over the words of one of ours, the same one each time."""
    if stream not in _LENT:
        from numpy import random

        lender: Any = Lender(stream._bit_generator)
        if isinstance(stream._source, LegacySource):
            twin: Any = random.RandomState(lender)
            stream._source.__class__, spare = LentSource, stream._source.spare
            vars(stream._source).update(_lender=lender, _twin=twin)
            stream._source.spare = spare
        else:
            twin = random.Generator(lender)
        lender.owner = weakref.ref(stream)
        _LENT[stream] = twin
    return _LENT[stream]


def lent_by(x: Any) -> Any:
    """The stream of ours that NumPy's generator draws from; None for one of its own."""
    lender = getattr(x, "_bit_generator", None) or getattr(x, "bit_generator", None)
    return lender.owner() if isinstance(lender, Lender) else None
