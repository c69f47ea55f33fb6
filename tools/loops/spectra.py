"""Transforms and signals."""

import numpy as np


def dft(x):
    """A discrete Fourier transform by its definition, element by element."""
    n = len(x)
    out = np.zeros(n, dtype=complex)
    for k in range(n):
        for t in range(n):
            out[k] += x[t] * np.exp(-2j * np.pi * k * t / n)
    return out


def case_dft():
    return dft(np.sin(np.arange(48.0)))


def dft_matrix(x):
    """The same as a product."""
    n = x.shape[0]
    k = np.arange(n)
    return np.exp(-2j * np.pi * np.outer(k, k) / n) @ x


def case_dft_matrix():
    return dft_matrix(np.sin(np.arange(256.0)))


def fft_recursive(x):
    """Cooley and Tukey."""
    n = len(x)
    if n == 1:
        return x.astype(complex)
    even, odd = fft_recursive(x[::2]), fft_recursive(x[1::2])
    w = np.exp(-2j * np.pi * np.arange(n // 2) / n)
    return np.concatenate([even + w * odd, even - w * odd])


def case_fft_recursive():
    return fft_recursive(np.sin(np.arange(256.0)))


def goertzel(x, k):
    """The power at one frequency."""
    n = len(x)
    w = 2 * np.pi * k / n
    c = 2 * np.cos(w)
    s1 = s2 = 0.0
    for i in range(n):
        s = x[i] + c * s1 - s2
        s2 = s1
        s1 = s
    return s1 ** 2 + s2 ** 2 - c * s1 * s2


def case_goertzel():
    return goertzel(np.sin(np.arange(3000.0)), 17)


def biquad(x, b, a):
    """A direct form filter."""
    y = np.zeros(len(x))
    for n in range(len(x)):
        acc = b[0] * x[n]
        if n >= 1:
            acc += b[1] * x[n - 1] - a[1] * y[n - 1]
        if n >= 2:
            acc += b[2] * x[n - 2] - a[2] * y[n - 2]
        y[n] = acc
    return y


def case_biquad():
    return biquad(np.sin(np.arange(1500.0)), np.array([0.2, 0.4, 0.2]), np.array([1.0, -0.3, 0.1]))


def convolve_loops(x, h):
    """A full convolution."""
    y = np.zeros(len(x) + len(h) - 1)
    for i in range(len(x)):
        for j in range(len(h)):
            y[i + j] += x[i] * h[j]
    return y


def case_convolve_loops():
    return convolve_loops(np.sin(np.arange(200.0)), np.arange(12.0))


def haar(x):
    """All levels of Haar's wavelet."""
    out = x.copy()
    n = len(x)
    while n > 1:
        half = n // 2
        tmp = out[:n].copy()
        for i in range(half):
            out[i] = (tmp[2 * i] + tmp[2 * i + 1]) / np.sqrt(2)
            out[half + i] = (tmp[2 * i] - tmp[2 * i + 1]) / np.sqrt(2)
        n = half
    return out


def case_haar():
    return haar(np.sin(np.arange(1024.0)))


def moving_median(x, width):
    """The median of each window."""
    out = np.empty(len(x) - width + 1)
    for i in range(len(out)):
        out[i] = np.median(x[i:i + width])
    return out


def case_moving_median():
    return moving_median(np.sin(np.arange(200.0) ** 2), 9)


def autocorrelation(x, lags):
    """Lag by lag."""
    x = x - np.mean(x)
    r = np.zeros(lags)
    for k in range(lags):
        r[k] = np.sum(x[:len(x) - k] * x[k:]) / np.sum(x * x)
    return r


def case_autocorrelation():
    return autocorrelation(np.sin(np.arange(500.0)), 100)
