"""Tests of the parameters that a function retains."""

from __future__ import annotations

from textwrap import dedent

import pytest

from np2torch.facts.retention import Retention
from support.facts import run


@pytest.mark.parametrize(
    ("body", "retained"),
    [
        ("return v * 2 + abs(v)", ""),
        ("return [v]", "v"),
        ("where['k'] = {'v': [v]}", "v"),
        ("where.append(Node(v))", "v"),
        ("n = Node(v)\nwhere.append(n)", "v"),
        ("other(where, v)", "v"),
        ("return looks(v)", ""),
        ("w = [v]\nw.append(1)\nreturn len(w)", ""),
        ("w = where['k']\nw.append(v)", "v"),
        ("return lambda: v", "v"),
        ("yield v", "v"),
        ("unknown(v)", "v"),
        ("return min(where, v)", "where v"),
        ("if v > 1:\n    return f'{v}'\nreturn math.sqrt(v)", ""),
        ("return recursive(where, v, 1)", "v"),
        ("for one in [v]:\n    where.kept = one", "v"),
        ("match v:\n    case [*rest]:\n        where[0] = rest", "v"),
    ],
)
def test_a_parameter_is_let_go_only_on_a_proof(body: str, retained: str) -> None:
    """What a function stores, returns or hands to the unknown is retained, also by way of others."""
    text = dedent(
        """
        import math
        import numpy as np
        from somewhere import unknown

        class Node:
            def __init__(self, value):
                self.value = value

        def other(where, v):
            where["k"] = v

        def looks(v):
            return v + 1

        def recursive(where, v, n):
            if n:
                return recursive(where, v, n - 1)
            where["deep"] = v

        def tried(where, v):
        {}

        tried({{}}, np.arange(3.0)[0])
        """
    ).format(body.replace("\n", "\n    ").join(("    ", "")))
    engine, _ = run(text)
    function = next(one for one in engine.functions.values() if one.name == "tried")
    found = {function.parameters[place] for place in Retention(engine).of(function)}
    assert found == set(retained.split())
