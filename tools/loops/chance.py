"""Monte Carlo and sampling."""

import numpy as np


def estimate_pi(n):
    """Points in a circle, all at once."""
    rng = np.random.default_rng(1)
    x, y = rng.random(n), rng.random(n)
    return 4 * np.mean(x * x + y * y < 1)


def case_estimate_pi():
    return estimate_pi(100_000)


def estimate_pi_loop(n):
    """One point after the other."""
    rng = np.random.default_rng(1)
    inside = 0
    for _ in range(n):
        x, y = rng.random(), rng.random()
        if x * x + y * y < 1:
            inside += 1
    return 4 * inside / n


def case_estimate_pi_loop():
    return estimate_pi_loop(1500)


def ising(spins, beta, steps, seed):
    """Metropolis on a lattice."""
    rng = np.random.default_rng(seed)
    n, m = spins.shape
    uniform = rng.random(steps)
    rows = rng.integers(0, n, steps)
    cols = rng.integers(0, m, steps)
    for t in range(steps):
        i, j = rows[t], cols[t]
        around = spins[(i + 1) % n, j] + spins[i - 1, j] + spins[i, (j + 1) % m] + spins[i, j - 1]
        change = 2 * spins[i, j] * around
        if change <= 0 or uniform[t] < np.exp(-beta * change):
            spins[i, j] = -spins[i, j]
    return spins, spins.sum()


def case_ising():
    return ising(np.ones((16, 16), dtype=int), 0.4, 1000, 3)


def random_walk(n, seed):
    """Positions of a walk on a plane."""
    rng = np.random.default_rng(seed)
    step = rng.integers(0, 4, n)
    place = np.zeros((n + 1, 2))
    for i in range(n):
        if step[i] == 0:
            place[i + 1] = place[i] + [1, 0]
        elif step[i] == 1:
            place[i + 1] = place[i] + [-1, 0]
        elif step[i] == 2:
            place[i + 1] = place[i] + [0, 1]
        else:
            place[i + 1] = place[i] + [0, -1]
    return place


def case_random_walk():
    return random_walk(500, 4)


def brownian(paths, steps, seed):
    """Geometric Brownian motion, a step at a time."""
    rng = np.random.default_rng(seed)
    s = np.empty((steps + 1, paths))
    s[0] = 100.0
    for t in range(steps):
        z = rng.standard_normal(paths)
        s[t + 1] = s[t] * np.exp(-0.02 / steps + 0.2 * np.sqrt(1 / steps) * z)
    return np.maximum(s[-1] - 100, 0).mean()


def case_brownian():
    return brownian(500, 60, 5)


def bootstrap(x, rounds, seed):
    """Means of resampled data."""
    rng = np.random.default_rng(seed)
    means = np.zeros(rounds)
    for b in range(rounds):
        means[b] = np.mean(x[rng.integers(0, len(x), len(x))])
    return np.percentile(means, [2.5, 97.5])


def case_bootstrap():
    return bootstrap(np.sin(np.arange(200.0)), 200, 6)


def binned(x, edges):
    """A histogram by counting."""
    counts = np.zeros(len(edges) - 1, dtype=int)
    for value in x:
        for b in range(len(counts)):
            if edges[b] <= value < edges[b + 1]:
                counts[b] += 1
                break
    return counts


def case_binned():
    return binned(np.sin(np.arange(500.0)), np.linspace(-1, 1, 11))


def histogram(x):
    """A histogram by the library."""
    counts, edges = np.histogram(x, bins=30)
    return counts / counts.sum(), 0.5 * (edges[1:] + edges[:-1])


def case_histogram():
    return histogram(np.sin(np.arange(100_000.0)))
