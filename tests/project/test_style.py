"""The style that no other tool holds: how many branches a function has, and how docstrings begin.

`PYTHONPATH=tests:tools python tests/project/test_style.py` prints the present state: the numbers may only go down.
"""

from __future__ import annotations

import ast
import re
from functools import cache

from house_counts import FUNCTIONS, MOST_BRANCHES, complexity, functions

from support.house import HOUSE
from support.paths import ROOT

DOCUMENTED = (ast.Module, ast.ClassDef, *FUNCTIONS)
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
    scripts = sorted((ROOT / "tools").rglob("*.py"))
    parsed = {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in scripts}
    return {**HOUSE.trees, **parsed}


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
