"""Programs drawn at random that keep, key and test scalars in every way people do, run in NumPy and converted in torch.

`x[i]` and `x.sum()` are numbers in NumPy: copies that hash by value and are floats and ints to the rest of Python. Each
program draws a few forms: an element or a result is read, kept somewhere, its array or the keeper is written, and what
is kept is shown; or it becomes a key, or is asked what it is.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import random
import signal
import sys
import tempfile
import types
import warnings
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import scalar_writes
import torch
from scalar_structures import HELPERS as STRUCTURES
from scalar_structures import TEXT
from scalar_uses import USES, pieces

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile
from np2torch.verify.compare import difference
from np2torch_cli import cli

DTYPES = "float64 float64 float64 int64 int64 float32".split()
IMPORTS = """\
import array
import asyncio
import bisect
import collections
import concurrent.futures
import contextlib
import contextvars
import copy
import csv
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import heapq
import io
import itertools
import json
import math
import numbers
import operator
import pickle
import queue
import random
import statistics
import string
import struct
import sys
import textwrap
import types
import typing
import weakref

import numpy as np
"""
HELPERS = """

class Box:
    shared = 0

    def __init__(self, data, value=None):
        self.data = data
        self.value = value
        self.items = []

    @property
    def first(self):
        return self.data[0]

    def peek(self):
        return self.data[0]

    def scale(self):
        self.data *= 2

    def keep(self, value):
        self.value = value
        self.items.append(value)
        return self


class Slim:
    __slots__ = ("value",)

    def __init__(self, value):
        self.value = value


@dataclasses.dataclass
class Record:
    value: float
    others: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Point:
    x: float
    y: float = 0.0


class Node:
    def __init__(self, key):
        self.key = key

    def __hash__(self):
        return hash(self.key)

    def __eq__(self, other):
        return self.key == other.key


class Level(enum.IntEnum):
    NONE = 0
    LOW = 1
    MIDDLE = 2
    HIGH = 3
    TOP = 4
    OVER = 5


Pair = collections.namedtuple("Pair", "left right")
BEST = {}


def element(a, i=0):
    return a[i]


def ends(a):
    return a[0], a[-1]


def same(value):
    return value


def poke(a, value=7):
    a[0] = value


def grow(value, by=1):
    value += by
    return value


def guarded(a):
    try:
        return a[0]
    finally:
        a[0] = 9


def optional(a):
    return a[0] if len(a) else None


def items(a):
    for e in a:
        yield e


def relayed(a):
    yield from a


def echo():
    value = None
    while True:
        value = yield value


def remember(a):
    BEST["value"] = a[0]


def holding(value):
    def show():
        return value

    return show


def chosen(a):
    match a[0]:
        case value:
            return value


def memoised(function):
    memo = {}

    def wrapper(*args):
        if args not in memo:
            memo[args] = function(*args)
        return memo[args], len(memo)

    return wrapper


@memoised
def squared(value):
    return value * value


@functools.lru_cache(maxsize=None)
def cubed(pair):
    return pair[0] * pair[0] * pair[0]


@functools.singledispatch
def kind(value):
    return "other"


@kind.register
def _(value: int):
    return "int"


@kind.register
def _(value: float):
    return "float"


