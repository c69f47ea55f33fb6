"""Write what NumPy has, for an analyser that never imports it.

`src/np2torch/names/numpy_api.txt`: every public name of the installed NumPy with its kind. `numpy_members.txt`: the
methods and attributes of its classes, and the spellings of its dtypes. `torch_numpy.txt`: which of them `torch._numpy`
has, for comparison. Run it with the versions the project follows; a test holds that nothing of NumPy's is missing.
"""

from __future__ import annotations

import importlib
import pathlib
import types
import warnings

import numpy

MODULES = (
    "numpy numpy.linalg numpy.fft numpy.random numpy.testing numpy.polynomial numpy.polynomial.polynomial "
    "numpy.polynomial.chebyshev numpy.polynomial.legendre numpy.polynomial.hermite numpy.polynomial.hermite_e "
    "numpy.polynomial.laguerre numpy.lib numpy.lib.stride_tricks numpy.lib.scimath numpy.lib.format numpy.lib.npyio "
    "numpy.lib.mixins numpy.lib.recfunctions numpy.lib.array_utils numpy.ma numpy.char numpy.strings numpy.rec "
    "numpy.ctypeslib numpy.typing numpy.exceptions numpy.dtypes numpy.polynomial.polyutils numpy.lib.introspect "
    "numpy.lib.user_array numpy.testing.overrides numpy.version"
).split()
"""Modules whose names are their own."""
LISTED = "numpy.ma.extras numpy.ma.mrecords numpy.matlib numpy.f2py".split()
"""Modules that import much: theirs is what their `__all__` says, and `numpy` itself has not."""
PLUGIN = "numpy.typing.mypy_plugin"
"""Of what this module holds, which is up to the mypy that is installed, one name is called."""
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


CLASSES = (
    "ndarray generic ufunc dtype finfo iinfo poly1d nditer flatiter broadcast lib.Arrayterator matrix memmap recarray "
    "record char.chararray ma.MaskedArray busdaycalendar lib.npyio.DataSource lib.npyio.NpzFile random.Generator "
    "random.RandomState random.BitGenerator random.SeedSequence random.PCG64 random.PCG64DXSM random.MT19937 "
    "random.Philox random.SFC64 polynomial.Polynomial polynomial.Chebyshev polynomial.Legendre polynomial.Hermite "
    "polynomial.HermiteE polynomial.Laguerre"
).split()
"""Classes whose members count as API; of those derived from others what they define themselves."""
NAMES = pathlib.Path(__file__).parent.parent / "src/np2torch/names"


def members() -> dict[str, str]:
    """The public members of `CLASSES`, and the strings that spell a dtype."""
    found = {}
    for path in CLASSES:
        owner = reached(numpy, path)
        wider = (base for base in (numpy.ndarray, numpy.generic) if owner is not base and issubclass(owner, base))
        base = next(wider, None)
        for name in dir(owner):
            inherited = base is not None and getattr(owner, name) is getattr(base, name, None)
            if not name.startswith("_") and not inherited:
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


def names_in(module: types.ModuleType) -> list[str]:
    """The public names of a module that are no modules."""
    said = getattr(module, "__all__", [])
    if module.__name__ == PLUGIN:
        return ["plugin"]
    if module.__name__ in LISTED:
        return [name for name in said if getattr(numpy, name, None) is not getattr(module, name)]
    found = {name for name in dir(module) if not name.startswith("_")} | {"__version__"} & {*dir(module)} | {*said}
    return [name for name in sorted(found) if not isinstance(getattr(module, name), types.ModuleType)]


def public() -> dict[str, str]:
    """Every public name of NumPy, removed ones included."""
    found: dict[str, str] = {}
    for name in [*MODULES, *LISTED, PLUGIN]:
        with warnings.catch_warnings(action="ignore"):  # numpy.matlib asks to be left alone
            module = importlib.import_module(name)
        found[name] = "module"
        found |= {f"{name}.{attribute}": kind_of(getattr(module, attribute)) for attribute in names_in(module)}
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
