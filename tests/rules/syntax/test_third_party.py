"""Packages that nothing is known of."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from support.handlers import agree

OTHERS = "import numpy as np\n\n\ndef twice(a):\n    return np.dot(a, np.eye(len(a), dtype=a.dtype)) * 2\n"
USE = "import numpy as np\n\nfrom ._vendor.lin import twice\n\n\ndef f(n):\n    return twice(np.ones((n, n))) + 1\n"


def test_are_given_ndarrays():
    agree(
        """
        import sys
        import types

        sys.modules['unseen_package'] = types.SimpleNamespace(smooth=lambda x: np.asarray(x) * 2)
        import unseen_package

        x = unseen_package.smooth(np.arange(3.0))
        y = np.abs(x)
        del unseen_package
        """,
        """
        import sys
        import types

        sys.modules['unseen_package'] = types.SimpleNamespace(smooth=lambda x: shim.asarray(x) * 2)
        import unseen_package

        x = shim.from_numpy(unseen_package.smooth(torch.arange(3.0, dtype=torch.float64).numpy()))
        y = shim.abs(x)
        del unseen_package
        """,
    )


def test_code_of_others_in_a_folder_of_the_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A walk leaves `_vendor` out, so that it stays on NumPy and is given ndarrays."""
    package = tmp_path / "holding_others"
    (package / "_vendor").mkdir(parents=True)
    for name, text in {"__init__.py": "", "_vendor/__init__.py": "", "_vendor/lin.py": OTHERS}.items():
        (package / name).write_text(text)
    given = [("__init__.py", ""), ("use.py", USE)]
    files = [SourceFile(package / name, f"holding_others/{name}", text) for name, text in given]
    (done,) = (one for one in convert_project(files, Settings()) if one.path.name == "use.py")
    assert "shim.from_numpy(twice(torch.ones((n, n), dtype=torch.float64).numpy())) + 1" in done.after
    (package / "use.py").write_text(done.after)
    monkeypatch.syspath_prepend(tmp_path)
    from holding_others.use import f  # type: ignore[import-not-found]

    found = f(2)
    assert isinstance(found, torch.Tensor) and np.array_equal(found.numpy(), 2 * np.ones((2, 2)) + 1)
    for name in [name for name in sys.modules if name.startswith("holding_others")]:
        del sys.modules[name]
