"""Errors and warnings that code expects of NumPy: torch raises RuntimeError for ValueError, and warns of nothing."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator

from np2torch.facts import values as v
from np2torch.facts.interpreter.definitions import FunctionDefinition
from np2torch.facts.interpreter.fixpoint import Interpreter
from np2torch.facts.interpreter.reached_functions import reached_functions
from np2torch.facts.libraries import library
from np2torch.names.tree import called_name, dotted_name
from np2torch.names.tree import walk as tree_walk
from np2torch.rules.handlers import Phase, on
from np2torch.rules.rule_arguments import Template
from np2torch.rules.site import Edit, ModuleContext, source_of, text_edit

EXPECTING = frozenset({"raises", "assertRaises", "assert_raises", "suppress"})
"""Functions of pytest, unittest, numpy.testing and contextlib whose first argument is the class of an error."""
WARNING = frozenset({"warns", "assertWarns", "assert_warns"})
"""The same for warnings."""
SILENT = frozenset({"RuntimeWarning", "FloatingPointError"})
"""The warnings and errors of NumPy for numbers that are not finite, which torch never gives."""
LINALG = "torch.linalg.LinAlgError"
NUMPYS_LINALG = ("numpy.linalg.LinAlgError", "numpy.linalg.linalg.LinAlgError")
NOTE = "NPT310 torch neither warns nor raises where a result is not finite: this never happens."
WARNS = frozenset("nanmin nanmax nanmean nanvar nanstd nanmedian nanquantile nanpercentile".split())
"""The functions of the shim that warn as NumPy's do: of slices with nothing but nan."""


def never_raised(edit: Edit) -> Edit:
    """The edit as a TODO: what it asks for never happens in torch."""
    return edit.leave("NPT310", NOTE)


def asks_to_raise(node: ast.Call) -> bool:
    """Tell whether it is `np.errstate(divide="raise")` or `np.seterr(...)` that makes errors of what is not finite."""
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    return any(isinstance(one, ast.Constant) and one.value == "raise" for one in given)


@on(Phase.PYTHON, ast.Try)
def caught_errors(ctx: ModuleContext, node: ast.Try) -> Edit | None:
    """`except ValueError:` around work on arrays catches torch's RuntimeError too."""
    wanted = [handler for handler in node.handlers if handler.type is not None]
    if not any(_names(handler.type) & (SILENT | {"ValueError"}) for handler in wanted):
        return None
    if ctx.converted_already() or not _handles_arrays(ctx, node.body):
        return None
    if any(_names(handler.type) & SILENT for handler in wanted) and not _warns(ctx, node.body):
        return never_raised(Edit(node, "todo", "NPT310", "except", "torch gives no warnings"))
    if not any("RuntimeError" in _names(handler.type) for handler in wanted) and not _raises_its_own(ctx, node.body):
        for handler in wanted:
            _widen(ctx, handler.type)
    return None


@on(Phase.PYTHON, ast.Try)
def caught_from_library(ctx: ModuleContext, node: ast.Try) -> Edit | None:
    """`except np.linalg.LinAlgError:` around a call into SciPy, which raises NumPy's own: both are caught."""
    below = [one for part in node.body for one in tree_walk(part)]
    if not any(isinstance(one, ast.Call) and library(ctx.fact(one.func)) for one in below):
        return None
    for handler in node.handlers:
        if handler.type is not None and "ValueError" not in _names(handler.type):
            _both_linalg_errors(ctx, handler.type)
    return None


def _both_linalg_errors(ctx: ModuleContext, node: ast.expr) -> None:
    classes = node.elts if isinstance(node, ast.Tuple) else [node]
    numpys = [c for c in classes if any(isinstance(a, v.Numpy) and a.name in NUMPYS_LINALG for a in ctx.fact(c))]
    if not numpys:
        return
    ctx.keep_name(numpys[0])
    why, kept = "the library raises NumPy's", ast.unparse(numpys[0])
    if any(ast.unparse(one) == LINALG for one in classes):  # both are there already
        ctx.edits[numpys[0]] = Edit(numpys[0], "boundary", "NPT107", kept, why)
        return
    template = Template()
    parts = [f"{LINALG}, {kept}" if one is numpys[0] else template.mark(one) for one in classes]
    ctx.edits[node] = text_edit(node, "boundary", "NPT107", why, template, f"({', '.join(parts)})")


@on(Phase.PYTHON, ast.Call)
def expected_errors(ctx: ModuleContext, node: ast.Call) -> Edit | None:
    """`pytest.raises(ValueError)`, `contextlib.suppress(ValueError)`, `pytest.warns(RuntimeWarning)`."""
    name = called_name(node)
    if name not in EXPECTING | WARNING or not node.args or ctx.converted_already():
        return None
    parent, around = ctx.parents.get(node), ctx.statement(node)
    given = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
    inside = around.body if isinstance(parent, ast.withitem) and isinstance(around, ast.With) else given
    if not _handles_arrays(ctx, inside):
        if name not in WARNING and ctx.engine.once(_Handling).is_given_data(ctx, inside):
            _widen(ctx, node.args[0])
        return None
    if name in WARNING:
        silent = _names(node.args[0]) & SILENT and not _warns(ctx, inside)
        return never_raised(Edit(node, "todo", "NPT310", name, "")) if silent else None
    _widen(ctx, node.args[0])
    return None


