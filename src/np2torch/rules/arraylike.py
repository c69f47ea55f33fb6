"""Numbers and lists where torch wants a tensor: `torch.tensor(...)`, `torch.as_tensor(...)`, `torch.stack(...)`.

NumPy's functions take what `asarray` takes. Where all of it is known the tensor is spelled out, else the rule declines.
"""

from __future__ import annotations

import ast
import itertools
import math
from collections.abc import Collection, Iterable, Sequence

from np2torch.facts import results, tables
from np2torch.facts import values as v
from np2torch.facts.results import arraylike
from np2torch.names.scopes import free_name
from np2torch.rules.rule_arguments import FOUND_BY_TORCH, Decline, RuleArgument, Spelling, function, kind_of, text, use

MOST_TOGETHER = 64
WEAKLY_SAFE = frozenset({"bool", "int64", "float64", "complex128"})
"""Beside arrays of these a Python number promotes as the 0-D tensor of its own dtype does."""


WRITTEN_OUT = (ast.Constant, ast.List, ast.Tuple, ast.ListComp)
"""Numbers for sure. Others may be handed tensors by callers nobody has seen, which `as_tensor` leaves as they are."""

FEW_CHANGED = 2
"""A list of so many items that are made tensors is gone through, instead of one after the other being spelled."""


def loosen(piece: RuleArgument, empty: bool = True) -> RuleArgument:
    """Let a piece that is no tensor for sure, but numbers or a list of them, become one where it is written.

    Parameters
    ----------
    empty
        Whether it matters that a list may have no items: torch's dtype for that is not NumPy's.
    """
    if piece.is_tensor or not piece.given or piece.node is None or piece.asked.style != "function":
        return piece
    whole = piece.fact
    piece.assume(_accepted(whole))
    form = _form(piece)
    if not form and isinstance(piece.node, (ast.List, ast.Tuple)):
        return stack_of_parts(piece)
    part = arraylike(piece.fact, weak=False, empty=False) if form else None
    if part is None or not all(in_int64(atom) for atom in piece.fact):
        piece.assume(whole)
        return piece
    if empty and form != "torch.stack":
        filled, part = part, arraylike(piece.fact, weak=False)
        if part is None or part[0] != filled[0]:
            piece.assume(whole)
            return piece
    whole_numbers = form == "torch.as_tensor" and all(_is_tensor(atom) or _is_whole(atom) for atom in piece.fact)
    piece.make_by(form, results.make(*part), whole_numbers)
    return piece


def _is_whole(atom: v.Atom) -> bool:
    """Tell whether it is an integer, a bool, or a list of these that is not empty."""
    if isinstance(atom, v.Sequence):
        return atom.has_items and all(map(_is_whole, v.elements(atom)))
    return isinstance(atom, v.Num) and atom.type in ("int", "bool")


def _accepted(fact: v.Fact) -> v.Fact:
    """Leave out text and None, which torch raises for, if arrays, numbers or lists are among the alternatives."""
    rest = v.without(v.without(fact, "text"), "none")
    return rest if v.known_to_include(rest, "array", "scalar", "number", "sequence") else fact


def _is_written_out(node: ast.expr | None) -> bool:
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, WRITTEN_OUT)


def _form(piece: RuleArgument) -> str:
    """Give the torch function that makes a tensor of every alternative of the argument; nothing if there is none."""
    if python_only(piece.fact):
        written = _is_written_out(piece.node) or _named_constant(piece)
        return "torch.tensor" if written else "torch.as_tensor"
    rest = v.keep(piece.fact, lambda atom: not _is_tensor(atom))
    if rest and rest != piece.fact and python_only(rest):
        return "torch.as_tensor"
    return "torch.stack" if _stackable(piece) else ""


def _named_constant(piece: RuleArgument) -> bool:
    """Is it `math.inf`, `np.pi` and the like?"""
    node = piece.node
    plain = isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id != "self"
    return plain and v.constant(piece.fact) is not None


