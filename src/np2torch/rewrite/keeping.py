"""The setting `keep`, which leaves code on NumPy: a boundary at run time, and one in the text where names are shared.

The analysis ignores it: a kept function takes tensors and returns tensors as a converted one does.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from np2torch.facts import values as v
from np2torch.facts.interpreter import Interpreter
from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.names import keeping
from np2torch.names.keeping import Definition, KeptNodes
from np2torch.names.modules import absolute_name, beginnings
from np2torch.names.resolve import SCALAR_CLASSES, canonical
from np2torch.names.tree import dotted_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.already_converted import is_ours
from np2torch.rules.core import FUNCTIONS
from np2torch.rules.site import Edit, ModuleContext
from np2torch.rules.syntax.public import DECORATOR as PUBLIC
from np2torch.rules.syntax.public import needs_border
from np2torch.source.model import Remark
from np2torch.source.scan import mentions_numpy

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
KEPT, UNKNOWN = "NPT535", "NPT536"
DECORATOR = f"shim.{keeping.DECORATOR}"


class Keeping:
    """The parts of a project that stay on NumPy.

    Attributes
    ----------
    by_path
        The kept parts of each file.
    reached
        The functions and classes on tensors that kept code may call.
    whole
        The names of modules that are left with all that is in them.
    sealed
        Those of them that only such modules import. Nothing on tensors calls them by name, so that they need no
        boundary: their files stay as they are, to the last byte. A project with every module kept stays as it was.
    """

    def __init__(self, entries: Sequence[str], infos: Mapping[Path, ModuleInfo], engine: Interpreter) -> None:
        shares = keeping.shared_out(entries, {path: info.name for path, info in infos.items()}, engine.also)
        self.by_path: dict[Path, KeptNodes] = {}
        called_back = {node for node, one in engine.classes.items() if one.is_called_by_library()}
        for path, info in infos.items():
            if info.name in shares or keeping.DECORATOR in info.text:
                self.by_path[path] = keeping.find_kept_nodes(info.tree, shares.get(info.name, ()), called_back)
        self.reached = frozenset(self._reached(infos, engine))
        self.whole = frozenset(module for module, names in shares.items() if "" in names)
        self.sealed = _sealed(self.whole, infos, engine.also)

    def of(self, path: Path) -> KeptNodes:
        """Give the kept parts of a file."""
        return self.by_path.get(path, KeptNodes())

    def _reached(self, infos: Mapping[Path, ModuleInfo], engine: Interpreter) -> Iterator[ast.AST]:
        """Definitions that kept code names, or calls for all that is known.

        What it calls in a module that mentions no NumPy hands on what it is given, so that it counts as kept code here.
        """
        by_name: dict[str, list[ast.AST]] = {}
        handing_on: dict[ast.AST, ModuleInfo] = {}
        for info in infos.values():
            for one in keeping.definitions_in(info.tree.body):
                by_name.setdefault(one.name, []).append(one)
            if not mentions_numpy(info.text):
                handing_on.update((node, info) for node in tree_walk(info.tree) if isinstance(node, DEFINITIONS))
        waiting: list[tuple[ast.AST, ModuleInfo]] = [
            (one, infos[path]) for path, kept in self.by_path.items() for one in (*kept.definitions, *kept.statements)
        ]
        while waiting:
            part, info = waiting.pop()
            for found in _named(part, _renamed(info.tree), by_name, engine):
                yield found
                if (home := handing_on.pop(found, None)) is not None:
                    waiting.append((found, home))


def _named(
    part: ast.AST, aliases: Mapping[str, str], by_name: Mapping[str, Sequence[ast.AST]], engine: Interpreter
) -> Iterator[ast.AST]:
    """Definitions that a part of a module names, or calls for all that is known."""
    for node in tree_walk(part):
        if isinstance(node, ast.Call):
            yield from (callee.node for callee in engine.callees.get(node) or () if callee is not None)
        if isinstance(node, ast.Attribute):
            yield from _properties(engine.facts.get(node.value) or v.BOTTOM, node.attr)
        fact = engine.facts.get(node)
        yield from _meant(fact or v.BOTTOM)
        if isinstance(node, ast.Name) and (not fact or v.known_to_include(fact, "unknown")):
            yield from by_name.get(aliases.get(node.id, node.id), ())


def _properties(owner: v.Fact, name: str) -> Iterator[ast.AST]:
    """Give the methods that reading an attribute calls."""
    classes = (atom.definition for atom in owner if isinstance(atom, v.Instance))
    found = (class_.getter(name) for class_ in classes)
    yield from (getter.node for getter in found if getter is not None)


def array_classes(
    entries: Sequence[str], infos: Mapping[Path, ModuleInfo], engine: Interpreter
) -> frozenset[tuple[str, str]]:
    """The subclasses of ndarray among what is kept, by module and name: that they stay arrays all code has to know."""
    if not entries:
        return frozenset()
    kept_classes = (node for found in Keeping(entries, infos, engine).by_path.values() for node in found.definitions)
    classes = [engine.classes[node] for node in kept_classes if node in engine.classes]
    family = {one for class_ in classes if class_.is_ndarray() for one in (*class_.lineage(), *class_.heirs)}
    return frozenset((one.module.name, one.node.name) for one in family)


def skip(info: ModuleInfo, arrays: frozenset[tuple[str, str]]) -> None:
    """Leave classes of a module as comments would."""
    for name in (name for module, name in arrays if module == info.name):
        for node in keeping.find_kept_nodes(info.tree, [name]).definitions:
            info.skipped.update(tree_walk(node))


def _renamed(tree: ast.Module) -> dict[str, str]:
    """Map imported names to the names in the modules they come from."""
    imports = (node for node in tree_walk(tree) if isinstance(node, ast.ImportFrom))
    return {alias.asname: alias.name for node in imports for alias in node.names if alias.asname}


def _meant(fact: v.Fact) -> Iterator[ast.AST]:
    for atom in fact:
        if isinstance(atom, (v.Function, v.Class)) and (definition := getattr(atom, "definition", None)) is not None:
            yield definition.node


def _sealed(whole: frozenset[str], infos: Mapping[Path, ModuleInfo], also: Mapping[str, str]) -> frozenset[str]:
    """Those of some modules that only such modules import."""
    if not whole:
        return frozenset()
    found = whole
    reached = module_uses(infos, also)
    while others := found & frozenset[str]().union(*(names for name, names in reached.items() if name not in found)):
        found -= others
    return found


def module_uses(infos: Mapping[Path, ModuleInfo], also: Mapping[str, str]) -> dict[str, frozenset[str]]:
    """By module, the names of those that it imports, and of the `conftest.py` whose fixtures it is given."""
    fixtures = {path.parent: info.name for path, info in infos.items() if path.name == "conftest.py"}
    found = {}
    for path, info in infos.items():
        names = {also.get(name, name) for name in _imported(info)}
        found[info.name] = frozenset(names.union(fixtures[one] for one in path.parents if one in fixtures))
    return found


def _imported(info: ModuleInfo) -> Iterator[str]:
    for node in tree_walk(info.tree):
        if isinstance(node, ast.ImportFrom):
            module = absolute_name(info.name, info.is_package, node)
            yield module
            yield from (f"{module}.{one.name}" for one in node.names)
        elif isinstance(node, ast.Import):
            yield from (name for one in node.names for name in beginnings(one.name))


def nodes_left(found: KeptNodes) -> set[ast.AST]:
    """All nodes that stay as they are."""
    return {below for one in (*found.definitions, *found.statements) for below in tree_walk(one)}


def plan_borders(ctx: ModuleContext, found: KeptNodes) -> Iterator[tuple[ast.stmt, str]]:
    """Put the decorators on; a note for each definition and statement."""
    for node in found.definitions:
        if keeping.is_marked(node):
            continue
        kind = "class" if isinstance(node, ast.ClassDef) else "def"
        message = f"`{_qualified(ctx, node)}` is left on NumPy, as the setting `keep` says."
        ctx.edits[node] = edit = Edit(node, "todo", KEPT, f"{kind} {node.name}", message, lowest=DECORATOR)
        is_public = node in ctx.public and needs_border(ctx, node)
        if is_public:
            edit.decorate(PUBLIC, edit.lowest)
        elif isinstance(node, ast.ClassDef) or node in ctx.module.skipped:
            # over what makes a dataclass of it; functions below what makes properties
            edit.decorate(DECORATOR, "")
        yield node, f"{KEPT} {message}"
        hand_over_names(ctx, node)
    for statement in found.statements:
        if not ctx.converted_already():
            message = "This is left on NumPy, as the setting `keep` says."
            ctx.edits[statement] = Edit(statement, "todo", KEPT, ctx.module.name, message)
            yield statement, f"{KEPT} {message}"


def remarks(ctx: ModuleContext, found: KeptNodes) -> Iterator[Remark]:
    """Report names in the setting that the module does not have."""
    for name in found.unknown:
        yield Remark(1, 1, UNKNOWN, f"keep: {ctx.module.name} has no {name!r}")


def _qualified(ctx: ModuleContext, node: Definition) -> str:
    names, current = [node.name], ctx.parents.get(node)
    while current is not None:
        names += [current.name] if isinstance(current, ast.ClassDef) else []
        current = ctx.parents.get(current)
    return ".".join(reversed(names))


def hand_over_names(ctx: ModuleContext, definition: Definition) -> None:
    """Tensors and dtypes that modules and classes hold, or their containers, as NumPy's where kept code reads them."""
    numpys = _imported_from_numpy(ctx.module.tree)
    for node in tree_walk(definition):
        if isinstance(node, ast.Name) and node.id in numpys:
            continue
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load) and is_global(ctx, node):
            taken = _taken(ctx, node)
            around = None if taken is None else ctx.parents.get(taken)
            is_done = isinstance(around, ast.Call) and is_ours(ctx, around.func, "to_numpy")
            if taken is not None and not is_done:
                ctx.wrap(taken, "shim.to_numpy(", ")", "boundary", "NPT401", "a tensor goes into code left on NumPy")


