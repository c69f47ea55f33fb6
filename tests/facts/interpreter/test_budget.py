"""Calls of a function that are told apart, or joined."""

from __future__ import annotations

from np2torch.facts import values as v
from np2torch.facts.interpreter import budget
from support.facts import shown


def test_what_people_say_of_a_parameter_does_not_hide_that_it_may_be_missing(monkeypatch):
    text = """
        def f(x: np.ndarray = None):
            show(x)
        f(np.zeros(3))
        f(np.zeros((2, 2)))
        f(np.zeros((2, 2, 2)))
        f()
        """
    told_apart = v.join(*shown(text))
    monkeypatch.setattr(budget, "FREE", 0)
    monkeypatch.setattr(budget, "EACH_LINE", 0)
    monkeypatch.setattr(budget, "BARE", budget.Level(1, 0))
    for fact in (told_apart, v.join(*shown(text))):
        assert v.known_to_include(fact, "none") and v.known_to_include(fact, "array")


def test_a_call_of_which_less_is_known_does_not_spoil_the_others():
    kinds = [(rank, dtype) for dtype in ("int8", "float32", "float64", "int64") for rank in (1, 2, 3)]
    calls = "".join(f"show(f(np.zeros({(2,) * rank}, np.{dtype})))\n" for rank, dtype in kinds)
    text = f"def f(x):\n    return x * 2\n\ndef g(x):\n    return f(np.asarray(x))\n\n{calls}"
    ranks = [v.ranks_of(fact) for fact in shown(text)]
    assert None not in ranks
