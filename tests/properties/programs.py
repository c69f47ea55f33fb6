"""Programs drawn at random that share memory in every way people do, each run in NumPy and converted in torch.

Views, elements, work in place, containers, loops, functions, generators, closures and objects: what NumPy copies and
torch shares, or the other way round, is the difference that no example of a single function shows.
"""

from __future__ import annotations

import argparse
import contextlib
import copy
import random
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from np2torch.verify.compare import difference

DTYPES = "float64 float64 int64 float32 int8 uint8 int32 complex128 bool_".split()
HEAD = """\
import numpy as np


class Box:
    def __init__(self, data, start=0):
        self.data = data
        self.start = start
        self.kept = []

    def keep(self, value):
        self.start = value
        self.kept.append(value)

    def scale(self, factor):
        self.data *= factor

    def first(self):
        return self.data[0]

    def part(self):
        return self.data[1:]

    def grow(self):
        data = self.data
        data[0] += 1
        return self.data

    def peek(self):
        data = self.data
        return data[0]

    @property
    def whole(self):
        return self.data

    @property
    def last(self):
        return self.data[-1]


class Wide(Box):
    def scaled(self):
        first = self.data[0]
        self.scale(2)
        return first

    def grown(self):
        return self.peek() - self.grow()[0]


class Far:
    def __init__(self, box):
        self.box = box

    def first(self):
        return self.box.data[0]

    def push(self, value):
        first = self.box.data[0]
        self.box.grow()
        self.box.data[0] = value
        return first


TABLE = np.zeros(3)


def tick():
    TABLE[0] += 1
    return TABLE[0]


def remembered(value, memory=np.zeros(2)):
    memory[0] += value
    return memory[0]


def bumped(a):
    a[0] += 1
    return a[0]


def pushed(a, value):
    a[0] = 7
    return value


def write(a, value):
    a[0] = value
    return a


def element(a, i):
    return a[i]


def ends(a):
    return a[0], a[-1]


def bump(value, by):
    value += by
    return value


def swap(a):
    a[0], a[1] = a[1], a[0]


def total(a):
    s = 0
    for e in a:
        s += e
    return s


def pairs(a):
    for i in range(len(a) - 1):
        yield a[i], a[i + 1]


def outer(a, n):
    first = a[0]

    def inner():
        a[0] = n
        return first

    return inner()


def later(a):
    return lambda: a[0]


def largest(a):
    best = a[0]
    for e in a:
        if e > best:
            best = e
    a[0] = 0
    return best


def stored(a, into=None):
    into = [] if into is None else into
    into.append(a[0])
    return into


def ordered(a):
    for i in range(1, len(a)):
        key = a[i]
        j = i - 1
        while j >= 0 and a[j] > key:
            a[j + 1] = a[j]
            j -= 1
        a[j + 1] = key
    return a


def doubled(a):
    out = a
    out = out * 2
    out[0] = 1
    return out

"""
VECTORS = [
    "{v}[{a}:{b}]", "{v}[::2]", "{v}[1:]", "{v}[:-1]", "{m}[{i}]", "{m}[:, {i}]", "{v}.copy()", "{v} + {s}",
    "{v} * 2", "{v} + {v2}", "{v}.reshape(-1)", "{m}.ravel()", "{m}.flatten()", "np.asarray({v})", "np.array({v})",
    "{v}[{v} > 1]", "{v}[[0, 1]]", "{v}[::-1].copy()", "np.sort({v})", "np.where({v} > 1, {v}, {s})",
    "np.concatenate([{v}, {v2}])", "{m}.diagonal().copy()", "{m}.sum(axis=0)", "{v}.astype({v}.dtype)",
    "np.atleast_1d({v})", "{v} if k > 1 else {v2}", "-{v}", "np.abs({v})", "{m}.T[{i}]", "np.array([{s}, {s2}])",
    "np.ravel({m})", "np.squeeze({v})", "doubled({v})", "Box({v}).part()", "write({v}, {s})", "np.maximum({v}, {s})",
    "np.clip({v}, 0, 2)", "np.cumsum({v})", "{v}.real", "np.stack([{v}[:2], {v2}[:2]])[0]", "np.diff({v})",
    "np.append({v}, {s})", "np.ascontiguousarray({v})", "{m}[{i}, :2]", "{m}[1:, {i}]", "np.array([e for e in {v}])",
    "np.array({l0})", "box.grow()", "box.whole[1:]", "np.array([bumped({v}) for _ in range(3)])",
    "np.array([bumped({v}), bumped({v}), {s}])", "np.stack([box.grow()[0], box.grow()[0], box.grow()[0]])",
    "np.array([{v}[0], bumped({v}), {v}[0]])", "far.box.data",
]  # fmt: skip
"""Expressions for a vector; the names in braces are drawn among those there are."""
MATRICES = [
    "{m}.T", "{m}.copy()", "{m}[1:]", "{m}[:, :2]", "{m} * 2", "{m}.reshape(3, -1)", "np.outer({v}[:3], {v2}[:3])",
    "np.vstack([{v}[:3], {v2}[:3], {v}[:3]])", "np.array([{v}[:3], {v2}[:3], {v}[:3]])", "{m} + {m}.T",
    "np.asarray({m})", "{m}[::-1].copy()",
]  # fmt: skip
"""Expressions for a matrix."""
SCALARS = [
    "{v}[{i}]", "{v}[0]", "{v}[-1]", "{m}[{i}, {j}]", "{m}[0][1]", "{v}.sum()", "{v}.max()", "min({v}[0], {v}[1])",
    "element({v}, {i})", "{s} + 1", "{s} * {s2}", "abs({s})", "{s}", "max({v})", "sum({v})", "Box({v}).first()",
    "bump({s}, {s2})", "total({v})", "{v}.mean()", "{v}.argmax()", "np.dot({v}, {v})", "{s} if k > 1 else {s2}",
    "len({v})", "int({v}[{i}])", "float({v}[0])", "{v}[0] + {v}[1]", "np.sqrt(abs({s}))", "outer({v}, {s})",
    "largest({v})", "stored({v})[0]", "next(iter({v}))", "later({v})()", "next(pairs({v}))[1]",
    "(lambda q: q[0])({v})", "{l}[0] if {l} else {s}", "d.get('p', {v}[0])", "box.start",
    "box.kept[-1] if box.kept else {v}[1]", "{m}.flat[{i}]", "np.float64({v}[0])", "{v}.flat[1]",
    "[e for e in {v}][0]", "(t := {v}[0])", "{v}[{v}.argmax()]", "dict(a={v}[0])['a']", "{v}.tolist()[0]",
    "{m}[({i}, 1)]", "sorted({v})[0]", "{v}.take(0)", "{v}.min() + {v}[0]", "ends({v})[{j} % 2]", "ends({v})[0]",
    "[{v}[0], {s}][0]", "({v}[1], 1)[0]", "-{v}[0]", "+{v}[0]", "{v}.item(0)", "{v}[0].copy()", "2",
    "box.grow()[0]", "box.peek()", "box.whole[0]", "box.last", "far.first()", "far.push({s})", "Wide({v}).scaled()",
    "Wide({v}).grown()", "tick()", "TABLE[0]", "TABLE[0] - tick()", "remembered({s})", "bumped({v})",
    "remembered({s}) - remembered({s2})", "{v}[0] - bumped({v})", "bumped({v}) * bumped({v})", "pushed({v}, {v}[0])",
    "max(bumped({v}), bumped({v}))", "sum(bumped({v}) for _ in range(2))", "max(bumped({v}) for _ in range(2))",
    "box.grow()[0] - box.grow()[0]", "({v}[0], bumped({v}))[0]", "far.first() + far.push({s})",
    "(lambda q: q[0] - bumped(q))({v})", "far.box.data[0] - far.push({s})", "{v}[0] if bumped({v}) > 3 else {v}[1]",
]  # fmt: skip
"""Expressions for a scalar or a number."""
WORK = [
    "{v}[{i}] = {s}", "{v}[{i}] = {v}[{j}]", "{v}[{a}:{b}] = {s}", "{v} += 1", "{v} *= {s}", "{v} -= {v}[0]",
    "{v} += {v2}[0]", "{v}[{i}] += {s}", "{v}[{v} > 1] = 0", "{m}[{i}] = {s}", "{m}[:, {i}] += 1", "{m}[{i}] *= 2",
    "{v}[:] = {v}[::-1]", "{v}[0], {v}[1] = {v}[1], {v}[0]", "{v}.sort()", "{v}.fill({s})", "np.add({v}, 1, out={v})",
    "{v}[1:] = {v}[:-1]", "{v}[1:] += {v}[:-1]", "{v}[:-1] = {v}[1:]", "{s} += 1", "{s} += {s2}", "{s} *= 2",
    "{l}.append({s})", "{l}.append({v})", "{l}.append({v}[{i}])", "{l}.append(({v}[0], {v}))", "{l}.extend({v})",
    "{l}.extend([{v}[0], {s}])", "{l}.insert(0, {v}[1])", "write({v}, {s})", "swap({v})", "box.keep({s})",
    "box.keep({v}[{i}])", "box.scale(2)", "box.data[0] = {s}", "box.start += 1", "d['{k}'] = {v}[{i}]",
    "d['{k}'] = {v}", "d['{k}'] = {s}", "d.setdefault('{k}', {v}[0])",
    "{m}[0], {m}[1] = {m}[1].copy(), {m}[0].copy()", "{v}[[0, 1]] = {v}[[1, 0]]",
    "{m}[0, 0], {m}[1, 1] = {m}[1, 1], {m}[0, 0]", "{m} += {m}[0]", "{m} -= {m}[0, 0]", "{v} /= {v}[0]", "{v} //= 2",
    "{v} **= 2", "{m}.T[0] = 5", "{m}.ravel()[0] = 7", "{v}.reshape(-1)[1] = 3", "{m}.flatten()[0] = 9",
    "np.asarray({v})[0] = 4", "{m}.diagonal().copy()[0]", "box.data = {v}", "{m}[{i}] = {v}[:{m}.shape[1]]",
    "p1, p2 = ends({v}); {l}.append(p1)", "a1, *rest = {v}; {l}.extend(rest)", "a1 = b1 = {v}[0]; {l}.append(b1)",
    "{l}.append([{v}[0]])", "{l}[:] = {v}[:2]", "stored({v}, {l})", "ordered({v})", "{l}.extend(pairs({v}))",
    "{l} += [{v}[0]]", "{l} += list({v})", "{l} = {l} + [{v}[1]]", "{v}[0] = {v}[1] = {s}", "box.start = {v}[0]",
    "box.start += {v}[0]", "box.kept[:] = [{v}[0]]", "d.update(p={v}[0])", "d = dict(d, q={v}[1])",
    "d['q'] = [{v}[0], {v}]", "{l}.append(lambda w={v}[0]: w) or {l}.pop()", "{s}, box.start = {v}[0], {s}",
    "{s} = {s2} = {v}[1]", "{v}.flat[0] = {s}", "{m}.flat[1:3] = {s}", "{l}.append({{'k': {v}[0]}})",
    "{l}.append(f'{{{v}[0]}}')", "first, (second, third) = {v}[0], ({v}[1], {v}[2]); {l}.append((first, third))",
    "it = iter({v}); {l}.append(next(it)); {l}.append(next(it))", "{v}[0] -= {v}[1]", "{v}[1] *= {v}[1]",
    "{v}[{i}] = {v}[{j}] = {v}[0]", "{v}[{v} == {v}[0]] = {v}[1]", "{v} -= {v}.min()", "{v} += {v}[::-1]",
    "{v}[:2] -= {v}[1:3]", "{m} += {m}.T", "{m}[0] += {m}[:, 0]", "{v} = {v}[:]; {v}[0] = {s}",
    "{m}[:, 0], {m}[:, 1] = {m}[:, 1], {m}[:, 0].copy()", "{s} = -{s}", "{l} = [*{v}]", "{l} = [*{v}[:2], {s}]",
    "{l}.append(({v}[0],) + ({s},))", "np.subtract({v}, {v}[0], out={v})", "np.copyto({v}, {v}[::-1].copy())",
    "{v}[{i}:] = 0", "{m}[{m} > 2] = {s}", "np.fill_diagonal({m}, {s})", "{m}.sort(axis=0)", "{v}.put([0], {s})",
    "{v}[...] = {s}", "{v}[0] += bumped({v})", "{v}[{i}] = {v}[0] + bumped({v})", "far.push({s})", "TABLE[0] = 2",
    "{l}.append(box.grow()[0])", "{l}.append(far.first())", "{l} += [bumped({v}), bumped({v})]",
    "{l}.append(TABLE[0]); tick()", "{l}.append((box.peek(), box.grow()[0]))", "d['p'] = far.box.data[0]",
    "{l}.extend(bumped({v}) for _ in range(2))", "d.update(enumerate({v}))", "d['q'] = pushed({v}, {v}[0])",
    "d['p'] = box.last; box.data[-1] = {s}", "far.box = Wide({v}); far.box.grow()", "{s} += bumped({v})",
    "{s} = {v}[0] - bumped({v})", "{l}.append({s} - pushed({v}, {s2}))", "d['q'] = dict(zip('ab', {v}))",
]  # fmt: skip
"""Statements that write or keep."""
BLOCKS = [
    "for i in range(2):", "for e in {v}:", "for row in {m}:", "if {v}[0] > 1:", "if {s} > 1:",
    "for i, e in enumerate({v}):", "for e, g in zip({v}, {v2}):", "if k > 1:", "for e in list({v}):",
    "for e in [{v}[0], {v}[1]]:", "for e in ({v}[:2], {v2}[1:]):", "while {s} < 3:", "for e in map(abs, {v}):",
    "for e in filter(None, {v}):", "for e, g in pairs({v}):", "for e in reversed({v}):", "for e in {v}[::2]:",
    "for e in {v}.copy():", "for e in sorted({v}):", "for e, g in [({v}[0], {v}[1])]:", "for e in {m}[0]:",
    "for e in {m}.flat:", "for i, e in np.ndenumerate({v}):", "for e in {l}:",
]  # fmt: skip
"""Heads of blocks."""
LISTS = [
    "{l} = [e for e in {v}]", "{l} = [e * 2 for e in {v}]", "{l} = [(e, {s}) for e in {v}]", "{l} = list({v})",
    "{l} = [{v}[0], {v}[1]]", "{l} = [{s}] * 2", "{l} = [row for row in {m}]", "{l} = [row[0] for row in {m}]",
    "{l} = sorted({v})", "{l} = [{v}, {v2}]", "{l} = [r[1:] for r in [{v}, {v2}]]",
    "{l} = [{v}[i] for i in range(2)]", "{l} = {v}.tolist()", "{l} = list(zip({v}, {v2}))",
    "{l} = [bumped({v}) for _ in range(2)]", "{l} = [far.first(), far.push({s}), far.first()]",
    "{l} = [box.peek() for _ in range(2) if box.grow() is not None]", "{l} = [(e, bumped({v})) for e in {v}]",
    "{l} = list(map(abs, {v}))", "{l} = [x for x in (lambda a: (a[0], a[1]))({v})]", "{l} = list(reversed({v}))",
]  # fmt: skip
"""Statements that make a list."""


