"""Dense linear algebra by loops."""

import numpy as np


def symmetric(n):
    """A positive definite matrix."""
    a = np.sin(np.arange(n * n, dtype=float)).reshape(n, n)
    return a @ a.T + n * np.eye(n)


def square(n):
    """A well-conditioned matrix."""
    return np.cos(np.arange(n * n, dtype=float)).reshape(n, n) + n * np.eye(n)


def cholesky(a):
    """Cholesky-Banachiewicz, element by element."""
    n = a.shape[0]
    low = np.zeros((n, n))
    for i in range(n):
        for j in range(i + 1):
            s = a[i, j]
            for k in range(j):
                s -= low[i, k] * low[j, k]
            if i == j:
                low[i, j] = np.sqrt(s)
            else:
                low[i, j] = s / low[j, j]
    return low


def case_cholesky():
    return cholesky(symmetric(24))


def cholesky_rows(a):
    """The same with products of rows."""
    n = len(a)
    low = np.zeros_like(a)
    for j in range(n):
        low[j, j] = np.sqrt(a[j, j] - np.dot(low[j, :j], low[j, :j]))
        for i in range(j + 1, n):
            low[i, j] = (a[i, j] - np.dot(low[i, :j], low[j, :j])) / low[j, j]
    return low


def case_cholesky_rows():
    return cholesky_rows(symmetric(40))


def lu(a):
    """Doolittle without pivoting, in place of a copy."""
    a = a.copy()
    n = a.shape[0]
    for k in range(n - 1):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            for j in range(k + 1, n):
                a[i, j] -= a[i, k] * a[k, j]
    return a


def case_lu():
    return lu(square(20))


def gauss(a, b):
    """Gaussian elimination with partial pivoting and back substitution by rows."""
    a = np.array(a, dtype=float)
    b = np.array(b, dtype=float)
    n = len(b)
    for k in range(n):
        p = k + np.argmax(np.abs(a[k:, k]))
        if p != k:
            a[[k, p]] = a[[p, k]]
            b[[k, p]] = b[[p, k]]
        for i in range(k + 1, n):
            factor = a[i, k] / a[k, k]
            a[i, k:] -= factor * a[k, k:]
            b[i] -= factor * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        x[i] = (b[i] - np.dot(a[i, i + 1:], x[i + 1:])) / a[i, i]
    return x


def case_gauss():
    return gauss(square(30)[::-1], np.arange(30.0))


def forward_substitution(low, b):
    """Solve a lower triangular system."""
    n = b.size
    x = np.empty(n)
    for i in range(n):
        total = b[i]
        for j in range(i):
            total -= low[i, j] * x[j]
        x[i] = total / low[i, i]
    return x


def case_forward_substitution():
    return forward_substitution(np.tril(square(50)), np.arange(50.0))


def matmul_loops(a, b):
    """Three loops."""
    n, m = a.shape
    p = b.shape[1]
    c = np.zeros((n, p))
    for i in range(n):
        for j in range(p):
            for k in range(m):
                c[i, j] += a[i, k] * b[k, j]
    return c


def case_matmul_loops():
    return matmul_loops(square(14), symmetric(14))


def triangular_product(u, v):
    """The product of two upper triangular matrices."""
    n = u.shape[0]
    w = np.zeros((n, n))
    for i in range(n):
        for j in range(i, n):
            acc = 0.0
            for k in range(i, j + 1):
                acc += u[i, k] * v[k, j]
            w[i, j] = acc
    return w


def case_triangular_product():
    return triangular_product(np.triu(square(20)), np.triu(symmetric(20)))


def gram_schmidt(a):
    """Modified Gram-Schmidt by columns."""
    m, n = a.shape
    q = np.zeros((m, n))
    r = np.zeros((n, n))
    for j in range(n):
        v = a[:, j].copy()
        for i in range(j):
            r[i, j] = np.dot(q[:, i], v)
            v = v - r[i, j] * q[:, i]
        r[j, j] = np.sqrt(np.sum(v ** 2))
        q[:, j] = v / r[j, j]
    return q, r


def case_gram_schmidt():
    return gram_schmidt(square(24))


def jacobi_eigen(a, sweeps):
    """Cyclic Jacobi rotations."""
    a = a.copy()
    n = a.shape[0]
    for _ in range(sweeps):
        for p in range(n - 1):
            for q in range(p + 1, n):
                if abs(a[p, q]) < 1e-300:
                    continue
                theta = (a[q, q] - a[p, p]) / (2.0 * a[p, q])
                t = np.sign(theta) / (abs(theta) + np.sqrt(theta ** 2 + 1.0))
                c = 1.0 / np.sqrt(t ** 2 + 1.0)
                s = t * c
                for k in range(n):
                    akp, akq = a[k, p], a[k, q]
                    a[k, p] = c * akp - s * akq
                    a[k, q] = s * akp + c * akq
                for k in range(n):
                    apk, aqk = a[p, k], a[q, k]
                    a[p, k] = c * apk - s * aqk
                    a[q, k] = s * apk + c * aqk
    return np.diag(a)


def case_jacobi_eigen():
    return jacobi_eigen(symmetric(9), 2)


def power_iteration(a, steps):
    """The largest eigenvalue by whole products."""
    x = np.ones(a.shape[0])
    for _ in range(steps):
        y = a @ x
        x = y / np.linalg.norm(y)
    return x @ a @ x


def case_power_iteration():
    return power_iteration(symmetric(120), 100)


def conjugate_gradient(a, b, steps):
    """Conjugate gradients with whole vectors."""
    x = np.zeros_like(b)
    r = b - a @ x
    p = r.copy()
    rs = r @ r
    for _ in range(steps):
        ap = a @ p
        alpha = rs / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        new = r @ r
        if np.sqrt(new) < 1e-14:
            break
        p = r + (new / rs) * p
        rs = new
    return x


def case_conjugate_gradient():
    return conjugate_gradient(symmetric(150), np.arange(150.0), 80)
