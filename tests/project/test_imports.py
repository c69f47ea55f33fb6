"""Which modules import one another in a circle: what is imported for types alone, and inside functions, counts too."""

from __future__ import annotations

from functools import cache

from house_counts import Graph, circles, import_graph

from support.house import HOUSE

CIRCLES = [
    {"facts.alias_analysis", "facts.mod_ref_summaries"},
    {"shim._call_boundary", "shim.on_numpy", "shim.public"},
    {"shim._core", "shim._numpy_fallback", "shim._overrides", "shim.interop"},
]
"""The circles that are left; none is added, none grows."""


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
    return import_graph(HOUSE.modules)


def test_siblings_are_found():
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
