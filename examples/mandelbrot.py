"""The Mandelbrot set: how many rounds of z*z + c each point of the plane stays near, drawn with signs.

Plain NumPy as people write it. `CASES` tells `np2torch verify` what to call the functions with.
"""

import numpy as np

SIGNS = " .:-=+*#%@"


def plane(width, height, centre=-0.5 + 0j, radius=1.5):
    """The complex numbers of a grid, row by row from the top."""
    x = np.linspace(centre.real - radius, centre.real + radius, width)
    y = np.linspace(centre.imag + radius, centre.imag - radius, height)
    return x[np.newaxis, :] + 1j * y[:, np.newaxis]


def escape_times(c, rounds):
    """The round in which each point leaves the circle of radius 2; `rounds` for those that stay."""
    z = np.zeros_like(c)
    times = np.full(c.shape, rounds)
    inside = np.ones(c.shape, dtype=bool)
    for step in range(rounds):
        z[inside] = z[inside] ** 2 + c[inside]
        left = inside & (np.abs(z) > 2)
        times[left] = step
        inside &= ~left
    return times, inside


def area(inside, radius=1.5):
    """The area of the set on a square of that radius, by counting points."""
    return inside.mean() * (2 * radius) ** 2


def shades(times, rounds):
    """Signs for escape times, spaced by their logarithm."""
    scaled = np.log1p(times) / np.log1p(rounds) * (len(SIGNS) - 1)
    return ["".join(SIGNS[level] for level in row) for row in scaled.astype(int).tolist()]


CASES = {
    "plane": [(4, 3), (3, 2, 1 + 2j, 0.5)],
    "escape_times": [(np.array([[0, 1 + 0j, -1], [2j, 0.3 + 0.5j, -2.5]]), 12)],
    "area": [(np.array([[True, False], [False, False]]),)],
    "shades": [(np.array([[0, 3], [7, 20]]), 20)],
}


if __name__ == "__main__":
    times, inside = escape_times(plane(80, 32), 40)
    print("\n".join(shades(times, 40)))
    print(f"{np.count_nonzero(inside)} points stay, area {area(inside):.4f}, rounds {times.sum()}")
