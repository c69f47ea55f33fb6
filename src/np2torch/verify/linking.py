"""Functions of a module told of each other: methods of one object, and functions that take what others give."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from np2torch.verify.hints import Body, Hints, hints
from np2torch.verify.kinds import ANYTHING, Kind, kinds_of_annotation
from np2torch.verify.made_values import Siblings
from np2torch.verify.pairs import makers
from np2torch.verify.shape_hints import MOST_SHAPES
from np2torch.verify.target import Target


def link(targets: Sequence[Target]) -> None:
    """Let methods of a class be called before each other on one object, and functions take what others give."""
    methods = [one for one in targets if one.function.constructor is not None and not one.function.why_not]
    for one in methods:
        one.others = [two for two in methods if two.function.owner == one.function.owner and two.makes_a_past]
    plain = [one for one in targets if not one.function.owner and not one.function.why_not and not one.unmakable()]
    siblings = Siblings(plain, _makers(targets))
    by_name = {one.name: one for one in plain}
    for one in targets:
        one.siblings, one.passed = siblings, _passed_on(one, by_name)
        one.body = _used_beyond(one, by_name)


def _passed_on(target: Target, by_name: Mapping[str, Target]) -> dict[int, tuple[Kind, ...]]:
    """Give the kinds that functions of the module accept for the parameters that a function passes on to them."""
    own = {one.name: index for index, one in enumerate(target.parameters) if target.kinds[index] == (ANYTHING,)}
    found: dict[int, tuple[Kind, ...]] = {}
    for name, callee, place in target.body.passes if own else ():
        kinds = by_name[callee].kinds[place : place + 1] if callee in by_name and name in own else []
        stated = [kind for one in kinds for kind in one if kind.name not in ("anything", "other")]
        if stated:
            found.setdefault(own[name], tuple(stated))
    return found


def _used_beyond(target: Target, by_name: Mapping[str, Target]) -> Body:
    """Give the hints about a function, with the shapes that what it passes on is used as if it had by others."""
    parameters = dict(target.body.parameters)
    for name, callee, place in target.body.passes:
        taken = by_name[callee].own[place : place + 1] if callee in by_name else []
        more = [shape for one in taken for shape in by_name[callee].body.parameters.get(one.name, Hints()).used]
        known = parameters.get(name, Hints())
        parameters[name] = known._replace(used=tuple(dict.fromkeys((*known.used, *more)))[:MOST_SHAPES])
    return target.body._replace(parameters=parameters)


def _makers(targets: Sequence[Target]) -> list[Target]:
    """List the makers of objects of classes that functions ask for, with what annotations say of their parameters."""
    asked = [(kind.wanted_class, one) for one in targets for own in one.kinds for kind in own]
    nodes = {name: node for name, one in asked if name and (node := one.class_named(name)) is not None}
    found = [(maker, node) for _, node in sorted(nodes.items()) for maker in makers(node)]
    stated = [{one.name: kinds_of_annotation(one.annotation) for one in maker.parameters} for maker, _ in found]
    return [Target(maker, own, hints(node)) for (maker, node), own in zip(found, stated, strict=True)]
