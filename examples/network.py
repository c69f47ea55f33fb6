"""A neural net from scratch: two layers that learn which of two spirals a point lies on, by backpropagation.

Plain NumPy as people write it. `CASES` tells `np2torch verify` what to call the functions with.
"""

import numpy as np


def spirals(count, turns=0.75):
    """Points on two arms that wind around one another, and the arm each belongs to."""
    distance = np.sqrt(np.linspace(0.05, 1, count))
    angle = distance * turns * 2 * np.pi
    arm = np.stack([distance * np.cos(angle), distance * np.sin(angle)], axis=1)
    return np.concatenate([arm, -arm]), np.repeat([0, 1], count)


class Network:
    """A hidden layer of tanh, and a softmax."""

    def __init__(self, inputs, hidden, outputs, seed=0):
        rng = np.random.default_rng(seed)
        self.w1 = rng.normal(scale=np.sqrt(1 / inputs), size=(inputs, hidden))
        self.b1 = np.zeros(hidden)
        self.w2 = rng.normal(scale=np.sqrt(1 / hidden), size=(hidden, outputs))
        self.b2 = np.zeros(outputs)

    def forward(self, points):
        """The probability of each class, and the hidden layer."""
        layer = np.tanh(points @ self.w1 + self.b1)
        scores = layer @ self.w2 + self.b2
        scores -= scores.max(axis=1, keepdims=True)
        weights = np.exp(scores)
        return weights / weights.sum(axis=1, keepdims=True), layer

    def step(self, points, labels, rate):
        """One step down the gradient of the cross entropy, which is returned."""
        probabilities, layer = self.forward(points)
        rows = np.arange(len(points))
        loss = -np.log(probabilities[rows, labels]).mean()
        error = probabilities.copy()
        error[rows, labels] -= 1
        error /= len(points)
        back = (error @ self.w2.T) * (1 - layer**2)
        self.w2 -= rate * (layer.T @ error)
        self.b2 -= rate * error.sum(axis=0)
        self.w1 -= rate * (points.T @ back)
        self.b1 -= rate * back.sum(axis=0)
        return loss


def learn(count=40, hidden=24, steps=600, rate=0.5):
    """The loss before and after learning, and the share of points that are told apart."""
    points, labels = spirals(count)
    network = Network(2, hidden, 2)
    losses = np.array([network.step(points, labels, rate) for _ in range(steps)])
    probabilities, _ = network.forward(points)
    right = (probabilities.argmax(axis=1) == labels).mean()
    return losses[0], losses[-1], right


CASES = {
    "spirals": [(5,), (4, 0.5)],
    "learn": [(6, 4, 20), (10, 8, 60, 1.0)],
}


if __name__ == "__main__":
    first, last, right = learn()
    print(f"loss {first:.6f} -> {last:.6f}, {right:.1%} right")