def _is_tensor(atom: v.Atom) -> bool:
    return isinstance(atom, v.Array) or isinstance(atom, v.Scalar) and not atom.python


def python_only(fact: v.Fact) -> bool:
    """Tell whether it is Python numbers, or lists of nothing else."""
    return bool(fact) and all(
        isinstance(a, v.Num)
        or isinstance(a, v.Scalar) and a.python
        or isinstance(a, v.Sequence) and a.type in ("list", "tuple") and (a.items == () or python_only(v.elements(a)))
        for a in fact
    )


def in_int64(atom: v.Atom, beyond: int = 2**63) -> bool:
    """Tell whether the integer constants in it are at least -2**63 and below 2**63, or below another bound."""
    if isinstance(atom, v.Sequence):
        items = atom.items if atom.items is not None else (atom.element,)
        return all(in_int64(inner, beyond) for item in items for inner in item)
    return not isinstance(atom, v.Num) or not isinstance(atom.value, int) or -(2**63) <= atom.value < beyond


def _stackable(piece: RuleArgument) -> bool:
    """Tell whether it is a list of tensors of one dtype, and of one rank if it is written out.

    A list that is empty at run time cannot be stacked in torch, where NumPy makes an empty array; filtered lists often
    are empty.
    """
    items = [fact for _, fact in _items_written(piece)]
    if isinstance(piece.node, ast.ListComp) and any(one.ifs for one in piece.node.generators):
        return False
    if not items and not isinstance(piece.node, (ast.List, ast.Tuple)):
        held = _dtypes_held(piece)
        return bool(held) and all(map(_holds_tensors, piece.fact)) and (len(held) == 1 or held <= WEAKLY_SAFE)
    if not items:
        return False
    dtypes, ranks = {v.dtype_of(item) for item in items}, {v.rank_of(item) for item in items}
    return all(map(v.is_tensor, items)) and len(dtypes) == len(ranks) == 1 and None not in dtypes | ranks


def _holds_tensors(atom: v.Atom) -> bool:
    """Tell whether it is a list or tuple of tensors that is not always empty."""
    if not isinstance(atom, v.Sequence) or atom.type not in ("list", "tuple") or atom.items == ():
        return False
    return v.is_tensor(v.elements(atom))


def _dtypes_held(piece: RuleArgument) -> frozenset[str]:
    """The dtypes of the items of a list; nothing where one is not known."""
    found = [v.dtypes_of(v.elements(atom)) for atom in piece.fact if isinstance(atom, v.Sequence)]
    return frozenset(dtype for one in found for dtype in one or ()) if all(found) else frozenset()


def _items_written(piece: RuleArgument) -> list[tuple[ast.expr, v.Fact]]:
    """The items of a list or tuple that is written out, with what is known of each; none of any other."""
    items = v.items_of(piece.fact)
    if not isinstance(piece.node, (ast.List, ast.Tuple)) or not items or len(items) != len(piece.node.elts):
        return []
    return list(zip(piece.node.elts, items, strict=True))


def beside(number: RuleArgument, other: RuleArgument) -> RuleArgument:
    """A number or list as a tensor beside another operand, where promotion does not tell them apart."""
    weak = not v.only(number.fact, "sequence")
    if weak and other.is_tensor and not other.dtypes() <= WEAKLY_SAFE:
        return number
    return loosen(number)


