"""A search for complex results that escape the analysis.

Eigenvalues, roots and their like are complex for some values. The interpreter tracks each such result, so that an array
of unknown dtype need not be taken for complex, unless one of them reaches code that the interpreter does not follow.
These places are searched once the analysis is done, and rather too many are found than too few.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from np2torch.facts import values as v
from np2torch.facts.complex_tracking import DEEPEST, dtypes_held, inside
from np2torch.facts.interpreter.definitions import FunctionDefinition, ModuleInfo
from np2torch.facts.interpreter.environment import ANY_NAME
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.names.tree import children, walk
from np2torch.source.mentions import COMPUTING

FOLLOWED = ("numpy", "builtin", "function", "class", "method", "module")
"""Kinds of functions whose calls the interpreter looks into or has a law for."""
OWNERS = ("array", "scalar", "number", "sequence", "mapping", "iterator", "text")
"""Kinds of objects whose methods it knows."""
HOLDERS = ("array", "scalar", "instance", "sequence", "mapping", "class", "module")
"""Kinds of objects of which it knows what is stored in them."""
PLAIN = frozenset({"shape", "ndim", "size", "dtype", "itemsize", "nbytes"})
"""Attributes that hold nothing of an array's elements."""
GATHERING = (
    ast.List, ast.Tuple, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.IfExp, ast.BoolOp,
    ast.NamedExpr, ast.Starred, ast.Await,
)  # fmt: skip
"""Expressions whose values hold those of their parts."""
SILENT = (ast.Compare, ast.JoinedStr, ast.FormattedValue, ast.Lambda, ast.Yield, ast.YieldFrom, ast.Slice)
"""Expressions whose values hold nothing of their parts, or are looked at elsewhere."""


def find_escape(engine: Interpreter) -> ast.AST | None:
    """A place where something complex gets out of sight, if there is one."""
    look = _Look(engine)
    modules = dict.fromkeys(engine.modules.values())
    if engine.failures or any(map(look.holds, engine.not_followed)):
        return next((module.tree for module in modules), None)
    return next((node for module in modules for node in look.places(module)), None)


