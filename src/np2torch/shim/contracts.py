"""`contract`: a decorator that says what a function's parameters may be, and checks it at each call.

The words are those of `# np2torch:` comments, one string per parameter:

======================== ==================================================================================
`floating[n, k]`         a tensor of that kind and rank; one name, one size, over all parameters
`float64[n, 3]`          of that dtype; a number fixes a size, `[]` is 0-D, `[...]` of any rank
`inexact`                of any rank; kinds are bool, integer, signedinteger, unsignedinteger, floating,
                         complexfloating, inexact, real, number, and array for any
`int float complex`      a Python number; what takes floats takes ints, and so on. A bool is none
`bool str None`          Python's; bool a tensor of that dtype as well
`floating[n] | None`     alternatives
======================== ==================================================================================

It converts nothing. What a call costs is a few tests of types and dtypes: they are written out once per function.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, TypeVar

import torch

from np2torch.shim._promotion import NAMES, SIGNED, UNSIGNED, Tensor
from np2torch.shim._refusals import described

__all__ = ["contract"]

F = TypeVar("F", bound=Any)
Sizes = dict[str, int]
FLOATS = frozenset({torch.float64, torch.float32, torch.float16, torch.bfloat16})
COMPLEX = frozenset({torch.complex64, torch.complex128})
KINDS: dict[str, frozenset[torch.dtype] | None] = {
    "bool": frozenset({torch.bool}), "floating": FLOATS, "complexfloating": COMPLEX, "inexact": FLOATS | COMPLEX,
    "signedinteger": frozenset(SIGNED), "unsignedinteger": frozenset(UNSIGNED),
    "integer": frozenset({*SIGNED, *UNSIGNED}), "real": frozenset({*SIGNED, *UNSIGNED, *FLOATS}),
    "number": frozenset({*SIGNED, *UNSIGNED, *FLOATS, *COMPLEX}), "array": None, "ndarray": None,
}  # fmt: skip
"""The dtypes that a word stands for; None for any."""
PYTHON: dict[str, tuple[type, ...]] = {
    "bool": (bool,), "int": (int,), "float": (float, int), "complex": (complex, float, int), "str": (str,),
    "None": (type(None),),
}  # fmt: skip
"""The classes of Python's that a word without brackets stands for."""
TERM = re.compile(r"(?P<word>[A-Za-z_]\w*)\s*(?:\[(?P<sizes>[^\[\]]*)\])?")
SIZE = re.compile(r"[A-Za-z_]\w*|\d+")


class Term(NamedTuple):
    """One alternative: classes of Python's, or tensors of some dtypes and sizes (None where any will do)."""

    classes: tuple[type, ...]
    is_tensor: bool
    dtypes: frozenset[torch.dtype] | None
    sizes: tuple[str, ...] | None

    def fits(self, value: Any, known: Sizes) -> Sizes | None:
        """The sizes known after a value was compared with it; None where the value does not fit."""
        if self.classes and isinstance(value, self.classes) and (bool in self.classes or type(value) is not bool):
            return known if not hasattr(value, "dtype") else None
        if not self.is_tensor or not isinstance(value, Tensor):
            return None
        if self.dtypes is not None and value.dtype not in self.dtypes:
            return None
        if self.sizes is None:
            return known
        if value.ndim != len(self.sizes):
            return None
        found = dict(known)
        for size, length in zip(self.sizes, value.shape, strict=True):
            if (int(size) if size.isdigit() else found.setdefault(size, length)) != length:
                return None
        return found


def contract(**accepted: str) -> Callable[[F], F]:
    """Check the arguments of each call of a function, by what is said of its parameters.

    Of `*args` and `**kwargs` every item is checked. The default of a parameter is always accepted. Of a class the
    contract is that of its `__init__`.

    Raises
    ------
    TypeError
        In a call: for an argument that is not as it is said. Here: for a name that is no parameter.
    ValueError
        For what cannot be read.
    """
    terms = {name: tuple(_term(part.strip()) for part in text.split("|")) for name, text in accepted.items()}

    def decorated(function: Any) -> Any:
        if isinstance(function, type):
            setattr(function, "__init__", decorated(getattr(function, "__init__")))  # noqa: B009, B010
            return function
        if isinstance(function, (staticmethod, classmethod)):
            return type(function)(decorated(function.__func__))
        return _checked(function, accepted, terms)

    return decorated


