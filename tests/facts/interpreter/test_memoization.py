"""Expressions that meet the facts they met before are not evaluated again, and give what they gave."""

from __future__ import annotations

import ast

from np2torch.facts import values as v
from np2torch.facts.interpreter.expressions import EVALUATE
from support.facts import shown


def evaluations(monkeypatch, text: str) -> list[str]:
    """The subscripts that are evaluated, each time they are."""
    seen: list[str] = []
    subscript = EVALUATE[ast.Subscript]

    def counted(frame, node):
        seen.append(ast.unparse(node))
        return subscript(frame, node)

    monkeypatch.setitem(EVALUATE, ast.Subscript, counted)
    shown(text)
    return seen


def test_an_expression_that_meets_the_same_facts_is_evaluated_once(monkeypatch):
    text = """
    def f(a, mode):
        return a[0] + a[1:]

    show(f(np.zeros(3), "one"))
    show(f(np.zeros(3), 2))
    show(f(np.zeros(3), None))
    """
    seen = evaluations(monkeypatch, text)
    assert sorted(set(seen)) == ["a[0]", "a[1:]"]
    assert len(seen) == 2


def test_it_is_evaluated_for_each_of_the_facts_it_meets():
    text = """
    def f(a):
        return a[0]

    show(f(np.zeros(3)))
    show(f(np.zeros((3, 3))))
    show(f(np.zeros(3)))
    """
    scalar, row, again = shown(text)
    assert scalar == again == v.scalar("float64")
    assert row == v.array("float64", 1)


def test_what_it_reads_outside_of_the_body_may_have_changed():
    text = """
    class Box:
        def __init__(self):
            self.held = 1.0

        def fill(self, held):
            self.held = held

    def read(box, note):
        return box.held

    box = Box()
    show(read(box, "before"))
    box.fill(np.zeros(3))
    show(read(box, None))
    """
    before, after = shown(text)
    assert before == after == v.join(v.widen(v.number(1.0)), v.array("float64", 1))


def test_what_became_known_of_a_name_on_the_way_is_known_each_time():
    text = """
    def f(a, note):
        n = a.shape[0] + 1
        return a

    x = np.zeros(3) if unknown else None
    show(f(x, "one"))
    show(f(x, None))
    """
    assert shown(text) == [v.array("float64", 1)] * 2


def test_names_of_a_comprehension_are_its_own():
    text = """
    def f(xs, i):
        ys = [i * 2.0 for i in xs]
        show(i)
        return ys[0]

    show(f(np.zeros(3), 1))
    show(f(np.zeros(3), None))
    show(f(np.zeros((3, 3)), None))
    """
    inside, first, second, third = shown(text)
    assert inside == v.join(v.number(1), v.NONE)
    assert first == second == v.scalar("float64")
    assert third == v.array("float64", 1)


def test_what_calls_a_function_of_the_project_is_run_each_time():
    text = """
    def g(kept):
        kept.append(np.zeros(3))
        return 1

    def f(kept):
        return g(kept) + 1

    first, second = [], []
    f(first)
    f(second)
    show(first[0])
    show(second[0])
    """
    first, second = shown(text)
    assert first == second == v.array("float64", 1)


def test_a_longer_project_keeps_more(monkeypatch):
    text = """
    def f(a, mode):
        first = a[0] + 1
        rest = a[1:] + first
        return rest[0]

    show(f(np.zeros(3), "one"))
    show(f(np.zeros(3), 2))
    """
    monkeypatch.setattr("np2torch.facts.interpreter.memoization.FEWEST_KEPT", 1)
    monkeypatch.setattr("np2torch.facts.interpreter.memoization.EACH_LINE", 0)
    short = len(evaluations(monkeypatch, text))
    monkeypatch.setattr("np2torch.facts.interpreter.memoization.EACH_LINE", 10)
    assert len(evaluations(monkeypatch, text)) < short
