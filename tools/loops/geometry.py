"""Geometry, chemistry, text and graphs: mixed access."""

import numpy as np


def convex_hull(points):
    """Andrew's monotone chain."""
    order = np.lexsort((points[:, 1], points[:, 0]))
    pts = points[order]

    def cross(o, a, b):
        return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0])

    lower = []
    for p in pts:
        while len(lower) >= 2 and cross(lower[-2], lower[-1], p) <= 0:
            lower.pop()
        lower.append(p)
    upper = []
    for p in pts[::-1]:
        while len(upper) >= 2 and cross(upper[-2], upper[-1], p) <= 0:
            upper.pop()
        upper.append(p)
    return np.array(lower[:-1] + upper[:-1])


def case_convex_hull():
    rng = np.random.default_rng(0)
    return convex_hull(rng.random((300, 2)))


def point_in_polygon(px, py, poly):
    """Crossing number, many points against one polygon."""
    inside = np.zeros(len(px), dtype=bool)
    n = len(poly)
    j = n - 1
    for i in range(n):
        xi, yi = poly[i]
        xj, yj = poly[j]
        hit = ((yi > py) != (yj > py)) & (px < (xj - xi) * (py - yi) / (yj - yi + 1e-300) + xi)
        inside ^= hit
        j = i
    return inside


def case_point_in_polygon():
    t = np.linspace(0.0, 2.0 * np.pi, 40, endpoint=False)
    poly = np.stack([(1.0 + 0.3 * np.cos(5 * t)) * np.cos(t), (1.0 + 0.3 * np.cos(5 * t)) * np.sin(t)], axis=1)
    g = np.linspace(-1.5, 1.5, 60)
    px, py = np.meshgrid(g, g)
    return point_in_polygon(px.ravel(), py.ravel(), poly)


def marching_lengths(field, level):
    """Length of a contour by linear interpolation on cell edges."""
    n, m = field.shape
    total = 0.0
    for i in range(n - 1):
        for j in range(m - 1):
            corners = [field[i, j], field[i, j + 1], field[i + 1, j + 1], field[i + 1, j]]
            spots = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)]
            cuts = []
            for k in range(4):
                a, b = corners[k], corners[(k + 1) % 4]
                if (a > level) != (b > level):
                    t = (level - a) / (b - a)
                    p, q = spots[k], spots[(k + 1) % 4]
                    cuts.append((p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])))
            if len(cuts) == 2:
                total += np.hypot(cuts[0][0] - cuts[1][0], cuts[0][1] - cuts[1][1])
    return total


def case_marching_lengths():
    x = np.linspace(-1.0, 1.0, 40)
    return marching_lengths(x[:, None] ** 2 + x[None, :] ** 2, 0.5)


def gillespie(counts, rates, change, t_end, seed):
    """Stochastic simulation of reactions."""
    rng = np.random.default_rng(seed)
    t = 0.0
    times, states = [0.0], [counts.copy()]
    while t < t_end:
        props = np.array([rates[0] * counts[0], rates[1] * counts[0] * counts[1], rates[2] * counts[1]])
        total = props.sum()
        if total == 0:
            break
        t += -np.log(rng.random()) / total
        which = np.searchsorted(np.cumsum(props), rng.random() * total)
        counts = counts + change[which]
        times.append(t)
        states.append(counts)
    return np.array(times), np.array(states)


def case_gillespie():
    change = np.array([[1, 0], [-1, 1], [0, -1]])
    return gillespie(np.array([50, 40]), np.array([1.0, 0.02, 1.0]), change, 5.0, 7)


def dijkstra(weights, start):
    """Dense graph, no heap."""
    n = len(weights)
    dist = np.full(n, np.inf)
    done = np.zeros(n, dtype=bool)
    before = np.full(n, -1)
    dist[start] = 0.0
    for _ in range(n):
        u = np.argmin(np.where(done, np.inf, dist))
        done[u] = True
        for v in range(n):
            if not done[v] and dist[u] + weights[u, v] < dist[v]:
                dist[v] = dist[u] + weights[u, v]
                before[v] = u
    return dist, before


def case_dijkstra():
    rng = np.random.default_rng(9)
    w = rng.random((60, 60))
    w[w > 0.3] = np.inf
    return dijkstra(w, 0)


def smith_waterman(a, b, match=3, mismatch=-3, gap=2):
    """Local alignment with traceback of its score."""
    h = np.zeros((len(a) + 1, len(b) + 1), dtype=int)
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            s = match if a[i - 1] == b[j - 1] else mismatch
            h[i, j] = max(0, h[i - 1, j - 1] + s, h[i - 1, j] - gap, h[i, j - 1] - gap)
    i, j = np.unravel_index(h.argmax(), h.shape)
    path = []
    while h[i, j] > 0:
        path.append((int(i), int(j)))
        step = np.argmax([h[i - 1, j - 1], h[i - 1, j], h[i, j - 1]])
        if step == 0:
            i, j = i - 1, j - 1
        elif step == 1:
            i -= 1
        else:
            j -= 1
    return h.max(), path


def case_smith_waterman():
    return smith_waterman("TGTTACGGTACCGATTAGC" * 2, "GGTTGACTAGGTACGAT" * 2)


def savitzky_golay(y, window, order):
    """Polynomial fit in each window."""
    half = window // 2
    t = np.arange(-half, half + 1)
    a = np.vander(t, order + 1, increasing=True)
    c = np.linalg.pinv(a)[0]
    padded = np.concatenate([y[half:0:-1], y, y[-2 : -half - 2 : -1]])
    out = np.empty_like(y)
    for i in range(len(y)):
        out[i] = np.dot(c, padded[i : i + window])
    return out


def case_savitzky_golay():
    t = np.linspace(0.0, 4.0, 800)
    return savitzky_golay(np.sin(3 * t) + 0.1 * np.cos(80 * t), 11, 3)


def nelder_mead(f, x0, steps):
    """Downhill simplex."""
    n = len(x0)
    simplex = np.vstack([x0] + [x0 + 0.5 * np.eye(n)[i] for i in range(n)])
    values = np.array([f(p) for p in simplex])
    for _ in range(steps):
        order = np.argsort(values)
        simplex, values = simplex[order], values[order]
        centre = simplex[:-1].mean(axis=0)
        reflected = centre + (centre - simplex[-1])
        fr = f(reflected)
        if fr < values[0]:
            expanded = centre + 2.0 * (centre - simplex[-1])
            fe = f(expanded)
            if fe < fr:
                simplex[-1], values[-1] = expanded, fe
            else:
                simplex[-1], values[-1] = reflected, fr
        elif fr < values[-2]:
            simplex[-1], values[-1] = reflected, fr
        else:
            contracted = centre + 0.5 * (simplex[-1] - centre)
            fc = f(contracted)
            if fc < values[-1]:
                simplex[-1], values[-1] = contracted, fc
            else:
                for i in range(1, n + 1):
                    simplex[i] = simplex[0] + 0.5 * (simplex[i] - simplex[0])
                    values[i] = f(simplex[i])
    return simplex[0], values[0]


def rosenbrock(x):
    """The valley."""
    return np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def case_nelder_mead():
    return nelder_mead(rosenbrock, np.array([-1.0, 1.5, 0.5]), 150)
