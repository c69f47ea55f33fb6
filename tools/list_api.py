"""Write what NumPy has, for an analyser that never imports it.

`src/np2torch/names/numpy_api.txt`: every public name of the installed NumPy with its kind. `numpy_members.txt`: the
methods and attributes of its classes, and the spellings of its dtypes. `torch_numpy.txt`: which of them `torch._numpy`
has, for comparison. Run it with the versions the project follows; a test holds that nothing of NumPy's is missing.
"""

from __future__ import annotations

import importlib
import pathlib
import types

import numpy

MODULES = (
    "numpy numpy.linalg numpy.fft numpy.random numpy.testing numpy.polynomial numpy.polynomial.polynomial "
    "numpy.polynomial.chebyshev numpy.polynomial.legendre numpy.polynomial.hermite numpy.polynomial.hermite_e "
    "numpy.polynomial.laguerre numpy.lib numpy.lib.stride_tricks numpy.lib.scimath numpy.lib.format numpy.lib.npyio "
    "numpy.lib.mixins numpy.lib.recfunctions numpy.lib.array_utils numpy.ma numpy.char numpy.strings numpy.rec "
    "numpy.ctypeslib numpy.typing numpy.exceptions numpy.dtypes"
).split()
REMOVED = {
    "function": "in1d product cumproduct alltrue sometrue row_stack trapz round_ asfarray msort find_common_type cast "
    "source issubclass_ issctype obj2sctype sctype2char maximum_sctype compare_chararrays who deprecate disp mat "
    "asscalar alen rank safe_eval set_string_function nbytes recfromcsv recfromtxt add_newdoc_ufunc tracemalloc_domain "
    "geterrobj seterrobj",
    "class": "bool8 float_ complex_ int object bool float complex str unicode_ string_ longfloat singlecomplex cfloat "
    "longcomplex clongfloat int0 uint0",
    "constant": "Inf Infinity NaN NAN infty PINF NINF PZERO NZERO",
}


def kind_of(value: object) -> str:
    """The word the analyser uses for what a name is."""
    if isinstance(value, types.ModuleType):
        return "module"
    if isinstance(value, type):
        return "class"
    if isinstance(value, numpy.ufunc):
        return "ufunc"
    return "function" if callable(value) else "constant"


CLASSES = "ndarray ufunc dtype random.Generator random.RandomState poly1d finfo iinfo polynomial.Polynomial".split()
"""Classes whose members count as API."""
NAMES = pathlib.Path(__file__).parent.parent / "src/np2torch/names"


def members() -> dict[str, str]:
    """The public members of `CLASSES`, and the strings that spell a dtype."""
    found = {}
    for path in CLASSES:
        owner = reached(numpy, path)
        for name in dir(owner):
            if not name.startswith("_"):
                found[f"{path}.{name}"] = "method" if callable(getattr(owner, name)) else "attribute"
    for name in ("finfo", "iinfo"):  # set when one is made
        example = getattr(numpy, name)("float32" if name == "finfo" else "int32")
        more = [member for member in dir(example) if not member.startswith("_")]
        found = {f"{name}.{member}": "attribute" for member in more} | found
    spellings = {str(key) for key in numpy.sctypeDict if isinstance(key, str)} | set(numpy.typecodes["All"])
    return found | {f"dtype.'{spelling}'": "spelling" for spelling in spellings}


def reached(module: object, path: str) -> object:
    """What a dotted name means in a module; None for nothing."""
    for part in path.split("."):
        module = getattr(module, part, None)
    return module


def in_torch(names: dict[str, str]) -> list[str]:
    """Which of these names `torch._numpy` has; of dtypes those it can spell."""
    import torch._numpy as torch_numpy

    found = []
    for name in names:
        short = name.removeprefix("numpy.")
        if short.startswith("dtype.'"):
            try:
                torch_numpy.dtype(short[len("dtype.'") : -1])
            except (TypeError, KeyError, ValueError):
                continue
            found.append(name)
        elif reached(torch_numpy, short) is not None:
            found.append(name)
    return found


def write(name: str, what: str, lines: list[str]) -> None:
    """Write one of the lists."""
    text = "\n".join([f"# {what}, written by tools/list_api.py", *sorted(lines)])
    (NAMES / name).write_text(text + "\n", "ascii")


def public() -> dict[str, str]:
    """Every public name of NumPy, removed ones included."""
    found: dict[str, str] = {}
    for name in MODULES:
        module = importlib.import_module(name)
        found[name] = "module"
        for attribute in dir(module):
            if not attribute.startswith("_") or attribute == "__version__":
                value = getattr(module, attribute)
                if not isinstance(value, types.ModuleType) or f"{name}.{attribute}" in MODULES:
                    found[f"{name}.{attribute}"] = kind_of(value)
    scimath = {name: kind for name, kind in found.items() if name.startswith("numpy.lib.scimath")}
    found |= {name.replace("numpy.lib.scimath", "numpy.emath"): kind for name, kind in scimath.items()}
    for kind, names in REMOVED.items():
        for attribute in names.split():
            found.setdefault(f"numpy.{attribute}", kind)
    return found


def main() -> None:
    """Write the lists."""
    import torch

    names, own = public(), members()
    write("numpy_api.txt", f"names of NumPy {numpy.__version__}", [" ".join(item) for item in names.items()])
    write("numpy_members.txt", f"members of NumPy {numpy.__version__}", [" ".join(item) for item in own.items()])
    both = in_torch({**names, **own})
    write("torch_numpy.txt", f"what torch {torch.__version__.partition('+')[0]} has of them in torch._numpy", both)


if __name__ == "__main__":
    main()
