"""What functions of a module give is found once, and reaches those that take nothing else."""

from __future__ import annotations

import ast

import numpy as np

from np2torch.verify.calls import Observation, RaisedError
from np2torch.verify.decode import unpack
from np2torch.verify.explore import Explorer
from np2torch.verify.hints import hints
from np2torch.verify.linking import link
from np2torch.verify.makers import make_values
from np2torch.verify.pairs import functions
from np2torch.verify.target import Target
from support.observed import seen

TEXT = '''
def frame(angle: float):
    """A rotation in the plane, moved."""
    return np.array([[np.cos(angle), -np.sin(angle), 1], [np.sin(angle), np.cos(angle), 2], [0, 0, 1]])

def angle_of(m):
    if not np.allclose(m[:2, :2] @ m[:2, :2].T, np.eye(2)) or m[2].tolist() != [0, 0, 1] or m[0, 2] != 1:
        raise ValueError("not a frame")
    return np.arctan2(m[1, 0], m[0, 0])
'''


def test_what_one_function_makes_another_takes(tmp_path):
    (tmp_path / "m.py").write_text(TEXT)
    targets = [Target(one, {}, hints(ast.parse(TEXT))) for one in functions(tmp_path / "m.py")]
    link(targets)
    namespace: dict = {"np": np}
    exec(TEXT, namespace)
    asked = 0

    def run(calls):
        nonlocal asked
        asked += len(calls)
        found = []
        for call in calls:
            values = unpack(call.packed, False, lambda module, name: None)
            named = dict(zip(call.steps[0].keywords, values[call.steps[0].positional :], strict=True))
            try:
                found.append(seen(namespace[call.steps[0].target](*values[: call.steps[0].positional], **named)))
            except Exception as error:
                found.append(Observation(raised=RaisedError(type(error).__name__, (), "", "own", 0)))
        return found

    _, taker = targets
    made = make_values(taker, 0, run)
    assert set(made) == {"frame"} and asked > 10
    first = asked
    assert set(make_values(targets[0], 0, run)) <= {"angle_of"} and asked == first
    assert not Explorer(taker, 0).search(run)
    assert {one.recipe for one in Explorer(taker, 0, made=made).search(run)} == {("made frame",)}
