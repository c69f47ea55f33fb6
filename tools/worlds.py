"""What each operator and function becomes for an array of which the dtype is known and the rank is not: a table.

    python tools/worlds.py [PATTERN ...] [--worlds float64 complex128] [--shim] [--texts]

Each site is a function whose parameters `x`, `y` and `z` are said to be arrays of the world's dtype, of any rank; the
others (`n`, `axis`, ...) are parameters of which nothing is said. A world is a dtype (`float64`), a dtype and a rank
(`float64:2`, `:1` for a rank alone), or `array` for nothing at all. A cell says `native`, `cast` or `shim`, and `other`
where the text is native but not that of the first world.
"""

from __future__ import annotations

import argparse
import inspect
import re
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

from np2torch.facts.domain import DOMAIN
from np2torch.rewrite.convert import convert_project
from np2torch.rules.core import FUNCTIONS, Rule
from np2torch.source.model import Settings, SourceFile

WORLDS = ("float64", "float32", "complex128", "complex64", "int64", "bool", "array", ":1", ":2")
INEXACT = WORLDS[:4]
ARRAYS = ("x", "y", "z")
LEFT_OUT = ("numpy.random.", "numpy.testing.", "numpy.ma.", "numpy.lib.", "numpy.char.", "numpy.polynomial.")
TUPLES = frozenset("arrays tup keys arys".split())
NUMBERS = frozenset("N M n k num m deg p".split())
GIVEN = {
    "axis": "0", "axis1": "0", "axis2": "1", "source": "0", "destination": "1", "shape": "(2, 3)", "newshape": "(2, 3)",
    "reps": "2", "repeats": "2", "shift": "1", "pad_width": "1", "decimals": "2", "q": "0.3", "dtype": "np.float64",
    "indices": "[0, 1]", "ind": "[0, 1]", "obj": "0", "indices_or_sections": "2", "condition": "x > 0",
    "fill_value": "1.5", "subscripts": "'i,i->'", "new_shape": "(4,)",
    "cond": "x > 0", "condlist": "[x > 0]", "choicelist": "[x]", "kth": "1",
    "a_min": "0", "a_max": "1", "mask": "x > 0", "dims": "(2, 3)", "start": "0", "stop": "n", "fill": "0",
}  # fmt: skip
"""What is written for a parameter of NumPy's that has no default, where it is no array and no number."""
OPTIONS = {"axis": ("axis", "-1", "None"), "keepdims": ("True",), "decimals": ("2", "n"), "ddof": ("1",), "k": ("1",)}
"""What is tried besides for one that has."""
OPERATORS = "+ - * / // % ** @ == != < <= > >= & | ^ << >>".split()
WRITTEN = """
-x  +x  ~x  abs(x)  x[0]  x[1:]  x[..., 0]  x[:, None]  x[::2]  x[::-1]  x[x > 0]  x[n]  x[n:]  x[-1]  x.T  x.shape[0]
x.ndim  x.size  len(x)  x.real  x.imag  x.dtype  x.sum()  x.sum(-1)  x.mean()  x.mean(axis=0)  x.mean(axis=axis)
x.max()  x.max(-1, keepdims=True)  x.min(axis=axis)  x.std()  x.var(axis=0)  x.std(ddof=1)  x.std(axis=axis, ddof=n)
x.argmax()  x.argmin(axis=1)  x.any()  x.all(axis=0)  x.cumsum()  x.cumsum(axis=0)  x.dot(y)  x.dot(y).dot(z)
x.conj()  x.conj().T  x.conjugate().T @ y  x.copy()  x.ravel()  x.flatten()  x.reshape(-1)  x.reshape(n, -1)
x.reshape((n, n))  x.reshape(x.shape)  x.reshape(y.shape)  x.transpose()  x.transpose(1, 0)  x.squeeze()
x.swapaxes(0, 1)  x.clip(0, 1)  x.round(2)  x.astype(np.float64)  x.astype(np.float32)  x.astype(np.complex128)
x.astype(int)  x.astype(x.dtype)  x.tolist()  x.item()  x.repeat(2)  x.take([0, 1])  x.nonzero()  x.sort()
x.argsort()  x.trace()  x.diagonal()  x.prod()  x.prod(axis=0)  x.fill(0)  float(x)  int(x)  bool(x)  sum(x)  max(x)
x * 2  2 * x  x * 0.5  0.5 * x  x + 1  1 + x  x - 1.0  1.0 - x  x / 2  1 / x  2.0 / x  x ** 2  x ** 3  x ** 0.5
2 ** x  x ** -1  x // 2  x % 2  x * n  n * x  x + n  x - n  n - x  x / n  n / x  x ** n  n ** x  x > 0  x > 0.5  0 < x
x == 0  x > n  x * 1j  x + y * z  x @ y @ z  x - x.mean()  x / x.sum()  x - x.max()  x * x.max()  (x > 0) & (x < 1)
x / np.sqrt(n)  x * np.sqrt(2)  x * math.sqrt(2)  x * math.pi / n  2 * math.pi * x / (n - 1)  x * np.pi  x + np.inf
np.exp(-x ** 2 / 2)  np.exp(1j * x)  np.sqrt(2 * np.pi) * x  np.where(x > 0, x, 0)  np.where(x > 0, x, y)
np.where(x > 0, x, 0.0)  np.where(x > 0, 1.0, x)  np.where(x > 0)  np.where(x > 0, 1.0, 0.0)  np.where(x > 0, 1, -1)
np.maximum(x, 0)  np.minimum(x, 1.0)  np.maximum(0, x)  np.maximum(x, n)  np.clip(x, 0, 1)  np.clip(x, 0.0, None)
np.clip(x, n, None)  np.clip(x, None, 1)  np.clip(x, 1e-9, 1 - 1e-9)  np.power(x, 2)  np.multiply(x, 2)  np.add(x, y)
np.arange(n)  np.arange(n) * x  np.arange(1, n)  np.arange(n + 1)  np.arange(len(x))  np.arange(x.shape[0])
np.linspace(0, 1, n)  np.zeros(n)  np.zeros((n, n))  np.zeros(x.shape)  np.zeros_like(x)  np.full(n, 1.0)
np.full_like(x, 0)  np.eye(n)  np.eye(len(x))  np.ones(x.shape[0])  np.zeros((len(x), n), dtype=x.dtype)
np.zeros(len(x), dtype=complex)  np.linalg.norm(x)  np.linalg.norm(x, axis=-1)  np.linalg.norm(x, axis=axis)
np.linalg.norm(x - y, axis=1)  np.linalg.norm(x, 1)  np.linalg.norm(x, ord=2)  np.linalg.norm(x, np.inf)
np.linalg.norm(x, 'fro')  np.linalg.norm(x, axis=-1, keepdims=True)  np.linalg.multi_dot([x, y])
np.linalg.multi_dot([x, y, z])  np.dot(x, y)  np.dot(x, x)  np.dot(x.T, y)  np.matmul(x, y)
np.einsum('ij,jk->ik', x, y)  np.einsum('i,i', x, y)  np.einsum('...i,...i->...', x, y)  np.tensordot(x, y, axes=1)
np.outer(x, x)  np.subtract.outer(x, y)  np.add.outer(x, y)  np.multiply.outer(x, y)  np.add.reduce(x)
np.add.reduce(x, axis=0)  np.maximum.accumulate(x)  np.concatenate([x, y])  np.concatenate((x, y), axis=1)
np.concatenate([x, y], axis=-1)  np.concatenate([x, np.zeros(2)])  np.stack([x, y])  np.stack([x, y], axis=-1)
np.vstack([x, y])  np.hstack([x, y])  np.column_stack([x, y])  np.array([x, y])  np.array([x[0], x[1]])
np.array([[x[0], y[0]], [x[1], y[1]]])  np.asarray(x)  np.array(x)  np.asarray(x, dtype=np.float64)
np.asarray(x, dtype=float)  np.asarray(x).reshape(-1)  np.atleast_1d(x)  np.atleast_2d(x)  np.transpose(x)
np.transpose(x, (1, 0))  np.moveaxis(x, 0, -1)  np.swapaxes(x, -1, -2)  np.expand_dims(x, 0)
np.expand_dims(x, axis=-1)  np.expand_dims(x, axis)  np.squeeze(x)  np.squeeze(x, axis=0)  np.flip(x)  np.flip(x, 0)
np.flip(x, axis=-1)  np.roll(x, 1)  np.roll(x, n)  np.roll(x, 1, axis=0)  np.roll(x, -1, axis=axis)  np.tile(x, 2)
np.tile(x, (2, 1))  np.tile(x, n)  np.repeat(x, 2)  np.repeat(x, n, axis=0)  np.pad(x, 1)  np.pad(x, (0, 1))
np.pad(x, ((0, 1), (0, 0)))  np.pad(x, 1, mode='constant')  np.pad(x, n, mode='edge')  np.pad(x, 1, mode='reflect')
np.diff(x)  np.diff(x, axis=0)  np.diff(x, n=2)  np.trace(x)  np.diag(x)  np.diag(x, k=1)  np.diagonal(x)  np.tril(x)
np.triu(x, 1)  np.sort(x)  np.sort(x, axis=0)  np.sort(x)[::-1]  np.argsort(x)  np.argsort(x, kind='stable')
np.argsort(-x)  np.unique(x)  np.searchsorted(x, y)  np.searchsorted(x, 0.5)  np.searchsorted(x, y, side='right')
np.isnan(x)  np.isfinite(x).all()  np.sign(x)  np.abs(x)  np.abs(x) ** 2  np.abs(x - y).max()  np.absolute(x).sum()
np.interp(x, y, z)  np.mean(x, axis=axis)  np.mean(x, axis=(0, 1))  np.sum(x, axis=(-2, -1))  np.sum(x * y, axis=1)
np.sum(x ** 2)  np.mean((x - y) ** 2)  np.sum(x, axis=axis, keepdims=True)  np.mean(x, keepdims=True)
np.sum(np.abs(x) > 0)  np.mean(x > 0)  np.std(x, axis=0)  np.var(x, ddof=1)  np.median(x)  np.median(x, axis=0)
np.percentile(x, 50)  np.quantile(x, 0.25)  np.quantile(x, n)  np.average(x)  np.average(x, weights=y)
np.average(x, axis=0, weights=y)  np.cumsum(x)  np.cumsum(x, axis=0)  np.cumsum(x, axis=axis)  np.cumprod(x)
np.prod(x)  np.prod(x, axis=0)  np.prod(x.shape)  np.all(x > 0)  np.any(np.isnan(x))  np.argmax(x)
np.argmax(x, axis=1)  np.argmax(np.abs(x))  np.max(np.abs(x))  np.max(x, axis=axis)  np.ptp(x)  np.count_nonzero(x)
np.round(x)  np.round(x, n)  np.round(x, 2)  np.around(x, decimals=1)  np.floor(x)  np.ceil(x).astype(int)  np.rint(x)
np.trunc(x)  np.conj(x)  np.conjugate(x)  np.conj(x).T  np.vdot(x, y)  np.inner(x, y)  np.cross(x, y)  np.kron(x, y)
np.meshgrid(x, y)  np.meshgrid(x, y, indexing='ij')  np.allclose(x, y)  np.isclose(x, y)  np.array_equal(x, y)
np.logical_and(x > 0, y > 0)  np.logical_not(x > 0)  np.arctan2(y, x)  np.hypot(x, y)  np.degrees(np.arctan2(y, x))
np.deg2rad(x)  np.log(x + 1e-12)  np.log1p(x)  np.expm1(x)  np.sinc(x)  np.tanh(x)  np.exp(x)  np.sqrt(x)
np.square(x)  np.reciprocal(x)  np.nan_to_num(x)  np.heaviside(x, 0.5)  np.linalg.inv(x)  np.linalg.det(x)
np.linalg.solve(x, y)  np.linalg.svd(x)  np.linalg.svd(x, full_matrices=False)  np.linalg.eigh(x)  np.linalg.eig(x)
np.linalg.eigvalsh(x)  np.linalg.qr(x)  np.linalg.cholesky(x)  np.linalg.pinv(x)  np.linalg.matrix_rank(x)
np.linalg.lstsq(x, y, rcond=None)  np.linalg.slogdet(x)  np.linalg.matrix_power(x, 2)  np.linalg.cond(x)  np.cov(x)
np.corrcoef(x, y)  np.convolve(x, y)  np.convolve(x, y, mode='same')  np.correlate(x, y)  np.histogram(x, bins=10)
np.bincount(x)  np.digitize(x, y)  np.gradient(x)  np.trapezoid(y, x)  np.trapezoid(y, dx=0.1)  np.polyfit(x, y, 1)
np.polyval(x, y)  np.take(x, [0, 1])  np.take(x, y)  np.take_along_axis(x, y, axis=-1)  np.nonzero(x)
np.argwhere(x > 0)  np.flatnonzero(x)  np.nanmean(x)  np.nansum(x)  np.nanmax(x)  np.nanstd(x)  np.fft.fft(x)
np.fft.ifft(x)  np.fft.rfft(x)  np.fft.fft2(x)  np.fft.fftshift(x)  np.fft.fftfreq(n)  np.broadcast_to(x, (2, 3))
np.broadcast_to(x, y.shape)  np.ravel(x)  np.reshape(x, (-1, 1))  np.reshape(x, -1)  np.size(x)  np.ndim(x)
np.shape(x)  np.real(x)  np.imag(x)  np.angle(x)  np.fill_diagonal(x, 0)  np.split(x, 2)  np.array_split(x, n)
np.append(x, y)  np.append(x, 0)  np.insert(x, 0, 0.0)  np.delete(x, 0)  np.rot90(x)  np.block([[x, y], [y, x]])
np.ones_like(x)  np.empty_like(x)  np.result_type(x, y)  np.array([f(v) for v in x])  np.vectorize(f)(x)
np.apply_along_axis(f, 0, x)  np.isscalar(x)  np.float64(x)
"""
"""Sites as programs have them, two spaces or a line between them."""


