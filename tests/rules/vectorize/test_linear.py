"""Linear forms."""

from __future__ import annotations

import ast

from np2torch.rules.vectorize.linear import ZERO, Linear, to_node

I, N = Linear(((0, 1),)), Linear((("n", 1),))


def test_forms_are_added_and_written():
    form = I.times(2).plus(N).shift(-1)
    assert ast.unparse(to_node(form, {0: "i"})) == "2 * i + n - 1"
    assert ast.unparse(to_node(N.times(-1).shift(3), {})) == "-n + 3"
    assert ast.unparse(to_node(ZERO, {})) == "0" and ast.unparse(to_node(ZERO.shift(-2), {})) == "-2"
    assert form.plus(form, -1) == ZERO


def test_a_symbol_is_replaced():
    form = I.times(2).shift(1).put_in(0, N.shift(-1))
    assert form == N.times(2).shift(-1) and not form.variables and I.variables == {0}
    assert form.factor("n") == 2 and form.factor(0) == 0
