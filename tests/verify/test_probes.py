"""Gradients, graphs and devices of the new side."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from np2torch.verify.calls import Call, Observation, Step
from np2torch.verify.children import Child, Limits, ModuleError, Place
from np2torch.verify.encode import pack
from np2torch.verify.judge import Verdict
from np2torch.verify.known_differences import RECIPROCALS, TIES
from np2torch.verify.probes import BREAKS, DETACHED, HOLDS, NOTHING, WRONG, ProbeAnswer, casts, pivots
from np2torch.verify.probing import DIFFERS, gradients, graph, is_mismatch
from support.trees import NEW, OLD

FUNCTIONS = {
    "smooth": ("np.asarray(x, dtype=float) ** 2", "shim.asarray(x, dtype=torch.float64) ** 2", HOLDS),
    "cut": ("np.asarray(x, dtype=float) * 2", "(shim.asarray(x, dtype=torch.float64) * 2).detach()", DETACHED),
    "half": (
        "(y := np.asarray(x, dtype=float)) * np.sum(y)",
        "(y := shim.asarray(x, dtype=torch.float64)) * float(shim.sum(y))",
        WRONG,
    ),
    "count": ("np.size(x)", "shim.size(x)", NOTHING),
}  # fmt: skip


def texts(column: int) -> str:
    return "".join(f"def {name}(x: np.ndarray):\n    return {row[column]}\n" for name, row in FUNCTIONS.items())


def test_gradients_are_compared_with_numerical_ones(verify):
    done, rows = verify(OLD + texts(0), NEW + texts(1), "--grad")
    assert {name: row["probes"]["gradients"][0] for name, row in rows.items()} == {
        name: row[2] for name, row in FUNCTIONS.items()
    }
    assert done.exit_code == 1 and rows["half"]["verdict"] == "different" and rows["cut"]["verdict"] == "equal"


def test_what_breaks_a_graph_is_listed(verify, tmp_path):
    text = "def plain(x: {0}):\n    return x + x\ndef asks(x: {0}):\n    return 1 if x.sum() > 0 else 2\n"
    old, new = text.format("np.ndarray"), text.format("torch.Tensor")
    _, rows = verify(OLD + old, NEW + new, "--compile", "--markdown", "page.md")
    assert {name: row["probes"]["graph"][0] for name, row in rows.items()} == {"plain": HOLDS, "asks": BREAKS}
    assert rows["asks"]["verdict"] == "equal" and "| graph |" in (tmp_path / "page.md").read_text()


def test_the_device_is_one_that_torch_has(verify):
    text = "def f(x: np.ndarray):\n    return x[1:]\n"
    done, rows = verify(OLD + text, NEW + text.replace("np.ndarray", "torch.Tensor"), "--device", "cpu:0")
    assert done.exit_code == 0 and rows["f"]["verdict"] == "equal"
    wanted = ["meta", "nowhere"] + ([] if torch.cuda.is_available() else ["cuda"])
    for name in wanted:
        with pytest.raises(ValueError):
            verify(OLD + text, NEW + text, "--device", name)


def test_probes_say_the_worst_only_where_nothing_holds():
    wrong, holds, cut = ProbeAnswer(WRONG, "w"), ProbeAnswer(HOLDS), ProbeAnswer(DETACHED, "d")
    assert gradients([wrong, holds]).word == HOLDS and gradients([cut, wrong]) == wrong
    assert gradients([cut, ProbeAnswer(NOTHING)]) == cut and gradients([]).word == NOTHING
    assert is_mismatch(wrong) and not is_mismatch(cut)
    seen = Observation(values=pack([[1], [], []]))
    said = graph(lambda old, new: Verdict("different", "x"), [seen], [seen])
    assert said.word == DIFFERS and is_mismatch(said)


class Taking:
    """An observer that makes the calls of one function."""

    device = "cpu"
    module = None

    def __init__(self, function):
        self.function = function

    def find(self, module, name):
        raise AssertionError

    def seed(self):
        pass

    def take_steps(self, steps, values, results, passed, is_compiled=False):
        results.append(self.function(*values))


@pytest.mark.parametrize(("numbers", "word"), [([1.5], HOLDS), ([np.nan], WRONG), ([1e20], WRONG)])
def test_numpy_says_where_integers_cannot_hold_what_is_cast(numbers, word):
    call = Call((Step("f", None, 1),), pack([np.array(numbers)], is_layout_kept=True)).as_json()
    with np.errstate(all="ignore"):
        assert casts(Taking(lambda x: (x / 0, x.astype("int32"))), call).word == word
    assert casts(Taking(lambda x: x["no"]), call).word == BREAKS


def subnormal(*pivots: float) -> np.ndarray:
    """A matrix that is not diagonal, with these pivots."""
    return np.diag(pivots) @ np.triu(np.ones((len(pivots), len(pivots))))


@pytest.mark.parametrize(
    ("matrix", "word"),
    [
        (subnormal(1.0, 2.0, 3.0), HOLDS),
        (subnormal(3e-310, 2e-310, 1e-310), WRONG),
        (subnormal(1.0, 3e-310, 2e-310), WRONG),
        (np.full((3, 3), 1e-300), WRONG),
        (np.zeros((3, 3)), HOLDS),
        (np.ones((3, 3)), HOLDS),
        (np.full((3, 3), np.nan), HOLDS),
        (np.ones(3), NOTHING),
    ],
)
def test_subnormal_pivots_are_told(matrix, word):
    call = Call((Step("f", None, 1),), pack([matrix], is_layout_kept=True)).as_json()
    assert pivots(Taking(lambda x: np.linalg.det(x) if x.ndim == 2 else x), call).word == word


def test_torch_gives_nan_where_a_pivot_is_subnormal(verify):
    matrix = subnormal(3e-310, 2e-310, 1e-310)
    assert np.linalg.det(matrix) == 0 and torch.isnan(torch.linalg.det(torch.from_numpy(matrix)))
    text = "def f(x: {}):\n    y = {}(x, dtype={}).reshape(-1)[:3] * 1e-310\n    return {}(y[:, None] * (y / 2e-310))\n"
    old = text.format("np.ndarray", "np.asarray", "float", "np.linalg.det")
    new = text.format("torch.Tensor", "shim.asarray", "torch.float64", "torch.linalg.det")
    _, rows = verify(OLD + old, NEW + new)
    assert rows["f"]["verdict"] == "equal" and rows["f"]["known"] == [RECIPROCALS], rows["f"]


COUNTED = (
    "import os\nseen = []\ndef count():\n    seen.append(1)\n    return len(seen)\ndef leave():\n    os._exit(3)\n"
    "def lose():\n    from np2torch.verify.observe import Observer\n"
    "    Observer.is_device_lost = lambda self: True\n    return 7\n"
)


def test_a_worker_on_a_device_imports_the_module_and_is_kept(tmp_path):
    (tmp_path / "m.py").write_text(COUNTED)
    (tmp_path / "broken.py").write_text("import os\nos._exit(4)")
    count, leave, lose = (Call((Step(name, None, 0),), pack([])) for name in ("count", "leave", "lose"))

    with Child("new", Limits(0.3), device="cpu:0") as child:
        child.open(Place(tmp_path, "m"))

        def told(*calls: Call) -> list[object]:
            return [one.ended if one.values is None else one.values.values[0][1][0][1] for one in child.run(calls)]

        assert told(count, count) == [1, 2] and told(count) == [3]
        child.begin()
        assert told(count) == [4] and told(leave, count) == ["exit 3", 1]
        assert told(lose, count, lose, lose, lose, count) == [7, 1, 7, 7, 7, 1]
        with pytest.raises(ModuleError, match="exit 4"):
            child.open(Place(tmp_path, "broken"))


@pytest.mark.parametrize(("sort", "torch_sort", "word"), [
    ("np.argsort(x)", "torch.argsort(x, stable=True)", "equal"),
    ("x.argsort(0)", "torch.argsort(x, stable=True)", "equal"),
    ("np.argsort(x, kind='stable')", "torch.flip(torch.argsort(torch.flip(x, [0]), stable=True), [0])", "different"),
])  # fmt: skip
def test_any_order_of_ties_is_right_where_none_is_promised(verify, sort, torch_sort, word):
    text = "def f(x: {}):\n    x = {}(x, dtype={}).reshape(-1)\n    return {}\n"
    old = text.format("np.ndarray", "np.asarray", "float", sort)
    new = text.format("torch.Tensor", "shim.asarray", "torch.float64", torch_sort)
    _, rows = verify(OLD + old, NEW + new)
    assert rows["f"]["verdict"] == word, rows["f"]
    assert rows["f"]["known"] == [TIES] * (word == "equal")


def test_functions_of_numpy_are_those_of_the_shim_that_stand_for_them(verify):
    old = OLD + "def f(x: float):\n    return x, np.linalg.inv, np.sin\n"
    _, rows = verify(old, NEW + "def f(x: float):\n    return x, shim.linalg.inv, shim.sin\n")
    assert rows["f"]["verdict"] == "equal", rows["f"]
    _, rows = verify(old, NEW + "def f(x: float):\n    return x, shim.linalg.pinv, shim.sin\n")
    assert rows["f"]["verdict"] == "different"
