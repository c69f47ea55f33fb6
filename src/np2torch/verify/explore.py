"""The search for inputs that a function answers: what the old side accepts is learnt from what it does."""

from __future__ import annotations

import copy
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from np2torch.verify import alter, seeds, vary
from np2torch.verify.calls import Call, Observed, Step
from np2torch.verify.draw import DEFAULT, Drawer, Sizes, recipes
from np2torch.verify.encode import TooLargeError, pack
from np2torch.verify.hints import Body, Hints
from np2torch.verify.kinds import ANYTHING, Kind, accepts
from np2torch.verify.pairs import Function, Parameter

ROUNDS, FIRST, DRAWN = 7, 16, 40
ENOUGH = 40
"""Different answered calls after which the search ends."""
MOST_BASES = 10
MOST_WORDS = 8
OTHER_WORDS = {"str": 10.0, "anything": 2.0}
"""The weights of words that the function compares under another name, by what the parameter accepts."""
OTHERS = 0.25
"""The share that is left of the weights of other values where documentation names a shape."""
MOST_CALLS = 260
MOST_RAISING = 16
MOST_SECONDS = 6.0


MOST_NAMED = 9
"""Numbers up to which a parameter is the size that has its name."""
LINKED = 0.7
"""The share of calls in which sizes of one name are one number over all parameters."""


def _size(value: Any) -> Any:
    """The shape of an array or the length of a sequence, small ones apart from each other."""
    shape = getattr(value, "shape", None)
    return shape if shape is not None else len(value) if isinstance(value, (list, tuple)) else None


def _defaults(inputs: Inputs) -> int:
    """Count the parameters that are not passed."""
    return sum(value is DEFAULT for value in inputs.values)


def _with_shapes(found: dict[str, float], shapes: Sequence[str]) -> dict[str, float]:
    """Recipes where documentation names shapes: little is left of the promise of others."""
    if not shapes:
        return found
    rest = {one: weight * (1.0 if one in ("default", "none") else OTHERS) for one, weight in found.items()}
    return rest | {f"array {shape}": 8.0 for shape in shapes}


def _apart(items: Sequence[Inputs]) -> list[Inputs]:
    """The first of some inputs, and those that come about in ways that none before them does."""
    left, found, known = list(items), list[Inputs](), set[tuple[int, str]]()
    while left and len(found) < MOST_BASES:
        new = [len(set(enumerate(one.recipe)) - known) for one in left]
        found.append(left.pop(new.index(max(new)) if found else 0))
        known |= set(enumerate(found[-1].recipe))
    return found


def _new_first(items: Sequence[Inputs], known: set[str]) -> list[Inputs]:
    """The inputs, with those before all others that vary a parameter in a way that none before them does."""
    new: list[Inputs] = []
    others: list[Inputs] = []
    for one in items:
        (others if one.note in known else new).append(one)
        known.add(one.note)
    return new + others


def _gives_something(seen: Observed) -> bool:
    """Tell whether a call gives more than None by its last step."""
    results = seen.values.values[0][1] if seen.values is not None else []
    return bool(results) and results[-1] != ["none"]


def _may_be(kind: Kind, shape: str) -> bool:
    """Tell whether an alternative of a contract leaves room for an array with these sizes."""
    axes = shape.count(",") + 1
    return kind.name == "anything" or kind.name == "array" and (kind.sizes is None or len(kind.sizes) == axes)


class Inputs(NamedTuple):
    """The values of all parameters of a call, and how they came about."""

    values: tuple[Any, ...]
    recipe: tuple[str, ...]
    note: str = ""
    is_whole: bool = True
    """Whether they are enough for a call; those of a recorded call that has a past are not."""


