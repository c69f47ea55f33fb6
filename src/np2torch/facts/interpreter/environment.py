"""The parts of the state of a run: environments, nodes of functions, the heap of containers."""

from __future__ import annotations

import ast
from typing import Any, Protocol

from np2torch.facts import values as v

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
Env = dict[str, v.Fact]
Place = tuple[str, int, int]
"""File, line and column."""
Cell = tuple[str, Any, Any]
"""Something outside a body that it can read: ("element", site, None), ("attribute", class, name), ..."""
ANY_NAME = "*"
"""The attribute that is set where its name is not known: every attribute may be what it is."""
ANY_KEY = object()
"""The key of what was put into a dict under keys that are not known."""
DTYPE_KEY = object()
"""The key that says that dtypes are among the keys of a dict."""


class Heap(Protocol):
    """Elements of lists and values of dicts, by the place that made them."""

    def add_element(self, site: int, fact: v.Fact, key: object = None) -> None:
        """Take in what a list or dict made at `site` may also hold."""


class Scope(Protocol):
    """Names as a run sees them: what functions defined inside of it keep of it."""

    env: Env
    globals: set[str]
    context: Any
    closure: Scope | None


def merge(envs: list[Env]) -> Env:
    """Join environments; a name missing in one keeps what the others say."""
    if len(envs) == 1:
        return envs[0]
    out = dict(envs[0])
    for env in envs[1:]:
        for name, fact in env.items():
            old = out.get(name)
            if old is None:
                if "." not in name:
                    out[name] = fact
            elif old is not fact and old != fact:
                out[name] = v.join(old, fact)
        for name in [n for n in out if "." in n and n not in env]:
            del out[name]
    return out
