"""A text is put together from others, piece by piece, with the imports that these need."""

from __future__ import annotations

import ast

from np2torch.migrate.splicing import HEAD, Cut, name_of, splice

PLAIN = '''"""A module."""

from __future__ import annotations

import torch

LIMIT = 3


# of f
def f(x):
    return torch.sum(x)


class A:
    """A class."""

    @property
    def g(self):
        return torch.ones(3)

    @g.setter
    def g(self, value):
        """\x0c A form feed is no end of a line."""


def h(x): return x
'''
KEPT = '''"""A module."""

from __future__ import annotations

import numpy as np
from np2torch import shim

LIMIT = 3


# of f
# TODO(np2torch): NPT535 `f` is left on NumPy
@shim.on_numpy
def f(x):
    return np.sum(x)


@shim.public
class A:
    """A class."""

    @property
    @shim.on_numpy
    def g(self):
        return np.ones(3)

    @g.setter
    @shim.on_numpy
    def g(self, value):
        """\x0c A form feed is no end of a line."""


@shim.on_numpy
def h(x): return x
'''


def test_pieces_come_with_their_comments_decorators_and_imports():
    plain, kept = Cut(PLAIN), Cut(KEPT)
    assert list(plain.pieces) == [("f", 0), (f"A.{HEAD}", 0), ("A.g", 0), ("A.g", 1), ("h", 0)]
    text = splice(plain, {("f", 0): kept})
    assert text is not None and "NPT535 `f`" in text and text.count("# of f") == 1 and text.count("on_numpy") == 1
    assert text.index("__future__") < text.index("import numpy as np") < text.index("import torch")
    assert splice(plain, {}) == PLAIN
    every = splice(plain, dict.fromkeys(plain.pieces, kept))
    assert every is not None
    assert sorted(every.replace("import torch\n", "").splitlines()) == sorted(KEPT.splitlines())


def test_what_is_not_made_of_the_same_pieces_is_not_put_together():
    assert splice(Cut(PLAIN), {("f", 0): Cut(KEPT.replace("def h", "def other"))}) is None
    hidden = KEPT.replace("import numpy as np", "try:\n    import numpy as np\nexcept ImportError: pass")
    assert splice(Cut(PLAIN), {("f", 0): Cut(hidden)}) is None


def test_definitions_have_the_names_of_their_pieces():
    tree = ast.parse(PLAIN)
    assert list(name_of(tree).values()) == list(Cut(PLAIN).pieces)


def test_imports_go_above_a_definition_that_comes_first():
    plain, kept = "# of f\ndef f(x): return x\n", "import numpy as np\n\n\n# of f\ndef f(x): return np.abs(x)\n"
    text = splice(Cut(plain), {("f", 0): Cut(kept)})
    assert text == "import numpy as np\n# of f\ndef f(x): return np.abs(x)\n"
