"""The rule book: every entry is documented, its spelling parses and exists in torch, and what people use is covered."""

from __future__ import annotations

import ast
import inspect
import re

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.facts import values as v
from np2torch.facts.arguments import Argument, Arguments, bind
from np2torch.names import resolve
from np2torch.rewrite.convert import shim_names
from np2torch.rules import syntax as syntax
from np2torch.rules.core import FUNCTIONS, METHODS, Rule, run_body
from np2torch.rules.rule_arguments import Decline, Template, UnsupportedError
from support.fixture_pairs import converted, numpy_files
from support.paths import TESTS

pytestmark = pytest.mark.filterwarnings("ignore")
DATA = TESTS / "data"
RULES = {**FUNCTIONS, **{f".{name}": rule for name, rule in METHODS.items()}}
NATIVE = {name: rule for name, rule in RULES.items() if rule.body is not None}
CODE = re.compile(r"NPT1\d\d")


def listed(file: str) -> list[str]:
    """The lines of a data file."""
    return [line for line in (DATA / file).read_text("ascii").splitlines() if not line.startswith("#")]


def attribute(root: object, dotted: str) -> object | None:
    """`root.a.b`, None where there is no such thing."""
    for part in dotted.split("."):
        root = getattr(root, part, None)
    return root


# ---------------------------------------------------------------------------------------------- each entry
@pytest.mark.parametrize("name", NATIVE)
def test_a_native_rule_is_documented(name):
    found = NATIVE[name]
    assert found.doc.strip()
    assert found.area
    assert CODE.fullmatch(found.code)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_rule_names_a_thing_of_numpy_or_one_it_once_had(name):
    assert name in resolve.public()


@pytest.mark.parametrize("name", [name for name in RULES if RULES[name].body is None])
def test_what_only_the_shim_can_do_is_in_the_shim(name):
    if name.startswith("."):
        assert callable(getattr(np.ndarray, name[1:], None)) or name == ".ptp"  # gone in NumPy 2; shim.invoke knows it
    else:
        assert name.removeprefix("numpy.") in shim_names()


OWN_NAMES = frozenset(
    "empty_like iscomplex broadcast_to dstack column_stack promote_types array_repr".split()
)
"""Rules whose parameters are not yet NumPy's: calls that use the difference go to the shim."""
FUNCTION_NAMES = [
    pytest.param(name, marks=pytest.mark.xfail(strict=True, reason="not NumPy's parameters"))
    if name.removeprefix("numpy.") in OWN_NAMES else name
    for name in FUNCTIONS if name != "numpy.arange"  # it calls its first parameter start_or_stop
]  # fmt: skip


@pytest.mark.parametrize("name", FUNCTION_NAMES)
def test_parameters_are_numpys(name):
    """Names, order and defaults; a rule may know fewer, then the shim is called with what it does not know."""
    function = attribute(np, name.removeprefix("numpy."))
    if function is None or isinstance(function, np.ufunc):
        return
    try:
        real = inspect.signature(function).parameters
    except (TypeError, ValueError):
        return
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in real.values()):
        return
    order = [p.name for p in real.values() if p.kind is not p.KEYWORD_ONLY]
    for index, parameter in enumerate(p for p in FUNCTIONS[name].signature if not p.variadic):
        assert parameter.name in real, f"NumPy's {name} has no {parameter.name}"
        if parameter.positional and parameter.name in order:  # keyword-only ones cannot be misplaced
            assert order.index(parameter.name) == index
        assert parameter.required == (real[parameter.name].default is inspect.Parameter.empty)
        default = real[parameter.name].default
        if not parameter.required and default is not np._NoValue and parameter.default is not None:
            assert parameter.default == default


SAMPLES = [
    v.array("float64", 2), v.array("float64", 1), v.array("int64", 2), v.array("bool", 1), v.array("complex128", 1),
    v.array("float32", 1),
]  # fmt: skip
TEXTS = {"axis": "0", "dtype": "np.float64", "shape": "(2, 3)", "keepdims": "True", "q": "50.0", "axes": "(1, 0)"}


def arguments(found: Rule, sample: v.Fact, optional: bool) -> Arguments:
    """A call of the rule with this array wherever an array may stand."""
    made = Arguments()
    for parameter in found.signature:
        if parameter.variadic or not (parameter.required or optional) or parameter.annotation == "Refused":
            continue
        arraylike = parameter.annotation in ("ArrayLike", "Operand")
        text = "x" if arraylike else TEXTS.get(parameter.name, "1")
        value: v.Fact = sample if arraylike else v.number(1)
        if parameter.annotation == "DTypeLike":
            value = v.one(v.DType(frozenset(["float64"])))
        elif text.startswith("("):
            value = v.tuple_of(*(v.number(item) for item in ast.literal_eval(text)))
        elif text == "True":
            value = v.number(True)
        made.keywords[parameter.name] = Argument(ast.parse(text, mode="eval").body, value)
    return made