def sites() -> list[str]:
    """All sites, each once: what is written above, operators, and each function by its signature."""
    written = [site for line in WRITTEN.strip().splitlines() for site in re.split(r"\s{2,}", line.strip())]
    operators = [f"x {operator} y" for operator in OPERATORS]
    generated = [site for name, rule in FUNCTIONS.items() if not name.startswith(LEFT_OUT) for site in _of(name, rule)]
    return list(dict.fromkeys([*operators, *written, *generated]))


def _of(name: str, rule: Rule) -> Iterable[str]:
    """A call of a function with what it needs, and one for each further parameter that may be tried."""
    arrays, positional = iter(ARRAYS), []
    for parameter in rule.signature:
        if parameter.variadic:
            positional += ["x", "y"]
        elif parameter.required:
            made = GIVEN.get(parameter.name)
            if parameter.name in TUPLES:
                made = "(x, y)"
            elif made is None:
                made = "n" if parameter.name in NUMBERS else next(arrays, "x")
            positional.append(made)
    short = f"np.{name.removeprefix('numpy.')}"
    yield f"{short}({', '.join(positional)})"
    optional = [parameter.name for parameter in rule.signature if not parameter.required]
    for keyword in optional:
        for value in OPTIONS.get(keyword, ()):
            yield f"{short}({', '.join([*positional, f'{keyword}={value}'])})"


