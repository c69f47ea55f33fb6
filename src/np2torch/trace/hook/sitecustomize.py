"""Start of the recorder in every Python below `np2torch trace`: first on PYTHONPATH, runs what it hides afterwards."""

from __future__ import annotations

import importlib.util
import os
import sys
from types import ModuleType
from typing import Any

_here = os.path.dirname(os.path.abspath(__file__))


def _load(name: str, path: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


if "NP2TORCH_TRACE" in os.environ:
    _folder = os.path.dirname(_here)
    _recorder = _load("_np2torch_recorder", os.path.join(_folder, "recorder.py"))
    _instrument = _load("_np2torch_instrument", os.path.join(_folder, "instrument.py"))
    _recorder.start(os.environ["NP2TORCH_TRACE"], os.environ["NP2TORCH_TRACE_ROOT"], _instrument.instrument_source)

if "NP2TORCH_VALUES" in os.environ:
    _folder = os.path.dirname(_here)
    _values = _load("_np2torch_values", os.path.join(_folder, "values.py"))
    _covers = _load("_np2torch_recorder", os.path.join(_folder, "recorder.py")).Recorder(
        os.environ["NP2TORCH_VALUES"], os.environ["NP2TORCH_TRACE_ROOT"]
    )

    def _pack() -> Any:
        known = sys.modules.get("_np2torch_encode")
        path = os.path.join(os.path.dirname(_folder), "verify", "encode.py")
        return (known or _load("_np2torch_encode", path)).pack

    _values.start(os.environ["NP2TORCH_VALUES"], _covers.covers, _pack)

sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != _here]
_ours = sys.modules.pop("sitecustomize", None)  # as long as it is there, no other is found
_next = importlib.util.find_spec("sitecustomize")
if _ours is not None:
    sys.modules["sitecustomize"] = _ours
if _next is not None and _next.origin:
    _load("sitecustomize", _next.origin)
