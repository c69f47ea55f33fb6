"""Every native rule given numbers and lists instead of arrays: what is spelled in torch is what NumPy gives."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from np2torch.rewrite.convert import convert_project
from np2torch.rules.core import FUNCTIONS
from np2torch.source.model import Settings, SourceFile
from np2torch.verify.compare import difference

FIRST = [
    "3", "2.5", "True", "-1", "[1, 2, 3]", "[0.5, -2.0, 7.25]", "[True, False, True]", "[[1.0, 2.0], [3.0, 5.0]]",
    "[[4, 1], [1, 3]]", "[]", "(1, 2.5)", "[2.0]", "[np.float64(1.5), np.float64(2.0)]", "[[1, 2, 3], [4, 5, 6]]",
    "[np.float64(1.5), 2]", "[[np.float64(1.5), 0], [1, 2.5]]", "[np.arange(3), [0.5, 1, 2]]", "[np.int64(3), True]",
]  # fmt: skip
SECOND = ["2", "0.5", "[1, 2, 3]", "[[1.0, 2.0], [3.0, 5.0]]", "[0.5, 2.0, 1.0]", "np.arange(3)", "np.ones(3)"]
ARRAYS = ["np.arange(3)", "np.ones(3)"]
UNIVERSES = {"wide": ([], []), "narrow": (["1j", "[1j, 2.0]"], ["np.ones(3, dtype=np.float32)"])}
"""Without float32 and complex numbers in the project, and with them."""
SHARE = 0.06
"""The share of the calls that CI has time for."""
TAKING = ("ArrayLike", "Operand", "Value")
NO_VALUES = ("empty_like", "empty", "from_dlpack")
REFUSED_BY_TORCH = {"np.median([])"}
"""torch has no quantile of nothing: loud where NumPy warns."""
RTOL = {"float32": 1e-6}
ATOL = {"np.linalg.solve": 1e-15, "np.linalg.pinv": 1e-15, "np.linalg.slogdet": 1e-15}
"""Of a solution each number is as precise as the largest one, of a logarithm as 1 is."""
UP_TO_SIGNS = ("np.linalg.svd(",)
"""What LAPACK gives is one of several answers, and torch's is another than NumPy's; `fixtures/linalg` multiplies them."""


def expressions(more_first: list[str], more_second: list[str]) -> list[str]:
    """Calls of every function with a native rule that takes one or two array-likes."""
    made = []
    for name, rule in FUNCTIONS.items():
        required = [p for p in rule.signature if p.required and p.annotation in TAKING]
        if rule.body is None or len(required) != len([p for p in rule.signature if p.required]):
            continue
        if rule.area in ("testing", "random") or name.rsplit(".", 1)[-1] in NO_VALUES:
            continue
        call = name.replace("numpy.", "np.", 1)
        first, second = FIRST + more_first, SECOND + more_second
        if len(required) == 1:
            made += [f"{call}({x})" for x in first + more_second]
        elif len(required) == 2:
            made += [f"{call}({x}, {y})" for x in first for y in second]
            if required[1].annotation != "Value":
                made += [f"{call}({y}, {x})" for x in first for y in ARRAYS + more_second]
    return made


def results(text: str) -> list[Any]:
    """What each function of a module gives, or the error it raises."""
    names: dict[str, Any] = {"__name__": "m"}
    exec(compile(text, "m", "exec"), names)
    found = []
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for case in names["CASES"]:
            try:
                found.append(case())
            except Exception as error:
                found.append(error)
    return found


@pytest.mark.parametrize("share", [SHARE, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("universe", UNIVERSES)
def test_numbers_and_lists_are_what_numpy_makes_of_them(universe: str, share: float) -> None:
    more_first, more_second = UNIVERSES[universe]
    every = expressions(more_first, more_second)
    calls = random.Random(0).sample(every, int(share * len(every)))
    text = "import numpy as np\n\nCASES = [\n" + "".join(f"    lambda: {call},\n" for call in calls) + "]\n"
    done = next(iter(convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings())))
    spelled = [line for line in done.after.splitlines() if line.startswith("    lambda: ")]
    assert len(spelled) == len(calls)
    wrong, native = [], 0
    for call, line, old, new in zip(calls, spelled, results(text), results(done.after), strict=True):
        if "shim." in line or "np." in line or call in REFUSED_BY_TORCH or call.startswith(UP_TO_SIGNS):
            continue
        native += 1
        if isinstance(old, Exception) or isinstance(new, Exception):
            said = "" if isinstance(new, Exception) is isinstance(old, Exception) else f"{old!r} became {new!r}"
        else:
            atol = ATOL.get(call.partition("(")[0], 0.0)
            said = difference(old, new, rtol=RTOL.get(str(getattr(new, "dtype", ""))[6:]), atol=atol) or ""
        if said:
            wrong.append(f"{call}: {said}; {line.strip()}")
    assert not wrong, "\n".join(wrong[:20])
    assert native > 2000 * share, native
