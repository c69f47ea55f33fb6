"""The scores: per expression, what the analyser says against what was seen.

An expression counts once, however often it ran. *Known* is what a fact states without "anything" among its
alternatives; *wrong* is a fact that excludes something that was seen.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from np2torch.facts import values as v
from np2torch.facts.results import tables_name

Seen = Sequence[Sequence[Any]]
"""Observations of one expression: kind, dtype or type name, rank or length."""

HOLDS = {
    "array": {"array"}, "scalar": {"scalar"}, "number": {"number", "opaque"}, "text": {"text", "opaque"},
    "none": {"none", "opaque"}, "sequence": {"sequence", "opaque", "instance"},
    "set": {"sequence", "iterator", "opaque"}, "mapping": {"mapping", "opaque", "instance"},
    "module": {"module", "opaque", "numpy"},
}  # fmt: skip
"""Kinds of atoms that stand for a kind of value: "opaque" is what is no array of ours. Values of other kinds are wrong
only where every alternative is certainly something else."""
CERTAIN = {"array", "scalar", "number", "text", "none", "sequence", "mapping", "module"}
MAYBE = "scalar?"
"""A fact that says "array of unknown rank" or "no array" of a NumPy scalar: loose rather than wrong."""
STAYS = "stays"
"""A fact that leaves on NumPy what torch could hold: right where it comes from strings or objects, else a loss."""


class Wrong(NamedTuple):
    """A fact that excludes what was seen."""

    path: str
    line: int
    what: str
    expression: str
    fact: str
    truth: str
    follows: bool
    """Whether a part of the expression is wrong already."""

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.what}: `{self.expression}` is {self.truth}, the fact says {self.fact}"


@dataclass
class Scores:
    """Counts of one program; shares are of the arrays (or of the NumPy scalars) that were seen."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)
    lost: list[Wrong] = field(default_factory=list)
    """Where knowledge ends: what is no name, and an array less is known of than of all its parts."""

    def share(self, part: str, whole: str = "array") -> float:
        """How many of the expressions of that kind."""
        return self.counts[part] / self.counts[whole] if self.counts[whole] else 0.0

    def add(self, other: Scores) -> None:
        """Take in the counts of another program."""
        self.counts.update(other.counts)
        self.wrong += other.wrong
        self.lost += other.lost

    def row(self) -> str:
        """One line of figures."""
        wrong = Counter(item.what for item in self.wrong)
        shares = [self.share(part) for part in ("kind", "sole kind", "dtype", "sole dtype", "rank", "sole rank")]
        shares.append(self.share("scalar kind", "scalar"))
        figures = " ".join(f"{share:7.1%}" for share in shares)
        named = [wrong.pop(what, 0) for what in ("dtype", "rank", "kind", STAYS, MAYBE)]
        return f"{self.counts['array']:7} {figures} " + " ".join(f"{n:7}" for n in [*named, sum(wrong.values())])


HEAD = " arrays    kind    sole   dtype    sole    rank    sole scalars | dtype   rank    kind   stays scalar?   other"


def score(
    trees: Mapping[str, ast.AST], facts: Mapping[ast.AST, v.Fact], seen: Mapping[str, Mapping[Any, Seen]]
) -> Scores:
    """Score the facts of some modules, by path, against what was seen in them."""
    scores = Scores()
    for path, tree in trees.items():
        nodes = list(ast.walk(tree))
        wrong: dict[ast.AST, list[tuple[str, str, str]]] = {}
        lost: dict[ast.AST, tuple[str, str]] = {}
        for number, observed in seen.get(path, {}).items():
            node = nodes[int(number)]
            fact = facts.get(node) or v.TOP
            _count(scores.counts, fact, observed)
            if missing := _missing(fact, observed):
                lost[node] = missing, _text(fact)
            if found := list(contradictions(fact, observed)):
                wrong[node] = found
        for node, found in wrong.items():
            follows = any(part in wrong for part in ast.walk(node) if part is not node)
            line, text = getattr(node, "lineno", 0), ast.unparse(node)[:80]
            scores.wrong += [Wrong(path, line, what, text, said, truth, follows) for what, said, truth in found]
        for node, (missing, said) in lost.items():
            if not isinstance(node, ast.Name) and not any(n in lost for n in ast.walk(node) if n is not node):
                line, text = getattr(node, "lineno", 0), ast.unparse(node)[:80]
                scores.lost.append(Wrong(path, line, missing, text, said, "an array", False))
    return scores


def _missing(fact: v.Fact, seen: Seen) -> str:
    """What is not known of an array that was seen."""
    if not ours(seen, "array")[0]:
        return ""
    if _open(fact):
        return "kind"
    atoms = [atom for atom in fact if isinstance(atom, v.Array)]
    dtype, rank = any(a.dtypes is None for a in atoms), any(a.ranks is None for a in atoms)
    return " and ".join(filter(None, ["dtype" * dtype, "rank" * rank]))


def _count(counts: Counter[str], fact: v.Fact, seen: Seen) -> None:
    dtypes, ranks = ours(seen, "array")
    if dtypes:
        counts["array"] += 1
        if _open(fact) or not v.known_to_include(fact, "array"):
            return
        counts["kind"] += 1
        counts["sole kind"] += v.only(fact, "array")
        atom = next(atom for atom in fact if isinstance(atom, v.Array))
        counts["dtype"] += atom.dtypes is not None and dtypes <= atom.dtypes
        counts["sole dtype"] += atom.dtypes == dtypes and len(dtypes) == 1
        counts["rank"] += atom.ranks is not None and ranks <= atom.ranks
        counts["sole rank"] += atom.ranks == ranks and len(ranks) == 1
    elif ours(seen, "scalar")[0]:
        counts["scalar"] += 1
        counts["scalar kind"] += not _open(fact) and v.known_to_include(fact, "scalar")


