"""Policies on floats, random numbers and devices: the text, what it computes, what is listed."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from np2torch import shim
from np2torch.report.summary import summary_lines
from np2torch.report.tally import Tally
from np2torch.rewrite.convert import convert_project
from np2torch.shim import policies
from np2torch.source.model import Converted, Settings, SourceFile
from np2torch.source.settings import SettingsError, load_settings

PROGRAM = """import numpy as np
from scipy.ndimage import gaussian_filter, label

counts = np.arange(12).reshape(3, 4)
points = np.linspace(0, 1, 5)
table = np.array([[1.0, 2], [3, 4]])
wide = counts / 3 + np.ones(4, dtype=np.float64)
weak = np.float32(2) * points
spectrum = np.fft.fft(points)
kept = np.zeros(3, dtype=np.float32) + 1
whole = counts.sum(axis=0) * 2
cast = counts.astype(float)
inverse = np.linalg.inv(table)
between = np.interp([0.5, 1.5], [0, 1, 2], points[:3])
mixed = np.where(counts > 3, counts, 0.5)
smooth = gaussian_filter(table, 1.0)
groups = label(counts > 5)[0]
drawn = np.random.default_rng(3).normal(size=4)
pair = np.meshgrid(points, points)
outer = np.add.outer(points, counts[0])
number = points.mean() + 1
"""


def convert(text: str, **settings: Any) -> Converted:
    """A module under a policy."""
    file = SourceFile(Path("m.py"), "m.py", text)
    return next(iter(convert_project([file], Settings(**{"closed": ("*",), **settings}))))


def run(text: str) -> dict[str, Any]:
    """The names a module binds."""
    names: dict[str, Any] = {"__name__": "m"}
    exec(compile(text, "m.py", "exec"), names)
    return names


def leaves(value: Any) -> list[Any]:
    """Arrays and tensors in a value."""
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value] if isinstance(value, (np.ndarray, np.generic, torch.Tensor)) else []


# ------------------------------------------------------------------------------------------------------ float
def test_every_float64_is_a_float32_and_all_else_the_same() -> None:
    after = convert(PROGRAM, float="float32").after
    assert "float64" not in after and "from np2torch.shim.policies import float32 as shim" in after
    old, new = run(PROGRAM), run(after)
    narrow = {"float64": "float32", "complex128": "complex64"}
    seen = set()
    for name, value in old.items():
        for before, found in zip(leaves(value), leaves(new.get(name)), strict=False):
            dtype = str(found.dtype).removeprefix("torch.")
            assert dtype == narrow.get(before.dtype.name, before.dtype.name), name
            assert np.allclose(before, found.numpy(), rtol=1e-5, atol=1e-6), name
            seen.add(name)
    assert seen >= {"counts", "wide", "weak", "spectrum", "kept", "whole", "inverse", "between", "mixed", "smooth"}
    assert seen >= {"groups", "drawn", "pair", "outer", "cast"}


def test_a_second_conversion_changes_nothing() -> None:
    both = {"device": "cuda", "float": "float32"}
    for settings in ({"float": "float32"}, {"random": "torch"}, {"device": "cpu"}, both):
        after = convert(PROGRAM + "np.random.seed(1)\nx = np.random.rand(3)\n", **settings).after
        assert convert(after, **settings).after == after


def test_numpys_floats_are_the_default() -> None:
    assert convert(PROGRAM).after == convert(PROGRAM, float="numpy", random="exact", device="default").after
    remarks = convert(PROGRAM).remarks
    assert "policies" not in convert(PROGRAM).after and {remark.code for remark in remarks} <= {"NPT533"}


# ----------------------------------------------------------------------------------------------------- random
DRAWS = {
    "np.random.rand(3, 4)": "torch.rand(3, 4, dtype=torch.float64)",
    "np.random.rand()": "torch.rand((), dtype=torch.float64).item()",
    "np.random.randn(*shape)": "torch.randn(*shape, dtype=torch.float64)",
    "np.random.random((2, 3))": "torch.rand((2, 3), dtype=torch.float64)",
    "np.random.random_sample(4)": "torch.rand((4,), dtype=torch.float64)",
    "np.random.standard_normal(size=shape)": "torch.randn(shape, dtype=torch.float64)",
    "np.random.uniform(-1, 1, 5)": "torch.empty((5,), dtype=torch.float64).uniform_(-1, 1)",
    "np.random.normal(size=(3,))": "torch.empty((3,), dtype=torch.float64).normal_(0.0, 1.0)",
    "np.random.normal(5.0, scale=2)": "torch.empty((), dtype=torch.float64).normal_(5.0, 2).item()",
    "np.random.randint(2, 9, size=6)": "torch.randint(2, 9, (6,))",
    "np.random.randint(4)": "torch.randint(4, ()).item()",
    "np.random.permutation(8)": "torch.randperm(8)",
}
KEPT = (
    "np.random.poisson(3, 4)", "np.random.normal(np.zeros(3), 1)", "np.random.randint(0, 9, 3, dtype=np.int32)",
    "np.random.permutation([1, 2])", "np.random.rand(**{})", "np.random.random(unknown())", "np.random.choice(3)",
    "np.random.default_rng(0).normal(size=2)",
)  # fmt: skip


@pytest.mark.parametrize("source", DRAWS)
def test_draws_are_torchs(source: str) -> None:
    text = f"import numpy as np\n\nshape = (2, 2)\nx = {source}\n"
    after = convert(text, random="torch").after
    assert f"x = {DRAWS[source]}\n" in after
    old, new = run(text)["x"], run(after)["x"]
    assert np.shape(old) == tuple(getattr(new, "shape", ()))
    assert isinstance(new, (float, int)) if np.ndim(old) == 0 else str(new.dtype) == f"torch.{old.dtype}"


@pytest.mark.parametrize("source", KEPT)
def test_what_torch_has_not_keeps_numpys_stream(source: str) -> None:
    done = convert(f"import numpy as np\n\n\ndef f(unknown):\n    return {source}\n", random="torch")
    assert "shim." in done.after and not [r for r in done.remarks if r.code == "NPT508"]


def test_seeds_seed_both() -> None:
    after = convert("import numpy as np\n\nnp.random.seed(7)\n", random="torch").after
    assert "shim.manual_seed(7)" in after
    shim.manual_seed(7)
    first = torch.rand(3), shim.random.rand(2)
    shim.manual_seed(7)
    assert torch.equal(torch.rand(3), first[0]) and torch.equal(shim.random.rand(2), first[1])
    assert np.array_equal(np.random.RandomState(7).rand(2), first[1].numpy())
    shim.manual_seed()
    assert not torch.equal(torch.rand(3), first[0])


# ----------------------------------------------------------------------------------------------------- device
def test_calls_that_make_tensors_say_where() -> None:
    after = convert(PROGRAM, device="cuda").after
    assert 'torch.linspace(0, 1, 5, dtype=torch.float64, device="cuda")' in after
    assert "import cuda as shim" in after and ".numpy(force=True)" in after and "torch.from_numpy" not in after
    multiline = "import numpy as np\n\nx = np.zeros(\n    3,\n    dtype=int,\n)\ny = np.ones(2)[None]\n"
    after = convert(multiline, device="cuda:1").after
    assert after.count('device="cuda:1"') == 2 and "shim" not in after


GIVEN = """import numpy as np
from scipy.ndimage import gaussian_filter

