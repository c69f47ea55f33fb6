"""Fourier transforms: what the shim gives back."""

from __future__ import annotations

from np2torch.facts.results import array_with, by_table, same
from np2torch.rules.core import declare

declare("fft", {
    "fft.fftfreq(n, d=1.0)": array_with("float64", 1),
    "fft.rfftfreq(n, d=1.0)": array_with("float64", 1),
    "fft.fftshift(x, axes=None)": same("x"),
    "fft.ifftshift(x, axes=None)": same("x"),
})  # fmt: skip
for _name in "fft ifft rfft irfft hfft ihfft".split():
    declare("fft", {f"fft.{_name}(a, n=None, axis=-1, norm=None)": by_table(f"fft.{_name}", "a")})
for _name in "fft2 ifft2 fftn ifftn rfft2 irfft2 rfftn irfftn".split():
    declare("fft", {f"fft.{_name}(a, s=None, axes=None, norm=None)": by_table(f"fft.{_name}", "a")})
