"""Values that are text by their use: `name.startswith("x")`, `open(path)`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from np2torch.names.tree import Nodes, dotted_name

OF_TEXT = frozenset(
    "strip lstrip rstrip splitlines startswith endswith casefold swapcase capitalize lower upper zfill ljust rjust "
    "expandtabs removeprefix removesuffix isdigit isalpha isalnum isnumeric isdecimal isspace isupper islower "
    "isidentifier istitle isprintable".split()
)
"""Methods that text has, and no array, number or container."""
SPLITTING = frozenset({"split", "rsplit"})
"""Methods that give a list of texts, where they are given a separator that is written out, or nothing."""
OPENING = frozenset(
    "open io.open gzip.open bz2.open lzma.open codecs.open os.listdir os.makedirs os.remove os.stat "
    "pathlib.Path Path".split()
)
"""Functions that take a path first."""
OF_PATHS = "os.path."


def names_text(call: ast.Call) -> bool:
    """Tell whether it is a call of a method that only text has, whatever its owner is."""
    function = call.func
    if not isinstance(function, ast.Attribute) or _is_of_column(function.value):
        return False
    if function.attr in SPLITTING:
        return all(isinstance(one, ast.Constant) for one in (*call.args, *(k.value for k in call.keywords)))
    return function.attr in OF_TEXT


def _is_of_column(owner: ast.expr) -> bool:
    """Tell whether it is `df.name.str`, the texts of a column of pandas."""
    return isinstance(owner, ast.Attribute) and owner.attr == "str"


def path_uses(nodes: Nodes) -> Iterator[ast.expr]:
    """Find what is opened, or taken for a path."""
    for call in nodes.of(ast.Call):
        name = dotted_name(call.func) or ""
        if call.args and (name in OPENING or name.startswith(OF_PATHS)):
            yield call.args[0]
