"""A function to call, with all that is known of it before: its parameters, contract, text and neighbours."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import Any

from np2torch.verify import alter, seeds
from np2torch.verify.calls import SETTING, Call, Step
from np2torch.verify.draw import DEFAULT
from np2torch.verify.drawn_values import Inputs, split_values
from np2torch.verify.encode import TooLargeError, pack
from np2torch.verify.hints import Body
from np2torch.verify.kinds import ANYTHING, LISTS, Kind, accepts
from np2torch.verify.made_values import Siblings
from np2torch.verify.pairs import Function, Parameter


class Target:
    """A function with all the parameters that have to be given: those of its class too.

    Parameters
    ----------
    docstring
        What the function says of itself: its examples are tried.
    lines
        The lines that calls should come to.
    """

    def __init__(
        self,
        function: Function,
        contract: dict[str, tuple[Kind, ...]],
        body: Body,
        docstring: str = "",
        lines: frozenset[int] = frozenset(),
    ) -> None:
        self.function = function
        self.lines = lines
        self.own = [one for one in function.parameters if one.kind != "**"]
        self.constructor = [one for one in function.constructor or () if one.kind != "**"]
        self.parameters: list[Parameter] = [*self.constructor, *self.own]
        self.body = body
        self.docstring = docstring
        self.others: Sequence[Target] = ()
        """The methods that may be called before it on the same object, itself among them."""
        self.siblings = Siblings()
        self.class_named: Callable[[str], ast.ClassDef | None] = lambda name: None
        """Gives a class that the module defines, or imports from its package, by name."""
        self.is_closed, self.unspoken = False, frozenset[str]()
        """Whether its project alone calls it, with values that the contract names; dtypes that it never speaks of."""
        self.passed: dict[int, tuple[Kind, ...]] = {}
        """What functions accept that a parameter is passed on to, of which nothing is stated itself."""
        self.kinds = [
            contract.get(("" if index >= len(self.constructor) else "__init__.") + one.name, (ANYTHING,))
            for index, one in enumerate(self.parameters)
        ]

    @property
    def name(self) -> str:
        """The dotted name in the module."""
        return f"{self.function.owner}.{self.function.name}" if self.function.owner else self.function.name

    def unmakable(self) -> str:
        """Give the reason for which no inputs can be made: parameters that have to be objects of some class."""
        for one, kinds in zip(self.parameters, self.kinds, strict=True):
            cannot_be = [kind.name == "other" and not self.class_named(kind.wanted_class) for kind in kinds]
            if one.default is None and kinds and all(cannot_be):
                return f"{one.name} has to be {kinds[0].value}"
        return ""

    @property
    def makes_a_past(self) -> bool:
        """Tell whether a call may leave the object in another state: neither a setting nor an operator."""
        name = self.function.name
        return not name.endswith(SETTING) and (not name.startswith("__") or name == "__call__")

    def seeds(self, recorded: Sequence[Call]) -> list[tuple[Any, ...]]:
        """Values of all parameters, as examples and recorded calls pass them."""
        constructor = None if self.function.constructor is None else self.constructor
        found = [seeds.of_call(one, constructor, self.own) for one in recorded]
        if constructor is None:
            found += seeds.of_examples(self.docstring, self.function.name, self.own)
        return [one for one in found if one is not None][: seeds.MOST_SEEDS]

    def altered_calls(self, recorded: Sequence[Call], seed: int) -> list[tuple[Inputs, Call]]:
        """Vary recorded calls by other arguments, where the contract names these."""
        found = alter.alter_calls(recorded, self.constructor, self.own, f"{seed}:{self.name}")
        made = [(Inputs(values, (), call.note, False), call) for values, call in found]
        return [one for one in made if self.is_within(one[0])]

    def call(self, inputs: Inputs, origin: str = "generated") -> Call | None:
        """The call with some inputs; None where they are too large."""
        steps: list[Step] = []
        passed: list[Any] = []
        split = len(self.constructor)
        parts = [(self.name, self.own, inputs.values[split:])]
        if self.function.constructor is not None:
            others = [(self.others[one.number], one.values) for one in inputs.before]
            before = [(one.name, one.own, values) for one, values in others]
            parts = [(self.function.owner, self.constructor, inputs.values[:split]), *before, *parts]
        for index, (name, parameters, values) in enumerate(parts):
            args, names, named = split_values(parameters, values)
            steps.append(Step(name, 0 if index else None, len(args), tuple(names)))
            passed += [*args, *named]
        try:
            return Call(tuple(steps), pack(passed, is_layout_kept=True), origin, inputs.note)
        except TooLargeError:
            return None

    def is_within(self, inputs: Inputs) -> bool:
        """Tell whether the contract names all of the values, and the project their dtypes."""
        return all(
            value is DEFAULT or accepts(kinds, value) and str(getattr(value, "dtype", "")) not in self.unspoken
            for value, kinds in zip(inputs.values, self.kinds, strict=True)
        )

    def has_unnamed_list(self, inputs: Inputs) -> bool:
        """Tell whether there is a list, or tuple, in a place for which the contract names none."""
        return any(
            isinstance(value, (list, tuple)) and not any(kind.name in LISTS for kind in kinds)
            for value, kinds in zip(inputs.values, self.kinds, strict=True)
        )
