"""Arrays given another shape or dtype in place."""

from __future__ import annotations

from np2torch.facts import values as v
from support.facts import shown


def test_an_array_given_another_shape_in_place():
    text = """
    x = np.zeros((2, 3))
    y = x
    x.shape = (-1,)
    show(x)
    show(y)
    show(x.shape)
    """
    x, y, shape = shown(text)
    assert x == v.array("float64", 1) and v.ranks_of(y) == {1, 2} and v.items_of(shape) != (v.number(-1),)
