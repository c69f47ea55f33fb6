"""The attributes of its object that a method reads as arrays, and that its guard may be for: `self.x`.

Others may set them to anything, from outside. A guard only checks them: an array of another dtype in their place would
be seen by whoever holds the object.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from np2torch.facts import values as v
from np2torch.facts.bindings import single_bindings
from np2torch.facts.domain import supposing
from np2torch.facts.guards import GuardLine, behind
from np2torch.facts.interpreter.definitions import ClassDefinition, FunctionDefinition
from np2torch.facts.interpreter.reached_functions import reached_functions
from np2torch.names.tree import dotted_name, parameter_defaults, reads_any
from np2torch.names.tree import walk as tree_walk
from np2torch.rewrite.guards.axes import choices
from np2torch.rewrite.guards.candidates import is_method, is_used_as_array, may_be_number
from np2torch.rewrite.guards.texts import uses_of
from np2torch.rewrite.guards.worlds import facts_of, found_of, run_in
from np2torch.rules.site import ModuleContext

Function = ast.FunctionDef | ast.AsyncFunctionDef
MOST_HELD = 6
"""A guard of more attributes than this is no help to a reader."""
FACTORS = frozenset({1, 2})
"""The numbers of axes of factors of products."""
MOST_CALLS = 3
"""How deep calls of methods are followed from a constructor."""
FIXED = frozenset("__getattr__ __getattribute__ __setattr__ __slots__".split())
"""The members of a class whose attributes are not simply set."""


def held_attributes(ctx: ModuleContext, definition: FunctionDefinition) -> dict[str, v.Fact]:
    """Give the attributes that a method reads as arrays, and what they are behind a check.

    The class itself makes numbers or arrays of float64 of them, and anybody may set them to something else. Each is
    there when the method is called, since `__init__` sets it for certain.
    """
    node, class_ = definition.node, definition.owner
    assert not isinstance(node, ast.Lambda)
    if class_ is None or not is_method(ctx, node) or not definition.positional or not _is_plain(ctx, class_):
        return {}
    init = class_.find("__init__")
    if init is None or definition in reached_functions(ctx.engine, init):
        return {}
    chosen: dict[str, v.Fact] = {}
    for path, name in sorted(read_paths(definition).items()):
        made = _made_by_init(ctx, class_, name)
        if _is_double(made) and _is_open(class_.attribute(name)) and _is_read_first(ctx, node, path):
            if is_used_as_array(ctx, node, path) or _is_named(ctx, node, path):
                chosen[path] = _checked(ctx, node, path, v.join(made, class_.attribute(name)))
    return chosen if len(chosen) <= MOST_HELD else {}


def _is_named(ctx: ModuleContext, function: Function, path: str) -> bool:
    """Tell an attribute that is only given names, which are used as arrays are: `g = self.g`."""
    parents = [ctx.parents.get(one) for one in uses_of(function, path)]
    names = [parent.targets[0] for parent in parents if isinstance(parent, ast.Assign) and len(parent.targets) == 1]
    are_names = len(names) == len(parents) and all(isinstance(one, ast.Name) for one in names)
    return are_names and all(is_used_as_array(ctx, function, getattr(one, "id", "")) for one in names)


def _checked(ctx: ModuleContext, function: Function, path: str, fact: v.Fact) -> v.Fact:
    """Give the fact of an attribute after the check: a factor of products has axes, and a possible number stays one."""
    if v.known_to_include(fact, "number") and may_be_number(ctx, function, path):
        return v.join(v.array("float64"), v.FLOAT, v.INT)
    is_factor = any(ranks == FACTORS for _, several in choices(ctx, function, [path]) for ranks, _ in several)
    return v.array("float64", FACTORS if is_factor else None)


def given_attributes(ctx: ModuleContext, chosen: GuardLine, definition: FunctionDefinition) -> dict[str, v.Fact]:
    """Give the attributes that a constructor alone makes of parameters behind its guard, and what these are then."""
    class_ = definition.owner
    if class_ is None or definition.name != "__init__":
        return {}
    nodes = (one for below in _family(ctx, class_) for one in tree_walk(below.node))
    stores = Counter(one.attr for one in nodes if isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store))
    values: dict[str, ast.expr] = {}
    for statement in getattr(definition.node, "body", ()):
        for target, value in single_bindings(statement) if isinstance(statement, ast.Assign) else ():
            if isinstance(target, ast.Attribute) and stores[target.attr] == 1 and reads_any(value, chosen.names):
                values[target.attr] = value
    found = {name: behind(chosen, one.id, v.TOP) for name, one in values.items() if isinstance(one, ast.Name)}
    made = {name: value for name, value in values.items() if name not in found}
    return found | _made_behind(ctx, chosen, definition, made)


def _made_behind(
    ctx: ModuleContext, chosen: GuardLine, definition: FunctionDefinition, values: Mapping[str, ast.expr]
) -> dict[str, v.Fact]:  # fmt: skip
    """Give what a constructor makes of values behind its guard, where that is known: `self.x = np.asarray(x)`."""
    if not values:
        return {}
    asked, found = frozenset(values.values()), found_of(definition)
    with supposing():
        runs = [facts_of(run_in(ctx.engine, definition, found, world), asked) for world in chosen.worlds]
    made = {name: v.join(v.BOTTOM, *(run.get(value, v.TOP) for run in runs)) for name, value in values.items()}
    return {name: fact for name, fact in made.items() if fact and not v.known_to_include(fact, "unknown")}


def read_paths(definition: FunctionDefinition) -> dict[str, str]:
    """Give the attributes of its object that a method reads, by their paths: `self.x`."""
    owner = definition.positional[0] if definition.owner is not None and definition.positional else ""
    nodes = (one for one in tree_walk(definition.node) if isinstance(one, ast.Attribute))
    return {f"{owner}.{one.attr}": one.attr for one in nodes if owner and dotted_name(one.value) == owner}


def _family(ctx: ModuleContext, class_: ClassDefinition) -> list[ClassDefinition]:
    """A class, its bases in the project, and all that are made from these."""
    classes = [*class_.lineage()]
    for one in classes:
        classes += [heir for heir in ctx.engine.heirs.get(one, ()) if heir not in classes]
    return classes


def _is_plain(ctx: ModuleContext, class_: ClassDefinition) -> bool:
    """Tell whether its objects, and those of classes made from it, take what is stored as it is."""
    classes = _family(ctx, class_)
    names = {name for one in classes for name in (*one.methods, *one.attributes)}
    return not names & FIXED and not any(one.node.decorator_list or one.is_ndarray() for one in classes)


def _made_by_init(ctx: ModuleContext, class_: ClassDefinition, name: str) -> v.Fact:
    """Give what `__init__` makes of a plain attribute, whatever it is passed; nothing where it may make none."""
    if class_.find(name) is not None or class_.getter(name) is not None:
        return v.BOTTOM
    inits = [one.methods["__init__"] for one in class_.lineage() if "__init__" in one.methods]
    statements = (one for made in inits for one in _certain_statements(ctx, class_, made))
    bound = (pair for one in statements if isinstance(one, ast.Assign) for pair in single_bindings(one))
    values = (value for target, value in bound if isinstance(target, ast.Attribute) and target.attr == name)
    return v.join(v.BOTTOM, *(_unobserved(ctx, inits, one) for one in values))


def _unobserved(ctx: ModuleContext, inits: Sequence[FunctionDefinition], value: ast.expr) -> v.Fact:
    """Give what a constructor makes of a value, without what callers were seen to pass to an open one."""
    fact = ctx.engine.facts.get(value, v.TOP)
    init = next((one for one in inits if one.node is ctx.function(value)), None)
    if init is None or init.node not in ctx.engine.open or not v.known_to_include(fact, "unknown"):
        return fact
    if not isinstance(value, ast.Name) or value.id not in init.parameters:
        return v.TOP if reads_any(value, init.parameters) else fact
    assert not isinstance(init.node, ast.Lambda)
    defaults = dict(parameter_defaults(init.node.args))
    return v.join(v.TOP, ctx.engine.facts.get(defaults[value.id], v.TOP)) if value.id in defaults else v.TOP


def _certain_statements(
    ctx: ModuleContext, class_: ClassDefinition, method: FunctionDefinition, depth: int = 0
) -> Iterator[ast.stmt]:
    """Yield the statements that a method runs in any case, with those of methods that it calls: `self.reset()`."""
    owner = method.positional[0] if method.positional else ""
    for statement in getattr(method.node, "body", ()):
        yield statement
        match statement:
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=called))) if name == owner:
                several = {one.methods[called] for one in _family(ctx, class_) if called in one.methods}
                for only in several if len(several) == 1 and depth < MOST_CALLS else ():
                    yield from _certain_statements(ctx, class_, only, depth + 1)


def _is_open(fact: v.Fact) -> bool:
    """Tell whether a fact is only arrays and numbers, with an array of more than one possible dtype."""
    dtypes = v.dtypes_of(v.keep(fact, lambda atom: atom.kind in ("array", "scalar", "unknown")))
    fits = v.only(fact, "array", "scalar", "number", "unknown") and v.may(fact, "array", "scalar")
    return fits and (dtypes is None or len(dtypes) > 1)


def _is_double(made: v.Fact) -> bool:
    """Tell arrays of float64, and numbers with a point."""
    known = v.keep(made, lambda atom: atom.kind != "unknown")
    arrays = v.keep(known, lambda atom: atom.kind != "number")
    numbers = {atom.type for atom in known if isinstance(atom, v.Num)}
    is_double = not arrays or v.only(arrays, "array", "scalar") and v.dtypes_of(arrays) == frozenset({"float64"})
    return is_double and "complex" not in numbers and (bool(arrays) or "float" in numbers)


def _is_read_first(ctx: ModuleContext, function: ast.AST, path: str) -> bool:
    """Tell whether the function reads it before it stores it, and itself."""
    uses = uses_of(function, path)
    if any(ctx.function(one) is not function for one in uses):
        return False
    first = min(uses, key=lambda one: (one.lineno, isinstance(one.ctx, ast.Store)))
    return isinstance(first.ctx, ast.Load)
