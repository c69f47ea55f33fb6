"""What the counts of the house count."""

from __future__ import annotations

import ast

import house_counts

MODULE = """
import threading

class Own:
    size = 0
    def __init__(self):
        self.name = ""

TABLE = {}
ROWS, LISTED = [], []
NOW = Own()
LAST = None
FIXED = {"a": 1}

def change(own, other):
    global LAST
    TABLE[own] = FIXED["a"]
    ROWS.append(own)
    NOW.size = 1
    own.size, own.name = 2, "b"
    other.colour = 3
    own.part.colour += 1
    LISTED = []
    LISTED.append(1)

@lru_cache(8)
def kept(x):
    return x
"""


def test_branches_are_counted():
    text = "def f(x):\n    if x and x > 1:\n        return [y for y in x if y]\n"
    text += "    def g():\n        return 1 if x else 2\n"
    found = {name: house_counts.complexity(node) for name, node in house_counts.functions(ast.parse(text))}
    assert found == {"f": 5, "f.g": 2}


def test_circles_are_found():
    graph = {"a": ["b"], "b": ["c"], "c": ["a"], "d": ["a"], "e": ["d", "f"], "f": ["e"]}
    assert house_counts.circles(graph) == [{"a", "b", "c"}, {"e", "f"}]


def test_imports_inside_functions_are_told_apart():
    text = "from np2torch.a import x\nif TYPE_CHECKING:\n    import np2torch.b\ndef f():\n    from np2torch import c\n"
    trees = {"m": ast.parse(text), "a": ast.parse(""), "b": ast.parse(""), "c": ast.parse("")}
    assert house_counts.import_graph(trees)["m"] == {"a", "b", "c"}
    assert house_counts.import_graph(trees, has_functions=False)["m"] == {"a", "b"}


def test_what_functions_change_of_a_module_is_state_of_the_process():
    other = "from np2torch import m\nfrom np2torch.m import FIXED as fixed, ROWS\n"
    trees = {"m": ast.parse(MODULE), "n": ast.parse(f"{other}def f(ROWS):\n    ROWS.append(1)\n    m.NOW.size = 2\n")}
    assert house_counts.process_state(trees) == {"m": {"TABLE", "NOW", "ROWS", "LISTED", "LAST"}}
    trees["n"] = ast.parse(f"{other}def f():\n    fixed['b'] = 2\n")
    assert "FIXED" in house_counts.process_state(trees)["m"]


def test_attributes_of_classes_of_other_modules_are_written_from_outside():
    found = house_counts.outside_writes(ast.parse(MODULE))
    assert sorted(map(ast.unparse, found)) == ["other.colour", "own.part.colour"]


def test_revisions_stand_side_by_side(tmp_path, capsys):
    module = tmp_path / "src" / "np2torch" / "facts" / "interpreter" / "one.py"
    module.parent.mkdir(parents=True)
    module.write_text(MODULE)
    (tmp_path / "cli").mkdir()
    (tmp_path / "CONTRIBUTING.md").write_text("## Recipe: a library with objects\n# src/np2torch/a.py\n# tests/b.py\n")
    assert house_counts.main([str(tmp_path), str(tmp_path)]) == 0
    rows = [line.split(" | ") for line in capsys.readouterr().out.splitlines()[2:]]
    assert [row[1] for row in rows[:-1]] == ["1 (1)", "5 (5)", "1", "0", "2", "2", "2", "1 of 1", "0 of 0"]
    assert rows[-1][1].startswith("0 ")
