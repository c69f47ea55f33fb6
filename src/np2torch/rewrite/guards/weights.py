"""The weights of guards: what they refuse of what a parameter most likely is, and how much that costs."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from functools import cached_property

from np2torch.facts.domain import DOMAIN, memoise
from np2torch.facts.guards import ANY_DTYPE, GuardLine, World, accepts, plain_name
from np2torch.rewrite.guards.candidates import (
    is_made_an_array,
    is_only_calculated_with,
    is_read_as_tuple,
    is_stated_container,
    is_taken_as_number,
    labels,
    of_bits,
    stated_complex,
    stated_floats,
    stated_integers,
)
from np2torch.rewrite.guards.forms import Parameters
from np2torch.rewrite.guards.options import Options
from np2torch.rewrite.guards.passed_arguments import calculable_arguments
from np2torch.rewrite.guards.runs import Trial
from np2torch.source.mentions import dtypes_in

MOST_REFUSED = 40  # more than any guard refuses
NO_LIMIT = MOST_REFUSED**2
SAVED_FOR_INTEGERS = SAVED_FOR_COMPLEX = 3
"""How many sites it saves at least to refuse these, where a guard that takes them leaves more."""
SAVED_FOR_LISTS = 3
"""How many sites it saves at least to refuse lists for a parameter of which the function makes an array itself."""
SAVED_FOR_NUMBERS = 3
"""How many sites it saves at least to refuse numbers for a parameter that is only calculated with."""
OF_COMPLEX = 6
"""The cost of refusing complex numbers in a module that speaks of them, beside what it costs in any."""
OF_NUMBER, OF_BROADCAST = 3, 4
"""The cost of refusing Python's numbers for a parameter whose uses allow them; beside others, to which they spread."""


@memoise(1_000)
def _speaks_of_complex(text: str) -> bool:
    """Tell whether the text of a module speaks of complex numbers."""
    return "complex128" in dtypes_in([text]).said


