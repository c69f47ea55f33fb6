"""Small programs with hostile names and places of imports, drawn at random, each run in NumPy and converted.

Parameters, locals, globals, comprehensions, functions, classes and modules called what the new text needs (`torch`,
`shim`, `math`, builtins); NumPy imported on one line with its use, in functions, classes and blocks, below what needs
it; names that only text speaks of.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import random
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

NAMES = (
    "torch torch torch shim shim shim math math unittest np th np_shim py_math builtins slice tuple map float getattr "
    "isinstance staticmethod RuntimeError"
).split()
"""What people may call their own, drawn with these weights."""
USES = [
    "np.ones(3).tolist()", "np.arange(4.0).sum().item()", "np.percentile(np.arange(5.0), 30).item()",
    "np.interp(0.5, [0, 1], [0, 4]).item()", "np.pi", "[np.inf, -np.inf]", "np.array([3, 1, 2]).argsort().tolist()",
    "np.random.RandomState(0).randint(9)", "np.array([[1, 2], [3, 4]])[1:, ::-1].tolist()", "np.zeros((2, 3)).ndim",
    "np.where(np.arange(3) > 1)[0].tolist()", "np.unique([3, 1, 3]).tolist()", "(np.array([1, 2]) / 2).tolist()",
    "np.full(2, np.e).round(3).tolist()", "(np.eye(2, dtype=np.int8) + 1).tolist()", "np.arange(6)[1::2].tolist()",
    "np.linspace(0, 1, 3)[::-1].tolist()", "np.array_equal(np.ones(2), np.ones(2))", "np.float32(2.5).item()",
    "np.nonzero(np.array([0, 4]))[0].tolist()", "np.cross([1, 0, 0], [0, 1, 0]).tolist()",
]  # fmt: skip
"""Expressions whose torch text needs a module or a builtin."""
IMPORTS = {
    "plain": "import numpy as np",
    "one line with a use": "import numpy as np; print({use})",
    "one line with others": "import os, numpy as np; print({use}); import json",
    "after a docstring on its line": '"""A program."""; import numpy as np; print({use})',
    "after __future__ on its line": "from __future__ import annotations; import numpy as np; print({use})",
    "after another statement": "first = 1; import numpy as np; print({use}, first)",
    "a whole module": "import numpy\nnp = numpy",
    "guarded": "try:\n    import numpy as np\nexcept ImportError:\n    np = None",
    "guarded with others": "try:\n    import json, numpy as np\nexcept ImportError:\n    np = None",
    "second choice": "try:\n    import cupy as np\nexcept ImportError:\n    import numpy as np",
    "after what fails": "try:\n    import not_there\n    import numpy as np\nexcept ImportError:\n    import numpy as np",
    "in a branch": "import sys\nif sys.version_info > (3,):\n    import numpy as np\nelse:\n    np = None",
    "in both branches": "import sys\nif len(sys.argv) > 99:\n    import numpy as np\nelse:\n    import numpy as np",
    "in a branch on its line": "if True: import numpy as np; print({use})",
    "in a with": "import contextlib\nwith contextlib.nullcontext(): import numpy as np; print({use})",
    "in a loop": "for _ in range(1): import numpy as np; print({use})",
    "in a case": "match 1:\n    case 1: import numpy as np; print({use})",
    "by a function": "def setup():\n    global np\n    import numpy as np\n\n\nsetup()",
    "below a function": "def early():\n    return {use}\n\n\nimport numpy as np\nprint(early())",
    "below a class": "class Early:\n    def get(self):\n        return {use}\n\n\nimport numpy as np\nprint(Early().get())",
    "below what is converted": "from lib import data\n\ntotal = (data / 2).sum().item()\nimport numpy as np\nprint(total)",
    "below what is on its line": "from lib import data; print((data / 2).tolist()); import numpy as np",
    "names from it": "import numpy as np\nfrom numpy import ones, pi\nprint(ones(2).tolist(), pi)",
    "all names from it": "import numpy as np\nfrom numpy import *\nprint(ones(2).tolist(), pi)",
    "in parentheses": "import numpy as np\nfrom numpy import (\n    ones,\n    zeros as z,\n); print(ones(2).tolist(), z(1).tolist())",
    "on a continued line": "import numpy as np; \\\nprint({use})  # after all",
    "with a comment": "import sys\n# arrays\nimport numpy as np; print({use})  # noqa",
    "guarded on one line": "try: import numpy as np; print({use})\nexcept ImportError: np = None",
    "in a finally": "try:\n    pass\nfinally:\n    import numpy as np; print({use})",
    "in the else of a loop": "for _ in (): pass\nelse: import numpy as np; print({use})",
    "by a call": "import importlib\nnp = importlib.import_module('numpy'); print({use})",
    "parts of it": "import numpy.linalg as la, numpy as np; print(la.det(np.eye(2)).item(), {use})",
    "for checkers": "from __future__ import annotations\nfrom typing import TYPE_CHECKING\nif TYPE_CHECKING: import numpy as np\n\n\ndef early(x: np.ndarray):\n    return x\n\n\nimport numpy as np; print({use})",
    "as the hostile name": "import numpy as {name}; print({name}.ones(3).tolist(), {name}.pi)\nimport numpy as np",
    "from another module": "from lib import np",
}
"""Where NumPy is imported."""
FORMS = {
    "parameter": "def {f}({name}):\n    return {use}, {name}\n\n\nprint({f}(5))",
    "all kinds of parameters": "def {f}(a, /, *{name}, b={use}, **rest):\n    return {use}, {name}, b, rest\n\n\nprint({f}(1, 2, c=3))",
    "keyword": "def {f}(*, {name}=4):\n    return {use}, {name}\n\n\nprint({f}({name}=3))",
    "default": "def {f}(value={use}, {name}=4):\n    return value, {name}\n\n\nprint({f}())",
    "local": "def {f}():\n    {name} = 5\n    return {use}, {name}\n\n\nprint({f}())",
    "local bound later": "def {f}():\n    first = {use}\n    {name} = 5\n    return first, {name}\n\n\nprint({f}())",
    "global": "{name} = 7\n\n\ndef {f}():\n    return {use}, {name}\n\n\nprint({f}())",
    "global by a function": "def {f}():\n    global {name}\n    {name} = 4\n    return {use}\n\n\nprint({f}(), {name})",
    "comprehension": "print([({use}, {name}) for {name} in range(2)])",
    "generator in a function": "def {f}():\n    return list(({use}, {name}) for {name} in (1, 2))\n\n\nprint({f}())",
    "dict of a comprehension": "print({{{name}: {use} for {name} in (1, 2)}})",
    "lambda": "print((lambda {name}: ({use}, {name}))(3))",
    "nested function": "def {f}():\n    def {name}():\n        return {use}\n    return {use}, {name}()\n\n\nprint({f}())",
    "function": "def {name}():\n    return {use}\n\n\nprint({name}(), {use})",
    "class": "class {name}:\n    value = {use}\n\n    def get(self):\n        return {use}\n\n\nprint({name}.value, {name}().get())",
    "attribute of a class": "class C{f}:\n    {name} = 3\n    value = {use}\n\n    def get(self):\n        return {use}, self.{name}\n\n\nprint(C{f}().value, C{f}().get())",
    "method": "class C{f}:\n    def {name}(self):\n        return {use}\n\n    value = {use}\n\n\nprint(C{f}().{name}(), C{f}.value)",
    "attribute of an object": "class C{f}:\n    def __init__(self, {name}):\n        self.{name} = {name}\n        self.value = {use}\n\n\nprint(C{f}(3).{name}, C{f}(4).value)",
    "caught error": "try:\n    1 / 0\nexcept ZeroDivisionError as {name}:\n    print({use}, str({name}))",
    "with": "import contextlib\nwith contextlib.nullcontext(4) as {name}:\n    print({use}, {name})",
    "walrus": "if ({name} := 5) > 4:\n    print({use}, {name})",
    "walrus in a comprehension": "def {f}():\n    return [{use} for one in (1, 2) if ({name} := one)], {name}\n\n\nprint({f}())",
    "another module": "import json as {name}\nprint({use}, {name}.dumps([1]))",
    "another module in a function": "def {f}():\n    import json as {name}\n    return {use}, {name}.dumps([1])\n\n\nprint({f}())",
    "default of a lambda": "print((lambda {name}, value={use}: (value, {name}))(3))",
    "lambda in a class": "class C{f}:\n    {name} = 2\n    get = staticmethod(lambda: {use})\n\n\nprint(C{f}.get())",
    "nested class": "class C{f}:\n    class {name}:\n        value = {use}\n    other = {use}\n\n\nprint(C{f}.{name}.value, C{f}.other)",
    "class in a function": "def {f}({name}):\n    class Inner:\n        value = {use}, {name}\n    return Inner.value\n\n\nprint({f}(2))",
    "comprehension in a class": "class C{f}:\n    {name} = 2\n    values = [{use} for _ in range({name})]\n\n\nprint(C{f}.values)",
    "property": "class C{f}:\n    @property\n    def {name}(self):\n        return {use}\n\n\nprint(C{f}().{name})",
    "coroutine": "import asyncio\n\n\nasync def {f}({name}):\n    return {use}, {name}\n\n\nprint(asyncio.run({f}(3)))",
    "generator function": "def {f}({name}):\n    yield {use}\n    {name} = 2\n    yield {name}\n\n\nprint(list({f}(1)))",
    "conditional definition": "if {use} is not None:\n    {name} = 3\nprint({use}, {name})",
    "bound in one branch": "def {f}(flag):\n    if flag:\n        {name} = 3\n    return {use}\n\n\nprint({f}(True), {f}(False))",
    "deleted in a function": "def {f}({name}=1):\n    del {name}\n    return {use}\n\n\nprint({f}())",
    "augmented": "{name} = 1\n{name} += 2\nprint({use}, {name})",
    "annotated": "{name}: int = 1\nprint({use}, {name})",
    "starred": "first, *{name} = 1, 2\nprint({use}, {name})",
    "rest of a mapping": "match {{'a': 1, 'b': 2}}:\n    case {{'a': 1, **{name}}}:\n        print({use}, {name})",
    "dataclass": "from dataclasses import dataclass\n\n\n@dataclass\nclass C{f}:\n    {name}: int = 3\n    value: float = np.pi\n\n\nprint(C{f}())",
    "names of a class by text": "class C{f}:\n    {name} = {use}\n\n\nprint(getattr(C{f}, '{name}'), vars(C{f})['{name}'])",
    "names printed": "def {f}():\n    {name} = {use}\n    return locals()\n\n\nprint({f}())",
    "function over arrays": "def {f}(x, {name}):\n    return (np.sin(x) * {name} + np.pi).round(3).tolist(), np.percentile(x, 50).item()\n\n\nprint({f}(np.arange(3.0), 2))",
    "nonlocal": "def {f}():\n    {name} = 1\n\n    def inner():\n        nonlocal {name}\n        {name} += 1\n        return {use}\n    return inner(), {name}\n\n\nprint({f}())",
    "loop": "for {name} in (1, 2):\n    print({use}, {name})",
    "unpacking": "{name}, *rest = 1, 2, 3\nprint({use}, {name}, rest)",
    "deleted": "{name} = 1\ndel {name}\nprint({use})",
    "captured by match": "match [1, 2]:\n    case [{name}, *_]:\n        print({use}, {name})",
    "decorator": "def {name}(function):\n    return function\n\n\n@{name}\ndef {f}():\n    return {use}\n\n\nprint({f}())",
    "keyword of a call": "print(dict({name}={use}))",
    "annotation": "def {f}(x: np.ndarray, {name}: int = 2) -> np.ndarray:\n    return x * {name}\n\n\nprint({f}(np.ones(2)).tolist())",
    "the module itself": "import math\nprint(math.floor(2.5), {use})",
    "the module below": "print({use})\nimport math, unittest\nprint(math.floor(2.5), unittest.__name__)",
    "the module under another name": "import torch as T, math as m\nprint(T.__name__, m.floor(2.5), {use})",
    "the module in a function": "def {f}():\n    value = {use}\n    import math, torch\n    return value, math.floor(2.5), torch.__name__\n\n\nprint({f}())",
    "a part of the module": "from torch import nn\nprint(nn.__name__, {use})",
    "the module where installed": "try:\n    import torch\nexcept ImportError:\n    torch = None\nprint(torch is None, {use})",
    "bound by text": "exec('{name} = 3')\nprint({name}, {use})",
    "bound by globals": "globals()['{name}'] = 4\nprint({use}, globals()['{name}'])",
    "import in a function": "def {f}({name}=2):\n    import numpy as np; return {use}, {name}\n\n\nprint({f}())",
    "import in a nested function": "def {f}({name}=2):\n    def inner():\n        import numpy as np; return {use}, {name}\n    return inner()\n\n\nprint({f}())",
    "import in a function around": "def {f}({name}=2):\n    import numpy as np; first = {use}\n\n    def inner({name}=3):\n        return {use}, {name}\n    return first, inner(), {name}\n\n\nprint({f}())",
    "import in a branch of a function": "def {f}(flag, {name}=2):\n    if flag: import numpy as np; value = {use}\n    else: value = 0\n    return value, {name}\n\n\nprint({f}(True), {f}(False))",
    "import below in a function": "def {f}({name}=2):\n    first = (data / 2).tolist()\n    import numpy as np\n    return first, {use}, {name}\n\n\nfrom lib import data\nprint({f}())",
    "import in a class": "class C{f}:\n    import numpy as np; value = {use}\n\n    def get(self, {name}=1):\n        return self.np.ones(2).tolist(), {name}\n\n\nprint(C{f}.value, C{f}().get())",
    "import handed on by a class": "class C{f}:\n    import numpy as np\n    {name} = np.ones(1).tolist()\n\n\nxp = C{f}.np\nprint(xp.__name__, C{f}.{name})",
    "text evaluated": "print(eval('np.ones(2)').tolist(), {use})",
    "text timed": "import timeit\nprint(timeit.timeit('np.int8(1)', globals=globals(), number=1) >= 0, {use})",
    "text in parts": "import timeit\nn = 2\nprint(timeit.timeit(f'np.ones({{n}})', 'np.ones(' + str(n) + ')', globals=globals(), number=1) >= 0, {use})",
    "text compiled": "code = compile('value_{f} = np.ones(1).tolist()', 'x', 'exec')\nrun = getattr(__import__('builtins'), 'exec')\nrun(code)\nprint(value_{f}, {use})",
    "text looked up": "print(globals()['np'].__name__, {use})",
    "text looked up later": "import sys\nprint(getattr(sys.modules[__name__], 'np').__name__, {use})",
    "text of a list": "words = ['np', 'sys']\nimport sys\nprint([globals()[word].__name__ for word in words], {use})",
    "doctest": 'import doctest, sys\n\n\ndef {f}():\n    """Double.\n\n    >>> for value in np.arange(2.0).tolist():\n    ...     print(value, \'a\',\n    ...           np.ones(1).tolist())\n    0.0 a [1.0]\n    1.0 a [1.0]\n    >>> {name} = 3\n    >>> np.ones({name}).tolist()\n    [1.0, 1.0, 1.0]\n    """\n    return {use}\n\n\nprint({f}(), doctest.testmod(sys.modules[__name__]))',
    "doctest with its import": 'import doctest, sys\n\n\ndef {f}():\n    """Double.\n\n    >>> import numpy as np; {name} = 3; np.ones({name}).tolist()\n    [1.0, 1.0, 1.0]\n    """\n    return {use}\n\n\nprint({f}(), doctest.testmod(sys.modules[__name__]))',
    "__test__": "import doctest, sys\n__test__ = {{'x': '>>> np.ones(1).tolist()\\n[1.0]\\n'}}\nprint(doctest.testmod(sys.modules[__name__]), {use})",
    "star of a module": "{name} = 5\nfrom lib import *\nprint({name}, size, {use})",
    "star of a module below": "from lib import *\n{name} = 5\nprint({name}, size, twice(2), {use})",
    "attribute of a module": "import lib\nlib.{name} = 5\nprint(lib.{name}, lib.twice(2), {use})",
    "NumPy of a module": "import lib\nprint(lib.np.ones(2).tolist(), lib.np.__name__, {use})",
    "NumPy of a module by text": "import lib\nprint(getattr(lib, 'np').__name__, {use})",
    "NumPy of a module patched": "from unittest import mock\nwith mock.patch('lib.np.ones'):\n    print({use} is None)",
    "NumPy of a module timed": "import timeit\nprint(timeit.timeit('np.ones(1)', 'from lib import np', number=1) >= 0, {use})",
    "global of a module": "from hostile import {name}, get\nprint({name}, get(), {use})",
    "made by __getattr__": "from lazily import {name}\nprint({name}, {use})",
    "submodule": "from package import {name}, total\nprint({name}.value, total, {use})",
}
"""What a program does with a name beside what needs NumPy."""
OTHERS = {
    "lib": "import numpy as np\n\ndata = np.arange(3)\nsize = np.ones(2).sum().item()\n\n\ndef twice(x):\n    return np.interp(x, [0, 1], [0, np.pi]).item()\n",
    "hostile": "import numpy as np\n\n{name} = 5\n\n\ndef get():\n    return np.interp(1, [0, 1], [0, np.pi]).item(), np.ones(2).tolist(), {name}\n",
    "lazily": "import numpy as np\n\ntotal = np.interp(1, [0, 1], [0, np.pi]).item(), np.ones(2).tolist()\n\n\ndef __getattr__(name):\n    if name.startswith('__'):\n        raise AttributeError(name)\n    return 'made ' + name\n",
    "package/__init__": "import numpy as np\n\ntotal = np.interp(1, [0, 1], [0, np.pi]).item(), np.ones(2).tolist()\n",
    "package/{name}": "value = 5\n",
}
"""The other modules of the programs."""


