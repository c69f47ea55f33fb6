"""What is stated of the functions of the old side."""

from __future__ import annotations

import textwrap

import numpy as np
import pytest

from np2torch.source.discover import load_project
from np2torch.source.settings import load_settings
from np2torch.verify.drawn_values import Inputs
from np2torch.verify.pairs import functions
from np2torch.verify.statements import Statements
from np2torch.verify.trees import targets_of

MODULE = """
import numpy as np
from data import load


def f(t):
    return np.round(np.asarray(t) * 1e6)"""
PROGRAM = """

if __name__ == "__main__":
    print(f(np.arange(3)))
    print(f(load()))
"""


@pytest.mark.parametrize(
    ("text", "is_within"),
    [(MODULE + PROGRAM, False), (MODULE, True), (MODULE + "\n\nSINGLE = np.float32\n" + PROGRAM, True)],
)
def test_dtypes_that_a_program_never_speaks_of_are_not_within(tmp_path, text, is_within):
    path = tmp_path / "m.py"
    path.write_text(textwrap.dedent(text))
    settings = load_settings([path])
    statements = Statements.of(load_project([path], settings).files, settings)
    target, _ = targets_of(functions(path), path, statements)[0]
    assert target.is_within(Inputs((np.ones(2),), ()))
    assert target.is_within(Inputs((np.ones(2, np.float32),), ())) == is_within
