"""Kernels of many fields: folding, splines, sandpiles, filters, codes, rays, basins, integrals."""

import math

import numpy as np


def nussinov(pairs):
    """RNA folding by dynamic programming over intervals."""
    n = len(pairs)
    best = np.zeros((n, n), dtype=int)
    for span in range(1, n):
        for i in range(n - span):
            j = i + span
            top = max(best[i + 1, j], best[i, j - 1])
            if pairs[i, j]:
                top = max(top, best[i + 1, j - 1] + 1)
            for k in range(i + 1, j):
                top = max(top, best[i, k] + best[k + 1, j])
            best[i, j] = top
    return best[0, n - 1]


def case_nussinov():
    rng = np.random.default_rng(0)
    return nussinov(rng.random((24, 24)) < 0.3)


def monotone_cubic(x, y, at):
    """Slopes and values of a Fritsch-Carlson spline."""
    n = len(x)
    h = np.diff(x)
    d = np.diff(y) / h
    m = np.zeros(n)
    m[0], m[-1] = d[0], d[-1]
    for i in range(1, n - 1):
        if d[i - 1] * d[i] > 0:
            w1, w2 = 2 * h[i] + h[i - 1], h[i] + 2 * h[i - 1]
            m[i] = (w1 + w2) / (w1 / d[i - 1] + w2 / d[i])
    out = np.empty(len(at))
    for k, t in enumerate(at):
        i = min(max(np.searchsorted(x, t) - 1, 0), n - 2)
        s = (t - x[i]) / h[i]
        out[k] = (
            (1 + 2 * s) * (1 - s) ** 2 * y[i]
            + s * (1 - s) ** 2 * h[i] * m[i]
            + s**2 * (3 - 2 * s) * y[i + 1]
            + s**2 * (s - 1) * h[i] * m[i + 1]
        )
    return out


def case_monotone_cubic():
    x = np.linspace(0.0, 10.0, 60)
    return monotone_cubic(x, np.sin(x) + x, np.linspace(0.1, 9.9, 300))


def sandpile(grid):
    """Abelian sandpile until it is stable."""
    n, m = grid.shape
    moved = True
    while moved:
        moved = False
        for i in range(n):
            for j in range(m):
                if grid[i, j] >= 4:
                    q = grid[i, j] // 4
                    grid[i, j] -= 4 * q
                    if i > 0:
                        grid[i - 1, j] += q
                    if i < n - 1:
                        grid[i + 1, j] += q
                    if j > 0:
                        grid[i, j - 1] += q
                    if j < m - 1:
                        grid[i, j + 1] += q
                    moved = True
    return grid


def case_sandpile():
    grid = np.zeros((15, 15), dtype=np.int64)
    grid[7, 7] = 200
    return sandpile(grid)


def kalman(z, q, r):
    """A filter of position and velocity, a measurement at a time."""
    f = np.array([[1.0, 1.0], [0.0, 1.0]])
    h = np.array([[1.0, 0.0]])
    x, p = np.zeros(2), np.eye(2)
    out = np.empty((len(z), 2))
    for k in range(len(z)):
        x = f @ x
        p = f @ p @ f.T + q * np.eye(2)
        s = h @ p @ h.T + r
        gain = p @ h.T @ np.linalg.inv(s)
        x = x + gain @ (z[k] - h @ x)
        p = (np.eye(2) - gain @ h) @ p
        out[k] = x
    return out


def case_kalman():
    return kalman(np.cumsum(np.sin(np.arange(120.0))), 0.01, 0.5)


def lomb_scargle(t, y, freqs):
    """The periodogram of unevenly spaced data."""
    power = np.zeros(len(freqs))
    for i, w in enumerate(freqs):
        tau = np.arctan2(np.sum(np.sin(2 * w * t)), np.sum(np.cos(2 * w * t))) / (2 * w)
        c, s = np.cos(w * (t - tau)), np.sin(w * (t - tau))
        power[i] = 0.5 * (np.sum(y * c) ** 2 / np.sum(c**2) + np.sum(y * s) ** 2 / np.sum(s**2))
    return power


