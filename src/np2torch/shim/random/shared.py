"""The stream of `random.rand` and its like, which is NumPy's own one while a caller with ndarrays is served."""

from __future__ import annotations

import sys
from typing import Any

from np2torch.shim._location import of_process
from np2torch.shim.random.legacy import RandomState
from np2torch.shim.random.twins import legacy_state


class Shared(RandomState):
    """The `RandomState` behind the functions of the module.

    While `visits` is not zero a caller outside waits, who may have seeded NumPy's global stream and may go on drawing
    from it: the first draw takes that stream over, and `give_back` hands it back as far as it has come. Libraries draw
    from NumPy's stream too, so that where this one is told to begin, that one begins.

    A program in which `is_mixed` has code that stays on NumPy: the stream is taken over whoever waits.
    """

    visits = 0
    borrowed = False
    is_mixed = False

    def __getattribute__(self, name: str) -> Any:
        if name in ("_source", "_bit_generator") and (Shared.visits or Shared.is_mixed) and not Shared.borrowed:
            state = _numpys_state()
            if state is not None:
                Shared.borrowed = True
                RandomState.set_state(self, state)
        return super().__getattribute__(name)

    def seed(self, seed: Any = None) -> None:
        """Begin where this seed says."""
        super().seed(seed)
        self._lead(seed)

    def set_state(self, state: Any) -> None:
        """Go on where a state says."""
        super().set_state(state)
        self._lead()

    def _lead(self, seed: Any = None) -> None:
        """Let NumPy's stream go on where ours does, which may be where a seed begins."""
        if _numpys_state() is not None:
            if type(seed) is int:
                sys.modules["numpy"].random.seed(seed)
                return
            state = legacy_state(self._source)
            if state is None:
                name, key, *rest = self.get_state()
                state = name, key.numpy(), *rest
            sys.modules["numpy"].random.set_state(state)

    def __reduce__(self) -> Any:
        """Copy the stream, which goes on by itself, as in NumPy."""
        name, key, *rest = self.get_state()
        return _copied, ((name, key.tolist(), *rest),)

    def give_back(self) -> None:
        """Stop serving a caller outside."""
        if Shared.borrowed:
            self._lead()
            Shared.borrowed = False


Shared.__name__ = Shared.__qualname__ = RandomState.__name__  # NumPy has one class
STREAM = of_process("stream", Shared)
"""The one stream: whoever seeds it seeds it for all packages that have a copy of the shim, as NumPy's is seeded."""
Shared = type(STREAM)  # type: ignore[misc]  # that of another copy, where that made the stream


def _numpys_state() -> Any:
    """The state of NumPy's own stream; None where there is no such one."""
    numpy = sys.modules.get("numpy")
    state = numpy.random.get_state() if numpy is not None else (None,)
    return state if state[0] == "MT19937" else None


def _copied(state: Any) -> RandomState:
    own = RandomState()
    own.set_state(state)
    return own
