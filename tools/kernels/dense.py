"""Dense linear algebra, as textbooks have it."""
import numpy as np


def gemm(alpha, a, b, beta, c):
    c[:] = alpha * a @ b + beta * c
    return c


def cholesky(a):
    """Lower triangular factor of a positive definite matrix."""
    n = a.shape[0]
    lower = np.zeros_like(a)
    for j in range(n):
        lower[j, j] = np.sqrt(a[j, j] - np.dot(lower[j, :j], lower[j, :j]))
        for i in range(j + 1, n):
            lower[i, j] = (a[i, j] - np.dot(lower[i, :j], lower[j, :j])) / lower[j, j]
    return lower


def gram_schmidt(a):
    q = np.array(a, dtype=float)
    for k in range(q.shape[1]):
        for j in range(k):
            q[:, k] -= (q[:, j] @ q[:, k]) * q[:, j]
        q[:, k] /= np.linalg.norm(q[:, k])
    return q


def power_iteration(a, steps=50):
    v = np.ones(a.shape[0])
    for _ in range(steps):
        w = a @ v
        v = w / np.linalg.norm(w)
    return v @ a @ v, v


def conjugate_gradient(a, b, x, tolerance=1e-10):
    r = b - a @ x
    p = r
    rs = r @ r
    for _ in range(len(b)):
        ap = a @ p
        alpha = rs / (p @ ap)
        x = x + alpha * p
        r = r - alpha * ap
        new = r @ r
        if np.sqrt(new) < tolerance:
            break
        p = r + (new / rs) * p
        rs = new
    return x


def back_substitution(u, b):
    n = len(b)
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - u[i, i + 1 :] @ x[i + 1 :]) / u[i, i]
    return x


def projector(a):
    """Onto the column space."""
    return a @ np.linalg.solve(a.T @ a, a.T)
