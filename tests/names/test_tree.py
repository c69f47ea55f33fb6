"""Tests of walks over trees."""

from __future__ import annotations

import ast

from np2torch.names.tree import children, parents_in, walk

TEXT = "def f(a, *, b=1, c):\n    return {**a, 'k': b}, [one for one in c if one], a[1:2].x\n"


def test_a_walk_meets_what_the_librarys_does_but_for_operators_and_contexts() -> None:
    tree = ast.parse(TEXT)
    left_out = (ast.expr_context, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
    wanted = [node for node in ast.walk(tree) if not isinstance(node, left_out)]
    assert walk(tree) == wanted
    assert walk(tree) == wanted  # from what is kept with the nodes


def test_children_are_found_once() -> None:
    tree = ast.parse(TEXT)
    assert children(tree) is children(tree)
    assert list(children(tree)) == tree.body


def test_parents_are_found_once():
    tree = ast.parse(TEXT)
    parents = parents_in(tree)
    assert parents is parents_in(tree)
    assert set(parents.items()) == {(child, node) for node in walk(tree) for child in children(node)}