class _Look:
    """One search."""

    def __init__(self, engine: Interpreter) -> None:
        self.engine = engine
        self.dropped: set[ast.expr] = set()
        self.holding: dict[v.Fact, bool] = {}
        self.complex = {fact for fact in set(engine.facts.values()) if self.holds(fact)}
        self.held = {name for class_ in engine.classes.values() for name in self.attributes(class_)}
        giving = [function for function in engine.functions.values() if self.gives(function)]
        self.given = {function.name for function in giving}
        self.telling = COMPUTING | self.given | self.held
        self.gone = ANY_NAME in self.held or any(map(self.gets_away, giving))

    def attributes(self, class_: object) -> Iterator[str]:
        """Attributes of instances that hold something complex."""
        for held in (getattr(class_, "attributes", {}), getattr(class_, "attempted", {})):
            yield from (name for name, fact in held.items() if self.holds(fact))

    def gives(self, function: FunctionDefinition) -> bool:
        """Tell whether it returns something complex."""
        return any(self.holds(context.result) for context in function.active.values())

    def gets_away(self, function: FunctionDefinition) -> bool:
        """Tell whether callers that are not seen may call it and be given a tensor."""
        engine = self.engine
        if function.owner is not None and function.owner.is_ndarray() and function.owner.stays_numpy():
            return False  # stays on NumPy, and gives ndarrays
        unseen = not function.called and not self.hands_on(function)
        return function.escaped or unseen or function.name in engine.called_outside

    def hands_on(self, function: FunctionDefinition) -> bool:
        """Tell whether it only returns results of functions whose calls are seen, so that these are checked."""
        returned = (node.value for node in walk(function.node) if isinstance(node, ast.Return))
        callees = [self.engine.callees.get(value) if isinstance(value, ast.Call) else None for value in returned]
        return bool(callees) and all(found and all(one.called for one in found) for found in callees)

    def fact(self, node: ast.AST) -> v.Fact:
        """Give what is known of an expression."""
        return self.engine.facts.get(node, v.BOTTOM)

    def holds(self, fact: v.Fact) -> bool:
        """Tell whether an alternative is complex, or holds something complex."""
        known = self.holding.get(fact)
        if known is None:
            known = self.holding[fact] = self.reaches(fact)
        return known

    def reaches(self, fact: v.Fact, depth: int = 0) -> bool:
        """Tell whether something complex is in it, down to a bounded depth."""
        if dtypes_held(fact):
            return True
        return depth < DEEPEST and any(
            self.reaches(inner, depth + 1) for atom in fact for inner in self.stored_facts(atom)
        )

    def stored_facts(self, atom: v.Atom) -> list[v.Fact]:
        """Give what is in an alternative, and was put into it anywhere."""
        if isinstance(atom, (v.Sequence, v.Mapping)):
            return [*inside(atom), self.engine.heap.get(atom.site, v.BOTTOM)]
        return inside(atom)

    def is_open(self, fact: v.Fact, depth: int = 0) -> bool:
        """Tell whether it may be anything, or hold something that may."""
        for atom in fact:
            if isinstance(atom, (v.Top, v.Opaque)):
                return True
            if isinstance(atom, (v.Array, v.Scalar)):
                if atom.dtypes is None:
                    return True
            elif isinstance(atom, (v.Sequence, v.Iterator, v.Method)) and depth < DEEPEST:
                if any(self.is_open(inner, depth + 1) for inner in self.stored_facts(atom)):
                    return True
        return False

    def places(self, module: ModuleInfo) -> Iterator[ast.AST]:
        """The places of a module where something complex gets out of sight."""
        is_whole = module.body is module.tree.body
        nodes = module.nodes if is_whole else walk(ast.Module(module.body, []))
        yield from filter(self.unknown_name, nodes)
        if self.complex and any(self.engine.facts.get(node) in self.complex for node in nodes):
            yield from self.losing(nodes)
        if self.gone:
            yield module.tree

    def losing(self, nodes: Sequence[ast.AST]) -> Iterator[ast.AST]:
        """Those of the nodes of a module where something complex is made part of what is not known, or put there."""
        self.dropped = {node.value for node in nodes if isinstance(node, ast.Expr)}
        for node in nodes:
            if isinstance(node, (ast.Name, ast.Constant)):
                continue  # has no parts
            if isinstance(node, ast.expr):
                if self.is_lost(node):
                    yield node
            elif isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign)) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if self.holds(self.fact(node.value)) and not all(map(self.keeps, targets)):
                    yield node

    def unknown_name(self, node: ast.AST) -> bool:
        """Tell whether it is a name of what makes or holds something complex, of which nothing is known here."""
        if not isinstance(node, (ast.Name, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
            return False
        if (node.attr if isinstance(node, ast.Attribute) else node.id) not in self.telling:
            return False
        if isinstance(node, ast.Attribute):
            named = node.attr in COMPUTING or node.attr in self.given
            unseen = node.attr in self.held and not v.only(self.fact(node.value), *HOLDERS)
            return (named or unseen) and self.is_open(self.fact(node))
        return (node.id in COMPUTING or node.id in self.given) and self.is_open(self.fact(node))

    def is_lost(self, node: ast.expr) -> bool:
        """Tell whether a part of an expression is complex while nothing is known of the whole."""
        if isinstance(node, SILENT) or isinstance(node, ast.Attribute) and node.attr in PLAIN:
            return False
        parts = [node.elt] if isinstance(node, (ast.ListComp, ast.SetComp, ast.GeneratorExp)) else _parts(node)
        facts = list(map(self.fact, parts))
        if not any(map(self.holds, facts)):
            return False
        whole = self.fact(node)
        if isinstance(node, GATHERING):
            return bool(whole) and not self.holds(whole)
        if isinstance(node, ast.Call):
            if self.asks(node):
                return False
            if not self.follows(node):
                return True
            if node in self.dropped:
                return False
        return self.is_open(whole) and not (self.holds(whole) and any(map(self.is_open, facts)))

    def asks(self, node: ast.Call) -> bool:
        """Tell whether it gives nothing of its arguments back: `type(x)`, unittest's `self.assertLess(...)`."""
        if isinstance(node.func, ast.Attribute):
            return node.func.attr.startswith("assert")
        return all(isinstance(atom, v.Builtin) and atom.name == "type" for atom in self.fact(node.func))

    def follows(self, node: ast.Call) -> bool:
        """Tell whether the interpreter follows what the called function does with its arguments."""
        for atom in self.fact(node.func):
            if isinstance(atom, v.Method) and not v.only(atom.owner, *OWNERS) or atom.kind not in FOLLOWED:
                return False
        return True

    def keeps(self, target: ast.expr) -> bool:
        """Tell whether the value assigned to a target stays known there."""
        if isinstance(target, (ast.Tuple, ast.List)):
            return all(map(self.keeps, target.elts))
        if isinstance(target, ast.Starred):
            return self.keeps(target.value)
        if not isinstance(target, (ast.Attribute, ast.Subscript)):
            return True
        owner = self.fact(target.value)
        arrays = ("foreign",) if isinstance(target, ast.Subscript) else ()  # what is stored takes their dtype
        return not owner or v.only(owner, *HOLDERS, *arrays)


def _parts(node: ast.expr) -> list[ast.expr]:
    """List the expressions that an expression is made of."""
    below = (child.value if isinstance(child, ast.keyword) else child for child in children(node))
    return [child for child in below if isinstance(child, ast.expr)]
