"""What is drawn from Hypothesis's strategies."""

from __future__ import annotations

import pytest

from np2torch.facts import values as v
from support.facts import one


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("np.random.choice([0.5, 1.5], size=3)", v.array("float64", 1)),
        ("np.random.choice([0.5, 1.5])", v.scalar("float64")),
        ("np.random.choice(5, (2, 2))", v.array("int64", 2)),
        ("np.random.choice(5)", v.INT),
        ("np.random.default_rng(0).choice(np.zeros((3, 2)), 4)", v.array("float64", 2)),
        ("np.random.choice(['a', 'b'], 2)", v.TOP),
        ("np.random.permutation([1, 2])", v.array("int64", 1)),
        ("np.random.uniform(np.zeros(3), 1)", v.array("float64", 1)),
        ("np.random.uniform(0, 1)", v.FLOAT),
        ("np.random.multivariate_normal(np.zeros(2), np.eye(2))", v.array("float64", 1)),
        ("np.random.multivariate_normal(np.zeros(2), np.eye(2), size=5)", v.array("float64", 2)),
        ("np.random.multinomial(3, [0.5, 0.5])", v.array("int64", 1)),
        ("np.zeros((2, 3) if np.random.rand() > 0.5 else 2)", v.array("float64", {1, 2})),
        ("np.zeros((5, 2))[random.sample(range(5), 2)]", v.array("float64", 2)),
        ("random.choice([np.zeros(2)])", v.array("float64", 1)),
        ("random.uniform(0, 1)", v.FLOAT),
    ],
)
def test_a_draw(expression, expected):
    assert one(f"import random\nshow({expression})\n") == expected