def _term(text: str) -> Term:
    match = TERM.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is no type such as floating[n, 3]")
    word, brackets = match["word"], match["sizes"]
    classes = PYTHON.get(word, ()) if brackets is None else ()
    is_tensor = word in KINDS or word in NAMES and word not in PYTHON
    if not classes and not is_tensor:
        raise ValueError(f"{text!r}: {word!r} is no dtype or kind of tensors")
    dtypes = KINDS[word] if word in KINDS else frozenset({NAMES[word]}) if is_tensor else frozenset()
    if brackets is None or brackets.strip() == "...":
        return Term(classes, is_tensor, dtypes, None)
    sizes = tuple(size.strip() for size in brackets.split(",") if size.strip())
    for size in sizes:
        if SIZE.fullmatch(size) is None:
            raise ValueError(f"{text!r}: [{brackets}] is no shape such as [n, 3] or [...]")
    return Term(classes, is_tensor, dtypes, sizes)


# ------------------------------------------------------------------------------------- the function around it
CALLS = {
    "plain": ("def", "return {call}"),
    "coroutine": ("async def", "return await {call}"),
    "generator": ("def", "return (yield from {call})"),
    "async generator": (
        "async def",
        "inner = {call}\n"
        "    try:\n"
        "        value = await anext(inner)\n"
        "        while True:\n"
        "            try:\n"
        "                sent = yield value\n"
        "            except GeneratorExit:\n"
        "                raise\n"
        "            except BaseException as error:\n"
        "                value = await inner.athrow(error)\n"
        "            else:\n"
        "                value = await inner.asend(sent)\n"
        "    except StopAsyncIteration:\n"
        "        return\n"
        "    finally:\n"
        "        await inner.aclose()",
    ),
}
"""How a function of each kind is written that runs another one; it is of the same kind to those who ask."""


def _kind(function: Any) -> str:
    if inspect.isasyncgenfunction(function):
        return "async generator"
    if inspect.iscoroutinefunction(function):
        return "coroutine"
    return "generator" if inspect.isgeneratorfunction(function) else "plain"


def _checked(function: Any, accepted: Mapping[str, str], terms: Mapping[str, tuple[Term, ...]]) -> Any:
    """The function with its tests before it, under its own signature (`_core.normalized` does likewise)."""
    parameters = inspect.signature(function).parameters
    called = getattr(function, "__qualname__", type(function).__name__)
    for name in accepted:
        if name not in parameters:
            raise TypeError(f"contract of {called}(): {name!r} is no parameter of it")

    def refuse(*values: Any) -> None:
        """The whole comparison, for what the quick tests leave open."""
        sizes: Sizes = {}
        for (name, alternatives), value in zip(terms.items(), values, strict=True):
            for one in _items(parameters[name], value):
                found = next((known for term in alternatives if (known := term.fits(one, sizes)) is not None), None)
                if found is None:
                    raise TypeError(_refusal(called, name, accepted[name], one, sizes, alternatives))
                sizes = found

    names: dict[str, Any] = {"np2torch_body": function, "np2torch_Tensor": Tensor, "np2torch_refuse": refuse}
    head, passed = _spelled_out(parameters, names)
    keyword, call = CALLS[_kind(function)]
    tests = _quick_tests(parameters, terms, names)
    own = function.__name__ if getattr(function, "__name__", "").isidentifier() else "function"
    lines = [f"{keyword} {own}({head}):"]
    lines += [f"    if not ({' and '.join(tests)}): np2torch_refuse({', '.join(terms)})"] if tests else []
    lines += ["    " + call.format(call=f"np2torch_body({passed})")]
    exec(compile("\n".join(lines), f"<contract of {called}>", "exec"), names)
    return functools.wraps(function)(names[own])


def _items(p: inspect.Parameter, value: Any) -> list[Any]:
    """Give the values of a parameter to compare: each item of `*args` and `**kwargs`; nothing for a default."""
    if p.kind is p.VAR_POSITIONAL:
        return list(value)
    if p.kind is p.VAR_KEYWORD:
        return list(value.values())
    return [] if value is p.default else [value]


