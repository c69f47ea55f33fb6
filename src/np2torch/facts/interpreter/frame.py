"""One run of one body: an environment, and the statements that change it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from np2torch.facts import evidence
from np2torch.facts import values as v
from np2torch.facts.interpreter import expressions, imports
from np2torch.facts.interpreter.definitions import ClassDefinition, Env, FunctionDefinition, ModuleInfo
from np2torch.names.tree import walk as tree_walk

if TYPE_CHECKING:
    from np2torch.facts.interpreter.engine import Engine

MOST_PASSES = 4


class Frame:
    """The state of one run of a module, class or function body."""

    def __init__(
        self, engine: Engine, module: ModuleInfo, closure: Frame | None, function: FunctionDefinition | None = None
    ) -> None:
        self.engine = engine
        self.module = module
        self.closure = closure
        self.function = function
        self.env: Env = {}
        self.returned: v.Fact = v.BOTTOM
        self.yielded: v.Fact | None = None
        self.alive = True
        self.globals: set[str] = set()
        self.nonlocals: set[str] = set()
        self.impossible = False

    # --------------------------------------------------------------------------------------------- names
    def lookup(self, name: str) -> v.Fact | None:
        """What a name may be here; None when nothing in the project binds it."""
        frame: Frame | None = self
        while frame is not None:
            if name in frame.env and name not in frame.globals:
                return frame.env[name]
            frame = frame.closure
        return self.module.env.get(name)

    def bind(self, name: str, fact: v.Fact) -> None:
        """Assign a name."""
        if name in self.globals:
            self.engine.set_global(self.module, name, v.widen(fact))
        elif name in self.nonlocals and self.closure is not None:
            self.closure.env[name] = v.join(self.closure.env.get(name, v.BOTTOM), fact)
        else:
            self.env[name] = fact
            if "." not in name:
                for dotted in [key for key in self.env if key.startswith(name + ".")]:
                    del self.env[dotted]

    def eval(self, node: ast.expr) -> v.Fact:
        """The fact of an expression, recorded."""
        fact = expressions.EVALUATE[type(node)](self, node)
        facts = self.engine.facts
        old = facts.get(node)
        facts[node] = fact if old is None or old == fact else v.join(old, fact)
        return fact

    # ---------------------------------------------------------------------------------------- statements
    def block(self, body: Iterable[ast.stmt]) -> None:
        """Run statements until one ends the flow; the rest is still looked at, so that nothing is left unseen."""
        ended = False
        for statement in body:
            handler = STATEMENTS.get(type(statement))
            if handler is not None:
                handler(self, statement)
            ended = ended or not self.alive
            self.alive = True
        self.alive = not ended

    def branches(self, *paths: Callable[[], None]) -> None:
        """Run alternatives from the same state and join the states of those that go on."""
        start = self.env
        ends: list[Env] = []
        for path in paths:
            self.env = dict(start)
            self.alive = True
            path()
            if self.alive:
                ends.append(self.env)
        self.alive = bool(ends)
        self.env = start if not ends else merge(ends)
        if not ends:
            self.env = dict(start)

    def loop(self, once: Callable[[], None]) -> None:
        """Run a loop body until the state is stable, widening from the second pass."""
        for number in range(MOST_PASSES):
            before = self.env
            self.env = dict(before)
            once()
            self.alive = True
            after = merge([before, self.env])
            if number >= 1:
                after = {name: v.widen(fact) for name, fact in after.items()}
            self.env = after
            if after == before:
                break

    def assign(self, target: ast.expr, fact: v.Fact) -> None:
        """Bind a target of any shape."""
        if isinstance(target, ast.Name):
            self.bind(target.id, fact)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self.unpack(target.elts, fact)
        elif isinstance(target, ast.Starred):
            self.assign(target.value, fact)
        elif isinstance(target, ast.Attribute):
            owner = self.eval(target.value)
            for atom in owner:
                if isinstance(atom, v.Instance):
                    self.engine.set_attribute(atom.definition, target.attr, fact)
                elif isinstance(atom, v.Class):
                    self.engine.set_attribute(atom.definition, target.attr, fact)
            if (key := dotted(target)) is not None:
                self.env[key] = fact
        elif isinstance(target, ast.Subscript):
            owner = self.eval(target.value)
            index = self.eval(target.slice)
            for atom in owner:
                if isinstance(atom, v.Sequence) and atom.site:
                    self.engine.add_element(atom.site, fact)
                elif isinstance(atom, v.Mapping):
                    self.engine.add_element(atom.site, fact, v.constant(index))
        self.escape(fact, target)

    def escape(self, fact: v.Fact, target: ast.expr) -> None:
        """A function stored where calls cannot be followed may be called with anything."""
        if not isinstance(target, ast.Name):
            for atom in fact:
                if isinstance(atom, v.Function):
                    atom.definition.escaped = True

    def unpack(self, targets: list[ast.expr], fact: v.Fact) -> None:
        """Bind several targets to the items of a value."""
        star = next((i for i, t in enumerate(targets) if isinstance(t, ast.Starred)), None)
        for index, target in enumerate(targets):
            if star is not None and index >= star:
                item = expressions.iterate(self, fact)
                if index == star:
                    item = v.one(v.Sequence("list", None, item, site=id(target)))
            else:
                parts = []
                for atom in fact:
                    items = atom.items if isinstance(atom, v.Sequence) else None
                    if items is not None and (len(items) == len(targets) or star is not None and index < len(items)):
                        parts.append(items[index])
                    else:
                        parts.append(expressions.iterate(self, v.one(atom)))
                item = v.join(*parts) if parts else v.BOTTOM
            self.assign(target, item)


def merge(envs: list[Env]) -> Env:
    """Join environments; a name missing in one keeps what the others say."""
    if len(envs) == 1:
        return envs[0]
    out = dict(envs[0])
    for env in envs[1:]:
        for name, fact in env.items():
            old = out.get(name)
            if old is None:
                if "." not in name:
                    out[name] = fact
            elif old is not fact and old != fact:
                out[name] = v.join(old, fact)
        for name in [n for n in out if "." in n and n not in env]:
            del out[name]
    return out


def dotted(node: ast.expr) -> str | None:
    """`self.x.y` as text; None for anything that is no chain of names."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    return ".".join([node.id, *reversed(parts)])