class Target:
    """A function with all the parameters that have to be given: those of its class too.

    Parameters
    ----------
    docstring
        What the function says of itself: its examples are tried.
    """

    def __init__(
        self, function: Function, contract: dict[str, tuple[Kind, ...]], body: Body, docstring: str = ""
    ) -> None:
        self.function = function
        self.own = [one for one in function.parameters if one.kind != "**"]
        self.constructor = [one for one in function.constructor or () if one.kind != "**"]
        self.parameters: list[Parameter] = [*self.constructor, *self.own]
        self.body = body
        self.docstring = docstring
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
            if one.default is None and kinds and all(kind.name == "other" for kind in kinds):
                return f"{one.name} has to be {kinds[0].value}"
        return ""

    def seeds(self, recorded: Sequence[Call]) -> list[tuple[Any, ...]]:
        """Values of all parameters, as examples and recorded calls pass them."""
        constructor = None if self.function.constructor is None else self.constructor
        found = [seeds.of_call(one, constructor, self.own) for one in recorded]
        if constructor is None:
            found += seeds.of_examples(self.docstring, self.function.name, self.own)
        return [one for one in found if one is not None][: seeds.MOST_SEEDS]

    def altered(self, recorded: Sequence[Call], seed: int) -> list[tuple[Inputs, Call]]:
        """Recorded calls with other arguments, where the contract names these."""
        found = alter.alter_calls(recorded, self.constructor, self.own, f"{seed}:{self.name}")
        made = [(Inputs(values, (), call.note, False), call) for values, call in found]
        return [one for one in made if self.is_within(one[0])]

    def call(self, inputs: Inputs, origin: str = "generated") -> Call | None:
        """The call with some inputs; None where they are too large."""
        steps: list[Step] = []
        passed: list[Any] = []
        split = len(self.constructor)
        parts = [(self.own, inputs.values[split:])]
        if self.function.constructor is not None:
            parts.insert(0, (self.constructor, inputs.values[:split]))
        for index, (parameters, values) in enumerate(parts):
            args, names, named = _arranged(parameters, values)
            is_last = index == len(parts) - 1
            target = self.name if is_last else self.function.owner
            steps.append(Step(target, 0 if is_last and index else None, len(args), tuple(names)))
            passed += [*args, *named]
        try:
            return Call(tuple(steps), pack(passed, is_layout_kept=True), origin, inputs.note)
        except TooLargeError:
            return None

    def is_within(self, inputs: Inputs) -> bool:
        """Tell whether the contract names all of the values."""
        return all(
            value is DEFAULT or accepts(kinds, value) for value, kinds in zip(inputs.values, self.kinds, strict=True)
        )


def _arranged(parameters: Sequence[Parameter], values: Sequence[Any]) -> tuple[list[Any], list[str], list[Any]]:
    """Values by position as far as they go without a gap, then by name."""
    args: list[Any] = []
    names: list[str] = []
    named: list[Any] = []
    has_gap = False
    for parameter, value in zip(parameters, values, strict=True):
        if value is DEFAULT:
            has_gap = True
        elif parameter.kind == "*":
            args += [] if has_gap else list(value)
        elif parameter.kind == "positional" and not has_gap:
            args.append(value)
        else:
            names.append(parameter.name)
            named.append(value)
    return args, names, named


