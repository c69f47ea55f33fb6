"""`make bench-shim`: what a call costs under NumPy, `torch._numpy`, bare torch, our native output and our shim.

    python tools/bench_shim.py [--sizes 10 1000 1000000] [--only add sum] [--json FILE]

Each expression is run by all sides in turn, on the same values, in one process on one thread; the least CPU time of the
rounds counts, so that other processes do not. Printed are microseconds per call, geometric means per size, and the
median of what the shim adds to bare torch.
Seconds do not travel between machines; the ratios do.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import time
import timeit
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch._numpy as tnp

from np2torch import shim
from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

EXPRESSIONS = {
    "add": ("np.add(a, b)", "torch.add(a, b)"),
    "multiply": ("np.multiply(a, 2.5)", "torch.multiply(a, 2.5)"),
    "operator +": ("a + b", "a + b"),
    "sin": ("np.sin(a)", "torch.sin(a)"),
    "sqrt": ("np.sqrt(a)", "torch.sqrt(a)"),
    "exp": ("np.exp(a)", "torch.exp(a)"),
    "maximum": ("np.maximum(a, b)", "torch.maximum(a, b)"),
    "less": ("np.less(a, b)", "torch.less(a, b)"),
    "sum": ("np.sum(a)", "torch.sum(a)"),
    "sum axis": ("np.sum(m, axis=0)", "torch.sum(m, 0)"),
    "mean": ("np.mean(a)", "torch.mean(a)"),
    "max": ("np.max(a)", "torch.amax(a)"),
    "argmax": ("np.argmax(a)", "torch.argmax(a)"),
    "cumsum": ("np.cumsum(a)", "torch.cumsum(a, 0)"),
    "where": ("np.where(c, a, b)", "torch.where(c, a, b)"),
    "clip": ("np.clip(a, 0.25, 0.5)", "torch.clip(a, 0.25, 0.5)"),
    "reshape": ("np.reshape(a, (2, -1))", "torch.reshape(a, (2, -1))"),
    "transpose": ("np.transpose(m)", "m.mT"),
    "concatenate": ("np.concatenate((a, b))", "torch.cat((a, b))"),
    "matmul": ("np.matmul(m, w)", "torch.matmul(m, w)"),
    "subtract scalar": ("np.subtract(1.0, a)", "torch.sub(1.0, a)"),
    "divide": ("np.divide(a, b)", "torch.divide(a, b)"),
    "power": ("np.power(a, 2)", "torch.pow(a, 2)"),
    "abs": ("np.abs(a)", "torch.abs(a)"),
    "equal": ("np.equal(a, b)", "torch.eq(a, b)"),
    "logical_and": ("np.logical_and(c, c)", "torch.logical_and(c, c)"),
    "isnan": ("np.isnan(a)", "torch.isnan(a)"),
    "prod": ("np.prod(a)", "torch.prod(a)"),
    "any": ("np.any(c)", "torch.any(c)"),
    "mean axis": ("np.mean(m, axis=1)", "torch.mean(m, 1)"),
    "max axis": ("np.max(m, axis=1)", "torch.amax(m, 1)"),
    "std": ("np.std(a)", "torch.std(a, correction=0)"),
    "sum keepdims": ("np.sum(m, axis=1, keepdims=True)", "torch.sum(m, 1, keepdim=True)"),
    "norm": ("np.linalg.norm(a)", "torch.linalg.norm(a)"),
    "dot": ("np.dot(a, b)", "torch.dot(a, b)"),
    "outer": ("np.outer(m[0], m[0])", "torch.outer(m[0], m[0])"),
    "einsum": ("np.einsum('ij,jk->ik', m, w)", "torch.einsum('ij,jk->ik', m, w)"),
    "asarray": ("np.asarray(a)", "torch.as_tensor(a)"),
    "array": ("np.array(a)", "torch.clone(a)"),
    "zeros": ("np.zeros(3)", "torch.zeros(3, dtype=torch.float64)"),
    "ones shape": ("np.ones((2, 3))", "torch.ones((2, 3), dtype=torch.float64)"),
    "full": ("np.full(3, 0.5)", "torch.full((3,), 0.5, dtype=torch.float64)"),
    "zeros_like": ("np.zeros_like(a)", "torch.zeros_like(a)"),
    "arange": ("np.arange(10)", "torch.arange(10)"),
    "linspace": ("np.linspace(0.0, 1.0, 5)", "torch.linspace(0.0, 1.0, 5, dtype=torch.float64)"),
    "ravel": ("np.ravel(m)", "torch.ravel(m)"),
    "expand_dims": ("np.expand_dims(a, 0)", "torch.unsqueeze(a, 0)"),
    "squeeze": ("np.squeeze(a)", "torch.squeeze(a)"),
    "swapaxes": ("np.swapaxes(m, 0, 1)", "torch.swapaxes(m, 0, 1)"),
    "stack": ("np.stack((a, b))", "torch.stack((a, b))"),
    "vstack": ("np.vstack((a, b))", "torch.vstack((a, b))"),
    "sort": ("np.sort(a)", "torch.sort(a).values"),
    "argsort": ("np.argsort(a)", "torch.argsort(a)"),
    "diff": ("np.diff(a)", "torch.diff(a)"),
    "flip": ("np.flip(a, 0)", "torch.flip(a, (0,))"),
    "take": ("np.take(a, i)", "torch.take(a, i)"),
    "mask": ("a[c]", "a[c]"),
    "element": ("a[3]", "a[3]"),
    "slice": ("m[:, 0]", "m[:, 0]"),
}
"""Per name the NumPy expression, and the bare torch one of the same meaning."""

GUARDS = {
    "tensors": "shim.tensors(a, b)", "floating": "shim.floating(a, b)", "inexact": "shim.inexact(a, b)",
    "promote": "shim.promote(a, b)", "floating of one": "shim.floating(a)", "floating and 0.5": "shim.floating(a, 0.5)",
    "the same, numbers": "shim.floating(a, 0.5, numbers=True)",
    "promote with ints": "shim.promote(a, i)", "kinds": "kinds(a, b)", "linked sizes": "sizes(m, w)",
}  # fmt: skip
"""What a line at the entry of a function costs; `kinds` and `sizes` are empty functions with a contract."""

TYPES = "a: float64[n]; b: float64[n]; c: bool[n]; m: float64[n, k]; w: float64[k, 2]; i: int64[k]"
OPERATORS = {"a + b": "np.operator.add(a, b)", "a[c]": "np.operator.getitem(a, c)", "a[3]": "np.operator.getitem(a, 3)",
             "m[:, 0]": "np.operator.getitem(m, (slice(None), 0))"}  # fmt: skip


def native() -> dict[str, Any]:
    """The converted functions, by position."""
    lines = ["import numpy as np"]
    for at, (source, _) in enumerate(EXPRESSIONS.values()):
        lines.append(f"def f{at}(a, b, c, m, w, i):  # np2torch: {TYPES}\n    return {source}\n")
    text = "\n".join(lines)
    (converted,) = convert_project([SourceFile(Path("bench.py"), "bench.py", text)], Settings())
    space: dict[str, Any] = {}
    exec(converted.after, space)
    return space


def compiled(source: str, **names: Any) -> Callable[..., Any]:
    """A function of the arguments."""
    space: dict[str, Any] = {}
    exec(f"def f(a, b, c, m, w, i):\n    return {source}\n", names | space, space)
    function: Callable[..., Any] = space["f"]
    return function


def arguments(n: int) -> dict[str, Any]:
    """The same values for every side."""
    rng = np.random.default_rng(0)
    k = min(n, 10)
    return {
        "a": rng.random(n), "b": rng.random(n), "c": rng.random(n) < 0.5,
        "m": rng.random((n // k, k)), "w": rng.random((k, 2)),
        "i": rng.integers(0, n, k),
    }  # fmt: skip


def timer(function: Callable[..., Any], values: list[Any]) -> timeit.Timer:
    """What measures the CPU time of calls."""
    return timeit.Timer(lambda: function(*values), timer=time.process_time)


def times(functions: dict[str, tuple[Callable[..., Any], list[Any]]], rounds: int) -> dict[str, float]:
    """Microseconds of CPU per call, the least of rounds in which all take turns."""
    found: dict[str, list[float]] = {side: [] for side in functions}
    number = {}
    for side, (function, values) in functions.items():
        once = min(timer(function, values).repeat(3, 1))
        number[side] = max(1, int(0.002 / max(once, 1e-7)))
    for _ in range(rounds):
        for side, (function, values) in functions.items():
            took = timer(function, values).timeit(number[side])
            found[side].append(took / number[side] * 1e6)
    return {side: min(values) for side, values in found.items()}


def guards() -> dict[str, float]:
    """Microseconds per call of each guard on small tensors, less those of an empty call."""
    arrays = [torch.from_numpy(x) for x in arguments(10).values()]
    kinds = shim.contract(a="inexact[n]", b="inexact[n]")(lambda a, b: None)
    sizes = shim.contract(m="inexact[n, k]", w="inexact[k, p]")(lambda m, w: None)
    sources = {"": "None", **GUARDS}
    sides = {name: (compiled(x, shim=shim, kinds=kinds, sizes=sizes), arrays) for name, x in sources.items()}
    found = times(sides, 15)
    empty = found.pop("")
    return {name: took - empty for name, took in found.items()}


def geomean(values: list[float]) -> float:
    """The geometric mean."""
    return math.exp(statistics.fmean(math.log(value) for value in values))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=[10, 1000, 1_000_000])
    parser.add_argument("--only", nargs="*", default=list(EXPRESSIONS))
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--json", type=Path)
    wanted = parser.parse_args()
    torch.set_num_threads(1)
    print("guards: microseconds per call")
    for name, took in (costs := guards()).items():
        print(f"{name:20}{took:6.2f}", flush=True)
    ours = native()
    sides = ("numpy", "torch._numpy", "torch", "native", "shim")
    report: dict[str, Any] = {"guards": costs}
    for n in wanted.sizes:
        arrays = list(arguments(n).values())
        tensors = [torch.from_numpy(x) for x in arrays]
        wrapped = [tnp.asarray(x) for x in tensors]
        print(f"\nn = {n}: microseconds per call\n{'':12}" + "".join(f"{side:>14}" for side in sides))
        table: dict[str, dict[str, float]] = {}
        for at, (name, (source, bare)) in enumerate(EXPRESSIONS.items()):
            if name not in wanted.only:
                continue
            table[name] = times(
                {
                    "numpy": (compiled(source, np=np), arrays),
                    "torch._numpy": (compiled(source, np=tnp), wrapped),
                    "torch": (compiled(bare, torch=torch), tensors),
                    "native": (ours[f"f{at}"], tensors),
                    "shim": (compiled(OPERATORS.get(source, source), np=shim), tensors),
                },
                wanted.rounds,
            )
            print(f"{name:12}" + "".join(f"{table[name][side]:14.2f}" for side in sides), flush=True)
        means = {side: geomean([row[side] for row in table.values()]) for side in sides}
        print(f"{'geomean':12}" + "".join(f"{means[side]:14.2f}" for side in sides))
        print(f"{'/ numpy':12}" + "".join(f"{means[side] / means['numpy']:14.2f}" for side in sides))
        each = {name: row["shim"] - row["torch"] for name, row in table.items()}
        added = statistics.median(each.values())
        print(f"the shim adds {added:.2f} us to bare torch (median of {len(table)} functions)")
        print("more than 1.5:", ", ".join(f"{name} {more:.2f}" for name, more in each.items() if more > 1.5) or "none")
        report[str(n)] = {"geomeans": means, "added": added, "calls": table}
    if wanted.json:
        wanted.json.write_text(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
