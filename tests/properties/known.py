"""The differences that stay, each with the section of `docs/differences.md` that tells the user of it."""

from __future__ import annotations

import re
from typing import NamedTuple


class Difference(NamedTuple):
    """Which functions, what the line of the comparison says, where it is documented."""

    names: str
    says: str
    section: str


NATIVE = [
    Difference(r"ndarray\.(mT|sort|mean|std|var)|average|.*sort|.*swapaxes|moveaxis|rollaxis|roll|percentile|quantile",
               r"^only NumPy raises", "Errors of native torch"),
    Difference(r"tensordot", r"^only NumPy raises ValueError\('shape-mismatch", "Errors of native torch"),
    Difference(r"dtype\.(shape|ndim)", r"^only torch raises AttributeError", "Errors of native torch"),
    Difference(r"full(_like)?", r"^only torch raises RuntimeError\('value cannot", "Errors of native torch"),
    Difference(r"median|percentile|quantile", r"^only torch raises RuntimeError\('quantile\(\) input", "Errors of native torch"),
    Difference(r"percentile|quantile", r"^value \[?-?(\d{4,}|[\d.]+e\+)", "Overflow of quantiles"),
    Difference(r"linalg\.norm", r"^only torch raises RuntimeError\('linalg.vector_norm cannot", "Errors of native torch"),
    Difference(r"fft\..*", r"only torch raises RuntimeError\('MKL FFT error", "Errors of native torch"),
    Difference(r"convolve|correlate", r"^only torch raises RuntimeError\(.Calculated padded input", "Errors of native torch"),
    Difference(r"compress|extract", r"^only torch raises IndexError\('The shape of the mask", "Errors of native torch"),
    Difference(r"take_along_axis", r"^only torch raises", "Errors of native torch"),
    Difference(r"operator\.(iadd|isub)", r"value .*nan", "NaN and complex numbers"),
    Difference(r"operator\.(abs|contains)", r"", "Functions of the operator module"),
]  # fmt: skip
"""What stays of converted code with the types known, beside what stays of the shim."""

KNOWN = [
    Difference(r".*", r"UFuncTypeError\(.*became (ValueError|RuntimeError)", "Two faults at once"),
    Difference(r".*", r"^(TypeError|ValueError)\(.*became (ValueError|TypeError)", "Two faults at once"),
    Difference(r".*", r"^ValueError\('operands could not be broadcast.*became RuntimeError", "Two faults at once"),
    Difference(r"insert", r"^(IndexError|ValueError)\(.*became (TypeError|IndexError)", "Two faults at once"),
    Difference(r"operator\.setitem", r"only torch raises IndexError\('boolean index", "Masks of nothing"),
    Difference(r"testing\.assert_almost_equal", r"array\(\[+\]+, ", "Masks of nothing"),
    Difference(r"fft\.(irfft.*|hfft)", r"became \[+0\.", "Transforms of nothing"),
    Difference(r"einsum", r"only torch raises ValueError\(.dimensions in operand .*\(\d+ != 0\)", "Transforms of nothing"),
    Difference(r"ufunc\.at", r"only NumPy raises IndexError\('index", "Masks of nothing"),
    Difference(r"dot", r"value .*nan", "NaN and complex numbers"),
    Difference(r"flip|fliplr|flipud|rot90|.*einsum", r"no longer shared", "Views"),
    Difference(r"(ndarray\.)?(cum|nancum)?(prod|cumprod)|cumulative_prod|ufunc\..*", r"value .*(nan|inf|j)", "NaN and complex numbers"),
    Difference(r"(ndarray\.|a|nan)?(max|min)", r"value .*nan", "NaN and complex numbers"),
    Difference(r"vander|gradient|sign|ptp|matmul", r"value .*(nan|inf|j)", "NaN and complex numbers"),
    Difference(r".*power|.*pow|reciprocal|.*divide|.*truediv|arctan|atan|arc.*|a(sin|cos|tan)h?|emath\..*|square|tan|tanh|sqrt",
               r"value .*j", "NaN and complex numbers"),
    Difference(r"ufunc.*", r"value .*(2147483647|9223372036854775807)", "Overflow"),
    Difference(r"(ndarray\.)?(round|around)", r"only NumPy raises UFuncTypeError", "Rounding to tens"),
    Difference(r"nanvar|nanstd", r"value ", "nanvar with a dtype"),
    Difference(r"pow(er)?", r"^only torch raises ValueError\('Integers to negative", "What `where` leaves out"),
    Difference(r"nan(quantile|percentile)", r"^dtype float(16|32) became float64", "Quantiles of nothing but NaN"),
    Difference(r"ndarray\.partition", r"argument a0", "Partitions"),
    Difference(r"ndarray\.view", r"only torch raises", "Views"),
    Difference(r"polyadd|polysub", r"bool", "Polynomials of bools"),
]  # fmt: skip


def known(name: str, line: str, native: bool = False) -> bool:
    """Is it one of the differences that stay?"""
    return any(re.fullmatch(k.names, name) and re.search(k.says, line) for k in KNOWN + NATIVE * native)