def f(x, n, w=np.ones(3)):
    grid = np.linspace(0.0, 1.0, 7)
    kernel = np.array([1.0, 2.0])
    def inner(k):
        return np.zeros(k) + x[:k]
    return grid, np.where(x > 0, 1.0, 2.0), np.eye(n), inner(n), gaussian_filter(x, 1.0) + x, kernel, np.add(n, kernel)

def bound_again(x):
    x = x + np.ones(3)
    return np.zeros(3)

def without(n):
    return np.ones(n)

f(np.ones(3), 3), bound_again(np.ones(3))
"""


def test_what_stands_in_several_lines_says_where() -> None:
    text = "import numpy as np\n\nlong = np.r_[0.25,\n             4.5]\nprint(np.array([\n    1,\n    2.5]))\n"
    (done,) = convert_project([SourceFile(Path("m.py"), "m.py", text)], Settings(device="cpu"))
    assert not done.problems
    names: dict[str, Any] = {}
    exec(done.after, names)
    assert done.after.count('device="cpu"') == 2
    assert names["long"].tolist() == [0.25, 4.5]


def test_objects_of_the_shim_are_what_they_are() -> None:
    """Only what makes tensors is wrapped; it is equal to what it stands for, and the same each time."""
    here = policies.cpu
    assert here.add == shim.add and {here.add: 1}[shim.add] == 1
    assert here.random.RandomState is shim.random.RandomState
    assert here.sum is here.sum and here.random._rand is here.random._rand
    x = torch.zeros(3, dtype=torch.float64)
    here.attribute(x, "flat")[1] = 2.0
    assert x.tolist() == [0.0, 2.0, 0.0]
    generator = pickle.loads(pickle.dumps(here.random.RandomState(3)))
    assert generator.rand(2).tolist() == here.random.RandomState(3).rand(2).tolist()
    assert here.sum(here.asarray(np.arange(3))).item() == 3


def test_the_device_of_a_parameter() -> None:
    after = convert(GIVEN, device="parameter").after
    lines = [line.strip() for line in after.splitlines()]
    assert "def f(x, n, w=torch.ones(3, dtype=torch.float64)):" in lines
    assert "grid = shim.linspace(0.0, 1.0, 7).to(x.device)" in lines
    assert "return torch.zeros(k, dtype=torch.float64, device=x.device) + x[:k]" in lines
    assert "shim.from_numpy(gaussian_filter(x.numpy(force=True), 1.0)).to(x.device)" in after
    assert "return torch.zeros(3, dtype=torch.float64)" in lines  # bound again
    assert "return torch.ones(n, dtype=torch.float64)" in lines  # no tensor to ask
    assert "from np2torch import shim" in lines
    old, new = run(GIVEN), run(after)
    x = np.array([0.5, -1.0, 2.0])
    pairs = zip(leaves(old["f"](x, 3)), leaves(new["f"](torch.tensor(x), 3)), strict=True)
    assert all(np.allclose(before, found.numpy(), rtol=1e-12, atol=0) for before, found in pairs)


def test_what_is_on_the_named_device_is_right() -> None:
    old, new = run(PROGRAM), run(convert(PROGRAM, device="cpu").after)
    for name, value in old.items():
        for before, found in zip(leaves(value), leaves(new.get(name)), strict=False):
            assert np.allclose(before, found.numpy(), rtol=1e-12), name


def test_the_shim_moves_what_it_makes() -> None:
    there = policies.meta
    assert there.zeros(3).device.type == there.linalg.inv(torch.eye(2)).device.type == "meta"
    assert there.default_rng(0).normal(size=3).device.type == "meta"
    assert policies.meta_float32.arange(3.0).dtype is torch.float32
    assert policies.float32.add.reduce(torch.ones(3, dtype=torch.float64)).dtype is torch.float32
    assert policies.float32.divmod(torch.ones(3, dtype=torch.float64), 2)[0].dtype is torch.float32
    assert policies.float32.dtype is not None and policies.float32.LinAlgError is shim.LinAlgError
    rng = policies.float32.default_rng(0)
    assert isinstance(rng, shim.random.Generator) and policies.float32.isinstance(rng, shim.random.Generator)
    assert policies.float32.r_[1.0, 2.0].dtype is torch.float32
    with pytest.raises(RuntimeError):
        policies.nowhere  # noqa: B018
    with pytest.raises(AttributeError):
        policies.__path__  # noqa: B018


def test_float64_is_flagged_where_there_is_none() -> None:
    found = {device: {r.code for r in convert(PROGRAM, device=device).remarks} for device in ("mps", "cuda")}
    codes = {device: found[device] - {"NPT533"} for device in found}
    assert codes == {"mps": {"NPT509", "NPT510"}, "cuda": {"NPT509"}}
    assert "NPT510" not in {r.code for r in convert(PROGRAM, device="mps", float="float32").remarks}
    lines = {r.line for r in convert(PROGRAM, device="mps").remarks if r.code == "NPT510"}
    assert {5, 6, 7} <= lines and 4 not in lines


# ---------------------------------------------------------------------------------------------------- report
def test_the_summary_lists_what_policies_change() -> None:
    tally = Tally(total=1)
    tally.add(convert(PROGRAM, float="float32", device="mps"))
    text = "\n".join(summary_lines(tally))
    assert "float32 by policy (NPT507): " in text and "device by policy (NPT509): " in text and "... and " in text
    assert text.count("NPT507") == 6


@pytest.mark.parametrize(
    "line", ['float = "float16"', "float = 32", 'random = "numpy"', 'device = "gpu"', 'device = "cuda:x"', "device = 0"]
)
def test_wrong_policies_are_refused(line: str, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text(f"[tool.np2torch]\n{line}\n")
    with pytest.raises(SettingsError):
        load_settings([tmp_path])


# ------------------------------------------------------------------------------------------------- generators
GENERATORS = """
import numpy as np

