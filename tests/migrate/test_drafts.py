"""What is put together for a trial says what the whole conversion says, but for imports that nothing needs."""

from __future__ import annotations

import ast
import random
import textwrap

import pytest

from np2torch.migrate.conversion import Conversion
from np2torch.source.discover import load_project
from np2torch.source.model import Settings

CORE = '''
    """What both use."""

    import numpy as np
    from numpy.linalg import norm

    ZERO = np.zeros(2)


    def scale(x, by=2.0):
        return np.asarray(x) * by


    def length(x):
        return norm(scale(x)) + norm(ZERO)


    class Box:
        """A box."""

        def __init__(self, x):
            self.x = np.asarray(x, dtype=float)

        @property
        def half(self):
            return scale(self.x, 0.5)

        @half.setter
        def half(self, value):
            self.x = np.multiply(value, 2)

        if True:
            def mean(self):
                return np.mean(self.half)
'''
USE = """
    from proj.core import Box, length, scale


    def both(x):
        import numpy as np

        return np.add(length(x), Box(x).mean())


    def one(x):
        return scale(x).sum()
"""


@pytest.fixture(scope="module")
def conversion(tmp_path_factory):
    root = tmp_path_factory.mktemp("drafts")
    for name, text in {"proj/__init__.py": "", "proj/core.py": CORE, "proj/use.py": USE}.items():
        path = root / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"))
    settings = Settings(root=root)
    return Conversion(load_project((root,), settings).files, settings)


def parts(text):
    """The module without its own imports, and what these bind."""
    tree = ast.parse(text)
    imports = [one for one in tree.body if isinstance(one, (ast.Import, ast.ImportFrom))]
    tree.body = [one for one in tree.body if one not in imports]
    names = {(getattr(one, "module", ""), alias.name, alias.asname) for one in imports for alias in one.names}
    return ast.unparse(tree), names


@pytest.mark.parametrize("seed", range(30))
def test_a_draft_says_what_the_conversion_says(conversion, seed):
    every = conversion.everything()
    draw = random.Random(seed)
    entries = draw.sample(every, draw.randint(0, 5))
    for draft, exact in zip(conversion.draft_texts(entries), conversion.convert_files(entries), strict=True):
        (mine, bound), (whole, needed) = parts(draft), parts(exact.after)
        assert mine == whole and bound >= needed


def test_classes_are_left_as_a_whole(conversion):
    for entries in (["proj.core:Box"], ["proj.core:Box", "proj.use:one"], ["proj.core:Box", "proj.core:length"]):
        for draft, exact in zip(conversion.draft_texts(entries), conversion.convert_files(entries), strict=True):
            assert parts(draft)[0] == parts(exact.after)[0]
    assert "TODO" in draft or any("TODO" in one for one in conversion.draft_texts(["proj.core:Box"]))


def test_functions_take_no_conversion_of_their_own(conversion, monkeypatch):
    names = ("scale", "length", "one", "Box.mean")
    functions = [one for one in conversion.everything() if one.partition(":")[2] in names]
    classes = ["proj.core:Box"]
    conversion.draft_texts(functions + classes), conversion.draft_texts(functions)
    monkeypatch.setattr(type(conversion.work), "convert", None)
    assert conversion.draft_texts(classes) != conversion.draft_texts([*classes, "proj.core:scale"])
    assert conversion.draft_texts(functions[:1]) != conversion.draft_texts(functions[1:3]) != conversion.draft_texts(())