class Program(NamedTuple):
    """A drawn program: its files by name, the first one is run, and what was drawn."""

    files: Mapping[str, str]
    drawn: tuple[str, ...]


def drawn(seed: int) -> Program:
    """The program of a seed, which runs in NumPy."""
    draw = random.Random(seed)
    while True:
        program = _drawn(draw)
        observed = _observed(program.files)
        if not observed.error and "Failed example" not in observed.printed:
            return program


def _drawn(draw: random.Random) -> Program:
    place = draw.choice(list(IMPORTS))
    forms = draw.sample(list(FORMS), draw.randint(1, 3))
    used = draw.choice(NAMES)
    texts = []
    for number, template in enumerate([IMPORTS[place], *(FORMS[form] for form in forms)]):
        name = used if draw.random() < 0.7 else draw.choice(NAMES)
        texts.append(template.format(name=name, use=draw.choice(USES), f=f"f{number}"))
    main = "\n\n\n".join(texts) + "\n"
    files = {"program.py": main}
    files |= {f"{name.format(name=used)}.py": text.format(name=used) for name, text in OTHERS.items()}
    return Program(files, (place, *forms, f"named {used}"))


class Observed(NamedTuple):
    """What a program printed, and the error it ended with."""

    printed: str
    error: str


def _observed(files: Mapping[str, str]) -> Observed:
    """Import the program from a folder of its own."""
    before, path, printed = set(sys.modules), list(sys.path), io.StringIO()
    error = ""
    with tempfile.TemporaryDirectory() as folder, warnings.catch_warnings(), contextlib.redirect_stdout(printed):
        warnings.simplefilter("ignore")
        for name, text in files.items():
            target = Path(folder, name)
            target.parent.mkdir(exist_ok=True)
            target.write_text(text, "utf-8")
        sys.path.insert(0, folder)
        importlib.invalidate_caches()
        try:
            importlib.import_module("program")
        except (Exception, SystemExit) as raised:
            error = f"{type(raised).__name__}: {raised}"
        finally:
            sys.path[:] = path
            for name in set(sys.modules) - before:
                if getattr(sys.modules[name], "__file__", None) and str(sys.modules[name].__file__).startswith(folder):
                    del sys.modules[name]
    return Observed(printed.getvalue(), error)


