"""Dynamic programming and recurrences."""

import numpy as np


def edit_distance(a, b):
    """Levenshtein."""
    n, m = len(a), len(b)
    d = np.zeros((n + 1, m + 1), dtype=int)
    for i in range(n + 1):
        d[i, 0] = i
    for j in range(m + 1):
        d[0, j] = j
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            d[i, j] = min(d[i - 1, j] + 1, d[i, j - 1] + 1, d[i - 1, j - 1] + cost)
    return d[n, m]


def case_edit_distance():
    return edit_distance("the quick brown fox jumps over" * 2, "a lazy dog sleeps under the tree" * 2)


def warping(x, y):
    """Dynamic time warping."""
    n, m = len(x), len(y)
    cost = np.full((n + 1, m + 1), np.inf)
    cost[0, 0] = 0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            d = abs(x[i - 1] - y[j - 1])
            cost[i, j] = d + min(cost[i - 1, j], cost[i, j - 1], cost[i - 1, j - 1])
    return cost[n, m], cost


def case_warping():
    return warping(np.sin(np.arange(50) / 5), np.cos(np.arange(50) / 5))


def needleman_wunsch(s, t, match, mismatch, gap):
    """Scores of global alignment of coded sequences."""
    score = np.zeros((len(s) + 1, len(t) + 1), dtype=np.int32)
    score[:, 0] = np.arange(len(s) + 1) * gap
    score[0, :] = np.arange(len(t) + 1) * gap
    for i in range(1, len(s) + 1):
        for j in range(1, len(t) + 1):
            diagonal = score[i - 1, j - 1] + (match if s[i - 1] == t[j - 1] else mismatch)
            score[i, j] = max(diagonal, score[i - 1, j] + gap, score[i, j - 1] + gap)
    return score


def case_needleman_wunsch():
    return needleman_wunsch(np.arange(50) % 4, np.arange(55) * 3 % 4, 2, -1, -2)


def knapsack(weights, values, capacity):
    """0/1 knapsack."""
    best = np.zeros(capacity + 1)
    for k in range(len(weights)):
        for w in range(capacity, weights[k] - 1, -1):
            best[w] = max(best[w], best[w - weights[k]] + values[k])
    return best


def case_knapsack():
    return knapsack(np.array([3, 5, 7, 11, 13]), np.array([2.0, 3.5, 5.0, 9.0, 11.0]), 300)


def viterbi(start, trans, emit, seen):
    """The most likely path, a state at a time."""
    steps, states = len(seen), len(start)
    score = np.zeros((steps, states))
    back = np.zeros((steps, states), dtype=int)
    score[0] = np.log(start) + np.log(emit[:, seen[0]])
    for t in range(1, steps):
        for s in range(states):
            options = score[t - 1] + np.log(trans[:, s])
            back[t, s] = np.argmax(options)
            score[t, s] = options[back[t, s]] + np.log(emit[s, seen[t]])
    path = np.zeros(steps, dtype=int)
    path[-1] = np.argmax(score[-1])
    for t in range(steps - 2, -1, -1):
        path[t] = back[t + 1, path[t + 1]]
    return path


def case_viterbi():
    trans = np.array([[0.7, 0.2, 0.1], [0.3, 0.5, 0.2], [0.2, 0.3, 0.5]])
    emit = np.array([[0.5, 0.4, 0.1], [0.1, 0.3, 0.6], [0.3, 0.3, 0.4]])
    return viterbi(np.array([0.6, 0.3, 0.1]), trans, emit, np.arange(120) * 7 % 3)


def floyd_warshall(d):
    """All shortest paths."""
    n = d.shape[0]
    d = d.copy()
    for k in range(n):
        for i in range(n):
            for j in range(n):
                if d[i, k] + d[k, j] < d[i, j]:
                    d[i, j] = d[i, k] + d[k, j]
    return d


def case_floyd_warshall():
    return floyd_warshall(np.abs(np.sin(np.arange(256.0))).reshape(16, 16) * 10)


def ewma(x, alpha):
    """Exponential smoothing."""
    out = np.empty_like(x)
    out[0] = x[0]
    for i in range(1, len(x)):
        out[i] = alpha * x[i] + (1 - alpha) * out[i - 1]
    return out


def case_ewma():
    return ewma(np.sin(np.arange(2000.0)), 0.1)


def garch(returns, omega, alpha, beta):
    """Conditional variances and their likelihood."""
    sigma2 = np.zeros(len(returns))
    sigma2[0] = np.var(returns)
    loss = 0.0
    for t in range(1, len(returns)):
        sigma2[t] = omega + alpha * returns[t - 1] ** 2 + beta * sigma2[t - 1]
        loss += np.log(sigma2[t]) + returns[t] ** 2 / sigma2[t]
    return loss, sigma2


def case_garch():
    return garch(np.sin(np.arange(1000.0)), 0.05, 0.1, 0.85)


def longest_common(a, b):
    """Length of the longest common subsequence of two arrays."""
    table = np.zeros((len(a) + 1, len(b) + 1), int)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            if x == y:
                table[i + 1, j + 1] = table[i, j] + 1
            else:
                table[i + 1, j + 1] = max(table[i + 1, j], table[i, j + 1])
    return table[-1, -1]


def case_longest_common():
    return longest_common(np.arange(50) % 7, np.arange(60) * 3 % 7)


def horner(c, x):
    """A polynomial at many points, coefficient by coefficient."""
    y = np.zeros_like(x)
    for k in range(len(c) - 1, -1, -1):
        y = y * x + c[k]
    return y


def case_horner():
    return horner(np.arange(30.0), np.linspace(-1, 1, 2000))
