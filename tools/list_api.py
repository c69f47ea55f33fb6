"""Write `src/np2torch/names/numpy_api.txt`: every public name of the installed NumPy with its kind.

Run it with the NumPy version the project follows; the analyser reads the list and never imports NumPy.
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
    "asscalar rank safe_eval set_string_function nbytes recfromcsv recfromtxt add_newdoc_ufunc tracemalloc_domain "
    "geterrobj seterrobj",
    "class": "float_ complex_ int object bool float complex str unicode_ string_ longfloat singlecomplex cfloat "
    "longcomplex clongfloat int0 uint0 float128_",
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


def main() -> None:
    """Write the list."""
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
    path = pathlib.Path(__file__).parent.parent / "src/np2torch/names/numpy_api.txt"
    lines = [f"# names of NumPy {numpy.__version__}, written by tools/list_api.py"]
    lines += [f"{name} {kind}" for name, kind in sorted(found.items())]
    path.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
