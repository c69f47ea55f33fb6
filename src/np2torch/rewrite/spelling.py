"""The names in a file of the modules that the new text needs: no name of the program is shadowed or renamed.

Rules write `torch.`, `shim.`, `math.`. If such a name means something else in a place that needs it, or to readers of
the module from outside, the module gets another name in the whole file. A builtin that is hidden in some place is read
from `builtins` there.
"""

from __future__ import annotations

import ast
import builtins
import functools
import itertools
import re
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from np2torch.names.elsewhere import Elsewhere
from np2torch.names.scopes import Scopes, bound_names
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.plan import Plan
from np2torch.rules.site import ModuleContext

STANDARD = ("builtins", "math", "operator", "unittest")
"""Modules of the standard library."""
MODULES = (*STANDARD, "torch", "shim")
"""The modules that new text needs, in the order of the imports."""
OTHER = {
    "torch": "th", "shim": "np_shim", "math": "py_math", "unittest": "py_unittest", "builtins": "py_builtins",
    "operator": "py_operator",
}  # fmt: skip
"""The name of each module if its own is taken; numbered if that is taken too."""
BUILTINS = frozenset(dir(builtins))
_WORD = re.compile(r"[^\W\d]\w*")


class Part(NamedTuple):
    """A module, or the examples of a docstring of it, and what is to be done there."""

    ctx: ModuleContext
    plan: Plan
    scopes: Scopes


def part(ctx: ModuleContext, plan: Plan) -> Part:
    """A planned module with its scopes."""
    return Part(ctx, plan, Scopes(ctx.module.tree, ctx.module.nodes, ctx.parents))