def _spelled_out(parameters: Mapping[str, inspect.Parameter], names: dict[str, Any]) -> tuple[str, str]:
    """The parameters as a definition has them, and as a call hands them on; `names` gets the defaults."""
    head: list[str] = []
    passed: list[str] = []
    previous: Any = None
    for p in parameters.values():
        if previous is p.POSITIONAL_ONLY and p.kind is not previous:
            head.append("/")
        if p.kind is p.KEYWORD_ONLY and previous not in (p.KEYWORD_ONLY, p.VAR_POSITIONAL):
            head.append("*")
        star = "*" if p.kind is p.VAR_POSITIONAL else "**" if p.kind is p.VAR_KEYWORD else ""
        default = f"np2torch_default_{p.name}"
        names[default] = p.default
        head.append(f"{star}{p.name}" + ("" if p.default is p.empty else f"={default}"))
        passed.append(f"{p.name}={p.name}" if p.kind is p.KEYWORD_ONLY else star + p.name)
        previous = p.kind
    if previous is inspect.Parameter.POSITIONAL_ONLY:
        head.append("/")
    return ", ".join(head), ", ".join(passed)


def _quick_tests(
    parameters: Mapping[str, inspect.Parameter], terms: Mapping[str, tuple[Term, ...]], names: dict[str, Any]
) -> list[str]:
    """Conditions in Python that hold for the usual arguments; whoever fails them is looked at as a whole."""
    tests: list[str] = []
    places: dict[str, list[str]] = {}
    for name, alternatives in terms.items():
        if parameters[name].kind in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD):
            tests.append(f"not {name}")
            continue
        tests.append(" or ".join(_quick(name, at, term, names) for at, term in enumerate(alternatives)))
        sizes = [(at, size) for term in alternatives for at, size in enumerate(term.sizes or ())]
        if len(alternatives) == 1:
            for at, size in sizes:
                places.setdefault(size, []).append(f"{name}.size({at})")
        elif any(not size.isdigit() for _, size in sizes):
            tests[-1] = " or ".join(_quick(name, at, t, names) for at, t in enumerate(alternatives) if not t.sizes)
    tests = [f"({test})" for test in tests if test] + ["False"] * (not all(tests))
    for size, found in places.items():
        same = [*([size] if size.isdigit() else []), *found]
        tests += [" == ".join(same)] if len(same) > 1 else []
    return tests


def _quick(name: str, at: int, term: Term, names: dict[str, Any]) -> str:
    """The test whether an argument is the usual thing for one alternative."""
    if term.classes == PYTHON["None"]:
        return f"{name} is None"
    tests = []
    if term.classes:
        names[f"np2torch_classes_{name}_{at}"] = term.classes
        tests.append(f"type({name}) in np2torch_classes_{name}_{at}")
    if term.is_tensor:
        test = f"type({name}) is np2torch_Tensor"
        if term.dtypes is not None:
            names[f"np2torch_dtypes_{name}_{at}"] = term.dtypes
            test += f" and {name}.dtype in np2torch_dtypes_{name}_{at}"
        if term.sizes is not None:
            test += f" and {name}.ndim == {len(term.sizes)}"
        tests.append(test)
    return " or ".join(tests)


def _refusal(called: str, name: str, text: str, value: Any, sizes: Sizes, alternatives: tuple[Term, ...]) -> str:
    """The text of the error: what was expected, what came, what to write to allow it."""
    linked = sorted({s for term in alternatives for s in term.sizes or () if s in sizes})
    known = f" with {', '.join(f'{size} = {sizes[size]}' for size in linked)}" if linked else ""
    came = _spelled(value)
    wrong_size = came in (_spelled_term(term, value) for term in alternatives) and bool(linked)
    allow = "" if wrong_size or not came else f'; to allow it, state {name}: "{text} | {came}" and convert again'
    return f"{called}(): {name} must be {text}{known}, but it is {described(value)}{allow}"


def _spelled(value: Any) -> str:
    """An argument in the words of contracts; nothing for what has none."""
    if isinstance(value, Tensor):
        dtype = str(value.dtype)[6:]
        return f"{dtype}[{', '.join('nmklpqrstuvw'[: value.ndim])}]" if value.ndim < 12 else f"{dtype}[...]"
    return next((word for word, classes in PYTHON.items() if type(value) is classes[0]), "")


def _spelled_term(term: Term, value: Any) -> str:
    """Spell the argument where only its sizes do not fit an alternative."""
    fits = isinstance(value, Tensor) and term.is_tensor and (term.dtypes is None or value.dtype in term.dtypes)
    return _spelled(value) if fits and (term.sizes is None or len(term.sizes) == value.ndim) else ""
