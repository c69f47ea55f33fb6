"""Stencils and sweeps over grids."""

import numpy as np


def grid(n):
    """A grid with values at its edges."""
    u = np.zeros((n, n))
    u[0, :] = 1.0
    u[:, -1] = np.linspace(0.0, 2.0, n)
    return u


def gauss_seidel(u, sweeps):
    """Laplace's equation, in place."""
    n, m = u.shape
    for _ in range(sweeps):
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                u[i, j] = 0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1])
    return u


def case_gauss_seidel():
    return gauss_seidel(grid(32), 3)


def sor(u, omega, tolerance):
    """Successive over-relaxation until it is at rest."""
    n, m = u.shape
    for sweep in range(60):
        largest = 0.0
        for i in range(1, n - 1):
            for j in range(1, m - 1):
                change = omega * (0.25 * (u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1]) - u[i, j])
                u[i, j] += change
                largest = max(largest, abs(change))
        if largest < tolerance:
            break
    return u, sweep


def case_sor():
    return sor(grid(12), 1.5, 1e-6)


def jacobi_slices(u, steps):
    """Laplace's equation by slices."""
    for _ in range(steps):
        new = u.copy()
        new[1:-1, 1:-1] = 0.25 * (u[:-2, 1:-1] + u[2:, 1:-1] + u[1:-1, :-2] + u[1:-1, 2:])
        u = new
    return u


def case_jacobi_slices():
    return jacobi_slices(grid(150), 60)


def heat(u, alpha, steps):
    """Explicit heat equation on a line, element by element."""
    n = u.shape[0]
    for _ in range(steps):
        old = u.copy()
        for i in range(1, n - 1):
            u[i] = old[i] + alpha * (old[i + 1] - 2 * old[i] + old[i - 1])
    return u


def case_heat():
    return heat(np.sin(np.linspace(0, 3, 80)), 0.2, 40)


def thomas(low, main, up, rhs):
    """A tridiagonal system."""
    n = len(rhs)
    c = np.zeros(n)
    d = np.zeros(n)
    c[0] = up[0] / main[0]
    d[0] = rhs[0] / main[0]
    for i in range(1, n):
        m = main[i] - low[i] * c[i - 1]
        c[i] = up[i] / m
        d[i] = (rhs[i] - low[i] * d[i - 1]) / m
    x = np.zeros(n)
    x[-1] = d[-1]
    for i in range(n - 2, -1, -1):
        x[i] = d[i] - c[i] * x[i + 1]
    return x


def case_thomas():
    n = 800
    return thomas(np.ones(n), np.full(n, 4.0), np.ones(n), np.cos(np.arange(n)))


def wave(n, steps):
    """The wave equation, three levels."""
    u = np.zeros((steps, n))
    u[0] = np.exp(-0.01 * (np.arange(n) - n / 2) ** 2)
    u[1] = u[0]
    for t in range(1, steps - 1):
        for i in range(1, n - 1):
            u[t + 1, i] = 2 * u[t, i] - u[t - 1, i] + 0.25 * (u[t, i + 1] - 2 * u[t, i] + u[t, i - 1])
    return u


def case_wave():
    return wave(60, 40)


def life(board):
    """A step of the game of life, cell by cell."""
    n, m = board.shape
    new = np.zeros((n, m), dtype=int)
    for i in range(n):
        for j in range(m):
            alive = 0
            for di in (-1, 0, 1):
                for dj in (-1, 0, 1):
                    if di or dj:
                        alive += board[(i + di) % n, (j + dj) % m]
            if board[i, j] == 1 and alive in (2, 3):
                new[i, j] = 1
            elif board[i, j] == 0 and alive == 3:
                new[i, j] = 1
    return new


def case_life():
    return life((np.sin(np.arange(400)) > 0.3).astype(int).reshape(20, 20))


def upwind(u, c, steps):
    """Upwind advection by slices in time."""
    for _ in range(steps):
        u[1:] = u[1:] - c * (u[1:] - u[:-1])
    return u


def case_upwind():
    return upwind(np.sin(np.linspace(0, 6, 400)), 0.4, 300)
