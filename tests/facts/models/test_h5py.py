"""What is known of files of arrays: both sides write and read one, of h5py where that is installed or of a stand-in."""

from __future__ import annotations

import importlib.util
import sys
import textwrap
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from np2torch.facts import values as v
from np2torch.verify.compare import difference
from support.conversions import convert_text
from support.facts import one
from support.handlers import agree

HEAD = "import h5py\nf = h5py.File('x.h5', 'w', driver='core', backing_store=False)\n"
EXPRESSIONS = {
    "f": "h5py.Group()", "f.create_group('g')": "h5py.Group()", "f['g']": "h5py.Node()",
    "f['g'].attrs": "h5py.AttributeManager()",
    "f.create_dataset('d', data=[1])": "h5py.Dataset()", "f.create_dataset('d', (3,)).astype('f4')": "h5py.Dataset()",
    "f['g'].file": "h5py.Group()", "[item for item in f.values()][0]": "h5py.Node()",
}  # fmt: skip
ANYTHING = ("f['d'][:]", "f['d'][0, 1]", "f['g'].attrs['unit']", "f['g']['d']", "f['d'].len()", "f['d'] + 1")


class Dataset:
    """The array of a name, as h5py shows it."""

    def __init__(self, values: Any) -> None:
        assert isinstance(values, (np.ndarray, np.generic, float, int, list)), type(values)
        self.values = np.array(values)
        self.shape, self.dtype = self.values.shape, self.values.dtype

    def __getitem__(self, index: Any) -> Any:
        parts = index if isinstance(index, tuple) else (index,)
        assert all(isinstance(part, (int, slice, type(...), np.ndarray, np.integer)) for part in parts), parts
        return self.values[index].copy()

    def __setitem__(self, index: Any, values: Any) -> None:
        self.values[index] = np.asarray(values)  # h5py takes what NumPy makes an array of

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return self.values.astype(dtype or self.dtype)


class Attributes(dict[str, Any]):
    """The attributes of a group."""

    def __setitem__(self, name: str, value: Any) -> None:
        assert isinstance(value, (np.ndarray, np.generic, float, str)), type(value)
        super().__setitem__(name, np.asarray(value)[()] if not isinstance(value, str) else value)


class File(dict[str, Any]):
    """A file, or a group in one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        self.attrs = Attributes()

    def __enter__(self) -> File:
        return self

    def __exit__(self, *error: Any) -> None:
        pass

    def __setitem__(self, name: str, values: Any) -> None:
        super().__setitem__(name, values if isinstance(values, File) else Dataset(values))

    def create_group(self, name: str) -> File:
        self[name] = group = File()
        return group

    def create_dataset(self, name: str, shape: Any = None, dtype: Any = float, data: Any = None) -> Any:
        self[name] = np.zeros(shape, dtype) if data is None else data
        return self[name]


@pytest.fixture(autouse=True)
def h5py(monkeypatch: pytest.MonkeyPatch) -> None:
    if importlib.util.find_spec("h5py") is None:
        module = ModuleType("h5py")
        module.__dict__.update(File=File, Group=File, Dataset=Dataset)
        monkeypatch.setitem(sys.modules, "h5py", module)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_objects_stay_objects_of_the_file(expression):
    assert v.sole(one(f"{HEAD}show({expression})")) == v.Opaque(EXPRESSIONS[expression])


def test_a_name_of_unknown_type_is_a_name_in_a_group():
    text = f"import sys\n{HEAD}show(f[sys.argv[1]])"
    assert v.sole(one(text)) == v.Opaque("h5py.Node()")


@pytest.mark.parametrize("expression", ANYTHING)
def test_what_is_read_may_be_anything(expression):
    assert v.known_to_include(one(f"{HEAD}show({expression})"), "unknown")


def test_arrays_cross_on_their_way_into_a_file_and_out_of_it():
    agree(
        """
        import h5py

        image = np.arange(12.0).reshape(3, 4)
        with h5py.File("x.h5", "w", driver="core", backing_store=False) as f:
            data = f.create_dataset("image", data=image)
            inner = f.create_group("inner")
            inner["rows"] = np.array([2, 0])
            inner.attrs["scale"] = image.max()
            data[1] = image[0] * 2
            data[:, 0] += image[:, 1]
            mask = data[:, 0] > 2
            chosen = data[mask], f["image"][1, 2], f["inner"]["rows"][:]
            single = data.dtype == np.float64, data.dtype in (np.float32,)
            names = [(name, len(item)) for name, item in f.items()]
            total = np.sum(data) * f["inner"].attrs["scale"] + f.get("image")[()].std()
            unit = f["inner"].attrs.get("unit", 2)
            print(chosen, single, unit, sorted(f.keys()))
        del f, data, inner
        """,
        """
        import h5py

        image = torch.arange(12.0, dtype=torch.float64).reshape(3, 4)
        with h5py.File("x.h5", "w", driver="core", backing_store=False) as f:
            data = f.create_dataset("image", data=image.numpy())
            inner = f.create_group("inner")
            inner["rows"] = torch.tensor([2, 0]).numpy()
            inner.attrs["scale"] = shim.to_numpy(image.max())
            data[1] = (image[0] * 2).numpy()
            data[:, 0] += image[:, 1].numpy()
            mask = shim.from_numpy(data[:, 0]) > 2
            chosen = (
                shim.from_numpy(data[shim.to_numpy(mask, copy=True)]),
                shim.from_numpy(f["image"][1, 2]),
                shim.from_numpy(f["inner"]["rows"][:]),
            )
            single = shim.operator.eq(data.dtype, torch.float64), shim.operator.contains((torch.float32,), data.dtype)
            names = [(name, len(item)) for name, item in f.items()]
            total = shim.operator.add(
                shim.operator.mul(shim.sum(data), shim.from_numpy(f["inner"].attrs["scale"])),
                shim.invoke(shim.from_numpy(f.get("image")[()]), "std"),
            )
            unit = shim.from_numpy(f["inner"].attrs.get("unit", 2))
            print(shim.text(chosen), single, shim.text(unit), sorted(f.keys()))
        del f, data, inner
        """,
    )


def test_parts_of_datasets_in_groups_are_updated():
    text = """
        import h5py
        import numpy as np

        def add(file, name, more):
            group = file[name]
            group["counts"][:] += more
            group["counts"][0] += more[1]
            return group["counts"][:]

        f = h5py.File("x.h5", "w", driver="core", backing_store=False)
        f.create_group("inner").create_dataset("counts", data=np.zeros(3))
        counts = np.array(add(f, "inner", np.array([True, False, True])))
        del f
        """
    old: dict[str, Any] = {}
    new: dict[str, Any] = {}
    exec(textwrap.dedent(text), old)
    exec(convert_text(text), new)
    assert difference(old["counts"], new["counts"]) is None
