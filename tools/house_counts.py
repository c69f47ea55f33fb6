"""Counts that tell how well the house is kept, of one revision or of several side by side.

    python tools/house_counts.py [REV|FOLDER ...]

A revision of git, or a folder that holds a checkout; without any, this one. What each line counts is said by the
function that counts it. `tests/project` holds the same functions to their bounds.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
MOST_BRANCHES = 20
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
BRANCHES = (ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.Assert, ast.match_case)
CHANGES = frozenset(
    "add append appendleft clear discard extend insert pop popitem popleft remove setdefault sort update".split()
)
"""Methods of collections that change them."""
COLLECTIONS = frozenset("Counter OrderedDict defaultdict deque dict list set".split())
ANALYSER = ("facts", "rules", "rewrite")
Graph = Mapping[str, Iterable[str]]


class House:
    """The sources of a checkout, parsed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.base = root / "src" / "np2torch"

    @cached_property
    def trees(self) -> dict[str, ast.Module]:
        """The modules of the tool, by their paths: the package and the command line."""
        paths = (path for part in ("src", "cli") for path in sorted((self.root / part).rglob("*.py")))
        return {path.relative_to(self.root).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}

    @cached_property
    def modules(self) -> dict[str, ast.Module]:
        """The modules of the package by their dotted names within it; a package by its own."""
        prefix = "src/np2torch/"
        inside = {path.removeprefix(prefix): tree for path, tree in self.trees.items() if path.startswith(prefix)}
        return {path.removesuffix(".py").replace("/", ".").removesuffix(".__init__"): inside[path] for path in inside}


# ---------------------------------------------------------------------------------------------- imports
def nodes_of(tree: ast.AST, has_functions: bool = True) -> Iterator[ast.AST]:
    """Give the nodes of a tree, with or without those inside functions."""
    stack = [tree]
    while stack:
        node = stack.pop()
        yield node
        stack += [one for one in ast.iter_child_nodes(node) if has_functions or not isinstance(one, FUNCTIONS)]


def imported(tree: ast.Module, names: Mapping[str, object], has_functions: bool = True) -> Iterator[str]:
    """Give the modules of the package that one of them imports, also where that is for types alone."""
    for node in nodes_of(tree, has_functions):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "np2torch":
            origin = (node.module or "").partition(".")[2]
            for alias in node.names:
                inner = f"{origin}.{alias.name}".strip(".")
                yield inner if inner in names else origin
        elif isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[2] for alias in node.names if alias.name.startswith("np2torch."))


def import_graph(modules: Mapping[str, ast.Module], has_functions: bool = True) -> dict[str, set[str]]:
    """Give the imports of each module of the package; `has_functions` counts those inside functions too."""
    return {
        name: set(imported(tree, modules, has_functions)) & modules.keys() - {name} for name, tree in modules.items()
    }


def reached(graph: Graph, start: str) -> set[str]:
    """Give what is reached from a node by one step or more."""
    found, stack = set[str](), [start]
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


def largest_circle(house: House) -> str:
    """Count the modules in the largest import circle, imports for types included (and those inside functions too)."""
    sizes = [
        max(map(len, circles(import_graph(house.modules, has_functions))), default=1) for has_functions in (False, True)
    ]
    return "{} ({})".format(*sizes)


