"""Objects of a class of the project are made by the old side, and passed to functions that ask for one."""

from __future__ import annotations

import ast

import numpy as np

from np2torch.verify.calls import Observation, RaisedError
from np2torch.verify.decode import unpack
from np2torch.verify.encode import MadeObject, pack
from np2torch.verify.explore import Explorer
from np2torch.verify.hints import hints
from np2torch.verify.kinds import accepts, kinds, kinds_of_annotation
from np2torch.verify.linking import link
from np2torch.verify.made_objects import given_objects
from np2torch.verify.makers import make_values
from np2torch.verify.pairs import functions, makers
from np2torch.verify.target import Target
from support.observed import seen

TEXT = """
class Scale:
    def __init__(self, factor: float, name: str = ""):
        self.factor = factor
        self.name = name

    @classmethod
    def of_size(cls, size: int):
        return cls(1.0 * size)

    def times(self, x):
        return self.factor * x

def scaled(x: float, scale: "Scale"):
    return x * scale.factor
"""


def _namespace():
    namespace: dict = {"__name__": "m"}
    exec(TEXT, namespace)
    return namespace


def test_a_class_and_its_methods_without_an_object_make_objects():
    (node,) = [one for one in ast.parse(TEXT).body if isinstance(one, ast.ClassDef)]
    found = {one.name: [own.name for own in one.parameters] for one in makers(node)}
    assert found == {"Scale": ["factor", "name"], "Scale.of_size": ["size"]}
    assert kinds_of_annotation("float | None") == kinds("float | None")
    assert kinds_of_annotation("Scale") == kinds_of_annotation("") == kinds("")


def test_an_object_of_numbers_and_words_is_passed_on_to_each_side():
    scale = _namespace()["Scale"]
    (made,) = given_objects(seen(scale(2.5, "big")))
    assert accepts(kinds("instance Scale | None"), made)
    assert not accepts(kinds("instance Other | anything"), made) and not accepts(kinds("instance Scale"), scale(1.0))
    packed = pack([[1], made, made, {}], is_layout_kept=True)
    _, one, two, _ = unpack(packed, True, lambda module, name: scale)
    assert one is two and vars(one) == {"factor": 2.5, "name": "big"}
    assert not list(given_objects(seen(scale([1.0])))) and not list(given_objects(seen(np.eye(2))))
    assert not list(given_objects(Observation(ended="hang")))


def test_functions_that_ask_for_an_object_get_one(tmp_path):
    (tmp_path / "m.py").write_text(TEXT)
    tree, namespace = ast.parse(TEXT), _namespace()
    (function,) = [one for one in functions(tmp_path / "m.py") if not one.owner]
    target = Target(function, {"x": kinds("float"), "scale": kinds("instance Scale")}, hints(tree))
    assert target.unmakable() == "scale has to be instance Scale"
    target.class_named = lambda name: next((one for one in ast.walk(tree) if getattr(one, "name", "") == name), None)
    assert not target.unmakable()
    link([target])

    def run(calls):
        found = []
        for call in calls:
            (step,) = call.steps
            made: object = namespace
            for part in step.target.split("."):
                made = made[part] if isinstance(made, dict) else getattr(made, part)
            values = unpack(call.packed, False, lambda module, name: namespace[name])
            named = dict(zip(step.keywords, values[step.positional :], strict=True))
            try:
                found.append(seen(made(*values[: step.positional], **named)))
            except Exception as error:
                found.append(Observation(raised=RaisedError(type(error).__name__, (), "", "own", 0)))
        return found

    made = make_values(target, 0, run)
    assert set(made) == {"Scale", "Scale.of_size"}
    inputs = Explorer(target, 0, made=made).search(run)
    assert inputs and all(isinstance(one.values[1], MadeObject) for one in inputs)
