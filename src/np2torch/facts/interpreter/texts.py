"""Modules, functions and classes as they are written: what their text alone says."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from functools import cached_property

from np2torch.facts.annotations import type_names
from np2torch.facts.interpreter.environment import FunctionNode
from np2torch.facts.interpreter.loop_carried import closed_over
from np2torch.names.public import star
from np2torch.names.tree import dotted_name
from np2torch.names.tree import walk as tree_walk

ARRAY_MAKERS = frozenset(
    "arange array asanyarray asarray atleast_1d atleast_2d empty empty_like eye full full_like linspace ones ones_like "
    "zeros zeros_like".split()
)
"""Functions of NumPy that tell a module like it from other objects."""
OF_CLASSES = ("__new__", "__init_subclass__", "__class_getitem__")
"""Methods that are passed a class without a decorator that says so."""


@dataclass(eq=False)
class ModuleText:
    """A file, or the examples of a docstring."""

    name: str
    path: str
    tree: ast.Module
    is_package: bool = False
    is_helper: bool = False
    text: str = ""

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes of its tree."""
        return tree_walk(self.tree)

    @cached_property
    def asked_for_arrays(self) -> dict[ast.expr, str]:
        """The objects that it asks to make arrays as NumPy does, with their texts: `xp` of `xp.zeros(n)`."""
        calls = (node.func for node in self.nodes if isinstance(node, ast.Call))
        owners = (func.value for func in calls if isinstance(func, ast.Attribute) and func.attr in ARRAY_MAKERS)
        return {owner: ast.unparse(owner) for owner in owners}

    @cached_property
    def star(self) -> set[str] | None:
        """The names that its `__all__` lists, where they are written out."""
        return star(self.tree)

    @cached_property
    def type_names(self) -> dict[str, ast.expr]:
        """Names it binds to types of arrays."""
        return type_names(self.tree)


@dataclass(eq=False)
class FunctionText:
    """A `def` or a lambda, and its decorators by the names that are written."""

    node: FunctionNode
    decorators: tuple[str, ...] = field(default=(), kw_only=True)

    @cached_property
    def name(self) -> str:
        """Its name, `<lambda>` for a lambda."""
        return getattr(self.node, "name", "<lambda>")

    @cached_property
    def closed_over(self) -> frozenset[str]:
        """Names that the functions defined in it read."""
        return closed_over(self.node)

    @cached_property
    def positional(self) -> tuple[str, ...]:
        """Names of the parameters that take positional arguments."""
        return tuple(parameter.arg for parameter in self.node.args.posonlyargs + self.node.args.args)

    @cached_property
    def named_parameters(self) -> tuple[str, ...]:
        """Names of the parameters that take one argument each."""
        return (*self.positional, *(parameter.arg for parameter in self.node.args.kwonlyargs))

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names of all parameters, those that take the rest of the arguments last."""
        rest = [one.arg for one in (self.node.args.vararg, self.node.args.kwarg) if one is not None]
        return (*self.named_parameters, *rest)

    @cached_property
    def is_static(self) -> bool:
        """Tell whether it is a staticmethod."""
        return "staticmethod" in self.decorators

    @cached_property
    def is_unbound(self) -> bool:
        """Tell whether it is called without what it is read from."""
        return self.is_static or self.name == "__new__"

    @cached_property
    def takes_class(self) -> bool:
        """Tell whether its first argument is a class: it is a classmethod, perhaps by its name alone, or `__new__`."""
        return "classmethod" in self.decorators or self.name in OF_CLASSES

    @cached_property
    def is_property(self) -> bool:
        """Tell whether it is read as an attribute."""
        return any(d in ("property", "cached_property", "functools.cached_property") for d in self.decorators)

    @cached_property
    def is_fixture(self) -> bool:
        """Tell whether it is a pytest fixture."""
        return any(d.split("(")[0] in ("pytest.fixture", "fixture", "pytest.yield_fixture") for d in self.decorators)


@dataclass(eq=False)
class ClassText:
    """A class statement."""

    node: ast.ClassDef

    @cached_property
    def base_names(self) -> list[str]:
        """The last parts of the names of its bases."""
        return [(dotted_name(base) or "").rpartition(".")[2] for base in self.node.bases]

    @cached_property
    def set_names(self) -> frozenset[str]:
        """The attributes that its text sets, of the class or of objects: `scale = 1.0`, `self.data = data`."""
        inside = (one for one in tree_walk(self.node) if isinstance(one, ast.Attribute))
        bound = [*self.node.body, *(one for each in self.node.body for one in getattr(each, "targets", ()))]
        targets = (getattr(one, "target", one) for one in bound)
        named = frozenset(target.id for target in targets if isinstance(target, ast.Name))
        return named | {one.attr for one in inside if isinstance(one.ctx, ast.Store)}

    def fields(self) -> list[str]:
        """List the fields of a dataclass or NamedTuple, in order."""
        stated = [node.target for node in self.node.body if isinstance(node, ast.AnnAssign)]
        return [target.id for target in stated if isinstance(target, ast.Name)]

    @cached_property
    def is_named_tuple(self) -> bool:
        """Tell whether it is a tuple whose items have names."""
        return "NamedTuple" in self.base_names

    @cached_property
    def is_tuple(self) -> bool:
        """Tell whether a base of its own is a tuple: `tuple`, `NamedTuple` or a call of `namedtuple`."""
        bases = [base.value if isinstance(base, ast.Subscript) else base for base in self.node.bases]
        names = [dotted_name(base.func if isinstance(base, ast.Call) else base) or "" for base in bases]
        return any(name.rpartition(".")[2] in ("NamedTuple", "tuple", "Tuple", "namedtuple") for name in names)
