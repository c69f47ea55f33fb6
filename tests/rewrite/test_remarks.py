"""What is said beside the sites of a module."""

from __future__ import annotations

import multiprocessing
import pickle
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.rewrite.convert import convert_project
from np2torch.source.model import Settings, SourceFile

TEXT = """import concurrent.futures as futures
from multiprocessing import Pool, get_context

import numpy as np


def first(x):
    x[0] = 1.0
    return x.sum()


def run(n):
    arrays = [np.zeros(n)]
    with {made} as pool:
        return list(pool.map(first, arrays)), arrays[0]
"""


def _codes(text: str) -> list[tuple[int, str]]:
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings())
    return [(remark.line, remark.code) for remark in done.remarks]


@pytest.mark.parametrize("made", ["Pool(2)", "get_context('spawn').Pool()", "futures.ProcessPoolExecutor()"])
def test_tensors_that_go_to_other_processes(made):
    assert _codes(TEXT.format(made=made)) == [(14, "NPT580")]


def test_threads_share_arrays_too():
    assert _codes(TEXT.format(made="futures.ThreadPoolExecutor()")) == []


def test_a_module_without_arrays_is_not_spoken_of():
    assert _codes("from multiprocessing import Pool\n\nwith Pool() as pool:\n    pool.map(len, ['a'])\n") == []


def _send(value: object) -> object:
    """Send a value to a process that writes it."""
    context = multiprocessing.get_context("fork")
    ours, theirs = context.Pipe()
    other = context.Process(target=_write, args=(theirs,))
    other.start()
    ours.send(value)
    other.join()
    return value


def _write(end: object) -> None:
    value = end.recv()
    value[0] = 1.0


def test_that_is_what_torch_does():
    """The ground of the remark: when a torch fails here, the remark may go."""
    assert _send(np.zeros(2))[0] == 0.0
    assert _send(torch.zeros(2))[0] == 1.0


SIZED = "import sys\n\nimport numpy as np\n\nx = {made}\nprint(sys.getsizeof(x))\n"


@pytest.mark.parametrize(("made", "codes"), [("np.zeros(3)", [(6, "NPT581")]), ("[np.zeros(3)]", []), ("'text'", [])])
def test_the_size_that_python_counts(made, codes):
    assert _codes(SIZED.format(made=made)) == codes


def test_python_does_not_count_the_elements_of_tensors():
    assert sys.getsizeof(np.zeros(100)) > 800 > sys.getsizeof(torch.zeros(100, dtype=torch.float64))


PICKLES = """import pickle

import joblib
import numpy as np


class Model:
    def __init__(self, n):
        self.weights = np.zeros(n)


def run(file, n, names):
    x = np.ones(n)
    {statement}
    return x


run("x", 3, ["a"])
"""


@pytest.mark.parametrize(
    "statement",
    [
        "pickle.dump(x, file)",
        "joblib.dump({'x': x}, file)",
        "n = pickle.dumps([(1, x)])",
        "pickle.dump(Model(n), file)",
        "x = pickle.load(file)['x']",
        "x, y = joblib.load(file)",
    ],
)
def test_pickles_hold_tensors_or_give_ndarrays(statement):
    assert (14, "NPT582") in _codes(PICKLES.format(statement=statement))


@pytest.mark.parametrize(
    "statement",
    [
        "pickle.dump(names, file)",
        "pickle.dump(n, file)",
        "pickle.dump(x.tolist(), file)",
        "x = np.asarray(pickle.load(file))",
        "x = pickle.loads(pickle.dumps(x))",
    ],
)
def test_other_pickles_are_not_spoken_of(statement):
    assert "NPT582" not in [code for _, code in _codes(PICKLES.format(statement=statement))]


def test_what_the_remark_on_pickles_says_to_write_is_read_on_both_sides():
    x = torch.arange(3.0, dtype=torch.float64)
    found = pickle.loads(pickle.dumps(shim.to_numpy({"x": [x], "n": 2})))
    assert type(found["x"][0]) is np.ndarray
    assert torch.equal(shim.from_numpy(found)["x"][0], x) and found["n"] == 2
