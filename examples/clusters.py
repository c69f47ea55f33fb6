"""Find groups in measurements: standardise, project on the principal axes, cluster with k-means.

Plain NumPy as people write it. `CASES` tells `np2torch verify` what to call the functions with.
"""

import numpy as np


def standardise(samples):
    """Centre and scale the columns in place; a constant column stays at zero."""
    samples -= samples.mean(axis=0)
    spread = samples.std(axis=0)
    spread[spread == 0] = 1
    samples /= spread
    return spread


def principal_axes(samples, count):
    """The directions of largest variance, one a row, each pointing to its largest component."""
    centred = samples - np.mean(samples, axis=0)
    covariance = centred.T @ centred / (len(samples) - 1)
    variances, vectors = np.linalg.eigh(covariance)
    order = np.argsort(variances)[::-1][:count]
    axes = vectors[:, order].T
    strongest = np.abs(axes).argmax(axis=1)
    signs = np.sign(axes[np.arange(count), strongest])
    return axes * signs[:, None], variances[order]


def distances(points, centres):
    """Euclidean distance of each point to each centre."""
    offsets = points[:, np.newaxis, :] - centres[np.newaxis, :, :]
    return np.sqrt(np.sum(offsets**2, axis=-1))


def kmeans(points, count, rounds=20):
    """Lloyd's algorithm from the first `count` points; returns centres, labels and the size of each group."""
    centres = points[:count].copy()
    labels = np.zeros(len(points), dtype=int)
    for _ in range(rounds):
        labels = distances(points, centres).argmin(axis=1)
        previous = centres.copy()
        for k in range(count):
            members = points[labels == k]
            if len(members) > 0:
                centres[k] = members.mean(axis=0)
        if np.allclose(previous, centres):
            break
    return centres, labels, np.bincount(labels, minlength=count)


def share_within(points, centres, labels):
    """Share of the total scatter that is left inside the groups."""
    inside = ((points - centres[labels]) ** 2).sum()
    total = ((points - points.mean(axis=0)) ** 2).sum()
    return inside / total


def measurements(size=60):
    """Three spirals of integer readings, the same every time."""
    angle = np.linspace(0, 4 * np.pi, size)
    group = np.arange(size) % 3
    columns = [np.cos(angle) + 6 * group, np.sin(angle) - 4 * (group == 1), angle / 8 + group**2, np.full(size, 2.5)]
    return np.round(np.stack(columns, axis=1) * 100).astype(int)


CASES = {
    "standardise": [(measurements().astype(float),), (np.ones((3, 2)),)],
    "principal_axes": [(measurements() / 10, 2), (measurements(9) / 7, 3)],
    "distances": [(np.eye(3), np.zeros((2, 3))), (np.arange(6.0).reshape(3, 2), np.array([[1.5, 2]]))],
    "kmeans": [(measurements() / 100, 3), (measurements(7) / 3, 2, 1)],
    "share_within": [(np.eye(4), np.array([[0.25] * 4, [1.0] * 4]), np.array([0, 0, 1, 0]))],
    "measurements": [(), (2,)],
}


if __name__ == "__main__":
    samples = measurements(1500).astype(float)
    standardise(samples)
    axes, variances = principal_axes(samples, 2)
    points = samples @ axes.T
    centres, labels, sizes = kmeans(points, 3)
    print(f"{variances[0]:.6f} {variances[1]:.6f}", sizes.tolist(), f"{share_within(points, centres, labels):.6f}")