def _imported_from_numpy(tree: ast.Module) -> frozenset[str]:
    imports = (one for one in tree_walk(tree) if isinstance(one, ast.ImportFrom) and not one.level)
    numpys = (one for one in imports if (one.module or "").partition(".")[0] == "numpy")
    return frozenset(alias.asname or alias.name for one in numpys for alias in one.names)


def _taken(ctx: ModuleContext, node: ast.expr) -> ast.expr | None:
    """The tensor or dtype that a name means, or that is taken out of what it means: `NAME[0]`, `NAME.get(key)`."""
    while not is_torchs(ctx.fact(node)) and not _is_function(ctx.fact(node)):
        around = ctx.parents.get(node)
        above = ctx.parents.get(around) if around is not None else None
        if isinstance(around, ast.Subscript) and around.value is node and isinstance(around.ctx, ast.Load):
            node = around
        elif isinstance(around, ast.Attribute) and around.attr == "get" and isinstance(above, ast.Call):
            node = above
        else:
            return None
    return node


def _is_function(fact: v.Fact) -> bool:
    """Tell a function of NumPy's under a name of the project's, `clip = np.clip`, which is the shim's there."""
    return bool(fact) and all(isinstance(atom, v.Numpy) and canonical(atom.name) in FUNCTIONS for atom in fact)


