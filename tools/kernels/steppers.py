"""Time steps of ordinary differential equations."""
import numpy as np


def euler(f, y, t, h):
    return y + h * f(t, y)


def rk4(f, y, t, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def leapfrog(x, v, force, h):
    half = v + 0.5 * h * force(x)
    x = x + h * half
    return x, half + 0.5 * h * force(x)


def lorenz(t, state, sigma=10.0, rho=28.0, beta=8 / 3):
    x, y, z = state
    return np.array([sigma * (y - x), x * (rho - z) - y, x * y - beta * z])


def integrate(f, y0, times):
    y = np.empty((len(times), len(y0)))
    y[0] = y0
    for i in range(len(times) - 1):
        y[i + 1] = rk4(f, y[i], times[i], times[i + 1] - times[i])
    return y
