"""What crosses the border of code that stays on NumPy."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.arguments import arguments_of
from np2torch.facts.interpreter import border
from np2torch.facts.interpreter.definitions import CallContext, ModuleInfo
from np2torch.facts.interpreter.frame import Frame
from support.facts import run


def _frame(is_skipped: bool) -> Frame:
    engine, _ = run("def f(x):\n    return x\n\n\nf(np.ones(2))\n")
    function = next(iter(engine.functions.values()))
    if is_skipped:
        function.module.skipped.add(function.node)
    return Frame(engine, CallContext(function.module, function, None, ()))


def test_arrays_go_in_as_tensors():
    (passed,) = border.crossing(arguments_of(v.join(v.FOREIGN, v.TEXT))).facts()
    assert v.kinds(passed) == {"array", "text"}


def test_what_may_give_arrays_later_comes_out_as_what_stays():
    rows = v.join(v.one(v.Iterator(v.ARRAY)), v.TEXT)
    assert v.kinds(border.cross_out(_frame(is_skipped=False), rows)) == {"foreign", "text"}
    assert border.cross_out(_frame(is_skipped=True), rows) == rows


def test_a_body_on_numpy_stores_no_tensors():
    assert border.stored_fact(_frame(is_skipped=True), v.ARRAY) == v.FOREIGN
    assert border.stored_fact(_frame(is_skipped=False), v.ARRAY) == v.ARRAY
    assert not border.stays_numpy(None)
    assert ModuleInfo("m", "m.py", ast.parse("")).skipped == set()
