"""Descriptive and inferential statistics."""
import numpy as np


def zscores(x, axis=0):
    x = np.asarray(x)
    return (x - x.mean(axis=axis, keepdims=True)) / x.std(axis=axis, keepdims=True)


def covariance(x):
    d = x - x.mean(axis=0)
    return d.T @ d / (len(x) - 1)


def autocorrelation(x, lag):
    d = x - np.mean(x)
    return np.sum(d[lag:] * d[: len(d) - lag]) / np.sum(d * d)


def welch(a, b):
    """The t statistic of two samples."""
    na, nb = len(a), len(b)
    va, vb = np.var(a, ddof=1), np.var(b, ddof=1)
    return (np.mean(a) - np.mean(b)) / np.sqrt(va / na + vb / nb)


def ols(x, y):
    design = np.column_stack([np.ones(len(x)), x])
    beta, *_ = np.linalg.lstsq(design, y, rcond=None)
    residuals = y - design @ beta
    return beta, residuals @ residuals


def entropy(p):
    p = np.asarray(p)
    p = p[p > 0]
    return -np.sum(p * np.log(p))


def ecdf(sample, x):
    return np.searchsorted(np.sort(sample), x, side="right") / len(sample)


def kde(sample, x, width):
    u = (x[:, None] - sample[None, :]) / width
    return np.exp(-0.5 * u**2).sum(axis=1) / (len(sample) * width * np.sqrt(2 * np.pi))
