"""The options of a guard: what it refuses and leaves of lists, Python's numbers and integers.

What becomes something else behind a guard is taken where the function does the same with either.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from np2torch.facts import values as v
from np2torch.facts.guards import CALLED, World
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.names.tree import named_parameters
from np2torch.rewrite.guards.arithmetic import divides_numbers, equates, repeats
from np2torch.rewrite.guards.bodies import Body
from np2torch.rewrite.guards.callbacks import may_be_written, may_give_numbers
from np2torch.rewrite.guards.candidates import (
    MOST,
    is_made_an_array_first,
    is_open,
    may_be_none,
    may_be_number,
    stated_numbers,
)
from np2torch.rewrite.guards.forms import Parameters, after
from np2torch.rewrite.guards.indices import index_parameters
from np2torch.rewrite.guards.python_errors import always_raises, facts_reached
from np2torch.rewrite.guards.runs import Key, Runs
from np2torch.rewrite.guards.texts import catches_division
from np2torch.rewrite.guards.validity import differing, holds, rounds_numbers
from np2torch.rules.site import ModuleContext


class Options(Runs):
    """Looks for the options of the guards of one function, by what becomes of its body in worlds."""

    def __init__(
        self, ctx: ModuleContext, definition: FunctionDefinition, given: World | None = None, body: Body | None = None
    ) -> None:  # fmt: skip
        super().__init__(ctx, definition, given, body)
        self._may_be_number: dict[str, bool] = {}
        self._valid: dict[tuple[Key, Key, bool], bool] = {}

    def _numeric(self, names: Sequence[str]) -> list[str]:
        """Give the parameters that may be Python numbers."""
        for name in names:
            if name not in self._may_be_number:
                may_be = may_give_numbers if name.endswith(CALLED) else may_be_number
                self._may_be_number[name] = may_be(self.ctx, self.text, name)
        return [name for name in names if self._may_be_number[name]]

    def _left_numbers(self, parameters: Parameters, worlds: list[World], form: str) -> tuple[str, ...]:
        """The parameters of which Python's numbers may stay, since the body is as right for them."""
        names = (one for one in self.body.nodes.order if isinstance(one, ast.Name))
        bound = {one.id for one in names if not isinstance(one.ctx, ast.Load)}
        least = self._score(worlds)

        def may_stay(several: tuple[str, ...]) -> bool:
            return bool(several) and self._leaves(least, worlds + parameters.numbers(several, form))

        single = tuple(one for one in parameters.numeric if may_stay((one,)))
        if single == parameters.numeric and may_stay(single):
            return single
        single = tuple(one for one in single if one not in bound)
        if len(single) == 1 or single != parameters.numeric and may_stay(single):
            return single
        stated = tuple(one for one in single if one in stated_numbers(self.definition))
        return stated if may_stay(stated) else ()

    def _numbers(
        self, parameters: Parameters, left: Sequence[str], form: str, apart: bool = False
    ) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Decide on Python numbers that do not stay: they become tensors if this does not show, or are refused.

        Parameters
        ----------
        apart
            Whether the guard refuses them beside single precision.

        Returns
        -------
        options
            How they become tensors, or that all are refused.
        refused
            The parameters for which they are refused, if not for all.
        """
        if self._catches_division(parameters):
            return ("numbers=False",), ()
        others = [name for name in parameters.names if name not in left and name not in parameters.numeric]
        refused = [name for name in others if not self._takes_number(parameters, name, form)]
        numeric = [name for name in parameters.numeric if name not in left]
        option = self._weak(parameters, left, numeric, form, apart)
        if option is None:
            taken: list[str] = []
            for name in sorted(numeric, key=lambda one: not self._is_number_for_some(one)):
                more = [one for one in numeric if one in (*taken, name)]
                if self._weak(parameters, left, more, form, apart) is not None:
                    taken = more
            refused += [name for name in numeric if name not in taken]
            option = self._weak(parameters, left, taken, form, apart)
        if option is None or len(refused) == len(parameters.names):
            return ("numbers=False",), ()
        return option, tuple(name for name in parameters.names if name in refused)

    def _takes_number(self, parameters: Parameters, name: str, form: str) -> bool:
        """Tell whether the function does the same with a float for one parameter as with a tensor of no axes."""
        world = parameters.same("float64") | {name: v.FLOAT}
        return self._is_valid([world], after(world, form, parameters), exact=True)

    def _catches_division(self, parameters: Parameters) -> bool:
        """Tell whether an error is caught that Python's numbers raise when divided, and tensors do not."""
        if not catches_division(self.node):
            return False
        floats = parameters.same("float64")
        guarded = self._all_facts(floats)
        worlds = [
            floats | dict.fromkeys(names, number)
            for names in {parameters.numeric, *((name,) for name in parameters.numeric)} - {()}
            for number in (v.FLOAT, v.INT)
        ]
        several = (self._all_facts(world) for world in worlds)
        return any(divides_numbers(one, guarded, differing(self.ctx, self.node, one, guarded)) for one in several)

    def _is_number_for_some(self, name: str) -> bool:
        """Tell a parameter that is a Python number by its default, or for some caller or trace that was seen."""
        observed = self.definition.evidence[name].trace_fact if name in self.definition.evidence else v.BOTTOM
        return v.known_to_include(v.join(self.found.get(name, v.BOTTOM), observed), "number")

    def _weak(
        self, parameters: Parameters, left: Sequence[str], numeric: Sequence[str], form: str, apart: bool
    ) -> tuple[str, ...] | None:
        """Give the form in which numbers for these parameters become tensors; None where they must not."""
        if apart and not stated_numbers(self.definition).isdisjoint(numeric):
            return None  # a default would refuse single precision
        some = replace(parameters, numeric=tuple(numeric))
        every = [some.of_number(some.names, one) for one in (v.FLOAT, v.INT) if some.numeric == some.names]
        weak = some.weak("float64") + every
        if not all(self._is_valid([world], after(world, form, parameters), exact=True) for world in weak):
            return None
        for one in (v.FLOAT, v.INT) if left and numeric else ():
            numbers = dict.fromkeys(left, one)
            world = parameters.same("float64") | numbers | some.of_number(numeric, one)
            if not self._is_valid([world], after(world, form, parameters) | numbers, exact=True):
                return None
        if len(parameters.names) == 1 or not parameters.single:
            return ()
        singles = self._all_facts(parameters.same("float32"))
        weak = some.weak("float32")
        if self._is_valid(weak, parameters.same("float32")) and not any(
            rounds_numbers(self.ctx, self.node, self._all_facts(world), singles) for world in weak
        ):
            return ()
        return ("weak=False",) if apart or self._are_strong(some, form) else None

    def _are_strong(self, parameters: Parameters, form: str) -> bool:
        """Tell whether the function gives the same if Python's numbers are float64 tensors.

        Beside arrays of float32 that have axes they are refused then, or these become float64.
        """
        doubles, widened = parameters.same("float64"), form == "promote"
        if form in ("inexact", "floating"):
            widened = self._is_valid(parameters.mixed_dtypes("float64", "float32"), doubles)
        if widened and not self._is_valid(parameters.weak("float32"), doubles):
            return False
        apart = [(world, parameters.beside(world)) for world in parameters.weak("float32", axes=0)]
        return all(self._is_valid([one], other, exact=v.INT in one.values()) for one, other in apart)

    def _integers(self, parameters: Parameters) -> tuple[str, ...]:
        """Give the option to refuse integers that wrap around in NumPy, if a guard to floating dtypes needs it."""
        small = [parameters.same("uint8"), parameters.same("bool")]
        return () if self._is_valid(small, parameters.same("float64")) else ("exact=True",)

    def _kept(self, parameters: Parameters, dtype: str | None) -> tuple[str, ...]:
        """The parameters that are written into, and those of which integers may not become float64."""
        written = self._written(parameters.names)
        floats = parameters.same("float64")
        kept = [
            name for name in parameters.names
            if name in written or dtype and not self._is_valid([parameters.same("float64", name, dtype)], floats, True)
        ]  # fmt: skip
        if dtype and not kept and not self._is_valid([parameters.same(dtype)], floats, True):
            return parameters.names
        return tuple(kept)

    def _is_valid(self, worlds: Sequence[World], guarded: World, exact: bool = False) -> bool:
        """Tell whether the function gives the same in these worlds as in the world that the guard makes of them."""
        return all(self._holds(world, guarded, exact) for world in worlds)

    def _holds(self, world: World, guarded: World, exact: bool) -> bool:
        key = self._key(world), self._key(guarded), exact
        if key not in self._valid:
            facts = self._all_facts(guarded)
            self._valid[key] = holds(self.ctx, self.node, self._all_facts(world), facts, exact)
        return self._valid[key]

    def _takes_kind(self, kind: str, form: str, parameters: Parameters) -> bool:
        """Tell whether real arrays beside complex ones may become complex, as `promote` makes them; other kinds may."""
        if form != "promote" or kind != "c":
            return True
        return self._is_valid(parameters.mixed_dtypes("complex128", "float64"), parameters.same("complex128"))

    def _refused_kinds(self, least: int, parameters: Parameters) -> set[str]:
        """The kinds that torch refuses by themselves where NumPy answers: it has no `abs` of bools."""
        return {kind for kind in "b" if not self._leaves(least, parameters.of_one_dtype(kind))}

    def _unlisted(self, parameters: Parameters) -> tuple[str, ...]:
        """The parameters of which lists are refused: the function does not the same with them as with arrays.

        What it makes an array itself first is no list that it could write into.
        """
        written = self._written(parameters.names)
        written -= {name for name in written if is_made_an_array_first(self.ctx, self.text, name)}
        names = [name for name in parameters.names if name not in written]
        if self._takes_lists(parameters, names):
            return tuple(name for name in parameters.names if name in written)
        taken: list[str] = []
        for name in names if len(names) > 1 else ():
            if self._takes_lists(parameters, more := [*taken, name]):
                taken = more
        if any(name not in taken for name in parameters.names):  # fewer options: those with errors of their own
            taken = [name for name in taken if not self._raises_for_list(parameters, name)]
        return tuple(name for name in parameters.names if name not in taken)

    def _raises_for_list(self, parameters: Parameters, name: str) -> bool:
        """Tell whether the function raises an error by itself for each list that is passed for a parameter."""
        world = parameters.same("float64") | parameters.lists([name])[0]
        return always_raises(self.node, self._all_facts(world))

    def _takes_lists(self, parameters: Parameters, names: Sequence[str]) -> bool:
        """Tell whether the function does the same with lists for these parameters as with arrays of what they hold."""
        floats = parameters.same("float64")
        if not all(self._is_valid([one], after(one, "floating", parameters), True) for one in parameters.lists(names)):
            return False
        guarded = self._all_facts(floats)
        among_numbers = [facts_reached(self.node, self._all_facts(w)) for w in parameters.lists_among_numbers(names)]
        return not any(repeats(facts, guarded) or equates(facts, guarded) for facts in among_numbers)

    def _takes_lists_beside_single(self, parameters: Parameters, apart: bool = False) -> bool:
        """Tell whether lists may become arrays beside single precision, too, where their items are weak numbers.

        Parameters
        ----------
        apart
            Whether arrays of several precisions stay what they are, and do not become float64.
        """
        unlisted = self._unlisted(parameters)
        worlds = parameters.lists([name for name in parameters.names if name not in unlisted], "float32")
        beside = parameters.same("float32") if apart else {}

        def behind(world: World) -> World:
            made = after(world, "floating", parameters)
            return made | {name: fact for name, fact in beside.items() if v.only(world[name], "array")}

        return all(self._is_valid([one], behind(one), True) for one in worlds)

    def _kept_beside(self, parameters: Parameters, left: Sequence[str], kept: tuple[str, ...]) -> tuple[str, ...]:
        """All parameters, where whole numbers of some would be float64 beside Python's ints that others stay."""
        floats = parameters.same("float64")
        whole = {name: fact for name, fact in parameters.same("int64").items() if name not in parameters.kept}
        several = {(name,) for name in left} | {tuple(left), tuple(name for name in left if name in parameters.kept)}
        numbers = [dict.fromkeys(names, one) for names in several - {()} for one in (v.INT, v.FLOAT)]
        exact = all(self._is_valid([floats | whole | one], floats | one, exact=True) for one in numbers)
        return kept if exact else parameters.names

    def _written(self, names: Sequence[str]) -> set[str]:
        """The parameters that the function writes into."""
        effect = self.ctx.project.writes(self.definition)
        at = {name: number for number, name in enumerate(self.definition.parameters)}
        given = {name for name in names if name not in at and may_be_written(self.ctx, self.node, name)}
        return given | {name for name in names if at.get(name) in effect.parameters}

    def _stated_numbers(self, names: Sequence[str]) -> World:
        """Give the parameters that are numbers by their documentation, their annotation or their default.

        Behind their line they are numbers or arrays of float64; scalars where the function adds to one of them, since
        a tensor that stands for a number is none to write into.
        """
        stated, optional = stated_numbers(self.definition), may_be_none(self.node, names)
        found = [one for one in self._numeric(names) if one in stated and one not in optional][:MOST]
        double = v.scalar("float64") if self._written(found) else v.array("float64")
        return dict.fromkeys(found, v.join(double, v.FLOAT, v.INT))

    def _indices(self) -> World:
        """Give the parameters that are arrays of indices by all their uses, of which callers nobody sees pass any."""
        node = self.node
        if node not in self.ctx.engine.open:
            return {}
        names = [one.arg for one in named_parameters(node) if is_open(self.found.get(one.arg, v.BOTTOM), True)]
        optional = may_be_none(node, names)
        return index_parameters(self.ctx, node, [name for name in names if name not in optional])
