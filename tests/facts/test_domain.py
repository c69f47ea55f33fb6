"""Analyses in one process: what one of them learns or forgets, another does not notice."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from np2torch.facts import values as v
from np2torch.facts.domain import DOMAIN, Domain
from np2torch.facts.interpreter import Interpreter
from np2torch.facts.interpreter.definitions import FunctionDefinition, ModuleInfo
from np2torch.rewrite.convert import Work, analyse
from np2torch.rules.api import RuleBook
from np2torch.source.model import Settings, SourceFile

TEXTS = {
    "mean": "import numpy as np\n\n\ndef f(x):\n    x = np.asarray(x)\n    return x.mean(axis=0), np.sin(x) + 1\n",
    "float32": "import numpy as np\n\n\ndef g(n):\n    return np.zeros(n, dtype=np.float32).mean(axis=0)\n",
    "eigenvalues": "import numpy as np\n\n\ndef h(a):\n    return np.linalg.eigvals(a), np.abs(a).sum()\n",
    "another name": "import numpy as base\n\n\ndef k(a):\n    b = base.reshape(a, -1)\n    b[0] = 1\n    return a\n",
}


def begun(name: str) -> Work:
    """An analysis of one of the texts."""
    return analyse([SourceFile(Path("m.py"), "m.py", TEXTS[name])], Settings(closed=("*",)))


def text_of(work: Work) -> str:
    (done,) = work.run()
    assert not done.problems
    return done.after


@pytest.mark.parametrize("first", TEXTS)
@pytest.mark.parametrize("second", TEXTS)
def test_analyses_do_not_disturb_each_other(first, second):
    alone = {name: text_of(begun(name)) for name in (first, second)}
    one, other = begun(first), begun(second)
    assert text_of(one) == alone[first]
    assert text_of(other) == alone[second]
    assert text_of(one) == alone[first]  # asked again after the other


def test_a_dtype_of_one_project_would_change_the_other():
    """The test above can fail: beside float32 the mean is written otherwise."""
    texts = [TEXTS["mean"], TEXTS["mean"] + "\n\nnp.zeros(3, dtype=np.float32)\n"]
    works = [analyse([SourceFile(Path("m.py"), "m.py", text)], Settings(closed=("*",))) for text in texts]
    one, other = (text_of(work).partition("def f")[2].split("\n\n")[0] for work in works)
    assert one != other


def test_joining_leaves_the_definitions_as_they_are():
    names = [f"f{n}" for n in range(2 * v.MOST_ATOMS)]
    module = ModuleInfo("m", "m.py", ast.parse("".join(f"def {name}(): pass\n" for name in names)))
    engine = Interpreter(RuleBook())
    engine.run([module])
    functions = [atom for name in names for atom in module.env[name]]
    definitions: list[FunctionDefinition] = [atom.definition for atom in functions]
    assert v.join(*(frozenset([atom]) for atom in functions)) == v.GIVEN_UP
    assert not any(definition.escaped for definition in definitions)
    assert set(definitions) == DOMAIN.lost
    engine.note_escapes()
    assert all(definition.escaped for definition in definitions) and not DOMAIN.lost


def test_what_is_memoised_goes_with_the_analysis():
    fact = frozenset([v.Num("int", 3)])
    one, other = Domain(), Domain()
    one.activate()
    v.widen(fact)
    assert DOMAIN.memos
    other.activate()
    assert not DOMAIN.memos and one.memos
