"""The kernels that `make kernels` converts run on NumPy, each is called, and their sites are counted."""

from __future__ import annotations

import ast
import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.paths import ROOT

TOOLS = ROOT / "tools"


def tool(name: str, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(TOOLS)
    spec = importlib.util.spec_from_file_location(f"tool_{name}", TOOLS / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("path", sorted((TOOLS / "kernels").glob("*.py")), ids=lambda path: path.stem)
def test_each_is_called_and_runs(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = tool("kernel_calls", monkeypatch)
    module = importlib.util.module_from_spec(spec := importlib.util.spec_from_file_location(path.stem, path))  # type: ignore[arg-type]
    spec.loader.exec_module(module)  # type: ignore[union-attr]
    called = {node.func.id for call in driver.CALLS[path.stem] for node in ast.walk(ast.parse(call))
              if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}  # fmt: skip
    assert called == {node.name for node in ast.parse(path.read_text()).body if hasattr(node, "name")}
    names = {**vars(module), **{name: getattr(driver, name) for name in "np A G P V W".split()}}
    for call in driver.CALLS[path.stem]:
        found = eval(call, names)
        for one in found if isinstance(found, tuple) else [found]:
            assert one is None or np.isfinite(np.asarray(one, dtype=float)).all(), call


@pytest.mark.long
def test_what_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = tool("kernels", monkeypatch)
    text = (
        "def f(x):\n    x = shim.floating(x)\n    return x.exp()\n\n\nclass A:\n    def g(self, x):\n"
        "        return shim.exp(x)\n"
    )
    assert list(kernels.functions(text)) == [("f", False), ("g", True)]
    done = kernels.converted(TOOLS / "kernels", kernels.Settings())
    assert len(done) == len(list((TOOLS / "kernels").glob("*.py"))) and not any(one.problems for one in done.values())
    assert sum(len(list(kernels.functions(one.after))) for one in done.values()) > 70
