"""Bugs planted in converted functions: how many does `np2torch verify` catch, and does it cry wolf on the others?

    python tools/seeded_bugs.py OLD NEW [OLD NEW ...] [--functions 80] [--seed 0] [--replay FILE] [--json FILE]

OLD and NEW are folders of packages before and after conversion. Functions are drawn from those that generated inputs
exercise; each is checked as it is (any difference is a false alarm), then with one bug, drawn from those that fit it.
What a bug changes that no caller can see is counted as missed too: the list at the end is for reading.
"""

from __future__ import annotations

import argparse
import ast
import copy
import json
import random
import shutil
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from np2torch.source.discover import load_project
from np2torch.source.settings import load_settings
from np2torch.verify.calls import Call
from np2torch.verify.check import Result, Sides, check
from np2torch.verify.children import Child, Limits, ModuleError
from np2torch.verify.explore import Target
from np2torch.verify.hints import Body, hints, node_of
from np2torch.verify.pairs import Function, Pair, pairs
from np2torch.verify.replay import load
from np2torch.verify.statements import Statements
from np2torch.verify.trees import dotted, names_below

Bug = Callable[[ast.AST], "ast.AST | None"]


def _called(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in names


def _keyword(node: ast.AST, name: str, *among: str) -> ast.keyword | None:
    if not isinstance(node, ast.Call) or among and not _called(node, *among):
        return None
    return next((one for one in node.keywords if one.arg == name), None)


def _without(name: str, *among: str) -> Bug:
    """Drop a keyword."""

    def plant(node: ast.AST) -> ast.AST | None:
        found = _keyword(node, name, *among)
        if found is None or not isinstance(node, ast.Call):
            return None
        node.keywords.remove(found)
        return node

    return plant


def _with_value(name: str, change: Callable[[ast.expr], ast.expr | None], *among: str) -> Bug:
    """Give a keyword another value."""

    def plant(node: ast.AST) -> ast.AST | None:
        found = _keyword(node, name, *among)
        new = None if found is None else change(found.value)
        if found is None or new is None:
            return None
        found.value = new
        return node

    return plant


def _drop_method(*names: str) -> Bug:
    """`x.clone()` becomes `x`."""
    return lambda node: (
        node.func.value
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in names
        and ast.unparse(node.func.value) not in ("torch", "shim", "copy", "np")
        else None
    )


def _drop_cast(node: ast.AST) -> ast.AST | None:
    """`x.to(torch.float64)` becomes `x`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "to" and node.args:
        return node.func.value if ast.unparse(node.args[0]).startswith("torch.") else None
    return None


def _drop_coercion(node: ast.AST) -> ast.AST | None:
    """`x = shim.asarray(x)` becomes `x = x`."""
    names = ("asarray", "as_tensor", "tensor", "tensors", "floating", "inexact", "promote", "array")
    if (
        isinstance(node, ast.Assign)
        and _called(node.value, *names)
        and isinstance(node.value, ast.Call)
        and node.value.args
    ):
        first = node.value.args[0]
        if isinstance(first, ast.Name) and ast.unparse(node.targets[0]) == ast.unparse(first):
            node.value = first
            return node
    return None


def _renamed(**names: str) -> Bug:
    """`torch.quantile(x, 0.5)` becomes `torch.median(x)` and the like: another function of the same signature."""

    def plant(node: ast.AST) -> ast.AST | None:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in names:
            node.func.attr = names[node.func.attr]
            return node
        return None

    return plant


def _to_median(node: ast.AST) -> ast.AST | None:
    if (
        _called(node, "quantile")
        and isinstance(node, ast.Call)
        and len(node.args) > 1
        and ast.unparse(node.args[1]) == "0.5"
    ):
        return ast.parse(f"torch.median({ast.unparse(node.args[0])})", mode="eval").body
    return None


def _float32(value: ast.expr) -> ast.expr | None:
    return ast.parse("torch.float32", mode="eval").body if ast.unparse(value) == "torch.float64" else None


def _other_axis(value: ast.expr) -> ast.expr | None:
    text = ast.unparse(value)
    return (
        ast.parse({"0": "-1", "1": "0", "-1": "0"}.get(text, "0"), mode="eval").body
        if text in ("0", "1", "-1")
        else None
    )


def _other_indexing(value: ast.expr) -> ast.expr | None:
    return ast.Constant("xy" if ast.unparse(value) == "'ij'" else "ij")


def _slice_off_by_one(node: ast.AST) -> ast.AST | None:
    """`x[1:]` becomes `x[2:]`, `x[:-1]` becomes `x[:-2]`."""
    if not isinstance(node, ast.Slice):
        return None
    for name in ("lower", "upper"):
        bound = getattr(node, name)
        if bound is not None:
            text = ast.unparse(bound)
            setattr(node, name, ast.parse(f"{text} - 1" if text.startswith("-") else f"{text} + 1", mode="eval").body)
            return node
    return None


def _range_off_by_one(node: ast.AST) -> ast.AST | None:
    if _called(node, "arange", "range") and isinstance(node, ast.Call) and node.args:
        index = min(1, len(node.args) - 1)
        node.args[index] = ast.BinOp(node.args[index], ast.Sub(), ast.Constant(1))
        return node
    return None


def _in_place(node: ast.AST) -> ast.AST | None:
    """`y = x - m` of a parameter becomes `y = x.sub_(m)`."""
    names: dict[type, str] = {ast.Sub: "sub_", ast.Add: "add_", ast.Mult: "mul_", ast.Div: "div_"}
    if (
        isinstance(node, ast.BinOp)
        and isinstance(node.left, ast.Name)
        and type(node.op) in names
        and getattr(node.left, "is_tensor", False)
    ):
        return ast.Call(ast.Attribute(node.left, names[type(node.op)], ast.Load()), [node.right], [])
    return None


def _swapped_pad(node: ast.AST) -> ast.AST | None:
    if (
        _called(node, "pad")
        and isinstance(node, ast.Call)
        and len(node.args) > 1
        and isinstance(node.args[1], ast.Tuple)
    ):
        if len({ast.unparse(one) for one in node.args[1].elts}) > 1:
            node.args[1].elts.reverse()
            return node
    return None


BUGS: dict[str, Bug] = {
    "correction=0 dropped": _without("correction"),
    "cast dropped": _drop_cast,
    "clone dropped": _drop_method("clone", "copy"),
    "median for quantile": _to_median,
    "right dropped": _without("right", "searchsorted", "bucketize", "digitize"),
    "side dropped": _without("side", "searchsorted"),
    "stable dropped": _without("stable"),
    "meshgrid indexing": _with_value("indexing", _other_indexing),
    "float32": _with_value("dtype", _float32),
    "slice off by one": _slice_off_by_one,
    "range off by one": _range_off_by_one,
    "in-place on an argument": _in_place,
    "coercion dropped": _drop_coercion,
    "axis ignored": _without("dim"),
    "another axis": _with_value("dim", _other_axis),
    "keepdim dropped": _without("keepdim"),
    "pad order": _swapped_pad,
    "flip dropped": _drop_method("flip"),
    "split for tensor_split": _renamed(tensor_split="split"),
    "minimum for maximum": _renamed(amax="amin", maximum="minimum", fmax="fmin", argmax="argmin", max="min"),
    "rounding": _renamed(floor="trunc", ceil="floor", trunc="floor"),
    "all for any": _renamed(all="any", any="all"),
}


class Case(NamedTuple):
    """A function that generated inputs exercise."""

    pair: Pair
    function: Function
    target: Target
    root: Path

    @property
    def name(self) -> str:
        """Its module and name."""
        return f"{self.pair.old.module}:{dotted(self.function)}"


def planted(text: str, name: str, rng: random.Random) -> Iterator[tuple[str, str]]:
    """The module with one bug in one function, bug after bug, in an order drawn at random."""
    names = list(BUGS)
    rng.shuffle(names)
    for bug in names:
        tree = ast.parse(text)
        node = node_of(tree, name)
        if node is None:
            return
        _mark_tensors(node)
        sites = [number for number, one in enumerate(ast.walk(node)) if BUGS[bug](copy.deepcopy(one)) is not None]
        if sites:
            _Planter(node, rng.choice(sites), BUGS[bug]).visit(tree)
            changed = ast.unparse(ast.fix_missing_locations(tree))
            if changed != ast.unparse(ast.parse(text)):
                yield bug, changed


class _Planter(ast.NodeTransformer):
    """Replaces one node."""

    def __init__(self, function: ast.AST, site: int, bug: Bug) -> None:
        self.chosen = list(ast.walk(function))[site]
        self.bug = bug

    def visit(self, node: ast.AST) -> Any:
        """Replace the node that was chosen, whole."""
        return self.bug(node) if node is self.chosen else self.generic_visit(node)


def _mark_tensors(node: ast.AST) -> None:
    """Note which names are parameters that arrive as tensors: those whose tensor attributes are used."""
    arguments = getattr(node, "args", None)
    names = {one.arg for one in arguments.args} if isinstance(arguments, ast.arguments) else set()
    used = {
        one.value.id
        for one in ast.walk(node)
        if isinstance(one, ast.Attribute)
        and isinstance(one.value, ast.Name)
        and one.attr in ("shape", "sum", "mean", "ndim", "to", "T")
    }
    for one in ast.walk(node):
        if isinstance(one, ast.Name):
            one.is_tensor = one.id in names & used  # type: ignore[attr-defined]


def cases(old: Path, new: Path) -> Iterator[Case]:
    """The functions of two trees."""
    settings = load_settings([old])
    statements = Statements.of(load_project([old], settings).files, settings)
    for pair in pairs(old, new):
        path = old / pair.relative
        tree = ast.parse(path.read_bytes())
        names = names_below(path)
        for function in pair.functions:
            node = node_of(tree, function.owner or function.name)
            body = hints(node) if node is not None else Body({}, (), frozenset())
            target = Target(function, statements.of_function(path, function).accepts, body._replace(names=names))
            yield Case(pair, function, target, new)


def with_bug(case: Case, text: str, folder: Path) -> Pair:
    """The pair with another text of the module on the new side."""
    root = folder / case.root.name
    if root.exists():
        shutil.rmtree(root)
    shutil.copytree(case.root, root, ignore=shutil.ignore_patterns("__pycache__"))
    (root / case.pair.relative).write_text(text, "utf-8")
    return case.pair._replace(new=case.pair.new._replace(root=folder))


class Finding(NamedTuple):
    """A function with a bug in it, and what came of it."""

    name: str
    bug: str
    caught: bool
    why: str
    diff: str


class Trial:
    """Checks functions as they are, then with a bug."""

    def __init__(self, seed: int, recorded: dict[tuple[str, str], list[Call]]) -> None:
        self.rng = random.Random(seed)
        self.seed = seed
        self.recorded = recorded
        self.old, self.new = Child("old", Limits(3.0)), Child("new", Limits(3.0))

    def checked(self, case: Case, pair: Pair) -> Result | None:
        """The result of a function; None where a module cannot be imported."""
        recorded = self.recorded.get((case.pair.old.module, dotted(case.function)), [])
        try:
            self.old.open(pair.old)
            self.new.open(pair.new)
            return check(case.target, Sides(self.old, self.new, True), self.seed, recorded)
        except ModuleError:
            return None

    def finding(self, case: Case, folder: Path) -> Finding | None:
        """Plant the first bug that fits; None where none does."""
        path = case.root / case.pair.relative
        text = path.read_text("utf-8")
        for number, (bug, changed) in enumerate(planted(text, dotted(case.function), self.rng)):
            own = folder / f"{case.pair.old.module}.{dotted(case.function)}.{number}"
            own.mkdir()
            result = self.checked(case, with_bug(case, changed, own))
            caught = result is None or result.verdict == "different"
            before, after = ast.unparse(ast.parse(text)).splitlines(), changed.splitlines()
            lines = [f"{a.strip()}  ->  {b.strip()}" for a, b in zip(before, after, strict=False) if a != b]
            why = "the module cannot be imported" if result is None else result.why
            return Finding(case.name, bug, caught, why, next(iter(lines), "a line less"))
        return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("trees", nargs="+", type=Path)
    parser.add_argument("--functions", type=int, default=80)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--replay", type=Path, action="append", default=[])
    parser.add_argument("--json", type=Path)
    options = parser.parse_args(arguments)
    recorded = {key: calls for file in options.replay for key, calls in load(file).items()}
    found = [one for old, new in zip(options.trees[::2], options.trees[1::2], strict=True) for one in cases(old, new)]
    trial = Trial(options.seed, recorded)
    trial.rng.shuffle(found)
    verdicts: Counter[str] = Counter()
    alarms: list[tuple[str, str]] = []
    findings: list[Finding] = []
    with tempfile.TemporaryDirectory() as folder, trial.old, trial.new:
        for case in found:
            if len(findings) == options.functions:
                break
            if not any(
                True
                for _ in planted(
                    (case.root / case.pair.relative).read_text("utf-8"), dotted(case.function), random.Random(0)
                )
            ):
                continue
            unharmed = trial.checked(case, case.pair)
            verdicts[unharmed.verdict if unharmed is not None else "not imported"] += 1
            if unharmed is not None and unharmed.verdict == "different":
                alarms.append((case.name, unharmed.why))
                print(f"ALARM  {case.name}: {unharmed.why}", flush=True)
            if unharmed is None or unharmed.verdict != "equal":
                continue
            if (finding := trial.finding(case, Path(folder))) is not None:
                findings.append(finding)
                print(
                    f"{'caught' if finding.caught else 'MISSED'} {finding.name}: {finding.bug}: {finding.diff}",
                    flush=True,
                )
    caught = sum(one.caught for one in findings)
    print(f"{caught} of {len(findings)} bugs caught; unharmed: {dict(verdicts)}; {len(alarms)} false alarms")
    if options.json is not None:
        options.json.write_text(json.dumps({"findings": findings, "alarms": alarms, "unharmed": verdicts}, indent=1))
    return 0 if caught == len(findings) and not alarms else 1


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    sys.exit(main())
