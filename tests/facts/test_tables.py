"""The tables of facts: what they answer, and that NumPy and torch still do what they say."""

from __future__ import annotations

import itertools
import random
import subprocess
import sys
import time

import numpy as np
import pytest

from np2torch.facts import tables as facts
from np2torch.facts.tables import DTYPES, NUMPY_OPERANDS, TORCH_OPERANDS, WEAK, Operand, Recipe
from support.paths import ROOT

torch = pytest.importorskip("torch")

from tables import numpy_side, search  # noqa: E402
from tables.pairs import INPLACE, PAIRS  # noqa: E402

recorded = pytest.mark.skipif(
    facts.versions() != {"numpy": np.__version__, "torch": torch.__version__.split("+")[0]},
    reason="the tables were recorded with other versions: run tools/build_tables.py",
)
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
DIM, ZERO_D = False, True


# ------------------------------------------------------------------------------------------- no drift
@recorded
def test_numpy_still_returns_what_is_recorded() -> None:
    functions, draw = numpy_side.functions(), random.Random(1)
    for key in draw.choices(sorted(functions), k=250):
        name, arity = key.split("/")
        operands = tuple(draw.choices(NUMPY_OPERANDS, k=int(arity)))
        seen = numpy_side.observe(numpy_side.compiled(functions[key]), operands)
        assert {facts.result(name, *operands)} == (seen or {None}), (name, operands)


@recorded
def test_torch_still_needs_the_casts_that_are_recorded() -> None:
    draw = random.Random(2)
    for key in draw.choices(sorted(PAIRS), k=150):
        name = key.split("/")[0]
        operands = tuple(draw.choices(TORCH_OPERANDS, k=PAIRS[key].arity))
        assert facts.recipe(name, *operands) == search.find(PAIRS[key], operands), (name, operands)


@recorded
def test_in_place_still_needs_the_casts_that_are_recorded() -> None:
    draw = random.Random(3)
    for name in draw.choices(sorted(INPLACE), k=60):
        left, right = draw.choices(TORCH_OPERANDS, k=2)
        assert facts.inplace(name, left, right) == search.find_inplace(name, left, right), (name, left, right)


@recorded
def test_every_pair_of_the_generator_is_in_the_file() -> None:
    assert set(PAIRS) == set(facts._tables().recipes)
    assert set(INPLACE) == set(facts._tables().inplace)
    assert set(facts._tables().results) <= set(numpy_side.functions())


# ------------------------------------------------------------------------------------------- NumPy's dtypes
@pytest.mark.parametrize(
    ("name", "operands", "expected"),
    [
        ("add", ("int64", "float32"), "float64"),
        ("add", ("uint8", "pyint"), "uint8"),
        ("add", ("float32", "pyfloat"), "float32"),
        ("add", ("bool", "pyint"), "int64"),
        ("true_divide", ("int32", "int32"), "float64"),
        ("subtract", ("bool", "bool"), None),
        ("sqrt", ("int8",), "float16"),
        ("sqrt", ("pyint",), "float64"),
        ("divmod", ("int64", "pyint"), ("int64", "int64")),
        ("less", ("int64", "uint64"), "bool"),
        ("sum", ("uint8",), "uint64"),
        ("mean", ("int32",), "float64"),
        ("std", ("float32",), "float32"),
        ("argsort", ("float64",), "int64"),
        ("linalg.svd", ("float32",), ("float32", "float32", "float32")),
        ("linalg.inv", ("int64",), "float64"),
        ("linalg.inv", ("float16",), None),
        ("fft.fft", ("float32",), "complex64"),
        ("histogram", ("int64",), ("int64", "float64")),
        ("where", ("float32", "pyfloat"), "float32"),
        ("interp", ("float32", "float32", "float32"), "float64"),
        ("allclose", ("float32", "float64"), "pybool"),
        ("linalg.eig", ("float64",), None),
        ("roots", ("float64",), None),
        ("no_such_function", ("float64",), None),
        ("add", ("object", "float64"), None),
    ],
)
def test_results(name: str, operands: tuple[str, ...], expected: object) -> None:
    assert facts.result(name, *operands) == expected


def test_value_dependent_functions_are_absent() -> None:
    for name in numpy_side.VALUE_DEPENDENT:
        assert not facts.knows(name, 1) and not facts.knows(name, 2)


def test_promotion_is_that_of_numpy_for_any_number_of_operands() -> None:
    draw = random.Random(4)
    plain = {"pybool": True, "pyint": 1, "pyfloat": 1.0, "pycomplex": 1j}
    for count in [1, 2, 3, 3, 4, 6] * 100:
        names = draw.choices(NUMPY_OPERANDS, k=count)
        expected = np.result_type(*(plain.get(n, n) if n in WEAK else np.dtype(n) for n in names)).name
        assert facts.promote(*names) == expected, names
    assert facts.promote("int16", "uint16", "float32") == "float32"
    assert facts.promote("object") is None and facts.promote() is None


