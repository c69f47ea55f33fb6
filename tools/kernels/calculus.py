"""Quadrature and interpolation."""
import numpy as np


def trapezoid(y, x):
    return np.sum((x[1:] - x[:-1]) * (y[1:] + y[:-1])) / 2


def simpson(f, a, b, n):
    x = np.linspace(a, b, 2 * n + 1)
    y = f(x)
    return (b - a) / (6 * n) * np.sum(y[:-1:2] + 4 * y[1::2] + y[2::2])


def gauss_legendre(f, a, b, n):
    nodes, weights = np.polynomial.legendre.leggauss(n)
    return (b - a) / 2 * np.sum(weights * f((b - a) / 2 * nodes + (a + b) / 2))


def lagrange(xs, ys, x):
    total = 0.0
    for i in range(len(xs)):
        others = np.delete(xs, i)
        total = total + ys[i] * np.prod((x - others) / (xs[i] - others))
    return total


def bilinear(grid, x, y):
    i, j = np.floor(x).astype(int), np.floor(y).astype(int)
    u, v = x - i, y - j
    low = (1 - u) * grid[i, j] + u * grid[i + 1, j]
    high = (1 - u) * grid[i, j + 1] + u * grid[i + 1, j + 1]
    return (1 - v) * low + v * high


def horner(coefficients, x):
    result = np.zeros_like(x)
    for c in coefficients:
        result = result * x + c
    return result
