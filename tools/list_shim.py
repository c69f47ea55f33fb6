"""Write `src/np2torch/rules/shim_names.txt`: every public dotted name of the shim.

The analyser reads the list and never imports the shim, which imports torch. A test fails when the list is stale.
"""

from __future__ import annotations

import pathlib
import types

PATH = pathlib.Path(__file__).parent.parent / "src/np2torch/rules/shim_names.txt"
NAMESPACES = (
    "linalg", "fft", "random", "testing", "typing", "operator", "polynomial", "polynomial.polynomial",
    "polynomial.polyutils", "polynomial.chebyshev", "polynomial.legendre", "polynomial.hermite",
    "polynomial.hermite_e", "polynomial.laguerre", "emath",
    "lib.stride_tricks", "lib.array_utils", "matlib",
)  # fmt: skip


CLASSES = {
    "ufunc": "add", "poly1d": "poly1d", "finfo": "finfo", "iinfo": "iinfo", "random.Generator": "random.Generator",
    "random.RandomState": "random.RandomState", "polynomial.Polynomial": "polynomial.Polynomial",
}  # fmt: skip
"""NumPy's classes whose members are listed too, and where the shim has an example of one."""
OBJECTS = {
    "nditer": "nditer([1.0], flags=['multi_index'])", "broadcast": "broadcast()",
    "random.SeedSequence": "random.SeedSequence(0)",
    "random.PCG64": "random.PCG64(0)", "random.MT19937": "random.MT19937(0)", "random.BitGenerator": "random.PCG64(0)",
}  # fmt: skip
"""Classes of which the shim has a part: how one is made."""


def members() -> set[str]:
    """The public members of the shim's counterparts of NumPy's classes."""
    from np2torch import shim
    from np2torch.names import resolve
    from np2torch.shim import methods

    found = {"polynomial.Polynomial"}
    for name, path in CLASSES.items():
        owner: object = shim
        for part in path.split("."):
            owner = getattr(owner, part)
        own = {*dir(owner), *getattr(owner, "__annotations__", ())}
        found |= {f"{name}.{member}" for member in own if not member.startswith("_")}
    for name, made in OBJECTS.items():
        own = {f"{name}.{member}" for member in dir(eval(f"shim.{made}", {"shim": shim}))}
        found |= own & set(resolve.members())
    examples = {"finfo": shim.finfo("float32"), "iinfo": shim.iinfo("int32")}
    found |= {f"{n}.{m}" for n, example in examples.items() for m in dir(example) if not m.startswith("_")}
    found |= {f"finfo.{limit}" for limit in examples["finfo"]._values}
    found |= {f"dtype.{name}" for name in methods.DTYPE_ATTRIBUTES if name[0] != "_"} | {"float64.fromhex"}
    return found | {f"ndarray.{name}" for name in {*methods.METHODS, *methods.ATTRIBUTES} if not name.startswith("_")}


def shim_names() -> list[str]:
    """Every public dotted name of the shim."""
    from np2torch import shim

    flat = {name: getattr(shim, name) for name in dir(shim) if not name.startswith("_")}
    found = {name for name, value in flat.items() if not isinstance(value, types.ModuleType)}
    for namespace in NAMESPACES:
        module: object = shim
        for part in namespace.split("."):
            module = getattr(module, part, None)
        for name in getattr(module, "__all__", ()):
            found.add(f"{namespace}.{name}")
    return sorted(found | members())


def main() -> None:
    """Write the list."""
    PATH.write_text("# public names of the shim, written by tools/list_shim.py\n" + "\n".join(shim_names()) + "\n")


if __name__ == "__main__":
    main()
