"""The style that no other tool holds: how many branches a function has, and how docstrings begin.

`PYTHONPATH=tests python tests/project/test_style.py` prints the present state; the numbers below may only go down.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from support.paths import ROOT

MOST_BRANCHES = 20
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
DOCUMENTED = (ast.Module, ast.ClassDef, *FUNCTIONS)
BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.match_case)
RIDDLE = re.compile(r"(?:What|Which|Where|Whether)\b|[^.]*\?(?:\s|$)")

PARTICIPLE = re.compile(
    r"[a-z]+ed|made|kept|taken|given|held|found|known|told|left|met|said|seen|done|gone|written|drawn|thrown|bound|built"
    r"|sent|meant|hidden|chosen|shown|broken|caught|felt|got|grown|heard|laid|led|lent|lost|paid|sold|stood|understood"
)
STAGES = {"Parsed", "Analysed", "Planned", "Converted", "parsed", "analysed", "planned"}
NO_PARTICIPLES = {"Need", "need", "feed", "seed", "speed", "exceed", "embed", "searchsorted", *STAGES}

COMPLEX: dict[str, list[int]] = {}
MOST_RIDDLES = 0


@cache
def trees() -> dict[str, ast.Module]:
    """Parse the code of the tool, and the scripts in `tools/`."""
    paths = (path for part in ("src", "cli", "tools") for path in sorted((ROOT / part).rglob("*.py")))
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


def functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Give the functions below a node by their qualified names."""
    for child in ast.iter_child_nodes(node):
        named = isinstance(child, (ast.ClassDef, *FUNCTIONS))
        name = f"{prefix}.{child.name}" if prefix and named else child.name if named else prefix
        if isinstance(child, FUNCTIONS):
            yield name, child
        yield from functions(child, name)


def complexity(function: ast.AST) -> int:
    """Count the branches of a function, one more than its decisions; functions inside of it count for themselves."""
    found, stack = 1, list(ast.iter_child_nodes(function))
    while stack:
        node = stack.pop()
        if isinstance(node, FUNCTIONS):
            continue
        found += isinstance(node, BRANCHES)
        if isinstance(node, ast.BoolOp):
            found += len(node.values) - 1
        elif isinstance(node, ast.comprehension):
            found += 1 + len(node.ifs)
        stack.extend(ast.iter_child_nodes(node))
    return found


def complex_functions() -> dict[str, list[int]]:
    """Give the numbers of branches above the bound, by folder and function: modules and classes may be renamed."""
    found: dict[str, list[int]] = {}
    for path, tree in trees().items():
        for name, node in functions(tree):
            if (count := complexity(node)) > MOST_BRANCHES:
                found.setdefault(f"{path.rpartition('/')[0]}: {name.rpartition('.')[2]}", []).append(count)
    return {name: sorted(counts) for name, counts in sorted(found.items())}


def bare_participles() -> list[str]:
    """List modules, functions and classes whose public name is a participle alone; the shim's names are NumPy's."""
    found = []
    for path, tree in trees().items():
        if "/shim/" in path or path.startswith("tools/"):
            continue
        names = {node.name for node in ast.walk(tree) if isinstance(node, (ast.ClassDef, *FUNCTIONS))}
        names.add(path.rpartition("/")[2].removesuffix(".py"))
        heads = ((name, name[:1].lower() + name[1:]) for name in names - NO_PARTICIPLES)
        found += [f"{path}: {name}" for name, head in heads if PARTICIPLE.fullmatch(head)]
    return sorted(found)


def riddles() -> list[str]:
    """List the docstrings that begin with a question, or as one."""
    ours = ((path, tree) for path, tree in trees().items() if not path.startswith("tools/"))
    nodes = ((path, node) for path, tree in ours for node in ast.walk(tree) if isinstance(node, DOCUMENTED))
    heads = ((path, (ast.get_docstring(node) or "").partition("\n")[0]) for path, node in nodes)
    return [f"{path}: {head}" for path, head in heads if RIDDLE.match(head)]


def test_branches_are_counted():
    text = "def f(x):\n    if x and x > 1:\n        return [y for y in x if y]\n"
    text += "    def g():\n        return 1 if x else 2\n"
    assert {name: complexity(node) for name, node in functions(ast.parse(text))} == {"f": 5, "f.g": 2}


def test_no_function_has_more_branches_than_it_had():
    """Those of more than 20 are listed with their number: what is done with leaves the list, nothing joins it."""
    present = complex_functions()
    assert {name: counts for name, counts in present.items() if counts != COMPLEX.get(name)} == {}
    assert sorted(COMPLEX.keys() - present.keys()) == []


def test_no_public_name_is_a_bare_participle():
    """A name says what is done, or to what: `convert`, `converted_files`; but for the stages of the pipeline."""
    assert PARTICIPLE.fullmatch("kept") and not PARTICIPLE.fullmatch("kept_nodes")
    assert bare_participles() == []


def test_riddles_are_told():
    told = ["Is it one?", "What it is.", "Where it is: here.", "Does it? Yes."]
    assert [head for head in (*told, "Whatever.", "Tell whether it is one.") if RIDDLE.match(head)] == told


def test_no_more_docstrings_are_questions():
    """Docstrings begin with an imperative or a noun phrase; what is left of others only gets less."""
    assert len(riddles()) <= MOST_RIDDLES, "\n".join(riddles())


if __name__ == "__main__":
    print("COMPLEX: dict[str, list[int]] = {")
    for function, numbers in complex_functions().items():
        print(f'    "{function}": {numbers},')
    print(f"}}\nMOST_RIDDLES = {len(riddles())}")
