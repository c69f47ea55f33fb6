"""Distributions of vectors."""

from __future__ import annotations

import math
import warnings
from typing import Any

import torch

from np2torch.shim._core import as_shape, asarray
from np2torch.shim.random import bounded
from np2torch.shim.random._libm import CPU, Tensor, divide, floats
from np2torch.shim.random.continuous import beta, standard_gamma
from np2torch.shim.random.discrete import binomial, hypergeometric
from np2torch.shim.random.law import broadcast_shape
from np2torch.shim.random.source import Source


def multivariate_normal(
    source: Source, mean: Any, cov: Any, size: Any, check_valid: str, tol: float, method: str = "svd"
) -> Tensor:
    """Normals of a given covariance; its decomposition is torch's, so the last bits (and a sign) may differ."""
    if check_valid not in ("warn", "raise", "ignore"):
        raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")
    if method not in ("eigh", "svd", "cholesky"):
        raise ValueError("method must be one of {'eigh', 'svd', 'cholesky'}")
    mean, cov = asarray(mean).to(torch.float64), asarray(cov).to(torch.float64)
    shape = () if size is None else as_shape(size)
    if mean.ndim != 1:
        raise ValueError("mean must be 1 dimensional")
    if cov.ndim != 2 or cov.shape[0] != cov.shape[1]:
        raise ValueError("cov must be 2 dimensional and square")
    n = mean.shape[0]
    if n != cov.shape[0]:
        raise ValueError("mean and cov must have same length")
    x = source.normals(math.prod(shape) * n).reshape(-1, n).to(cov.device)
    factor, valid = _factor(cov, method, tol)
    if check_valid != "ignore" and not valid:
        if check_valid == "raise":
            raise ValueError("covariance is not symmetric positive-semidefinite.")
        warnings.warn("covariance is not symmetric positive-semidefinite.", RuntimeWarning, stacklevel=3)
    return torch.addmm(mean, x, factor.mT).reshape((*shape, n))


def _factor(cov: Tensor, method: str, tol: float) -> tuple[Tensor, bool]:
    """A square root of the covariance, and whether the covariance is one."""
    if method == "cholesky":
        return torch.linalg.cholesky(cov), True
    if method == "eigh":
        values, vectors = torch.linalg.eigh(cov)
        return vectors * values.abs().sqrt(), not bool((values < -tol).any())
    left, values, right = torch.linalg.svd(cov)
    valid = torch.allclose((right.mT * values) @ right, cov, rtol=tol, atol=tol)
    return torch.mul(left, values.sqrt()), valid


def _check_weights(rows: list[list[float]], has_rows: bool) -> None:
    if not all(0 <= weight <= 1 for row in rows for weight in row):
        raise ValueError("pvals < 0, pvals > 1 or pvals contains NaNs")
    if any(math.fsum(row[:-1]) > 1.0 + 1e-12 for row in rows):
        raise ValueError("sum(pvals[...,:-1]) > 1.0" if has_rows else "sum(pvals[:-1]) > 1.0")


def multinomial(source: Source, n: Any, pvals: Any, size: Any) -> Tensor:
    """Counts of n trials over categories, by conditional binomials."""
    weights, trials = asarray(pvals).to(CPU, torch.float64), asarray(n).to(CPU, torch.int64)
    k = weights.shape[-1] if weights.ndim else 0
    if not k and not source.legacy:
        message = "pvals must have at least 1 dimension and the last dimension of pvals must be greater than 0."
        raise ValueError(message)
    if weights.ndim == 0:
        raise ValueError("pvals must be at least 1-dimensional")
    rows: list[list[float]] = weights.reshape(-1, k).tolist() if k else []
    _check_weights(rows, weights.ndim > 1)
    amounts: list[int] = trials.reshape(-1).tolist()
    if any(amount < 0 for amount in amounts):
        raise ValueError("n < 0")
    shape = broadcast_shape(size, trials.shape, weights.shape[:-1]) if trials.ndim or weights.ndim > 1 else None
    if shape is None:
        shape = () if size is None else as_shape(size)
    if not k:
        return torch.zeros((*shape, 0), dtype=torch.int64, device=CPU)
    if shape:
        rows = weights.expand(*shape, k).reshape(-1, k).tolist()
        amounts = trials.expand(shape).reshape(-1).tolist()
    counts = [_counts(source, m, row) for m, row in zip(amounts, rows, strict=True)]
    return torch.tensor(counts, dtype=torch.int64, device=CPU).reshape(*shape, k)


