# ruff: noqa: E501 (tables of source texts)
"""What imports bind, in every style."""

from __future__ import annotations

import math

import pytest

from np2torch.facts import values as v
from support.facts import one, run, shown


def test_calls_from_another_module():
    assert one("from other import make\nshow(make(3))\n", other="import numpy as np\ndef make(n):\n    return np.arange(n)\n") == v.array("int64", 1)


@pytest.mark.parametrize(
    ("all_", "expected"),
    [
        ("__all__ = ['f', '_g']", [3, 4, math.pi]),
        ("__all__ = ['f']\n__all__ += ('_g',)", [3, 4, math.pi]),
        ("", [3, 0, 5]),
        ("__all__ = list(names)", [None, 0, None]),  # it may hold any name
    ],
)
def test_what_a_star_imports(all_, expected):
    helper = f"import math\nnames = input()\n{all_}\nf = 3\n_g = 4\npi = 5\n"
    text = "from math import pi\nf = _g = 0\nfrom helper import *\nshow(f)\nshow(_g)\nshow(pi)"
    assert list(map(v.constant, shown(text, helper=helper))) == expected


def test_a_module_that_makes_its_names_may_call_any_function():
    lazy = "import importlib\n\ndef __getattr__(name):\n    return getattr(importlib.import_module('far'), name)"
    far = "import numpy as np\n\ndef f(closed=False):\n    return closed\n\ndef g():\n    return f(True)\n\nx = g()"
    engine, _ = run("import numpy as np\nimport lazy\nimport far\nlazy.f(False)\n", lazy=lazy, far=far)
    f = next(function for function in engine.functions.values() if function.name == "f")
    returned = f.node.body[0].value
    assert v.constant(engine.facts[returned]) is None
