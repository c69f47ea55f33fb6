"""The stream of `random.rand` and its like, which is NumPy's own one while a caller with ndarrays is served."""

from __future__ import annotations

import sys
from typing import Any

from np2torch.shim.random.legacy import RandomState


class Shared(RandomState):
    """The `RandomState` behind the functions of the module.

    While `visits` is not zero a caller outside waits, who may have seeded NumPy's global stream and may go on drawing
    from it: the first draw takes that stream over, and `give_back` hands it back as far as it has come.
    """

    visits = 0
    borrowed = False

    def __getattribute__(self, name: str) -> Any:
        if name in ("_source", "_bit_generator") and Shared.visits and not Shared.borrowed:
            numpy = sys.modules.get("numpy")
            state = numpy.random.get_state() if numpy is not None else (None,)
            if state[0] == "MT19937":
                Shared.borrowed = True
                self.set_state(state)
        return super().__getattribute__(name)

    def __reduce__(self) -> Any:
        """A copy is a stream of its own, as in NumPy."""
        name, key, *rest = self.get_state()
        return _copied, ((name, key.tolist(), *rest),)

    def give_back(self) -> None:
        """NumPy's stream goes on where ours has stopped."""
        if Shared.borrowed:
            name, key, *rest = self.get_state()
            sys.modules["numpy"].random.set_state((name, key.numpy(), *rest))
            Shared.borrowed = False


Shared.__name__ = Shared.__qualname__ = RandomState.__name__  # NumPy has one class


def _copied(state: Any) -> RandomState:
    own = RandomState()
    own.set_state(state)
    return own