# --------------------------------------------------------------------------------------------- statements
def _expression(frame: Frame, node: ast.Expr) -> None:
    frame.eval(node.value)


def _assign(frame: Frame, node: ast.Assign) -> None:
    fact = frame.eval(node.value)
    if node.type_comment and "ndarray" in node.type_comment and fact == v.UNKNOWN:
        fact = v.ARRAY
    for target in node.targets:
        frame.assign(target, fact)


def _annotated(frame: Frame, node: ast.AnnAssign) -> None:
    frame.eval(node.annotation)
    stated = evidence.of_annotation(node.annotation)
    if node.value is not None:
        fact = frame.eval(node.value)
        frame.assign(node.target, stated if fact == v.UNKNOWN and stated else fact)
    elif isinstance(node.target, ast.Name):
        frame.env.setdefault(node.target.id, stated or v.UNKNOWN)


def _augmented(frame: Frame, node: ast.AugAssign) -> None:
    left = frame.eval(_as_load(node.target))
    right = frame.eval(node.value)
    result = expressions.operate(frame, type(node.op), left, right)
    if isinstance(node.target, ast.Subscript):
        return
    arrays = v.keep(left, lambda atom: isinstance(atom, (v.Array, v.Foreign)))
    if arrays:  # in place: dtype and rank stay
        rest = left - arrays
        result = v.join(arrays, expressions.operate(frame, type(node.op), rest, right)) if rest else arrays
    elif isinstance(node.op, ast.Add):
        for atom in left:
            if isinstance(atom, v.Sequence) and atom.type == "list":
                frame.engine.add_element(atom.site, expressions.iterate(frame, right))
    frame.assign(node.target, result)


def _as_load(target: ast.expr) -> ast.expr:
    return target