def module_of(texts: Sequence[str], world: str) -> str:
    """A module with a function for each site, its arrays said to be of a world."""
    dtype, _, rank = world.partition(":")
    shape = ", ".join("nmkl"[: int(rank)]) if rank else "..."
    said = f"{dtype or 'array'}[{shape}]"
    out = ["import math", "", "import numpy as np", ""]
    for index, text in enumerate(texts):
        names = [name for name in (*ARRAYS, "n", "axis", "f") if re.search(rf"(?<![\w.']){name}\b(?!\s*=[^=]|')", text)]
        out += ["", f"def site_{index}({', '.join(names)}):"]
        out += [f"    # np2torch: {name}: {said}" for name in names if name in ARRAYS]
        out += [f"    return {text}", ""]
    return "\n".join(out) + "\n"


def converted(texts: Sequence[str], world: str, supposed: bool = True) -> tuple[list[str], str]:
    """The new text of each site, and that of the whole module; dtypes are `supposed`, or known."""
    source = SourceFile(Path("module.py"), "module.py", module_of(texts, world))
    before, DOMAIN.supposed = DOMAIN.supposed, supposed
    try:
        (done,) = convert_project([source], Settings())
    finally:
        DOMAIN.supposed = before
    found = dict(re.findall(r"def (site_\d+)\(.*?\):\n(?:\s+#.*\n)*((?:    .*\n)+)", done.after))
    return [found[f"site_{index}"].strip().removeprefix("return ") for index in range(len(texts))], done.after


