"""Start of every Python of a verified command, first on PYTHONPATH: make tensors print as the arrays they stand for."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import os
import sys
from types import ModuleType
from typing import Any

_here = os.path.dirname(os.path.abspath(__file__))
_plain = importlib.machinery.SourceFileLoader.exec_module


def _array(tensor: Any) -> Any:
    return tensor.detach().resolve_conj().resolve_neg().cpu().numpy()[()]


def _exec_module(self: importlib.machinery.SourceFileLoader, module: ModuleType) -> None:
    _plain(self, module)
    if module.__name__ == "torch":
        type.__setattr__(importlib.machinery.SourceFileLoader, "exec_module", _plain)
        tensor: Any = vars(module)["Tensor"]
        tensor.__repr__ = lambda own: repr(_array(own))
        tensor.__str__ = lambda own: str(_array(own))


if "NP2TORCH_VERIFY" in os.environ:
    type.__setattr__(importlib.machinery.SourceFileLoader, "exec_module", _exec_module)

sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != _here]
_ours = sys.modules.pop("sitecustomize", None)  # as long as it is there, no other is found
_next = importlib.util.find_spec("sitecustomize")
if _ours is not None:
    sys.modules["sitecustomize"] = _ours
if _next is not None and _next.origin:
    _spec = importlib.util.spec_from_file_location("sitecustomize", _next.origin)
    if _spec is not None and _spec.loader is not None:
        _module = importlib.util.module_from_spec(_spec)
        _spec.loader.exec_module(_module)