def _function(frame: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    definition = define_function(frame, node)
    fact: v.Fact = v.one(v.Function(definition))
    for decorator in reversed(node.decorator_list):
        made = frame.eval(decorator)
        plain = decorator.func if isinstance(decorator, ast.Call) else decorator
        text = ast.unparse(plain)
        if v.known_to_include(made, "function"):  # a project decorator: assume it keeps the signature
            definition.escaped = True
        elif text.endswith("vectorize"):
            definition.escaped = True
            fact = v.UNKNOWN
    frame.bind(node.name, fact)


def define_function(frame: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> FunctionDefinition:
    """The definition of a function met in this frame, its defaults evaluated here."""
    enclosing = frame if frame.function is not None else frame.closure
    definition = frame.engine.function(node, frame.module, enclosing)
    arguments = node.args
    positional = arguments.posonlyargs + arguments.args
    for parameter, default in zip(reversed(positional), reversed(arguments.defaults), strict=False):
        definition.defaults[parameter.arg] = frame.eval(default)
    for parameter, kw_default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if kw_default is not None:
            definition.defaults[parameter.arg] = frame.eval(kw_default)
    if not isinstance(node, ast.Lambda):
        every = positional + arguments.kwonlyargs + [a for a in (arguments.vararg, arguments.kwarg) if a]
        for note in [p.annotation for p in every] + [node.returns]:
            if note is not None:
                frame.eval(note)
    return definition


def _class(frame: Frame, node: ast.ClassDef) -> None:
    engine = frame.engine
    definition = engine.classes.get(node)
    fresh = definition is None
    if definition is None:
        definition = engine.classes[node] = ClassDefinition(node, frame.module)
        frame.module.classes.append(definition)
    for base in node.bases:
        for atom in frame.eval(base):
            if isinstance(atom, v.Class):
                if fresh and atom.definition is not definition:
                    definition.bases.append(atom.definition)
            elif isinstance(atom, v.Numpy) and atom.name in ("numpy.ndarray", "numpy.matrix", "numpy.recarray"):
                definition.is_array = True
            else:
                definition.opaque_base = True
    for decorator in node.decorator_list:
        frame.eval(decorator)
    for keyword in node.keywords:
        frame.eval(keyword.value)
    frame.bind(node.name, v.one(v.Class(definition)))
    body = Frame(engine, frame.module, frame if frame.function is not None else None)
    for statement in node.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            method = define_function(body, statement)
            method.owner = definition
            if not any(d.endswith((".setter", ".deleter")) for d in method.decorators):
                definition.methods[statement.name] = method
            for decorator in statement.decorator_list:
                if not isinstance(decorator, ast.Attribute) or decorator.attr not in ("setter", "deleter", "getter"):
                    body.eval(decorator)
            body.bind(statement.name, v.one(v.Function(method)))
        else:
            body.block([statement])
    for name, fact in body.env.items():
        if name not in definition.methods and "." not in name:
            engine.set_attribute(definition, name, fact)


def _return(frame: Frame, node: ast.Return) -> None:
    fact = frame.eval(node.value) if node.value is not None else v.NONE
    frame.returned = v.join(frame.returned, fact)
    frame.alive = False


def _if(frame: Frame, node: ast.If) -> None:
    frame.eval(node.test)

    def path(body: list[ast.stmt], truth: bool) -> Callable[[], None]:
        def run() -> None:
            frame.impossible = False
            narrow(frame, node.test, truth)
            dead, frame.impossible = frame.impossible, False
            frame.block(body)
            frame.alive = frame.alive and not dead  # looked at, but what it leaves behind never happens

        return run

    frame.branches(path(node.body, True), path(node.orelse, False))


def _for(frame: Frame, node: ast.For | ast.AsyncFor) -> None:
    item = expressions.iterate(frame, frame.eval(node.iter))

    def once() -> None:
        frame.assign(node.target, item)
        frame.block(node.body)

    frame.loop(once)
    frame.block(node.orelse)


def _while(frame: Frame, node: ast.While) -> None:
    def once() -> None:
        frame.eval(node.test)
        frame.block(node.body)

    frame.loop(once)
    frame.block(node.orelse)


def _with(frame: Frame, node: ast.With | ast.AsyncWith) -> None:
    for item in node.items:
        fact = frame.eval(item.context_expr)
        if item.optional_vars is not None:
            frame.assign(item.optional_vars, fact)
    frame.block(node.body)


def _try(frame: Frame, node: ast.Try) -> None:
    start = dict(frame.env)

    def body() -> None:
        frame.block(node.body)
        if frame.alive:
            frame.block(node.orelse)

    def handler(clause: ast.ExceptHandler) -> Callable[[], None]:
        def run() -> None:
            frame.env = merge([dict(start), after_body])
            if clause.type is not None:
                frame.eval(clause.type)
            if clause.name:
                frame.env[clause.name] = v.OPAQUE
            frame.block(clause.body)

        return run

    frame.env = dict(start)
    frame.block(node.body)
    after_body = frame.env
    frame.env = start
    frame.branches(body, *(handler(clause) for clause in node.handlers))
    alive = frame.alive
    frame.block(node.finalbody)
    frame.alive = frame.alive and alive


def _match(frame: Frame, node: ast.Match) -> None:
    frame.eval(node.subject)

    def path(case: ast.match_case) -> Callable[[], None]:
        def run() -> None:
            for child in tree_walk(case.pattern):
                if isinstance(child, (ast.MatchAs, ast.MatchStar)) and child.name:
                    frame.env[child.name] = v.UNKNOWN
            if case.guard is not None:
                frame.eval(case.guard)
            frame.block(case.body)

        return run

    frame.branches(*(path(case) for case in node.cases), lambda: None)


def _ends(frame: Frame, node: ast.Raise) -> None:
    for child in (node.exc, node.cause):
        if child is not None:
            frame.eval(child)
    frame.alive = False


def _assert(frame: Frame, node: ast.Assert) -> None:
    frame.eval(node.test)
    if node.msg is not None:
        frame.eval(node.msg)
    narrow(frame, node.test, True)


def _delete(frame: Frame, node: ast.Delete) -> None:
    for target in node.targets:
        if not isinstance(target, ast.Name):
            frame.eval(target)


def _global(frame: Frame, node: ast.Global) -> None:
    frame.globals.update(node.names)


def _nonlocal(frame: Frame, node: ast.Nonlocal) -> None:
    frame.nonlocals.update(node.names)


STATEMENTS: dict[type, Callable[[Frame, ast.stmt], None]] = {
    ast.Expr: _expression, ast.Assign: _assign, ast.AnnAssign: _annotated, ast.AugAssign: _augmented,
    ast.FunctionDef: _function, ast.AsyncFunctionDef: _function, ast.ClassDef: _class, ast.Return: _return,
    ast.If: _if, ast.For: _for, ast.AsyncFor: _for, ast.While: _while, ast.With: _with, ast.AsyncWith: _with,
    ast.Try: _try, ast.TryStar: _try, ast.Match: _match, ast.Raise: _ends, ast.Assert: _assert, ast.Delete: _delete,
    ast.Global: _global, ast.Nonlocal: _nonlocal, ast.Import: imports.plain, ast.ImportFrom: imports.from_module,
}  # type: ignore[dict-item]  # fmt: skip


# ----------------------------------------------------------------------------------------------- narrowing
def only_none_or_known(fact: v.Fact) -> bool:
    """Is every alternative known, so that a test that leaves none is never taken?"""
    return bool(fact) and not any(isinstance(atom, v.Anything) for atom in fact)


def narrow(frame: Frame, test: ast.expr, truth: bool) -> None:
    """Use what a condition says of names: `is None`, `isinstance`, `not`, `and`."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        narrow(frame, test.operand, not truth)
    elif isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And if truth else ast.Or):
        for value in test.values:
            narrow(frame, value, truth)
    elif isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], (ast.Is, ast.IsNot)):
        right = test.comparators[0]
        key = dotted(test.left)
        if key and isinstance(right, ast.Constant) and right.value is None:
            is_none = isinstance(test.ops[0], ast.Is) == truth
            fact = frame.engine.facts.get(test.left, v.UNKNOWN)
            kept = v.keep(fact, lambda atom: (atom.kind == "none") == is_none or atom.kind == "unknown" and not is_none)
            if not kept and is_none != (fact == v.NONE) and only_none_or_known(fact):
                frame.impossible = True
            frame.env[key] = v.NONE if is_none else kept or fact
    elif isinstance(test, ast.Call) and isinstance(test.func, ast.Name) and test.func.id == "isinstance":
        if len(test.args) == 2 and (key := dotted(test.args[0])):
            _narrow_isinstance(frame, key, test.args[0], test.args[1], truth)


def _narrow_isinstance(frame: Frame, key: str, node: ast.expr, types: ast.expr, truth: bool) -> None:
    fact = frame.engine.facts.get(node, v.UNKNOWN)
    wanted = types.elts if isinstance(types, ast.Tuple) else [types]
    named = [ast.unparse(t).split(".")[-1] for t in wanted]
    if named == ["ndarray"]:
        if truth:
            arrays = v.keep(fact, lambda atom: atom.kind in ("array", "foreign"))
            frame.env[key] = arrays or (v.ARRAY if v.may(fact, "array") else fact)
        else:
            frame.env[key] = v.keep(fact, lambda atom: atom.kind != "array") or fact
    elif all(name in ("list", "tuple", "str", "dict") for name in named):
        of = {"list": "sequence", "tuple": "sequence", "str": "text", "dict": "mapping"}
        if truth:
            kept = v.keep(fact, lambda atom: atom.kind in {of[name] for name in named})
            if kept or named == ["str"]:
                frame.env[key] = kept or v.TEXT
        else:
            gone = {of[name] for name in named}
            sequences = {name for name in named if of[name] == "sequence"}
            frame.env[key] = v.keep(fact, lambda a: a.kind not in gone or (isinstance(a, v.Sequence) and a.type not in sequences)) or fact