def cell(text: str, first: str) -> str:
    """How a site came out, beside the text of the first world."""
    if re.search(r"\bnp\.|TODO", text):
        return "note"
    if "shim." in text:
        return "shim"
    if text != first:
        return "other"
    return "cast" if re.search(r"\.to\(|dtype=", text) else "native"


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=inspect.getdoc(sys.modules[__name__]).splitlines()[0])
    parser.add_argument("patterns", nargs="*", help="only sites that one of these regular expressions is found in")
    parser.add_argument("--worlds", nargs="+", default=WORLDS, help="dtypes, with `:RANK` if known; `array`")
    parser.add_argument("--shim", action="store_true", help="only sites of which a cell says shim")
    parser.add_argument("--known", action="store_true", help="dtypes are known, not supposed: torch must not raise")
    parser.add_argument("--texts", action="store_true", help="the text in each world below the line")
    options = parser.parse_args()
    print_table(options)
    return 0


def print_table(options: argparse.Namespace) -> None:
    """Print a row for each site, and the sums."""
    pattern = re.compile("|".join(f"(?:{one})" for one in options.patterns))
    chosen = [site for site in sites() if pattern.search(site)]
    found = {world: converted(chosen, world, not options.known)[0] for world in options.worlds}
    width = max(map(len, chosen), default=0)
    print(" " * width, *(f"{world:>10}" for world in options.worlds))
    totals: dict[str, Counter[str]] = {world: Counter() for world in options.worlds}
    alike = 0
    for index, site in enumerate(chosen):
        texts = [found[world][index] for world in options.worlds]
        cells = [cell(text, texts[0]) for text in texts]
        for world, one in zip(options.worlds, cells, strict=True):
            totals[world][one] += 1
        inexact = {text for world, text in zip(options.worlds, texts, strict=True) if world in INEXACT}
        alike += len(inexact) == 1 and "shim." not in inexact.pop()
        if options.shim and "shim" not in cells:
            continue
        print(f"{site:<{width}}", *(f"{one:>10}" for one in cells))
        if options.texts:
            print_texts(texts, options.worlds)
    for kind in ("native", "cast", "other", "shim", "note"):
        print(f"{kind:<{width}}", *(f"{totals[world][kind]:>10}" for world in options.worlds))
    print(f"{alike} of {len(chosen)} sites without the shim, in one text for {', '.join(INEXACT)}")


def print_texts(texts: Sequence[str], worlds: Sequence[str]) -> None:
    """Print each text once, with the first world that has it."""
    shown = dict(zip(reversed(texts), reversed(worlds), strict=True))
    print(*(f"    {world:>10}  {text}" for text, world in reversed(shown.items())), sep="\n")


if __name__ == "__main__":
    sys.exit(main())
