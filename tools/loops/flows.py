"""Explicit schemes in time: short slices, staggered grids, particles on a grid."""

import numpy as np


def lax_wendroff(u, c, steps):
    """Advection of second order, periodic."""
    for _ in range(steps):
        left, right = np.roll(u, 1), np.roll(u, -1)
        u = u - 0.5 * c * (right - left) + 0.5 * c * c * (right - 2.0 * u + left)
    return u


def case_lax_wendroff():
    x = np.linspace(0.0, 1.0, 300, endpoint=False)
    return lax_wendroff(np.exp(-100.0 * (x - 0.5) ** 2), 0.6, 200)


def burgers(u, dt, dx, nu, steps):
    """Upwind convection with diffusion, boundaries held."""
    u = u.copy()
    for _ in range(steps):
        un = u.copy()
        moved = un[1:-1] - un[1:-1] * dt / dx * (un[1:-1] - un[:-2])
        u[1:-1] = moved + nu * dt / dx**2 * (un[2:] - 2 * un[1:-1] + un[:-2])
        u[0] = u[-2]
        u[-1] = u[1]
    return u


def case_burgers():
    x = np.linspace(0.0, 2.0 * np.pi, 101)
    return burgers(np.sin(x) + 2.0, 0.002, x[1] - x[0], 0.07, 250)


def fdtd(steps, n, source):
    """Maxwell in one dimension on a staggered grid."""
    ez = np.zeros(n)
    hy = np.zeros(n)
    ce = np.full(n, 0.5)
    ce[n // 2 :] = 0.5 / 4.0
    trace = np.zeros(steps)
    for t in range(steps):
        ez[1:] += ce[1:] * (hy[:-1] - hy[1:])
        ez[source] += np.exp(-0.5 * ((30.0 - t) / 9.0) ** 2)
        hy[:-1] += 0.5 * (ez[:-1] - ez[1:])
        trace[t] = ez[n // 3]
    return ez, trace


def case_fdtd():
    return fdtd(300, 200, 20)


def shallow_water(h, hu, dx, dt, steps):
    """Lax-Friedrichs for depth and momentum."""
    g = 9.81
    for _ in range(steps):
        f1 = hu
        f2 = hu**2 / h + 0.5 * g * h**2
        hn, hun = h.copy(), hu.copy()
        hn[1:-1] = 0.5 * (h[2:] + h[:-2]) - dt / (2 * dx) * (f1[2:] - f1[:-2])
        hun[1:-1] = 0.5 * (hu[2:] + hu[:-2]) - dt / (2 * dx) * (f2[2:] - f2[:-2])
        hn[0], hn[-1] = hn[1], hn[-2]
        hun[0], hun[-1] = -hun[1], -hun[-2]
        h, hu = hn, hun
    return h, hu


def case_shallow_water():
    x = np.linspace(-1.0, 1.0, 256)
    return shallow_water(1.0 + 0.2 * np.exp(-40.0 * x**2), np.zeros(256), x[1] - x[0], 0.001, 150)


def gray_scott(u, v, f, k, steps):
    """Reaction and diffusion on a torus."""
    for _ in range(steps):
        lu = np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u
        lv = np.roll(v, 1, 0) + np.roll(v, -1, 0) + np.roll(v, 1, 1) + np.roll(v, -1, 1) - 4 * v
        r = u * v * v
        u += 0.16 * lu - r + f * (1 - u)
        v += 0.08 * lv + r - (f + k) * v
    return u, v


def case_gray_scott():
    n = 96
    u, v = np.ones((n, n)), np.zeros((n, n))
    u[40:56, 40:56], v[40:56, 40:56] = 0.5, 0.25
    return gray_scott(u, v, 0.04, 0.06, 25)


def particle_in_cell(x, v, cells, length, dt, steps):
    """A plasma in one dimension: charge deposited, field by FFT, particles pushed."""
    dx = length / cells
    k = 2.0 * np.pi * np.fft.rfftfreq(cells, d=dx)
    energy = []
    for _ in range(steps):
        j = np.floor(x / dx).astype(int)
        w = x / dx - j
        rho = np.bincount(j % cells, weights=1.0 - w, minlength=cells)
        rho += np.bincount((j + 1) % cells, weights=w, minlength=cells)
        rho = rho * cells / len(x) - 1.0
        spectrum = np.fft.rfft(rho)
        field = np.zeros_like(spectrum)
        field[1:] = -1j * spectrum[1:] / k[1:]
        e = np.fft.irfft(field, n=cells)
        v = v - dt * ((1.0 - w) * e[j % cells] + w * e[(j + 1) % cells])
        x = (x + dt * v) % length
        energy.append(0.5 * np.sum(e**2) * dx)
    return x, v, np.array(energy)


def case_particle_in_cell():
    length, n = 4.0 * np.pi, 2000
    x = np.linspace(0.0, length, n, endpoint=False)
    x = x + 0.05 * np.sin(0.5 * x)
    v = np.where(np.arange(n) % 2 == 0, 1.0, -1.0)
    return particle_in_cell(x % length, v, 64, length, 0.1, 40)


def lattice_boltzmann(n, m, steps, tau):
    """Flow in a channel with nine velocities."""
    c = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]])
    w = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
    f = np.ones((9, n, m)) * w[:, None, None]
    f[1] += 0.02 * np.cos(2.0 * np.pi * np.arange(m) / m)
    for _ in range(steps):
        rho = f.sum(axis=0)
        ux = (c[:, 0, None, None] * f).sum(axis=0) / rho
        uy = (c[:, 1, None, None] * f).sum(axis=0) / rho
        for i in range(9):
            cu = c[i, 0] * ux + c[i, 1] * uy
            eq = rho * w[i] * (1 + 3 * cu + 4.5 * cu**2 - 1.5 * (ux**2 + uy**2))
            f[i] += (eq - f[i]) / tau
            f[i] = np.roll(f[i], (c[i, 0], c[i, 1]), axis=(0, 1))
    return f.sum(axis=0)


def case_lattice_boltzmann():
    return lattice_boltzmann(40, 30, 12, 0.6)


def crank_nicolson(psi, v, dx, dt, steps):
    """Schroedinger's equation with a tridiagonal solve per step."""
    n = len(psi)
    a = -0.25j * dt / dx**2
    for _ in range(steps):
        d = psi.copy()
        d[1:-1] = psi[1:-1] - a * (psi[2:] - 2 * psi[1:-1] + psi[:-2]) * -1 - 0.5j * dt * v[1:-1] * psi[1:-1]
        diag = 1.0 - 2.0 * a + 0.5j * dt * v
        cp = np.zeros(n, dtype=complex)
        dp = np.zeros(n, dtype=complex)
        cp[0] = a / diag[0]
        dp[0] = d[0] / diag[0]
        for i in range(1, n):
            m = diag[i] - a * cp[i - 1]
            cp[i] = a / m
            dp[i] = (d[i] - a * dp[i - 1]) / m
        out = np.empty_like(psi)
        out[-1] = dp[-1]
        for i in range(n - 2, -1, -1):
            out[i] = dp[i] - cp[i] * out[i + 1]
        psi = out
    return psi


def case_crank_nicolson():
    x = np.linspace(-5.0, 5.0, 200)
    return crank_nicolson(np.exp(-((x + 1.0) ** 2) + 2j * x), 0.5 * x**2, x[1] - x[0], 0.005, 15)
