"""Values drawn for parameters: arrays of linked sizes, numbers, lists, words, functions."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from np2torch.verify import samples
from np2torch.verify.encode import Table
from np2torch.verify.hints import Hints
from np2torch.verify.kinds import Kind
from np2torch.verify.standard import BY_NAME

Array = np.ndarray[Any, Any]
WIDTH = 9.0
"""The most by which the ends of intervals are beyond 1 and -1: numbers that are drawn are mostly within."""
SHARES = ((0.65, 0.35), (0.3, 0.7), (0.5, 0.3, 0.2))
"""How often each label is drawn."""
WHOLE = (0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 7, 8, 9, 16, 25)
"""Whole numbers as arguments: small ones, a prime, powers and squares."""
FACTORS = (2, 3, 10, 50)
"""How many times as large numbers become that are to take another branch."""
AXES = ("axis", "dim", "axes")
COUNTS = (
    "n",
    "m",
    "k",
    "num",
    "size",
    "order",
    "degree",
    "count",
    "length",
    "window",
    "steps",
    "iterations",
    "level",
    "levels",
    "dimension",
    "ndim",
    "nb",
    "bins",
    "lag",
    "index",
    "i",
    "j",
    "width",
    "height",
    "samples",
    "factors",
    "max_iter",
    "maxiter",
)
GENERATORS = ("rng", "randomstate", "random_state", "generator", "prng", "rand", "random")
FLAGS = (
    "keepdims",
    "normalize",
    "normalise",
    "normed",
    "center",
    "copy",
    "inplace",
    "verbose",
    "full",
    "sort",
    "inverse",
    "in_deg",
    "degrees",
    "deg",
    "debug",
    "bias",
    "reverse",
)


def _directions(x: Array) -> Array:
    """Rows of length 1."""
    return np.asarray(x / np.linalg.norm(x, axis=-1, keepdims=True))


def _weights(x: Array) -> Array:
    """Rows of positive numbers that add up to 1."""
    return np.asarray(np.abs(x) / np.abs(x).sum(axis=-1, keepdims=True))


def _rotations(x: Array) -> Array:
    """Rotations where the last axes are square, else directions."""
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        return _directions(x)
    found, _ = np.linalg.qr(x)
    found[..., 0] *= np.sign(np.linalg.det(found))[..., None]
    return found


def _definite(x: Array) -> Array:
    """Symmetric and positive definite where the last axes are square, else weights."""
    if x.ndim < 2 or x.shape[-1] != x.shape[-2]:
        return _weights(x)
    return np.round(x @ x.swapaxes(-1, -2), 3) + np.eye(x.shape[-1])


def _signs(x: Array) -> Array:
    """Ones and minus ones."""
    return np.where(x < 0, -1.0, 1.0)


SHAPED: dict[str, Callable[[Array], Array]] = {
    "directions": _directions, "weights": _weights, "rotations": _rotations, "definite": _definite, "signs": _signs,
}  # fmt: skip
"""The kinds of array that numerical code asks for, by the name of a style."""
STYLES = ("normal",) * 5 + ("positive", "unit", "whole", "ties", "sorted") * 2 + tuple(SHAPED) * 2


EQUAL = 0.15
"""The share of sizes that are those of another name: square matrices are what some code asks for."""


LONG = 0.1
"""The share of sizes that are large: neighbours and windows are found in long series only."""


class Sizes:
    """Sizes of one call: those with one name are one number."""

    def __init__(self, rng: random.Random, constants: Sequence[int]) -> None:
        self.rng = rng
        self.constants = constants
        self.named: dict[str, int] = {}
        self.shapes: list[tuple[int, ...]] = []
        self.is_alike = False
        """Whether arrays with any number of axes have the shape of the one before."""

    def __call__(self, name: str) -> int:
        if name.isdigit():
            return int(name)
        if name not in self.named:
            used = list(self.named.values())
            small = [1, 2, 3, 3, 4, 4, 4, 5, 5, 6, 6, 8]
            choice = self.rng.random()
            if self.constants and choice < 0.25:
                self.named[name] = self.rng.choice(self.constants)
            elif used and choice > 1 - EQUAL:
                self.named[name] = self.rng.choice(used)
            elif choice > 1 - EQUAL - LONG:
                self.named[name] = self.rng.choice((20, 40, 60))
            else:
                fresh = [one for one in small if one not in used] or small
                self.named[name] = self.rng.choice(fresh)
        return self.named[name]

    def take(self, values: Sequence[Any]) -> None:
        """Let arrays that are there already say what the sizes are."""
        self.shapes += [one.shape for one in values if isinstance(one, np.ndarray) and one.ndim]
        for shape in self.shapes:
            for name, size in zip(("n", "m"), shape, strict=False):
                self.named.setdefault(name, size)


class Drawer:
    """Draws values; the same seed gives the same values."""

    def __init__(self, seed: str, constants: Sequence[int]) -> None:
        self.rng = random.Random(seed)
        self.numpy = np.random.default_rng([ord(letter) for letter in seed])
        self.constants = [one for one in constants if one > 1]

    def sizes(self) -> Sizes:
        """Sizes for a new call."""
        return Sizes(self.rng, self.constants)

    # -------------------------------------------------------------------------------------------- arrays
    def values(self, shape: tuple[int, ...], dtype: str = "float64") -> np.ndarray[Any, Any]:
        """An array of some shape; what is in it is of one of several styles."""
        kind = np.dtype(dtype).kind
        if kind == "b":
            return self.numpy.random(shape) < 0.5
        if kind in "iu":
            if kind == "i" and self.rng.random() < 0.1:
                return np.where(self.numpy.random(shape) < 0.5, -1, 1).astype(dtype)
            low = 0 if kind == "u" else self.rng.choice([-9, 0, 0, 1])
            return self.numpy.integers(low, self.rng.choice([3, 10, 100]), shape).astype(dtype)
        style = self.rng.choice(STYLES)
        drawn = self.numpy.standard_normal(shape)
        if style in SHAPED and shape and kind == "f" and min(shape) > 0:
            return SHAPED[style](drawn).astype(dtype)
        if style == "positive":
            drawn = np.abs(drawn) + 0.1
        elif style == "unit":
            drawn = self.numpy.random(shape)
        elif style == "whole":
            drawn = np.round(drawn * 3)
        elif style == "ties":
            drawn = np.round(drawn * 2) / 2
        elif style == "sorted" and shape:
            drawn = np.sort(drawn, axis=0)
        if kind == "c":
            drawn = drawn + 1j * self.numpy.standard_normal(shape)
        return np.round(drawn, 3).astype(dtype)

    def of_kind(self, kind: Kind, sizes: Sizes, depth: int = 0) -> Any:
        """A value that one alternative of a contract names."""
        match kind.name:
            case "array":
                dtypes = kind.dtypes or ("float64",) * 4 + ("int64",)
                usual = [one for one in USUAL if one in kind.dtypes]
                dtype = usual[0] if usual and self.rng.random() < AS_USUAL else self.rng.choice(dtypes)
                names = kind.sizes if kind.sizes is not None else self._axes()
                is_known = sizes.is_alike and kind.sizes is None and sizes.shapes
                shape = sizes.shapes[-1] if is_known else tuple(sizes(name) for name in names)
                sizes.shapes.append(shape)
                return self.values(shape, dtype)
            case "scalar":
                return self.values((1,), self.rng.choice(kind.dtypes) if kind.dtypes else "float64")[0]
            case "list" | "tuple" | "set":
                return self._sequence(kind, sizes, depth)
            case "callable":
                return getattr(samples, self.rng.choice(samples.NAMES))
            case "generator":
                return self.generator(kind.value)
            case "standard":
                return BY_NAME[kind.value].sample
            case "lists":
                return self.values((sizes("n"),)).tolist()
        return self._plain(kind)

    def generator(self, name: str) -> Any:
        """A generator of random numbers, of the older or the newer class."""
        seed = self.rng.randrange(100)
        return np.random.RandomState(seed) if name == "RandomState" else np.random.default_rng(seed)

    def _axes(self) -> tuple[str, ...]:
        """The sizes of an array with any number of axes; some are those that the function asks for."""
        size = str(self.rng.choice(self.constants)) if self.constants and self.rng.random() < 0.4 else ""
        if size:
            return self.rng.choice(((size,), ("n", size), ("n", size), (size, size), ("n", size, size)))
        return self.rng.choice((("n",),) * 4 + (("n", "m"),) * 2 + (("n", "n"),) * 2 + ((), ("k", "n", "m")))

    def _plain(self, kind: Kind) -> Any:
        """A value of one of Python's own types."""
        match kind.name:
            case "int":
                if kind.value is not None and self.rng.random() < 0.5:
                    return kind.value
                return self.rng.choice(WHOLE if kind.is_nonnegative else (*WHOLE, -1))
            case "float":
                if kind.value is not None and self.rng.random() < 0.5:
                    return kind.value
                number = self.rng.choice((0.5, 1.0, 2.0, 0.1, 3.7, round(self.rng.gauss(0, 2), 3)))
                return abs(number) if kind.is_nonnegative else number
            case "complex":
                return complex(round(self.rng.gauss(0, 1), 2), round(self.rng.gauss(0, 1), 2))
            case "bool":
                return self.rng.random() < 0.5
            case "str":
                return kind.value if kind.value is not None else self.rng.choice(("a", "b c"))
        return None

    def _sequence(self, kind: Kind, sizes: Sizes, depth: int) -> Any:
        makes: dict[str, Callable[[Any], Any]] = {
            "list": list,
            "tuple": tuple,
            "set": lambda items: set(map(str, items)),
        }
        if depth > 3:
            return makes[kind.name]([])
        if kind.is_fixed:
            items = [self.of_kind(self.rng.choice(place), sizes, depth + 1) if place else None for place in kind.items]
        else:
            places = [one for place in kind.items for one in place] or [Kind("float")]
            items = [self.of_kind(self.rng.choice(places), sizes, depth + 1) for _ in range(sizes("n"))]
        return makes[kind.name](items)

    def another_number(self, value: int | float) -> int | float:
        """Draw a number of the same type beside another one, or some times as large or small."""
        if isinstance(value, int):
            times = self.rng.choice(FACTORS)
            return self.rng.choice((value + 1, value - 1, value * times, value // times, value * times + 1))
        factor = self.rng.choice((*FACTORS, 1.1))
        return self.rng.choice((value + 1.0, value - 1.0, value * factor, value / factor, -value))

    def as_labels(self, value: Any) -> Any:
        """Few whole numbers, not equally often, in the place of those of a series; anything else as it is."""
        series = np.array(value) if isinstance(value, (list, np.ndarray)) else np.array(0)
        if series.ndim != 1 or series.dtype.kind not in "iuf" or not series.size:
            return value
        shares = np.array(self.rng.choice(SHARES))
        found = self.numpy.choice(len(shares), series.size, p=shares).astype(series.dtype)
        return found.tolist() if isinstance(value, list) else found

    # -------------------------------------------------------------------------------------------- recipes
    def by_recipe(self, recipe: str, sizes: Sizes) -> Any:
        """A value by the name of a recipe, for a parameter of which nothing is stated."""
        name, _, rest = recipe.partition(" ")
        match name:
            case "array" | "ints":
                shape = tuple(sizes(part) for part in rest.split(",") if part)
                sizes.shapes.append(shape)
                return self.values(shape, "float64" if name == "array" else "int64")
            case "intervals":
                shape = tuple(sizes(part) for part in rest.split(","))
                return WIDTH * self.numpy.random(shape) * [-1.0, 1.0] + [-1.0, 1.0]
            case "like":
                shape = self.rng.choice(sizes.shapes) if sizes.shapes else (sizes("n"),)
                return self.values(shape)
            case "list":
                return self.values((sizes("n"),), self.rng.choice(("float64", "float64", "int64"))).tolist()
            case "rows":
                return self.values((sizes("n"), sizes("m"))).tolist()
            case "arrays":
                return [self.values((sizes("n"),)) for _ in range(3)]
            case "Series" | "DataFrame":
                shape = (sizes("n"),)
                sizes.shapes.append(shape)
                names = ("a", "b") if name == "DataFrame" else (None,)
                return Table(name, range(*shape), (None, *names), [self.values(shape) for _ in names])
        return self._plain_by_recipe(name, rest, sizes)

    def _plain_by_recipe(self, name: str, rest: str, sizes: Sizes) -> Any:
        match name:
            case "int":
                return self.rng.choice((*WHOLE, 6, -1))
            case "size":
                return sizes(self.rng.choice(("n", "m")))
            case "float":
                return self.rng.choice((0.5, 1.0, 2.0, 0.25, 1.5, -1.0, 0.1, 3.7, round(self.rng.gauss(0, 2), 3)))
            case "unit":
                return self.rng.choice((0.1, 0.5, 0.25, 0.9))
            case "bool":
                return self.rng.random() < 0.5
            case "none":
                return None
            case "callable":
                return getattr(samples, self.rng.choice(samples.NAMES))
            case "text":
                return "".join(self.rng.choice("aabc") for _ in range(2 * sizes("n")))
            case "word":
                return rest
            case "number":
                return int(rest)
            case "pair":
                return (self.rng.choice((0, 1, 2, 0.5)), self.rng.choice((3, 4, 5.5)))
            case "shape":
                return (self.rng.choice((1, 2, 3)), self.rng.choice((2, 3, 4)))
            case "default":
                return DEFAULT
            case "generator":
                return self.generator(rest)
        raise KeyError(name)


USUAL, AS_USUAL = ("float64", "int64", "complex128"), 0.5
"""Dtypes that most arrays have, and the share of arrays that have the first of these which a contract names."""


class Default:
    """Stands for a parameter that is not passed; there is one of it, which copies of values hold too."""

    def __deepcopy__(self, memo: dict[int, Any]) -> Default:
        return self


DEFAULT = Default()


OF_TUPLES = {"default": 4.0, "pair": 1.0, "shape": 0.5}
"""Recipes for a parameter whose default is a tuple."""
ASKED_FOR = 3.0
"""The weight of what `isinstance` asks for."""
OF_TYPES = {
    "str": ("text",), "list": ("list",), "tuple": ("pair",), "int": ("int",), "float": ("float",), "bool": ("bool",),
    "ndarray": ("array n", "array n,m", "list"), "Number": ("int", "float"), "Real": ("int", "float"),
    "Series": ("Series",), "DataFrame": ("DataFrame",),
}  # fmt: skip
"""The recipes of values of a type."""


def recipes(name: str, default: str | None, hint: Hints, constants: Sequence[int]) -> dict[str, float]:
    """Recipes for a parameter of which nothing is stated, and how much they promise."""
    is_tuple = (default or "").startswith("(") and name not in AXES  # to which others may be added
    return OF_TUPLES if is_tuple else _recipes(name, default, hint, constants)


def _recipes(name: str, default: str | None, hint: Hints, constants: Sequence[int]) -> dict[str, float]:
    found = {
        "array n": 3.0,
        "array n,m": 2.0,
        "array n,n": 1.0,
        "float": 1.5,
        "int": 1.0,
        "like": 2.0,
        "list": 0.7,
        "ints n": 0.5,
        "rows": 0.3,
        "bool": 0.1,
        "none": 0.1,
        "callable": 0.1,
        "unit": 0.3,
        "size": 0.5,
        "pair": 0.2,
        "arrays": 0.2,
        "array k,n,m": 0.3,
        "shape": 0.1,
    }
    for size in [one for one in constants if one > 1][:4]:
        found |= {f"array {size}": 0.8, f"array n,{size}": 0.6, f"array {size},{size}": 0.4, f"array {size},n": 0.3}
        found[f"array n,{size},{size}"] = 0.4
    if hint.words:  # what is compared with text is text
        found = {recipe: 0.1 * weight for recipe, weight in found.items()}
    for word in hint.words[:12]:
        found[f"word {word}"] = 8.0 / len(hint.words[:12])
    for number in hint.numbers[:6]:
        found[f"number {number}"] = 0.3
    boosts = {
        "called": {"callable": 20.0},
        "counted": {"int": 5.0, "size": 4.0},
        "indexed": {"array n": 1.0, "array n,m": 1.0, "list": 0.5},
        "array": {"array n": 1.0, "array n,m": 1.0, "like": 1.0},
        "text": {"word a": 4.0},
        "iterated": {"list": 0.5, "array n": 0.5},
        "labels": {"ints n": 4.0, "array n": 1.0},
        **{f"asked {kind}": dict.fromkeys(recipes, ASKED_FOR) for kind, recipes in OF_TYPES.items()},
        "drawn from": {"generator RandomState": 8.0, "generator Generator": 8.0},
    }
    for use in hint.uses:
        for recipe, more in boosts.get(use, {}).items():
            found[recipe] = found.get(recipe, 0.0) + more
    lowered = name.lower().strip("_")
    if lowered in AXES:
        found |= {"none": 3.0, "number 0": 6.0, "number -1": 4.0, "number 1": 3.0}
    if lowered in GENERATORS:
        found |= {"generator RandomState": 3.0, "generator Generator": 3.0, "int": 3.0}
    if lowered in COUNTS or lowered.startswith(("n_", "num", "max_", "nb_")):
        found |= {"int": 10.0, "size": 6.0}
    if lowered in FLAGS or lowered.startswith(("is_", "use_", "return_", "with_")):
        found["bool"] = 10.0
    if default is not None:
        found["default"] = 4.0
        found |= _by_default(default)
    return found


def _by_default(default: str) -> dict[str, float]:
    """Give weights of values to draw for a parameter, judged by its default."""
    if default in ("True", "False"):
        return {"bool": 12.0}
    if default.startswith(("'", '"')):
        return {f"word {default[1:-1]}": 2.0}
    try:
        value = float(default)
    except ValueError:
        return {}
    if value == int(value) and "." not in default and "e" not in default:
        return {"int": 6.0, f"number {int(value)}": 2.0}
    return {"float": 5.0, "unit": 3.0}


OTHERS = 0.25
"""The share that is left of the weights of other values where a shape is known."""
PAIRS = ",2"
"""How shapes end of arrays whose rows may be the ends of intervals."""


def with_shapes(found: dict[str, float], documented: Sequence[str], used: Sequence[str] = ()) -> dict[str, float]:
    """Prefer arrays of the documented shapes, and those a parameter is used as if it had: others lose most weight."""
    if not documented and not used:
        return found
    rest = {one: weight * (1.0 if one in ("default", "none") else OTHERS) for one, weight in found.items()}
    arrays = dict.fromkeys((f"array {shape}" for shape in used), 4.0)
    intervals = dict.fromkeys((f"intervals {shape}" for shape in used if shape.endswith(PAIRS)), 4.0)
    return rest | arrays | intervals | {f"array {shape}": 8.0 for shape in documented}
