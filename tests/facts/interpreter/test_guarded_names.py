"""Names become what a guard between statements makes of them."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.guards import above
from np2torch.rewrite.guards.worlds import facts_of, run_in
from support.facts import run

TEXT = "def f(x):\n    q = g(x)\n    before = q\n    r = q\n    q = 1\n    return r, q\n"


def test_a_world_says_what_a_name_is_from_a_statement_on() -> None:
    engine, _ = run(TEXT)
    (function,) = (one for one in engine.functions.values() if one.name == "f")
    double = v.array("float64")
    made = run_in(engine, function, {}, {above("q", 2): double})
    nodes = {node.targets[0].id: node.value for node in function.node.body[1:4]}
    facts = facts_of(made, set(nodes.values()))
    assert facts[nodes["before"]] == v.TOP
    assert facts[nodes["r"]] == double
    assert v.only(facts[nodes["q"]], "number")
    assert function.held == ()
