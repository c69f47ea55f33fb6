"""Questions of evidence: what callers may pass that is an object, or NumPy's own."""

from __future__ import annotations

from np2torch.facts import function_uses, generator_uses, object_uses
from np2torch.facts import values as v
from np2torch.facts.evidence import Evidence


def is_object(said: Evidence) -> bool:
    """Tell whether its use says that it is no array and no number, which is all that it says."""
    return said.says(object_uses.WORDS)


def may_draw_arrays(said: Evidence) -> bool:
    """Tell whether random numbers are drawn from it, and callers may pass a generator of NumPy's."""
    return said.says(*generator_uses.SAID) and any(isinstance(atom, (v.Top, v.Module)) for atom in said.found)


def may_be_numpys_function(said: Evidence) -> bool:
    """Tell whether it is called as NumPy's functions are, and callers may pass one of these."""
    return said.says(function_uses.WORDS) and v.known_to_include(said.found, "unknown")