def test_can_cast() -> None:
    for source, target in itertools.product(DTYPES, repeat=2):
        for casting in facts.CASTINGS:
            assert facts.can_cast(source, target, casting) == np.can_cast(source, target, casting)  # type: ignore[arg-type]
    assert facts.can_cast("pyint", "uint8") and not facts.can_cast("pyfloat", "int64")
    assert not facts.can_cast("object", "int64")


# ------------------------------------------------------------------------------------------- casts for torch
@pytest.mark.parametrize(
    ("name", "operands", "casts"),
    [
        ("add", (("float64", DIM), "pyint"), (None, None)),
        ("add", (("float64", DIM), ("float64", DIM)), (None, None)),
        ("true_divide", (("int64", DIM), "pyint"), ("float64", None)),
        ("multiply", (("float32", DIM), ("float64", ZERO_D)), ("float64", None)),
        ("multiply", (("float64", DIM), ("float32", ZERO_D)), (None, None)),
        ("add", (("uint8", DIM), ("int64", ZERO_D)), ("int64", None)),
        ("subtract", ("pyint", ("bool", DIM)), (None, "int64")),
        ("add", (("int64", DIM), ("float32", DIM)), ("float64", None)),
        ("less", (("int64", DIM), "pyfloat"), ("float64", None)),
        ("std", (("int64", DIM),), ("float64",)),
        ("sqrt", (("int64", ZERO_D),), ("float64",)),
        ("where", (("float32", DIM), "pyfloat"), (None, None)),
        ("fft.fft", (("int64", DIM),), ("float64",)),
        ("linalg.inv", (("int32", DIM),), ("float64",)),
    ],
)
def test_recipes(name: str, operands: tuple[Operand, ...], casts: tuple[str | None, ...]) -> None:
    recipe = facts.recipe(name, *operands)
    assert recipe is not None
    assert recipe.casts == casts and recipe.result_cast is None and recipe.dtype_argument is None


def test_a_dtype_argument_is_preferred_to_a_cast() -> None:
    assert facts.recipe("mean", "int64") == Recipe((None,), dtype_argument="float64")
    assert facts.recipe("sum", "int64") == Recipe((None,))


def test_the_sum_of_uint8_is_unsigned_so_never_as_is() -> None:
    recipe = facts.recipe("sum", "uint8")
    assert recipe is None or not recipe.as_is


def test_flags() -> None:
    division = facts.recipe("floor_divide", "int64", "int64")
    assert division is not None and division.as_is and not division.zero_safe
    comparison = facts.recipe("less", "uint8", "pyint")
    assert comparison is not None and comparison.as_is and not comparison.range_safe
    wide = facts.recipe("less", "int64", "pyint")
    assert wide is not None and wide.as_is and wide.range_safe
    assert facts.recipe("true_divide", "float64", "float64") == Recipe((None, None))


def test_no_recipe_where_torch_differs_in_value() -> None:
    assert facts.recipe("sign", "float64") is None  # of NaN: 0 in torch
    assert facts.recipe("less", "complex128", "complex128") is None
    assert facts.recipe("less", "uint64", "int64") is None


@pytest.mark.parametrize(
    ("name", "mirrored"), [("less", "greater"), ("less_equal", "greater_equal"), ("equal", "equal"), ("add", "add")]
)
def test_turning_an_expression_round_changes_neither_need_nor_safety(name: str, mirrored: str) -> None:
    for left, right in itertools.product(TORCH_OPERANDS, repeat=2):
        one, other = facts.recipe(name, left, right), facts.recipe(mirrored, right, left)
        assert (one is None) == (other is None), (left, right)
        assert one is None or other is None or one.as_is == other.as_is, (left, right)


def test_in_place() -> None:
    assert facts.inplace("add", "int64", "pyfloat") is None  # NumPy refuses
    assert facts.inplace("true_divide", "int64", "int64") is None
    assert facts.inplace("add", "float64", "int64") == Recipe((None, None))
    assert facts.inplace("add", "float32", ("float64", ZERO_D)) is not None
    assert facts.inplace("matmul", "float64", "float64") is None  # torch binds a new tensor
    assert facts.inplace("add", "pyint", "int64") is None
    wraps = facts.inplace("add", "uint8", "pyint")
    assert wraps is not None and not wraps.range_safe
    divides = facts.inplace("floor_divide", "int64", "int64")
    assert divides is not None and not divides.zero_safe


def test_spelling() -> None:
    assert facts.spelling("std", 1) == "torch.std(a, correction=0)"
    assert facts.spelling("add", 2) == "a + b"
    assert facts.spelling("interp", 3) is None


# ------------------------------------------------------------------------------------------- cost
def test_the_file_is_small_and_loads_fast_without_numpy_or_torch() -> None:
    file = ROOT / "src" / "np2torch" / "facts" / facts.DATA
    assert file.stat().st_size < 150_000
    code = "import sys; import np2torch.facts.tables as t; t.versions(); print({*sys.modules} & {'numpy', 'torch'})"
    command = [sys.executable, "-c", code]
    out = subprocess.run(command, capture_output=True, text=True, cwd=ROOT / "src", check=True).stdout
    assert out.strip() == "set()"
    facts._tables.cache_clear()
    started = time.perf_counter()
    facts.versions()
    assert time.perf_counter() - started < 0.3  # 10 ms on an idle machine