@dataclass
class Statement:
    """A line, and the block below it."""

    line: str
    body: list[Statement] = field(default_factory=list)

    def lines(self, depth: int = 1) -> list[str]:
        """As source."""
        return ["    " * depth + self.line, *(line for one in self.body for line in one.lines(depth + 1))]


class Maker:
    """Draws one program; `names` are those bound so far: vectors, matrices, scalars, lists."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = {"v": ["x", "y"], "m": ["m"], "s": ["c"], "l": ["xs"]}

    def program(self) -> list[Statement]:
        """Its statements."""
        return [self._statement(0) for _ in range(self.random.randint(4, 12))]

    def _filled(self, template: str) -> str:
        choose = self.random.choice
        start = self.random.randint(0, 2)
        return template.format(
            **{kind: choose(names) for kind, names in self.names.items()}, v2=choose(self.names["v"]),
            s2=choose(self.names["s"]), i=choose([0, 1, 2, "i0"]), j=choose([0, 1, 2]), a=start,
            b=start + self.random.randint(1, 3), k=choose("pq"),
            l0=f"[{choose(self.names['s'])}, {choose(self.names['v'])}[1]]",
        )  # fmt: skip

    def _statement(self, depth: int) -> Statement:
        roll = self.random.random()
        for limit, kind, table in ((0.20, "v", VECTORS), (0.25, "m", MATRICES), (0.45, "s", SCALARS)):
            if roll < limit:
                return self._assignment(kind, table, depth)
        if roll < 0.53:
            return Statement(self._filled(self.random.choice(LISTS)))
        if roll < 0.68 and depth < 2:
            return self._block(depth)
        return Statement(self._filled(self.random.choice(WORK)))

    def _assignment(self, kind: str, table: list[str], depth: int) -> Statement:
        value, names = self._filled(self.random.choice(table)), self.names[kind]
        old = depth > 0 or self.random.random() < 0.35  # a new name only where every path binds it
        name = self.random.choice(names) if old else f"{kind}{len(names)}"
        if not old:
            names.append(name)
        return Statement(f"{name} = {value}")

    def _block(self, depth: int) -> Statement:
        head = self._filled(self.random.choice(BLOCKS))
        saved = {kind: list(names) for kind, names in self.names.items()}
        for name, kind in (("e", "v" if " e in (" in head else "s"), ("g", "s"), ("row", "v")):
            if head.startswith("for") and f" {name}" in head.partition(" in ")[0]:
                self.names[kind].append(name)
        body = [self._statement(depth + 1) for _ in range(self.random.randint(1, 3))]
        if head.startswith("while"):
            body.append(Statement(head.split()[1] + " += 2"))
        self.names = saved
        return Statement(head, body)


class Program(NamedTuple):
    """A drawn program: its statements, the dtype of its arrays, the numbers in them."""

    body: list[Statement]
    dtype: str
    seed: int

    def text(self) -> str:
        """As source: `run`, which gives back all that is bound at its top."""
        names = ["x", "y", "m", "c", "xs"]
        heads = (one.line.partition(" = ")[0] for one in self.body if not one.body)
        names += dict.fromkeys(head for head in heads if head.isidentifier() and head not in (*names, "it"))
        lines = ["def run(x, y, m, k, i0):", "    c = x[1]", "    xs = []", "    d = {}", "    box = Box(y)", "    far = Far(box)"]
        lines += [line for one in self.body for line in one.lines()]
        return HEAD + "\n\n" + "\n".join([*lines, f"    return {', '.join(names)}, d, box.data, box.start, box.kept", ""])

    def main(self) -> str:
        """Source of the call of `run`."""
        draw = random.Random(self.seed).randint
        first, second = [draw(1, 5) for _ in range(4)], [draw(0, 4) for _ in range(4)]
        third = [[draw(0, 5) for _ in range(3)] for _ in range(3)]
        values = {"x": first, "y": second, "m": third}
        made = (f"    {name} = np.array({value}, dtype=np.{self.dtype})" for name, value in values.items())
        return "\n".join(["", "", "def main():", *made, "    return run(x, y, m, 2, 1), x, y, m", ""])


def drawn(seed: int, unknown: bool = False) -> Program:
    """The program of a seed; of `unknown` arrays only such as a text that names no dtype may have."""
    return Program(Maker(seed).program(), random.Random(seed).choice(DTYPES[:3] if unknown else DTYPES), seed)


class Outcome(NamedTuple):
    """What became of a program: "equal", "wrong", "raise", "todo", or "invalid" where NumPy raises itself."""

    kind: str
    why: str = ""


def outcome(program: Program, unknown: bool = False) -> Outcome:
    """Run both sides.

    Parameters
    ----------
    unknown
        Convert `run` alone: nothing is known of what it is given.
    """
    text = program.text() if unknown else program.text() + program.main()
    old = _executed(program.text() + program.main(), "main")
    if isinstance(old, Exception):
        return Outcome("invalid", repr(old))
    after = _converted(text)
    if "TODO(np2torch)" in after:
        return Outcome("todo")
    if unknown:
        start: dict[str, Any] = {"np": np}
        exec(program.main().replace("run(x, y, m, 2, 1), ", ""), start)
        arguments = [torch.from_numpy(array) for array in start["main"]()]
        new = _executed(after, "run", *arguments, 2, 1)
        new = new if isinstance(new, Exception) else (new, *arguments)
    else:
        new = _executed(after, "main")
    if isinstance(new, Exception):
        return Outcome("raise", f"{type(new).__name__}: {new}")
    line = difference(old, new, rtol=1e-6 if program.dtype == "float32" else None)
    return Outcome("equal") if line is None else Outcome("wrong", line)


def _converted(text: str) -> str:
    (done,) = convert_project([SourceFile(Path("program.py"), "program.py", text)], Settings())
    return done.after


class _TimeoutError(Exception):
    pass


def _stop(*_: object) -> None:
    raise _TimeoutError("too slow")


def _executed(text: str, name: str, *arguments: Any) -> Any:
    """What a function of a program gives, or the error it raises."""
    names: dict[str, Any] = {"__name__": "program"}
    signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, 10)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            exec(compile(text, "program.py", "exec"), names)
            return names[name](*arguments)
    except Exception as error:
        return error
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def shrunk(program: Program, kind: str, unknown: bool = False, tries: int = 80) -> Program:
    """The same with every statement left out that the outcome does not need."""
    again = True
    while again:
        again = False
        for number in range(len(list(_places(program.body)))):
            smaller = program._replace(body=copy.deepcopy(program.body))
            block, index = list(_places(smaller.body))[-number - 1]
            del block[index]
            tries -= 1
            with contextlib.suppress(SyntaxError):
                if tries > 0 and outcome(smaller, unknown).kind == kind:
                    program, again = smaller, True
                    break
    return program


def _places(body: list[Statement]) -> Iterator[tuple[list[Statement], int]]:
    for index, one in enumerate(body):
        yield body, index
        yield from _places(one.body)


def main() -> None:
    """Run, and print the shortest form of what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=int, nargs="?", default=500)
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--unknown", action="store_true", help="convert without the call: no parameter is known")
    parser.add_argument("--show", default="wrong", help="the outcome to show")
    options = parser.parse_args()
    kinds: Counter[str] = Counter()
    for seed in range(options.start, options.start + options.programs):
        program = drawn(seed, options.unknown)
        found = outcome(program, options.unknown)
        kinds[found.kind] += 1
        if found.kind == options.show:
            least = shrunk(program, found.kind, options.unknown)
            print(f"seed {seed}, {program.dtype}: {outcome(least, options.unknown).why}")
            print("\n".join(line for one in least.body for line in one.lines()), flush=True)
    print(", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    sys.exit(1 if kinds["wrong"] else 0)


if __name__ == "__main__":
    main()
