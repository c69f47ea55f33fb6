"""Estimation, learning and genetics, as scientists write them."""

import numpy as np


def hmm_forward_backward(a, b, pi, obs):
    """Scaled forward and backward recursions."""
    t_max, n = len(obs), len(pi)
    alpha = np.zeros((t_max, n))
    beta = np.ones((t_max, n))
    scale = np.zeros(t_max)
    alpha[0] = pi * b[:, obs[0]]
    scale[0] = alpha[0].sum()
    alpha[0] /= scale[0]
    for t in range(1, t_max):
        alpha[t] = (alpha[t - 1] @ a) * b[:, obs[t]]
        scale[t] = alpha[t].sum()
        alpha[t] /= scale[t]
    for t in range(t_max - 2, -1, -1):
        beta[t] = a @ (b[:, obs[t + 1]] * beta[t + 1]) / scale[t + 1]
    gamma = alpha * beta
    return gamma / gamma.sum(axis=1, keepdims=True), np.log(scale).sum()


def case_hmm_forward_backward():
    rng = np.random.default_rng(3)
    a = rng.random((5, 5))
    b = rng.random((5, 8))
    a, b = a / a.sum(1, keepdims=True), b / b.sum(1, keepdims=True)
    return hmm_forward_backward(a, b, np.full(5, 0.2), rng.integers(0, 8, 300))


def gmm_em(x, means, rounds):
    """Expectation and maximisation for a mixture of Gaussians in one dimension."""
    k = len(means)
    weights, variances = np.ones(k) / k, np.ones(k)
    for _ in range(rounds):
        resp = np.zeros((len(x), k))
        for j in range(k):
            bell = np.exp(-0.5 * (x - means[j]) ** 2 / variances[j])
            resp[:, j] = weights[j] * bell / np.sqrt(2 * np.pi * variances[j])
        resp /= resp.sum(axis=1)[:, np.newaxis]
        total = resp.sum(axis=0)
        weights = total / len(x)
        means = (resp * x[:, None]).sum(axis=0) / total
        for j in range(k):
            variances[j] = (resp[:, j] * (x - means[j]) ** 2).sum() / total[j]
    return weights, means, variances


def case_gmm_em():
    x = np.concatenate([np.sin(np.arange(1500.0)) - 2.0, np.cos(np.arange(1500.0)) * 0.5 + 2.0])
    return gmm_em(x, np.array([-1.0, 0.5, 1.0]), 20)


def backprop(x, y, hidden, rate, epochs):
    """A network with one hidden layer, full batches."""
    rng = np.random.RandomState(0)
    w1 = rng.randn(x.shape[1], hidden) * 0.1
    b1 = np.zeros(hidden)
    w2 = rng.randn(hidden, 1) * 0.1
    b2 = np.zeros(1)
    losses = []
    for _ in range(epochs):
        h = np.tanh(x @ w1 + b1)
        out = 1.0 / (1.0 + np.exp(-(h @ w2 + b2)))
        error = out - y
        losses.append(float(np.mean(error**2)))
        grad_w2 = h.T @ error / len(x)
        dh = (error @ w2.T) * (1.0 - h**2)
        w2 -= rate * grad_w2
        b2 -= rate * error.mean(axis=0)
        w1 -= rate * x.T @ dh / len(x)
        b1 -= rate * dh.mean(axis=0)
    return w1, w2, losses


def case_backprop():
    t = np.linspace(0.0, 6.0, 200)
    x = np.column_stack([np.sin(t), np.cos(2 * t), t])
    return backprop(x, (x[:, :1] > 0).astype(float), 16, 0.5, 60)


def lasso(x, y, penalty, sweeps):
    """Coordinate descent with soft thresholds."""
    p = x.shape[1]
    beta = np.zeros(p)
    residual = y.copy()
    norms = (x**2).sum(axis=0)
    for _ in range(sweeps):
        for j in range(p):
            old = beta[j]
            rho = x[:, j] @ residual + norms[j] * old
            if rho > penalty:
                beta[j] = (rho - penalty) / norms[j]
            elif rho < -penalty:
                beta[j] = (rho + penalty) / norms[j]
            else:
                beta[j] = 0.0
            if beta[j] != old:
                residual -= x[:, j] * (beta[j] - old)
    return beta


def case_lasso():
    rng = np.random.default_rng(1)
    x = rng.standard_normal((120, 30))
    return lasso(x, x[:, :3] @ np.array([2.0, -1.0, 0.5]) + 0.01 * rng.standard_normal(120), 5.0, 20)


def perceptron(x, y, epochs):
    """Online updates, one sample at a time."""
    w = np.zeros(x.shape[1])
    b = 0.0
    mistakes = 0
    for _ in range(epochs):
        for xi, yi in zip(x, y):
            if yi * (np.dot(w, xi) + b) <= 0:
                w = w + yi * xi
                b += yi
                mistakes += 1
    return w, b, mistakes


def case_perceptron():
    rng = np.random.default_rng(2)
    x = rng.standard_normal((200, 4))
    return perceptron(x, np.where(x[:, 0] + 0.5 * x[:, 1] > 0.1, 1.0, -1.0), 5)


def metropolis(log_p, start, width, n, seed):
    """Random walk Monte Carlo."""
    rng = np.random.default_rng(seed)
    x = np.array(start, dtype=float)
    lp = log_p(x)
    chain = np.empty((n, len(x)))
    accepted = 0
    for i in range(n):
        y = x + width * rng.standard_normal(len(x))
        lq = log_p(y)
        if np.log(rng.random()) < lq - lp:
            x, lp = y, lq
            accepted += 1
        chain[i] = x
    return chain, accepted / n


def banana(x):
    """Rosenbrock's density."""
    return -0.05 * (100.0 * (x[1] - x[0] ** 2) ** 2 + (1.0 - x[0]) ** 2)


def case_metropolis():
    return metropolis(banana, [0.0, 0.0], 0.3, 800, 11)


def particle_filter(z, n, q, r, seed):
    """Bootstrap filter with systematic resampling."""
    rng = np.random.RandomState(seed)
    particles = rng.normal(0.0, 1.0, n)
    estimates = np.zeros(len(z))
    for t in range(len(z)):
        particles = 0.9 * particles + rng.normal(0.0, q, n)
        w = np.exp(-0.5 * ((z[t] - particles) / r) ** 2) + 1e-300
        w /= w.sum()
        estimates[t] = np.sum(w * particles)
        positions = (np.arange(n) + rng.uniform()) / n
        index = np.searchsorted(np.cumsum(w), positions)
        particles = particles[np.minimum(index, n - 1)]
    return estimates


def case_particle_filter():
    return particle_filter(np.sin(np.linspace(0.0, 6.0, 80)), 400, 0.3, 0.5, 4)


def wright_fisher(freq, fitness, size, generations, seed):
    """Selection and drift of alleles."""
    rng = np.random.default_rng(seed)
    history = [freq]
    for _ in range(generations):
        mean = np.dot(freq, fitness)
        freq = rng.multinomial(size, freq * fitness / mean) / size
        history.append(freq)
    return np.array(history)


def case_wright_fisher():
    return wright_fisher(np.array([0.25, 0.25, 0.5]), np.array([1.0, 1.02, 0.99]), 500, 300, 5)