def _counts(source: Source, n: int, weights: list[float]) -> list[int]:
    counts, left = [0] * len(weights), 1.0
    for j, weight in enumerate(weights[:-1]):
        counts[j] = binomial.one(source, n, divide(weight, left))
        n -= counts[j]
        if n <= 0:
            return counts
        left -= weight
    if counts:
        counts[-1] = n
    return counts


def dirichlet(source: Source, alpha: Any, size: Any) -> Tensor:
    """Points of a simplex: gammas over their sum; the modern streams break sticks where every alpha is below 0.1."""
    weights: list[float] = asarray(alpha).to(CPU, torch.float64).tolist()
    if any(not weight >= 0 if not source.legacy else weight <= 0 for weight in weights):
        raise ValueError("alpha <= 0" if source.legacy else "alpha < 0")
    shape = () if size is None else as_shape(size)
    draw = _sticks if not source.legacy and weights and max(weights) < 0.1 else _normalized
    rows = [value for _ in range(math.prod(shape)) for value in draw(source, weights)]
    return floats(rows).reshape(*shape, len(weights))


def _normalized(source: Source, weights: list[float]) -> list[float]:
    draws = [standard_gamma.one(source, weight) for weight in weights]
    total = 0.0
    for draw in draws:
        total += draw
    inverse = divide(1.0, total)
    return [draw * inverse for draw in draws]


def _sticks(source: Source, weights: list[float]) -> list[float]:
    rest = [0.0] * (len(weights) + 1)
    for j in range(len(weights) - 1, -1, -1):
        rest[j] = rest[j + 1] + weights[j]
    found, left = [0.0] * len(weights), 1.0
    if rest[0] == 0.0:
        return found
    for j in range(len(weights) - 1):
        share = beta.one(source, weights[j], rest[j + 1])
        found[j] = left * share
        left *= 1.0 - share
        if rest[j + 1] == 0.0:
            break
    found[-1] = left
    return found


def multivariate_hypergeometric(source: Source, colors: Any, nsample: int, size: Any, method: str) -> Tensor:
    """Counts per colour in samples without replacement: conditional hypergeometrics, or a partial shuffle."""
    if method not in ("marginals", "count"):
        raise ValueError('method must be "count" or "marginals".')
    shape = () if size is None else as_shape(size)
    amounts: list[int] = asarray(colors).tolist()
    if any(amount < 0 for amount in amounts) or nsample < 0:
        raise ValueError("colors must be a one-dimensional sequence of nonnegative integers")
    if nsample > sum(amounts):
        raise ValueError("nsample > sum(colors)")
    if method == "count":
        rows = _shuffled(source, amounts, nsample, math.prod(shape))
    else:
        rows = [count for _ in range(math.prod(shape)) for count in _marginals(source, amounts, nsample)]
    return torch.tensor(rows, dtype=torch.int64, device=CPU).reshape(*shape, len(amounts))


def _marginals(source: Source, amounts: list[int], nsample: int) -> list[int]:
    total = left = sum(amounts)
    many = nsample > total // 2
    wanted = total - nsample if many else nsample
    counts = [0] * len(amounts)
    for j, amount in enumerate(amounts[:-1]):
        if wanted <= 0:
            break
        left -= amount
        counts[j] = hypergeometric.one(source, amount, left, wanted)
        wanted -= counts[j]
    if wanted > 0:
        counts[-1] = wanted
    return [amount - count for amount, count in zip(amounts, counts, strict=True)] if many else counts


def _shuffled(source: Source, amounts: list[int], nsample: int, n: int) -> list[int]:
    """Draw n times the counts of the first items of an urn, which stays as the last shuffle left it."""
    urn = [colour for colour, amount in enumerate(amounts) for _ in range(amount)]
    total, rows = len(urn), []
    many = nsample > total // 2
    wanted = total - nsample if many else nsample
    for _ in range(n):
        for j in range(wanted):
            k = j + bounded.one(source.bits, total - j - 1, masked=True)
            urn[j], urn[k] = urn[k], urn[j]
        counts = [0] * len(amounts)
        for colour in urn[:wanted]:
            counts[colour] += 1
        rows += [amount - count for amount, count in zip(amounts, counts, strict=True)] if many else counts
    return rows
