"""Arguments bound to the parameters of a function of the project."""

from __future__ import annotations

import ast
from collections.abc import Container
from typing import Protocol

from np2torch.facts import values as v
from np2torch.facts.arguments import Arguments, arguments_of
from np2torch.facts.interpreter.environment import ANY_KEY, FunctionNode, Heap


class Signature(Protocol):
    """The part of a function that binding reads."""

    node: FunctionNode
    heap: Heap
    defaults: dict[str, v.Fact]

    @property
    def is_static(self) -> bool:
        """Tell whether it is a staticmethod."""

    @property
    def positional(self) -> tuple[str, ...]:
        """Names of the parameters that take positional arguments."""

    @property
    def named_parameters(self) -> tuple[str, ...]:
        """Names of the parameters that take one argument each."""


def bind(function: Signature, arguments: Arguments, receiver: v.Fact | None = None) -> dict[str, v.Fact]:
    """Facts of the parameters for a call; those not passed are left out."""
    given = [] if receiver is None or function.is_static else [receiver]
    positional = [*given, *(a.fact for a in arguments.positional)]
    if arguments.rest is not None:
        return _bound_rest(function, arguments, positional[: len(given) + arguments.rest[0]], arguments.rest[1])
    bound = dict(zip(function.positional, positional, strict=False))
    bound |= {name: a.fact for name, a in arguments.keywords.items() if name in function.named_parameters}
    spread = arguments.spread or {}
    unseen = arguments.starred and arguments.spread is None
    if unseen:
        bound = dict.fromkeys(function.named_parameters, v.TOP) | bound
    for name in function.named_parameters if spread else ():
        if name in spread and name not in bound:
            bound[name] = v.join(spread[name], function.defaults.get(name, v.BOTTOM))
    if (vararg := function.node.args.vararg) is not None:
        bound[vararg.arg] = _more_positional(None if unseen else positional[len(function.positional) :])
    if (kwarg := function.node.args.kwarg) is not None:
        known = {name: a.fact for name, a in arguments.keywords.items()} | spread
        bound[kwarg.arg] = any_keywords(function, kwarg) if unseen else _keywords(function, kwarg, known, bound)
    return bound


def _more_positional(facts: list[v.Fact] | None) -> v.Fact:
    """The tuple of the positional arguments that are left; of any where nobody knows them."""
    return v.one(v.Sequence("tuple", None, v.TOP) if facts is None else v.Sequence("tuple", tuple(facts), v.BOTTOM))


def _bound_rest(
    function: Signature, arguments: Arguments, positional: list[v.Fact], rest: v.Fact
) -> dict[str, v.Fact]:
    """The same where nobody knows how many more positional arguments there are, of this make."""
    left = [name for name in function.positional[len(positional) :] if name not in arguments.keywords]
    more = {name: v.join(rest, function.defaults.get(name, v.BOTTOM)) for name in left}
    bound = bind(function, Arguments(arguments_of(*positional).positional, arguments.keywords)) | more
    if (vararg := function.node.args.vararg) is not None:
        bound[vararg.arg] = v.one(v.Sequence("tuple", None, v.join(rest, *positional[len(function.positional) :])))
    return bound


def any_keywords(function: Signature, kwarg: ast.arg) -> v.Fact:
    """Build a dict of keywords that nobody sees: not the one of the calls that are seen."""
    function.heap.add_element(-id(kwarg), v.TOP, ANY_KEY)
    return v.one(v.Mapping(-id(kwarg)))


def _keywords(function: Signature, kwarg: ast.arg, known: dict[str, v.Fact], bound: Container[str]) -> v.Fact:
    """The dict of the keywords that are left, joined over all calls."""
    for name, fact in known.items():
        if name not in bound:
            function.heap.add_element(id(kwarg), fact, name)
    return v.one(v.Mapping(id(kwarg), True))


def alter_arguments(function: Signature, facts: dict[str, v.Fact], is_bound: bool) -> dict[str, v.Fact]:
    """Give the facts of the parameters where a decorator may pass on anything but the receiver."""
    first = function.named_parameters[:is_bound]
    return {name: facts.get(name, v.TOP) if name in first else v.TOP for name in function.named_parameters}
