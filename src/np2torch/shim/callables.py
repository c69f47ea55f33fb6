"""Functions of NumPy's that callers pass: those of the shim in their place."""

from __future__ import annotations

import sys
from typing import Any

from np2torch.shim._location import module_of, package_of
from np2torch.shim._numpy_fallback import numpys_own
from np2torch.shim.interop import across

__all__ = ["function"]

ROOT = "numpy"


def function(x: Any) -> Any:
    """`x`, to be called as NumPy's functions are: of those it is the shim's, anything else is itself.

    A function of NumPy's that the shim lacks is called with ndarrays, and gives tensors.
    """
    numpy, owner = sys.modules.get(ROOT), getattr(x, "__self__", None)
    if numpy is None or not callable(x):
        return x
    if isinstance(owner, numpy.ufunc):  # `np.maximum.reduce`
        return getattr(function(owner), x.__name__)
    if isinstance(x, type) or not isinstance(x, numpy.ufunc) and package_of(x) != ROOT:
        return x
    place: Any = sys.modules[__package__]
    for part in [*module_of(x).split(".")[1:], x.__name__]:
        place = getattr(place, part, None) if not part.startswith("_") else place
    is_ours = place is not None and callable(place) and numpys_own(place, numpy) is x
    return place if is_ours else across(x)
