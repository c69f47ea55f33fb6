"""Sparse matrices and graphs in arrays."""

import numpy as np


def band(n):
    """A band matrix in compressed rows."""
    rows = np.repeat(np.arange(n), 5)
    cols = (rows + np.tile(np.arange(5), n)) % n
    return np.sin(np.arange(5.0 * n)), cols, np.arange(0, 5 * n + 1, 5)


def csr_matvec(data, indices, indptr, x):
    """Compressed rows times a vector."""
    n = len(indptr) - 1
    y = np.zeros(n)
    for i in range(n):
        total = 0.0
        for k in range(indptr[i], indptr[i + 1]):
            total += data[k] * x[indices[k]]
        y[i] = total
    return y


def case_csr_matvec():
    data, cols, ptr = band(300)
    return csr_matvec(data, cols, ptr, np.cos(np.arange(300.0)))


def csr_slices(data, indices, indptr, x):
    """The same, a row at a time."""
    y = np.zeros(len(indptr) - 1)
    for i in range(len(y)):
        lo, hi = indptr[i], indptr[i + 1]
        y[i] = np.dot(data[lo:hi], x[indices[lo:hi]])
    return y


def case_csr_slices():
    data, cols, ptr = band(300)
    return csr_slices(data, cols, ptr, np.cos(np.arange(300.0)))


def coo_to_dense(rows, cols, values, n):
    """Triplets added up."""
    a = np.zeros((n, n))
    for r, c, v in zip(rows, cols, values):
        a[r, c] += v
    return a


def case_coo_to_dense():
    k = np.arange(1500)
    return coo_to_dense(k * 7 % 40, k * 11 % 40, np.sin(k), 40)


def csr_transpose(data, indices, indptr, m):
    """Compressed columns of compressed rows."""
    count = np.zeros(m + 1, dtype=np.int64)
    for j in indices:
        count[j + 1] += 1
    for j in range(m):
        count[j + 1] += count[j]
    place = count.copy()
    out = np.zeros_like(data)
    rows = np.zeros_like(indices)
    for i in range(len(indptr) - 1):
        for k in range(indptr[i], indptr[i + 1]):
            at = place[indices[k]]
            out[at] = data[k]
            rows[at] = i
            place[indices[k]] += 1
    return out, rows, count


def case_csr_transpose():
    data, cols, ptr = band(200)
    return csr_transpose(data, cols, ptr, 200)


def pagerank(links, damping, steps):
    """PageRank by lists of edges."""
    n = links.max() + 1
    degree = np.zeros(n)
    for k in range(links.shape[0]):
        degree[links[k, 0]] += 1
    rank = np.ones(n) / n
    for _ in range(steps):
        new = np.ones(n) * (1 - damping) / n
        for k in range(links.shape[0]):
            new[links[k, 1]] += damping * rank[links[k, 0]] / degree[links[k, 0]]
        rank = new
    return rank


def case_pagerank():
    k = np.arange(300)
    return pagerank(np.stack((k % 40, k * 7 % 40), axis=1), 0.85, 8)


def union_find(pairs, n):
    """Components by union and find."""
    parent = np.arange(n)
    for a, b in pairs:
        while parent[a] != a:
            a = parent[a]
        while parent[b] != b:
            b = parent[b]
        if a != b:
            parent[a] = b
    return parent


def case_union_find():
    k = np.arange(300)
    return union_find(np.stack((k * 7 % 400, k * 13 % 400), axis=1), 400)


def breadth_first(adjacency, start):
    """Distances in a graph of a dense matrix."""
    n = adjacency.shape[0]
    distance = np.full(n, -1)
    distance[start] = 0
    queue = [start]
    while queue:
        node = queue.pop(0)
        for other in range(n):
            if adjacency[node, other] and distance[other] < 0:
                distance[other] = distance[node] + 1
                queue.append(other)
    return distance


def case_breadth_first():
    k = np.arange(900).reshape(30, 30)
    return breadth_first(k * 11 % 31 < 3, 0)