def case_lomb_scargle():
    t = np.sort(np.abs(np.sin(np.arange(200.0) * 7.0))) * 50
    return lomb_scargle(t, np.sin(2.0 * t), np.linspace(0.5, 4.0, 80))


def kmeans(x, centres, rounds):
    """Lloyd's algorithm with whole arrays."""
    for _ in range(rounds):
        d = ((x[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
        label = np.argmin(d, axis=1)
        for k in range(len(centres)):
            if np.any(label == k):
                centres[k] = x[label == k].mean(axis=0)
    return centres, label


def case_kmeans():
    x = np.sin(np.arange(600.0) * 3.1).reshape(300, 2)
    return kmeans(x, x[:4].copy(), 15)


def huffman_lengths(counts):
    """Code lengths by merging the two rarest."""
    n = len(counts)
    weight = counts.astype(float).copy()
    parent = -np.ones(2 * n - 1, dtype=int)
    weights = np.concatenate([weight, np.full(n - 1, np.inf)])
    alive = np.zeros(2 * n - 1, dtype=bool)
    alive[:n] = True
    for new in range(n, 2 * n - 1):
        order = np.argsort(np.where(alive, weights, np.inf), kind="stable")
        a, b = order[0], order[1]
        parent[a], parent[b] = new, new
        weights[new] = weights[a] + weights[b]
        alive[a] = alive[b] = False
        alive[new] = True
    depth = np.zeros(n, dtype=int)
    for i in range(n):
        at = i
        while parent[at] >= 0:
            at = parent[at]
            depth[i] += 1
    return depth


def case_huffman_lengths():
    return huffman_lengths(np.arange(1, 60) ** 2 % 97 + 1)


def ray_box(origins, directions, low, high):
    """Where rays meet a box, a ray at a time."""
    hits = np.full(len(origins), np.nan)
    for r in range(len(origins)):
        near, far = -math.inf, math.inf
        for axis in range(3):
            d = directions[r, axis]
            if abs(d) < 1e-12:
                if origins[r, axis] < low[axis] or origins[r, axis] > high[axis]:
                    near = math.inf
                continue
            t0, t1 = (low[axis] - origins[r, axis]) / d, (high[axis] - origins[r, axis]) / d
            near, far = max(near, min(t0, t1)), min(far, max(t0, t1))
        if near <= far:
            hits[r] = near
    return hits


def case_ray_box():
    o = np.sin(np.arange(900.0)).reshape(300, 3) * 3
    d = np.cos(np.arange(900.0) * 1.7).reshape(300, 3)
    return ray_box(o, d, np.array([-1.0, -1.0, -1.0]), np.array([1.0, 1.0, 1.0]))


def watershed_1d(height):
    """Basins of a profile, by descent."""
    n = height.size
    basin = np.full(n, -1)
    for i in range(n):
        at = i
        while True:
            left = height[at - 1] if at > 0 else np.inf
            right = height[at + 1] if at < n - 1 else np.inf
            if left < height[at] and left <= right:
                at -= 1
            elif right < height[at]:
                at += 1
            else:
                break
        basin[i] = at
    return basin


def case_watershed_1d():
    return watershed_1d(np.sin(np.arange(500.0) * 0.13) + 0.3 * np.cos(np.arange(500.0) * 0.71))


def simpson_2d(f, a, b, n):
    """Double integral with weights by hand."""
    h = (b - a) / n
    total = 0.0
    for i in range(n + 1):
        wi = 1 if i in (0, n) else 4 if i % 2 else 2
        for j in range(n + 1):
            wj = 1 if j in (0, n) else 4 if j % 2 else 2
            total += wi * wj * f(a + i * h, a + j * h)
    return total * h * h / 9


def case_simpson_2d():
    return simpson_2d(lambda x, y: np.exp(-x * y) * np.sin(x + y), 0.0, 1.0, 20)