def make_tensor(contents: RuleArgument, dtype: RuleArgument, copied: bool = False) -> Spelling:
    """The tensor that `asarray` makes of numbers, of a list, or of what may be a tensor already, `copied` or not.

    Raises
    ------
    Decline
        Where the contents are not known, or a dtype is asked for that would truncate them.
    """
    fresh = copied and python_only(contents.fact)
    loosen(contents, empty=not dtype.is_passed)
    if fresh and contents.made_by:
        contents.make_by("torch.tensor")
    names = results.dtype_names(dtype.fact) if dtype.is_passed else None
    wanted = None if names is None else v.sole(names)
    if not contents.made_by and wanted in ("float64", "float32") and isinstance(contents.node, (ast.List, ast.Tuple)):
        stack_of_parts(contents, wanted)
    if not contents.made_by:
        raise Decline("contents unknown")
    if not dtype.is_passed:
        return _in_own_dtype(contents)
    if wanted is None:
        raise Decline("dtype unknown")
    spell = _stacked_in if contents.made_by == "torch.stack" else _cast_to
    return spell(contents, dtype, wanted)


def _in_own_dtype(contents: RuleArgument) -> Spelling:
    """Spell a tensor of the dtype that NumPy finds."""
    if contents.made_by != "torch.tensor" or contents.dtype is None:
        return text(f"{contents}", cast=contents.changed)
    said = None if contents.dtype in FOUND_BY_TORCH else f"torch.{contents.dtype}"
    return function("torch.tensor", contents.raw, dtype=said)


def _stacked_in(contents: RuleArgument, dtype: RuleArgument, wanted: str) -> Spelling:
    """Spell a stack of tensors of a dtype."""
    if contents.dtype == wanted:
        use(dtype)
        return text(f"{contents}", cast=contents.changed)
    if contents.dtype is None:
        raise Decline("the cast may be one that NumPy refuses")
    return text(f"{contents}.to({dtype})", cast=True)


def _cast_to(contents: RuleArgument, dtype: RuleArgument, wanted: str) -> Spelling:
    """Spell a tensor that is made of numbers in a dtype that holds them."""
    if not _holds_nothing(contents.node) and any(_truncates(found, wanted) for found in contents.dtypes()):
        raise Decline("the cast would truncate")
    if kind_of(wanted) == "u" and not _is_nonnegative(contents.node, contents.fact):
        raise Decline("NumPy refuses negative numbers, of which torch takes the bits")
    return text(f"{contents.made_by}({contents.raw}, dtype={dtype})")


def _holds_nothing(node: ast.expr | None) -> bool:
    """Tell whether it is an empty list that is written out, or one of these alone: `[]`, `[[], []]`."""
    return isinstance(node, (ast.List, ast.Tuple)) and all(map(_holds_nothing, node.elts))


def _is_nonnegative(node: ast.expr | None, fact: v.Fact) -> bool:
    """Tell whether all the numbers in it are known not to be negative."""
    if isinstance(node, (ast.List, ast.Tuple)):
        return all(_is_nonnegative(one, v.TOP) for one in node.elts)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (int, float)) and node.value >= 0
    return all(isinstance(atom, v.Num) and atom.nonnegative for atom in fact)


def _truncates(found: str, wanted: str) -> bool:
    if kind_of(wanted) == "b":
        return found != "bool"
    return found != "int64" and "biufc".index(kind_of(wanted)) < "biufc".index(kind_of(found))


def written_parts(piece: RuleArgument) -> list[RuleArgument] | None:
    """The parts of a list or tuple that is written out; None for any other."""
    items = _items_written(piece)
    if not items or any(isinstance(node, ast.Starred) for node, _ in items):
        return None
    use(piece)
    return [piece.part(node, item) for node, item in items]


def stack_of_parts(piece: RuleArgument, wanted: str | None = None) -> RuleArgument:
    """Let a list of tensors and numbers that is written out become a stack of tensors, all of the dtype it has.

    Parameters
    ----------
    wanted
        A floating dtype it is given, whatever its items have.
    """
    assert piece.node is not None
    part = arraylike(piece.fact, weak=False)
    if part is None or piece.asked.has_comments(piece.node):
        return piece
    dtype = wanted if wanted is not None else v.sole(part[0] or ())
    try:
        items = _side_by_side(piece, dtype, v.sole(part[1] or ()))
    except Decline:
        return piece
    piece.stack(items, results.make(part[0] if dtype is None else frozenset([dtype]), part[1], decays=False))
    return piece


