"""`ndarray.flags` of a tensor."""

from __future__ import annotations

from typing import Any, ClassVar

from np2torch.shim._promotion import Tensor
from np2torch.shim._read_only import set_writeable
from np2torch.shim._subclass_propagation import bare
from np2torch.shim.subscript import is_read_only


class Flags:
    """`ndarray.flags`, as far as a tensor has them; by attribute and by NumPy's keys."""

    KEYS: ClassVar[dict[str, str]] = {
        "C": "c_contiguous",
        "F": "f_contiguous",
        "O": "owndata",
        "W": "writeable",
        "A": "aligned",
    }

    def __init__(self, x: Tensor) -> None:
        self._of, x = x, bare(x)
        self.c_contiguous = self.contiguous = x.is_contiguous()
        self.f_contiguous = x.permute(tuple(range(x.ndim))[::-1]).is_contiguous()
        self.fnc = self.f_contiguous and not self.c_contiguous
        self.forc = self.f_contiguous or self.c_contiguous
        self.owndata = x._base is None
        self.aligned = True

    @property
    def writeable(self) -> bool:
        """The flag that says the tensor can be written; it can be set."""
        return not is_read_only(self._of)

    @writeable.setter
    def writeable(self, flag: Any) -> None:
        set_writeable(self._of, bool(flag))

    def __getitem__(self, key: str) -> bool:
        name = self._name(key)
        return bool(getattr(self, name))

    def __setitem__(self, key: str, flag: Any) -> None:
        if self._name(key) != "writeable":
            raise KeyError("Unknown flag")
        self.writeable = flag

    def _name(self, key: str) -> str:
        name = self.KEYS.get(key, key.lower())
        if name.startswith("_") or not hasattr(self, name):
            raise KeyError("Unknown flag")
        return name

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flags) and self._all() == other._all()

    def __hash__(self) -> int:
        return hash(self._all())

    def _all(self) -> tuple[bool, ...]:
        return tuple(self[key] for key in self.KEYS)
