"""A place in the source to decide on, and the decisions that can be made there."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Literal

from np2torch.facts import object_uses
from np2torch.facts import values as v
from np2torch.facts.alias_analysis import Aliases
from np2torch.facts.domain import DOMAIN
from np2torch.facts.dtype_uses import used_as_dtypes
from np2torch.facts.evidence import Evidence, fill_unknown
from np2torch.facts.extents import Extents
from np2torch.facts.interpreter.definitions import ModuleInfo
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.facts.mod_ref_summaries import ProjectAliases
from np2torch.facts.passed_objects import is_object
from np2torch.facts.stores import Stores
from np2torch.names import resolve
from np2torch.names.modules import absolute_name, numpys_module
from np2torch.names.tree import Nodes, dotted_name, parents_in
from np2torch.rules.caught_errors import caught_nodes
from np2torch.rules.rule_arguments import PLACEHOLDER, Template

BODIES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.Module)
"""Nodes whose statements run in a scope of their own."""
OF_MAPPINGS = frozenset("get items keys values setdefault update".split())
"""Methods of dicts that arrays have not."""
LISTENING = re.compile(r"\bwarnings\b|\bwarns\b|assertWarns|assert_warns|\brecwarn\b|assert_no_warnings")
"""Signs in a text that it listens for warnings."""
INFINITE = re.compile(r"\b(?:[np]?inf|infty|infinity|nan|infj|nanj|[NP]INF)\b", re.IGNORECASE)
"""Names of infinities and of NaN."""

CLONE = "NPT202"
"""The code of copies."""
TAKES_VALUE = re.compile(r"(?<![\w.])float\(|\.item\(\)|\.tolist\(\)|shim\.(keys?|numbers|text|printable)\b")
"""The calls that take a number, or its text, out of a tensor."""
Outcome = Literal["native", "cast", "shim", "boundary", "todo"]


HOLE = "NP2TORCH_HOLE"
"""The placeholder for the text inside a wrap, while the text of the wrap is changed."""
Written = list[tuple[str | None, str]]
"""Arguments of a call: keyword or None, and text."""


@dataclass(slots=True)
class Edit:
    """The decision on one node.

    A `text` with placeholders replaces it; a `function` with `arguments` keeps the call and its layout; neither leaves
    the node as it is (the site is native already, or stays). `note` is a comment above the statement, `decorator` what
    a definition gets on top, `lowest` what it gets below its other decorators.
    """

    node: ast.AST
    outcome: Outcome
    code: str
    source: str
    message: str = ""
    text: str = ""
    pieces: list[ast.AST] = field(default_factory=list)
    function: str = ""
    arguments: Written = field(default_factory=list)
    note: str = ""
    decorator: str = ""
    lowest: str = ""

    def leave(self, code: str, note: str, message: str = "") -> Edit:
        """Leave the site on NumPy, with a note above it."""
        self.outcome, self.code, self.note = "todo", code, note
        self.message = message or self.message
        return self

    def decorate(self, decorator: str, lowest: str) -> None:
        """Change what a definition gets on top, and below its other decorators."""
        self.decorator, self.lowest = decorator, lowest

    def write(self, text: str) -> None:
        """Change the text that replaces the node."""
        self.text = text

    def write_call(self, function: str, arguments: Written) -> None:
        """Change the function and the arguments of a call that keeps its layout."""
        self.function, self.arguments = function, arguments

    def respell(self, change: Callable[[str], str]) -> None:
        """Change each of its texts."""
        self.text, self.function = change(self.text), change(self.function)
        self.decorator, self.lowest = change(self.decorator), change(self.lowest)
        self.arguments = [(keyword, change(text)) for keyword, text in self.arguments]

    @property
    def decorates(self) -> bool:
        """Tell whether it adds a decorator to a definition."""
        return bool(self.decorator or self.lowest)

    @property
    def replaces(self) -> bool:
        """Tell whether it changes the node."""
        return bool(self.text or self.function)

    @property
    def texts(self) -> list[str]:
        """All the new text there is in it."""
        return [self.text, self.function, self.decorator, self.lowest, *(text for _, text in self.arguments)]


@dataclass(slots=True)
class Wrap:
    """Something put around a node that is otherwise rewritten on its own: a cast, a clone, a boundary."""

    node: ast.AST
    before: str
    after: str
    outcome: Outcome
    code: str
    message: str

    def respell(self, change: Callable[[str], str]) -> bool:
        """Change its text, which is seen as a whole with `HOLE` for the node; tell whether that made a difference."""
        before = self.before, self.after
        self.before, _, self.after = change(f"{self.before}{HOLE}{self.after}").partition(HOLE)
        return before != (self.before, self.after)


def _heeds_warnings(engine: Interpreter) -> bool:
    return any(LISTENING.search(module.text) for module in engine.modules.values())


class ModuleContext:
    """A module under conversion: facts, parents, aliases, and what has been decided so far."""

    def __init__(
        self, engine: Interpreter, module: ModuleInfo, project: ProjectAliases, stores: Stores, extents: Extents,
        shim: frozenset[str],
        selects: Callable[[str], bool] = lambda code: True, *,
        traced: Set[ast.AST] = frozenset(), public: Set[ast.AST] = frozenset(), reached: Set[ast.AST] = frozenset(),
        kept: Set[ast.AST] = frozenset(), parts: Set[ast.AST] | None = None, torchs_random: bool = False,
        mentions_numpy: bool = True,
    ) -> None:  # fmt: skip
        self.selects = selects
        self.engine = engine
        self.module = module
        self.project = project
        self.shim = shim
        self.parents: Mapping[ast.AST, ast.AST] = parents_in(module.tree)
        self._looped: dict[ast.AST, frozenset[str]] = {}
        self.kept_names: set[str] = set()
        self.mentions_numpy, self.torchs_random, self.parts = mentions_numpy, torchs_random, parts
        self.assumed: dict[ast.AST, None] = {}
        self.reading: list[ast.AST] = []
        self.traced, self.public, self.reached, self.kept = traced, public, reached, kept
        self.on_numpy: dict[ast.AST, Any] = {}
        self.by_elements: Collection[ast.AST] = ()
        self.reading_traced: list[ast.AST] = []
        self.rests: dict[ast.AST, list[ast.AST]] = {}
        self.bound: dict[ast.AST, dict[str, ast.expr]] = {}
        self.edits: dict[ast.AST, Edit] = {}
        self.refused: dict[ast.AST, Edit] = {}
        self.unwanted_wraps: dict[ast.AST, list[Wrap]] = {}
        self.wrapped: list[Wrap] = []
        self.wraps: dict[ast.AST, list[Wrap]] = {}
        self.stores, self.extents = stores, extents
        self.private: dict[tuple[ast.AST, str, bool], bool] = {}
        self._infinite: dict[ast.AST, bool] = {}
        self.numbers: dict[ast.AST, v.Fact] = {}
        self.taken_out: set[ast.AST] = set()
        self.read_at_once: set[ast.AST] = set()
        self._dtypes: dict[ast.AST, Collection[str]] = {}
        self._mappings: dict[ast.AST, Collection[str]] = {}
        self.numpy_names = self._imported_from_numpy()
        self.caught = caught_nodes(module.nodes)

    def fresh(self) -> ModuleContext:
        """Copy the module with nothing decided."""
        other = copy.copy(self)
        other.kept_names, other.assumed, other.reading, other.reading_traced = set(), {}, [], []
        other.rests, other.edits, other.refused = {}, {}, {}
        other.unwanted_wraps, other.wrapped, other.wraps, other.private = {}, [], {}, {}
        return other

    def run_by_elements(self, functions: Iterable[ast.AST]) -> None:
        """Note the functions that run in NumPy as wholes."""
        self.by_elements = frozenset(functions)

    def with_parents(self, parents: dict[ast.AST, ast.AST]) -> ModuleContext:
        """Copy the module for nodes of another one."""
        other = copy.copy(self)
        other.parents = parents
        return other

    @contextmanager
    def tentative_wraps(self) -> Iterator[dict[ast.AST, list[Wrap]]]:
        """Decide something for a moment; what is handed out are the wraps made meanwhile."""
        edits, wraps = self.edits, self.wraps
        self.edits, self.wraps = {}, {}
        try:
            yield self.wraps
        finally:
            self.edits, self.wraps = edits, wraps

    def _imported_from_numpy(self) -> dict[str, str]:
        """Names that imports of this module bind to NumPy's, also by way of another module of the project."""
        found: dict[str, str] = {}
        around = self.module.around.nodes if self.module.around is not None else []
        for node in [*around, *self.module.nodes]:
            if not isinstance(node, ast.ImportFrom):
                continue
            target, numpys = absolute_name(self.module.name, self.module.is_package, node), numpys_module(node)
            for alias in node.names:
                if numpys:
                    names = resolve.exported_names(numpys) if alias.name == "*" else (alias.name,)
                    found.update((alias.asname or name, f"{numpys}.{name}") for name in names)
                elif target in self.engine.modules:
                    env = self.engine.modules[target].env
                    for name in list(env) if alias.name == "*" else [alias.name]:
                        atom = next(iter(env.get(name, ())), None)
                        if isinstance(atom, v.Numpy) and len(env[name]) == 1 and "()" not in atom.name:
                            found[alias.asname or name] = atom.name
        return found

    @property
    def left_nodes(self) -> set[ast.AST]:
        """The nodes that stay as they are, by comments or by settings."""
        return self.module.skipped | self.kept if self.kept else self.module.skipped

    def wants(self, node: ast.AST, code: str) -> bool:
        """Tell whether settings and comments allow a rewrite of a node with this code."""
        return self.selects(code) and not code.startswith(self.module.unwanted.get(node, ()))

    def fact_in_numpy(self, node: ast.AST) -> v.Fact:
        """Give the fact of an expression in NumPy, whatever represents it after the conversion."""
        return self.engine.facts.get(node) or v.TOP

    def fact(self, node: ast.AST | None) -> v.Fact:
        """Give what is known of an expression."""
        if node is None:
            return v.TOP
        found = self.numbers.get(node)
        if not found:
            found = self.engine.facts.get(node) or v.TOP
            found = v.perhaps_unheld(found) if DOMAIN.names_unheld else found
        if node in self.traced:
            self.reading_traced.append(node)
        if DOMAIN.assumed is not None and v.only(found, "array", "scalar") and v.dtypes_of(found) is None:
            self.reading.append(node)
            said = v.join(*(v.one(kind(DOMAIN.assumed)) for kind in (v.Array, v.Scalar)))
            return fill_unknown(found, said)
        return found

    def is_open(self, node: ast.AST) -> bool:
        """Tell whether nothing is known of it, so that it may be an array or an element of one."""
        unknown = v.known_to_include(self.fact(node), "unknown")
        return unknown and self.meets_arrays(node) and not self.converted_already()

    def meets_arrays(self, node: ast.AST) -> bool:
        """Tell whether it stands where arrays are met: in a module that names NumPy, or in an open function."""
        return self.mentions_numpy or self.function(node) in self.engine.open

    def may_be_array(self, node: ast.AST) -> bool:
        """Tell whether it is open and may be an array or an element of one by its use as well."""
        return self.is_open(node) and not self.is_object(node)

    def is_object(self, node: ast.AST) -> bool:
        """Tell whether it is a parameter, or bound by a loop, and used as neither arrays nor numbers are."""
        said = self.evidence_of(node)
        if said is not None and is_object(said):
            return True
        name, around = getattr(node, "id", ""), self.parents.get(node)
        while name and around is not None and not isinstance(around, BODIES):
            if name in self._objects_of(around):
                return True
            around = self.parents.get(around)
        return False

    def _objects_of(self, loop: ast.AST) -> frozenset[str]:
        if loop not in self._looped:
            self._looped[loop] = object_uses.of_loop(loop, self.engine.lookalikes.items)
        return self._looped[loop]

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """Find the statement that an expression stands in."""
        current: ast.AST | None = node
        while current is not None and not isinstance(current, ast.stmt):
            current = self.parents.get(current)
        return current

    def is_tried(self, node: ast.AST, error: str) -> bool:
        """Tell whether it is in a `try` that waits for this error, as in `try: float(x) except TypeError:`.

        That asks what `x` is. torch may raise something else, or nothing at all.
        """
        statement = self.statement(node)
        around = None if statement is None else self.parents.get(statement)
        handled = around.handlers if isinstance(around, ast.Try) and statement in around.body else []
        return any(handler.type is not None and error in ast.unparse(handler.type) for handler in handled)

    def function(self, node: ast.AST) -> Any:
        """The innermost function (or module) an expression stands in."""
        current: ast.AST | None = self.parents.get(node)
        while current is not None and not isinstance(current, BODIES):
            current = self.parents.get(current)
        return current if current is not None else self.module.tree

    def is_wanted(self, node: ast.AST) -> bool:
        """Tell whether it is in one of the parts that are to be converted."""
        current: ast.AST | None = node
        while self.parts is not None and current not in self.parts:
            if current is None:
                return False
            current = self.parents.get(current)
        return True

    def dtype_is_said(self, node: ast.expr | None) -> bool:
        """Tell whether it is a parameter whose dtype people say, and the analysis has not found."""
        said = self.evidence_of(node)
        return said is not None and v.dtypes_of(said.found) != v.dtypes_of(self.fact(node))

    def evidence_of(self, node: ast.AST | None) -> Evidence | None:
        """Give the evidence of an expression that names a parameter."""
        definition = self.engine.functions.get(self.function(node)) if isinstance(node, ast.Name) else None
        return definition.evidence.get(node.id) if definition is not None and isinstance(node, ast.Name) else None

    def is_only_said(self, node: ast.expr) -> bool:
        """Tell whether it is a parameter of which people say what it is, and some call passes what is not known."""
        said = self.evidence_of(node)
        return said is not None and v.known_to_include(said.found, "unknown")

    def has_comments(self, node: ast.expr) -> bool:
        """Tell whether there are comments on the lines of an expression that has several."""
        if node.lineno == node.end_lineno:
            return False
        return any("#" in line for line in self.lines_of(node))

    def lines_of(self, node: ast.expr | ast.stmt | ast.Module) -> list[str]:
        """Give the lines of the text that a node stands on, or all of them."""
        lines = self.module.text.splitlines()
        return lines if isinstance(node, ast.Module) else lines[node.lineno - 1 : node.end_lineno]

    def heeds_warnings(self) -> bool:
        """Tell whether any module of the project records warnings, turns them into errors or turns them off."""
        return self.engine.once(_heeds_warnings)

    def aliases(self, node: ast.AST) -> Aliases:
        """Find the aliases of the body that an expression stands in."""
        return self.project.of(self.function(node))

    def dtypes_of(self, function: ast.AST) -> Collection[str]:
        """Names and paths that a body passes on as dtypes."""
        if function not in self._dtypes:
            self._dtypes[function] = used_as_dtypes(Nodes(function))
        return self._dtypes[function]

    def mappings_of(self, function: ast.AST) -> Collection[str]:
        """Names and paths of which a body calls methods that dicts have."""
        if function not in self._mappings:
            calls = (call.func for call in Nodes(function).of(ast.Call) if isinstance(call.func, ast.Attribute))
            paths = (dotted_name(one.value) for one in calls if one.attr in OF_MAPPINGS)
            self._mappings[function] = frozenset(path for path in paths if path is not None)
        return self._mappings[function]

    def is_imported(self) -> bool:
        """Tell whether another module of the project imports this one, and so may read and write its names."""
        return self.module.name in self.project.imported_modules

    def value_written(self, node: ast.expr) -> bool:
        """Tell whether the value of an expression itself is written, through its names or in place."""
        return self.aliases(node).value_written(node)

    def wrap(self, node: ast.AST, before: str, after: str, outcome: Outcome, code: str, message: str) -> None:
        """Put something around a node, once; a value that is taken out of a tensor needs no memory of its own."""
        if TAKES_VALUE.search(before + after) and node in self.wraps:
            self.wraps[node] = [wrap for wrap in self.wraps[node] if wrap.code != CLONE]
        made = Wrap(node, before, after, outcome, code, message)
        if not any((w.before, w.after) == (before, after) for w in self.wraps.get(node, [])):
            self.wraps.setdefault(node, []).append(made)
            self.wrapped.append(made)

    def drop_wrap(self, node: ast.AST, before: str) -> None:
        """Take back what was put around a node, where something else does the same."""
        taken = [wrap for wrap in self.wraps.get(node, ()) if wrap.before == before]
        for wrap in taken:
            self.wraps[node].remove(wrap)
            if wrap in self.wrapped:
                self.wrapped.remove(wrap)
        if taken and not self.wraps[node]:
            del self.wraps[node]

    def unwrap(self) -> None:
        """Take back what was put around nodes since `wrapped` was emptied."""
        for wrap in self.wrapped:
            self.wraps[wrap.node].remove(wrap)
            if not self.wraps[wrap.node]:
                del self.wraps[wrap.node]
        self.wrapped.clear()

    def cast(self, node: ast.expr, dtype: str) -> None:
        """Cast an operand where it stands."""
        self.wrap(node, "", f".to(torch.{dtype})", "cast", "NPT201", f"cast to {dtype} as NEP 50 promotes")

    def clone(self, node: ast.expr, why: str) -> None:
        """Copy an expression where it stands: by its method if it is a tensor for certain, else as run time tells."""
        if v.is_tensor(self.fact(node)):
            self.wrap(node, "", ".clone()", "cast", CLONE, why)
        else:
            self.wrap(node, "shim.duplicate(", ")", "shim", CLONE, why)

    def reaches_numpy(self) -> bool:
        """Tell whether a name of the module means NumPy or a part of it, possibly imported through another module."""
        return bool(self.numpy_names) or any(
            isinstance(atom, v.Module) and atom.name.split(".")[0] == "numpy"
            for fact in self.module.env.values()
            for atom in fact
        )

    def keeps_arrays(self) -> bool:
        """Tell whether ndarrays remain in this project: masked arrays, or subclasses that stay on NumPy."""
        kept = (class_ for class_ in self.engine.classes.values() if class_.is_kept)
        return self.engine.lookalikes.masked or any(class_.is_array for class_ in kept)

    def names_infinity(self, node: ast.AST) -> bool:
        """Tell whether the module (under supposed dtypes: the function around a node) mentions infinity or NaN."""
        function = self.function(node) if DOMAIN.supposed else self.module.tree
        if function not in self._infinite:
            self._infinite[function] = any(map(INFINITE.search, self.lines_of(function)))
        return self._infinite[function]

    @cached_property
    def makes_foreign(self) -> bool:
        """Tell whether this module has arrays that stay on NumPy, of objects or text."""
        facts = (self.engine.facts.get(node, v.BOTTOM) for node in self.module.nodes)
        return any(v.known_to_include(fact, "foreign") for fact in facts)

    @cached_property
    def asked_for_arrays(self) -> frozenset[str]:
        """The unknown objects of this module, as text, that make arrays as NumPy does: `xp` of `xp.zeros(n)`."""
        owners = self.module.asked_for_arrays
        return frozenset(text for owner, text in owners.items() if v.only(self.fact(owner), "unknown"))

    def has_subarrays(self) -> bool:
        """Tell whether there are subclasses of ndarray in this project that become classes of tensors."""
        return any(class_.is_array and not class_.is_kept for class_ in self.engine.classes.values())

    def keep_name(self, node: ast.expr) -> None:
        """A name of NumPy's that the new text still uses."""
        while isinstance(node, ast.Attribute):
            node = node.value
        if isinstance(node, ast.Name):
            self.kept_names.add(node.id)

    def converted_already(self) -> bool:
        """Tell whether the module uses torch, so that unknown values may be tensors already."""
        return self.module.uses_torch