def _side_by_side(piece: RuleArgument, dtype: str | None, rank: int | None) -> str:
    """The items of a list as a list of tensors: of a dtype, or of those that torch promotes together as NumPy does."""
    parts = written_parts(piece)
    inside = None if rank is None else rank - 1
    if parts is not None:
        made = [_item(part, dtype, inside) for part in parts]
        return _one_by_one(piece, parts, made, dtype) or f"[{_on_lines_of(parts, made)}]"
    nodes = piece.node.elts if isinstance(piece.node, (ast.List, ast.Tuple)) else []
    if all(isinstance(node, ast.Starred) for node in nodes):  # torch stacks no empty list
        raise Decline("the items are not known one by one")
    use(piece)
    values = [node.value if isinstance(node, ast.Starred) else node for node in nodes]
    pairs = [(node, piece.part(value, piece.asked.fact(value))) for node, value in zip(nodes, values, strict=True)]
    dtype = dtype or _dtype_beside_rows(pairs)
    made = [
        _row(part, dtype, rank) if isinstance(node, ast.Starred) else _item(part, dtype, inside) for node, part in pairs
    ]
    return f"[{on_their_lines(nodes, made)}]"


def _one_by_one(
    piece: RuleArgument, parts: Sequence[RuleArgument], made: Sequence[str], dtype: str | None
) -> str:  # fmt: skip
    """Spell the items as they were written, and what makes a tensor of each around them; empty where few need that.

    `[[c, -s, 0], [s, c, 0]]` keeps its shape: `torch.stack([torch.as_tensor(x, dtype=torch.float64) for x in row])`.
    """
    rows = [written_parts(part) or [] if isinstance(part.node, (ast.List, ast.Tuple)) else [] for part in parts]
    items = [one for row in rows for one in row] or list(parts)
    is_alike = all(rows) or not any(rows)
    if dtype is None or not is_alike or any(map(_is_of_rows, items)) or _made_here(made) < FEW_CHANGED:
        return ""
    below = list(ast.walk(piece.node)) if piece.node is not None else []
    if any(isinstance(one, ast.NamedExpr) for one in below):
        return ""  # which no comprehension may go through
    taken = {one.id for one in below if isinstance(one, ast.Name)}
    return _gone_through(parts, rows if any(rows) else [], dtype, taken)


def _gone_through(
    parts: Sequence[RuleArgument], rows: Sequence[Sequence[RuleArgument]], dtype: str, taken: Collection[str]
) -> str:  # fmt: skip
    """Spell a comprehension over items, or over rows of them, that binds no name which is `taken`."""
    x, row = free_name("x", taken), free_name("row", taken)
    item = f"torch.as_tensor({x}, dtype=torch.{dtype}) for {x} in"
    if not rows:
        return f"[{item} {_as_written(parts)}]"
    return f"[torch.stack([{item} {row}]) for {row} in [{_on_lines_of(parts, map(_as_written, rows))}]]"


def _made_here(texts: Iterable[str]) -> int:
    """Count the items that are made tensors, or cast, one by one."""
    return sum(one.count(maker) for one in texts for maker in ("torch.tensor(", "torch.as_tensor(", ".to("))


def _as_written(parts: Sequence[RuleArgument]) -> str:
    """The list of these parts, none of which is made a tensor in it."""
    return f"[{_on_lines_of(parts, [one.raw for one in parts])}]"


def _is_of_rows(piece: RuleArgument) -> bool:
    """Tell a list, or what may be one."""
    return isinstance(piece.node, ast.Starred) or not v.only(piece.fact, "array", "scalar", "number", "unknown")


def _on_lines_of(parts: Sequence[RuleArgument], texts: Iterable[str]) -> str:
    return on_their_lines([part.node for part in parts if part.node is not None], texts)


