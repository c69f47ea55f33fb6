"""Lists of numbers and tensors that are written out become stacks that read as the lists do."""

from __future__ import annotations

import numpy as np
import torch

from support.guards import both

TURN = """def turn(angle, x):
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) @ x, np.array([c, 1, 0.5])
"""


def test_lists_of_numbers_and_tensors_keep_their_shape_and_gradients() -> None:
    old, new, text = both(TURN, "turn")
    assert "for row in [[c, -s, 0], [s, c, 0], [0, 0, 1]]" in text and "for x in [c, 1, 0.5]" in text
    angle, x = torch.tensor(0.3, dtype=torch.float64, requires_grad=True), torch.arange(3.0, dtype=torch.float64)
    for one, other in zip(new(angle, x), old(0.3, x.numpy()), strict=True):
        assert one.dtype is torch.float64
        np.testing.assert_allclose(one.detach().numpy(), other, rtol=1e-12)
    assert torch.autograd.gradcheck(lambda a: new(a, x), (angle,))
    compiled = torch.compile(new, fullgraph=True, backend="eager")
    assert torch.equal(compiled(angle, x)[0], new(angle, x)[0])


def test_lists_that_bind_a_name_are_spelled_item_by_item() -> None:
    text = TURN.replace("[c, 1, 0.5]", "[(d := c), 1, 0.5, d]")
    old, new, after = both(text, "turn")
    assert "for x in" not in after.split("@ x")[1]
    np.testing.assert_allclose(new(0.3, torch.ones(3, dtype=torch.float64))[1], old(0.3, np.ones(3))[1], rtol=1e-12)
