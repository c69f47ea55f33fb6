"""Imports after conversion: NumPy's go where nothing uses them any more, torch's come in their place."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from np2torch.names.elsewhere import Elsewhere
from np2torch.names.modules import numpys_module
from np2torch.names.optional import fallbacks
from np2torch.names.scopes import FUNCTIONS
from np2torch.names.tree import dotted_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.plan import Plan
from np2torch.rewrite.spelling import MODULES, Spelling, around, runs_before
from np2torch.rules.site import ModuleContext

Import = ast.Import | ast.ImportFrom
EVALUATING = frozenset({"eval", "exec"})
"""Functions that run text, which may speak of anything that is imported."""
PLAIN_SHIM = "from np2torch import shim"


class Imports:
    """Decides, for each import statement, which of its names stay, and where the new ones go.

    New imports take the place of one of NumPy's that runs before all that needs them, in a function that has its own
    as in the module; where there is none they go to the top of the module.

    Attributes
    ----------
    statements
        The names that go, by statement.
    anchor
        The statement of the module whose place its new imports take.
    """

    def __init__(self, ctx: ModuleContext, plan: Plan, elsewhere: Elsewhere, spelling: Spelling) -> None:
        self.ctx, self.plan, self.spelling = ctx, plan, spelling
        self.elsewhere = elsewhere
        self.kept = plan.loaded | elsewhere.used
        self.for_checkers: list[str] = []
        self.statements: dict[ast.stmt, list[ast.alias]] = {}
        self.moved: dict[ast.stmt, list[ast.alias]] = {}
        self.own: dict[ast.AST, bool] = {}
        self.scopes: dict[ast.AST, ast.AST] = {}
        nodes = tree_walk(ctx.module.tree)
        imports = [node for node in nodes if isinstance(node, (ast.Import, ast.ImportFrom))]
        self.at_top = [node for node in imports if isinstance(ctx.parents[node], (ast.Module, ast.Try))]
        self.at_top = [node for node in self.at_top if self._around(node) is ctx.module.tree]
        stay = any(isinstance(node, ast.Call) and getattr(node.func, "id", "") in EVALUATING for node in nodes)
        stay = stay or ctx.converted_already() and not plan.touches()  # an earlier run has left them
        if not stay:  # of `eval(repr(x))` it is `array` that may be read
            left = ctx.left_nodes | {one for handler in fallbacks(nodes) for one in tree_walk(handler)}
            self._sort_out(node for node in imports if node not in left)
        self.anchor = next((one for one in imports if self._is_anchor(one)), None)

    def _sort_out(self, imports: Iterable[Import]) -> None:
        """Note which names of imports go, and which of these the shim has for other modules."""
        for node in imports:
            moved = [a for a in node.names if self._moves(node, a)]
            gone = [a for a in node.names if a in moved or self._goes(node, a)]
            if gone:
                self.statements[node] = gone
            if moved:
                self.moved[node] = moved

    def _moves(self, node: Import, alias: ast.alias) -> bool:
        """Tell whether it imports a NumPy function that only other modules use, from here; they get the shim's."""
        module = numpys_module(node) if isinstance(node, ast.ImportFrom) else None
        if module is None or self.spelling.shim_import != PLAIN_SHIM:  # a policy is no module to import from
            return False
        name, here = f"{module}.{alias.name}".removeprefix("numpy."), alias.asname or alias.name
        only_others = here in self.kept and here not in self.plan.loaded | self.elsewhere.spoken
        return name in self.ctx.shim and only_others

    def _goes(self, node: Import, alias: ast.alias) -> bool:
        name = alias.asname or alias.name
        if isinstance(node, ast.ImportFrom) and numpys_module(node) is None:
            return name in self.ctx.numpy_names and name not in self.kept and name != "*"
        if isinstance(node, ast.Import) and alias.name.split(".")[0] != "numpy":
            return False
        if isinstance(node, ast.ImportFrom) and name == "*":
            return not any(n in self.ctx.numpy_names for n in self.kept)
        if isinstance(self._around(node), ast.ClassDef) and name in self.elsewhere.attributes:
            return False
        return (name if isinstance(node, ast.ImportFrom) or alias.asname else "numpy") not in self.kept

    def moved_line(self, node: ast.stmt) -> list[str]:
        """The import line for the names of a statement that come from the shim from now on."""
        moved = self.moved.get(node)
        if not moved or not isinstance(node, ast.ImportFrom):
            return []
        module = ".".join(["np2torch.shim", *(node.module or "").split(".")[1:]])
        names = ", ".join(f"{a.name} as {a.asname}" if a.asname else a.name for a in moved)
        return [f"from {module} import {names}"]

    # ---------------------------------------------------------------------------------------- where they go
    def has_changes(self) -> bool:
        """Tell whether there is anything to change."""
        return bool(self.statements) or bool(self.missing(self.ctx.module.tree))

    def missing(self, scope: ast.AST) -> list[str]:
        """List modules that the new text of a scope needs and the file does not import ahead of it."""
        needs: set[str] = set()
        for place, names in self.plan.needs.items():
            if self._scope_of(place) is scope:
                needs |= {name for name in names if not self._is_imported(name, place)}
        return [name for name in MODULES if name in needs]

    def _is_imported(self, module: str, place: ast.AST) -> bool:
        tree, name = self.ctx.module.tree, self.spelling.names.get(module, module)
        return any(
            (alias.asname or alias.name.partition(".")[0]) == name and self.spelling.imports(self.ctx, alias, module)
            for node in self.at_top for alias in node.names
            if place is tree or runs_before(self.ctx, node, place)
        )  # fmt: skip

    def _scope_of(self, place: ast.AST) -> ast.AST:
        """Find the scope that gets an import: a function with a NumPy import of its own, else the module."""
        if place not in self.scopes:
            own = (one for one in around(self.ctx, place) if self._has_own(one))
            self.scopes[place] = next(own, self.ctx.module.tree)
        return self.scopes[place]

    def _has_own(self, function: ast.AST) -> bool:
        """Tell whether a function imports NumPy itself, before everything that needs a module, and not in a branch.

        Where the module imports it as well, nothing is gained by an import of the function's own.
        """
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        if any(one in self.statements for one in self.at_top):
            return False
        if function not in self.own:
            imports = [one for one in self.statements if self._around(one) is function]
            below = [place for place in self.plan.needs if imports and function in around(self.ctx, place)]
            self.own[function] = bool(imports) and all(any(runs_before(self.ctx, i, p) for i in imports) for p in below)
        return self.own[function]

    def _around(self, node: ast.AST) -> ast.AST:
        """The function, class or module that a statement belongs to."""
        belongs = (one for one in around(self.ctx, node) if isinstance(one, (*FUNCTIONS, ast.ClassDef)))
        return next(belongs, self.ctx.module.tree)

    def _is_anchor(self, statement: Import) -> bool:
        """Tell whether it imports NumPy in the module, before everything that needs a module there."""
        module = self.ctx.module.tree
        is_at_top = self.ctx.parents.get(statement) is module
        stays = is_at_top and isinstance(statement, ast.Import)
        stays = stays and any(alias.name.split(".")[0] == "numpy" for alias in statement.names)
        if not (stays or statement in self.statements) or self._around(statement) is not module:
            return False
        if self._is_for_checkers(statement):
            return False
        places = [one for one in self.plan.needs if one is not module and self._scope_of(one) is module]
        return all(runs_before(self.ctx, statement, place) for place in places)

    def concerns(self, statement: ast.stmt) -> bool:
        """Tell whether it is an import that loses names, or one that new imports stand beside."""
        return statement in self.statements or statement is self.anchor

    def lines_for(self, scope: ast.AST) -> list[str]:
        """New import lines for a scope."""
        return [self.spelling.line(name) for name in self.missing(scope) if name not in self.for_checkers]

    def lines_at(self, statement: ast.stmt) -> list[str]:
        """New import lines in the place of an import, or beside it."""
        scope = self._around(statement)
        if isinstance(scope, ast.ClassDef):
            return []
        if not isinstance(scope, ast.Module):
            return self.lines_for(scope) if self._has_own(scope) else []
        if statement is self.anchor:
            return self.lines_for(scope)
        return self._lines_for_checkers(scope) if self._is_for_checkers(statement) else []

    def _is_for_checkers(self, statement: ast.stmt) -> bool:
        """Tell whether it stands under `if TYPE_CHECKING:`, which is not run."""
        for current in around(self.ctx, statement):
            parent = self.ctx.parents.get(current)
            if isinstance(parent, ast.If) and current in parent.body:
                if (dotted_name(parent.test) or "").rpartition(".")[2] == "TYPE_CHECKING":
                    return True
        return False

    def _lines_for_checkers(self, module: ast.Module) -> list[str]:
        """Give imports for names that only annotations need; those that the program needs go where it runs them."""
        if self.anchor is not None and self.ctx.parents.get(self.anchor) is module:
            return []
        names = [n for n in self.missing(module) if n not in self.plan.running and n not in self.for_checkers]
        self.for_checkers += names
        return [self.spelling.line(name) for name in names]