FUNCTIONS = {"first": lambda a: a[0], "element": element}
"""
PIECES = USES | pieces(TEXT)
"""Pieces of programs by name."""
READS = [
    "{a}[0]", "{a}[0]", "{a}[1]", "{a}[-1]", "{a}[i]", "m[0, 1]", "m[0][1]", "m[0, 0][()]", "{a}.flat[1]", "m[(0, 1)]",
    "next(iter({a}))", "{a}.sum()", "{a}.max()", "{a}.mean()", "np.dot({a}, {a})", "{a}[{a}.argmax()]", "{a}.min()",
    "element({a})", "element({a}, 1)", "Box({a}).peek()", "Box({a}).first", "(lambda q: q[0])({a})", "list({a})[0]",
    "max({a})", "sorted({a})[0]", "optional({a})", "ends({a})[0]", "FUNCTIONS['first']({a})", "same({a}[0])",
    "FUNCTIONS['element']({a}, 1)", "operator.itemgetter(0)({a})", "operator.getitem({a}, 1)", "chosen({a})",
    "{a}.ravel()[0]", "{a}[:2][1]", "{a}.__getitem__(0)", "np.take({a}, 0)", "({a}[0], {a})[0]", "next(items({a}))",
    "{a}[0] if {a}[0] > 1 else {a}[1]", "{a}[0] or {a}[1]", "{a}[0] and {a}[1]", "min({a}, key=abs)", "+{a}[0]",
    "functools.reduce(lambda p, q: p if p > q else q, {a})", "copy.copy({a}[0])", "next(relayed({a}))", "{a}.T[0]",
    "guarded({a})", "(t := {a}[0])", "holding({a}[0])()", "np.asarray({a})[0]", "statistics.median_low({a})",
]  # fmt: skip
"""Expressions for a scalar."""
KEEPERS = {
    "name": ("k = {r}", "k"),
    "list": ("k = [{r}]", "k"),
    "tuple": ("k = ({r}, 1)", "k"),
    "dict": ("k = {{'p': {r}}}", "k"),
    "dict spread": ("k = {{**{{'p': {r}}}, 'q': 1}}", "k"),
    "dict call": ("k = dict(p={r})", "k"),
    "dict of pairs": ("k = dict([('p', {r})])", "k"),
    "dict of zip": ("k = dict(zip('pq', {a}))", "k"),
    "dict of enumerate": ("k = dict(enumerate({a}))", "k"),
    "dict comprehension": ("k = {{n: e for n, e in enumerate({a})}}", "k"),
    "setdefault": ("k = {{}}\nk.setdefault('p', {r})", "k"),
    "update": ("k = {{}}\nk.update(p={r})", "k"),
    "defaultdict": ("k = collections.defaultdict(float)\nk['p'] = {r}", "dict(k)"),
    "ordered dict": ("k = collections.OrderedDict(p={r})", "dict(k)"),
    "chain map": ("k = collections.ChainMap({{'p': {r}}})", "dict(k)"),
    "append": ("k = []\nk.append({r})", "k"),
    "insert": ("k = [0]\nk.insert(0, {r})", "k"),
    "extend": ("k = []\nk.extend({a})", "k"),
    "extend by pair": ("k = []\nk.extend(({r}, 1))", "k"),
    "list +=": ("k = []\nk += [{r}]", "k"),
    "slice of list": ("k = [0, 0]\nk[:] = {a}[:2]", "k"),
    "list item": ("k = [0, 0]\nk[1] = {r}", "k"),
    "list of array": ("k = list({a})", "k"),
    "tuple of array": ("k = tuple({a})", "k"),
    "star in list": ("k = [*{a}]", "k"),
    "star target": ("p, *k = {a}", "k"),
    "nested targets": ("(p, q), k = {a}[:2], {a}[2]", "(p, q, k)"),
    "unpacked": ("k, p, *_ = {a}", "(k, p)"),
    "zip of rows": ("k = list(zip(*m))", "k"),
    "zip": ("k = list(zip({a}, y))", "k"),
    "comprehension": ("k = [e for e in {a}]", "k"),
    "comprehension of pairs": ("k = [(n, e) for n, e in enumerate({a})]", "k"),
    "map lambda": ("k = list(map(lambda e: e, {a}))", "k"),
    "filter": ("k = list(filter(None, {a}))", "k"),
    "sorted": ("k = sorted({a})", "k"),
    "sorted by key": ("k = sorted({a}, key=lambda e: -e)", "k"),
    "reversed": ("k = list(reversed({a}))", "k"),
    "generator": ("k = list(items({a}))", "k"),
    "generator kept": ("g = items({a})\nk = [next(g), next(g)]", "k"),
    "send": ("g = echo()\nnext(g)\nk = g.send({r})", "k"),
    "deque": ("k = collections.deque({a})", "list(k)"),
    "deque append": ("k = collections.deque(maxlen=2)\nk.append({r})", "list(k)"),
    "heap": ("k = []\nheapq.heappush(k, {r})\nheapq.heappush(k, {a}[1])", "k"),
    "heap of pairs": ("k = []\nheapq.heappush(k, ({r}, 'p'))", "k"),
    "nsmallest": ("k = heapq.nsmallest(2, {a})", "k"),
    "insort": ("k = []\nbisect.insort(k, {r})", "k"),
    "chain": ("k = list(itertools.chain({a}, y))", "k"),
    "islice": ("k = list(itertools.islice({a}, 2))", "k"),
    "accumulate": ("k = list(itertools.accumulate({a}))", "k"),
    "accumulate max": ("k = list(itertools.accumulate({a}, max))", "k"),
    "product": ("k = list(itertools.product({a}[:2], [1]))", "k"),
    "combinations": ("k = list(itertools.combinations({a}, 2))", "k"),
    "pairwise": ("k = list(itertools.pairwise({a}))", "k"),
    "tee": ("p, q = itertools.tee({a})\nk = list(q)", "k"),
    "repeat": ("k = list(itertools.repeat({r}, 2))", "k"),
    "groupby": ("k = [p for p, _ in itertools.groupby({a})]", "k"),
    "partial": ("k = functools.partial(same, {r})", "k()"),
    "default of lambda": ("k = lambda w={r}: w", "k()"),
    "default of def": ("def k(w={r}):\n    return w", "k()"),
    "closure": ("k = holding({r})", "k()"),
    "closure of a name": ("p = {r}\nk = lambda: p", "k()"),
    "itemgetter": ("k = operator.itemgetter(0, 1)({a})", "k"),
    "attribute": ("box.value = {r}\nk = box", "k.value"),
    "constructor": ("k = Box({a}, {r})", "k.value"),
    "method": ("k = Box(y).keep({r})", "(k.value, k.items)"),
    "setattr": ("k = Box(y)\nsetattr(k, 'value', {r})", "k.value"),
    "vars": ("k = Box(y)\nvars(k)['value'] = {r}", "k.value"),
    "slots": ("k = Slim({r})", "k.value"),
    "reversed view": ("k = {a}[::-1]", "k.copy()"),
    "flipped view": ("k = np.flip({a})", "k.copy()"),
    "part of a reversed view": ("k = {a}[::-1][1:]", "k + 0"),
    "largest object": ("k = max(map(Box, {a}), key=lambda b: 0)", "k.data"),
    "class attribute": ("Box.shared = {r}\nk = Box", "k.shared"),
    "dataclass": ("k = Record({r}, [{a}[1]])", "(k.value, k.others)"),
    "named tuple": ("k = Pair({r}, {a}[1])", "tuple(k)"),
    "namespace": ("k = types.SimpleNamespace(value={r})", "k.value"),
    "global dict": ("remember({a})\nk = BEST", "dict(k)"),
    "copy": ("k = copy.copy({r})", "k"),
    "deepcopy": ("k = copy.deepcopy([{r}])", "k"),
    "walrus": ("if (k := {r}) is not None:\n    pass", "k"),
    "conditional": ("k = {r} if i else None", "k"),
    "loop variable": ("for k in {a}:\n    if k > 1:\n        break", "k"),
    "best so far": ("k = {a}[0]\nfor e in {a}:\n    if e > k:\n        k = e", "k"),
    "previous": ("k = []\np = {a}[0]\nfor e in {a}[1:]:\n    k.append((p, e))\n    p = e", "k"),
    "objects in list": ("k = [Box({a}, e) for e in {a}]", "[b.value for b in k]"),
    "passed through": ("k = same(same({r}))", "k"),
    "star call": ("k = (lambda *w: w)(*{a})", "k"),
    "keyword call": ("k = (lambda **w: w)(p={r})", "k"),
    "swap of names": ("p, k = {r}, {a}[1]\np, k = k, p", "(p, k)"),
    "chain of names": ("p = k = {r}", "(p, k)"),
    "iter sentinel": ("g = iter({a})\nk = [next(g, None) for _ in range(2)]", "k"),
    "dict values": ("p = {{'p': {r}}}\nk = list(p.values())", "k"),
    "dict get": ("p = {{'p': {r}}}\nk = p.get('p')", "k"),
    "pop of list": ("p = [{r}]\nk = p.pop()", "k"),
    "nested": ("k = {{'p': [({r},)]}}", "k"),
    "list times": ("k = [{r}] * 2", "k"),
    "from keys": ("k = dict.fromkeys('pq', {r})", "k"),
    "context": ("with contextlib.nullcontext({r}) as k:\n    pass", "k"),
    "try": ("try:\n    k = {r}\nexcept IndexError:\n    k = None", "k"),
}  # fmt: skip
"""Ways to keep a scalar: the statements that bind `k`, and what shows it."""
WRITES = [
    "{a}[0] = 9", "{a}[:] = 0", "{a} += 1", "{a} *= 2", "{a}.sort()", "{a}[::2] -= 3", "{a}.fill(3)", "poke({a})",
    "np.add({a}, 1, out={a})", "z = {a}[:]\nz[0] = 8", "table = {{'x': {a}}}\ntable['x'] += 1", "Box({a}).scale()",
    "for n in range(len({a})):\n    {a}[n] = n + 5", "for q in [{a}, y]:\n    q[0] = 5", "{a}[0], {a}[1] = {a}[1], {a}[0]",
    "(lambda q: poke(q, 4))({a})", "np.copyto({a}, {a}[::-1].copy())", "{a}[{a} > 1] = 0", "other.data[1] = 6", "m[0] += 2",
    "m[0, 1], m[1, 0] = m[1, 0], m[0, 1]", "m *= 3", "np.fill_diagonal(m, 4)", "m.T[1] = 7", "setattr(other, 'data', {a})",
    "{a}[0] += {a}[1]", "FUNCTIONS['write'] = poke\nFUNCTIONS['write']({a}, 2)", "operator.iadd({a}, 1)", "{a}.put([0], 5)",
    "{a}.__setitem__(0, 3)", "exec_later = functools.partial(poke, {a})\nexec_later(1)", "box.data[0] = 5", "pass",
    *scalar_writes.WRITES,
]  # fmt: skip
"""Ways to write the array a scalar was read from."""
CHANGES = {
    "name": ["k += 1", "q = k\nq += 1", "k *= 2", "k = grow(k)", "grow(k)", "q = k\nk -= 1"],
    "list": ["k[0] += 1", "q = k[0]\nk[0] += 1", "q = k[0]\nq *= 2", "for n in range(len(k)):\n    k[n] *= 2"],
    "dict": ["k['p'] += 1", "q = k['p']\nk['p'] += 1", "q = k['p']\nq *= 2", "q = dict(k)\nq['p'] += 1"],
    "dict spread": ["k['p'] += 1", "q = {{**k}}\nq['p'] += 1"],
    "defaultdict": ["k['p'] += 1", "k['n'] += 1\nk['p'] += k['n']"],
    "setdefault": ["k['p'] += 1", "q = k.copy()\nq['p'] += 2"],
    "attribute": ["k.value += 1", "q = k.value\nk.value += 1", "q = copy.copy(k)\nq.value += 1"],
    "constructor": ["k.value += 1", "q = k.value\nq += 2"],
    "objects in list": ["k[0].value += 1", "for b in k:\n    b.value *= 2"],
    "class attribute": ["k.shared += 1", "Box.shared *= 2"],
    "dataclass": ["k.value += 1", "k.others[0] += 1"],
    "list of array": ["k[0] += 1", "k[-1] -= k[0]"],
    "append": ["k[0] += 1", "k[-1] *= k[-1]"],
    "comprehension": ["k[1] += 1"],
    "chain of names": ["k += 1", "p *= 2"],
    "list times": ["k[0] += 1"],
    "from keys": ["k['p'] += 1"],
    "namespace": ["k.value += 1"],
    "slots": ["k.value *= 2"],
    "nested": ["k['p'][0] = (k['p'][0][0] + 1,)"],
    "closure of a name": ["p += 1"],
    "loop variable": ["k += 1"],
}  # fmt: skip
"""Augmented assignments to what is kept."""
KEYS = [
    "out.append([squared(e) for e in ({a}[0], {a}[0], {a}[1])])",
    "c = collections.Counter()\nc.update({a})\nc.update({a})\nout.append(sorted((float(e), n) for e, n in c.items()))",
    "c = collections.Counter({a})\nout.append(sorted((float(e), n) for e, n in c.items()))",
    "c = collections.Counter()\nfor e, g in zip({a}, {a}):\n    c[e, g] += 1\nfor e, g in zip({a}, {a}):\n    c[e, g] += 1\n"
    "out.append(sorted(c.values()))",
    "s = {{Point({a}[0], {a}[1]), Point({a}[0], {a}[1])}}\nout.append(len(s))",
    "s = set()\ns.add({r})\ns.add({r})\nout.append(len(s))",
    "s = set({a})\nout.append(s.__contains__({a}[0]))",
    "s = set({a}).union({a}, y)\nout.append(len(s))",
    "s = set()\ns.update({a})\ns.update({a})\nout.append(sorted(map(float, s)))",
    "d = {{}}\nd.update([({a}[0], 1)])\nd.update([({a}[0], 2)])\nout.append(list(d.values()))",
    "out.append([cubed((e, 1)) for e in {a}])\nout.append(cubed.cache_info().hits >= 0)",
    "c = {{}}\nfor e in {a}:\n    c[e] = c.get(e, 0) + 1\nfor e in {a}:\n    c[e] = c.get(e, 0) + 1\nout.append(sorted(c.values()))",
    "c = {{}}\nfor e in {a}:\n    c.setdefault(e, []).append(1)\nout.append([len(w) for w in c.values()])",
    "c = collections.defaultdict(list)\nfor n, e in enumerate({a}):\n    c[e].append(n)\nout.append(list(c.values()))",
    "c = {{}}\nfor e in {a}:\n    if e in c:\n        c[e] += 1\n    else:\n        c[e] = 1\nout.append(list(c.values()))",
    "seen = set()\nfor e in [*{a}, *{a}]:\n    if e not in seen:\n        seen.add(e)\nout.append(len(seen))",
    "seen = set()\nfor p, q in zip({a}, {a}):\n    if (p, q) not in seen:\n        seen.add((p, q))\nout.append(({a}[0], {a}[0]) in seen)",
    "d = {{{a}[0]: 'p', {a}[1]: 'q'}}\nout.append(d[{a}[0]])\nout.append({a}[1] in d)",
    "d = {{e: n for n, e in enumerate({a})}}\nout.append([d[e] for e in {a}])",
    "d = dict(zip({a}, y))\nout.append(d[{a}[0]])",
    "d = dict.fromkeys({a})\nout.append(len(d))\nout.append({a}[0] in d)",
    "out.append(list({a}).index({a}[1]))\nout.append(list({a}).count({a}[0]))",
    "k = list({a})\nk.remove({a}[1])\nout.append(len(k))",
    "out.append((({a}[0], {a}[1]) == ({a}[0], {a}[1])))",
    "out.append(frozenset({a}) == frozenset(list({a})))",
    "d = {{e: 1 for e in {a}}}\nout.append(d.pop({a}[0], 'none'))",
    "out.append(len({{Node({a}[0]), Node({a}[0])}}))",
    "out.append({{e for e in {a}}} & {{{a}[0]}} == {{{a}[0]}})",
    "out.append(hash({a}[0]) == hash({a}[0].item()))",
    "d = {{({a}[0], 'p'): 1}}\nout.append(({a}[0], 'p') in d)",
    "out.append(float(max(set({a}), key=list({a}).count)))",
    "groups = {{}}\nfor e, g in zip({a}, y):\n    groups.setdefault(e, set()).add(g)\nout.append([len(w) for w in groups.values()])",
    "queue = collections.deque([(0, 0)])\nseen = {{(0, 0)}}\nwhile queue:\n    p, q = queue.popleft()\n"
    "    for n in np.arange(2):\n        r = (min(p + n, np.int64(2)), min(q + 1 - n, np.int64(2)))\n"
    "        if r not in seen:\n            seen.add(r)\n            queue.append(r)\nout.append(len(seen))",
    "edges = np.array([[0, 1], [1, 2], [0, 2]])\ngraph = collections.defaultdict(set)\nfor p, q in edges:\n"
    "    graph[p].add(q)\n    graph[q].add(p)\nout.append(sorted(len(w) for w in graph.values()))",
]  # fmt: skip
"""Scalars as keys of mappings, members of sets, and what is compared by value."""
KINDS = [
    "out.append(isinstance({r}, np.ndarray))", "out.append(isinstance({r}, float))", "out.append(isinstance({r}, int))",
    "out.append(isinstance({r}, (int, float)))", "out.append(isinstance({r}, numbers.Number))",
    "out.append(isinstance({r}, numbers.Real))", "out.append(isinstance({r}, np.floating))", "out.append(kind({r}))",
    "out.append(isinstance({r}, np.integer))", "out.append(isinstance({r}, np.generic))", "out.append(np.isscalar({r}))",
    "out.append(hasattr({r}, 'is_integer'))", "out.append(hash({r}) == hash(float({r})))", "out.append(hasattr({r}, '__len__'))",
    "out.append(Level(int(abs({a}[0])) % 6).name)", "t = ['p', 'q', 'r', 's', 't', 'u', 'v']\nout.append(t[ix[0]])",
    "out.append(divmod({r}, 2))", "out.append(json.dumps({{'p': float({r})}}))", "out.append(round({r}))",
    "out.append(f'{{{r}}}')", "out.append(str({r}))", "out.append('%s' % {r})", "out.append('{{}}'.format({r}))",
    "out.append(f'{{{r}:.3f}}')", "out.append('ab' * ix[1])", "out.append([0] * ix[1])", "out.append(list(range(ix[1])))",
    "out.append(math.floor({r}))", "out.append(operator.index(ix[0]))", "out.append(bool({r}))", "out.append(chr(65 + ix[1]))",
    "out.append(math.isclose({r}, {r}))", "out.append(pickle.loads(pickle.dumps([{r}])))", "out.append(sum([{r}, {r}]))",
    "out.append(Level(ix[1]).name)", "out.append(fractions.Fraction(float({r})))", "out.append(int({r}))",
    "out.append(isinstance({a}[0], collections.abc.Hashable))", "out.append(callable({r}))", "out.append(repr({a}.shape))",
    "out.append(f'{{{a}.dtype}}')", "out.append(str({a}.shape))", "out.append(-{r})", "out.append(abs({r}) ** 2)",
    "out.append({r} == {r})", "out.append({r} is None)", "out.append(not {r})", "out.append(bytes(ix))", "out.append(ix[0].bit_count())",
    "out.append(sorted([{r}, 1, 2]))", "out.append(min({r}, 1))", "out.append(max({r}, 1, 2))", "out.append(math.sqrt(abs({r})))",
    "out.append(int(ix[1]) in range(9))", "out.append(ix[1] in [1, 2])", "out.append({r} in {a})", "out.append(slice(ix[0]).indices(5))",
    "out.append([e for e in range(3)][ix[0]])", "out.append('pqrstuv'[ix[1]])", "out.append({a}[ix[0]:ix[1]].sum())",
    "out.append(np.array([{r}, {a}[1]]))", "out.append(np.full(2, {r}))", "out.append(statistics.mean([float({r}), 1.0]))",
]  # fmt: skip
"""Scalars asked what they are, or used where Python wants a number."""


class Form(NamedTuple):
    """A drawn form: its class, its name, its statements."""

    kind: str
    name: str
    lines: list[str]


class Program(NamedTuple):
    """A drawn program: its forms, the dtype of its arrays, the numbers in them."""

    forms: list[Form]
    dtype: str
    seed: int

    def run(self) -> str:
        """The function that holds the forms."""
        lines = ["def run(x, y, m, ix, i):", "    out = []", "    box = Box(x)", "    other = Box(y)"]
        lines += [f"    {line}" for form in self.forms for line in form.lines]
        return "\n".join([*lines, "    return out, x, y, m, box.data, other.data", ""])

    def main(self) -> str:
        """The function that calls it."""
        draw = random.Random(self.seed).randint
        values = {
            "x": [draw(0, 5) for _ in range(4)], "y": [draw(1, 4) for _ in range(4)],
            "m": [[draw(0, 5) for _ in range(3)] for _ in range(3)],
        }  # fmt: skip
        made = [f"    {name} = np.array({value}, dtype=np.{self.dtype})" for name, value in values.items()]
        made.append("    ix = np.array([1, 2])")
        return "\n".join(["", "", "def main():", *made, "    return run(x, y, m, ix, 1)", ""])

    def modules(self, layout: str) -> dict[str, str]:
        """The files of the program.

        Parameters
        ----------
        layout
            "whole": one file with its call; "library": without; "misled": with calls that pass something else than
            what comes later; "modules" and "apart": helpers, forms and call in a file each, converted together or one
            at a time.
        """
        head, body, main = IMPORTS + HELPERS + STRUCTURES, "\n\n" + self.run(), self.main()
        if layout in OPEN:
            return {"program": head + body + (MISLEADING if layout == "misled" else "")}
        if layout == "whole":
            return {"program": head + body + main}
        shared = "from helpers import *\nfrom helpers import BEST, COSTS, FUNCTIONS, Account, Box\n"
        forms = IMPORTS + shared + body
        return {"helpers": head, "forms": forms, "program": "import numpy as np\nfrom forms import run\n" + main}


def _form(choose: random.Random) -> Form:
    """One form, its parts drawn."""
    array = choose.choice(["x", "x", "y"])
    number = choose.randrange(len(READS))
    read = READS[number].format(a=array)
    roll = choose.random()
    if roll < 0.5:
        name = choose.choice([*PIECES])
        write = choose.choice(WRITES).format(a=array)
        return Form("use", name, PIECES[name].format(a=array, r=read, w=write).splitlines())
    if roll < 0.65:
        number = choose.randrange(len(KEYS))
        return Form("key", f"key {number}", KEYS[number].format(a=array, r=read).splitlines())
    if roll < 0.78:
        number = choose.randrange(len(KINDS))
        return Form("kind", f"kind {number}", KINDS[number].format(a=array, r=read).splitlines())
    name = choose.choice([*KEEPERS, *CHANGES])
    keep, shown = KEEPERS[name]
    lines = keep.format(a=array, r=read).splitlines()
    if name in CHANGES and choose.random() < 0.6:
        change = choose.choice(CHANGES[name]).format(a=array)
        lines += change.splitlines()
        shown = f"({shown}, q)" if "q = " in change else shown
    else:
        lines += choose.choice(WRITES).format(a=array).splitlines()
    return Form("keeper", name, [*lines, f"out.append({shown})"])


def drawn(seed: int) -> Program:
    """The program of a seed."""
    choose = random.Random(seed)
    return Program([_form(choose) for _ in range(choose.randint(1, 5))], choose.choice(DTYPES), seed)


LAYOUTS = ("whole", "library", "modules", "apart", "misled")
OPEN = ("library", "misled")
"""Layouts in which anybody may call the function."""
MISLEADING = """