# ------------------------------------------------------------------------------------------- complexity
def functions(node: ast.AST, prefix: str = "") -> Iterator[tuple[str, ast.AST]]:
    """Give the functions below a node by their qualified names."""
    for child in ast.iter_child_nodes(node):
        name = prefix
        if isinstance(child, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            name = f"{prefix}.{child.name}" if prefix else child.name
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


def complex_functions(house: House) -> str:
    """Count the functions of more than 20 branches."""
    every = (node for tree in house.trees.values() for _, node in functions(tree))
    return str(sum(complexity(node) > MOST_BRANCHES for node in every))


# ------------------------------------------------------------------------------------------------ state
def is_collection(value: ast.expr | None) -> bool:
    """Tell whether an expression makes a collection that can be changed."""
    if isinstance(value, ast.Call):
        name = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
        return name in COLLECTIONS or name.startswith("Weak")
    return isinstance(value, (ast.Dict, ast.List, ast.Set, ast.DictComp, ast.ListComp, ast.SetComp))


def changed_places(tree: ast.AST) -> Iterator[str]:
    """Give what functions change, dotted: the owners of items and attributes set, and of methods that change them."""
    for function in (node for _, node in functions(tree)):
        local = {one.arg for one in ast.walk(function) if isinstance(one, ast.arg)}
        for node in ast.walk(function):
            place = None
            if isinstance(node, (ast.Subscript, ast.Attribute)) and not isinstance(node.ctx, ast.Load):
                place = node.value
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CHANGES:
                place = node.func.value
            if place is not None and (dotted := ast.unparse(place)).partition(".")[0] not in local:
                yield dotted


def origins(tree: ast.Module) -> dict[str, str]:
    """Give what the names that a module imports of the package stand for, dotted."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "np2torch":
            origin = (node.module or "").partition(".")[2]
            found.update({one.asname or one.name: f"{origin}.{one.name}".strip(".") for one in node.names})
    return found


def bindings(statement: ast.stmt) -> Iterator[tuple[str, ast.expr | None]]:
    """Give the names that an assignment binds, each with its value."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    value = getattr(statement, "value", None)
    for target in targets:
        pairs = [(target, value)]
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            pairs = list(zip(target.elts, value.elts, strict=False))
        yield from ((one.id, part) for one, part in pairs if isinstance(one, ast.Name))


def lasts(value: ast.expr | None, classes: set[str]) -> bool:
    """Tell whether a value can be changed: a collection, or an instance of one of the classes."""
    is_instance = isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in classes
    return is_instance or is_collection(value)


def lasting_objects(tree: ast.Module) -> set[str]:
    """Give the names of collections, and of instances of its own classes, that a module binds at its top."""
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    return {name for node in tree.body for name, value in bindings(node) if lasts(value, classes)}


def process_state(modules: Mapping[str, ast.Module]) -> dict[str, set[str]]:
    """Give for each module the objects at its top that functions of any module change, and names bound by `global`."""
    lasting = {f"{module}.{name}" for module, tree in modules.items() for name in lasting_objects(tree)}
    found: dict[str, set[str]] = {}
    for module, tree in modules.items():
        imports = origins(tree)
        changed = {f"{module}.{name}" for node in ast.walk(tree) if isinstance(node, ast.Global) for name in node.names}
        for place in changed_places(tree):
            first, _, rest = place.partition(".")
            whole = f"{imports.get(first, f'{module}.{first}')}.{rest}."
            changed |= {one for one in lasting if whole.startswith(f"{one}.")}
        for one in changed:
            owner, _, name = one.rpartition(".")
            found.setdefault(owner, set()).add(name)
    return found


def process_objects(house: House) -> str:
    """Count the objects that last as long as the process and are changed by functions (in facts, rules and rewrite)."""
    found = process_state(house.modules)
    ours = (names for module, names in found.items() if module.partition(".")[0] in ANALYSER)
    return f"{sum(map(len, found.values()))} ({sum(map(len, ours))})"


def memo_tables(house: House) -> str:
    """Count the functions with parameters in facts, rules and rewrite whose results are kept by `lru_cache`."""
    found = 0
    for module, tree in house.modules.items():
        every = (node for _, node in functions(tree) if module.partition(".")[0] in ANALYSER)
        for node in every:
            assert isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            names = {ast.unparse(one).partition("(")[0].rpartition(".")[2] for one in node.decorator_list}
            found += bool(names & {"cache", "lru_cache"} and (node.args.args or node.args.vararg))
    return str(found)


def own_attributes(tree: ast.AST) -> set[str]:
    """Give the names of the attributes that classes of a module declare, or set of `self`."""
    found = set[str]()
    for node in (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef)):
        for one in node.body:
            found |= {name for name, _ in bindings(one)}
        ours = (one for one in ast.walk(node) if isinstance(one, ast.Attribute) and is_of_self(one))
        found |= {one.attr for one in ours if is_write(one)}
    return found


def is_write(node: ast.AST) -> bool:
    """Tell whether a node sets or deletes an attribute."""
    return isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load)


def is_of_self(node: ast.AST) -> bool:
    """Tell whether it is an attribute of `self` or `cls`."""
    return isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in ("self", "cls")