class Spelling:
    """The names of the modules in a file.

    Parameters
    ----------
    parts
        The module, and the examples in its docstrings.
    elsewhere
        What is made of the names of the module in other places.
    shim_import
        The line that imports the shim under its own name.
    """

    def __init__(self, parts: Sequence[Part], elsewhere: Elsewhere, shim_import: str) -> None:
        self._parts, self._elsewhere, self.shim_import = parts, elsewhere, shim_import
        self._lines = {name: f"import {name}" for name in MODULES} | {"shim": shim_import}
        self._words = set(_WORD.findall(parts[0].ctx.module.text))
        self._hide()
        needed = {name for one in parts for names in one.plan.needs.values() for name in names}
        self.names = {module: self._name(module) for module in MODULES if module in needed}
        changed = {module: name for module, name in self.names.items() if module != name}
        if changed:
            for one in parts:
                respell(one.plan, lambda _, text: rename_words(text, changed))

    def with_standard_names(self, text: str) -> str:
        """A line with the names that modules of the standard library have in the file."""
        for module, name in self.names.items():
            text = re.sub(rf"(?<![\w.]){module}\.", f"{name}.", text) if module in STANDARD else text
        return text

    # -------------------------------------------------------------------------------------------- builtins
    def _hide(self) -> None:
        """Read builtins that are hidden in a place from their module there."""
        for one in self._parts:
            if hidden := BUILTINS & (one.scopes.names | self._parts[0].scopes.names | self._elsewhere.bound):
                respell(one.plan, functools.partial(self._from_builtins, one, hidden))

    def _from_builtins(self, one: Part, hidden: frozenset[str], place: ast.AST, text: str) -> str:
        names = {name: f"builtins.{name}" for name in hidden & free_names(text) if self._is_hidden(one, place, name)}
        if not names:
            return text
        one.plan.needs.setdefault(place, set()).add("builtins")
        one.plan.running.add("builtins")
        return rename_words(text, names)

    def _is_hidden(self, one: Part, place: ast.AST, name: str) -> bool:
        """Tell whether a name is bound to something else, other than an import from NumPy that is removed."""
        return name in self._elsewhere.bound or any(
            not (_is_numpys(owner, node) and name not in owner.plan.loaded and name not in self._elsewhere.used)
            for owner, _, node in self._bound(one, place, name)
        )

    # ------------------------------------------------------------------------------------------- modules
    def _name(self, module: str) -> str:
        """The name for a module: one that it has already, its own one, or another that is free everywhere."""
        other = OTHER[module]
        numbered = (f"{other}{number}" for number in itertools.count(2))
        for name in itertools.chain(self._present(module), [module], [other], numbered):
            is_own = name == module or name in self._present(module)
            if (is_own or name not in self._words) and self._is_free(module, name):
                return name
        raise AssertionError  # there is always a number that is free

    def _present(self, module: str) -> list[str]:
        """The names that the file's own imports at the top give to a module, its own one first."""
        one = self._parts[0]
        imports = (node for node in one.ctx.module.tree.body if isinstance(node, (ast.Import, ast.ImportFrom)))
        found = [
            name for node in imports for alias in node.names for name in bound_names(alias)
            if self.imports(one.ctx, alias, module)
        ]  # fmt: skip
        return sorted(dict.fromkeys(found), key=lambda name: name != module)

    def _is_free(self, module: str, name: str) -> bool:
        """Tell whether a name means this module, or nothing, wherever it is needed and in the file around."""
        own = self._parts[0]
        at_top = own.scopes.binding(own.ctx.module.tree, name)
        if any(not self._may_be(own, node, module) for node in at_top):
            return False
        if not at_top and (name in self._elsewhere.taken or self._comes_from_nowhere(name)):
            return False
        return all(
            self._may_be(owner, node, module) and self._is_bound_by(one, place, owner, scope, node)
            for one in self._parts
            for place, needs in one.plan.needs.items() if module in needs
            for owner, scope, node in self._bound(one, place, name)
        )  # fmt: skip

    def _bound(self, one: Part, place: ast.AST, name: str) -> Iterator[tuple[Part, ast.AST, ast.AST]]:
        """The nodes that bind a name as it is seen from a place, with their scope and the part they are in."""
        found, owner = one.scopes.meaning(place, name), one
        if found is None and one is not self._parts[0]:
            owner = self._parts[0]
            found = owner.scopes.meaning(owner.ctx.module.tree, name)
        if found is not None:
            yield from ((owner, found[0], node) for node in found[1])

    def _comes_from_nowhere(self, name: str) -> bool:
        """Tell whether a name is read that nothing in the file binds; `import *` of some other module may."""
        for one in self._parts:
            for node in one.ctx.module.nodes:
                if isinstance(node, ast.Name) and node.id == name and one.scopes.meaning(node, name) is None:
                    return True
        return False

    def _is_bound_by(self, one: Part, place: ast.AST, owner: Part, scope: ast.AST, node: ast.AST) -> bool:
        """Tell whether a function's name is bound before a place in it runs; the imports handle those of a module."""
        if isinstance(scope, ast.Module):
            return True
        statement = owner.ctx.parents.get(node)
        return isinstance(statement, ast.stmt) and runs_before(one.ctx, statement, place)

    def _may_be(self, one: Part, node: ast.AST, module: str) -> bool:
        """Tell whether a node binds its name to a module, or to its substitute where the module is not installed."""
        return self.imports(one.ctx, node, module) or self._is_fallback(one, node, module)

    def _is_fallback(self, one: Part, node: ast.AST, module: str) -> bool:
        handler = next((n for n in around(one.ctx, node) if isinstance(n, ast.ExceptHandler)), None)
        guarded = one.ctx.parents.get(handler) if handler is not None else None
        imports = [n for n in getattr(guarded, "body", ()) if isinstance(n, (ast.Import, ast.ImportFrom))]
        aliases = [alias for statement in imports for alias in statement.names]
        return any(self.imports(one.ctx, a, module) and set(bound_names(a)) & set(bound_names(node)) for a in aliases)

    def imports(self, ctx: ModuleContext, node: ast.AST, module: str) -> bool:
        """Tell whether it is the part of an import that binds its name to a module."""
        return isinstance(node, ast.alias) and _path(ctx, node) == self._path_of(module)

    def _path_of(self, module: str) -> str:
        node = ast.parse(self._lines[module]).body[0]
        prefix = f"{node.module}." if isinstance(node, ast.ImportFrom) else ""
        assert isinstance(node, (ast.Import, ast.ImportFrom))
        return prefix + node.names[0].name

    def line(self, module: str) -> str:
        """The line that imports a module under its name."""
        name = self.names.get(module, module)
        if name == module:
            return self._lines[module]
        node = ast.parse(self._lines[module]).body[0]
        assert isinstance(node, (ast.Import, ast.ImportFrom))
        node.names[0].asname = name
        return ast.unparse(node)


