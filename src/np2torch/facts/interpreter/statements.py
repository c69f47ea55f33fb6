"""Transfer functions of statements: their effect on the state of a frame, by kind of node."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from np2torch.facts import evidence
from np2torch.facts import values as v
from np2torch.facts.annotations import of_annotation
from np2torch.facts.domain import DOMAIN
from np2torch.facts.dtypes import INEXACT
from np2torch.facts.interpreter import (
    fields,
    flow,
    imports,
    inherited_evidence,
    postconditions,
    unknown_objects,
)
from np2torch.facts.interpreter.decorators import effect, keeps_function
from np2torch.facts.interpreter.definitions import ClassDefinition
from np2torch.facts.interpreter.iteration import iterate
from np2torch.facts.interpreter.narrowing import narrow
from np2torch.facts.interpreter.operators import SPECIAL, operate, special
from np2torch.facts.interpreter.raising_calls import expects_error, last_call
from np2torch.facts.interpreter.reflection import names_written_out
from np2torch.facts.interpreter.stable_order import in_order
from np2torch.facts.libraries import calls_back
from np2torch.facts.ndarray_subclasses import is_one
from np2torch.facts.stdlib import called_by_base
from np2torch.names.optional import without_numpy
from np2torch.names.tree import dotted_name
from np2torch.names.tree import walk as tree_walk

if TYPE_CHECKING:
    from np2torch.facts.interpreter.protocols import Frame


def _expression(frame: Frame, node: ast.Expr) -> None:
    frame.eval(node.value)


def _assign(frame: Frame, node: ast.Assign) -> None:
    fact = frame.eval(node.value)
    postconditions.settle(frame, node)
    for target in node.targets:
        frame.assign(target, fact)
    unknown_objects.note_stores(frame, node)


def _annotated(frame: Frame, node: ast.AnnAssign) -> None:
    frame.eval(node.annotation)
    stated = of_annotation(node.annotation, frame.module.type_names)
    if node.value is not None:
        fact = frame.eval(node.value)
        frame.assign(node.target, evidence.fill_unknown(fact, stated) if stated else fact)
        unknown_objects.note_stores(frame, node)
    elif isinstance(node.target, ast.Attribute):
        if stated is not None:
            frame.assign(node.target, stated)
    elif isinstance(node.target, ast.Name):
        frame.env.setdefault(node.target.id, stated or v.TOP)


def _augmented(frame: Frame, node: ast.AugAssign) -> None:
    left = frame.eval(node.target)
    right = frame.eval(node.value)
    unknown_objects.note_stores(frame, node)
    in_place = SPECIAL[type(node.op)][0].replace("__", "__i", 1)
    own = v.keep(left, lambda atom: isinstance(atom, v.Instance) and atom.definition.find(in_place) is not None)
    made = special(frame, own, in_place, right)
    if made is not None:
        left -= own
    result = v.join(made or v.BOTTOM, operate(frame, type(node.op), left, right) if left or not made else v.BOTTOM)
    if isinstance(node.target, ast.Subscript):
        if v.known_to_include(frame.facts.get(node.target.value, v.BOTTOM), "instance", "sequence", "mapping"):
            frame.assign(node.target, result)
        return
    arrays = v.keep(left, lambda atom: isinstance(atom, (v.Array, v.Foreign)) or is_one(atom))
    if arrays:  # in place: dtype and rank stay
        if isinstance(node.op, ast.Div):
            arrays = _divisible(arrays)
        rest = left - arrays
        result = v.join(arrays, operate(frame, type(node.op), rest, right)) if rest else arrays
    elif isinstance(node.op, ast.Add):
        for atom in left:
            if isinstance(atom, v.Sequence) and atom.type == "list":
                frame.engine.add_element(atom.site, iterate(frame, right))
    frame.assign(node.target, result)


def _divisible(arrays: v.Fact) -> v.Fact:
    """Divide in place: NumPy and torch refuse integers and bools alike."""
    able = DOMAIN.unknown & INEXACT
    return frozenset(
        atom._replace(dtypes=able if atom.dtypes is None else atom.dtypes & INEXACT or atom.dtypes)
        if isinstance(atom, v.Array) else atom
        for atom in arrays
    )  # fmt: skip


def _function(frame: Frame, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    definition = frame.define(node)
    fact: v.Fact = v.one(v.Function(definition, None, definition.closure))
    for decorator in reversed(node.decorator_list):
        made = frame.eval(decorator)
        plain = decorator.func if isinstance(decorator, ast.Call) else decorator
        text = ast.unparse(plain)
        definition.take_effect(effect(made))
        if keeps_function(made):
            definition.escape()
        elif text.endswith("vectorize"):
            definition.escape()
            fact = v.TOP
    frame.bind(node.name, fact)


def _class(frame: Frame, node: ast.ClassDef) -> None:
    engine = frame.engine
    definition = engine.classes.get(node)
    fresh = definition is None
    said: dict[str, evidence.Evidence] = {}
    if definition is None:
        definition = engine.classes[node] = ClassDefinition(node, frame.module)
        frame.module.classes.append(definition)
        said, stated = evidence.of_class(node, frame.module.stated, frame.module.type_names)
        frame.module.stated.update(stated)
    for base in node.bases:
        for atom in in_order(frame.eval(base)):
            _derive(definition, atom, fresh)
        for atom in frame.eval(base.value if isinstance(base, ast.Subscript) else base):  # `MutableSet[float]`
            if isinstance(atom, (v.Opaque, v.Builtin)):
                definition.add_called(called_by_base(getattr(atom, "origin", getattr(atom, "name", ""))))
    if node.name in engine.kept_arrays:
        definition.keep()
    if fresh:
        for above in definition.lineage()[1:]:
            engine.heirs[above].append(definition)
            above.heirs.append(definition)
    for value in (*node.decorator_list, *(keyword.value for keyword in node.keywords)):
        frame.eval(value)
    frame.bind(node.name, v.one(v.Class(definition)))
    body = frame.inner()
    for statement in node.body:
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
            _define_method(body, definition, statement, fresh, said)
        elif isinstance(statement, ast.AnnAssign) and statement.value is None:
            _declare_field(frame, definition, statement)
        else:
            flow.block(body, [statement])
            _make_property(body, definition, statement)
    _set_class_attributes(frame, definition, body)
    fields.fill_unseen(frame, definition)


def _derive(definition: ClassDefinition, base: v.Atom, fresh: bool) -> None:
    """Add what a class has by deriving from this base."""
    if isinstance(base, v.Class):
        if fresh and base.definition is not definition:
            definition.bases.append(base.definition)
    elif isinstance(base, v.Numpy) and base.name in ("numpy.ndarray", "numpy.matrix", "numpy.recarray"):
        definition.derive_ndarray(kept=base.name != "numpy.ndarray")
    elif base != v.Builtin("object"):
        origin = base.origin if isinstance(base, v.Opaque) else ""
        definition.derive_unseen(is_enum=origin.startswith("enum."), is_called_back=bool(origin) and calls_back(origin))


def _define_method(
    body: Frame, definition: ClassDefinition, node: ast.FunctionDef | ast.AsyncFunctionDef, fresh: bool,
    said: Mapping[str, evidence.Evidence],
) -> None:  # fmt: skip
    """Define a method; of its class `said` is what people say of the parameters of `__init__`."""
    method, name = body.define(node), node.name
    is_hook = name.startswith("_") and not name.startswith("__")  # of a base that calls the methods of its heirs
    more = said if name == "__init__" else inherited_evidence.of_method(definition, method)
    method.belong_to(definition, evidence.merge_evidence(method.evidence, more) if fresh else None)
    if any(name in one.called_by_base or is_hook and one.is_called_back for one in definition.lineage()):
        method.escape()
    if any(d.endswith(".setter") for d in method.decorators):
        definition.setters[name] = method
    elif not any(d.endswith(".deleter") for d in method.decorators):
        definition.methods[name] = method
        if fresh:
            body.engine.methods[name].append(definition)
    for decorator in node.decorator_list:
        if not isinstance(decorator, ast.Attribute) or decorator.attr not in ("setter", "deleter", "getter"):
            method.take_effect(effect(body.eval(decorator)))
    body.bind(name, v.one(v.Function(method, None, method.closure)))


def _declare_field(frame: Frame, definition: ClassDefinition, node: ast.AnnAssign) -> None:
    """Note a field that is not set yet."""
    said = of_annotation(node.annotation, frame.module.type_names)
    if isinstance(node.target, ast.Name) and said is not None:
        definition.declared[node.target.id] = said
    frame.eval(node.annotation)


def _set_class_attributes(frame: Frame, definition: ClassDefinition, body: Frame) -> None:
    """Set what the body of a class binds beside methods."""
    for name, fact in body.env.items():
        if name not in definition.methods and name not in definition.getters and "." not in name:
            frame.engine.set_attribute(definition, name, fact, frame)
            for atom in fact:
                if isinstance(atom, v.Function):  # `type(self).f(x)` calls it too
                    atom.definition.escape()


def _make_property(frame: Frame, definition: ClassDefinition, statement: ast.stmt) -> None:
    """`x = property(_get_x, _set_x)`: reading and setting it calls these."""
    value = statement.value if isinstance(statement, ast.Assign) else None
    if not isinstance(value, ast.Call) or frame.facts.get(value.func) != v.one(v.Builtin("property")):
        return
    named = {keyword.arg: keyword.value for keyword in value.keywords}
    given = dict(zip(("fget", "fset"), value.args, strict=False)) | named
    parts = {name: v.sole(frame.facts.get(node, v.BOTTOM)) for name, node in given.items()}
    for target in statement.targets if isinstance(statement, ast.Assign) else ():
        for name, held in (("fget", definition.getters), ("fset", definition.setters)):
            if isinstance(target, ast.Name) and isinstance(atom := parts.get(name), v.Function):
                held[target.id] = atom.definition


def _return(frame: Frame, node: ast.Return) -> None:
    fact = frame.eval(node.value) if node.value is not None else v.NONE
    if frame.function is not None and (stated := frame.function.evidence.get(evidence.RETURN)) is not None:
        fact = stated.settle(fact)  # each by itself: of what is joined less is known to fill in
    frame.give(fact)
    postconditions.note(frame)
    frame.stop()


def _if(frame: Frame, node: ast.If) -> None:
    frame.eval(node.test)

    def path(body: list[ast.stmt], truth: bool) -> Callable[[], None]:
        def run() -> None:
            if narrow(frame, node.test, truth):
                flow.block(frame, body)
            else:
                flow.look_at_unreached(frame, lambda: flow.block(frame, body))
                frame.stop()

        return run

    flow.branches(frame, path(node.body, True), path(node.orelse, False))


def _for(frame: Frame, node: ast.For | ast.AsyncFor) -> None:
    fact = frame.eval(node.iter)

    def once(item: v.Fact) -> None:
        frame.assign(node.target, item)
        flow.block(frame, node.body)

    names = names_written_out(node, fact)
    if names is not None:
        flow.each(frame, names, once)
    else:
        item = iterate(frame, fact)
        flow.loop(frame, node, lambda: once(item))
    flow.otherwise(frame, node)


def _while(frame: Frame, node: ast.While) -> None:
    def once() -> None:
        frame.eval(node.test)
        flow.block(frame, node.body)

    flow.loop(frame, node, once)
    flow.otherwise(frame, node)


def _with(frame: Frame, node: ast.With | ast.AsyncWith) -> None:
    for item in node.items:
        fact = frame.eval(item.context_expr)
        if item.optional_vars is not None:
            frame.assign(item.optional_vars, special(frame, fact, "__enter__") or fact)
    expected = any(expects_error(item.context_expr) for item in node.items)
    if expected:
        frame.expect_error_of(last_call(node.body))
    state = flow.run_stoppable(frame, lambda: flow.block(frame, node.body))
    if expected or any(_suppresses(item.context_expr) for item in node.items):
        frame.enter(state)
        frame.resume()
    elif not frame.alive:
        frame.note_left_with()


def _suppresses(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and dotted_name(node.func) in ("suppress", "contextlib.suppress")


def _try(frame: Frame, node: ast.Try) -> None:
    if not node.finalbody:
        _attempt(frame, node)
        return
    state = flow.run_stoppable(frame, lambda: _attempt(frame, node))
    after, is_alive = frame.env, frame.alive
    frame.enter(state)  # it is also run on the way out
    flow.block(frame, node.finalbody)
    ends = not frame.alive
    frame.enter(after)
    if is_alive:
        flow.block(frame, node.finalbody)
    frame.resume(is_alive and not ends)


def _attempt(frame: Frame, node: ast.Try) -> None:
    """A `try` without its `finally`."""
    start = frame.env
    frame.enter(dict(start))
    state = flow.run_stoppable(frame, lambda: flow.block(frame, node.body))
    after_body, ended_well = frame.env, frame.alive
    frame.enter(start)
    frame.resume()

    def body() -> None:
        frame.enter(dict(after_body))
        frame.resume(ended_well)
        if frame.alive:
            flow.block(frame, node.orelse)

    def handler(clause: ast.ExceptHandler) -> Callable[[], None]:
        def run() -> None:
            frame.enter(dict(state))
            if clause.type is not None:
                frame.eval(clause.type)
            if clause.name:
                frame.env[clause.name] = v.OPAQUE
            flow.block(frame, clause.body)

        return run

    dead = without_numpy(node)
    flow.branches(frame, body, *(handler(clause) for clause in node.handlers if clause not in dead))


def _match(frame: Frame, node: ast.Match) -> None:
    frame.eval(node.subject)

    def path(case: ast.match_case) -> Callable[[], None]:
        def run() -> None:
            for child in tree_walk(case.pattern):
                if isinstance(child, (ast.MatchAs, ast.MatchStar)) and child.name:
                    frame.env[child.name] = v.TOP
                elif isinstance(child, ast.MatchClass):
                    frame.eval(child.cls)
            if case.guard is not None:
                frame.eval(case.guard)
            flow.block(frame, case.body)

        return run

    flow.branches(frame, *(path(case) for case in node.cases), lambda: None)


def _raise(frame: Frame, node: ast.Raise) -> None:
    for child in (node.exc, node.cause):
        if child is not None:
            frame.eval(child)
    frame.stop()


def _leaves_pass(frame: Frame, node: ast.Break | ast.Continue) -> None:
    flow.leave(frame)


def _assert(frame: Frame, node: ast.Assert) -> None:
    frame.eval(node.test)
    if node.msg is not None:
        frame.eval(node.msg)
    narrow(frame, node.test, True)


def _delete(frame: Frame, node: ast.Delete) -> None:
    for target in node.targets:
        if not isinstance(target, ast.Name):
            frame.eval(target)
        if isinstance(target, ast.Subscript):
            frame.shorten(frame.facts.get(target.value, v.BOTTOM))


def _global(frame: Frame, node: ast.Global) -> None:
    frame.globals.update(node.names)


def _nonlocal(frame: Frame, node: ast.Nonlocal) -> None:
    frame.nonlocals.update(node.names)


STATEMENTS: dict[type, Callable[[Frame, Any], None]] = {
    ast.Expr: _expression, ast.Assign: _assign, ast.AnnAssign: _annotated, ast.AugAssign: _augmented,
    ast.FunctionDef: _function, ast.AsyncFunctionDef: _function, ast.ClassDef: _class, ast.Return: _return,
    ast.If: _if, ast.For: _for, ast.AsyncFor: _for, ast.While: _while, ast.With: _with, ast.AsyncWith: _with,
    ast.Try: _try, ast.TryStar: _try, ast.Match: _match, ast.Raise: _raise,
    ast.Break: _leaves_pass, ast.Continue: _leaves_pass, ast.Assert: _assert, ast.Delete: _delete,
    ast.Global: _global, ast.Nonlocal: _nonlocal, ast.Import: imports.plain, ast.ImportFrom: imports.from_module,
}  # fmt: skip
"""The transfer function of each kind of statement."""
