"""The guard of each open function: the narrowest after which its body is native torch.

Guards are found by trying. For each form the body is run in all worlds that the form leaves, and decided on in each.
A statement on which all worlds agree is written so; any other is decided by what holds in all of them. A guard is worth
its line where it leaves fewer calls of the shim, and only if it changes nothing for those who pass what it takes.

No form leaves fewer than the world of float64 alone does, so that is asked first, and a world that leaves more ends the
trial of what it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from np2torch.facts import values as v
from np2torch.facts.domain import supposing
from np2torch.facts.guards import WEIGHTS, GuardLine, World, by_parameters
from np2torch.facts.interpreter.budget import BudgetSpentError
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.names.tree import begins_below_head
from np2torch.rewrite.guards.attributes import held_attributes
from np2torch.rewrite.guards.axes import Choice as AxesChoice
from np2torch.rewrite.guards.axes import choices
from np2torch.rewrite.guards.bodies import Body
from np2torch.rewrite.guards.callbacks import callbacks
from np2torch.rewrite.guards.candidates import MOST, candidates, is_only_stored, may_be_none, stated_numbers
from np2torch.rewrite.guards.forms import KINDS, SHORT, SINGLE, Parameters, after, with_none
from np2torch.rewrite.guards.runs import Choice, Key, Trial
from np2torch.rewrite.guards.texts import first_of
from np2torch.rewrite.guards.validity import rounds_alike, shows_rounding
from np2torch.rewrite.guards.weights import MOST_REFUSED, NO_LIMIT, SAVED_FOR_COMPLEX, SAVED_FOR_INTEGERS, Weights
from np2torch.rules.site import ModuleContext

WIDENED = (("float64", "float32"), ("float32", "uint8"), ("float32", "bool"), ("float64", "uint8"))
"""Dtypes of which the common one is the first: a body may compute with the second before they meet."""
MOST_RETRIES = 2
"""How often it is tried with fewer parameters, where the project passes what a guard of all refuses."""
OF_DOUBLE = 2
"""How many sites it saves at least to refuse single precision."""


def _holding(trial: Trial, held: World) -> Trial:
    """The same guard with lines for attributes, and for parameters that are numbers."""
    attributes = {path: fact for path, fact in held.items() if "." in path}
    stated = tuple((name, fact) for name, fact in held.items() if name not in attributes)
    return Trial(replace(trial.guard, held=tuple(attributes.items()), stated=stated), trial.score)


def _is_real(atom: v.Atom) -> bool:
    return isinstance(atom, v.Num) and atom.type != "complex"


class Chooser(Weights):
    """Looks for the guard of one function.

    Attributes
    ----------
    most_refused
        How many forms that refuse numbers are tried.
    """

    most_refused = 2

    def __init__(
        self, ctx: ModuleContext, definition: FunctionDefinition, given: World | None = None, body: Body | None = None
    ) -> None:  # fmt: skip
        super().__init__(ctx, definition, given, body)
        self._made: list[Trial] = []
        self._refused_lists = False
        self._shows_rounding: dict[Key, bool] = {}

    def choose(self) -> Choice:
        """The best guard, where there is one that is worth its line, and the reason."""
        if not self._can_stand():
            return Choice(None, "there is no line for one above the body")
        found = candidates(self.ctx, self.node, self.found)
        held = {at: fact for at, fact in held_attributes(self.ctx, self.definition).items() if at not in self.given}
        held |= self._stated_numbers(found) | self._indices()
        found = found if len(found) <= MOST else [name for name in found if name not in held]
        names = (found if len(found) <= MOST else []) + callbacks(self.ctx, self.node, self.found)
        if not names and not held:
            return Choice(None, "no parameter is an array of unknown dtype by the way it is used")
        if not (plain := self.plain):
            return Choice(None, "the body is plain torch without one")
        with supposing():
            trials, best = self._settled(names, held, plain)
        if best is not None:
            return Choice(best, f"of {plain} calls of the shim it leaves {best.score}")
        if self._refused_lists and not trials:
            return Choice(None, "the project passes lists, which the body does not take as arrays")
        if trials:
            return Choice(None, f"the project passes what `{trials[0].guard.text('shim')}` refuses")
        return Choice(None, "none leaves fewer calls of the shim")

    def _settled(self, names: Sequence[str], held: World, plain: int) -> tuple[list[Trial], Trial | None]:
        """All trials, or as many as there is time for, and the best."""
        best: Trial | None = None
        others = [name for name in names if name not in held]
        try:
            plain = min(plain, self._score([{}])) if self.given else plain
            self.most_spent = self.budget_for(plain - self._least_of_all(others, held))
            trials, best = self._search(names, plain) if names else ([], None)
            return trials, self._with_held(held, names, best, plain) if held else best
        except BudgetSpentError:
            self.held = {}
            made = [one for one in self._made if one.score < plain]
            return made, best or self._best(made) or self._held_alone(held, plain)

    def _least_of_all(self, names: Sequence[str], held: World) -> int:
        """Count the sites that are left where all parameters and attributes are arrays of float64."""
        self.held = held
        least = self._least(Parameters(tuple(names))) if names else self._score([{}])
        self.held = {}
        return least

    def _search(self, names: Sequence[str], plain: int) -> tuple[list[Trial], Trial | None]:
        """Try the guards of these parameters: those that leave fewer sites than there are, and the best."""
        refused = self._passed_lists(names)
        names = [name for name in names if name not in refused]
        trials = self._of(names, plain) if names else []
        best = self._best(trials)
        if best is None:
            best = self._best(one for fewer in self._unrefused(names, trials) for one in self._of(fewer, plain))
        return trials, None if best is None else self._with_plain_products(self._with_fewer_names(best))

    def _passed_lists(self, names: Sequence[str]) -> list[str]:
        """Give the parameters for which the project passes lists, where the body does more with these than with arrays.

        Every guard refuses them then, so that none is tried.
        """
        facts = ((name, fact) for world in self._known for name, fact in world.items())
        passed = {name for name, fact in facts if v.known_to_include(fact, "sequence")}
        if not (found := [name for name in names if name in passed]):
            return []
        self.optional = may_be_none(self.text, names)
        parameters, written = Parameters(tuple(names), optional=self.optional), self._written(names)
        lists = parameters.lists(names)[:2]
        if not written and any(self._is_valid([one], after(one, "floating", parameters), exact=True) for one in lists):
            return []
        self._refused_lists = True
        return found

    def _with_held(self, held: World, names: Sequence[str], best: Trial | None, plain: int) -> Trial | None:
        """The guard that checks attributes or numbers too, where that saves a site for each of them.

        Numbers that the best guard takes itself may stay with it.
        """
        found = self._with_all_held(held, names, best, plain)
        taken = frozenset[str]() if best is None else held.keys() & set(best.guard.names)
        if found is not best or not taken or taken == held.keys():
            return found
        return self._with_all_held({path: held[path] for path in held if path not in taken}, names, best, plain)

    def _with_all_held(self, held: World, names: Sequence[str], best: Trial | None, plain: int) -> Trial | None:
        names = [name for name in names if name not in held]
        before = plain if best is None else best.score
        guarded = [name for name in (names if best is None else best.guard.names) if name not in held]
        held, least = self._needed(held, guarded, before)
        if least > before - len(held):
            return best
        self.held = held
        found = self._search(names, before)[1] if names else None
        if found is None:
            found = Trial(GuardLine((), "floating", worlds=(held,)), self._score([{}]))
        self.held = {}
        return best if found.score > before - len(held) else _holding(found, held)

    def _held_alone(self, held: World, plain: int) -> Trial | None:
        """The guard of attributes and numbers alone, which takes few runs; these count apart."""
        self._before = self.all_spent
        try:
            held, least = self._needed(held, [], plain) if held else (held, plain)
        except BudgetSpentError:
            return None
        finally:
            self.held = {}
        is_less = held and least <= plain - len(held)
        return _holding(Trial(GuardLine((), "floating", worlds=(held,)), least), held) if is_less else None

    def _needed(self, held: World, guarded: Sequence[str], before: int) -> tuple[World, int]:
        """Give those that the body is better for, and how many sites are left then."""

        def count_left(checked: World) -> int:
            self.held = checked
            return self._least(Parameters(tuple(guarded))) if guarded else self._score([{}])

        least = count_left(held)
        for path in list(held) if least <= before - len(held) else ():
            fewer = {one: fact for one, fact in held.items() if one != path}
            held = fewer if count_left(fewer) == least else held
        self.held = {}
        return held, least

    def _of(self, names: Sequence[str], plain: int) -> list[Trial]:
        """The guards of these parameters that leave fewer sites than there are without."""
        numeric = self._numeric(names)
        self.optional = may_be_none(self.text, names)
        several = self._with_axes(Parameters(tuple(names), tuple(numeric), optional=self.optional))
        trials = list(self._trials(several, plain))
        open_ = (one for one in trials if not self._refused_numbers(one.guard))
        serving = [one.score for one in open_ if self._serves_callers(one.guard)]
        most, other = min([plain, *serving]) - OF_DOUBLE, self._best(trials)
        if other is not None and other.guard.refuses_integers:
            most = max(most, min(self._weighed(other), plain) - 1)
        return trials + list(self._in_double(several[-1], most))

    def _unrefused(self, names: Sequence[str], trials: Sequence[Trial]) -> list[list[str]]:
        """For the best guards, the parameters of which they refuse nothing that the project passes or takes itself."""
        worlds = {name: [{name: world[name]} for world in self._known if name in world] for name in names}
        guards = [one.guard for one in sorted(trials, key=lambda trial: trial.score)]
        several = [tuple(n for n in names if all(self._accepts(one, world) for world in worlds[n])) for one in guards]
        several += [tuple(n for n in names if n not in self._refused_lists_of(one)) for one in guards]
        found = dict.fromkeys(left for left in several if 0 < len(left) < len(names))
        return list(map(list, found))[:MOST_RETRIES]

    def _can_stand(self) -> bool:
        """Tell whether there is a line for a guard, below the one of the `def`."""
        is_there = first_of(self.node) is not None and begins_below_head(self.node)
        return is_there and not self.definition.is_compiled

    def _best(self, trials: Iterable[Trial]) -> Trial | None:
        fitting = [one for one in trials if self._serves_callers(one.guard)]
        stored = {name for name in self.definition.parameters if is_only_stored(self.ctx, self.node, name)}
        stored = {name for name in stored if not self._is_number_for_some(name)}
        fitting = [one for one in fitting if stored.isdisjoint(one.guard.names) or not one.guard.refuses_dtypes]
        fitting = [
            one for one in fitting
            if not (one.guard.refuses_integers and self._are_among(self._stated_integers, one.guard))
            and not (one.guard.refuses_complex and self._are_among(self._stated_complex, one.guard))
            and one.score <= self.plain - self._saved_at_least(one.guard)
        ]  # fmt: skip
        return min(fitting, key=lambda trial: (self._weighed(trial), self.cost(trial.guard)), default=None)

    def _trials(self, several: Sequence[Parameters], below: int) -> Iterator[Trial]:
        """The guards that leave fewer sites than `below`; for fewer numbers of axes only where that leaves fewer."""
        for parameters in several:
            precisions = [parameters.same("float64"), parameters.same("float32")]  # that every form lets through
            is_less = self._least(parameters) < below and self._score(precisions) < below
            found = [one for one in self._forms(parameters) if one.score < below] if is_less else []
            yield from found
            below = min([below, *(one.score for one in found if self._serves_callers(one.guard))])

    def _in_double(self, parameters: Parameters, most: int) -> Iterator[Trial]:
        """The guards that refuse single precision, where they leave at most so many sites."""
        if self._least(parameters) <= most:
            found = self._forms(replace(parameters, single=False))
            yield from (one for one in found if self._weighed(one) <= most)

    def _forms(self, parameters: Parameters) -> Iterator[Trial]:
        """The guards of each form; those that leave dtypes as they are only where they may refuse less than others.

        Where those to floating dtypes refuse numbers that are passed, these refuse them as well, in more worlds.
        """
        of_any = ["tensor"] if len(parameters.names) == 1 else ["tensors", "promote"]
        of_any = [] if parameters.is_called else of_any
        least, most, refused_by = self._least(parameters), NO_LIMIT, 0
        for form in ("floating", "inexact", *of_any):
            if (refused := self._refused_at_once(parameters, form)) is not None:
                yield refused
            elif (trial := self._trial(parameters, form, most)) is not None:
                self._made += [] if self.held else [trial]
                apart = list(self._apart(trial, parameters, form, most))
                yield from [*apart, trial]
                refused_by += all(map(self._refuses_needed_numbers, [*apart, trial]))
                if parameters.single and refused_by == self.most_refused:
                    return
                if trial.score == least and self._serves_callers(trial.guard):
                    most = min(most, self.cost(trial.guard))

    def _apart(self, trial: Trial, parameters: Parameters, form: str, most: int) -> Iterator[Trial]:
        """The same guard that refuses numbers beside single precision alone; not where numbers are meant.

        Nor where it takes others, in the precision of the arrays beside them.
        """
        refused = self._refused_numbers(trial.guard) if form in SINGLE and parameters.single else []
        taken = [name for name in parameters.numeric if name not in (*refused, *trial.guard.numbers)]
        if len(parameters.names) > 1 and refused and not taken and not any(map(self._is_meant_as_number, refused)):
            apart = self._trial(parameters, form, most, apart=True)
            yield from [] if apart is None else [apart]

    def _refused_at_once(self, parameters: Parameters, form: str) -> Trial | None:
        """Give the guard of a form that is known not to be taken before its options are looked for."""
        return None

    def _refuses_needed_numbers(self, trial: Trial) -> bool:
        """Tell a guard that refuses numbers that the project passes."""
        refused = self._refused_numbers(trial.guard)
        return any(any(map(_is_real, world.get(name, ()))) for name in refused for world in self._known)

    def _with_axes(self, parameters: Parameters) -> list[Parameters]:
        """The parameters with any number of axes, then with those that leave fewer sites."""
        least = self._least(parameters) if parameters.names else 0
        if not least:
            return [parameters]
        found = list(choices(self.ctx, self.text, parameters.names, stated_numbers(self.definition)))
        of: dict[str, frozenset[int]] = {}
        for name, several in found:
            for ranks, saving in several:
                fewer = self._least(replace(parameters, ranks={**of, name: ranks}))
                if fewer <= least - saving:
                    of[name], least = ranks, fewer
        of = of or self._axes_together(parameters, {name: several[0] for name, several in found}, least)
        numeric = tuple(name for name in parameters.numeric if 0 in of.get(name, {0}))
        return [parameters, replace(parameters, numeric=numeric, ranks=of)] if of else [parameters]

    def _axes_together(
        self, parameters: Parameters, choice: Mapping[str, AxesChoice], least: int
    ) -> dict[str, frozenset[int]]:  # fmt: skip
        """Give the numbers of axes that leave fewer sites only if several parameters have them; else none."""
        of = {name: ranks for name, (ranks, _) in choice.items()}
        fewer = self._least(replace(parameters, ranks=of)) if len(of) > 1 else least
        if fewer > least - max((saving for _, saving in choice.values()), default=0):
            return {}
        for name in list(of) if fewer < least else ():
            others = {one: ranks for one, ranks in of.items() if one != name}
            of = others if self._least(replace(parameters, ranks=others)) == fewer else of
        return of if fewer < least else {}

    def _least(self, parameters: Parameters) -> int:
        """Count the sites that are not native in float64 alone."""
        return self._score([parameters.same("float64")])

    def _with_fewer_names(self, best: Trial) -> Trial:
        """The same guard without the parameters that it is not needed for."""
        for name in best.guard.names if len(best.guard.names) > 1 else ():
            less = self._parameters_of(best.guard, dict(best.guard.ranks)).without(name)
            if not less.names or self._least(less) > best.score:
                continue
            form = "tensor" if len(less.names) == 1 and best.guard.form in ("tensors", "promote") else best.guard.form
            trial = self._trial(less, form)
            if trial is not None and self._is_as_good(trial, best):
                best = trial
            elif trial is not None and self._loses_complex(trial, best):
                others = [one for one in self._of(less.names, self.plain) if self._is_as_good(one, best)]
                best = self._best(others) or best
        return best

    def _parameters_of(self, guard: GuardLine, ranks: Mapping[str, frozenset[int]]) -> Parameters:
        """Give the parameters of a guard, with these numbers of axes."""
        numeric = tuple(one for one in self._numeric(guard.names) if one not in ranks)
        optional = self.optional & set(guard.names)
        return Parameters(guard.names, numeric, dict(ranks), "single=False" not in guard.options, optional)

    def _with_plain_products(self, best: Trial) -> Trial:
        """The same guard for fewer numbers of axes, where products are plainer then: they raise for others anyway."""
        left = self._products_of_any_axes(best)
        found = choices(self.ctx, self.text, best.guard.names, stated_numbers(self.definition)) if left else ()
        for name, several in found:
            of = dict(best.guard.ranks)
            for ranks, _ in several if name not in of else ():
                trial = self._trial(self._parameters_of(best.guard, {**of, name: ranks}), best.guard.form)
                if trial is None or not self._is_as_good(trial, best):
                    continue
                if (fewer := self._products_of_any_axes(trial)) < left:
                    best, left = trial, fewer
                    break
        return best

    def _products_of_any_axes(self, trial: Trial) -> int:
        facts, _ = self.body.merge_facts([self._facts(world) for world in trial.guard.worlds])
        return self.body.products_of_any_axes(facts)

    def _is_as_good(self, trial: Trial, best: Trial) -> bool:
        """Tell whether a guard of fewer parameters may take the place of the best one of more."""
        is_fitting = trial.score <= best.score and self._best([trial]) is not None
        return is_fitting and not self._loses_complex(trial, best)

    def _loses_complex(self, trial: Trial, best: Trial) -> bool:
        """Tell whether a guard refuses complex numbers, which the module speaks of and another one takes."""
        return self._may_be_complex and trial.guard.refuses_complex and not best.guard.refuses_complex

    # -------------------------------------------------------------------------------------------- one form
    def _trial(self, parameters: Parameters, form: str, most: int = NO_LIMIT, apart: bool = False) -> Trial | None:
        """Try a guard of a form; `apart` if it refuses Python's numbers beside single precision, and mixtures of it."""
        parameters = self._as_rounded(parameters)
        if form in ("inexact", "floating"):
            worlds, options = parameters.of_one_precision(form), self._integers(parameters)
            kept = self._kept(parameters, "int64")
            parameters = replace(parameters, kept=kept)
        else:
            found = self._of_any_dtype(parameters, form, most)
            if found is None:
                return None
            worlds, options = found
            kept = self._kept(parameters, None)
        score, several = self._score(worlds), True
        if form == "inexact" and score > self._least(parameters):  # right for real ones, and for complex ones
            alone = parameters.of_one_precision(form, mixed=False)
            if self._score(alone) < score:
                worlds, score, several = alone, self._score(alone), False
        left = self._left_numbers(parameters, worlds, form)
        if not parameters.single and self._numbers(parameters, (), form) == ((), ()):
            left = ()  # a tensor of float64, as all others are
        numbers: tuple[str, ...] = ("numbers=True",)
        arrays: tuple[str, ...] = ()
        are_all = left == parameters.numeric and not self._taken_beside(parameters)
        if not left or not are_all:
            numbers, arrays = self._numbers(parameters, left, form, apart)
        if numbers == ("numbers=False",):
            left = ()
        options += numbers
        kept = self._kept_beside(parameters, left, kept) if form in SINGLE else kept
        worlds = worlds + parameters.numbers(left, form)
        left = () if are_all else left
        unlisted = self._unlisted(parameters)
        if unlisted == parameters.names:
            options, unlisted = (*options, "lists=False"), ()
        worlds, precisions = self._precisions(parameters, form, worlds, several, apart)
        options += precisions
        ranks = tuple((name, parameters.ranks[name]) for name in parameters.names if name in parameters.ranks)
        if parameters.optional:
            options += ("none=True",)
        behind = tuple(by_parameters(with_none(world, parameters.optional)) | self.held for world in worlds)
        guard = GuardLine(parameters.names, form, options, kept, left, arrays, unlisted, ranks, worlds=behind)
        return Trial(guard, self._score(worlds))

    def _as_rounded(self, parameters: Parameters) -> Parameters:
        """The parameters without single precision where float64 results would show its last bits."""
        if not parameters.single:
            return parameters
        world = parameters.same("float32")
        key = self._key(world)
        if key not in self._shows_rounding:
            self._shows_rounding[key] = shows_rounding(self.ctx, self.node, self._all_facts(world))
        return replace(parameters, single=not self._shows_rounding[key])

    def _precisions(
        self, parameters: Parameters, form: str, worlds: list[World], several: bool, apart: bool
    ) -> tuple[list[World], tuple[str, ...]]:
        """Choose the precisions to accept (with `several` dtypes: side by side), and give the worlds of these."""
        if apart:
            return worlds, ("mixed=False",)
        if not parameters.single:
            return worlds, ("single=False",) if several or form not in SINGLE else ("single=False", "mixed=False")
        if form not in ("inexact", "floating") or len(parameters.names) == 1 and not parameters.is_called:
            return worlds, ()
        several = several and not parameters.is_called
        mixed, doubles = parameters.mixed_dtypes("float64", "float32"), parameters.same("float64")
        if several and self._is_valid(mixed, doubles) and self._takes_lists_beside_single(parameters):
            return worlds, ("mixed=True",)
        meeting, several = parameters.with_axes(), several and self._takes_lists_beside_single(parameters, apart=True)
        is_apart = several and self._meets(worlds, meeting, self._score(worlds))
        return (worlds + meeting, ()) if is_apart else (worlds, ("mixed=False",))

    def _of_any_dtype(self, parameters: Parameters, form: str, most: int) -> tuple[list[World], tuple[str, ...]] | None:
        """`tensor`, `tensors`, `promote`: dtypes stay what they are, or become the common one; right for some kinds.

        None where that refuses as much as `most`.
        """
        options: tuple[str, ...] | None = ()
        if form == "promote" and (options := self._mixtures(parameters)) is None:
            return None
        floats, meet = parameters.of_one_dtype("f"), form == "tensors"
        least, refused = self._score(floats), MOST_REFUSED * (self._is_helped and parameters.single)
        if not parameters.single:
            least = self._with_kind("i", SAVED_FOR_INTEGERS, parameters, meet, least)
        if self._is_likely_complex:
            least = self._with_kind("c", SAVED_FOR_COMPLEX, parameters, meet, least)
        kinds = ""
        for kind in sorted(KINDS, key=WEIGHTS.__getitem__, reverse=True):
            if kind == "f" or self._takes_kind(kind, form, parameters) and self._leaves(
                least, floats + parameters.of_one_dtype(kind)
            ):
                kinds += kind
            else:
                refused += WEIGHTS[kind]
            if refused >= most:
                return None
        if meet and not self._meets(floats, parameters.with_axes("f"), least):
            return None
        met = (k for k in kinds if k != "f" and self._leaves(least, floats + parameters.of_dtypes(k, meet)))
        kinds = "".join(sorted({"f", *met} - self._refused_kinds(least, parameters), key=list(KINDS).index))
        while not self._leaves(least, worlds := parameters.of_dtypes(kinds, meet)) and len(kinds) > 1:
            kinds = kinds[:-1]
        return worlds, (() if len(kinds) == len(KINDS) else (f'kinds="{kinds}"',)) + (options or ())

    def _with_kind(self, kind: str, saved: int, parameters: Parameters, meet: bool, least: int) -> int:
        """Count the sites that are left where a kind of dtypes is taken as well, if these are few more."""
        score = self._score(parameters.of_one_dtype("f") + parameters.of_dtypes(kind, meet))
        return score if score < least + saved else least

    def _mixtures(self, parameters: Parameters) -> tuple[str, ...] | None:
        """Choose the mixtures of dtypes that `promote` has to refuse; None if it is not valid at all."""
        if not self._is_valid(parameters.mixed_dtypes("float64", "int64"), parameters.same("float64"), exact=True):
            return None
        widened = [pair for pair in WIDENED if parameters.single or SHORT.isdisjoint(pair)]
        valid = all(self._is_valid(parameters.mixed_dtypes(*pair), parameters.same(pair[0])) for pair in widened)
        return () if valid and self._takes_lists_beside_single(parameters) else ("mixed=False",)

    def _meets(self, worlds: list[World], meeting: list[World], least: int) -> bool:
        """Tell whether several precisions may stay apart: the body is right, and single precision rounds as NumPy."""
        singles = all(rounds_alike(self.ctx, self.node, self._all_facts(world)) for world in meeting)
        return singles and self._leaves(least, worlds + meeting)