def others():
    run([1, 2, 3, 4], [0.5] * 4, [[1, 2, 3]] * 3, [1, 2], 0)
    return run(np.arange(4), {0: 1.5, 1: 2.5}, np.eye(3, dtype=bool), (1, 2), 1.5)
"""
"""Calls of it in the project, with other kinds of arguments."""


class Outcome(NamedTuple):
    """What became of a program: "equal", "wrong", "raise", "todo", or "invalid" where NumPy raises itself."""

    kind: str
    why: str = ""


def outcome(program: Program, layout: str) -> Outcome:
    """Run both sides of a program."""
    old = executed(program.modules("whole"), "main")
    if isinstance(old, Exception):
        return Outcome("invalid", repr(old))
    modules = program.modules(layout)
    if layout == "apart":
        after = _converted_apart(modules, program.seed)
    else:
        after = converted_modules(modules, closed=layout not in OPEN)
    if any("TODO(np2torch)" in text for text in after.values()):
        return Outcome("todo")
    arguments = []
    if layout in OPEN:
        start: dict[str, Any] = {"np": np}
        exec(program.main().replace("return run(x, y, m, ix, 1)", "return x, y, m, ix"), start)
        arguments = [*(torch.from_numpy(array) for array in start["main"]()), 1]
    new = executed(after, "run" if layout in OPEN else "main", *arguments)
    if isinstance(new, Exception):
        return Outcome("raise", f"{type(new).__name__}: {new}")
    line = difference(old, new, rtol=1e-6 if program.dtype == "float32" else None)
    return Outcome("equal") if line is None else Outcome("wrong", line)


def converted_modules(modules: dict[str, str], closed: bool = True) -> dict[str, str]:
    """The texts of a program, or with `closed` false of a library, whose functions anybody may call."""
    files = [SourceFile(Path(f"{name}.py"), f"{name}.py", text) for name, text in modules.items()]
    return {done.path.stem: done.after for done in convert_project(files, Settings(closed=("*",) if closed else ()))}


def _converted_apart(modules: dict[str, str], seed: int) -> dict[str, str]:
    """The files of a project converted one at a time, in a random order."""
    with tempfile.TemporaryDirectory() as name, contextlib.chdir(name):
        folder = Path(name)
        (folder / "pyproject.toml").write_text("")
        for module, text in modules.items():
            (folder / f"{module}.py").write_text(text)
        order = [*modules]
        random.Random(seed).shuffle(order)
        for module in order:
            with contextlib.redirect_stderr(io.StringIO()), contextlib.suppress(SystemExit):
                cli.main(["convert", "--write", f"{module}.py"], standalone_mode=False)
        return {module: (folder / f"{module}.py").read_text() for module in modules}


class _TimeoutError(Exception):
    pass


def _stop(*_: object) -> None:
    raise _TimeoutError("too slow")


def executed(modules: dict[str, str], name: str, *arguments: Any) -> Any:
    """What a function of a program gives, or the error it raises."""
    signal.signal(signal.SIGALRM, _stop)
    signal.setitimer(signal.ITIMER_REAL, 10)
    try:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for module, text in modules.items():
                made = types.ModuleType(module)
                sys.modules[module] = made
                exec(compile(text, f"{module}.py", "exec"), vars(made))
            return vars(sys.modules["program"])[name](*arguments)
    except Exception as error:
        return error
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        for module in modules:
            sys.modules.pop(module, None)


def shrunk(program: Program, kind: str, layout: str) -> Program:
    """The same with every form left out that the outcome does not need."""
    for form in program.forms:
        smaller = program._replace(forms=[one for one in program.forms if one is not form])
        if len(program.forms) > 1 and outcome(smaller, layout).kind == kind:
            program = smaller
    return program


def show(program: Program, layout: str) -> Iterator[str]:
    """Lines that show what is wrong with a program."""
    yield f"seed {program.seed}, {program.dtype}, {layout}: {outcome(program, layout).why}"
    yield from (f"    {line}" for form in program.forms for line in form.lines)


def main() -> None:
    """Run, and print the shortest form of what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=int, nargs="?", default=500)
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--layout", choices=LAYOUTS, help="how the program is laid out; by default in turn")
    parser.add_argument("--show", default="wrong", help="the outcomes to show, by commas")
    parser.add_argument("--shares", action="store_true", help="print how many programs draw each form")
    options = parser.parse_args()
    kinds: Counter[str] = Counter()
    forms: Counter[str] = Counter()
    for seed in range(options.start, options.start + options.programs):
        program, layout = drawn(seed), options.layout or LAYOUTS[seed % len(LAYOUTS)]
        with contextlib.redirect_stdout(None):
            found = outcome(program, layout)
        kinds[found.kind] += 1
        forms.update({form.name for form in program.forms})
        if found.kind in options.show.split(","):
            print("\n".join(show(shrunk(program, found.kind, layout), layout)), flush=True)
    if options.shares:
        print(", ".join(f"{name} {count}" for name, count in forms.most_common()))
    print(", ".join(f"{kind} {count}" for kind, count in kinds.most_common()))
    sys.exit(1 if kinds["wrong"] else 0)


if __name__ == "__main__":
    main()
