"""Distances and kernels between points."""
import numpy as np


def euclidean(a, b):
    return np.sqrt(np.sum((a - b) ** 2, axis=-1))


def pairwise(a, b):
    return np.sqrt(((a[:, None, :] - b[None, :, :]) ** 2).sum(-1))


def cosine(u, v):
    return 1 - u @ v / (np.linalg.norm(u) * np.linalg.norm(v))


def rbf(a, b, gamma=0.5):
    d = np.sum(a**2, axis=1)[:, None] + np.sum(b**2, axis=1) - 2 * a @ b.T
    return np.exp(-gamma * np.maximum(d, 0))


def mahalanobis(x, mean, precision):
    d = x - mean
    return np.sqrt(np.einsum("ij,jk,ik->i", d, precision, d))


def kmeans_step(x, centres):
    labels = pairwise(x, centres).argmin(axis=1)
    return np.array([x[labels == k].mean(axis=0) for k in range(len(centres))]), labels


def haversine(lat1, lon1, lat2, lon2, radius=6371.0):
    p1, p2 = np.radians(lat1), np.radians(lat2)
    dp, dl = p2 - p1, np.radians(lon2 - lon1)
    h = np.sin(dp / 2) ** 2 + np.cos(p1) * np.cos(p2) * np.sin(dl / 2) ** 2
    return 2 * radius * np.arcsin(np.sqrt(h))
