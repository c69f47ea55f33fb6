"""Nests of loops drawn at random: as whole-array NumPy code they give what they gave before, or they stay."""

from __future__ import annotations

import copy
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from np2torch.rewrite.vectorizing import vectorize
from np2torch.source.model import Settings, SourceFile

VARIABLES = ("i", "j", "k")
VECTORS, MATRICES = ("x", "y", "w"), ("a", "b")


@st.composite
def places(draw: Any, loops: list[str], rank: int) -> str:
    parts = []
    for _ in range(rank):
        one = draw(st.sampled_from([*loops, *loops, *loops, "0", "n - 1"]))
        form = draw(st.sampled_from(["{}", "{}", "{}", "{} + 1", "{} - 1", "n - 1 - {}", "2 * {}", "({} + 1) % n"]))
        parts.append(form.format(one) if one in loops else one)
    return ", ".join(parts)


@st.composite
def reads(draw: Any, loops: list[str], out: bool = True) -> str:
    rank = draw(st.sampled_from([1, 1, 2]))
    name = draw(
        st.sampled_from(VECTORS if rank == 1 else MATRICES)
        if out
        else st.sampled_from(("x", "y") if rank == 1 else ("a",))
    )
    return f"{name}[{draw(places(loops, rank))}]"


@st.composite
def expressions(draw: Any, loops: list[str], names: list[str], depth: int = 2) -> str:
    kind = draw(st.integers(0, 9))
    if depth == 0 or kind < 4:
        return draw(st.one_of(reads(loops), reads(loops), st.sampled_from([*loops, "2", "c", "0.5", *names])))
    left, right = draw(expressions(loops, names, depth - 1)), draw(expressions(loops, names, depth - 1))
    if kind < 7:
        return f"({left} {draw(st.sampled_from('+-*'))} {right})"
    if kind == 7:
        return f"{draw(st.sampled_from(['max', 'min', 'np.maximum']))}({left}, {right})"
    if kind == 8:
        return f"({left} if {right} > {draw(st.sampled_from(['0', 'c', loops[0]]))} else {draw(reads(loops))})"
    return f"abs({left})"


@st.composite
def blocks(draw: Any, loops: list[str], names: list[str], depth: int) -> list[str]:
    lines: list[str] = []
    names = list(names)
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.integers(0, 11))
        value = draw(expressions(loops, names))
        if kind <= 3:
            rank = draw(st.sampled_from([1, 2, 2]))
            name = draw(st.sampled_from(["w", "w", "x"] if rank == 1 else ["b", "b", "a"]))
            op = draw(st.sampled_from(["=", "=", "+=", "-=", "*="]))
            lines.append(f"{name}[{draw(places(loops, rank))}] {op} {value}")
        elif kind == 4:
            name = draw(st.sampled_from(["t", "u"]))
            lines.append(f"{name} = {value}")
            names.append(name)
        elif kind == 5:
            lines.append(
                draw(st.sampled_from(["s += {}", "s -= {}", "s = max(s, {})", "s = s + {}", "q += 1"])).format(value)
            )
        elif kind == 6 and depth < 3:
            test = draw(
                st.sampled_from(
                    [f"{value} > 1", f"{loops[-1]} != {loops[0]}", f"{loops[0]} > 0", f"not {loops[-1]} < 2"]
                )
            )
            lines += [f"if {test}:", *(f"    {one}" for one in draw(blocks(loops, names, depth + 1)))]
            if draw(st.booleans()):
                lines += ["else:", *(f"    {one}" for one in draw(blocks(loops, names, depth + 1)))]
        elif kind == 7:
            lines += [f"if {value} < {draw(st.sampled_from(['s', '0', 't2']))}:".replace("t2", "c"), "    continue"]
        elif kind >= 8 and len(loops) < 3:
            inner = draw(nests(loops, names))
            if draw(st.booleans()):
                name = draw(st.sampled_from(["v", "s2"]))
                line = f"    {name} += {draw(expressions([*loops, VARIABLES[len(loops)]], names))}"
                inner = [f"{name} = {draw(st.sampled_from(['0.0', '0', 'c']))}", *inner, line]
                names.append(name)
            lines += inner
    return lines or ["pass"]


