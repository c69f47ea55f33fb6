"""Values that are dtypes by their use or their name: `x.astype(kind)`, `dtype=kind`."""

from __future__ import annotations

import ast

from np2torch.names.tree import Nodes, dotted_name

OF_DTYPES = frozenset("astype finfo iinfo issubdtype promote_types can_cast".split())
"""Functions and methods whose first argument is or may be a dtype."""


def is_called_dtype(name: str) -> bool:
    """Tell whether it is what people call a dtype."""
    return name.lower().endswith(("dtype", "datatype", "data_type"))


def used_as_dtypes(nodes: Nodes) -> dict[str, int]:
    """Names and paths such as `self.kind` that are passed on as dtypes, with the line of the first such use."""
    passed = [keyword.value for call in nodes.of(ast.Call) for keyword in call.keywords if keyword.arg == "dtype"]
    passed += (call.args[0] for call in nodes.of(ast.Call) if call.args and _takes_dtype(call.func))
    lines: dict[str, int] = {}
    for one in passed:
        if (path := dotted_name(one)) is not None:
            lines[path] = min(one.lineno, lines.get(path) or one.lineno)
    return lines


def _takes_dtype(function: ast.expr) -> bool:
    if not isinstance(function, ast.Attribute):
        return False
    return function.attr in OF_DTYPES or dotted_name(function) in ("np.dtype", "numpy.dtype")