class Weights(Options):
    """Weighs the guards of one function."""

    @cached_property
    def _taken_as_number(self) -> dict[str, bool]:
        """The parameters asked about so far, each with the answer."""
        return {}

    def _refused_lists_of(self, guard: GuardLine) -> list[str]:
        """The parameters of which lists are refused, and which are meant to take them."""
        return [name for name in guard.names if guard.refuses_lists(name) and self._is_meant_as_list(name)]

    def _is_meant_as_list(self, name: str) -> bool:
        """Tell a parameter that is meant to take lists too."""
        return is_made_an_array(self.ctx, self.text, name) or self._is_container(name)

    def _saved_at_least(self, guard: GuardLine) -> int:
        """How many sites a guard has to save for the lists and numbers that it refuses.

        More than there are, where it refuses what a parameter most likely is: a container by its annotation or its
        uses, a number by its documentation or its uses.
        """
        refused, numbers = self._refused_lists_of(guard), self._refused_numbers(guard)
        is_meant = any(map(self._is_container, refused))
        if is_meant or any(map(self._is_meant_as_number, numbers)):
            return NO_LIMIT
        return SAVED_FOR_LISTS if refused else SAVED_FOR_NUMBERS if self._are_likely_numbers(numbers) else 1

    def _are_likely_numbers(self, refused: Iterable[str]) -> bool:
        """Tell whether numbers are refused for some parameter that is only calculated with."""
        return any(is_only_calculated_with(self.ctx, self.text, name) for name in refused)

    def _is_container(self, name: str) -> bool:
        return is_stated_container(self.node, name) or is_read_as_tuple(self.ctx, self.text, name)

    def _is_meant_as_number(self, name: str) -> bool:
        """Tell a parameter that is a number by its documentation or uses, or an optional one in arithmetic alone."""
        if plain_name(name) in self._stated_floats or self._is_taken_as_number(name):
            return True
        return name in self.optional and is_only_calculated_with(self.ctx, self.text, name)

    def _is_taken_as_number(self, name: str) -> bool:
        """Tell a parameter that the function takes as a number too, though other uses of it need an array."""
        if name not in self._taken_as_number:
            self._taken_as_number[name] = is_taken_as_number(self.ctx, self.text, name)
        return self._taken_as_number[name]

    def _taken_beside(self, parameters: Parameters) -> list[str]:
        """Give the parameters that are taken as numbers too, and are not among the numeric ones."""
        others = [name for name in parameters.names if name not in parameters.numeric]
        return [name for name in others if self._is_taken_as_number(name)]

    def _weighed(self, trial: Trial) -> int:
        """The sites that a guard leaves, with those that it is to save for what it refuses."""
        of_complex = SAVED_FOR_COMPLEX * (trial.guard.refuses_complex and self._is_likely_complex)
        of_numbers = SAVED_FOR_NUMBERS * self._are_likely_numbers(self._refused_numbers(trial.guard))
        return trial.score + SAVED_FOR_INTEGERS * trial.guard.refuses_integers + of_complex + of_numbers

    def cost(self, guard: GuardLine) -> int:
        """Weigh what a guard refuses, and whether called functions still face every dtype."""
        facing_all = self._is_helped and guard.form in ANY_DTYPE and "single=False" not in guard.options
        of_complex = OF_COMPLEX * (guard.refuses_complex and self._may_be_complex)
        of_number = OF_NUMBER if len(guard.names) == 1 else OF_BROADCAST
        of_refused = guard.refusal_weight + of_complex + of_number * len(self._refused_numbers(guard))
        return of_refused + MOST_REFUSED * facing_all

    def _refused_numbers(self, guard: GuardLine) -> list[str]:
        """The parameters that may be Python's numbers by their use, of which a guard refuses these."""
        numeric = self._numeric(guard.names)
        may_be = [name for name in guard.names if name in numeric or self._is_taken_as_number(name)]
        return [name for name in may_be if guard.refuses_numbers(name)]

    @cached_property
    def _is_helped(self) -> bool:
        """Tell whether the body calls a closed function of the project, which would have to handle every dtype."""
        calls = (node for node in self.body.nodes.order if isinstance(node, ast.Call))
        callees = (self.ctx.engine.callees.get(node, ()) for node in calls)
        return any(one.node not in self.ctx.engine.open for several in callees for one in several)

    def _serves_callers(self, guard: GuardLine) -> bool:
        """Tell whether the guard accepts everything that the project itself passes, but where it expects an error."""
        return all(self._accepts(guard, world) for world in self._known)

    def _accepts(self, guard: GuardLine, passed: World) -> bool:
        return accepts(guard, passed, self.node not in self.ctx.engine.open)

    @cached_property
    def _stated_integers(self) -> frozenset[str]:
        return stated_integers(self.definition) | labels(self.node) | of_bits(self.node)

    @cached_property
    def _stated_floats(self) -> frozenset[str]:
        return stated_floats(self.definition)

    @cached_property
    def _stated_complex(self) -> frozenset[str]:
        return stated_complex(self.ctx, self.definition)

    @cached_property
    def _may_be_complex(self) -> bool:
        """Tell whether the module speaks of complex numbers: arrays of unknown dtype may be complex then."""
        return "complex128" in DOMAIN.spoken and _speaks_of_complex(self.ctx.module.text)

    @cached_property
    def _is_likely_complex(self) -> bool:
        """Tell whether the function or its class speaks of them, and not only others of the module."""
        owner = self.definition.owner
        around = self.node if owner is None else owner.node
        return self._may_be_complex and _speaks_of_complex("\n".join(self.ctx.lines_of(around)))

    @staticmethod
    def _are_among(stated: frozenset[str], guard: GuardLine) -> bool:
        return not stated.isdisjoint(map(plain_name, guard.names))

    @cached_property
    def _known(self) -> list[World]:
        return calculable_arguments(self.ctx, self.definition)
