"""Smoke in a room: a cloud that drifts with a whirl (advection), spreads (diffusion) and rises from a source.

Plain NumPy as people write it. `CASES` tells `np2torch verify` what to call the functions with.
"""

import numpy as np


def whirl(size, strength=1.0):
    """The velocity of a whirl around the middle, free of sources: rows first, then columns."""
    y, x = np.mgrid[0:size, 0:size] / (size - 1) - 0.5
    fade = np.exp(-6 * (x**2 + y**2))
    return np.stack([x * fade, -y * fade]) * strength * size


def sample(field, rows, columns):
    """The field between its points, linear both ways; beyond the edge it is what it is at the edge."""
    height, width = field.shape
    rows = np.clip(rows, 0, height - 1)
    columns = np.clip(columns, 0, width - 1)
    top = np.minimum(np.floor(rows).astype(int), height - 2)
    left = np.minimum(np.floor(columns).astype(int), width - 2)
    down, right = rows - top, columns - left
    upper = field[top, left] * (1 - right) + field[top, left + 1] * right
    lower = field[top + 1, left] * (1 - right) + field[top + 1, left + 1] * right
    return upper * (1 - down) + lower * down


def advect(field, velocity, step):
    """Carry a field along: each point takes what was where it comes from."""
    rows, columns = np.indices(field.shape)
    return sample(field, rows - step * velocity[0], columns - step * velocity[1])


def diffuse(field, rate, rounds=12):
    """Spread a field by the implicit scheme, solved by Jacobi's iteration; nothing leaves through the walls."""
    spread = field.copy()
    for _ in range(rounds):
        around = np.pad(spread, 1, mode="edge")
        near = around[:-2, 1:-1] + around[2:, 1:-1] + around[1:-1, :-2] + around[1:-1, 2:]
        spread = (field + rate * near) / (1 + 4 * rate)
    return spread


def divergence(velocity):
    """What flows out of each point, by central differences."""
    return np.gradient(velocity[0], axis=0) + np.gradient(velocity[1], axis=1)


def simulate(size=48, steps=30, rate=0.08):
    """The smoke after some steps of a source at the bottom."""
    velocity = whirl(size, 0.6)
    smoke = np.zeros((size, size))
    for step in range(steps):
        smoke[-6:-2, size // 3 : size // 2] += 0.5 + 0.5 * np.cos(step / 4)
        smoke = diffuse(advect(smoke, velocity, 0.5), rate)
        smoke *= 0.995
    return smoke


CASES = {
    "whirl": [(5,), (4, 2.5)],
    "sample": [(np.arange(12.0).reshape(3, 4), np.array([[0.5, 2.0], [-1, 9]]), np.array([[0.0, 2.5], [1.25, 9]]))],
    "advect": [(np.arange(9.0).reshape(3, 3), np.ones((2, 3, 3)), 0.25)],
    "diffuse": [(np.eye(4), 0.5), (np.arange(6.0).reshape(2, 3), 0.1, 3)],
    "divergence": [(np.arange(18.0).reshape(2, 3, 3) ** 2,)],
    "simulate": [(12, 5), (16, 8, 0.2)],
}


if __name__ == "__main__":
    smoke = simulate()
    row, column = np.unravel_index(smoke.argmax(), smoke.shape)
    print(f"smoke {smoke.sum():.6f}, thickest {smoke.max():.6f} at ({row}, {column})")
    for line in smoke[::6, ::3]:
        print("".join(" .:-=+*#%@"[min(int(value), 9)] for value in line))