def _names(node: ast.expr | None) -> set[str]:
    """The classes named."""
    parts = node.elts if isinstance(node, ast.Tuple) else [node]
    return {part.id for part in parts if isinstance(part, ast.Name)}


def _handles_arrays(ctx: ModuleContext, nodes: Iterable[ast.AST]) -> bool:
    below = (one for node in nodes for one in tree_walk(node))
    return any(isinstance(one, ast.expr) and v.known_to_include(ctx.fact(one), "array", "numpy") for one in below)


class _Handling:
    """The functions of a project that handle arrays, themselves or in what they call."""

    def __init__(self, engine: Interpreter) -> None:
        self._engine = engine
        self._known: dict[FunctionDefinition, bool] = {}

    def is_given_data(self, ctx: ModuleContext, nodes: Iterable[ast.AST]) -> bool:
        """Tell whether one of these nodes is such a function, or a class that calls one, beside what may be data."""
        below = [one for node in nodes for one in tree_walk(node) if isinstance(one, ast.expr)]
        facts = list(map(ctx.fact, below))
        found = (one for fact in facts for one in _functions_in(fact))
        return any(v.may(fact, "sequence", "number") for fact in facts) and any(map(self._handles, found))

    def _handles(self, function: FunctionDefinition) -> bool:
        if function not in self._known:
            below = (node for one in reached_functions(self._engine, function) for node in tree_walk(one.node))
            facts = (self._engine.facts.get(node, v.BOTTOM) for node in below)
            self._known[function] = any(v.known_to_include(fact, "array", "numpy") for fact in facts)
        return self._known[function]


def _functions_in(fact: v.Fact) -> Iterator[FunctionDefinition]:
    """The functions of the project that a callable may be, and those that make objects."""
    for atom in fact:
        if isinstance(atom, v.Function):
            yield atom.definition
        elif isinstance(atom, v.Class) and (init := atom.definition.find("__init__")) is not None:
            yield init


def _raises_its_own(ctx: ModuleContext, nodes: Iterable[ast.AST]) -> bool:
    """Tell whether a RuntimeError of the project may come from these nodes, by a `raise` or a call of other code."""
    below = [one for node in nodes for one in tree_walk(node)]
    if any(isinstance(one, ast.Raise) and _may_be_runtime_error(ctx, one.exc) is not False for one in below):
        return True
    raised = (one for one in tree_walk(ctx.module.tree) if isinstance(one, ast.Raise))
    if not any("RuntimeError" in source_of(one) or _may_be_runtime_error(ctx, one.exc) for one in raised):
        return False
    calls = [one for one in below if isinstance(one, ast.Call)]
    return not all(_is_of_arrays(ctx, one.func) or v.only(ctx.fact(one.func), "numpy", "builtin") for one in calls)


def _is_of_arrays(ctx: ModuleContext, function: ast.expr) -> bool:
    """Tell a method of arrays, or of NumPy's scalars."""
    return isinstance(function, ast.Attribute) and v.only(ctx.fact(function.value), "array", "scalar")


def _may_be_runtime_error(ctx: ModuleContext, raised: ast.expr | None) -> bool | None:
    """Tell whether what is raised derives from RuntimeError; None of classes that are not seen."""
    if raised is None:  # what was caught inside
        return False
    function = raised.func if isinstance(raised, ast.Call) else raised
    name = function.id if isinstance(function, ast.Name) else ""
    atom = v.sole(ctx.fact(function))
    if not isinstance(atom, v.Class):
        return _is_builtin_runtime_error(name)
    lineage = atom.definition.lineage()
    bases = {(dotted_name(base) or "").rpartition(".")[2] for one in lineage for base in one.node.bases}
    answers = [_is_builtin_runtime_error(base) for base in bases - {one.node.name for one in lineage}]
    return True if True in answers else None if None in answers else False


def _is_builtin_runtime_error(name: str) -> bool | None:
    """Tell whether one of Python's own classes derives from RuntimeError; None for any other name."""
    class_ = getattr(builtins, name, None)
    return issubclass(class_, RuntimeError) if isinstance(class_, type) else None


def _warns(ctx: ModuleContext, nodes: Iterable[ast.AST]) -> bool:
    """Tell whether one is of those called that warn."""
    below = (one for node in nodes for one in tree_walk(node) if isinstance(one, ast.Call))
    named = (atom for one in below for atom in ctx.fact(one.func) if isinstance(atom, v.Numpy))
    return any(atom.name.removeprefix("numpy.") in WARNS for atom in named)


def _widen(ctx: ModuleContext, node: ast.expr | None) -> None:
    """`ValueError` becomes `(ValueError, RuntimeError)`."""
    names = _names(node)
    if node is None or "ValueError" not in names or names & {"RuntimeError", "Exception"}:
        return
    template = Template()
    classes = node.elts if isinstance(node, ast.Tuple) else []
    parts = ["ValueError" if isinstance(c, ast.Name) and c.id == "ValueError" else template.mark(c) for c in classes]
    text = f"({', '.join(parts or ['ValueError'])}, RuntimeError)"
    why = "torch raises RuntimeError where NumPy raises ValueError"
    ctx.edits[node] = text_edit(node, "native", "NPT107", why, template, text)