def spellings(found: Rule) -> list[str]:
    """What a rule writes for sample calls."""
    out = []
    for sample in SAMPLES:
        for optional in (False, True):
            bound = bind(found.signature, arguments(found, sample, optional))
            assert bound is not None
            template = Template()
            try:
                emit = run_body(found, bound, template)
            except (Decline, UnsupportedError):
                continue
            text = emit.text or f"{emit.function}({', '.join(f'{k}={a}' if k else str(a) for k, a in emit.arguments)})"
            out.append(text)
    return out


@pytest.mark.parametrize("name", NATIVE)
def test_a_spelling_parses_and_exists_in_torch(name):
    for text in spellings(NATIVE[name]):
        tree = ast.parse(text, mode="eval")
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                dotted = ast.unparse(node)
                if "(" not in dotted and dotted.startswith("torch."):
                    assert attribute(torch, dotted.removeprefix("torch.")) is not None, text
                elif isinstance(node.value, ast.Name) and node.value.id.startswith("NP2TORCH"):
                    assert hasattr(torch.Tensor, node.attr), text
            elif isinstance(node, ast.keyword):
                assert node.arg != "axis", text


# ---------------------------------------------------------------------------------------- what people use
def outcomes(convert_project, text: str) -> tuple[set[str], str]:
    """The outcomes of a module's sites, and its new text."""
    done = convert_project({"m.py": text})["m.py"]
    assert not done.problems
    return {site.outcome for site in done.sites}, done.after


@pytest.mark.parametrize("name", listed("api_90.txt"))
def test_a_name_people_use_has_a_counterpart(project, name):
    """As a value, and in a call with an array of known and of unknown make."""
    np_name = name.replace("numpy", "np", 1)
    found, after = outcomes(project, f"import numpy as np\n\nvalue = {np_name}\n")
    assert found <= {"native", "shim"}, after
    assert "import numpy" not in after
    value = attribute(np, name.removeprefix("numpy.")) if name != "numpy.testing.assert_" else None
    if callable(value) and not isinstance(value, type) or name in ("numpy.float64", "numpy.int64"):
        for given in ("np.ones((2, 2))", "x"):
            found, after = outcomes(project, f"import numpy as np\n\n\ndef f(x):\n    return {np_name}({given})\n")
            assert "todo" not in found, after
            assert "import numpy" not in after


@pytest.mark.parametrize("name", listed("methods_97.txt"))
def test_a_method_people_use_has_a_counterpart(project, name):
    made = "np.zeros((2, 3))"
    use = f"x.{name}"
    if callable(getattr(np.zeros(2), name)):
        use += {"astype": "(float)", "reshape": "(3, 2)", "dot": "(x.T)", "fill": "(1.0)"}.get(name, "()")
    found, after = outcomes(project, f"import numpy as np\n\nx = {made}\ny = {use}\n")
    assert "todo" not in found or "NPT307" in after, after


@pytest.mark.parametrize("line", listed("keywords.txt"))
def test_a_keyword_people_use_is_known(line):
    name, keyword = line.split()
    if keyword == "**":
        return
    if name.startswith("."):
        rule = METHODS.get(name[1:])
        known = rule is None or keyword in {p.name for p in rule.signature}
        assert known, f"{name}({keyword}=)"
        return
    function = attribute(shim, name.removeprefix("numpy."))
    if function is None:  # np.float32, np.ma.array: no function of the shim's
        assert name.split(".")[1] in ("ma", "ndarray", "dtype", "memmap", "genfromtxt"), name
        return
    parameters = inspect.signature(function).parameters.values()
    assert any(p.kind is p.VAR_KEYWORD or p.name == keyword for p in parameters), f"{name}({keyword}=)"


# --------------------------------------------------------------------------------------------- the fixtures
def test_every_native_rule_is_native_in_a_fixture():
    """A rule that no fixture shows in torch is a promise nobody has checked."""
    shown: set[int] = set()
    for path in numpy_files():
        done = converted(path)
        for site in done.sites:
            if site.outcome not in ("native", "cast"):
                continue
            text = site.source.removesuffix("()")
            if text.startswith("."):
                shown.add(id(METHODS.get(text[1:])))
            else:
                short = re.sub(r"^(np|numpy|xp|la|npt)\.", "", text)
                prefix = "numpy.linalg." if text.startswith("la.") else "numpy."
                shown.add(id(FUNCTIONS.get(resolve.canonical(prefix + short))))
    missing = sorted({rule.name for rule in NATIVE.values() if id(rule) not in shown and spellings(rule)})
    assert missing == []