def converted(files: Mapping[str, str]) -> dict[str, str]:
    """All files after one conversion."""
    sources = [SourceFile(Path("/", name), name, text) for name, text in files.items()]
    done = {one.path.relative_to("/").as_posix(): one for one in convert_project(sources, Settings())}
    problems = [problem for one in done.values() for problem in one.problems]
    assert not problems, problems
    return {name: done[name].after for name in files}


def difference(program: Program) -> str | None:
    """What the converted program does otherwise; None where it does the same, and converts to itself again."""
    after = converted(program.files)
    old, new = _observed(program.files), _observed(after)
    if new != old:
        return f"{old}\n{new}\n" + after["program.py"]
    again = converted(after)
    changed = [name for name in after if again[name] != after[name]]
    return f"a second conversion changes {changed[0]}:\n{after[changed[0]]}\n{again[changed[0]]}" if changed else None


def main() -> None:
    """Run, show what differs and how often each form was drawn."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=int, nargs="?", default=500)
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    options = parser.parse_args()
    counts: Counter[str] = Counter()
    broken = 0
    for seed in range(options.start, options.start + options.programs):
        program = drawn(seed)
        counts.update(set(program.drawn))
        if (found := difference(program)) is not None:
            broken += 1
            print(f"--- seed {seed}: {program.drawn}\n{program.files['program.py']}\n--- {found}", flush=True)
    for what, count in counts.most_common():
        print(f"{count / options.programs:6.1%}  {what}")
    print(f"{options.programs} programs, {broken} broken")
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