rng = np.random.default_rng(3)
old = np.random.RandomState(seed := 1)
kept = np.random.default_rng(4)
unseeded = np.random.default_rng()


def drawn(n):
    own = np.random.default_rng(n)
    return own.random(n), rng.standard_normal((2, 3)), own.normal(1.0, 2.0), rng.integers(0, 5, 3), rng.integers(7)


def older():
    return old.uniform(0, 1, (2, 2)), old.rand(2), old.permutation(4), old.rand(), old.randint(2, size=(2,))


def others():
    both = np.random.default_rng(5)
    both.shuffle(np.arange(3))
    return kept.choice([1, 2]), unseeded.random(3), both.random(2)


def handed(n, stream=None):
    stream = np.random.default_rng(n) if stream is None else stream
    return stream.random(n)


def main():
    return drawn(3), older(), others(), handed(2)
"""


def outline(value: object) -> object:
    if isinstance(value, tuple):
        return [outline(one) for one in value]
    if hasattr(value, "dtype"):
        return str(value.dtype).removeprefix("torch."), tuple(value.shape)  # type: ignore[attr-defined]
    return type(value).__name__


def test_seeded_generators_become_torchs_where_all_draws_do() -> None:
    text = convert(GENERATORS.replace("seed := 1", "1"), random="torch").after
    assert "own = torch.Generator().manual_seed(n)" in text
    assert "torch.randint(0, 5, (3,), generator=" in text
    for name in ("kept", "unseeded", "both"):
        assert f"{name} = shim.default_rng(" in text
    old: dict[str, object] = {}
    new: dict[str, object] = {}
    exec(GENERATORS, old)
    exec(text, new)
    for name in ("older", "handed"):
        arguments = (2,) if name == "handed" else ()
        assert outline(new[name](*arguments)) == outline(old[name](*arguments)), name  # type: ignore[operator]
    first, second = new["drawn"](3), new["drawn"](3)  # type: ignore[operator]
    assert outline(first)[:2] == outline(old["drawn"](3))[:2]  # type: ignore[operator,index]
    assert first[0].tolist() == second[0].tolist() and first[1].tolist() != second[1].tolist()
    assert isinstance(first[2], float) and first[3].dtype == torch.int64