def outside_writes(tree: ast.AST) -> list[ast.Attribute]:
    """Give the attributes that functions set of other objects than `self`, and that no class of the module has."""
    own, found = own_attributes(tree), dict[ast.Attribute, None]()
    for _, function in functions(tree):
        for node in ast.walk(function):
            if isinstance(node, ast.Attribute) and is_write(node) and not is_of_self(node) and node.attr not in own:
                found[node] = None
    return list(found)


def written_from_outside(house: House) -> str:
    """Count the attribute writes outside the module of the class."""
    return str(sum(len(outside_writes(tree)) for tree in house.trees.values()))


def written_in_the_analyser(house: House) -> str:
    """Count those in `facts`, `rules` and `rewrite`; most of the rest sets what Python, pytest or NumPy own."""
    ours = (tree for name, tree in house.modules.items() if name.partition(".")[0] in ANALYSER)
    return str(sum(len(outside_writes(tree)) for tree in ours))


# -------------------------------------------------------------------------------------- tests and pages
def without_a_test(house: House, folder: str) -> str:
    """Count the modules of a folder that have no test at the mirrored path."""
    paths = [path for path in (house.base / folder).rglob("*.py") if path.name[:2] != "__"]
    missing = [path for path in paths if not mirrored(house, path).exists()]
    return f"{len(missing)} of {len(paths)}"


def mirrored(house: House, path: Path) -> Path:
    """Give the place of the test of a module."""
    folder = house.root / "tests" / path.parent.relative_to(house.base)
    return folder / f"test_{path.stem.lstrip('_')}.py"


def longest_page(house: House) -> str:
    """Count the words of the largest page in `docs`."""
    pages = list((house.root / "docs").rglob("*.md"))
    words, page = max(((len(path.read_text("utf-8").split()), path) for path in pages), default=(0, house.root))
    return f"{words} ({page.relative_to(house.root).as_posix()})"


def files_of_a_model(house: House) -> str:
    """Count the files that the recipe for a library with objects of its own changes or adds."""
    page = (house.root / "CONTRIBUTING.md").read_text("utf-8") if (house.root / "CONTRIBUTING.md").exists() else ""
    recipe = re.search(r"^## Recipe: a library with objects[^\n]*\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    files = re.findall(r"^(?:# |--- )((?:src|tests|tools|docs)/\S+)$", recipe[1], re.M) if recipe else []
    return str(len(set(files))) if files else "no recipe"


COUNTS: dict[str, Callable[[House], str]] = {
    "modules in the largest import circle, types counted (and inside functions)": largest_circle,
    "objects that last as long as the process and change (in facts, rules, rewrite)": process_objects,
    "memo tables that last as long as the process, in facts, rules, rewrite": memo_tables,
    "functions of more than 20 branches, src and cli": complex_functions,
    "attribute writes outside the module of the class": written_from_outside,
    "... of these in facts, rules and rewrite": written_in_the_analyser,
    "files for a library with objects of its own, by the recipe": files_of_a_model,
    "interpreter modules without a test at their place": lambda house: without_a_test(house, "facts/interpreter"),
    "handler modules (rules/syntax) without one": lambda house: without_a_test(house, "rules/syntax"),
    "words of the largest page in docs": longest_page,
}


def checkout(revision: str, stack: ExitStack) -> House:
    """Give the sources of a revision: a folder as it is, or what git has of it."""
    if Path(revision).is_dir():
        return House(Path(revision).resolve())
    target = Path(stack.enter_context(tempfile.TemporaryDirectory()))
    archive = ["git", "-C", str(ROOT), "archive", revision, "src", "cli", "tests", "docs", "CONTRIBUTING.md"]
    done = subprocess.run(archive, check=True, capture_output=True)
    with tarfile.open(fileobj=io.BytesIO(done.stdout)) as files:
        files.extractall(target, filter="data")
    return House(target)


def main(arguments: Sequence[str] | None = None) -> int:
    """Print a table: a line for each count, a column for each revision."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revisions", nargs="*", help="revisions of git, or folders with a checkout")
    revisions = parser.parse_args(arguments).revisions or [str(ROOT)]
    with ExitStack() as stack:
        houses = [checkout(revision, stack) for revision in revisions]
        print("| count |", " | ".join(revisions), "|")
        print("|---" * (len(revisions) + 1) + "|")
        for label, count in COUNTS.items():
            print(f"| {label} |", " | ".join(map(count, houses)), "|")
    return 0


if __name__ == "__main__":
    sys.exit(main())
