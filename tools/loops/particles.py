"""Particles and equations of motion."""

import numpy as np


def cloud(n):
    """Points and masses."""
    k = np.arange(3.0 * n).reshape(n, 3)
    return np.sin(k * k), 1.0 + np.cos(np.arange(n)) ** 2


def forces(pos, mass):
    """Gravity between all pairs, component by component."""
    n = pos.shape[0]
    f = np.zeros((n, 3))
    for i in range(n):
        for j in range(n):
            if i != j:
                dx = pos[j, 0] - pos[i, 0]
                dy = pos[j, 1] - pos[i, 1]
                dz = pos[j, 2] - pos[i, 2]
                r2 = dx * dx + dy * dy + dz * dz + 1e-6
                w = mass[i] * mass[j] / (r2 * np.sqrt(r2))
                f[i, 0] += w * dx
                f[i, 1] += w * dy
                f[i, 2] += w * dz
    return f


def case_forces():
    return forces(*cloud(30))


def forces_rows(pos, mass):
    """The same with vectors of three."""
    n = len(pos)
    acc = np.zeros_like(pos)
    for i in range(n):
        for j in range(n):
            if i == j:
                continue
            r = pos[j] - pos[i]
            d = np.sqrt(np.sum(r ** 2)) + 1e-6
            acc[i] += mass[j] * r / d ** 3
    return acc


def case_forces_rows():
    return forces_rows(*cloud(16))


def potential(pos):
    """Lennard-Jones with a cut-off."""
    energy = 0.0
    for i in range(len(pos)):
        for j in range(i + 1, len(pos)):
            r2 = 0.0
            for d in range(3):
                r2 += (pos[i, d] - pos[j, d]) ** 2
            if r2 < 4.0:
                s = 1.0 / (r2 + 0.1) ** 3
                energy += 4 * (s * s - s)
    return energy


def case_potential():
    return potential(cloud(30)[0])


def verlet(x, v, dt, steps):
    """A chain of springs."""
    def acceleration(x):
        a = np.zeros_like(x)
        for i in range(1, len(x) - 1):
            a[i] = x[i + 1] - 2 * x[i] + x[i - 1]
        return a

    a = acceleration(x)
    for _ in range(steps):
        x = x + v * dt + 0.5 * a * dt * dt
        new = acceleration(x)
        v = v + 0.5 * (a + new) * dt
        a = new
    return x, v


def case_verlet():
    return verlet(np.sin(np.arange(40.0)), np.zeros(40), 0.1, 40)


def lorenz(state, dt, steps):
    """Euler's steps with three components."""
    out = np.empty((steps + 1, 3))
    out[0] = state
    for t in range(steps):
        x, y, z = out[t]
        out[t + 1, 0] = x + dt * 10.0 * (y - x)
        out[t + 1, 1] = y + dt * (x * (28.0 - z) - y)
        out[t + 1, 2] = z + dt * (x * y - 8.0 / 3.0 * z)
    return out


def case_lorenz():
    return lorenz(np.array([1.0, 1.0, 1.0]), 0.005, 800)


def runge_kutta(f, y, t0, t1, steps):
    """The classical method with arrays of two."""
    h = (t1 - t0) / steps
    t = t0
    out = np.zeros((steps + 1, len(y)))
    out[0] = y
    for i in range(steps):
        k1 = f(t, y)
        k2 = f(t + h / 2, y + h / 2 * k1)
        k3 = f(t + h / 2, y + h / 2 * k2)
        k4 = f(t + h, y + h * k3)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        t = t + h
        out[i + 1] = y
    return out


def pendulum(t, y):
    return np.array([y[1], -np.sin(y[0]) - 0.1 * y[1] + 0.05 * np.cos(t)])


def case_runge_kutta():
    return runge_kutta(pendulum, np.array([0.5, 0.0]), 0.0, 10.0, 150)


def cells(pos, size):
    """Counts of particles in boxes."""
    count = np.zeros((size, size), dtype=np.int64)
    for p in pos:
        i = int((p[0] + 1) / 2 * (size - 1))
        j = int((p[1] + 1) / 2 * (size - 1))
        count[i, j] += 1
    return count


def case_cells():
    return cells(cloud(400)[0], 10)


def nearest(points, queries):
    """The nearest point of each query."""
    out = np.zeros(len(queries), dtype=int)
    for q in range(len(queries)):
        best = np.inf
        for p in range(len(points)):
            d = 0.0
            for k in range(points.shape[1]):
                d += (points[p, k] - queries[q, k]) ** 2
            if d < best:
                best = d
                out[q] = p
    return out


def case_nearest():
    return nearest(cloud(40)[0], cloud(20)[0] + 0.1)
