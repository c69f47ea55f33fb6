"""Finite differences on grids."""
import numpy as np


def laplacian(u, h):
    out = np.zeros_like(u)
    out[1:-1, 1:-1] = (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2] - 4 * u[1:-1, 1:-1]) / h**2
    return out


def heat_step(u, kappa, dt, dx):
    new = u.copy()
    new[1:-1] = u[1:-1] + kappa * dt / dx**2 * (u[2:] - 2 * u[1:-1] + u[:-2])
    return new


def jacobi(p, b, sweeps):
    for _ in range(sweeps):
        q = p.copy()
        p[1:-1, 1:-1] = 0.25 * (q[1:-1, 2:] + q[1:-1, :-2] + q[2:, 1:-1] + q[:-2, 1:-1] - b[1:-1, 1:-1])
        p[:, -1] = p[:, -2]
    return p


def upwind(u, c):
    """Advection with periodic boundaries."""
    return u - c * (u - np.roll(u, 1))


def wave(u, previous, courant):
    ahead = 2 * u - previous + courant**2 * (np.roll(u, -1) - 2 * u + np.roll(u, 1))
    return ahead, u


def divergence(fx, fy, dx, dy):
    return np.gradient(fx, dx, axis=0) + np.gradient(fy, dy, axis=1)