def _dtype_beside_rows(pairs: Sequence[tuple[ast.expr, RuleArgument]]) -> str | None:
    """The dtype of the items, where starred rows among them, which may be empty, do not change it."""
    certain = _together([part for node, part in pairs if not isinstance(node, ast.Starred)])
    return certain if certain == _together([part for _, part in pairs]) else None


def _row(piece: RuleArgument, dtype: str | None, rank: int | None) -> str:
    """A starred tensor whose rows are items."""
    if rank is None or not v.only(piece.fact, "array") or piece.rank != rank:
        raise Decline("not known to be a row of items")
    return f"*{_item(piece, dtype, rank)}"


def _together(parts: Sequence[RuleArgument]) -> str | None:
    """Find the dtype that NumPy gives an array of these items, where that of each is known."""
    found = [arraylike(part.fact, weak=False) for part in parts]
    dtypes = [v.sole(one[0] or ()) if one is not None else None for one in found]
    return None if None in dtypes else tables.promote(*(dtype for dtype in dtypes if dtype is not None))


def _item(piece: RuleArgument, dtype: str | None, rank: int | None) -> str:
    """An item as a tensor: itself, a list of such, or what a number makes."""
    if dtype is None and not piece.dtypes() <= WEAKLY_SAFE:
        raise Decline("dtypes unknown")
    if any(kind_of(found) == "c" for found in piece.dtypes()) and dtype is not None and kind_of(dtype) != "c":
        raise Decline("complex to real")
    if piece.is_tensor:
        return str(piece if dtype is None else piece.to(dtype))
    rows = isinstance(piece.node, (ast.List, ast.Tuple))
    if rows and not python_only(piece.fact):
        return f"torch.stack({_side_by_side(piece, dtype, rank)})"
    if dtype is None:
        if not python_only(piece.fact) or not loosen(piece).is_tensor:
            raise Decline("contents unknown")
        return str(piece)
    if not rows and not v.only(piece.fact, "array", "scalar", "number", "unknown"):
        raise Decline("contents unknown")
    maker = "torch.tensor" if _is_written_out(piece.node) else "torch.as_tensor"
    return f"{maker}({piece.raw}, dtype=torch.{dtype})"


def on_their_lines(nodes: Sequence[ast.expr], texts: Iterable[str]) -> str:
    """The texts of expressions with commas between them, on the lines where the expressions stand."""
    out = ""
    for before, node, one in zip([None, *nodes], nodes, texts, strict=False):
        if before is not None:
            out += ", " if before.end_lineno == node.lineno else ",\n" + " " * node.col_offset
        out += one
    return out


def in_a_tuple(parts: Sequence[RuleArgument]) -> str:
    """The tuple of the parts."""
    return f"({', '.join(map(str, parts))}{',' if len(parts) == 1 else ''})"


def of_one_dtype(parts: Sequence[RuleArgument]) -> list[RuleArgument]:
    """The parts as tensors, cast to the dtype NumPy gives them together; as they are where torch gives them the same.

    Raises
    ------
    Decline
        Where one is no tensor for sure or the dtype is not known.
    """
    loose = [loosen(part) for part in parts]
    if not all(part.is_tensor for part in loose):
        raise Decline("contents unknown")
    sets = [v.dtypes_of(part.fact) for part in loose]
    known = [one for one in sets if one]
    together = math.prod(map(len, known)) if len(known) == len(sets) else MOST_TOGETHER + 1
    found = {tables.promote(*one) for one in itertools.product(*known)} if together <= MOST_TOGETHER else {None}
    dtype = found.pop()
    if (found or dtype is None) and all(part.dtypes() <= WEAKLY_SAFE for part in loose):
        return loose
    if found or dtype is None:
        raise Decline("dtypes unknown")
    return [part.to(dtype) for part in loose]