def _path(ctx: ModuleContext, node: ast.alias) -> str:
    """Give the path of the module or member that an import binds its name to."""
    statement = ctx.parents.get(node)
    if isinstance(statement, ast.ImportFrom):
        return f"{'.' * statement.level}{statement.module or ''}.{node.name}"
    return node.name if node.asname else node.name.partition(".")[0]


def _is_numpys(one: Part, node: ast.AST) -> bool:
    return isinstance(node, ast.alias) and _path(one.ctx, node).split(".")[0] == "numpy"


def around(ctx: ModuleContext, node: ast.AST) -> Iterator[ast.AST]:
    """A node and what it lies in, from the inside out."""
    current: ast.AST | None = node
    while current is not None:
        yield current
        current = ctx.parents.get(current)


def runs_before(ctx: ModuleContext, statement: ast.stmt, place: ast.AST) -> bool:
    """Tell whether a statement has run before a place is reached, judged by the blocks around it.

    Statements after a `try` follow its body if nothing before the statement there can fail; those after a `with` follow
    its body.
    """
    inside = set(around(ctx, place))
    current: ast.AST = statement
    while (parent := ctx.parents.get(current)) is not None:
        blocks = [part for _, part in ast.iter_fields(parent) if isinstance(part, list)]
        block = next(one for one in blocks if current in one)
        index = block.index(current)
        later = block[index + 1 :] + (parent.orelse if isinstance(parent, ast.Try) else [])
        if not inside.isdisjoint(later):
            return True
        is_try = isinstance(parent, ast.Try) and block is parent.body and _cannot_fail(block[:index])
        if not (is_try or isinstance(parent, (ast.With, ast.AsyncWith))):
            return False
        current = parent
    return False


def _cannot_fail(statements: Iterable[ast.stmt]) -> bool:
    """Tell whether there are only imports of NumPy, and constants."""
    for one in statements:
        is_numpys = isinstance(one, ast.Import) and all(alias.name.split(".")[0] == "numpy" for alias in one.names)
        if not is_numpys and not (isinstance(one, ast.Assign) and isinstance(one.value, ast.Constant)):
            return False
    return True


# ----------------------------------------------------------------------------------------------------- texts
def respell(plan: Plan, change: Callable[[ast.AST, str], str]) -> None:
    """Change all the new text of a plan; what is written is seen as a whole."""
    for node, edit in plan.edits.items():
        edit.respell(functools.partial(change, node))
    for node, wraps in plan.wraps.items():
        for wrap in wraps:
            wrap.respell(functools.partial(change, node))


@functools.cache
def _names(text: str) -> tuple[ast.Name, ...]:
    """The names in a text by themselves, without those that only name the device of a tensor."""
    nodes = tree_walk(ast.parse(text)) if text else []
    called = {node.func for node in nodes if isinstance(node, ast.Call)}
    devices = [node for node in nodes if isinstance(node, ast.Attribute) and node.attr == "device"]
    owners = {node.value for node in devices if node not in called}
    return tuple(n for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load) and n not in owners)


def free_names(text: str) -> set[str]:
    """The names that a text reads."""
    return {node.id for node in _names(text)}


def rename_words(text: str, names: Mapping[str, str]) -> str:
    """A text with other names."""
    if not _mentions(text, names):
        return text
    lines = text.encode().split(b"\n")
    for node in sorted(_names(text), key=lambda node: (node.lineno, node.col_offset), reverse=True):
        if node.id in names:
            line = lines[node.lineno - 1]
            end = node.col_offset + len(node.id.encode())
            lines[node.lineno - 1] = line[: node.col_offset] + names[node.id].encode() + line[end:]
    return b"\n".join(lines).decode()


def _mentions(text: str, names: Container[str]) -> bool:
    return any(word in names for word in _WORD.findall(text))