@st.composite
def nests(draw: Any, loops: list[str], names: list[str]) -> list[str]:
    variable = VARIABLES[len(loops)]
    low = draw(
        st.sampled_from(["", "", "1, ", "2, ", *(f"{one} + 1, " for one in loops), *(f"{one}, " for one in loops)])
    )
    high = draw(st.sampled_from(["n", "n", "n - 1", "len(x)", "m", *loops, *(f"{one} + 1" for one in loops)]))
    ranged = f"{low}{high}"
    if draw(st.integers(0, 9)) == 0:
        ranged = draw(st.sampled_from(["n - 1, -1, -1", "0, n, 2", "n - 2, 0, -1", "1, n, 3"]))
    body = draw(blocks([*loops, variable], names, 0))
    return [f"for {variable} in range({ranged}):", *(f"    {one}" for one in body)]


@st.composite
def programs(draw: Any) -> str:
    fresh = draw(
        st.sampled_from(
            [
                "",
                "    w = np.zeros(n)\n",
                "    w = np.zeros(n)\n    b = np.zeros((n, n))\n",
                "    b = np.zeros_like(a)\n",
            ]
        )
    )
    lines = "".join(f"    {one}\n" for one in draw(nests([], [])))
    last = draw(st.sampled_from(["", "", "", ", i", ", t"]))
    known = draw(st.sampled_from(["n = len(x)", "n, m = a.shape", "n = len(x)"]))
    return (
        f"import numpy as np\n\n\ndef f(x, y, w, a, b, m, c):\n    {known}\n{fresh}    s, q = 0.0, 0\n{lines}"
        f"    return s, q, x, y, w, a, b{last}\n"
    )


def rewritten(text: str) -> tuple[str, int]:
    path = Path("m.py")
    (file,), _ = vectorize([SourceFile(path, "m.py", text)], Settings(vectorize=True))
    return file.text, file.text != text


def outcome(text: str, arguments: list[Any]) -> Any:
    space: dict[str, Any] = {}
    exec(compile(text, "m.py", "exec"), space)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return space["f"](*copy.deepcopy(arguments))
    except Exception as error:
        return type(error)


def inputs(seed: int) -> list[list[Any]]:
    rng = np.random.default_rng(seed)

    def array(*shape: int) -> Any:
        return rng.integers(-3, 4, shape).astype(float)

    made = []
    for n, m in ((4, 4), (5, 3), (1, 1), (0, 0), (3, 5)):
        made.append([array(n), array(n), array(n), array(n, n), array(n, n), m, 1.0])
    shared = array(4)
    made.append([shared, shared, shared[::-1], array(4, 4), array(4, 4), 4, 2.0])
    grid = array(5, 5)
    made.append([grid[0], grid[1], grid[:, 0], grid, grid.T, 4, 2.0])
    made.append([array(4), array(3), array(5), array(4, 5), array(5, 3), 3, 1.0])
    made.append([array(4).astype(int), array(4), array(4), array(4, 4), array(4, 4), 4, 1])
    hard = array(4)
    hard[1], hard[2] = np.nan, -0.0
    made.append([hard, array(4), array(4), array(4, 4), array(4, 4), 4, 1.0])
    made.append([list(array(4)), array(4), array(4), array(4, 4), array(4, 4), 4, 1.0])
    return made


def same(one: Any, other: Any) -> bool:
    if isinstance(one, type) or isinstance(other, type):
        return isinstance(one, type) and isinstance(other, type)
    return all(np.array_equal(np.asarray(p), np.asarray(q), equal_nan=True) for p, q in zip(one, other, strict=True))


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs(), st.integers(0, 5))
def test_a_nest_gives_what_it_gave(text: str, seed: int) -> None:
    new, is_changed = rewritten(text)
    if is_changed:
        for arguments in inputs(seed):
            before, after = outcome(text, arguments), outcome(new, arguments)
            assert same(before, after), f"{text}\n{new}\n{before}\n{after}"