def _open(fact: v.Fact) -> bool:
    """May it be anything, as far as the fact goes? An attribute of something unknown may be too."""
    return any(atom.kind == "unknown" or isinstance(atom, v.Method) and _open(atom.owner) for atom in fact)


def ours(seen: Seen, kind: str) -> tuple[set[str], set[int]]:
    """dtypes and ranks of the arrays (or scalars) seen that torch can hold."""
    dtypes, ranks = set(), set()
    for one in seen:
        if one[0] == kind and (name := tables_name(one[1])) is not None and "longdouble" not in one[1]:
            dtypes.add(name)
            ranks.add(one[2])
    return dtypes, ranks


def contradictions(fact: v.Fact, seen: Seen) -> Iterator[tuple[str, str, str]]:
    """What a fact excludes and was seen all the same: what is wrong, the fact, the truth."""
    if _open(fact):
        return
    for kind in ("array", "scalar"):
        yield from _arrays(fact, seen, kind)
    for kind, name, detail in seen:
        if kind in ("array", "scalar") and not ours([(kind, name, detail)], kind)[0]:
            kind = "foreign"
        if _is_excluded(v.kinds(fact), kind):
            yield _misnamed(fact, kind), _text(fact), f"{kind} {name}"
        elif kind == "number" and isinstance(detail, list):
            yield from _numbers(fact, name, detail)
        elif kind == "sequence" and isinstance(detail, int):
            yield from _lengths(fact, name, detail)


def _arrays(fact: v.Fact, seen: Seen, kind: str) -> Iterator[tuple[str, str, str]]:
    """Compare dtypes and ranks of arrays, or the dtypes of scalars."""
    left = v.known_to_include(fact, "foreign")  # then what is not among these may be the ndarray that stays one
    dtypes, ranks = ours(seen, kind)
    atoms = _standing(fact, kind)
    said = [atom.dtypes for atom in atoms if atom.dtypes is not None]
    if said and len(said) == len(atoms) and not dtypes <= (known := frozenset().union(*said)):
        yield STAYS if left else "dtype", _set(known), _set(dtypes)
    for atom in atoms if kind == "array" else ():
        if isinstance(atom, v.Array) and atom.ranks is not None and not ranks <= atom.ranks:
            yield STAYS if left else "rank", _set(atom.ranks), _set(ranks)


def _is_excluded(kinds: Set[str], kind: str) -> bool:
    """Tell whether a value of this kind cannot be one of these alternatives."""
    return not kinds & HOLDS[kind] if kind in HOLDS else bool(kinds) and kinds <= CERTAIN


def _lengths(fact: v.Fact, name: str, length: int) -> Iterator[tuple[str, str, str]]:
    """Compare the lengths of lists and tuples whose items are known."""
    lengths = {len(a.items) for a in fact if isinstance(a, v.Sequence) and a.items is not None}
    bounded = all(a.items is not None for a in fact if isinstance(a, v.Sequence) and a.type == name)
    if lengths and bounded and length not in lengths and v.kinds(fact) <= CERTAIN:
        yield "length", str(lengths), str(length)


def _standing(fact: v.Fact, kind: str) -> list[v.Array | v.Scalar]:
    """The alternatives that stand for an array, or for a scalar, as an array of unknown rank does too."""
    arrays = [atom for atom in fact if isinstance(atom, v.Array)]
    if kind == "array":
        return [*arrays]
    scalars = [atom for atom in fact if isinstance(atom, v.Scalar)]
    return [*scalars, *(atom for atom in arrays if atom.ranks is None)] or [*arrays]


def _misnamed(fact: v.Fact, kind: str) -> str:
    if kind == "scalar" and any(isinstance(a, v.Opaque) or isinstance(a, v.Array) and a.ranks is None for a in fact):
        return MAYBE
    return STAYS if v.known_to_include(fact, "foreign") else "kind"


def _numbers(fact: v.Fact, name: str, detail: list[str]) -> Iterator[tuple[str, str, str]]:
    numbers = [atom for atom in fact if isinstance(atom, v.Num)]
    same = [atom for atom in numbers if atom.type == name]
    if not same and not v.known_to_include(fact, "opaque"):
        yield "number type", _text(fact), f"{name} {detail}"
    for atom in same:
        if atom.value is not None and {repr(atom.value)} != set(detail):
            yield "constant", repr(atom.value), f"{detail}"
        elif atom.nonnegative and detail[0].startswith("-") and detail[0] != "-0.0":
            yield "sign", "nonnegative", detail[0]


def _set(items: Any) -> str:
    return "/".join(sorted(map(str, items)))


def _text(fact: v.Fact) -> str:
    return " | ".join(sorted(map(_word, fact)))


def _word(atom: v.Atom) -> str:
    """An alternative in a word: definitions know the whole project, their `repr` has no end."""
    if isinstance(atom, (v.Array, v.Scalar)):
        dtypes = "" if atom.dtypes is None else _set(atom.dtypes)
        ranks = _set(atom.ranks) + "-D" if isinstance(atom, v.Array) and atom.ranks is not None else ""
        return " ".join(filter(None, [atom.kind, dtypes, ranks]))
    if isinstance(atom, v.Num):
        return atom.type if atom.value is None else repr(atom.value)
    name = getattr(atom, "type", None) or getattr(atom, "origin", None) or getattr(atom, "why", None)
    return f"{atom.kind} {name or getattr(atom, 'name', '')}".strip()