class Explorer:
    """Draws calls, sees what the old side does with them, and draws more of those it answers."""

    def __init__(self, target: Target, seed: int, given: Sequence[tuple[Any, ...]] = ()) -> None:
        self.target = target
        self.given = given
        self.drawer = Drawer(f"{seed}:{target.name}", target.body.sizes)
        self.rng = random.Random(f"{seed}:{target.name}:choices")
        shapes = [shape for one in target.body.parameters.values() for shape in one.shapes]
        self.sizes = {name for shape in shapes for name in shape.split(",")}
        """The sizes that documentation names: the `d` of an array of shape (d, 2)."""
        self.weights = [self._prior(index) for index in range(len(target.parameters))]
        self.answered: dict[tuple[Any, ...], Inputs] = {}
        self.raising: dict[tuple[str, str], Inputs] = {}
        self.seconds: list[float] = []
        self.words: Counter[str] = Counter()

    @property
    def mean_seconds(self) -> float:
        """Give the mean time of an answered call on the old side."""
        return sum(self.seconds) / len(self.seconds) if self.seconds else 0.0

    @property
    def why_not(self) -> str:
        """Give the most common reason why calls were not answered."""
        return next((f"no inputs were found that it answers: {word}" for word, _ in self.words.most_common(1)), "")

    def _prior(self, index: int) -> dict[str, float]:
        parameter, kinds = self.target.parameters[index], self.target.kinds[index]
        if parameter.kind == "*":
            return {"default": 2.0, "arrays": 2.0}
        found: dict[str, float] = {}
        for number, kind in enumerate(kinds):
            if kind.name not in ("anything", "other"):
                found[f"kind {number}"] = 8.0 if kind.name != "complex" or len(kinds) == 1 else 0.0
        hint = self._hint(parameter.name)
        if any(kind.name == "anything" for kind in kinds):
            found |= recipes(parameter.name, parameter.default, hint, self.drawer.constants)
        elif parameter.default is not None:
            found["default"] = 4.0
        found = _with_shapes(found, [shape for shape in hint.shapes if any(_may_be(kind, shape) for kind in kinds)])
        for word in hint.words if any(kind.name == "str" and kind.value is None for kind in kinds) else ():
            found[f"word {word}"] = 6.0
        found |= {} if hint.words else self._other_words(kinds)
        for number, values in enumerate(self.given):
            if values[index] is not DEFAULT:
                found[f"given {number}"] = 12.0 / len(self.given)
        return found or {"none": 1.0}

    def _hint(self, name: str) -> Hints:
        """Gather the hints on a parameter: that it counts too, where it is a size of a shape in documentation."""
        hint = self.target.body.parameters.get(name, Hints())
        return hint._replace(uses=hint.uses | {"counted"}) if name in self.sizes else hint

    def _other_words(self, kinds: Sequence[Kind]) -> dict[str, float]:
        """Words that are compared with something else in the function, or its class."""
        most = max((OTHER_WORDS.get(kind.name, 0.0) for kind in kinds if kind.value is None), default=0.0)
        others = self.target.body.words[:MOST_WORDS] if most else ()
        return {f"word {word}": most / len(others) for word in others}

    def search(self, run: Callable[[list[Call]], list[Observed]]) -> list[Inputs]:
        """Inputs that the old side answers, each drawn another way; what it raises for is kept apart."""
        if not self.target.parameters:
            self.answered[()] = Inputs((), ())
            return list(self.answered.values())
        ended = 0
        for number in range(ROUNDS):
            drawn = [self._draw(number) for _ in range(DRAWN if number else FIRST)]
            drawn += [] if number else [Inputs(one, self._recipes(one, place)) for place, one in enumerate(self.given)]
            made = [(one, call) for one in drawn if (call := self.target.call(one)) is not None]
            for (one, _), seen in zip(made, run([call for _, call in made]), strict=True):
                self._learn(one, seen)
                ended += bool(seen.ended)
            if sum(self.seconds) > MOST_SECONDS or len(self.answered) >= ENOUGH or ended > FIRST // 2:
                break
        return list(self.answered.values())

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
        base = self.rng.choice(known) if known and self.rng.random() < 0.7 else None
        chosen = [self._choose(index) for index in range(len(self.weights))]
        if base is not None:
            keep = self.rng.randrange(len(base))
            chosen = [own if index == keep else old for index, (own, old) in enumerate(zip(chosen, base, strict=True))]
        values = []
        for index, one in enumerate(chosen):
            values.append(self._value(index, one, sizes))
            self._note_size(self.target.parameters[index].name, values[-1], sizes)
            sizes = sizes if is_linked else self.drawer.sizes()
        return Inputs(tuple(values), tuple(chosen))

    def _note_size(self, name: str, value: Any, sizes: Sizes) -> None:
        """Let a parameter be the size that has its name."""
        if name in self.sizes and type(value) is int and 0 < value <= MOST_NAMED:
            sizes.named.setdefault(name, value)

    def _choose(self, index: int) -> str:
        names = list(self.weights[index])
        return self.rng.choices(names, [self.weights[index][name] for name in names])[0]

    def _value(self, index: int, recipe: str, sizes: Any) -> Any:
        if recipe.startswith("given "):
            return copy.deepcopy(self.given[int(recipe[6:])][index])
        if recipe.startswith("kind "):
            return self.drawer.of_kind(self.target.kinds[index][int(recipe[5:])], sizes)
        return self.drawer.by_recipe(recipe, sizes)

    def _learn(self, inputs: Inputs, seen: Observed) -> None:
        is_telling = seen.answered and _gives_something(seen)
        if seen.answered:
            self.answered.setdefault((is_telling, *inputs.recipe, *map(_size, inputs.values)), inputs)
            self.seconds.append(seen.seconds)
        else:
            self.words[seen.word] += 1
        if seen.raised is not None and seen.raised.by != "call":
            self.raising.setdefault((seen.raised.name, seen.raised.message[:40]), inputs)
        gain = 1.35 if is_telling else 1.0 if seen.answered else 0.93
        for weights, recipe in zip(self.weights, inputs.recipe, strict=True):
            if weights[recipe]:
                weights[recipe] = min(max(weights[recipe] * gain, 0.02), 40.0)

    def adversarial(self) -> list[Inputs]:
        """The inputs found, varied one parameter at a time and together; then those the old side raises for."""
        pairs = sorted(self.answered.items(), key=lambda pair: pair[0][:1] != (True,))
        found: list[Inputs] = [one for _, one in pairs][:ENOUGH]
        self.rng.shuffle(pairs)
        pairs.sort(key=lambda pair: (pair[0][:1] != (True,), "list" in " ".join(pair[1].recipe), _defaults(pair[1])))
        bases = _apart([one for _, one in pairs])
        rest: list[Inputs] = []
        for base in bases:
            new = list(self._varied(base))
            if base is bases[0]:
                found += new
            else:
                rest += new
        self.rng.shuffle(rest)
        found += _new_first(rest, {one.note for one in found})[: max(0, MOST_CALLS - len(found))]
        found += list(self.raising.values())[:MOST_RAISING]
        return [one for one in found if self.target.is_within(one)]

    def _varied(self, base: Inputs) -> Iterator[Inputs]:
        for index, value in enumerate(base.values):
            for note, new in vary.variations(value):
                values = [*base.values[:index], new, *base.values[index + 1 :]]
                yield Inputs(tuple(values), base.recipe, f"{self.target.parameters[index].name}: {note}")
        for together in (vary.joint(base.values), vary.at_bounds(base.values, self.target.body.offsets)):
            yield from (Inputs(tuple(values), base.recipe, note) for note, values in together)
