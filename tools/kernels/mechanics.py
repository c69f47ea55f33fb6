"""Physics and geometry."""
import numpy as np


def gravity(positions, masses, g=6.674e-11, softening=1e-9):
    d = positions[None, :, :] - positions[:, None, :]
    r2 = (d**2).sum(axis=-1) + softening
    return g * (d * (masses[None, :] / r2**1.5)[:, :, None]).sum(axis=1)


def lennard_jones(r, epsilon=1.0, sigma=1.0):
    s6 = (sigma / r) ** 6
    return 4 * epsilon * (s6**2 - s6)


def planck(wavelength, temperature):
    h, c, k = 6.626e-34, 2.998e8, 1.381e-23
    return 2 * h * c**2 / wavelength**5 / np.expm1(h * c / (wavelength * k * temperature))


def kinetic_energy(masses, velocities):
    return 0.5 * np.sum(masses * np.sum(velocities**2, axis=1))


def rotation(axis, angle):
    """Rodrigues' formula."""
    axis = np.asarray(axis) / np.linalg.norm(axis)
    k = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def polygon_area(points):
    x, y = points[:, 0], points[:, 1]
    return 0.5 * np.abs(np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1)))


def triangle_normals(vertices, faces):
    a, b, c = vertices[faces[:, 0]], vertices[faces[:, 1]], vertices[faces[:, 2]]
    n = np.cross(b - a, c - a)
    return n / np.linalg.norm(n, axis=1, keepdims=True)


def spherical(points):
    x, y, z = points.T
    r = np.sqrt(x**2 + y**2 + z**2)
    return np.stack([r, np.arccos(z / r), np.arctan2(y, x)], axis=1)


def ray_sphere(origin, direction, centre, radius):
    oc = origin - centre
    b = np.dot(oc, direction)
    disc = b**2 - (np.dot(oc, oc) - radius**2)
    if disc < 0:
        return None
    return -b - np.sqrt(disc)


def procrustes(a, b):
    a0, b0 = a - a.mean(axis=0), b - b.mean(axis=0)
    u, _, vt = np.linalg.svd(a0.T @ b0)
    return u @ vt
