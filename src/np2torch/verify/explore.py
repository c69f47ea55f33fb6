"""The search for inputs that a function answers: what the old side accepts is learnt from what it does."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from np2torch.verify import alter, vary
from np2torch.verify.calls import Call, Observation
from np2torch.verify.clock import Allowance
from np2torch.verify.draw import DEFAULT, Drawer, Sizes, recipes, with_shapes
from np2torch.verify.drawn_values import (
    Before,
    Inputs,
    apart,
    by_parameter,
    copy_of,
    cost,
    in_turn,
    longer_values,
    new_first,
    one_like_another,
)
from np2torch.verify.effect import with_other_numbers, without_effect
from np2torch.verify.hints import LABELS, Hints
from np2torch.verify.kinds import Kind, accepts, may_be, weights_of_kinds
from np2torch.verify.made_values import Made, gives_something, made_recipes
from np2torch.verify.pasts import by_change, own_first
from np2torch.verify.small_numbers import with_small_numbers
from np2torch.verify.target import Target
from np2torch.verify.turning_points import turning_points

ROUNDS, FIRST, DRAWN = 7, 16, 40
MOST_ROUNDS = 20
"""Rounds of a search for calls that come to lines of the function to which none has come."""
MOST_IDLE = 4
"""Rounds in a row that come to no new line, after which such a search ends."""
ENOUGH = 40
"""Different answered calls after which the search ends."""
MOST_SMALL = 80
LEAST_GOOD = 8
"""Answered calls for which numbers in real arrays of several make a difference, after which the search ends."""
MOST_WORDS = 8
OTHER_WORDS = {"str": 10.0, "anything": 2.0}  # the weights of words compared under another name, by what is accepted
OF_NUMBERS = 2.0
"""The weight of each whole number that one is compared with."""
MOST_CALLS = 260
MOST_RAISING = 16
MOST_SECONDS = 4.0
WITH_A_PAST = 0.5
"""The share of calls of methods that others come before."""
PASTS = (1, 1, 2, 2, 3, 4, 5)
"""How many."""
MOST_PASTS = 4
"""Calls before another one that may be continued by more."""
PASTS_VARIED, MOST_VARIED = 8, 60
"""Calls with a past that are varied, and how many are made of these."""
MOST_NAMED = 9
"""Numbers up to which a parameter is the size that has its name."""
PASSED_ON = 12.0
"""The weight of what another function accepts that a parameter is passed on to."""
LETTERS = "nmk"
"""Parameters that are one of these sizes, wherever they stand: rows or columns."""
ALIKE = 0.2
"""The share of calls in which parameters that may be the same are drawn alike, arrays with one shape."""
OFTEN = 4
"""Answered calls that should come to a line."""
KEPT = 0.5
"""The share of calls with one argument changed in which the others are kept."""
TOGETHER = 0.4
"""The share of the other numbers of a call that are changed with one of them."""
RELATED = 0.3
"""The share of arrays that are changed to what another one of the call is, or to its opposite."""
LENGTHENED, TIMES = 0.1, (3, 6, 12, 25)
"""The share of calls with all arrays longer, and how many times as long: some lines are for long ones alone."""
FURTHER = 3.0
"""How much more is promised by what came to a line to which few had come."""
PLAIN = 0.3
"""The share of objects that are made with what their class says where nothing is passed."""
LABELLED = 0.7
"""The share of values of parameters used as labels that are drawn as such."""
LINKED = 0.7
"""The share of calls in which sizes of one name are one number over all parameters."""


def _size(value: Any) -> Any:
    """The shape of an array with the kind of its dtype, or the length of a sequence."""
    if isinstance(value, (np.ndarray, np.generic)):  # and no class of scalars, which has these attributes too
        return value.shape, value.dtype.kind
    return len(value) if isinstance(value, (list, tuple)) else None


class Explorer:
    """Search for calls: draw some, observe the old side, and draw more of those that it answers."""

    def __init__(
        self,
        target: Target,
        seed: int,
        given: Sequence[tuple[Any, ...]] = (),
        is_other: bool = False,
        made: Made | None = None,
        allowance: Allowance | None = None,
    ) -> None:
        self.target = target
        self.given = given
        self.made = made or {}
        self.drawer = Drawer(f"{seed}:{target.name}", target.body.sizes)
        self.rng = random.Random(f"{seed}:{target.name}:choices")
        shapes = [shape for one in target.body.parameters.values() for shape in one.shapes]
        self.sizes = {name for shape in shapes for name in shape.split(",")}
        """The sizes that documentation names: the `d` of an array of shape (d, 2)."""
        self.weights = [self._prior(index) for index in range(len(target.parameters))]
        self.prior = copy.deepcopy(self.weights)
        self.firsts = [self.weights.index(one) for one in self.weights]
        """For each parameter the first one that is drawn in the same ways."""
        constructor = enumerate(self.weights[: len(target.constructor)])
        self.defaults = {index for index, weights in constructor if "default" in weights}
        """Parameters of the class that need not be passed."""
        self.reached = Counter[int]()
        """How many answered calls have come to each line."""
        self.answered: dict[tuple[Any, ...], Inputs] = {}
        self.raising: dict[tuple[str, str, str], Inputs] = {}
        self.seconds: list[float] = []
        self.allowance = allowance or Allowance(MOST_SECONDS)
        self.words: Counter[str] = Counter()
        self.pasts: list[Inputs] = []
        self.small: list[Inputs] = []
        self.turns: list[Inputs] = []
        self.idle: set[tuple[Any, ...]] = set()
        """The answered calls for which the numbers in arrays make no difference."""
        self.others: list[Explorer] = [] if is_other else [Explorer(one, seed, (), True, made) for one in target.others]
        """Those that draw the calls which come before."""

    @property
    def mean_seconds(self) -> float:
        """Give the mean time of an answered call on the old side."""
        return sum(self.seconds) / len(self.seconds) if self.seconds else 0.0

    def _paid(self, inputs: Inputs, seen: Observation) -> Inputs:
        """The inputs with the time that a call takes."""
        self.seconds.append(seen.cost)
        return inputs._replace(seconds=seen.cost, lines=seen.lines)

    def affordable(self, inputs: Sequence[Inputs], seconds: float, least: int) -> list[Inputs]:
        """Those that may be called in some time, in order: what is known to be cheap still is where others are not."""
        found: list[Inputs] = []
        for one in inputs:
            cost = one.seconds or self.mean_seconds
            if cost <= seconds or len(found) < least:
                found.append(one)
                seconds -= cost
        return found

    @property
    def why_not(self) -> str:
        """Give the most common reason why calls were not answered."""
        return next((f"no inputs were found that it answers: {word}" for word, _ in self.words.most_common(1)), "")

    def _prior(self, index: int) -> dict[str, float]:
        parameter, kinds = self.target.parameters[index], self.target.kinds[index]
        if parameter.kind == "*":
            return {"default": 2.0, "arrays": 2.0}
        hint = self._hint(parameter.name)
        found = weights_of_kinds(kinds, bool(hint.words))
        if any(kind.name == "anything" for kind in kinds):
            found |= recipes(parameter.name, parameter.default, hint, self.drawer.constants)
        elif parameter.default is not None:
            found["default"] = 4.0
        stated, used = ([s for s in one if any(may_be(k, s) for k in kinds)] for one in (hint.shapes, hint.used))
        found = with_shapes(found, stated, used)
        for word in hint.words if any(kind.name == "str" and kind.value is None for kind in kinds) else ():
            found[f"word {word}"] = 6.0
        found |= self._compared_numbers(kinds, hint)
        found |= {} if hint.words else self._other_words(kinds)
        found |= dict.fromkeys(["passed on"] * (index in self.target.passed), PASSED_ON)
        found |= made_recipes(self.made, self.target.name, self.target.docstring, kinds)
        for number, values in enumerate(self.given):
            if values[index] is not DEFAULT:
                found[f"given {number}"] = 12.0 / len(self.given)
        return found or {"none": 1.0}

    def _hint(self, name: str) -> Hints:
        """Gather the hints on a parameter: that it counts too, where it is a size of a shape in documentation."""
        hint = self.target.body.parameters.get(name, Hints())
        return hint._replace(uses=hint.uses | {"counted"}) if name in self.sizes else hint

    def _compared_numbers(self, kinds: Sequence[Kind], hint: Hints) -> dict[str, float]:
        """Whole numbers that a parameter is compared with, if its contract names any."""
        is_whole = any(kind.name == "int" and kind.value is None for kind in kinds)
        return {f"number {number}": OF_NUMBERS for number in hint.numbers[:MOST_WORDS]} if is_whole else {}

    def _other_words(self, kinds: Sequence[Kind]) -> dict[str, float]:
        """Words that are compared with something else in the function, or its class."""
        most = max((OTHER_WORDS.get(kind.name, 0.0) for kind in kinds if kind.value is None), default=0.0)
        others = self.target.body.words[:MOST_WORDS] if most else ()
        return {f"word {word}": most / len(others) for word in others}

    def search(self, run: Callable[[list[Call]], list[Observation]]) -> list[Inputs]:
        """Inputs that the old side answers, each drawn another way; what it raises for is kept apart."""
        if not self.target.parameters and not self.others:
            self.answered[()] = Inputs((), ())
            return list(self.answered.values())
        ended = idle = 0
        for number in range(MOST_ROUNDS):
            before = self.lines_left
            ended += self._observe(self._drawn_at_once(number), run)
            is_late = not self.allowance.remaining or ended > FIRST // 2
            idle = idle + 1 if self.lines_left == before else 0
            if is_late or self._has_enough(number) and (not self.lines_left or idle >= MOST_IDLE):
                break
        self.pasts = self._with_pasts(run) if self.others and self.answered else []
        answered = list(self.answered.values())
        small = with_small_numbers(answered, self.target, run, self.allowance)
        self.small = [self._paid(one, seen) for one, seen in small]
        self._note_idle(run)
        self.turns = turning_points(self._bases(self.answered.items()), self.target, run, self.allowance)
        return list(self.answered.values())

    def _note_idle(self, run: Callable[[list[Call]], list[Observation]]) -> None:
        """Ask which answered calls are idle; where most are, draw more beside the others, or beside all of them."""
        self.idle = without_effect(self.answered, self.target, run)
        for _ in range(ROUNDS if any(map(with_other_numbers, self.answered.values())) else 0):
            good = [one for key, one in self.answered.items() if key not in self.idle and not any(cost(one)[:2])]
            if len(good) >= LEAST_GOOD or not self.allowance.remaining:
                break
            known = set(self.answered)
            self._observe([self._changed(good or list(self.answered.values())) for _ in range(DRAWN)], run)
            new = {key: one for key, one in self.answered.items() if key not in known}
            self.idle |= without_effect(new, self.target, run)

    def _observe(self, drawn: Sequence[Inputs], run: Callable[[list[Call]], list[Observation]]) -> int:
        """Make calls and learn of them; gives the number of those that end the process."""
        made = [(one, call) for one in drawn if (call := self.target.call(one)) is not None]
        seen = run([call for _, call in made])
        for (one, _), own in zip(made, seen, strict=True):
            self._learn(one, own)
        return sum(bool(one.ended) for one in seen)

    def _drawn_at_once(self, number: int) -> list[Inputs]:
        """Draw the inputs of a round, those of examples in the first; more where lines are to be reached."""
        drawn = [self._draw(number) for _ in range(DRAWN if number else FIRST)]
        known = list(self.answered.values())
        drawn += [self._changed(known) for _ in range(DRAWN if self.prior and known and self.lines_left else 0)]
        given = () if number else self.given
        return drawn + [Inputs(one, self._recipes(one, place)) for place, one in enumerate(given)]

    def _has_enough(self, number: int) -> bool:
        """Tell whether the search may end after a round."""
        return number + 1 >= ROUNDS or len({key[:-1] for key in self.answered}) >= ENOUGH

    @property
    def lines_left(self) -> frozenset[int]:
        """Give the lines of the function to which few of the answered calls come, or none."""
        return frozenset(line for line in self.target.lines if self.reached[line] < OFTEN)

    def first_calls(self, count: int) -> list[Call]:
        """Draw some calls, of which nothing is learnt, and those of examples."""
        drawn = [Inputs(one, ()) for one in self.given] + [self._draw(0) for _ in range(count)]
        return [call for one in drawn if (call := self.target.call(one)) is not None]

    def _with_pasts(self, run: Callable[[list[Call]], list[Observation]]) -> list[Inputs]:
        """Repeat calls that gave a result, after other calls on the same object."""
        known = list(self.answered.values())
        found: dict[tuple[int, ...], tuple[Inputs, Observation]] = {}
        for _ in range(ROUNDS if known and self.allowance.remaining else 0):
            longer = [one for one, _ in found.values() if len(one.before) < MOST_PASTS] or known
            drawn = [self._after_others(self.rng.choice(self.rng.choice((longer, known)))) for _ in range(DRAWN)]
            made = [(one, call) for one in drawn if one.before and (call := self.target.call(one)) is not None]
            for (one, _), seen in zip(made, run([call for _, call in made]), strict=True):
                self._is_stopped_before(one, seen)
                if seen.has_result:
                    found.setdefault(tuple(two.number for two in one.before), (self._paid(one, seen), seen))
            if len(found) >= ENOUGH or not self.allowance.remaining:
                break
        alone = [self.target.call(one._replace(before=())) for one, _ in found.values()]
        return by_change(list(found.values()), run([one for one in alone if one is not None]))

    def _after_others(self, base: Inputs) -> Inputs:
        sizes = self.drawer.sizes()
        for parameter, value in zip(self.target.parameters, base.values, strict=True):
            self._note_size(parameter.name, value, sizes)
        return base._replace(values=copy_of(base.values), before=(*base.before, *self._before(sizes)))

    def _recipes(self, values: tuple[Any, ...], place: int) -> tuple[str, ...]:
        """Give the recipes by which the values of a seed are made."""
        for index, value in enumerate(values):
            if value is DEFAULT:
                self.weights[index].setdefault("default", 4.0)
        return tuple("default" if value is DEFAULT else f"given {place}" for value in values)

    def _draw(self, number: int) -> Inputs:
        sizes = self.drawer.sizes()
        known = [one.recipe for one in self.answered.values()] if number else []
        is_linked = self.rng.random() < LINKED
        base = self.rng.choice(known) if known and self.weights and self.rng.random() < 0.7 else None
        chosen = [self._choose(index) for index in range(len(self.weights))]
        if self.rng.random() < ALIKE:
            sizes.is_alike = True
            chosen = [chosen[first] for first in self.firsts]
        elif base is not None:
            keep = self.rng.randrange(len(base))
            chosen = [own if index == keep else old for index, (own, old) in enumerate(zip(chosen, base, strict=True))]
        if self.defaults and self.rng.random() < PLAIN:
            chosen = ["default" if index in self.defaults else one for index, one in enumerate(chosen)]
        values = []
        for index, one in enumerate(chosen):
            values.append(self._value(index, one, sizes))
            self._note_size(self.target.parameters[index].name, values[-1], sizes)
            sizes = sizes if is_linked else self.drawer.sizes()
        before = self._before(sizes) if self.others and self.rng.random() < WITH_A_PAST else ()
        return Inputs(tuple(values), tuple(chosen), before=before)

    def _changed(self, known: Sequence[Inputs]) -> Inputs:
        """Change one argument of an answered call to what seemed likely at first: what is never passed is learnt so.

        The others are kept, or arrays of one shape take their place. A number may become one beside it, or far from it;
        or all arrays are made longer.
        """
        base = self.rng.choice(self.rng.choice(([one for one in known if one.lines & self.lines_left], known)) or known)
        if self.rng.random() < LENGTHENED:
            return base._replace(values=longer_values(base.values, self.rng.choice(TIMES)))
        optional = [index for index, value in enumerate(base.values) if value is DEFAULT]
        index = self.rng.choice(self.rng.choice((optional, range(len(self.prior)))) or range(len(self.prior)))
        if type(base.values[index]) in (int, float) and self.rng.random() < KEPT:
            return base._replace(values=self._other_numbers(base.values, index))
        if self.rng.random() < RELATED and (beside := one_like_another(base.values, index, self.rng)) is not None:
            return base._replace(values=(*base.values[:index], beside, *base.values[index + 1 :]))
        passed = [{way: much for way, much in one.items() if way != "default"} or one for one in self.prior]
        recipe = (*base.recipe[:index], self._choose(index, passed), *base.recipe[index + 1 :])
        sizes = self.drawer.sizes()
        sizes.is_alike = self.rng.random() > KEPT
        if not sizes.is_alike:
            sizes.take(base.values)
        values = [
            self._value(at, one, sizes) if at == index or sizes.is_alike else copy_of(base.values[at])
            for at, one in enumerate(recipe)
        ]
        return base._replace(values=tuple(values), recipe=recipe)

    def _other_numbers(self, values: tuple[Any, ...], index: int) -> tuple[Any, ...]:
        """Change one number of a call, and some of the others: some branches are taken where several are large."""
        return tuple(
            self.drawer.another_number(one)
            if at == index or type(one) in (int, float) and self.rng.random() < TOGETHER
            else copy_of(one)
            for at, one in enumerate(values)
        )

    def _before(self, sizes: Sizes) -> tuple[Before, ...]:
        """Calls of other methods, with what their contracts name."""
        numbers = [self.rng.randrange(len(self.others)) for _ in range(self.rng.choice(PASTS))]
        drawn = [self.others[number].drawn_own(number, sizes) for number in numbers]
        return tuple(one for one in drawn if one is not None)

    def drawn_own(self, number: int, sizes: Sizes) -> Before | None:
        """Give the call of a method with drawn values, and None where these break its contract."""
        own = range(len(self.target.constructor), len(self.weights))
        recipe = tuple(self._choose(index) for index in own)
        values = tuple(self._value(index, one, sizes) for index, one in zip(own, recipe, strict=True))
        named = zip(values, self.target.kinds[own.start :], strict=True)
        return Before(number, values, recipe) if all(v is DEFAULT or accepts(k, v) for v, k in named) else None

    def _note_size(self, name: str, value: Any, sizes: Sizes) -> None:
        """Let a parameter be the size that has its name."""
        if type(value) is not int or not 0 < value <= MOST_NAMED:
            return
        if name in self.sizes:
            sizes.named.setdefault(name, value)
        elif name in LETTERS:
            sizes.named.setdefault(self.rng.choice(LETTERS), value)

    def _choose(self, index: int, weights: Sequence[Mapping[str, float]] = ()) -> str:
        found = (weights or self.weights)[index]
        return self.rng.choices(list(found), list(found.values()))[0]

    def _value(self, index: int, recipe: str, sizes: Any) -> Any:
        value = self._drawn(index, recipe, sizes)
        are_labels = LABELS in self._hint(self.target.parameters[index].name).uses
        return self.drawer.as_labels(value) if are_labels and self.rng.random() < LABELLED else value

    def _drawn(self, index: int, recipe: str, sizes: Any) -> Any:
        if recipe.startswith("given "):
            return copy_of(self.given[int(recipe[6:])][index])
        if recipe.startswith("made "):
            fitting = [one for one in self.made[recipe[5:]] if accepts(self.target.kinds[index], one)]
            value = copy_of(self.rng.choice(fitting))
            sizes.shapes.append(np.shape(value))
            return value
        if recipe == "passed on":
            return self.drawer.of_kind(self.rng.choice(self.target.passed[index]), sizes)
        if recipe.startswith("kind "):
            return self.drawer.of_kind(self.target.kinds[index][int(recipe[5:])], sizes)
        return self.drawer.by_recipe(recipe, sizes)

    def _learn(self, inputs: Inputs, seen: Observation) -> None:
        if seen.is_late:
            return
        is_telling = seen.has_result and gives_something(seen)
        is_new = seen.has_result and bool(seen.lines & self.lines_left)
        if seen.has_result:
            past = tuple(one.number for one in inputs.before)
            ways = is_telling, past, *inputs.recipe, *map(_size, inputs.values)
            key = *ways, (seen.lines, 0)
            if is_new and key in self.answered:  # alike but for its numbers: another one for lines that few come to
                key = *ways, (seen.lines, len(self.answered))
            self.reached.update(seen.lines if key not in self.answered else ())
            self.answered.setdefault(key, self._paid(inputs, seen))
        else:
            self.words[seen.word] += 1
        if self._is_stopped_before(inputs, seen):
            return
        if seen.raised is not None and seen.raised.by != "call":
            kinds = ",".join(type(value).__name__ for value in inputs.values)
            self.raising.setdefault((seen.raised.name, seen.raised.message[:40], kinds), inputs)
        gain = 1.35 if is_telling else 1.0 if seen.has_result else 0.93
        self._weigh(inputs.recipe, max(gain, FURTHER) if is_new and len(self.answered) > OFTEN else gain)

    def _is_stopped_before(self, inputs: Inputs, seen: Observation) -> bool:
        """Learn of the calls that come before; tell whether one of them raises."""
        step = seen.raised.step if seen.raised is not None else len(inputs.before) + 1
        for place, one in enumerate(inputs.before[:step], 1):
            self.others[one.number].weigh_own(one.recipe, 1.35 if place < step else 0.8)
        return 0 < step <= len(inputs.before)

    def weigh_own(self, recipe: Sequence[str], gain: float) -> None:
        """Let what the parameters of a method alone were drawn by promise more, or less."""
        self._weigh(recipe, gain, len(self.target.constructor))

    def _weigh(self, recipe: Sequence[str], gain: float, first: int = 0) -> None:
        for weights, one in zip(self.weights[first:], recipe, strict=True):
            if weights.get(one):  # seeds of several arguments are not drawn again
                weights[one] = min(max(weights[one] * gain, 0.02), 40.0)

    def _bases(self, pairs: Iterable[tuple[tuple[Any, ...], Inputs]]) -> list[Inputs]:
        """Of answered calls with their keys those to vary, the best first, each with a way to come about of its own."""
        most = max((len(one.lines) for one in self.answered.values()), default=0)
        ranks = [((key[:1] != (True,), key in self.idle, *cost(one, most)), one) for key, one in pairs]
        return apart([one for _, one in sorted(ranks, key=lambda pair: pair[0])])

    def adversarial(self) -> list[Inputs]:
        """The inputs found, varied one parameter at a time and together; then those the old side raises for."""
        pairs = sorted(self.answered.items(), key=lambda pair: pair[0][:1] != (True,))
        found: list[Inputs] = [one for _, one in pairs][:ENOUGH]
        self.rng.shuffle(pairs)
        bases = [list(self._varied(one)) for one in self._bases(pairs)]
        first = by_parameter(bases[0]) if bases else []
        more = self.pasts[:ENOUGH], self._varied_pasts(), self.small[:MOST_SMALL], self.turns, self._raising()
        found = in_turn(found, first[::2], first[1::2], *more)
        rest = [one for others in bases[1:] for one in others]
        self.rng.shuffle(rest)
        most = MOST_CALLS + sum(map(len, more)) - len(found)
        found += new_first(rest, {one.note for one in found})[: max(0, most)]
        return [one for one in found if self.target.is_within(one)]

    def _varied_pasts(self) -> list[Inputs]:
        """Calls that come after others, varied: on a new object many methods do nothing."""
        found = [new for one in self.pasts[:PASTS_VARIED] for new in self._varied(one)]
        self.rng.shuffle(found)
        return own_first(new_first(found, set()), [one.name for one in self.target.own])[:MOST_VARIED]

    def _raising(self) -> list[Inputs]:
        """Inputs that the old side raises for, errors of all kinds first; as lists too, which it makes arrays of."""
        kinds = Counter[tuple[str, str]]()
        places = {}
        for key in self.raising:
            places[key] = kinds[key[:2]]
            kinds[key[:2]] += 1
        found = [self.raising[key] for key in sorted(self.raising, key=lambda key: places[key])][:MOST_RAISING]
        for one in list(found):
            values = tuple(value.tolist() if isinstance(value, np.ndarray) else value for value in one.values)
            if any(new is not old for new, old in zip(values, one.values, strict=True)):
                found.append(one._replace(values=values, note="lists"))
        return found

    def _varied(self, base: Inputs) -> Iterator[Inputs]:
        for index, value in enumerate(base.values):
            one = self.target.parameters[index]
            for note, new in vary.variations(value) if value is not DEFAULT else alter.beside_default(one.default):
                values = [*base.values[:index], new, *base.values[index + 1 :]]
                yield base._replace(values=tuple(values), note=f"{one.name}: {note}")
        body = self.target.body
        bounds = vary.at_bounds(base.values, body.offsets), vary.near_constants(base.values, body.floats)
        for together in (vary.joint(base.values), *bounds):
            yield from (base._replace(values=tuple(values), note=note) for note, values in together)
