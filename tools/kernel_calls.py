"""One call of each kernel, as a program that uses them makes it: run under `np2torch trace` by `kernels.py`."""

from __future__ import annotations

import importlib
import sys

import numpy as np

V, W = np.linspace(0.5, 2.0, 8), np.cos(np.linspace(0.0, 3.0, 8))
A = np.array([[4.0, 1.0, 0.5], [1.0, 3.0, 0.2], [0.5, 0.2, 2.0]])
G = np.add.outer(np.arange(6.0), np.arange(6.0)) ** 1.5
P = np.array([[0.0, 0.1, 0.2], [1.0, 0.3, 0.5], [0.4, 1.0, 0.9], [0.2, 0.8, 0.1]])
CALLS = {
    "dense": [
        "gemm(1.5, A, A, 0.5, A.copy())", "cholesky(A)", "gram_schmidt(A)", "power_iteration(A)",
        "conjugate_gradient(A, A[0], np.zeros(3))", "back_substitution(np.triu(A), A[0])", "projector(A[:, :2])",
    ],
    "stencils": [
        "laplacian(G, 0.1)", "heat_step(V, 0.1, 0.01, 0.1)", "jacobi(G.copy(), G, 2)", "upwind(V, 0.5)",
        "wave(V, V, 0.5)", "divergence(G, G, 0.1, 0.1)",
    ],
    "steppers": [
        "euler(lambda t, y: -y, V, 0.0, 0.1)", "rk4(lambda t, y: -y, V, 0.0, 0.1)",
        "leapfrog(V, W, lambda x: -x, 0.1)", "lorenz(0.0, P[1])", "integrate(lambda t, y: -y, P[1], V)",
    ],
    "samples": [
        "zscores(P)", "covariance(P)", "autocorrelation(V, 2)", "welch(V, W)", "ols(V, W)", "entropy(V / V.sum())",
        "ecdf(W, V)", "kde(V, W, 0.3)",
    ],
    "distances": [
        "euclidean(P, P[::-1])", "pairwise(P, P)", "cosine(V, W)", "rbf(P, P)", "mahalanobis(P, P.mean(0), A)",
        "kmeans_step(P, P[:2])", "haversine(V, W, W, V)",
    ],
    "signals": [
        "moving_average(V, 3)", "exponential(V, 0.3)", "hann(8)", "spectrum(V, 10.0)",
        "kalman(0.0, 1.0, 0.5, 0.1, 0.2)", "convolve2d(G, A)", "sobel(G)", "gamma_correction(G, 0.5)",
        "grey(P)", "otsu(V)",
    ],
    "calculus": [
        "trapezoid(W, V)", "simpson(np.sin, 0.0, 1.0, 4)", "gauss_legendre(np.sin, 0.0, 1.0, 4)", "lagrange(V, W, 0.7)",
        "bilinear(G, V, V)", "horner(W, V)",
    ],
    "learning": [
        "softmax(P)", "sigmoid(P)", "gelu(P)", "leaky_relu(P)", "cross_entropy(P, np.array([0, 2, 1, 0]))", "huber(P)",
        "layer_norm(P, P[0], P[1])", "attention(P, P, P)", "Adam().step(V, W)",
    ],
    "finance": [
        "log_returns(V)", "sharpe(W)", "max_drawdown(V)", "present_value(V, 0.05)", "value_at_risk(W)",
        "portfolio(P[0], P[1], A)", "binomial_price(100.0, 95.0, 0.02, 0.3, 1.0, 6)",
    ],
    "mechanics": [
        "gravity(P, V[:4])", "lennard_jones(V)", "planck(V * 1e-6, 300.0)", "kinetic_energy(V[:4], P)",
        "rotation(P[1], 0.3)", "polygon_area(P)", "triangle_normals(P, np.array([[0, 1, 2], [1, 2, 3]]))",
        "spherical(P)", "ray_sphere(P[0], P[1], P[2], 2.0)", "procrustes(P, P[::-1])",
    ],
}  # fmt: skip


def main() -> None:
    """Call them all."""
    for name, calls in CALLS.items():
        module = importlib.import_module(name)
        for call in calls:
            eval(call, {**vars(module), "np": np, "A": A, "G": G, "P": P, "V": V, "W": W})


if __name__ == "__main__":
    sys.path.insert(0, sys.argv[1])
    main()
