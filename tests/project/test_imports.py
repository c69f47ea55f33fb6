"""Which modules import one another in a circle: what is imported for types alone, and inside functions, counts too."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from functools import cache

from support.paths import ROOT

CIRCLES = [
    {"facts.alias_analysis", "facts.mod_ref_summaries"},
    {"shim._call_boundary", "shim.on_numpy", "shim.public"},
    {"shim._core", "shim._numpy_fallback", "shim._overrides", "shim.interop"},
]
"""The circles that are left; none is added, none grows."""
Graph = Mapping[str, Iterable[str]]


def modules() -> dict[str, ast.Module]:
    """Parse the package: modules by their names, a package by its own."""
    base = ROOT / "src" / "np2torch"
    paths = {".".join(path.relative_to(base).with_suffix("").parts): path for path in base.rglob("*.py")}
    return {name.removesuffix(".__init__"): ast.parse(path.read_text("utf-8")) for name, path in paths.items()}


def imported(tree: ast.Module, names: Mapping[str, object]) -> Iterator[str]:
    """Give the modules of the package that one of them imports, anywhere in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "np2torch":
            origin = (node.module or "").partition(".")[2]
            for alias in node.names:
                inner = f"{origin}.{alias.name}".strip(".")
                yield inner if inner in names else origin
        elif isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[2] for alias in node.names if alias.name.startswith("np2torch."))


def reached(graph: Graph, start: str) -> set[str]:
    """Give what is reached from a node by one step or more."""
    found, stack = set(), [start]
    while stack:
        fresh = set(graph[stack.pop()]) - found
        found |= fresh
        stack += fresh
    return found


def circles(graph: Graph) -> list[set[str]]:
    """Give the strongly connected components of more than one node."""
    after = {name: reached(graph, name) for name in graph}
    found = {frozenset({name, *(one for one in after[name] if name in after[one])}) for name in graph}
    return sorted((set(one) for one in found if len(one) > 1), key=sorted)


def siblings(graph: Graph) -> dict[str, dict[str, set[str]]]:
    """Give the imports between the children of each package, whatever below them imports."""
    found: dict[str, dict[str, set[str]]] = {}
    for one, others in graph.items():
        for other in others:
            parts, ends = one.split("."), other.split(".")
            depth = next((i for i, (a, b) in enumerate(zip(parts, ends, strict=False)) if a != b), None)
            if depth is not None:
                children = found.setdefault(".".join(parts[:depth]), {})
                children.setdefault(parts[depth], set()).add(ends[depth])
                children.setdefault(ends[depth], set())
    return found


@cache
def package() -> dict[str, set[str]]:
    """Give the imports of each module of the package."""
    trees = modules()
    return {name: set(imported(tree, trees)) & trees.keys() - {name} for name, tree in trees.items()}


def test_circles_are_found():
    graph = {"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"], "e": ["d", "f"], "f": ["e"]}
    assert circles(graph) == [{"a", "b", "c"}, {"e", "f"}]
    assert siblings({"a.x": ["b.y", "a.z"], "b.y": ["a"]})[""] == {"a": {"b"}, "b": {"a"}}


def test_no_circle_of_imports_is_added():
    graph = package()
    assert len(graph) > 400 and "facts.values" in graph["facts.interpreter.frame"]
    left = [circle for circle in circles(graph) if not any(circle <= known for known in CIRCLES)]
    assert left == []
    assert [known for known in CIRCLES if known not in circles(graph)] == [], "gone: take it off the list"


def test_packages_do_not_import_one_another_in_a_circle():
    known = [{name.rpartition(".")[2] for name in circle} for circle in CIRCLES]
    found = {parent: circles(children) for parent, children in siblings(package()).items()}
    assert {parent: rest for parent, both in found.items() if (rest := [c for c in both if c not in known])} == {}