@lru_cache(maxsize=8192)
def source_of(node: ast.AST) -> str:
    """A short text of a node for reports."""
    text = ast.unparse(node)
    return text if len(text) <= 60 else text[:57] + "..."


def call_arguments(node: ast.Call, template: Template) -> Written:
    """A call's arguments as they are written, stars included."""
    positional: Written = [(None, template.mark(argument)) for argument in node.args]
    named = [(k.arg if k.arg is not None else "**", template.mark(k.value)) for k in node.keywords]
    return positional + named


def shim_call(
    ctx: ModuleContext, node: ast.Call, name: str, source: str, why: str = "", first: ast.expr | None = None
) -> Edit:
    """The call with another function, its arguments as they are."""
    template = Template()
    arguments: Written = [(None, template.mark(first))] if first is not None else []
    arguments += call_arguments(node, template)
    return Edit(
        node, "shim", "NPT150", source, why or "decided at run time", pieces=template.nodes, function=f"shim.{name}",
        arguments=arguments,
    )  # fmt: skip


def text_edit(node: ast.AST, outcome: Outcome, code: str, why: str, template: Template, text: str) -> Edit:
    """The edit that puts a text made with this template in a node's place."""
    return Edit(node, outcome, code, source_of(node), why, text=text, pieces=template.nodes)


def placeholder(index: int) -> str:
    """The placeholder text of the piece of that index."""
    return f"{PLACEHOLDER}{index}_"