def is_torchs(fact: v.Fact) -> bool:
    """Tell whether it is a tensor, a scalar held as one, or a dtype; None may be among the alternatives."""
    return bool(rest := v.without(fact, "none")) and all(map(_is_torchs_own, rest))


def _is_torchs_own(atom: v.Atom) -> bool:
    if isinstance(atom, v.Numpy):
        return atom.name.removeprefix("numpy.") in SCALAR_CLASSES
    return atom.kind in ("array", "dtype") or isinstance(atom, v.Scalar) and not atom.python


def is_global(ctx: ModuleContext, node: ast.Name | ast.Attribute) -> bool:
    """Tell whether it is a variable of a module, or of a class that is named."""
    if isinstance(node, ast.Attribute):
        owner = ctx.fact(node.value)
        is_numpys = any(isinstance(atom, v.Module) and atom.name.partition(".")[0] == "numpy" for atom in owner)
        return dotted_name(node) is not None and v.only(owner, "module", "class") and not is_numpys
    if node.id not in ctx.module.env:
        return False
    function: ast.AST = ctx.function(node)
    while not isinstance(function, ast.Module):
        own = {one.id for one in tree_walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        own |= {one.arg for one in tree_walk(function) if isinstance(one, ast.arg)}
        if node.id in own:
            return False
        function = ctx.function(function)
    return True
