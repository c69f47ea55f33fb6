"""Two versions of one program in one process, each with its own modules."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from pathlib import Path
from types import ModuleType, TracebackType

import torch


class Side:
    """A Python file and whatever it imports from its own folder or package.

    Inside `with side:` the interpreter sees this side's modules, so that `import helper` finds the old helper on one
    side and the converted one on the other, at import time and within functions alike.
    """

    def __init__(self, path: Path, device: str = "cpu") -> None:
        self.device = device
        """Where tensors lie that name no device."""
        self.path = Path(os.path.abspath(path))
        parts = [self.path.stem] if self.path.stem != "__init__" else []
        root = self.path.parent
        while (root / "__init__.py").is_file():
            parts.insert(0, root.name)
            root = root.parent
        self.root, self.name = root, ".".join(parts)
        self.in_package = root != self.path.parent
        self._own: dict[str, ModuleType] = {}
        self._displaced: dict[str, ModuleType] = {}
        self._before: set[str] = set()

    def load(self) -> ModuleType:
        """Import the file, once."""
        with self:
            if self.name in sys.modules:
                return sys.modules[self.name]
            if self.in_package:
                return importlib.import_module(self.name)
            spec = importlib.util.spec_from_file_location(self.name, self.path)
            assert spec is not None and spec.loader is not None
            module = sys.modules[self.name] = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module

    def __enter__(self) -> Side:
        top = self.name.partition(".")[0]
        names = {*self._own, *(name for name in sys.modules if name == top or name.startswith(f"{top}."))}
        self._displaced = {name: sys.modules.pop(name) for name in names if name in sys.modules}
        self._before = set(sys.modules)
        sys.modules.update(self._own)
        sys.path.insert(0, str(self.root))
        importlib.invalidate_caches()
        if self.device != "cpu":
            torch.set_default_device(self.device)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.device != "cpu":
            torch.set_default_device(None)
        if str(self.root) in sys.path:
            sys.path.remove(str(self.root))
        self._own = {
            name: module for name, module in sys.modules.items() if name not in self._before and self._owns(module)
        }
        for name in self._own:
            del sys.modules[name]
        sys.modules.update(self._displaced)

    def _owns(self, module: ModuleType) -> bool:
        """Tell whether a module lies below the root, and not in an environment there."""
        file = getattr(module, "__file__", None)
        if not file or module.__name__.partition(".")[0] == "np2torch":
            return False
        path = Path(os.path.abspath(file))
        return self.root in path.parents and "site-packages" not in path.relative_to(self.root).parts
